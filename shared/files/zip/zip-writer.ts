import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export type ZipPart = { name: string; content: AsyncIterable<Buffer> | Iterable<Buffer> };

const options = {
  /** The first day that zip knows, so that the same rows always give the same bytes. */
  mtime: new Date(1980, 0, 1),
  forceDosTimestamp: true,
  /** Sheets are repetitive: the fastest level packs them to a tenth. A higher level costs rows per second. */
  compressionLevel: 1,
};

/** Packs parts into a zip archive as they come, holding no more than a few chunks. */
export async function* zip(parts: AsyncIterable<ZipPart>): AsyncGenerator<Buffer> {
  const file = new ZipFile();
  const output = file.outputStream as Readable;
  let content: Readable | undefined;
  const adding = async () => {
    for await (const part of parts) {
      if (output.destroyed) return;
      content = Readable.from(part.content, { objectMode: false });
      file.addReadStream(content, part.name, options);
      await finished(content);
    }
    file.end();
  };
  const added = adding().catch((error) => output.destroy(error));
  try {
    yield* output;
  } finally {
    content?.destroy();
    await added;
  }
}
