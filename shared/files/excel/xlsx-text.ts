import { MAX_CELL_TAGS, MAX_CELLS, refused, tooLarge } from '../limits.ts';
import { unescapeCell } from './cell-escapes.ts';
import { eachTag, XmlScanner } from './xml-scanner.ts';

const LONG_BYTES = 256;
/** Of a megabyte at most: the texts that many cells share, as a city or a yes, come early. */
const SHORT_TEXTS_KEPT = 4096;

/** The text of the string element the scanner stands in (`si`, `is`), runs joined, phonetic guides left out. */
export function richText(xml: XmlScanner, element: string): string {
  let text = '';
  let phonetic = false;
  const lastTag = xml.tags + MAX_CELL_TAGS;
  while (xml.within(element, lastTag)) {
    if (xml.opens('rPh')) phonetic = !xml.selfClosing;
    else if (xml.closes('rPh')) phonetic = false;
    else if (!phonetic && xml.closes('t') && !xml.selfClosing) text += xml.text();
  }
  return cellText(text);
}

export function cellText(escaped: string): string {
  const text = unescapeCell(escaped);
  if (!text.isWellFormed()) throw refused('a cell holds half a character (a lone surrogate)');
  return text;
}

/** Gives the strings shared by a workbook's cells. Only their places are kept: the part may hold a million. */
export async function sharedStrings(part: Buffer): Promise<(index: number) => string> {
  const places = await placesOf(part);
  const texts = new Map<number, string>();
  return (index) => {
    const known = texts.get(index);
    if (known !== undefined) return known;
    const place = places[index];
    if (place === undefined) throw refused('a cell refers to a text that the workbook does not hold');
    const xml = new XmlScanner(part, place);
    xml.nextTag();
    const text = richText(xml, 'si');
    // Many cells may share a long text, or one long to read; a part can hold few of these.
    if (xml.tagStart - place > LONG_BYTES || texts.size < SHORT_TEXTS_KEPT) texts.set(index, text);
    return text;
  };
}

async function placesOf(part: Buffer): Promise<number[]> {
  const places: number[] = [];
  let inText = false;
  await eachTag(part, (xml) => {
    if (xml.closes('si')) inText = false;
    if (!xml.opens('si')) return;
    // Each of many nested ones would be read up to the same far end.
    if (inText) throw refused('a text of the workbook lies within another');
    inText = !xml.selfClosing;
    if (places.push(xml.tagStart) > MAX_CELLS) throw tooLarge(`it has more than ${MAX_CELLS} texts`);
  });
  return places;
}
