import * as XLSX from 'xlsx';
import { ServiceError } from '../../shared/domain/errors.ts';
import { openContactFile } from '../../shared/files/contact-table.ts';
import { csvFile, xlsxFile } from '../../test/support/files/file-rows.ts';
import { hostileFiles } from '../../test/support/files/hostile-files.ts';
import { hostileRecords } from '../../test/support/files/hostile-xls.ts';
import {
  canMeasure,
  endedSeconds,
  forgetPeak,
  memoryNow,
  peakMemory,
} from '../../test/support/service/process-usage.ts';

/** Runs in its own process: measures each hostile file, and an honest file of the same kind and size. */
export type Reading = { outcome: string; seconds: number; megabytes: number };
export type HostileReading = { name: string; bytes: number; hostile: Reading; honest: Reading };

const { pid } = process;
type Kind = 'csv' | 'xlsx' | 'xlsb' | 'ods' | 'xls';
const kindOf = (name: string, file: Buffer): Kind => {
  const start = file.toString('hex', 0, 2);
  if (start === 'd0cf' || start.startsWith('09')) return 'xls';
  if (start !== '504b') return 'csv';
  return name.startsWith('ODS') ? 'ods' : name.startsWith('XLSB') ? 'xlsb' : 'xlsx';
};

/** Text that compresses badly, so that a packed file has about the requested size. */
const noise = (at: number) => Math.sin(at).toString(36).slice(2).padEnd(12, 'x');
const rowBytes: Record<Kind, number> = { csv: 1000, xlsx: 700, xlsb: 1000, ods: 700, xls: 1000 };
const made = new Map<string, Promise<Reading>>();

const honestFile = async (kind: Kind, bytes: number): Promise<Buffer> => {
  const count = Math.min(9_000, Math.max(1, Math.floor(bytes / rowBytes[kind])));
  const rows = Array.from({ length: count }, (_, at) => [
    String(13_800_000_000 + at),
    Array.from({ length: 80 }, (_, word) => noise(at * 80 + word)).join(''),
  ]);
  if (kind === 'csv') return csvFile(['phoneNumber', 'note'], rows);
  if (kind === 'xlsx') return xlsxFile(['phoneNumber', 'note'], rows);
  const book = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([['phoneNumber', 'note'], ...rows]), 'One');
  return XLSX.write(book, {
    type: 'buffer',
    bookType: kind === 'xls' ? 'biff8' : kind,
    compression: true,
  }) as Buffer;
};

const outcomeOf = async (file: Uint8Array): Promise<string> => {
  try {
    let rows = 0;
    for await (const _contact of (await openContactFile(file)).rows) rows++;
    return `${rows} rows`;
  } catch (error) {
    return error instanceof ServiceError ? error.code : String(error);
  }
};

/** Processor time including the reading process, and the peak growth of this process. */
const measured = async (file: Uint8Array): Promise<Reading> => {
  globalThis.gc?.();
  const memory = canMeasure ? memoryNow(pid) : 0;
  if (canMeasure) forgetPeak(pid);
  const before = process.cpuUsage();
  const ended = canMeasure ? endedSeconds(pid) : 0;
  const outcome = await outcomeOf(file);
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6 + (canMeasure ? endedSeconds(pid) - ended : 0);
  return { outcome, seconds, megabytes: canMeasure ? Math.max(0, peakMemory(pid) - memory) : 0 };
};

/** One honest file for each kind and power of two, which is nearly the same size. */
const honestReading = (name: string, file: Buffer): Promise<Reading> => {
  const kind = kindOf(name, file);
  const size = 2 ** Math.round(Math.log2(Math.max(file.length, 1024)));
  const key = `${kind} ${size}`;
  if (!made.has(key)) made.set(key, honestFile(kind, Math.min(size, 9_500_000)).then(measured));
  return made.get(key) as Promise<Reading>;
};

const all = [...hostileFiles(), ...hostileRecords().map(([name, , bytes]) => ({ name, bytes }))];
const readings: HostileReading[] = [];
for (const { name, bytes } of all) {
  const honest = await honestReading(name, bytes);
  readings.push({ name, bytes: bytes.length, hostile: await measured(bytes), honest });
}
process.send!(readings);
process.disconnect();
