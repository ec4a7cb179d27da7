import {
  MAX_CELL_CHARACTERS,
  MAX_CELLS,
  MAX_COLUMNS,
  MAX_LINES,
  MAX_TEXT_CHARACTERS,
  refused,
  tooLarge,
} from './limits.ts';

/** One row of a file; `line` is the number a spreadsheet shows beside it, the first being 1. */
export type FileRow = { line: number; cells: string[] };

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
      throw refused(`line ${line} has a cell of more than ${MAX_CELL_CHARACTERS} characters`);
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
