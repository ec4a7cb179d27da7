import { describe, expect, it } from 'vitest';
import { cellsOf, contactsOf, rowsOf } from '../../support/files/file-rows.ts';

const file = (text: string) => Buffer.from(text);
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();
/** 姓名 and 张三 in GB18030. */
const gbTitle = Buffer.from('d0d5c3fb', 'hex');
const gbName = Buffer.from('d5c5c8fd', 'hex');

describe('the encoding of a CSV file', () => {
  const expected = [
    ['phoneNumber', '姓名'],
    ['13800138000', '张三😀'],
  ];
  const text = 'phoneNumber,姓名\r\n13800138000,张三😀\r\n';

  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with byte order mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 LE', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 BE', bigEndian(`\ufeff${text}`)],
  ])('is recognised: %s', async (_, bytes) => {
    expect(await cellsOf(bytes)).toEqual(expected);
  });

  it('is GB18030 where the bytes are not UTF-8', async () => {
    const bytes = Buffer.concat([file('phoneNumber,'), gbTitle, file('\n138,'), gbName]);
    expect(await cellsOf(bytes)).toEqual([
      ['phoneNumber', '姓名'],
      ['138', '张三'],
    ]);
  });

  it('is GB18030 where the last bytes begin a character of UTF-8 that does not end', async () => {
    const bytes = Buffer.concat([file('phoneNumber,a\n138,'), Buffer.from('e5bc', 'hex')]);
    expect((await cellsOf(bytes))[1]).toEqual(['138', '寮']);
  });

  it.each([
    ['a character that is none', 'ff'],
    ['a character that does not end', 'e5bc'],
  ])('is what the byte order mark says, and refused with %s', async (_, bytes) => {
    const broken = Buffer.concat([file('\ufeffphoneNumber,a\n138,'), Buffer.from(bytes, 'hex')]);
    await expect(cellsOf(broken)).rejects.toThrow('its text is not valid UTF-8');
  });

  it.each([
    ['UTF-8', file, file('张😀é'), '张😀é'],
    ['GB18030', file, gbName, '张三'],
    ['UTF-16 BE', bigEndian, bigEndian('😀'), '😀'],
  ])('holds where a chunk of the file ends within a character: %s', async (_, encode, name, text) => {
    const row = Buffer.concat([encode('1,'), name, encode('\n')]);
    for (const shift of row.keys()) {
      const title = encode(`\ufeffphoneNumber,${'x'.repeat(shift)}\n`.slice(encode === file ? 1 : 0));
      const [, ...rows] = await cellsOf(Buffer.concat([title, ...Array(10_000).fill(row)]));
      expect(new Set(rows.map(([, cell]) => cell))).toEqual(new Set([text]));
    }
  });
});

describe('the delimiter of a CSV file', () => {
  it.each([',', ';', '\t'])('is found from the titles: %j', async (delimiter) => {
    const rows = [
      ['phoneNumber', 'a', 'b'],
      ['1', 'x|y', '2'],
    ];
    expect(await cellsOf(file(rows.map((row) => row.join(delimiter)).join('\n')))).toEqual(rows);
  });

  it.each(['sep=|\r\n', '"sep=|"\n', 'SEP=| \r'])(
    'is what the first line says, which is no row: %j',
    async (line) => {
      const rows = ['phoneNumber', 'a,b', '1', 'x,y'];
      expect(await cellsOf(file(`${line}phoneNumber|a,b\n1|x,y`))).toEqual([rows.slice(0, 2), rows.slice(2)]);
    },
  );

  it('is not looked for inside quotes', async () => {
    expect(await cellsOf(file('"a,b,c";phone;"x\n,,,"\n1;2;3'))).toEqual([
      ['a,b,c', 'phone', 'x\n,,,'],
      ['1', '2', '3'],
    ]);
  });

  it('is the one that sets phoneNumber apart, even where another is more frequent', async () => {
    expect(await cellsOf(file('PhoneNumber,a;b;c;d\n1,2'))).toEqual([
      ['PhoneNumber', 'a;b;c;d'],
      ['1', '2'],
    ]);
  });
});

describe('the rows of a CSV file', () => {
  it('are numbered as a spreadsheet does: line breaks in quotes and empty lines count right', async () => {
    const rows = await rowsOf(file('phoneNumber,note\r\n1,"two\r\nlines"\r\n\r\n,,\r\n2,x\r\n'));
    expect(rows).toEqual([
      { line: 1, cells: ['phoneNumber', 'note'] },
      { line: 2, cells: ['1', 'two\r\nlines'] },
      { line: 5, cells: ['2', 'x'] },
    ]);
  });

  it.each(['\n', '\r', '\r\n'])('end with %j', async (end) => {
    expect(await cellsOf(file(['a,b', '1,2', '3'].join(end)))).toEqual([['a', 'b'], ['1', '2'], ['3']]);
  });

  it('keep quotes that stand inside a cell, and those of a cell that goes on behind them', async () => {
    expect(await cellsOf(file('a,b\n5" pipe,"say ""hi"""\n"x"y,"z" \n"",""""'))).toEqual([
      ['a', 'b'],
      ['5" pipe', 'say "hi"'],
      ['"x"y', '"z" '],
      ['', '"'],
    ]);
  });

  it('lose one quote before a formula character, as an export puts it there', async () => {
    expect(
      (await cellsOf(file(`a\n'=1\n'+x\n'-1\n'@x\n''x\n"'\tx"\n"'\rx"\n'abc\n+8613800138000`))).flat(),
    ).toEqual(['a', '=1', '+x', '-1', '@x', "'x", '\tx', '\rx', "'abc", '+8613800138000']);
  });

  it('hold digits that other programs wrote as a formula, and other formulas as they are', async () => {
    const text = `a\n="0042"\n"=""+86 138"""\n="x"\n'="0042"\n=1+1`;
    expect((await cellsOf(file(text))).flat()).toEqual(['a', '0042', '+86 138', '="x"', '="0042"', '=1+1']);
  });

  it('name the line whose quote is never closed', async () => {
    await expect(contactsOf(file('phoneNumber\n1\n"2\n3\n'))).rejects.toThrow(
      'line 3 opens a quote that is never closed',
    );
  });

  it('may hold 200 columns and cells of 32,767 characters, but no more', async () => {
    const titles = ['phoneNumber', ...Array.from({ length: 199 }, (_, at) => `t${at}`)].join();
    expect((await cellsOf(file(`${titles},,,\n`)))[0]).toHaveLength(200);
    await expect(rowsOf(file(`${titles},x\n`))).rejects.toMatchObject({ code: 'invalid' });
    expect(await rowsOf(file(`a\n${'x'.repeat(32_767)}`))).toHaveLength(2);
    await expect(rowsOf(file(`a\n${'x'.repeat(32_768)}`))).rejects.toMatchObject({ code: 'invalid' });
  });
});
