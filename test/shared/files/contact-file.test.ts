import { describe, expect, it } from 'vitest';
import { contactsOf } from '../../support/files/file-rows.ts';

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

  it('of 64 characters, counted as people do, are accepted', async () => {
    const title = '😀'.repeat(64);
    expect((await contactsOf(file(`phoneNumber,${title}\n1,2`)))[0]?.values[1]).toEqual([title, '2']);
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
});
