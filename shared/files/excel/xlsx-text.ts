import { MAX_CELL_TAGS, refused } from '../limits.ts';
import { unescapeCell } from './cell-escapes.ts';
import { eachTag, XmlScanner } from './xml-scanner.ts';

const LONG_BYTES = 256;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** The text of the string element the scanner stands in (`si`, `is`), runs joined, phonetic guides left out. */
export function richText(xml: XmlScanner, element: string): string {
  let text = '';
  let phonetic = false;
  const most = xml.tags + MAX_CELL_TAGS;
  while (xml.within(element)) {
    if (xml.tags > most) throw refused('a cell has too many changes of its format');
    if (xml.opens('rPh')) phonetic = !xml.selfClosing;
    else if (xml.closes('rPh')) phonetic = false;
    else if (!phonetic && xml.closes('t') && !xml.selfClosing) text += xml.text();
  }
  return cellText(text);
}

export function cellText(escaped: string): string {
  const text = unescapeCell(escaped);
  if (LONE_SURROGATE.test(text)) throw refused('a cell holds half a character (a lone surrogate)');
  return text;
}

/** The strings shared by a workbook's cells. Only their places are kept: the part may hold millions. */
export class SharedStrings {
  readonly #part: Buffer;
  readonly #places: Uint32Array;
  readonly #texts = new Map<number, string>();

  private constructor(part: Buffer, places: Uint32Array) {
    this.#part = part;
    this.#places = places;
  }

  static async of(part: Buffer): Promise<SharedStrings> {
    return new SharedStrings(part, await placesOf(part));
  }

  at(index: number): string {
    const known = this.#texts.get(index);
    if (known !== undefined) return known;
    const place = this.#places[index];
    if (place === undefined) throw refused('a cell refers to a text that the workbook does not hold');
    const xml = new XmlScanner(this.#part, place);
    xml.nextTag();
    const text = richText(xml, 'si');
    // Many cells may share a long text, or one long to read; a part can hold few of these.
    if (xml.tagStart - place > LONG_BYTES) this.#texts.set(index, text);
    return text;
  }
}

async function placesOf(part: Buffer): Promise<Uint32Array> {
  let places = new Uint32Array(1024);
  let count = 0;
  let inText = false;
  await eachTag(part, (xml) => {
    if (xml.closes('si')) inText = false;
    if (!xml.opens('si')) return;
    // Each of many nested ones would be read up to the same far end.
    if (inText) throw refused('a text of the workbook lies within another');
    inText = !xml.selfClosing;
    if (count === places.length) {
      const larger = new Uint32Array(count * 2);
      larger.set(places);
      places = larger;
    }
    places[count++] = xml.tagStart;
  });
  return places.subarray(0, count);
}
