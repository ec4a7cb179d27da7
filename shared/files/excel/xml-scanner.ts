import { setImmediate } from 'node:timers/promises';
import { MAX_TAG_BYTES, MAX_TAGS, refused, tooLarge } from '../limits.ts';

const ZERO = 0x30;
const LT = 0x3c;
const GT = 0x3e;
const SLASH = 0x2f;
const COLON = 0x3a;
const EQUALS = 0x3d;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const isSpace = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

const ENTITIES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));
const SECTIONS = [
  ['<?', '?>'],
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
] as const;
const SECTION = /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g;

/** A comment takes as long to pass as so many tags. */
const SECTION_WEIGHT = 4;
/** Walked in a few milliseconds. */
export const TAGS_A_TURN = 16_384;

/** Walks all tags of a part; every few thousand of them others get their turn. */
export async function eachTag(part: Buffer, visit: (xml: XmlScanner) => void): Promise<void> {
  const xml = new XmlScanner(part);
  for (let due = TAGS_A_TURN; xml.nextTag(); ) {
    visit(xml);
    if (xml.tags < due) continue;
    due = xml.tags + TAGS_A_TURN;
    await setImmediate();
  }
}

/**
 * Walks the tags of a UTF-8 XML part one by one, in place and without a tree: a sheet may be 64 MB of tags.
 * Names are compared without their prefix. A DTD is never read, it is refused.
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
  /** How many were walked, comments and the like among them. */
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
      if (bytes[at] !== LT) continue;
      const next = bytes[at + 1];
      if (next === 0x21 || next === 0x3f) {
        this.#count(SECTION_WEIGHT);
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

  /** Moves to the next tag inside a cell or text the scanner stands in; false once it stands at its end. */
  within(element: string, lastTag: number): boolean {
    if (this.closes(element)) return false;
    if (!this.nextTag()) throw refused('its XML is cut off');
    if (this.tags > lastTag) throw refused('a cell or a text of the workbook holds too many XML tags');
    return true;
  }

  #count(tags: number): void {
    this.tags += tags;
    if (this.tags > MAX_TAGS) throw tooLarge('its sheet or its texts have too many XML tags');
  }

  opens(name: string): boolean {
    return !this.#closing && this.#named(name);
  }

  closes(name: string): boolean {
    return (this.#closing || this.selfClosing) && this.#named(name);
  }

  /** The text between the tag before and this one. */
  text(): string {
    const raw = this.#slice(this.#textStart, this.#textEnd);
    const lines = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw;
    if (!this.#sections) return unescapeXml(lines);
    // Text and what stands in CDATA take turns; comments and the like leave nothing.
    const pieces: (string | undefined)[] = lines.split(SECTION);
    return pieces.map((piece = '', at) => (at % 2 === 0 ? unescapeXml(piece) : piece)).join('');
  }

  /** The same as a whole number of at most nine digits; -1 where it is none. */
  wholeNumber(): number {
    const end = this.#textEnd;
    let value = 0;
    for (let at = this.#textStart; at < end; at++) {
      const digit = this.#bytes[at]! - ZERO;
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
      for (; at < this.#at - 1 && bytes[at] !== EQUALS; at++) if (bytes[at] === COLON) start = at + 1;
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
    this.#closing = bytes[start + 1] === SLASH;
    let at = this.#closing ? start + 2 : start + 1;
    this.#nameStart = at;
    for (; at < bytes.length && bytes[at] !== GT && bytes[at] !== SLASH && !isSpace(bytes[at]!); at++)
      if (bytes[at] === COLON) this.#nameStart = at + 1;
    this.#nameEnd = at;
    for (let quote = 0; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (quote !== 0) quote = byte === quote ? 0 : quote;
      else if (byte === GT) break;
      else if (byte === QUOTE || byte === APOSTROPHE) quote = byte;
    }
    if (at >= bytes.length) throw refused('its XML is cut off');
    if (at - start > MAX_TAG_BYTES) throw refused('its XML has a tag of more than a megabyte');
    this.selfClosing = bytes[at - 1] === SLASH;
    this.#at = at + 1;
  }

  #endOfSection(start: number): number {
    const text = this.#bytes.toString('latin1', start, start + 9);
    const [opening, closing] = SECTIONS.find(([begins]) => text.startsWith(begins)) ?? [];
    if (!closing) throw refused('its XML declares a document type, which is not allowed');
    const end = this.#bytes.indexOf(closing, start + opening.length);
    if (end < 0) throw refused('its XML is cut off');
    return end + closing.length;
  }

  /** Types and indexes are mostly one character, which needs no decoding. */
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

function unescapeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w{1,8}));|&/g, (_, decimal, hex, name) => {
    if (name !== undefined && ENTITIES.has(name)) return ENTITIES.get(name)!;
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (!(code <= 0x10ffff)) throw refused('its XML holds an unknown entity');
    return String.fromCodePoint(code);
  });
}
