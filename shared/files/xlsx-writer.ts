import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { invalid } from '../platform/rules/errors.ts';
import { type Cell, columnName } from './workbook.ts';

type Batch = readonly (readonly Cell[])[];

const maxColumns = 16_384;
const maxSheetRows = 1_048_576;
/** Below 4 GB, which is the largest zip part that Excel reads. */
const maxSheetBytes = 3.5 * 1024 ** 3;
const chunkCharacters = 256 * 1024;
const widthSampleRows = 200;

/** A sheet to write, with rows under titles. For `name` see `workbook`. */
export type SheetContent = {
  name: string;
  titles: readonly string[];
  /** Rows in their order, some at a time. */
  batches: AsyncIterable<Batch>;
};
type Limits = { sheetRows?: number };

/** An XLSX file with one sheet of contacts. */
export const xlsxRows = (titles: readonly string[], batches: AsyncIterable<Batch>, limits?: Limits) =>
  xlsxSheets([{ name: 'Contacts', titles, batches }], limits);

/**
 * An XLSX file of text and number cells, with a bold, frozen title row on each sheet. Rows beyond
 * the limit of a sheet continue on another sheet.
 */
export async function* xlsxSheets(
  sheets: readonly SheetContent[],
  { sheetRows = maxSheetRows }: Limits = {},
): AsyncGenerator<Buffer> {
  if (sheets.some(({ titles }) => titles.length > maxColumns))
    throw invalid('format', `a sheet holds at most ${maxColumns} columns; export as csv`, 'TOO_MANY');
  yield* zip(partsOf(sheets, sheetRows));
}

async function* partsOf(sheets: readonly SheetContent[], sheetRows: number) {
  yield part('[Content_Types].xml', contentTypes);
  yield part('_rels/.rels', packageRelations);
  yield part('xl/styles.xml', styles);
  const names: string[] = [];
  for (const { name, titles, batches } of sheets) {
    const source = new RowSource(batches);
    try {
      await source.load();
      const widths = widthsOf([titles, ...source.batch.slice(0, widthSampleRows)]);
      const before = names.length;
      do {
        const nth = names.length - before + 1;
        names.push(nth === 1 ? name : `${name} ${nth}`);
        const content = sheetContent(sheetStart(widths, names.length === 1), titles, source, sheetRows);
        yield { name: `xl/worksheets/sheet${names.length}.xml`, content } satisfies ZipPart;
      } while (await source.load());
    } finally {
      await source.close();
    }
  }
  yield part('xl/workbook.xml', workbook(names));
  yield part('xl/_rels/workbook.xml.rels', workbookRelations(names.length));
}

const part = (name: string, content: string): ZipPart => ({ name, content: [Buffer.from(content)] });

/** The rows that were not written yet. The next sheet continues where a full sheet ended. */
class RowSource {
  readonly #batches: AsyncIterator<Batch>;
  batch: Batch = [];
  at = 0;

  constructor(batches: AsyncIterable<Batch>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** @returns whether there is another row, which is `batch[at]` */
  async load(): Promise<boolean> {
    while (this.at >= this.batch.length) {
      const next = await this.#batches.next();
      if (next.done) return false;
      this.batch = next.value;
      this.at = 0;
    }
    return true;
  }

  async close(): Promise<void> {
    await this.#batches.return?.();
  }
}

async function* sheetContent(start: string, titles: readonly string[], source: RowSource, sheetRows: number) {
  const columns = Array.from({ length: titles.length }, (_, at) => `<c r="${columnName(at)}`);
  let xml = start + rowXml(titles, 1, columns, ` s="${boldStyle}"`);
  let row = 1;
  let bytes = 0;
  while (row < sheetRows && bytes < maxSheetBytes && (await source.load())) {
    const { batch } = source;
    while (source.at < batch.length && row < sheetRows && xml.length < chunkCharacters)
      xml += rowXml(batch[source.at++]!, ++row, columns, '');
    if (xml.length < chunkCharacters) continue;
    const chunk = Buffer.from(xml);
    xml = '';
    bytes += chunk.length;
    yield chunk;
  }
  yield Buffer.from(xml + sheetEnd(`${columnName(titles.length - 1)}${row}`));
}

const rowXml = (cells: readonly Cell[], row: number, columns: readonly string[], style: string): string => {
  const afterReference = `${row}"${style} t="inlineStr"><is><t`;
  let xml = `<row r="${row}">`;
  for (let at = 0; at < columns.length; at++) {
    const text = cells[at];
    if (text === undefined || text === '') continue;
    if (typeof text === 'number') {
      xml += `${columns[at]}${row}"><v>${text}</v></c>`;
      continue;
    }
    xml += isPlain(text)
      ? `${columns[at]}${afterReference}>${text}</t></is></c>`
      : `${columns[at]}${afterReference} xml:space="preserve">${escapeCell(text)}</t></is></c>`;
  }
  return `${xml}</row>`;
};

const minWidth = 8;
const maxWidth = 60;
const wideCharacter = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/g;

/** In digits of the default font, by the longest cell. A Chinese character is two digits wide. */
const widthsOf = (rows: Batch): number[] =>
  rows[0]!.map((_, column) => {
    const longest = rows.reduce((width, row) => Math.max(width, widthOf(String(row[column] ?? ''))), 0);
    return Math.min(Math.max(longest + 3, minWidth), maxWidth);
  });

const widthOf = (text: string) =>
  text.split('\n').reduce((width, line) => Math.max(width, line.replace(wideCharacter, '..').length), 0);

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const spreadsheetNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const officeNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageNamespace = 'http://schemas.openxmlformats.org/package/2006';
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Index into `cellXfs`, for the title row. */
const boldStyle = 1;

/** Sheets have the default type of .xml, because their number is not known yet. */
const contentTypes =
  `${declaration}<Types xmlns="${packageNamespace}/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  `<Default Extension="xml" ContentType="${contentType}.worksheet+xml"/>` +
  `<Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/></Types>`;

const relationships = (relations: [type: string, target: string][]) =>
  `${declaration}<Relationships xmlns="${packageNamespace}/relationships">${relations
    .map(
      ([type, target], at) =>
        `<Relationship Id="rId${at + 1}" Type="${officeNamespace}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

const packageRelations = relationships([['officeDocument', 'xl/workbook.xml']]);

const workbookRelations = (sheetCount: number) =>
  relationships([
    ...Array.from({ length: sheetCount }, (_, at): [string, string] => [
      'worksheet',
      `worksheets/sheet${at + 1}.xml`,
    ]),
    ['styles', 'styles.xml'],
  ]);

const sheetTag = (name: string, at: number) =>
  `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`;
const printTitles = (name: string, at: number) =>
  `<definedName name="_xlnm.Print_Titles" localSheetId="${at}">'${name}'!$1:$1</definedName>`;

/** The names must not contain characters that have a meaning in XML or in a formula. */
const workbook = (sheetNames: readonly string[]) =>
  `${declaration}<workbook xmlns="${spreadsheetNamespace}" xmlns:r="${officeNamespace}"><bookViews><workbookView/></bookViews>` +
  `<sheets>${sheetNames.map(sheetTag).join('')}</sheets>` +
  `<definedNames>${sheetNames.map(printTitles).join('')}</definedNames></workbook>`;

const styles =
  `${declaration}<styleSheet xmlns="${spreadsheetNamespace}">` +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

/** Begins a sheet: as wide as the page, with a frozen title row and these column widths. */
const sheetStart = (widths: readonly number[], isFirst: boolean) =>
  `${declaration}<worksheet xmlns="${spreadsheetNamespace}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews>` +
  `<sheetView${isFirst ? ' tabSelected="1"' : ''} workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
  '<selection pane="bottomLeft"/></sheetView></sheetViews>' +
  `<cols>${widths
    .map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`)
    .join('')}</cols><sheetData>`;

/** Ends a sheet. Phone numbers are text on purpose, so Excel must not mark them as errors. */
const sheetEnd = (lastCell: string) =>
  `</sheetData><pageSetup orientation="landscape" fitToWidth="1" fitToHeight="0"/><ignoredErrors><ignoredError sqref="A1:${lastCell}" numberStoredAsText="1"/></ignoredErrors></worksheet>`;

type ZipPart = { name: string; content: AsyncIterable<Buffer> | Iterable<Buffer> };

const options = {
  /** The first day that zip knows, so that the same rows always make the same bytes. */
  mtime: new Date(1980, 0, 1),
  forceDosTimestamp: true,
  /**
   * Sheets are repetitive. The fastest level packs them to a tenth, and a higher level writes fewer
   * rows a second.
   */
  compressionLevel: 1,
};

/** Packs parts into a zip archive as they come, with no more than a few chunks in memory. */
async function* zip(parts: AsyncIterable<ZipPart>): AsyncGenerator<Buffer> {
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

/**
 * SpreadsheetML writes characters that XML cannot contain as `_x000D_`. In text that looks like
 * this, the `_` is escaped.
 */
const looksEscaped = /_(?=x[\da-fA-F]{4}_)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it searches for
const needsCare = /[&<>_\u0000-\u001f\ufffe\uffff]|^ | $/;
const markup = /[&<>]/g;
// XML allows a carriage return, but parsers turn it into a line feed.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it searches for
const unwritable = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g;
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Whether a text can be in a cell's XML unchanged. */
const isPlain = (text: string) => !needsCare.test(text);

const escapeCell = (text: string) =>
  text
    .replace(looksEscaped, '_x005F_')
    .replace(markup, (character) => entities[character]!)
    .replace(unwritable, escapeCharacter);

const escapeCharacter = (character: string) =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
