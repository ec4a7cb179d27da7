import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * LevelDB opens a folder whose write-ahead log is damaged or missing, and drops what it cannot read without a word. This
 * checks the log first. Its format: blocks of 32 KB; a record has a checksum (4 bytes), a length (2), a type (1) and its
 * payload, and fills no more than the rest of its block.
 */
const blockBytes = 32 * 1024;
const headerBytes = 7;
const lastType = 4;

const castagnoli = 0x82f63b78;
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ castagnoli : crc >>> 1;
  return crc;
});

/** CRC-32C as LevelDB stores it: rotated and shifted, so that a checksum of checksums stays meaningful. */
const maskedChecksum = (bytes: Uint8Array): number => {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = table[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  crc = ~crc >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
};

type LogRecord = { type: number; payload: Buffer; end: number };

/** The record that begins there; `undefined` when there is no valid one. */
const recordAt = (log: Buffer, at: number): LogRecord | undefined => {
  const blockEnd = Math.min(log.length, (Math.floor(at / blockBytes) + 1) * blockBytes);
  if (at + headerBytes > blockEnd) return undefined;
  const end = at + headerBytes + log.readUInt16LE(at + 4);
  const type = log[at + 6]!;
  if (end > blockEnd || type === 0 || type > lastType) return undefined;
  if (maskedChecksum(log.subarray(at + 6, end)) !== log.readUInt32LE(at)) return undefined;
  return { type, payload: log.subarray(at + headerBytes, end), end };
};

/** The records up to the end or the first place without a valid one. */
const recordsOf = (log: Buffer) => {
  const records: LogRecord[] = [];
  let at = 0;
  while (at < log.length) {
    const left = blockBytes - (at % blockBytes);
    const record = left < headerBytes ? undefined : recordAt(log, at);
    if (record === undefined && left >= headerBytes) break;
    if (record !== undefined) records.push(record);
    at = record?.end ?? at + left;
  }
  return { records, end: Math.min(at, log.length) };
};

/** A write that the end of the machine cut off is the last of the log. After damage valid records follow. */
const isDamaged = (log: Buffer): boolean => {
  const { end } = recordsOf(log);
  for (let at = end + 1; at < log.length; at++) if (recordAt(log, at) !== undefined) return true;
  // Cut off within its last block, the log holds the beginning of a record; a whole record there is damaged.
  return end + headerBytes <= log.length && end + headerBytes + log.readUInt16LE(end + 4) <= log.length;
};

/** The number of the log that the folder's manifest names. */
const logNumberIn = (manifest: Buffer): number | undefined => {
  let number: number | undefined;
  for (const { payload } of recordsOf(manifest).records) number = logNumberOf(payload) ?? number;
  return number;
};

/** Reads one edit of the manifest, a list of tags with numbers and texts, as far as its log number. */
const logNumberOf = (edit: Buffer): number | undefined => {
  const comparatorTag = 1;
  const logNumberTag = 2;
  let at = 0;
  const readNumber = (): number => {
    let value = 0;
    for (let scale = 1; at < edit.length; scale *= 128) {
      const byte = edit[at++]!;
      value += (byte & 127) * scale;
      if (byte < 128) break;
    }
    return value;
  };
  // The comparator is the only entry that LevelDB writes before the log number.
  if (edit[at] === comparatorTag) {
    at++;
    at += readNumber();
  }
  return edit[at++] === logNumberTag ? readNumber() : undefined;
};

/** What is wrong with the log of a LevelDB in that folder; `undefined` when nothing is. */
export const logProblem = (folder: string): string | undefined => {
  const current = path.join(folder, 'CURRENT');
  if (!existsSync(current)) return undefined;
  const names = readdirSync(folder).filter((name) => /^\d+\.log$/.test(name));
  const damaged = names.find((name) => isDamaged(readFileSync(path.join(folder, name))));
  if (damaged !== undefined) return `its write-ahead log ${damaged} is damaged`;
  const manifest = readFileSync(path.join(folder, readFileSync(current, 'utf8').trim()));
  const number = logNumberIn(manifest);
  const isThere = number === undefined || names.some((name) => Number.parseInt(name, 10) >= number);
  return isThere ? undefined : 'its write-ahead log is missing';
};
