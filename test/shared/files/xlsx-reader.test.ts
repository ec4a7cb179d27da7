import { readdirSync, readlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import { chunkBytes } from '../../../shared/files/workbook.ts';
import { cellsOf, contactsOf, rowsOf } from '../../support/files/file-rows.ts';
import { forged, workbookParts, zipOf } from '../../support/files/workbook-zip.ts';

const sheetPart = 'xl/worksheets/sheet1.xml';
const cellStyles =
  '<numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="0.00&quot;d&quot;"/>' +
  '<numFmt numFmtId="166" formatCode="[h]:mm"/><numFmt numFmtId="167" formatCode="[$-F400]h:mm:ss\\ AM/PM"/></numFmts>' +
  `<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${[0, 14, 22, 164, 165, 166, 167, 49]
    .map((id) => `<xf numFmtId="${id}"/>`)
    .join('')}</cellXfs>`;
const [general, shortDate, dateTime, isoDate, withUnit, elapsed, time] = [0, 1, 2, 3, 4, 5, 6];

const cell = async (xml: string, options: Parameters<typeof workbookParts>[1] = {}) =>
  (await cellsOf(zipOf(workbookParts(`<row>${xml}</row>`, { styles: cellStyles, ...options }))))[0]?.[0];
const number = (value: string, style = general, workbookPr = '') =>
  cell(`<c s="${style}"><v>${value}</v></c>`, { workbookPr });

describe('a number cell', () => {
  it.each([
    ['13800138000', '13800138000'],
    ['1.3800138E10', '13800138000'],
    ['0.5', '0.5'],
    ['1e21', '1000000000000000000000'],
    ['1.5E-7', '0.00000015'],
    ['-1.25E+25', '-12500000000000000000000000'],
    ['0.30000000000000004', '0.30000000000000004'],
    ['123456789012345680', '123456789012345680'],
    ['-0', '0'],
  ])('of %s is its plain digits', async (value, digits) => {
    expect(await number(value)).toBe(digits);
  });

  it('keeps its value whatever unit or percentage it is shown with', async () => {
    expect(await number('0.256', withUnit)).toBe('0.256');
    expect(await number('1.5', elapsed)).toBe('1.5');
  });
});

describe('a date cell', () => {
  it.each([
    ['45413', shortDate, '2024-05-01'],
    ['45413', isoDate, '2024-05-01'],
    ['45413.5', dateTime, '2024-05-01 12:00:00'],
    ['45413.999999999', dateTime, '2024-05-02'],
    ['45413.75', isoDate, '2024-05-01 18:00:00'],
    ['1', shortDate, '1900-01-01'],
    ['59', shortDate, '1900-02-28'],
    ['60', shortDate, '1900-02-29'],
    ['61', shortDate, '1900-03-01'],
    ['2958465', shortDate, '9999-12-31'],
    ['2958466', shortDate, '2958466'],
    ['-1', shortDate, '-1'],
    ['0.25', time, '06:00:00'],
    ['45413.25', time, '2024-05-01 06:00:00'],
  ])('of %s in style %i is %s', async (value, style, text) => {
    expect(await number(value, style)).toBe(text);
  });

  it.each([
    ...[18, 21, 32, 35, 45, 47].map((id) => [id, '06:00:00'] as const),
    ...[15, 17, 27, 31, 36, 50, 58].map((id) => [id, '1899-12-31 06:00:00'] as const),
    ...[13, 23, 26, 37, 44, 46, 48, 49, 59].map((id) => [id, '0.25'] as const),
    ['h:mm', '06:00:00'],
    ['mm:ss.0', '06:00:00'],
    ['hh"h" AM/PM', '06:00:00'],
    ['m', '1899-12-31 06:00:00'],
    ['[Red]yyyy;0.0', '1899-12-31 06:00:00'],
    ['[$-804]d', '1899-12-31 06:00:00'],
    ['General', '0.25'],
    ['[ss]', '0.25'],
    ['0.0\\d', '0.25'],
    ['_d#', '0.25'],
    ['*y?', '0.25'],
    [`${'y'.repeat(256)}`, '0.25'],
  ] as const)('is told by its format: %s', async (format, text) => {
    const [id, formats] =
      typeof format === 'number'
        ? [format, '']
        : [
            170,
            `<numFmts><numFmt numFmtId="170" formatCode="${format.replaceAll('"', '&quot;')}"/></numFmts>`,
          ];
    const styles = `${formats}<cellXfs><xf numFmtId="${id}"/></cellXfs>`;
    expect(await cell('<c><v>0.25</v></c>', { styles })).toBe(text);
  });

  it('counts from 1904 where the workbook says so', async () => {
    expect(await number('43951', shortDate, '<workbookPr date1904="1"/>')).toBe('2024-05-01');
    expect(await number('0', shortDate, '<workbookPr date1904="true"/>')).toBe('1904-01-01');
  });

  it('of a strict workbook is an ISO date already', async () => {
    expect(await cell('<c t="d"><v>2024-05-01T00:00:00.000Z</v></c>')).toBe('2024-05-01');
    expect(await cell('<c t="d"><v>2024-05-01T06:30:00</v></c>')).toBe('2024-05-01 06:30:00');
  });
});

describe('other cells', () => {
  const strings =
    '<si><t>00123</t></si><si><r><rPr><b/></rPr><t>rich </t></r><r><t xml:space="preserve">text </t></r>' +
    '<rPh sb="0" eb="1"><t>reading</t></rPh></si><si/><si><t/></si>';

  it.each([
    ['a text with zeros in front', '<c t="s"><v>0</v></c>', '00123'],
    ['rich text without its phonetic guide', '<c t="s"><v>1</v></c>', 'rich text '],
    ['the text of a number written in other ways', '<c t="s"><v>&#48;<![CDATA[0]]></v></c>', '00123'],
    ['an inline text', '<c t="inlineStr"><is><t>a</t></is></c>', 'a'],
    ['true', '<c t="b"><v>1</v></c>', 'true'],
    ['false', '<c t="b"><v>0</v></c>', 'false'],
    ['the last value of a formula', '<c><f>1+1</f><v>2</v></c>', '2'],
    ['the last text of a formula', '<c t="str"><f>A1&amp;"x"</f><v>yx</v></c>', 'yx'],
    [
      'escaped characters',
      '<c t="str"><v>a_x000D_b_x005F_x0041_&lt;&#x4e2d;&#128512;</v></c>',
      'a\rb_x0041_<中😀',
    ],
    ['a pair written as two references', '<c t="str"><v>&#55357;&#56832;</v></c>', '😀'],
    ['CDATA and comments', '<c t="str"><v>a<![CDATA[<&amp;]]><!-- no -->b</v></c>', 'a<&amp;b'],
    ['line ends as XML has them', '<c t="str"><v>a\r\nb\rc&#13;d</v></c>', 'a\nb\nc\rd'],
    ['prefixed tags', '<x:c t="str"><x:v>p</x:v></x:c>', 'p'],
    ['attributes with spaces and >', `<c x='>"' t = "str" ><v>q</v></c>`, 'q'],
  ])('give %s', async (_, xml, text) => {
    expect(await cell(xml, { strings })).toBe(text);
  });

  it.each(['', '-1', '1.0', '0000000000', '4', 'x'])(
    'are refused that share the text "%s"',
    async (index) => {
      await expect(cell(`<c t="s"><v>${index}</v></c>`, { strings })).rejects.toThrow('refers to a text');
    },
  );

  it('share texts that are too large for the memory, which leave no file behind', async () => {
    const texts = Array.from({ length: 300 }, (_, at) => `${at} `.repeat(15_000).slice(0, 30_000 - at));
    const rows = texts.map((_, at) => `<row><c t="s"><v>${at}</v></c><c t="s"><v>${299 - at}</v></c></row>`);
    const strings = texts.map((text) => `<si><t xml:space="preserve">${text}</t></si>`).join('');
    const openTexts = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).includes('outbound-texts');
        } catch {
          return false;
        }
      });
    const file = zipOf(workbookParts(rows.join(''), { strings }));
    expect(await contactsOf(file, { headerRow: 0, mapping: new Map([['column B', 'phoneNumber']]) })).toEqual(
      texts.map((text, at) => expect.objectContaining({ cells: [text, texts[299 - at]] })),
    );
    await expect(contactsOf(file)).rejects.toThrow(/no title/);
    if (process.platform === 'linux') expect(openTexts()).toEqual([]);
  });

  it('are empty where they hold an error', async () => {
    const row = '<c t="e"><v>#DIV/0!</v></c><c t="str"><v>#N/A</v></c>';
    expect(await cellsOf(zipOf(workbookParts(`<row>${row}</row>`)))).toEqual([['', '#N/A']]);
  });

  it('are found by their references, by their order without', async () => {
    const rows =
      '<row r="2"><c r="C2"><v>1</v></c><c><v>2</v></c></row><row/><row><c r="XFD4" s="1"/><c r="A4"><v>3</v></c></row>' +
      '<row r="1048576"><c r="B1048576"><v>4</v></c></row>';
    expect(await rowsOf(zipOf(workbookParts(rows)))).toEqual([
      { line: 2, cells: ['', '', '1', '2'] },
      { line: 4, cells: ['3'] },
      { line: 1048576, cells: ['', '4'] },
    ]);
  });

  it('are read where sizes follow the content and parts are stored unpacked', async () => {
    const parts = workbookParts('<row><c t="str"><v>phoneNumber</v></c></row>');
    const content = Buffer.from(parts.find(({ name }) => name === sheetPart)!.content);
    const stored = forged(parts, sheetPart, { packed: content, method: 0, flags: 8, localSize: 0 });
    expect(await cellsOf(zipOf(stored))).toEqual([['phoneNumber']]);
  });
});

describe.each(['xlsx', 'biff8', 'biff5'] as const)('a %s workbook made by SheetJS', (bookType) => {
  it('gives the cells of its first sheet', async () => {
    const sheet = XLSX.utils.aoa_to_sheet([
      ['phoneNumber', 'date', 'flag', 'amount', 'text'],
      [13800138000, { t: 'n', v: 45413.5, z: 'yyyy-mm-dd hh:mm' }, true, 0.1, 'plain'],
      ['00123', { t: 'n', v: 45413, z: 'm/d/yy' }, false, 1234567.25, 'a "x"'],
      [],
      [{ t: 'n', v: 42 }, null, null, -3, 'end'],
    ]);
    const book = XLSX.utils.book_new();
    XLSX.utils.book_append_sheet(book, sheet, 'First');
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([['other']]), 'Second');
    const rows = await rowsOf(XLSX.write(book, { type: 'buffer', bookType }) as Buffer);
    expect(rows).toEqual([
      { line: 1, cells: ['phoneNumber', 'date', 'flag', 'amount', 'text'] },
      { line: 2, cells: ['13800138000', '2024-05-01 12:00:00', 'true', '0.1', 'plain'] },
      { line: 3, cells: ['00123', '2024-05-01', 'false', '1234567.25', 'a "x"'] },
      { line: 5, cells: ['42', '', '', '-3', 'end'] },
    ]);
  });
});

describe('an XLS workbook', () => {
  const workbook = (cells: (string | number)[][], bookSST = true) => {
    const book = XLSX.utils.book_new();
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(cells), 'One');
    return XLSX.write(book, { type: 'buffer', bookType: 'biff8', bookSST }) as Buffer;
  };

  it('gives texts that run over several records of shared strings', async () => {
    const cells = [
      ['phoneNumber', 'note'],
      ...Array.from({ length: 1_200 }, (_, at) => [`1380000${at}`, `${at} ${'中'.repeat(at % 60)}`]),
    ];
    expect(await cellsOf(workbook(cells))).toEqual(cells);
    expect(await cellsOf(workbook(cells, false))).toEqual(cells);
  });

  it('is read without its container too', async () => {
    const file = XLSX.CFB.read(workbook([['phoneNumber'], [1]]), { type: 'buffer' });
    const stream = Buffer.from(XLSX.CFB.find(file, 'Workbook')!.content as Uint8Array);
    expect(await contactsOf(stream)).toMatchObject([{ values: [['phoneNumber', '1']] }]);
  });
});

describe('a cell that is merged over several rows', () => {
  const cells = [
    ['Family', 'Phone', 'Name'],
    ['Li', '13800138000', 'Wei'],
    ['', '13800138001', 'Na'],
    ['', '', ''],
    ['', '13800138002', 'Min'],
    ['', '13800138003', 'Ana'],
  ];
  const filled = ['Li', 'Li', 'Li', ''];
  const merges = ['A2:A5', 'B1:C1', 'C6:C9', 'A1:A1'].map(XLSX.utils.decode_range);
  const workbookAs = (bookType: XLSX.BookType) => {
    const book = XLSX.utils.book_new();
    const sheet = XLSX.utils.aoa_to_sheet(cells.map((row) => row.map((text) => text || null)));
    XLSX.utils.book_append_sheet(book, Object.assign(sheet, { '!merges': merges }), 'One');
    return XLSX.write(book, { type: 'buffer', bookType }) as Buffer;
  };

  it.each(['xlsx', 'biff8', 'ods'] as const)(
    'gives its text to each of them that has text: %s',
    async (type) => {
      const [, ...rows] = await cellsOf(workbookAs(type));
      expect(rows.map(([family = '']) => family)).toEqual(filled);
      expect(rows.map((row) => row[1])).toEqual(['13800138000', '13800138001', '13800138002', '13800138003']);
    },
  );

  const changed = (rows: string, change: (sheet: string) => string) =>
    zipOf(
      workbookParts(rows).map((part) =>
        part.name === sheetPart ? { ...part, content: change(String(part.content)) } : part,
      ),
    );
  const text = (value: string, reference = '') => `<c t="str"${reference}><v>${value}</v></c>`;

  it('is found wherever the sheet is cut into chunks, and however it spells its tags', async () => {
    const rows = Array.from({ length: 3000 }, (_, i) => `<row>${text(`${i}`)}${text('x')}</row>`);
    rows[0] = `<row>${text('a')}${text('b')}${text('top')}</row>`;
    const merges = '<x:mergeCells><x:mergeCell ref="C1:D3000"/></x:mergeCells>';
    const behind = `</sheetData>${merges}`;
    const mark = '<!-- sheetData> -->';
    for (const inside of [0, 1, 6, 11]) {
      const found = await cellsOf(
        changed(rows.join(''), (sheet) => {
          const end = Buffer.byteLength(sheet.slice(0, sheet.indexOf('</sheetData>')) + mark) + inside;
          const pad = ' '.repeat(chunkBytes - (end % chunkBytes));
          return sheet.replace('</sheetData>', `${mark.replace(' ', ` ${pad}`)}${behind}`);
        }),
      );
      expect(found.map((row) => row.slice(2))).toEqual(rows.map(() => ['top']));
    }
  });

  it('is refused where there are more of them than rows', async () => {
    const many = '<mergeCell ref="A1:A2"/>'.repeat(10_001);
    const file = changed(`<row>${text('1')}</row>`, (sheet) =>
      sheet.replace('</sheetData>', `</sheetData><mergeCells>${many}</mergeCells>`),
    );
    await expect(cellsOf(file)).rejects.toThrow(/merged cells/);
  });
});
