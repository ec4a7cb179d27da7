import { isUtf8 } from 'node:buffer';
import { refused } from './limits.ts';

/** The file's text as UTF-8 without a byte order mark, whatever it was encoded in. */
export function utf8Of(file: Buffer): Buffer {
  const text = decoded(file);
  if (text.includes(0)) throw refused('it is neither CSV nor Excel: the text holds NUL characters');
  return text;
}

function decoded(file: Buffer): Buffer {
  if (startsWith(file, 0xff, 0xfe)) return decode(file.subarray(2), 'utf-16le');
  if (startsWith(file, 0xfe, 0xff)) return decode(file.subarray(2), 'utf-16be');
  if (isUtf8(file)) return startsWith(file, 0xef, 0xbb, 0xbf) ? file.subarray(3) : file;
  return decode(file, 'gb18030');
}

function decode(bytes: Buffer, encoding: string): Buffer {
  try {
    // The byte order mark is cut off already: another one is text.
    return Buffer.from(new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw refused('its text is not valid UTF-8, UTF-16 or GB18030');
  }
}

const startsWith = (file: Buffer, ...bytes: number[]) => bytes.every((byte, at) => file[at] === byte);
