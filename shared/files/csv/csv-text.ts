import { isUtf8 } from 'node:buffer';
import { refused } from '../limits.ts';

/** The text of a CSV file without its byte order mark, whatever it is encoded in. */
export function csvText(file: Buffer): string {
  const text = decoded(file);
  if (text.includes('\0')) throw refused('it is neither CSV nor Excel: its text holds NUL characters');
  return text;
}

function decoded(file: Buffer): string {
  if (startsWith(file, 0xff, 0xfe)) return decode(file.subarray(2), 'utf-16le');
  if (startsWith(file, 0xfe, 0xff)) return decode(file.subarray(2), 'utf-16be');
  if (isUtf8(file)) return file.toString('utf8', startsWith(file, 0xef, 0xbb, 0xbf) ? 3 : 0);
  return decode(file, 'gb18030');
}

function decode(bytes: Buffer, encoding: string): string {
  try {
    // The byte order mark is cut off already: another one is text.
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refused('its text is not valid UTF-8, UTF-16 or GB18030');
  }
}

const startsWith = (file: Buffer, ...bytes: number[]) => bytes.every((byte, at) => file[at] === byte);
