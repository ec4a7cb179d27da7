/**
 * Runs in a process of its own: takes a workbook on standard input and writes its sheets to standard output, a
 * line of JSON for each sheet and each row. SheetJS loops and grows on hostile files, and while it does nothing
 * else runs here; so a thread beside it ends the process in time.
 */
import { readFileSync, writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import * as XLSX from 'xlsx';

const [, , processorMilliseconds, bytes] = process.argv;
const WATCH = `
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    const isTooLong = (user + system) / 1000 > ${Number(processorMilliseconds)};
    if (isTooLong || process.memoryUsage.rss() > ${Number(bytes)}) process.kill(process.pid, 'SIGKILL');
  }, 50);
`;
const WRITE_CHARACTERS = 64 * 1024;

let text = '';
const flush = () => {
  for (let rest = Buffer.from(text); rest.length > 0; ) rest = rest.subarray(written(rest));
  text = '';
};

/** A pipe that is full for the moment says so. */
const written = (chunk) => {
  try {
    return writeSync(1, chunk);
  } catch (error) {
    if (error.code !== 'EAGAIN') throw error;
    return 0;
  }
};

const send = (value) => {
  text += `${JSON.stringify(value)}\n`;
  if (text.length > WRITE_CHARACTERS) flush();
};

/** Text as it is, a number with its format, an error as nothing. */
const cellOf = (cell) => {
  if (cell === undefined || cell.v === undefined || cell.t === 'e' || cell.t === 'z') return '';
  if (cell.t === 'n') return cell.z === undefined || cell.z === 'General' ? cell.v : [cell.v, cell.z];
  return cell.t === 'd' ? cell.v.toISOString() : cell.v;
};

const sendSheet = (sheet) => {
  const rows = sheet['!data'] ?? [];
  const first = XLSX.utils.decode_range(sheet['!ref'] ?? 'A1').s.r;
  for (let at = 0; at < rows.length; at++)
    if (rows[at] !== undefined) send({ line: Math.max(at, first) + 1, cells: Array.from(rows[at], cellOf) });
};

new Worker(WATCH, { eval: true }).once('online', () => {
  try {
    const book = XLSX.read(readFileSync(0), {
      type: 'buffer',
      dense: true,
      cellNF: true,
      cellText: false,
      cellHTML: false,
      cellFormula: false,
    });
    const { WBProps, Sheets = [] } = book.Workbook ?? {};
    send({ date1904: WBProps?.date1904 === true });
    book.SheetNames.forEach((name, at) => {
      send({ sheet: name, hidden: (Sheets[at]?.Hidden ?? 0) !== 0 });
      sendSheet(book.Sheets[name]);
    });
    send({ end: true });
  } catch (error) {
    send({ error: String(error?.message ?? error) });
  }
  flush();
  process.exit(0);
});
