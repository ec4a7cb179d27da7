import { describe, expect, it } from 'vitest';
import { contactsOf, csvFile, xlsxFile } from '../../support/files/file-rows.ts';

const file = (text: string) => Buffer.from(text);

describe('the titles of a contact file', () => {
  it('are trimmed, known ones in any case, unknown ones as written', async () => {
    const [contact] = await contactsOf(
      file(' PHONENUMBER , customername,Address,OrderAmount, My Field \n1,2,3,4,5'),
    );
    expect(contact).toEqual({
      line: 2,
      values: [
        ['phoneNumber', '1'],
        ['customerName', '2'],
        ['address', '3'],
        ['orderAmount', '4'],
        ['My Field', '5'],
      ],
      cells: ['1', '2', '3', '4', '5'],
    });
  });

  it.each(['*手机号', '手机号：', 'Phone #', '＊Tel.（必填）'])(
    'may carry signs, as templates do: %s',
    async (title) => {
      expect((await contactsOf(file(`${title}\n138`)))[0]?.values).toEqual([['phoneNumber', '138']]);
    },
  );

  it('that the service sets itself are ignored', async () => {
    const titles = 'contactId,id,dataSourceId,status,callCount,createTime,updateTime,phoneNumber';
    const [contact] = await contactsOf(file(`${titles}\n1,2,3,4,5,6,7,8`));
    expect(contact?.values).toEqual([['phoneNumber', '8']]);
  });

  it('that tell what came of a task’s calls are ignored in its export, and custom fields elsewhere', async () => {
    const [plain] = await contactsOf(file('phoneNumber,callDuration,lastCallTime\n1,2,3'));
    expect(plain?.values).toEqual([
      ['phoneNumber', '1'],
      ['callDuration', '2'],
      ['lastCallTime', '3'],
    ]);
    const titles = 'contactId,phoneNumber,callDuration,status,callCount,callDuration,lastCallTime';
    const [exported] = await contactsOf(file(`${titles}\n1,2,own,4,5,6,7`));
    expect(exported?.values).toEqual([
      ['phoneNumber', '2'],
      ['callDuration', 'own'],
    ]);
  });

  it('may be __proto__ or constructor and pollute nothing', async () => {
    const [contact] = await contactsOf(file('phoneNumber,__proto__,constructor\n1,2,3'));
    expect(contact?.values).toEqual([
      ['phoneNumber', '1'],
      ['__proto__', '2'],
      ['constructor', '3'],
    ]);
    expect(({} as Record<string, unknown>)['2']).toBeUndefined();
  });

  it.each([
    ['no phoneNumber', 'customerName\nx', 'no title "phoneNumber"'],
    ['a repeated known title', 'phoneNumber,phonenumber\n1,2', '"phoneNumber" appears twice'],
    ['a repeated custom title', 'phoneNumber,a, a\n1,2', '"a" appears twice'],
    [
      'a repeated synonym',
      'phone,name,phone\n1,2,3',
      '"phone" appears twice: columns A "phone" and C "phone"',
    ],
    ['a repeated reserved title', 'phoneNumber,status,status\n1,2,3', '"status" appears twice'],
    ['no row at all', '', 'it is empty'],
    ['a title of 65 characters', `phoneNumber,${'x'.repeat(65)}\n1`, 'longer than 64 characters'],
  ])('are refused: %s', async (_, text, message) => {
    await expect(contactsOf(file(text))).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(message),
    });
  });

  it('of 64 characters, counted as people do, are accepted', async () => {
    const title = '😀'.repeat(64);
    expect((await contactsOf(file(`phoneNumber,${title}\n1,2`)))[0]?.values[1]).toEqual([title, '2']);
  });

  it('may stand below empty lines', async () => {
    expect(await contactsOf(file('\n,\nphoneNumber\n1'))).toMatchObject([{ line: 4 }]);
  });
});

describe('the rows of a contact file', () => {
  it('leave out empty cells and keep spaces in others', async () => {
    const [contact] = await contactsOf(file('phoneNumber,a,b\n1,, x '));
    expect(contact?.values).toEqual([
      ['phoneNumber', '1'],
      ['b', ' x '],
    ]);
  });

  it('keep text under no title by the letter of its column', async () => {
    const contacts = await contactsOf(file('phoneNumber,address\n1,Main St, Springfield\n2,x,\n3,y, '));
    expect(contacts.map(({ values }) => values.slice(2))).toEqual([[['column C', ' Springfield']], [], []]);
  });

  it('do not count when wholly empty', async () => {
    const text = `phoneNumber,a\n${'1,2\n,\n  ,\t\n\n'.repeat(10_000)}`;
    const contacts = await contactsOf(file(text));
    expect(contacts).toHaveLength(10_000);
    expect(contacts.at(-1)?.line).toBe(39_998);
  });

  it('are 10,000 at most, in either format', async () => {
    const rows = Array.from({ length: 10_001 }, (_, at) => [String(13_800_000_000 + at)]);
    for (const write of [csvFile, xlsxFile]) {
      expect(await contactsOf(await write(['phoneNumber'], rows.slice(1)))).toHaveLength(10_000);
      await expect(contactsOf(await write(['phoneNumber'], rows))).rejects.toMatchObject({
        code: 'tooLarge',
      });
    }
  });

  it('fit in 10 MB; one byte more is too large', async () => {
    const most = 10 * 1024 * 1024;
    const text = Buffer.alloc(most, `${'1,'.padEnd(4095, 'x')}\n`);
    text.write('phoneNumber,a\n');
    expect((await contactsOf(text)).length).toBeGreaterThan(2_000);
    await expect(contactsOf(Buffer.concat([text, file('x')]))).rejects.toMatchObject({ code: 'tooLarge' });
  });
});
