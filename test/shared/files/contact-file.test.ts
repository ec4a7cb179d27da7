import { describe, expect, it } from 'vitest';
import { contactsOf, xlsxFile } from '../../support/files/file-rows.ts';

const file = (text: string) => Buffer.from(text);

const valuesOf = async (text: string) => (await contactsOf(file(text))).map(({ values }) => values);

describe('the titles of a contact file', () => {
  const outcomes = 'contactId,phoneNumber,callDuration,status,callCount,callDuration,lastCallTime';
  it.each<[string, string, Record<string, string>]>([
    [
      'trimmed, known ones in any case, unknown ones as written',
      ' PHONENUMBER , customername,Address,OrderAmount, My Field \n1,2,3,4,5',
      { phoneNumber: '1', customerName: '2', address: '3', orderAmount: '4', 'My Field': '5' },
    ],
    [
      'ignored where the service sets them itself',
      'contactId,id,dataSourceId,status,callCount,createTime,updateTime,phoneNumber\n1,2,3,4,5,6,7,8',
      { phoneNumber: '8' },
    ],
    [
      'custom fields where they tell what came of calls, outside the export of a task',
      'phoneNumber,callDuration,lastCallTime\n1,2,3',
      { phoneNumber: '1', callDuration: '2', lastCallTime: '3' },
    ],
    [
      'ignored in the export of a task',
      `${outcomes}\n1,2,own,4,5,6,7`,
      { phoneNumber: '2', callDuration: 'own' },
    ],
    [
      `${'😀'.repeat(64)}, of 64 characters`,
      `phoneNumber,${'😀'.repeat(64)}\n1,2`,
      { phoneNumber: '1', ['😀'.repeat(64)]: '2' },
    ],
    [
      'above empty cells, which are left out, and spaces',
      'phoneNumber,a,b\n1,, x ',
      { phoneNumber: '1', b: ' x ' },
    ],
    ...['*手机号', '手机号：', '＊Tel.（必填）'].map((title): [string, string, Record<string, string>] => [
      `with signs, as templates have them, ${title}`,
      `${title}\n138`,
      { phoneNumber: '138' },
    ]),
  ])('are %s', async (_, text, values) => {
    expect(await valuesOf(text)).toEqual([Object.entries(values)]);
  });

  it('may be __proto__ or constructor and pollute nothing', async () => {
    const own = [
      ['phoneNumber', '1'],
      ['__proto__', '2'],
      ['constructor', '3'],
    ];
    expect(await valuesOf('phoneNumber,__proto__,constructor\n1,2,3')).toEqual([own]);
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
    [
      'text under no title that goes to the field of another column',
      'phone,column D\n1,2,,3',
      'columns B and D both go to the field "column D"',
    ],
    ['a title of 65 characters', `phoneNumber,${'x'.repeat(65)}\n1`, 'longer than 64 characters'],
  ])('are refused: %s', async (_, text, message) => {
    await expect(contactsOf(file(text))).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(message),
    });
  });

  it('may stand below empty lines, and in any of the first twenty', async () => {
    expect(await contactsOf(file('\n,\nphoneNumber\n1'))).toMatchObject([{ line: 4 }]);
    expect(await contactsOf(file(`${'x\n'.repeat(19)}phoneNumber\n1`))).toMatchObject([{ line: 21 }]);
  });

  it.each([
    ['the field itself, before another word for it', 'phone,PhoneNumber\n1,2', new Map()],
    ['the column of the mapping', 'phone,Other\n1,2', new Map([['Other', 'phoneNumber']])],
  ])('name the phone numbers by %s', async (_, text, mapping) => {
    expect((await contactsOf(file(text), { mapping }))[0]?.values).toEqual([
      ['phone', '1'],
      ['phoneNumber', '2'],
    ]);
  });
});

describe('the rows of a contact file', () => {
  it('keep text under no title by the letter of its column', async () => {
    const contacts = await contactsOf(file('phoneNumber,address\n1,Main St, Springfield\n2,x,\n3,y, '));
    expect(contacts.map(({ values }) => values.slice(2))).toEqual([[['column C', ' Springfield']], [], []]);
  });

  it('do not count when wholly empty', async () => {
    const text = `phoneNumber,a\n${'1,2\n,\n  ,\t\n\n'.repeat(10_000)}`;
    const contacts = await contactsOf(file(text));
    expect(contacts).toHaveLength(10_000);
    expect(contacts.at(-1)?.line).toBe(39_998);
    const workbook = await xlsxFile(['phoneNumber', 'a'], [['1'], ['', ' '], ['2']]);
    expect((await contactsOf(workbook)).map(({ line }) => line)).toEqual([2, 4]);
  });
});
