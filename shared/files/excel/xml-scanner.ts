import { setImmediate } from 'node:timers/promises';
import { badFile, maxTagBytes, maxTags, tooLarge } from '../limits.ts';

/** Bytes of ASCII characters. */
const zero = 0x30;
const less = 0x3c;
const greater = 0x3e;
const slash = 0x2f;
const colon = 0x3a;
const equals = 0x3d;
const doubleQuote = 0x22;
const apostrophe = 0x27;
const isSpace = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));
const sections = [
  ['<?', '?>'],
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
] as const;
const section = /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g;

/** A comment takes as long to pass as four tags. */
const sectionWeight = 4;
/** Tags that are walked in a few milliseconds. */
export const tagsPerTurn = 16_384;

/** Walks all tags of a part. Other requests get their turn every few thousand tags. */
export const eachTag = async (part: Buffer, visit: (xml: XmlScanner) => void): Promise<void> => {
  const xml = new XmlScanner(part);
  for (let nextTurn = tagsPerTurn; xml.nextTag(); ) {
    visit(xml);
    if (xml.tags < nextTurn) continue;
    nextTurn = xml.tags + tagsPerTurn;
    await setImmediate();
  }
};

/**
 * Walks the tags of a UTF-8 XML part in place, without a tree: a sheet may be 64 MB of tags. Names are compared without
 * their prefix. A DTD is refused, never read.
 */
export class XmlScanner {
  readonly #bytes: Buffer;
  #at: number;
  #textStart: number;
  #textEnd = 0;
  #nameStart = 0;
  #nameEnd = 0;
  #closing = false;
  #sections = false;
  /** How many tags were walked, counting comments and other sections too. */
  tags = 0;
  /** Where the current tag begins, in bytes. */
  tagStart = 0;
  selfClosing = false;

  constructor(bytes: Buffer, start = 0) {
    this.#bytes = bytes;
    this.#at = start;
    this.#textStart = start;
  }

  /** Moves to the next tag; false at the end of the part. */
  nextTag(): boolean {
    const bytes = this.#bytes;
    this.#textStart = this.#at;
    this.#sections = false;
    for (let at = this.#at; at < bytes.length; at++) {
      if (bytes[at] !== less) continue;
      const next = bytes[at + 1];
      if (next === 0x21 || next === 0x3f) {
        this.#count(sectionWeight);
        at = this.#endOfSection(at) - 1;
        this.#sections = true;
      } else {
        this.#textEnd = at;
        this.#count(1);
        this.#readTag(at);
        return true;
      }
    }
    return false;
  }

  /** Moves to the next tag inside the cell or text at which the scanner stands; false at its end. */
  within(element: string, lastTag: number): boolean {
    if (this.closes(element)) return false;
    if (!this.nextTag()) throw badFile('its XML is cut off');
    if (this.tags > lastTag) throw badFile('a cell or a text of the workbook holds too many XML tags');
    return true;
  }

  #count(tags: number): void {
    this.tags += tags;
    if (this.tags > maxTags) throw tooLarge('its sheet or its texts have too many XML tags');
  }

  opens(name: string): boolean {
    return !this.#closing && this.#named(name);
  }

  closes(name: string): boolean {
    return (this.#closing || this.selfClosing) && this.#named(name);
  }

  /** The text between the previous tag and the current one. */
  text(): string {
    const raw = this.#slice(this.#textStart, this.#textEnd);
    const lines = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw;
    if (!this.#sections) return unescapeXml(lines);
    // Text and CDATA alternate in the result of the split; comments and instructions leave nothing.
    const pieces: (string | undefined)[] = lines.split(section);
    return pieces.map((piece = '', at) => (at % 2 === 0 ? unescapeXml(piece) : piece)).join('');
  }

  /** The same as a whole number of at most nine digits, -1 if it is not such a number. */
  wholeNumber(): number {
    const end = this.#textEnd;
    let value = 0;
    for (let at = this.#textStart; at < end; at++) {
      const digit = this.#bytes[at]! - zero;
      if (digit < 0 || digit > 9) return wholeNumberOf(this.text());
      value = value * 10 + digit;
    }
    const digits = end - this.#textStart;
    return digits > 0 && digits <= 9 ? value : -1;
  }

  attribute(name: string): string | undefined {
    const bytes = this.#bytes;
    for (let at = this.#nameEnd; at < this.#at - 1; ) {
      while (isSpace(bytes[at]!)) at++;
      let start = at;
      for (; at < this.#at - 1 && bytes[at] !== equals; at++) if (bytes[at] === colon) start = at + 1;
      let end = at++;
      while (end > start && isSpace(bytes[end - 1]!)) end--;
      while (isSpace(bytes[at]!)) at++;
      const quote = bytes[at++];
      const valueStart = at;
      while (at < this.#at && bytes[at] !== quote) at++;
      if (this.#equals(start, end, name)) return unescapeXml(this.#slice(valueStart, at));
      at++;
    }
    return undefined;
  }

  #readTag(start: number): void {
    const bytes = this.#bytes;
    this.tagStart = start;
    this.#closing = bytes[start + 1] === slash;
    let at = this.#closing ? start + 2 : start + 1;
    this.#nameStart = at;
    for (; at < bytes.length && bytes[at] !== greater && bytes[at] !== slash && !isSpace(bytes[at]!); at++)
      if (bytes[at] === colon) this.#nameStart = at + 1;
    this.#nameEnd = at;
    for (let quote = 0; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (quote !== 0) quote = byte === quote ? 0 : quote;
      else if (byte === greater) break;
      else if (byte === doubleQuote || byte === apostrophe) quote = byte;
    }
    if (at >= bytes.length) throw badFile('its XML is cut off');
    if (at - start > maxTagBytes) throw badFile('its XML has a tag of more than a megabyte');
    this.selfClosing = bytes[at - 1] === slash;
    this.#at = at + 1;
  }

  #endOfSection(start: number): number {
    const text = this.#bytes.toString('latin1', start, start + 9);
    const [opening, closing] = sections.find(([begins]) => text.startsWith(begins)) ?? [];
    if (!closing) throw badFile('its XML declares a document type, which is not allowed');
    const end = this.#bytes.indexOf(closing, start + opening.length);
    if (end < 0) throw badFile('its XML is cut off');
    return end + closing.length;
  }

  /** Types and indexes are mostly a single character, which needs no decoding. */
  #slice(start: number, end: number): string {
    const first = this.#bytes[start]!;
    if (end - start === 1 && first < 0x80) return String.fromCharCode(first);
    return this.#bytes.toString('utf8', start, end);
  }

  #named(name: string): boolean {
    return this.#equals(this.#nameStart, this.#nameEnd, name);
  }

  #equals(start: number, end: number, name: string): boolean {
    if (end - start !== name.length) return false;
    for (let at = 0; at < name.length; at++)
      if (this.#bytes[start + at] !== name.charCodeAt(at)) return false;
    return true;
  }
}

const wholeNumberOf = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : -1);

const unescapeXml = (text: string): string => {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w{1,8}));|&/g, (_, decimal, hex, name) => {
    if (name !== undefined && entities.has(name)) return entities.get(name)!;
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (!(code <= 0x10ffff)) throw badFile('its XML holds an unknown entity');
    return String.fromCodePoint(code);
  });
};
