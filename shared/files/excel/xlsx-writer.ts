import { invalid } from '../../domain/errors.ts';
import { type Cell, columnName } from '../workbook.ts';
import { type ZipPart, zip } from '../zip/zip-writer.ts';
import { escapeCell, isPlain } from './cell-values.ts';
import {
  boldStyle,
  contentTypes,
  packageRelations,
  sheetEnd,
  sheetStart,
  styles,
  workbook,
  workbookRelations,
} from './xlsx-parts.ts';

type Batch = readonly (readonly Cell[])[];

const maxColumns = 16_384;
const maxSheetRows = 1_048_576;
/** Below 4 GB, the largest zip part that Excel reads. */
const maxSheetBytes = 3.5 * 1024 ** 3;
const chunkCharacters = 256 * 1024;
const widthSampleRows = 200;

/** A sheet to write: rows under titles. `name`: see `workbook`. */
export type SheetContent = {
  name: string;
  titles: readonly string[];
  /** Some rows at a time, in their order. */
  batches: AsyncIterable<Batch>;
};
type Limits = { sheetRows?: number };

/** An XLSX file with one sheet of contacts. */
export const xlsxRows = (titles: readonly string[], batches: AsyncIterable<Batch>, limits?: Limits) =>
  xlsxSheets([{ name: 'Contacts', titles, batches }], limits);

/**
 * An XLSX file of text and number cells, with a bold, frozen title row on each sheet. Rows beyond the limit of a sheet
 * continue on another sheet.
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

/** The rows that are still to be written. The next sheet continues where a full sheet stopped. */
class RowSource {
  readonly #batches: AsyncIterator<Batch>;
  batch: Batch = [];
  at = 0;

  constructor(batches: AsyncIterable<Batch>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** Whether there is another row; then it is `batch[at]`. */
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
