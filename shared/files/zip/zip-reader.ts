import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import { MAX_UNPACKED_BYTES, refused, tooLarge } from '../limits.ts';

const CENTRAL_HEADER = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;
const END_RECORD = 0x06054b50;
const END_RECORD_BYTES = 22;
const CENTRAL_HEADER_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;
const MAX_ENTRIES = 2_000;
const ENCRYPTED = 0x2041;
const SIZES_FOLLOW = 0x0008;
const UNKNOWN_SIZE = 0xffffffff;
const STORED = 0;
const DEFLATED = 8;

type Entry = {
  name: string;
  flags: number;
  method: number;
  crc: number;
  packed: number;
  size: number;
  offset: number;
};

const inflate = promisify(inflateRaw);
const damaged = (why: string) => refused(`the workbook is damaged: ${why}`);

/**
 * Unpacks a zip archive whose directory, local headers and contents all agree; `keep` names the parts wanted.
 * Every part is unpacked and checked all the same, each in memory of its declared size, so that neither a
 * forged size nor a bomb gets further than that.
 */
export async function unzip(file: Buffer, keep: (name: string) => boolean): Promise<Map<string, Buffer>> {
  const entries = directoryOf(file);
  if (entries.reduce((sum, { size }) => sum + size, 0) > MAX_UNPACKED_BYTES)
    throw tooLarge(`the workbook unpacks to more than ${MAX_UNPACKED_BYTES / 1024 / 1024} MB`);
  const packed = packedRanges(file, entries);
  const parts = new Map<string, Buffer>();
  for (const entry of entries) {
    const content = await unpack(entry, packed.get(entry)!);
    if (keep(entry.name)) parts.set(entry.name, content);
  }
  return parts;
}

function directoryOf(file: Buffer): Entry[] {
  const end = endRecordAt(file);
  const count = file.readUInt16LE(end + 10);
  const start = file.readUInt32LE(end + 16);
  if (file.readUInt32LE(end + 4) !== 0 || file.readUInt16LE(end + 8) !== count)
    throw damaged('it is split over several archives');
  if (count > MAX_ENTRIES) throw refused(`the workbook has more than ${MAX_ENTRIES} parts`);
  if (start + file.readUInt32LE(end + 12) !== end) throw damaged('its directory is cut off');
  const entries: Entry[] = [];
  for (let at = start; at < end; ) {
    if (at + CENTRAL_HEADER_BYTES > end || file.readUInt32LE(at) !== CENTRAL_HEADER)
      throw damaged('its directory cannot be read');
    entries.push(entryAt(file, at));
    at += CENTRAL_HEADER_BYTES + variableBytes(file, at + 28) + file.readUInt16LE(at + 32);
    if (at > end) throw damaged('its directory cannot be read');
  }
  if (entries.length !== count) throw damaged('its directory is incomplete');
  if (new Set(entries.map(({ name }) => name.toLowerCase())).size !== count)
    throw damaged('it has two parts of one name');
  return entries;
}

function endRecordAt(file: Buffer): number {
  const least = Math.max(0, file.length - END_RECORD_BYTES - 0xffff);
  for (let at = file.length - END_RECORD_BYTES; at >= least; at--)
    if (
      file.readUInt32LE(at) === END_RECORD &&
      at + END_RECORD_BYTES + file.readUInt16LE(at + 20) === file.length
    )
      return at;
  throw damaged('it is cut off');
}

const variableBytes = (file: Buffer, at: number) => file.readUInt16LE(at) + file.readUInt16LE(at + 2);

function entryAt(file: Buffer, at: number): Entry {
  const nameStart = at + CENTRAL_HEADER_BYTES;
  return {
    name: file.toString('utf8', nameStart, nameStart + file.readUInt16LE(at + 28)),
    flags: file.readUInt16LE(at + 8),
    method: file.readUInt16LE(at + 10),
    crc: file.readUInt32LE(at + 16),
    packed: file.readUInt32LE(at + 20),
    size: file.readUInt32LE(at + 24),
    offset: file.readUInt32LE(at + 42),
  };
}

/** Each part's packed bytes; parts that overlap are how a small archive unpacks to a huge one. */
function packedRanges(file: Buffer, entries: Entry[]): Map<Entry, Buffer> {
  const ranges = new Map<Entry, Buffer>();
  let end = 0;
  for (const entry of entries.toSorted((one, other) => one.offset - other.offset)) {
    if (entry.offset < end) throw damaged('its parts overlap');
    const start = packedStart(file, entry);
    end = start + entry.packed;
    if (end > file.length) throw damaged(`the part ${entry.name} is cut off`);
    ranges.set(entry, file.subarray(start, end));
  }
  return ranges;
}

function packedStart(file: Buffer, entry: Entry): number {
  const at = entry.offset;
  if (entry.flags & ENCRYPTED) throw refused('the workbook is encrypted; save it without a password');
  if (entry.method !== STORED && entry.method !== DEFLATED) throw damaged('it is packed in an unknown way');
  if (at + LOCAL_HEADER_BYTES > file.length || file.readUInt32LE(at) !== LOCAL_HEADER)
    throw damaged(`the part ${entry.name} is not where the directory says`);
  const nameStart = at + LOCAL_HEADER_BYTES;
  const local = {
    name: file.toString('utf8', nameStart, nameStart + file.readUInt16LE(at + 26)),
    flags: file.readUInt16LE(at + 6),
    method: file.readUInt16LE(at + 8),
    sizes: [file.readUInt32LE(at + 18), file.readUInt32LE(at + 22)],
  };
  const sizesAgree = [entry.packed, entry.size].every((size, which) => {
    const said = local.sizes[which];
    return said === size || said === UNKNOWN_SIZE || (said === 0 && (local.flags & SIZES_FOLLOW) !== 0);
  });
  if (local.name !== entry.name || local.method !== entry.method || local.flags & ENCRYPTED || !sizesAgree)
    throw damaged(`the part ${entry.name} is not what the directory says`);
  return nameStart + variableBytes(file, at + 26);
}

async function unpack(entry: Entry, packed: Buffer): Promise<Buffer> {
  const content = entry.method === STORED ? packed : await inflateExactly(entry, packed);
  if (content.length !== entry.size || crc32(content) !== entry.crc)
    throw damaged(`the part ${entry.name} does not unpack to what the directory says`);
  return content;
}

async function inflateExactly(entry: Entry, packed: Buffer): Promise<Buffer> {
  try {
    // One output chunk a little larger than the part: nothing is copied together at the end.
    return await inflate(packed, { chunkSize: entry.size + 64, maxOutputLength: Math.max(entry.size, 1) });
  } catch {
    throw damaged(`the part ${entry.name} cannot be unpacked`);
  }
}
