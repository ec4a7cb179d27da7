import { PassThrough, Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, type LocalFileHeader, RandomAccessReader } from 'yauzl';
import { ServiceError } from '../../platform/rules/errors.ts';
import {
  badFile,
  chunkBytes,
  type FileLimits,
  type FileSource,
  isZlibError,
  piecesOf,
  readRange,
  through,
  tooLarge,
} from '../workbook.ts';

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

/** A part of an archive, which may be too large for the memory. */
export type ZipPart = { size: number; chunks: () => AsyncIterable<Buffer> };

/** Bytes. Smaller parts stay in memory after the check, so that they are unpacked only once. */
const keptBytes = 8 * 1024 * 1024;

const damaged = (why: string) => badFile(`the workbook is damaged: ${why}`);
const encrypted = () => badFile('the workbook is encrypted; save it without a password', 'FILE_PROTECTED');

/**
 * The parts of a zip archive whose directory, local headers and contents agree. Every part is
 * unpacked and checked once, chunk by chunk, up to its declared size. So a forged size or a zip
 * bomb takes no more memory than a chunk. `check` sees each chunk of a part, and its end.
 */
export const unzip = async (
  file: FileSource,
  limits: FileLimits,
  check: (name: string) => (chunk: Buffer | undefined) => void,
): Promise<Map<string, ZipPart>> => {
  const packedParts = await readParts(file, limits).catch((error: Error) => {
    if (error instanceof ServiceError) throw error;
    throw /encryption/.test(error.message) ? encrypted() : damaged('its directory does not fit its parts');
  });
  const parts = new Map<string, ZipPart>();
  let kept = 0;
  for (const packed of packedParts) {
    const size = packed.entry.uncompressedSize;
    const isKept = kept + size <= keptBytes;
    const see = check(packed.name);
    const read: Buffer[] = [];
    for await (const chunk of unpack(file, packed)) {
      see(chunk);
      if (isKept) read.push(chunk);
    }
    see(undefined);
    if (isKept) kept += size;
    const bytes = Buffer.concat(read);
    parts.set(packed.name, { size, chunks: isKept ? () => piecesOf(bytes) : () => unpack(file, packed) });
  }
  return parts;
};

const blockBytes = 64 * 1024;

/** Reads the directory of an archive, with one block at a time in memory. */
class DirectoryReader extends RandomAccessReader {
  readonly #file: FileSource;
  #block: Buffer = Buffer.alloc(0);
  #start = 0;

  constructor(file: FileSource) {
    super();
    this.#file = file;
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#read(position, length).then(
      (bytes) => {
        bytes.copy(target, offset);
        callback(bytes.length < length ? new Error('unexpected EOF') : null);
      },
      (error) => callback(error),
    );
  }

  async #read(position: number, length: number): Promise<Buffer> {
    const isKnown = position >= this.#start && position + length <= this.#start + this.#block.length;
    if (!isKnown) {
      this.#block = await readRange(this.#file, position, position + Math.max(length, blockBytes));
      this.#start = position;
    }
    return this.#block.subarray(position - this.#start, position - this.#start + length);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#file.chunks(start, end));
  }
}

/**
 * The parts in the order of the file.
 * @throws the error of yauzl for a directory that it cannot follow
 */
const readParts = async (file: FileSource, limits: FileLimits): Promise<PackedPart[]> => {
  // Names are decoded here. In a workbook they are UTF-8, whatever their flag says.
  const options = { decodeStrings: false, autoClose: false };
  const zip = await fromRandomAccessReaderPromise(new DirectoryReader(file), file.size, options);
  if (zip.entryCount > maxEntries) throw badFile(`the workbook has more than ${maxEntries} parts`);
  const endRecord = file.size - endRecordBytes - zip.comment.length;
  const end = await readRange(file, endRecord, file.size);
  let directoryEnd = end.readUInt32LE(directoryOffsetAt);
  let unpackedBytes = 0;
  const parts: PackedPart[] = [];
  for await (const entry of zip.eachEntry()) {
    directoryEnd +=
      centralHeaderBytes + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    unpackedBytes += entry.uncompressedSize;
    if (unpackedBytes > limits.unpackedBytes)
      throw tooLarge(`the workbook unpacks to more than ${limits.unpackedBytes / 1024 / 1024} MB`);
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

/** With overlapping parts a small archive could unpack to a huge one. */
const checkOverlap = (parts: PackedPart[]): PackedPart[] => {
  let end = 0;
  for (const { entry, packed } of parts.sort((one, other) => one.packed - other.packed)) {
    if (entry.relativeOffsetOfLocalHeader < end) throw damaged('its parts overlap');
    end = packed + entry.compressedSize;
  }
  return parts;
};

async function* unpack(file: FileSource, { name, entry, packed }: PackedPart): AsyncGenerator<Buffer> {
  const bytes = file.chunks(packed, packed + entry.compressedSize);
  const inflate =
    entry.compressionMethod === stored ? new PassThrough() : createInflateRaw({ chunkSize: chunkBytes });
  const wrong = () => damaged(`the part ${name} does not unpack to what the directory says`);
  let size = 0;
  let sum = 0;
  try {
    for await (const chunk of through(bytes, inflate)) {
      size += chunk.length;
      if (size > entry.uncompressedSize) throw wrong();
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    throw isZlibError(error) ? wrong() : error;
  }
  if (size !== entry.uncompressedSize || sum !== entry.crc32) throw wrong();
}
