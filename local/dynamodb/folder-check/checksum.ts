const castagnoli = 0x82f63b78;
/** What a byte does to the checksum, at a distance of 0 to 7 bytes: eight bytes are taken in one step. */
const tables = [Uint32Array.from({ length: 256 }, (_, byte) => shifted(byte, 8))];
for (let distance = 1; distance < 8; distance++) {
  tables.push(tables[distance - 1]!.map((crc) => tables[0]![crc & 0xff]! ^ (crc >>> 8)));
}
const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as [
  ...[Uint32Array, Uint32Array, Uint32Array, Uint32Array],
  ...[Uint32Array, Uint32Array, Uint32Array, Uint32Array],
];

function shifted(crc: number, bits: number): number {
  return bits === 0 ? crc : shifted(crc & 1 ? (crc >>> 1) ^ castagnoli : crc >>> 1, bits - 1);
}

/** CRC-32C as LevelDB stores it: rotated and shifted, so that a checksum of checksums stays meaningful. */
export const maskedChecksum = (bytes: Uint8Array): number => {
  let crc = -1;
  let at = 0;
  for (const end = bytes.length - 7; at < end; at += 8) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc =
      t7[crc & 0xff]! ^
      t6[(crc >>> 8) & 0xff]! ^
      t5[(crc >>> 16) & 0xff]! ^
      t4[crc >>> 24]! ^
      t3[bytes[at + 4]!]! ^
      t2[bytes[at + 5]!]! ^
      t1[bytes[at + 6]!]! ^
      t0[bytes[at + 7]!]!;
  }
  for (; at < bytes.length; at++) crc = t0[(crc ^ bytes[at]!) & 0xff]! ^ (crc >>> 8);
  crc = ~crc >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
};
