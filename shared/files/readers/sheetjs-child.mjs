/**
 * Runs in a process of its own: reads a workbook from standard input and writes its sheets to
 * standard output, one line of JSON for each sheet and each row. On hostile files SheetJS may run
 * forever, grow, and block this thread, so a second thread ends the process in time.
 */
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import * as XLSX from 'xlsx';

const [, , processorMilliseconds, bytes] = process.argv;
const watch = `
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    const isTooLong = (user + system) / 1000 > ${Number(processorMilliseconds)};
    if (isTooLong || process.memoryUsage.rss() > ${Number(bytes)}) process.kill(process.pid, 'SIGKILL');
  }, 50);
`;
const options = { dense: true, cellNF: true, cellText: false, cellHTML: false, cellFormula: false };
const chunkCharacters = 64 * 1024;

/** Text stays unchanged, a number gets its format, an error becomes an empty cell. */
const cellOf = (cell) => {
  if (cell === undefined || cell.v === undefined || cell.t === 'e' || cell.t === 'z') return '';
  if (cell.t === 'n') return cell.z === undefined || cell.z === 'General' ? cell.v : [cell.v, cell.z];
  return cell.t === 'd' ? cell.v.toISOString() : cell.v;
};

const hasText = (row) => row?.some((cell) => cellOf(cell) !== '') ?? false;

/**
 * Gives the text of a merged cell to each of its rows that has text of its own, like
 * merged-cells.ts for XLSX.
 */
const fillMerged = (rows, merges) => {
  const isFilled = rows.map(hasText);
  for (const { s, e } of merges)
    for (let at = s.r + 1; at <= e.r && at < rows.length; at++)
      if (isFilled[at] && cellOf(rows[at][s.c]) === '') rows[at][s.c] = rows[s.r]?.[s.c];
};

function* messages() {
  const { Workbook: { WBProps, Sheets = [] } = {}, ...book } = XLSX.read(readFileSync(0), options);
  for (const [at, name] of book.SheetNames.entries()) {
    yield { name, hidden: (Sheets[at]?.Hidden ?? 0) !== 0, date1904: WBProps?.date1904 === true };
    const { '!data': rows = [], '!ref': range = 'A1', '!merges': merges = [] } = book.Sheets[name];
    fillMerged(rows, merges);
    const first = XLSX.utils.decode_range(range).s.r;
    for (const [at, row] of rows.entries())
      if (row !== undefined) yield { line: Math.max(at, first) + 1, cells: Array.from(row, cellOf) };
  }
  yield { end: true };
}

function* lines() {
  let text = '';
  try {
    for (const message of messages()) {
      text += `${JSON.stringify(message)}\n`;
      if (text.length < chunkCharacters) continue;
      yield text;
      text = '';
    }
  } catch (error) {
    text += JSON.stringify({ error: String(error?.message ?? error) });
  }
  yield text;
}

// Starts while SheetJS reads, because for a small file starting the thread takes longer than
// reading.
new Worker(watch, { eval: true }).unref();
Readable.from(lines()).pipe(process.stdout);
