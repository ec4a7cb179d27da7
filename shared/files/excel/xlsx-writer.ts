import { invalid } from '../../domain/errors.ts';
import { type Cell, columnName } from '../workbook.ts';
import { type ZipPart, zipped } from '../zip/zip-writer.ts';
import { escapeCell, isPlain } from './cell-escapes.ts';
import {
  BOLD,
  contentTypes,
  packageRelations,
  sheetEnd,
  sheetStart,
  styles,
  workbook,
  workbookRelations,
} from './xlsx-parts.ts';

type Batch = readonly (readonly Cell[])[];

const MAX_COLUMNS = 16_384;
const MAX_SHEET_ROWS = 1_048_576;
/** Below the 4 GB a part of a zip archive can be for Excel. */
const MAX_SHEET_BYTES = 3.5 * 1024 ** 3;
/** In characters; what is packed at a time. */
const PACK_CHARACTERS = 256 * 1024;
const WIDTH_SAMPLE_ROWS = 200;

/** An XLSX file of text cells, and numbers where they are given as such, with a bold, frozen title row; rows beyond a sheet's limit go on on a further one. */
export async function* xlsxRows(
  titles: readonly string[],
  batches: AsyncIterable<Batch>,
  { sheetRows = MAX_SHEET_ROWS }: { sheetRows?: number } = {},
): AsyncGenerator<Buffer> {
  if (titles.length > MAX_COLUMNS)
    throw invalid('format', `a sheet holds ${MAX_COLUMNS} columns at most; export as csv`, 'TOO_MANY');
  yield* zipped(partsOf(titles, batches, sheetRows));
}

async function* partsOf(titles: readonly string[], batches: AsyncIterable<Batch>, sheetRows: number) {
  yield part('[Content_Types].xml', contentTypes);
  yield part('_rels/.rels', packageRelations);
  yield part('xl/styles.xml', styles);
  const source = new RowSource(batches);
  try {
    await source.load();
    const widths = widthsOf([titles, ...source.batch.slice(0, WIDTH_SAMPLE_ROWS)]);
    let sheets = 0;
    do {
      sheets++;
      const start = sheetStart(widths, sheets === 1);
      const content = sheetContent(start, titles, source, sheetRows);
      yield { name: `xl/worksheets/sheet${sheets}.xml`, content } satisfies ZipPart;
    } while (await source.load());
    yield part('xl/workbook.xml', workbook(sheets));
    yield part('xl/_rels/workbook.xml.rels', workbookRelations(sheets));
  } finally {
    await source.close();
  }
}

const part = (name: string, content: string): ZipPart => ({ name, content: [Buffer.from(content)] });

/** The rows still to be written; a sheet that is full leaves the others to the next. */
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
  let xml = start + rowXml(titles, 1, columns, ` s="${BOLD}"`);
  let row = 1;
  let bytes = 0;
  while (row < sheetRows && bytes < MAX_SHEET_BYTES && (await source.load())) {
    const { batch } = source;
    while (source.at < batch.length && row < sheetRows && xml.length < PACK_CHARACTERS)
      xml += rowXml(batch[source.at++]!, ++row, columns, '');
    if (xml.length < PACK_CHARACTERS) continue;
    const chunk = Buffer.from(xml);
    xml = '';
    bytes += chunk.length;
    yield chunk;
  }
  yield Buffer.from(xml + sheetEnd(`${columnName(titles.length - 1)}${row}`));
}

function rowXml(cells: readonly Cell[], row: number, columns: readonly string[], style: string): string {
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
}

const MIN_WIDTH = 8;
const MAX_WIDTH = 60;
const WIDE_CHARACTER = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/g;

/** In digits of the default font, of which a Chinese character takes two; the longest cell decides. */
function widthsOf(rows: Batch): number[] {
  return rows[0]!.map((_, column) => {
    const longest = rows.reduce((width, row) => Math.max(width, widthOf(String(row[column] ?? ''))), 0);
    return Math.min(Math.max(longest + 3, MIN_WIDTH), MAX_WIDTH);
  });
}

const widthOf = (text: string) =>
  text.split('\n').reduce((width, line) => Math.max(width, line.replace(WIDE_CHARACTER, '..').length), 0);
