/** A part of an archive as its directory lists it; sizes and offset in bytes. */
export type ZipEntry = { name: string; crc: number; packed: number; size: number; offset: number };

const UNKNOWN_32 = 0xffffffff;
const UNKNOWN_16 = 0xffff;
/** Sizes and check sum follow the content; names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATED = 8;
const VERSION = 20;
const VERSION_ZIP64 = 45;
/** 1980-01-01, the first day of zip: the same rows always give the same bytes. */
const DATE = 0x0021;

export function localHeader(name: string): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(DEFLATED, 8);
  header.writeUInt16LE(DATE, 12);
  header.writeUInt16LE(Buffer.byteLength(name), 26);
  return Buffer.concat([header, Buffer.from(name)]);
}

/** What follows the content of a part. A part is kept under 4 GB: Excel takes no longer sizes here. */
export function dataDescriptor({ crc, packed, size }: ZipEntry): Buffer {
  const descriptor = Buffer.alloc(16);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(crc, 4);
  descriptor.writeUInt32LE(packed, 8);
  descriptor.writeUInt32LE(size, 12);
  return descriptor;
}

/** The directory at an archive's end, in zip64 form where an offset or the number of parts needs it. */
export function directory(entries: readonly ZipEntry[], offset: number): Buffer {
  const headers = Buffer.concat(entries.map(centralHeader));
  const large = offset + headers.length >= UNKNOWN_32 || entries.length >= UNKNOWN_16;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(entries.length, UNKNOWN_16), 8);
  end.writeUInt16LE(Math.min(entries.length, UNKNOWN_16), 10);
  end.writeUInt32LE(headers.length, 12);
  end.writeUInt32LE(Math.min(offset, UNKNOWN_32), 16);
  return Buffer.concat([headers, ...(large ? [zip64End(entries.length, headers.length, offset)] : []), end]);
}

function centralHeader({ name, crc, packed, size, offset }: ZipEntry): Buffer {
  const large = offset >= UNKNOWN_32;
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(VERSION_ZIP64, 4);
  header.writeUInt16LE(large ? VERSION_ZIP64 : VERSION, 6);
  header.writeUInt16LE(FLAGS, 8);
  header.writeUInt16LE(DEFLATED, 10);
  header.writeUInt16LE(DATE, 14);
  header.writeUInt32LE(crc, 16);
  header.writeUInt32LE(packed, 20);
  header.writeUInt32LE(size, 24);
  header.writeUInt16LE(Buffer.byteLength(name), 28);
  header.writeUInt16LE(large ? 12 : 0, 30);
  header.writeUInt32LE(Math.min(offset, UNKNOWN_32), 42);
  return Buffer.concat([header, Buffer.from(name), ...(large ? [zip64Extra(offset)] : [])]);
}

function zip64Extra(offset: number): Buffer {
  const extra = Buffer.alloc(12);
  extra.writeUInt16LE(0x0001, 0);
  extra.writeUInt16LE(8, 2);
  extra.writeBigUInt64LE(BigInt(offset), 4);
  return extra;
}

function zip64End(count: number, bytes: number, offset: number): Buffer {
  const end = Buffer.alloc(56 + 20);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(VERSION_ZIP64, 12);
  end.writeUInt16LE(VERSION_ZIP64, 14);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(bytes), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(offset + bytes), 64);
  end.writeUInt32LE(1, 72);
  return end;
}
