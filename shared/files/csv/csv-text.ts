import { isUtf8 } from 'node:buffer';
import { refused } from '../limits.ts';

const CHUNK_BYTES = 64 * 1024;

/** The text of a CSV file as UTF-8 and without its byte order mark, whatever it is encoded in, in chunks. */
export function* csvText(file: Buffer): Generator<Buffer> {
  const [encoding, start] = encodingOf(file);
  const decoder =
    // The byte order mark is cut off already: another one is text.
    encoding === 'utf-8' ? undefined : new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  for (let at = start; at < file.length; at += CHUNK_BYTES) {
    const slice = file.subarray(at, at + CHUNK_BYTES);
    const chunk = decoder ? decoded(decoder, slice, at + CHUNK_BYTES < file.length) : slice;
    if (chunk.includes(0)) throw refused('it is neither CSV nor Excel: its text holds NUL characters');
    yield chunk;
  }
}

function encodingOf(file: Buffer): [encoding: string, start: number] {
  if (startsWith(file, 0xff, 0xfe)) return ['utf-16le', 2];
  if (startsWith(file, 0xfe, 0xff)) return ['utf-16be', 2];
  if (isUtf8(file)) return ['utf-8', startsWith(file, 0xef, 0xbb, 0xbf) ? 3 : 0];
  return ['gb18030', 0];
}

function decoded(decoder: InstanceType<typeof TextDecoder>, bytes: Buffer, stream: boolean): Buffer {
  try {
    return Buffer.from(decoder.decode(bytes, { stream }));
  } catch {
    throw refused('its text is not valid UTF-8, UTF-16 or GB18030; save it as "CSV UTF-8" or as .xlsx');
  }
}

const startsWith = (file: Buffer, ...bytes: number[]) => bytes.every((byte, at) => file[at] === byte);
