import { refused } from '../limits.ts';

/** The record types of Excel's binary workbook that a contact list can hold. */
export const RECORD = {
  formula: 0x0006,
  end: 0x000a,
  date1904: 0x0022,
  filePass: 0x002f,
  continuation: 0x003c,
  codePage: 0x0042,
  boundSheet: 0x0085,
  mulRk: 0x00bd,
  rString: 0x00d6,
  xf: 0x00e0,
  sharedStrings: 0x00fc,
  labelSst: 0x00fd,
  number: 0x0203,
  label: 0x0204,
  boolErr: 0x0205,
  string: 0x0207,
  rk: 0x027e,
  format: 0x041e,
  begin: 0x0809,
} as const;

export type BiffRecord = { type: number; data: Buffer; next: number };

export const damaged = () => refused('the workbook is damaged: its records cannot be read');

/** The records of one substream, from its first to its end record. */
export function* recordsFrom(stream: Buffer, start: number): Generator<BiffRecord> {
  let depth = 0;
  for (let at = start; at + 4 <= stream.length; ) {
    const type = stream.readUInt16LE(at);
    const next = at + 4 + stream.readUInt16LE(at + 2);
    if (next > stream.length) throw damaged();
    if (type === RECORD.begin) depth++;
    // A chart inside a sheet is a substream of its own: its cells are no rows.
    if (depth < 2) yield { type, data: stream.subarray(at + 4, next), next };
    if (type === RECORD.end && --depth <= 0) return;
    at = next;
  }
  throw damaged();
}

/** The data of a record and of those that continue it. */
export function continued(stream: Buffer, record: BiffRecord): Buffer[] {
  const pieces = [record.data];
  for (let at = record.next; at + 4 <= stream.length && stream.readUInt16LE(at) === RECORD.continuation; ) {
    const next = at + 4 + stream.readUInt16LE(at + 2);
    pieces.push(stream.subarray(at + 4, next));
    at = next;
  }
  return pieces;
}
