import { maskedChecksum } from './checksum.ts';

/**
 * LevelDB opens a folder whose write-ahead log is damaged or missing, and drops what it cannot read without a word. This
 * checks a log first. The manifest is such a log too. Its format: blocks of 32 KB; a record has a checksum (4 bytes), a length (2), a type (1) and its
 * payload, and fills no more than the rest of its block.
 */
const blockBytes = 32 * 1024;
const headerBytes = 7;
/** A record that does not fit its block is written in pieces. */
const [wholeType, firstType, lastType] = [1, 2, 4];

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

/** The records up to the end or the first position without a valid one. */
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
export const isDamagedLog = (log: Buffer): boolean => {
  const { end } = recordsOf(log);
  for (let at = end + 1; at < log.length; at++) if (recordAt(log, at) !== undefined) return true;
  // Cut off within its last block, the log holds the beginning of a record; a whole record there is damaged.
  return end + headerBytes <= log.length && end + headerBytes + log.readUInt16LE(end + 4) <= log.length;
};

/** What was written, record by record, up to the end or the first position without a valid record. */
export const writtenIn = (log: Buffer): Buffer[] => {
  const written: Buffer[] = [];
  let pieces: Buffer[] = [];
  for (const { type, payload } of recordsOf(log).records) {
    if (type === wholeType || type === firstType) pieces = [];
    pieces.push(payload);
    if (type === wholeType || type === lastType) written.push(Buffer.concat(pieces));
  }
  return written;
};
