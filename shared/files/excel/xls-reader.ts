import { type FileRow, RowBuilder } from '../file-row.ts';
import { MAX_ROWS, refused, tooLarge } from '../limits.ts';
import { type BiffRecord, continued, damaged, RECORD, recordsFrom } from './biff-records.ts';
import { BiffStrings } from './biff-strings.ts';
import { type BiffWorkbook, biffWorkbook } from './biff-workbook.ts';
import { numberText } from './cell-values.ts';
import { CompoundFile } from './compound-file.ts';
import { cellText } from './xlsx-text.ts';

const ERRORS = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
]);

const HALF_DOUBLE = new DataView(new ArrayBuffer(8));

/** The rows of an XLS workbook's first sheet (Excel 5 to 2003). Macros and passwords are refused. */
export async function* readXls(file: Buffer): AsyncGenerator<FileRow> {
  yield* reading(() => {
    const stream = file[0] === 0xd0 ? workbookStream(new CompoundFile(file)) : file;
    return [...new XlsSheet(stream).rows()].sort(([one], [other]) => one - other);
  }).map(([row, cells]) => ({ line: row + 1, cells }));
}

/** A record too short for what it should hold shows as a RangeError of the read beyond its end. */
function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof RangeError ? damaged() : error;
  }
}

function workbookStream(compound: CompoundFile): Buffer {
  const named = (name: string) => compound.entries.find((entry) => entry.name.toLowerCase() === name);
  if (named('encryptedpackage')) throw refused('the workbook is encrypted; save it without a password');
  if (named('_vba_project_cur')) throw refused('the workbook holds macros; save it as .xlsx without them');
  const workbook = named('workbook') ?? named('book');
  if (!workbook?.isStream) throw refused('it is an Office document, but not an Excel workbook');
  return compound.read(workbook);
}

type FormulaCell = { row: number; column: number };

/** Reads the cells of a sheet into rows; the records need not be in the order of the rows. */
class XlsSheet {
  readonly #stream: Buffer;
  readonly #book: BiffWorkbook;
  readonly #rows = new Map<number, string[]>();
  readonly #builder = new RowBuilder();
  /** The formula whose text stands in the string record that follows. */
  #awaiting: FormulaCell | undefined;

  constructor(stream: Buffer) {
    this.#stream = stream;
    this.#book = biffWorkbook(stream);
  }

  rows(): Map<number, string[]> {
    for (const record of recordsFrom(this.#stream, this.#book.sheetStart)) this.#read(record);
    return this.#rows;
  }

  #read(record: BiffRecord): void {
    const { type, data } = record;
    if (type === RECORD.labelSst) this.#add(data, this.#sharedString(data.readUInt32LE(6)));
    else if (type === RECORD.number)
      this.#add(data, this.#number(data.readDoubleLE(6), data.readUInt16LE(4)));
    else if (type === RECORD.rk) this.#add(data, this.#rk(data, 4));
    else if (type === RECORD.mulRk) this.#mulRk(data);
    else if (type === RECORD.label || type === RECORD.rString) this.#add(data, this.#book.text(data, 6));
    else if (type === RECORD.boolErr) this.#add(data, boolErrText(data[6]!, data[7] !== 0));
    else if (type === RECORD.formula) this.#formula(data);
    else if (type === RECORD.string && this.#awaiting) this.#formulaText(record, this.#awaiting);
  }

  #mulRk(data: Buffer): void {
    const row = data.readUInt16LE(0);
    const first = data.readUInt16LE(2);
    for (let at = 4; at + 6 <= data.length - 2; at += 6)
      this.#put(row, first + (at - 4) / 6, this.#rk(data, at));
  }

  /** The value last calculated: a number, or a mark that it is a text, a truth value, an error or empty. */
  #formula(data: Buffer): void {
    this.#awaiting = undefined;
    if (data.readUInt16LE(12) !== 0xffff)
      this.#add(data, this.#number(data.readDoubleLE(6), data.readUInt16LE(4)));
    else if (data[6] === 0) this.#awaiting = { row: data.readUInt16LE(0), column: data.readUInt16LE(2) };
    else if (data[6] !== 3) this.#add(data, boolErrText(data[8]!, data[6] === 2));
  }

  #formulaText(record: BiffRecord, { row, column }: FormulaCell): void {
    this.#awaiting = undefined;
    const pieces = continued(this.#stream, record);
    const text = pieces.length > 1 ? new BiffStrings(pieces, 0).next() : this.#book.text(record.data, 0);
    this.#put(row, column, text);
  }

  #add(data: Buffer, text: string): void {
    this.#put(data.readUInt16LE(0), data.readUInt16LE(2), text);
  }

  #put(row: number, column: number, text: string): void {
    if (text === '') return;
    let cells = this.#rows.get(row);
    if (!cells) {
      if (this.#rows.size > MAX_ROWS) throw tooLarge(`it has more than ${MAX_ROWS} rows; split it`);
      cells = [];
      this.#rows.set(row, cells);
    }
    this.#builder.put(cells, row + 1, column, cellText(text));
  }

  #sharedString(index: number): string {
    const text = this.#book.strings[index];
    if (text === undefined) throw damaged();
    return text;
  }

  #number(value: number, style: number): string {
    return numberText(value, this.#book.styles[style], this.#book.date1904);
  }

  /** A number in 30 bits: an integer or the upper half of a double, perhaps times 100. */
  #rk(data: Buffer, at: number): string {
    const rk = data.readInt32LE(at + 2);
    HALF_DOUBLE.setInt32(4, rk & ~3, true);
    const value = rk & 2 ? rk >> 2 : HALF_DOUBLE.getFloat64(0, true);
    return this.#number(rk & 1 ? value / 100 : value, data.readUInt16LE(at));
  }
}

function boolErrText(value: number, isError: boolean): string {
  return isError ? (ERRORS.get(value) ?? '#N/A') : String(value !== 0);
}
