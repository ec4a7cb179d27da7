import {
  MAX_CELL_CHARACTERS,
  MAX_CELLS,
  MAX_COLUMNS,
  MAX_LINES,
  MAX_TEXT_CHARACTERS,
  refused,
  tooLarge,
} from './limits.ts';

/** What a file is written from: text stays text, a number becomes a number cell where the format has such. */
export type Cell = string | number;

export type FileKind = 'csv' | 'xlsx' | 'xlsm' | 'xls' | 'xlsb' | 'ods';

/** One row of a file; `line` is the number a spreadsheet shows beside it, the first being 1. */
export type FileRow = { line: number; cells: string[] };

/**
 * The rows of a sheet that hold text, in batches: between two of them others get their turn, however long
 * the sheet. Rows without text are left out, but counted in `line`.
 */
export type Rows = AsyncGenerator<FileRow[]>;

/** A CSV file is a sheet without a name. */
export type Sheet = { name: string; hidden: boolean; rows: () => Rows };

export type Workbook = { kind: FileKind; sheets: Sheet[] };

/** 0 is A, 26 is AA. */
export function columnName(at: number): string {
  const letter = String.fromCharCode(0x41 + (at % 26));
  return at < 26 ? letter : columnName(Math.floor(at / 26) - 1) + letter;
}

/** Fills rows and stops a file that holds more than a contact list can. */
export class RowBuilder {
  #cells = 0;
  #characters = 0;

  /** Puts a cell in its column. Everything is counted: a few bytes of a file may stand for many long cells. */
  put(cells: string[], line: number, column: number, text: string): void {
    if (++this.#cells > MAX_CELLS) throw tooLarge(`it has more than ${MAX_CELLS} cells`);
    if (text === '') return;
    if (column >= MAX_COLUMNS) throw refused(`line ${line} has more than ${MAX_COLUMNS} columns`);
    if (text.length > MAX_CELL_CHARACTERS)
      throw refused(
        `the cell ${columnName(column)}${line} has more than ${MAX_CELL_CHARACTERS} characters; shorten it`,
      );
    this.#characters += text.length;
    if (this.#characters > MAX_TEXT_CHARACTERS) throw tooLarge('its cells hold too much text');
    while (cells.length < column) cells.push('');
    cells[column] = text;
  }

  line(line: number): number {
    if (line > MAX_LINES) throw tooLarge(`it has more than ${MAX_LINES} lines`);
    return line;
  }
}
