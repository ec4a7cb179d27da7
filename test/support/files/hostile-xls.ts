import * as XLSX from 'xlsx';
import { biffStream, numbersOfRow, sharedStrings } from './biff-stream.ts';
import { type Hostile, hostile } from './hostile.ts';

const MB = 1024 * 1024;

export const hostileOldWorkbooks = (): Hostile[] => {
  const xls = oldWorkbook([['phoneNumber'], ['13800138000']]);
  const change = (edit: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(xls);
    edit(bytes);
    return bytes;
  };
  const compound = (entries: Record<string, string>) => {
    const file = XLSX.CFB.utils.cfb_new();
    for (const [name, content] of Object.entries(entries))
      XLSX.CFB.utils.cfb_add(file, name, Buffer.from(content.padEnd(8192)));
    return Buffer.from(XLSX.CFB.write(file, { type: 'buffer' }) as Uint8Array);
  };
  const many = oldWorkbook([
    ['phoneNumber'],
    ...Array.from({ length: 10_001 }, (_, at) => [String(13_800_000_000 + at)]),
  ]);
  const begin = Buffer.from('0908100000060500bb0dcc0700000000060000000', 'hex');
  const filePass = Buffer.concat([
    begin,
    Buffer.from('2f000600010000000000', 'hex'),
    Buffer.from('0a000000', 'hex'),
  ]);
  const chainedToItself = change((bytes) => {
    const fat = 512 * (bytes.readUInt32LE(76) + 1);
    for (let at = 0; at < 128; at++) bytes.writeUInt32LE(at, fat + at * 4);
  });
  return hostile({
    invalid: {
      'encrypted workbook (OOXML)': compound({ EncryptionInfo: 'x', EncryptedPackage: 'y' }),
      'encrypted workbook (XLS)': filePass,
      'macros (XLS)': compound({ Workbook: 'x', '_VBA_PROJECT_CUR/VBA/dir': 'x' }),
      'Word document': compound({ WordDocument: 'x' }),
      'workbook stream of noise': compound({ Workbook: 'noise' }),
      'compound file cut after its header': xls.subarray(0, 512),
      'compound file cut in half': xls.subarray(0, xls.length >> 1),
      'compound header alone': xls.subarray(0, 8),
      'chain of sectors in a circle': chainedToItself,
      'sector size of 2 GB': change((bytes) => bytes.writeUInt16LE(31, 30)),
      '256 columns (XLS)': oldWorkbook([Array.from({ length: 256 }, (_, at) => `t${at}`)]),
      'bare records of Excel 2': Buffer.from('0900040002001000000a0000', 'hex'),
      'records of 8 MB of styles': Buffer.concat([
        begin,
        Buffer.alloc(8 * MB, Buffer.from('e000000', 'hex')),
      ]),
    },
    tooLarge: {
      '10,001 rows (XLS)': many,
    },
  });
};

/** Ten megabytes of records each: of numbers, and of shared texts. */
export const hostileRecords = () => {
  const none = Buffer.alloc(0);
  const shortTexts = Buffer.alloc(8_000, Buffer.from([2, 0, 0, 0x41, 0x42]));
  return {
    numbers: biffStream(none, Buffer.concat(Array.from({ length: 8_500 }, (_, at) => numbersOfRow(at)))),
    texts: biffStream(sharedStrings(2_000_000, ...Array(1_250).fill(shortTexts)), none),
  };
};

const oldWorkbook = (cells: string[][]): Buffer => {
  const book = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(cells), 'One');
  return XLSX.write(book, { type: 'buffer', bookType: 'biff8' }) as Buffer;
};
