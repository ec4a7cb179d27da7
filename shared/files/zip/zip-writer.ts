import { crc32, createDeflateRaw } from 'node:zlib';
import { dataDescriptor, directory, localHeader, type ZipEntry } from './zip-directory.ts';

export type ZipPart = { name: string; content: AsyncIterable<Buffer> | Iterable<Buffer> };

/** Sheets are so repetitive that the fastest level packs them to a tenth; more effort costs rows a second. */
const LEVEL = 1;
const CHUNK_BYTES = 128 * 1024;

/** Packs parts into a zip archive as they come, holding no more than a few chunks. */
export async function* zipped(parts: AsyncIterable<ZipPart>): AsyncGenerator<Buffer> {
  const entries: ZipEntry[] = [];
  let offset = 0;
  for await (const { name, content } of parts) {
    const entry: ZipEntry = { name, crc: 0, packed: 0, size: 0, offset };
    const header = localHeader(name);
    yield header;
    yield* deflated(content, entry);
    const descriptor = dataDescriptor(entry);
    yield descriptor;
    entries.push(entry);
    offset += header.length + entry.packed + descriptor.length;
  }
  yield directory(entries, offset);
}

/** The packed content; its sizes and check sum are noted in the entry. */
async function* deflated(content: ZipPart['content'], entry: ZipEntry): AsyncGenerator<Buffer> {
  const stream = createDeflateRaw({ level: LEVEL, chunkSize: CHUNK_BYTES });
  let packed: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => {
    packed.push(chunk);
    entry.packed += chunk.length;
  });
  const taken = () => {
    const chunks = packed;
    packed = [];
    return chunks;
  };
  try {
    // zlib packs a chunk on a thread of its own while the next one is being made.
    let packing: Promise<void> = Promise.resolve();
    for await (const chunk of content) {
      await packing;
      yield* taken();
      entry.crc = crc32(chunk, entry.crc);
      entry.size += chunk.length;
      packing = new Promise((resolve) => stream.write(chunk, () => resolve()));
    }
    await packing;
    await new Promise<void>((resolve) => stream.once('end', resolve).end());
    yield* taken();
  } finally {
    stream.destroy();
  }
}
