/** A record of Excel's binary workbook. */
const record = (type: number, data: Buffer): Buffer => {
  const header = Buffer.alloc(4);
  header.writeUInt16LE(type, 0);
  header.writeUInt16LE(data.length, 2);
  return Buffer.concat([header, data]);
};

const begin = record(0x0809, Buffer.from('00060500bb0dcc070000000006000000', 'hex'));
const end = record(0x000a, Buffer.alloc(0));

/** A bare BIFF8 stream of one sheet, with the records given for the workbook and for the sheet. */
export const biffStream = (workbook: Buffer, sheet: Buffer): Buffer => {
  const boundSheet = Buffer.alloc(8);
  boundSheet.writeUInt32LE(begin.length + workbook.length + 4 + boundSheet.length + end.length);
  return Buffer.concat([begin, workbook, record(0x0085, boundSheet), end, begin, sheet, end]);
};

/** Shared strings: a first record that says how many there are, and records that continue it. */
export const sharedStrings = (count: number, ...pieces: Buffer[]): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(count, 4);
  const [first = Buffer.alloc(0), ...others] = pieces;
  return Buffer.concat([
    record(0x00fc, Buffer.concat([head, first])),
    ...others.map((piece) => record(0x003c, piece)),
  ]);
};

/** A row of 200 small numbers in one record. */
export const numbersOfRow = (row: number): Buffer => {
  const data = Buffer.alloc(6 + 200 * 6);
  data.writeUInt16LE(row, 0);
  for (let at = 0; at < 200; at++) data.writeInt32LE(((row * 200 + at) << 2) | 2, 4 + at * 6 + 2);
  data.writeUInt16LE(199, data.length - 2);
  return record(0x00bd, data);
};
