import { badFile, type FileLimits, maxCellCharacters, maxColumns, maxLines, tooLarge } from './limits.ts';

/** A cell to write. Text stays text; a number becomes a number cell where the format has them. */
export type Cell = string | number;

export type FileKind = 'csv' | 'xlsx' | 'xlsm' | 'xls' | 'xlsb' | 'ods';

/** One row of a file. `line` is the number that a spreadsheet shows beside it, from 1. */
export type FileRow = { line: number; cells: string[] };

/**
 * The rows of a sheet that hold text, in batches. Other requests get their turn between two batches. Rows without text
 * are skipped, but `line` counts them.
 */
export type Rows = AsyncGenerator<FileRow[]>;

/** A CSV file is a sheet without a name. */
export type Sheet = { name: string; hidden: boolean; rows: () => Rows };

export type Workbook = {
  kind: FileKind;
  sheets: Sheet[];
  /** No more rows than the usual are read of it, whatever the limits say. */
  isSmall?: boolean;
  /** Frees what the rows are read from. */
  close?: () => void;
};

/** 0 is A, 26 is AA. */
export const columnName = (at: number): string => {
  const letter = String.fromCharCode(0x41 + (at % 26));
  return at < 26 ? letter : columnName(Math.floor(at / 26) - 1) + letter;
};

/** Fills rows, and refuses a file that holds more than a contact list can. */
export class RowBuilder {
  readonly #limits: FileLimits;
  #cells = 0;
  #characters = 0;

  constructor(limits: FileLimits) {
    this.#limits = limits;
  }

  /** Puts a cell in its column. Everything is counted: a few bytes of a file may stand for many long cells. */
  put(cells: string[], line: number, column: number, text: string): void {
    const { cells: maxCells, textCharacters } = this.#limits;
    if (++this.#cells > maxCells) throw tooLarge(`it has more than ${maxCells} cells`);
    if (text === '') return;
    if (column >= maxColumns) throw badFile(`line ${line} has more than ${maxColumns} columns`);
    if (text.length > maxCellCharacters)
      throw badFile(
        `the cell ${columnName(column)}${line} has more than ${maxCellCharacters} characters; shorten it`,
      );
    this.#characters += text.length;
    if (this.#characters > textCharacters) throw tooLarge('its cells hold too much text');
    while (cells.length < column) cells.push('');
    cells[column] = text;
  }

  /** Returns the line number. @throws ServiceError tooLarge */
  checkLine(line: number): number {
    if (line > maxLines) throw tooLarge(`it has more than ${maxLines} lines`);
    return line;
  }
}
