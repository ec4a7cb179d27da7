import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { maxFileMegabytes } from '../../platform/rules/files.ts';
import {
  badFile,
  type FileKind,
  type FileRow,
  type FileSource,
  RowBuilder,
  readRange,
  tooLarge,
  usualLimits,
  type Workbook,
} from '../workbook.ts';
import { dateKind, numberText } from './xlsx-sheet.ts';

/**
 * Limits of the process that reads such a workbook. Processor time is limited, so that no file is
 * refused because a machine is busy. `clockMilliseconds` is less than the 29 s after which the
 * gateway gives up.
 */
const defaultLimits = { processorMilliseconds: 10_000, bytes: 256 * 1024 * 1024, clockMilliseconds: 20_000 };

/** Lies beside this file, and beside the bundle of a function: see lib/bundling/bundling.ts. */
const childFile = fileURLToPath(new URL('./sheetjs-child.mjs', import.meta.url));

type ReadCell = string | number | boolean | [value: number, format: string];
type Row = { line: number; cells: ReadCell[] };
type SheetStart = { name: string; hidden: boolean; date1904: boolean };
type ReadSheet = SheetStart & { read: FileRow[] };
/** The rows of a sheet follow its start. */
type Message = SheetStart | Row | { end: true } | { error: string };

/**
 * Opens a workbook that SheetJS reads. These kinds keep the usual limits.
 * @throws ServiceError invalid, tooLarge
 */
export const openSmall = async (file: FileSource, kind: FileKind): Promise<Workbook> => {
  if (file.size > usualLimits.bytes)
    throw tooLarge(`it is larger than ${maxFileMegabytes} MB; save it as .xlsx or .csv`);
  return { ...(await openOther(await readRange(file), kind)), isSmall: true };
};

/**
 * Opens a workbook with SheetJS, in a process of its own.
 * @throws ServiceError invalid, tooLarge
 */
export const openOther = async (file: Buffer, kind: FileKind, limits = defaultLimits): Promise<Workbook> => {
  const sheets = await readInProcess(file, limits);
  if (sheets.length === 0) throw badFile('the workbook has no sheet with cells');
  return {
    kind,
    sheets: sheets.map(({ name, hidden, read }) => ({ name, hidden, rows: () => inOneBatch(read) })),
  };
};

async function* inOneBatch<T>(rows: T) {
  yield rows;
}

const readInProcess = async (
  file: Buffer,
  { processorMilliseconds, bytes, clockMilliseconds }: typeof defaultLimits,
): Promise<ReadSheet[]> => {
  const child = spawn(process.execPath, [childFile, String(processorMilliseconds), String(bytes)], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // The process gets none of our settings and credentials.
    env: {},
    timeout: clockMilliseconds,
    killSignal: 'SIGKILL',
  });
  const ended = once(child, 'close');
  // The process may end before it has read everything.
  child.stdin.on('error', () => undefined).end(file);
  try {
    const sheets = await sheetsFrom(createInterface({ input: child.stdout }));
    if (sheets) return sheets;
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
  throw badFile('it takes too long or too much memory to read; save it as .xlsx or .csv and send that');
};

/** @returns undefined if the lines end early */
const sheetsFrom = async (lines: AsyncIterable<string>): Promise<ReadSheet[] | undefined> => {
  const sheets: ReadSheet[] = [];
  const builder = new RowBuilder(usualLimits);
  for await (const text of lines) {
    const message = JSON.parse(text) as Message;
    if ('end' in message) return sheets;
    if ('error' in message) throw clientError(message.error);
    if ('line' in message) addRow(sheets.at(-1)!, message, builder);
    else sheets.push({ ...message, read: [] });
  }
  return undefined;
};

const addRow = ({ read, date1904 }: ReadSheet, { line, cells }: Row, builder: RowBuilder): void => {
  const row: string[] = [];
  for (const [column, cell] of cells.entries()) {
    const text = cellText(cell, date1904);
    if (text !== '') builder.put(row, builder.checkLine(line), column, text);
  }
  if (row.length > 0) read.push({ line, cells: row });
};

const cellText = (cell: ReadCell, date1904: boolean): string => {
  if (typeof cell === 'object') return numberText(cell[0], dateKind(0, cell[1]), date1904);
  return typeof cell === 'number' ? numberText(cell, undefined, date1904) : String(cell).toWellFormed();
};

const clientError = (message: string) => {
  if (/password|encrypt/i.test(message))
    return badFile('the workbook is protected by a password; save it without one', 'FILE_PROTECTED');
  return badFile('it cannot be read as a workbook; open it in a spreadsheet program and save it as .xlsx');
};
