import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export type ZipPart = { name: string; content: AsyncIterable<Buffer> | Iterable<Buffer> };

const OPTIONS = {
  /** The first day of zip: the same rows always give the same bytes. */
  mtime: new Date(1980, 0, 1),
  forceDosTimestamp: true,
  /** Sheets are so repetitive that the fastest level packs them to a tenth; more effort costs rows a second. */
  compressionLevel: 1,
};

/** Packs parts into a zip archive as they come, holding no more than a few chunks. */
export async function* zipped(parts: AsyncIterable<ZipPart>): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let content: Readable | undefined;
  const adding = async () => {
    for await (const part of parts) {
      if (output.destroyed) return;
      content = Readable.from(part.content, { objectMode: false });
      zip.addReadStream(content, part.name, OPTIONS);
      await finished(content);
    }
    zip.end();
  };
  const added = adding().catch((error) => output.destroy(error));
  try {
    yield* output;
  } finally {
    content?.destroy();
    await added;
  }
}
