import { setImmediate } from 'node:timers/promises';
import { badFile, maxTagBytes, maxTags, tooLarge } from '../workbook.ts';

/** A window of a part ends within a tag or an element, which the next window has as a whole. */
class CutOff extends Error {}

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

/** Scanning a comment takes as long as scanning four tags. */
const sectionWeight = 4;
/** Tags that are scanned in a few milliseconds. */
const tagsPerTurn = 16_384;

/** Visits all tags of a part. Other requests get their turn every few thousand tags. */
export const eachTag = async (part: Buffer, visit: (xml: XmlScanner) => void): Promise<void> => {
  const xml = new XmlScanner(part);
  for (let nextTurn = tagsPerTurn; xml.nextTag(); ) {
    visit(xml);
    if (xml.tags < nextTurn) continue;
    nextTurn = xml.tags + tagsPerTurn;
    await setImmediate();
  }
};

/** Bytes. A larger row, text or comment is refused. */
const widestWindow = 64 * 1024 * 1024;

/**
 * Scans a part that may be too large for the memory, window by window, and yields after each.
 * `readNext` reads one tag, or one element with everything in it, and returns whether there is more
 * to read. If the window ends within it, `readNext` is called again with a larger window, so what
 * it has read counts only when it returns.
 */
export async function* inWindows(
  chunks: AsyncIterable<Buffer>,
  most: number,
  readNext: (xml: XmlScanner) => boolean,
): AsyncGenerator<void> {
  /** Bytes of the part that were read and not scanned, and how many the next window needs. */
  let unread: Buffer[] = [];
  let unreadBytes = 0;
  let wanted = 0;
  let tags = 0;
  const walk = (isLast: boolean): boolean => {
    const window = Buffer.concat(unread);
    const xml = new XmlScanner(window, { tags, most, isWhole: isLast });
    let end = 0;
    let isMore = true;
    try {
      while (readNext(xml)) [end, tags] = [xml.end, xml.tags];
      isMore = xml.isAtEnd;
    } catch (error) {
      if (!(error instanceof CutOff)) throw error;
    }
    unread = [window.subarray(end)];
    unreadBytes = window.length - end;
    // A large element is scanned again only when the window has doubled, so that it takes linear
    // time.
    wanted = end === 0 ? unreadBytes * 2 : 0;
    return isMore;
  };
  for await (const chunk of chunks) {
    unread.push(chunk);
    unreadBytes += chunk.length;
    if (unreadBytes < wanted) continue;
    if (unreadBytes > widestWindow) throw tooLarge('a row or a text of the workbook is too large');
    if (!walk(false)) return;
    yield;
    await setImmediate();
  }
  walk(true);
  yield;
}

type Part = {
  /** The tags of the part before these bytes, and the maximum of its tags. */
  tags: number;
  most: number;
  /** The bytes have the end of the part. An element that is cut off there is damaged. */
  isWhole: boolean;
};

/**
 * Scans the tags of a UTF-8 XML part in place, without a tree, because a sheet may be 64 MB of
 * tags. Names are compared without their prefix. A DTD is refused, never read.
 */
export class XmlScanner {
  readonly #bytes: Buffer;
  readonly #part: Part;
  #at = 0;
  #textStart = 0;
  #textEnd = 0;
  #nameStart = 0;
  #nameEnd = 0;
  #closing = false;
  #sections = false;
  /** How many tags were scanned, including comments and other sections. */
  tags: number;
  /** No tag follows in these bytes. */
  isAtEnd = false;
  selfClosing = false;

  constructor(bytes: Buffer, part: Part = { tags: 0, most: maxTags, isWhole: true }) {
    this.#bytes = bytes;
    this.#part = part;
    this.tags = part.tags;
  }

  /** Byte offset of the end of the current tag. */
  get end(): number {
    return this.#at;
  }

  /** Moves to the next tag. @returns false at the end of the part */
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
    this.isAtEnd = true;
    return false;
  }

  /** Moves to the next tag inside an element, where there must be one. */
  nextInside(): void {
    if (!this.nextTag()) throw this.#cutOff();
  }

  /**
   * Moves to the next tag inside the cell or text at which the scanner is.
   * @returns false at its end
   */
  within(element: string, lastTag: number): boolean {
    if (this.closes(element)) return false;
    this.nextInside();
    if (this.tags > lastTag) throw badFile('a cell or a text of the workbook holds too many XML tags');
    return true;
  }

  #count(tags: number): void {
    this.tags += tags;
    if (this.tags > this.#part.most) throw tooLarge('its sheet or its texts have too many XML tags');
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
    // Text and CDATA alternate in the result of the split. Comments and instructions leave nothing.
    const pieces: (string | undefined)[] = lines.split(section);
    return pieces.map((piece = '', at) => (at % 2 === 0 ? unescapeXml(piece) : piece)).join('');
  }

  /** The text as a whole number of at most nine digits. @returns -1 if it is not such a number */
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
    if (at >= bytes.length) throw this.#cutOff();
    if (at - start > maxTagBytes) throw badFile('its XML has a tag of more than a megabyte');
    this.selfClosing = bytes[at - 1] === slash;
    this.#at = at + 1;
  }

  #cutOff(): Error {
    return this.#part.isWhole ? badFile('its XML is cut off') : new CutOff();
  }

  #endOfSection(start: number): number {
    const text = this.#bytes.toString('latin1', start, start + 9);
    if (text.length < 9 && !this.#part.isWhole) throw this.#cutOff();
    const [opening, closing] = sections.find(([begins]) => text.startsWith(begins)) ?? [];
    if (!closing) throw badFile('its XML declares a document type, which is not allowed');
    const end = this.#bytes.indexOf(closing, start + opening.length);
    if (end < 0) throw this.#cutOff();
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
