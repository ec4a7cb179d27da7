import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import { type Entry, fromBufferPromise, type LocalFileHeader } from 'yauzl';
import { ServiceError } from '../../domain/errors.ts';
import { badFile, maxUnpackedBytes, tooLarge } from '../limits.ts';

const endRecordBytes = 22;
const directoryOffsetAt = 16;
const centralHeaderBytes = 46;
const maxEntries = 2_000;
/** Bits of the general purpose flag. */
const encryptedFlag = 0x2041;
const sizesFollowFlag = 0x0008;
const unknownSize = 0xffffffff;
/** Compression methods. */
const stored = 0;
const deflated = 8;

/** `packed` is where the bytes of the part begin in the file. */
type PackedPart = { name: string; entry: Entry; packed: number };

const inflate = promisify(inflateRaw);
const damaged = (why: string) => badFile(`the workbook is damaged: ${why}`);
const encrypted = () => badFile('the workbook is encrypted; save it without a password', 'FILE_PROTECTED');

/**
 * Unpacks a zip archive whose directory, local headers and contents agree. `keep` selects the parts to return, but
 * every part is unpacked and checked, each in memory of its declared size. So a forged size or a zip bomb can take no
 * more memory than that.
 */
export const unzip = async (file: Buffer, keep: (name: string) => boolean): Promise<Map<string, Buffer>> => {
  const parts = await readParts(file).catch((error: Error) => {
    if (error instanceof ServiceError) throw error;
    throw /encryption/.test(error.message) ? encrypted() : damaged('its directory does not fit its parts');
  });
  const kept = new Map<string, Buffer>();
  for (const { name, entry, packed } of parts) {
    const content = await unpack(name, entry, file.subarray(packed, packed + entry.compressedSize));
    if (keep(name)) kept.set(name, content);
  }
  return kept;
};

/** The parts in the order of the file. @throws the error of yauzl for a directory that it cannot follow */
const readParts = async (file: Buffer): Promise<PackedPart[]> => {
  // Names are decoded here: in a workbook they are UTF-8, whatever their flag says.
  const zip = await fromBufferPromise(file, { decodeStrings: false });
  if (zip.entryCount > maxEntries) throw badFile(`the workbook has more than ${maxEntries} parts`);
  const endRecord = file.length - endRecordBytes - zip.comment.length;
  let directoryEnd = file.readUInt32LE(endRecord + directoryOffsetAt);
  let unpackedBytes = 0;
  const parts: PackedPart[] = [];
  for await (const entry of zip.eachEntry()) {
    directoryEnd +=
      centralHeaderBytes + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    unpackedBytes += entry.uncompressedSize;
    if (unpackedBytes > maxUnpackedBytes)
      throw tooLarge(`the workbook unpacks to more than ${maxUnpackedBytes / 1024 / 1024} MB`);
    const local = await zip.readLocalFileHeaderPromise(entry);
    const name = entry.fileNameRaw.toString();
    checkHeaders(name, entry, local);
    parts.push({ name, entry, packed: local.fileDataStart });
  }
  if (directoryEnd !== endRecord) throw damaged('its directory is incomplete');
  if (new Set(parts.map(({ name }) => name.toLowerCase())).size < parts.length)
    throw damaged('two of its parts have the same name');
  return checkOverlap(parts);
};

const checkHeaders = (name: string, entry: Entry, local: LocalFileHeader): void => {
  if ((entry.generalPurposeBitFlag | local.generalPurposeBitFlag) & encryptedFlag) throw encrypted();
  if (entry.compressionMethod !== stored && entry.compressionMethod !== deflated)
    throw damaged('it is packed in an unknown way');
  const agrees = (said: number, size: number) =>
    said === size ||
    said === unknownSize ||
    (said === 0 && (local.generalPurposeBitFlag & sizesFollowFlag) !== 0);
  if (
    !local.fileName.equals(entry.fileNameRaw) ||
    local.compressionMethod !== entry.compressionMethod ||
    !agrees(local.compressedSize, entry.compressedSize) ||
    !agrees(local.uncompressedSize, entry.uncompressedSize)
  )
    throw damaged(`the part ${name} is not what the directory says`);
};

/** With overlapping parts a small archive can unpack to a huge one. */
const checkOverlap = (parts: PackedPart[]): PackedPart[] => {
  let end = 0;
  for (const { entry, packed } of parts.sort((one, other) => one.packed - other.packed)) {
    if (entry.relativeOffsetOfLocalHeader < end) throw damaged('its parts overlap');
    end = packed + entry.compressedSize;
  }
  return parts;
};

const unpack = async (name: string, entry: Entry, packed: Buffer): Promise<Buffer> => {
  const size = entry.uncompressedSize;
  // With one output chunk larger than the part, zlib copies nothing together at the end.
  const bounds = { chunkSize: size + 64, maxOutputLength: Math.max(size, 1) };
  const content =
    entry.compressionMethod === stored ? packed : await inflate(packed, bounds).catch(() => undefined);
  if (content?.length !== size || crc32(content) !== entry.crc32)
    throw damaged(`the part ${name} does not unpack to what the directory says`);
  return content;
};
