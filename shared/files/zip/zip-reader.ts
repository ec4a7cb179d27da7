import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import { type Entry, fromBufferPromise, type LocalFileHeader } from 'yauzl';
import { ServiceError } from '../../domain/errors.ts';
import { MAX_UNPACKED_BYTES, refused, tooLarge } from '../limits.ts';

const END_RECORD_BYTES = 22;
const DIRECTORY_OFFSET_AT = 16;
const CENTRAL_HEADER_BYTES = 46;
const MAX_ENTRIES = 2_000;
const ENCRYPTED = 0x2041;
const SIZES_FOLLOW = 0x0008;
const UNKNOWN_SIZE = 0xffffffff;
const STORED = 0;
const DEFLATED = 8;

/** `packed` is where its bytes begin in the file. */
type Part = { name: string; entry: Entry; packed: number };

const inflate = promisify(inflateRaw);
const damaged = (why: string) => refused(`the workbook is damaged: ${why}`);
const encrypted = () => refused('the workbook is encrypted; save it without a password');

/**
 * Unpacks a zip archive whose directory, local headers and contents all agree; `keep` names the parts wanted.
 * Every part is unpacked and checked all the same, each in memory of its declared size, so that neither a
 * forged size nor a bomb gets further than that.
 */
export async function unzip(file: Buffer, keep: (name: string) => boolean): Promise<Map<string, Buffer>> {
  const parts = await partsOf(file).catch((error: Error) => {
    if (error instanceof ServiceError) throw error;
    throw /encryption/.test(error.message) ? encrypted() : damaged('its directory does not fit its parts');
  });
  const kept = new Map<string, Buffer>();
  for (const { name, entry, packed } of parts) {
    const content = await unpacked(name, entry, file.subarray(packed, packed + entry.compressedSize));
    if (keep(name)) kept.set(name, content);
  }
  return kept;
}

/** In the order in which they lie in the file. @throws what yauzl does on a directory that it cannot follow */
async function partsOf(file: Buffer): Promise<Part[]> {
  // Names stay bytes: those of a workbook are UTF-8, whatever their flag says.
  const zip = await fromBufferPromise(file, { decodeStrings: false });
  if (zip.entryCount > MAX_ENTRIES) throw refused(`the workbook has more than ${MAX_ENTRIES} parts`);
  const endRecord = file.length - END_RECORD_BYTES - zip.comment.length;
  let directoryEnd = file.readUInt32LE(endRecord + DIRECTORY_OFFSET_AT);
  let unpackedBytes = 0;
  const parts: Part[] = [];
  for await (const entry of zip.eachEntry()) {
    directoryEnd +=
      CENTRAL_HEADER_BYTES + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    unpackedBytes += entry.uncompressedSize;
    if (unpackedBytes > MAX_UNPACKED_BYTES)
      throw tooLarge(`the workbook unpacks to more than ${MAX_UNPACKED_BYTES / 1024 / 1024} MB`);
    const local = await zip.readLocalFileHeaderPromise(entry);
    const name = entry.fileNameRaw.toString();
    checkHeaders(name, entry, local);
    parts.push({ name, entry, packed: local.fileDataStart });
  }
  if (directoryEnd !== endRecord) throw damaged('its directory is incomplete');
  if (new Set(parts.map(({ name }) => name.toLowerCase())).size < parts.length)
    throw damaged('it has two parts of one name');
  return apart(parts);
}

function checkHeaders(name: string, entry: Entry, local: LocalFileHeader): void {
  if ((entry.generalPurposeBitFlag | local.generalPurposeBitFlag) & ENCRYPTED) throw encrypted();
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
    throw damaged('it is packed in an unknown way');
  const agrees = (said: number, size: number) =>
    said === size ||
    said === UNKNOWN_SIZE ||
    (said === 0 && (local.generalPurposeBitFlag & SIZES_FOLLOW) !== 0);
  if (
    !local.fileName.equals(entry.fileNameRaw) ||
    local.compressionMethod !== entry.compressionMethod ||
    !agrees(local.compressedSize, entry.compressedSize) ||
    !agrees(local.uncompressedSize, entry.uncompressedSize)
  )
    throw damaged(`the part ${name} is not what the directory says`);
}

/** Parts that overlap are how a small archive unpacks to a huge one. */
function apart(parts: Part[]): Part[] {
  let end = 0;
  for (const { entry, packed } of parts.sort((one, other) => one.packed - other.packed)) {
    if (entry.relativeOffsetOfLocalHeader < end) throw damaged('its parts overlap');
    end = packed + entry.compressedSize;
  }
  return parts;
}

async function unpacked(name: string, entry: Entry, packed: Buffer): Promise<Buffer> {
  const size = entry.uncompressedSize;
  // One output chunk a little larger than the part: nothing is copied together at the end.
  const bounds = { chunkSize: size + 64, maxOutputLength: Math.max(size, 1) };
  const content =
    entry.compressionMethod === STORED ? packed : await inflate(packed, bounds).catch(() => undefined);
  if (content?.length !== size || crc32(content) !== entry.crc32)
    throw damaged(`the part ${name} does not unpack to what the directory says`);
  return content;
}
