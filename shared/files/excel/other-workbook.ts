import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { refused } from '../limits.ts';
import { type FileKind, type FileRow, RowBuilder, type Workbook } from '../workbook.ts';
import { dateKind, numberText } from './cell-values.ts';

/**
 * What the process that reads such a workbook may take: processor time, so that a busy machine refuses nothing;
 * by the clock (`patience`) less than the 29 s after which nobody waits for the answer any more.
 */
const LIMITS = { processorMilliseconds: 10_000, bytes: 256 * 1024 * 1024, patience: 20_000 };

/** Beside this file, and beside its bundle: see lib/bundling.ts. */
const CHILD = fileURLToPath(new URL('./sheetjs-child.mjs', import.meta.url));

type Cell = string | number | boolean | [value: number, format: string];
type Row = { line: number; cells: Cell[] };
type SheetStart = { name: string; hidden: boolean; date1904: boolean };
type ReadSheet = SheetStart & { read: FileRow[] };
/** A sheet begins, its rows follow. */
type Message = SheetStart | Row | { end: true } | { error: string };

/** A workbook that SheetJS reads, in a process of its own. @throws ServiceError invalid, tooLarge */
export async function openOther(file: Buffer, kind: FileKind, limits = LIMITS): Promise<Workbook> {
  const sheets = await readInProcess(file, limits);
  if (sheets.length === 0) throw refused('the workbook has no sheet with cells');
  return {
    kind,
    sheets: sheets.map(({ name, hidden, read }) => ({ name, hidden, rows: () => inOne(read) })),
  };
}

async function* inOne<T>(rows: T) {
  yield rows;
}

async function readInProcess(
  file: Buffer,
  { processorMilliseconds, bytes, patience }: typeof LIMITS,
): Promise<ReadSheet[]> {
  const child = spawn(process.execPath, [CHILD, String(processorMilliseconds), String(bytes)], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // Nothing of ours: neither settings nor credentials.
    env: {},
    timeout: patience,
    killSignal: 'SIGKILL',
  });
  const ended = once(child, 'close');
  // It may end before it has read everything.
  child.stdin.on('error', () => undefined).end(file);
  try {
    const sheets = await sheetsFrom(createInterface({ input: child.stdout }));
    if (sheets) return sheets;
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
  throw refused('it takes too long or too much memory to read; save it as .xlsx or .csv and send that');
}

/** `undefined` where the lines break off. */
async function sheetsFrom(lines: AsyncIterable<string>): Promise<ReadSheet[] | undefined> {
  const sheets: ReadSheet[] = [];
  const builder = new RowBuilder();
  for await (const text of lines) {
    const message = JSON.parse(text) as Message;
    if ('end' in message) return sheets;
    if ('error' in message) throw refusal(message.error);
    if ('line' in message) addRow(sheets.at(-1)!, message, builder);
    else sheets.push({ ...message, read: [] });
  }
  return undefined;
}

function addRow({ read, date1904 }: ReadSheet, { line, cells }: Row, builder: RowBuilder): void {
  const row: string[] = [];
  for (const [column, cell] of cells.entries()) {
    const text = cellText(cell, date1904);
    if (text !== '') builder.put(row, builder.line(line), column, text);
  }
  if (row.length > 0) read.push({ line, cells: row });
}

function cellText(cell: Cell, date1904: boolean): string {
  if (typeof cell === 'object') return numberText(cell[0], dateKind(0, cell[1]), date1904);
  return typeof cell === 'number' ? numberText(cell, undefined, date1904) : String(cell).toWellFormed();
}

function refusal(message: string) {
  if (/password|encrypt/i.test(message))
    return refused('the workbook is protected by a password; save it without one');
  return refused('it cannot be read as a workbook; open it in a spreadsheet program and save it as .xlsx');
}
