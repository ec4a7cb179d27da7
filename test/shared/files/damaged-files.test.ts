import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import { ServiceError } from '../../../shared/platform/rules/errors.ts';
import { contactsOf, csvFile } from '../../support/files/file-rows.ts';
import { type ForgedPart, workbookParts, zipOf } from '../../support/files/workbook-zip.ts';
import { randomRuns } from '../../support/run/extent.ts';

const titles = ['phoneNumber', 'name', '中文'];
const rows = Array.from({ length: 30 }, (_, at) => [`1380013${at}`, `name ${at}`, '张三'.repeat(at % 5)]);

const oldWorkbook = (bookSST: boolean): Buffer => {
  const book = XLSX.utils.book_new();
  const sheet = XLSX.utils.aoa_to_sheet([
    titles,
    ...rows,
    [1, 2.5, true],
    [{ t: 'n', v: 45413.5, z: 'yyyy' }],
  ]);
  XLSX.utils.book_append_sheet(book, sheet, 'One');
  return XLSX.write(book, { type: 'buffer', bookType: 'biff8', bookSST }) as Buffer;
};

const parts = workbookParts(
  `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>n</t></is></c></row>` +
    '<row r="2"><c r="A2"><v>13800138000</v></c><c r="B2" s="1"><v>45413.5</v></c></row>',
  {
    strings: '<si><t>phoneNumber</t></si>',
    styles: '<cellXfs><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs>',
  },
);

const csv = await csvFile(titles, rows);

/** Bytes overwritten here and there, and the end perhaps cut off. */
const damage = fc.record({
  writes: fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 8 }),
  cut: fc.option(fc.nat(), { freq: 8 }),
});
type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

const damaged = (file: Buffer, { writes, cut }: Damage): Buffer => {
  const bytes = Buffer.from(file);
  for (const [at, byte] of writes) bytes[at % bytes.length] = byte;
  return cut === null ? bytes : bytes.subarray(0, cut % bytes.length);
};

/** Either contacts or an error a client can act on; never a crash, never an endless loop. */
const readsOrRefuses = async (file: Buffer): Promise<void> => {
  const outcome = await contactsOf(file).catch((error: unknown) => error);
  if (!Array.isArray(outcome)) expect(outcome).toBeInstanceOf(ServiceError);
};

describe('a damaged file is read or refused', () => {
  it.each([
    // Each takes a process of its own.
    ['XLS', oldWorkbook(true), 6],
    ['XLS without shared strings', oldWorkbook(false), 6],
    ['XLSX archive', zipOf(parts), 600],
    ['CSV', csv, 600],
  ])('%s', async (_, file, numRuns) => {
    await fc.assert(
      fc.asyncProperty(damage, (how) => readsOrRefuses(damaged(file, how))),
      randomRuns(numRuns),
    );
  });

  it('XML of an XLSX workbook, packed again as if it were right', async () => {
    const broken = (part: ForgedPart, how: Damage): ForgedPart => ({
      ...part,
      content: damaged(Buffer.from(part.content), how),
    });
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: parts.length - 1 }), damage, (which, how) =>
        readsOrRefuses(zipOf(parts.map((part, at) => (at === which ? broken(part, how) : part)))),
      ),
      randomRuns(600),
    );
  });
});
