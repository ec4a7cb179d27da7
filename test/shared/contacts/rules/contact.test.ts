import { expect, it } from 'vitest';
import { type Contact, readNewContact, statusAt } from '../../../../shared/contacts/rules/contact.ts';

it.each([
  ['a name twice but for spaces', { x: '1', ' x ': '2' }, 'DUPLICATE', /^x: is given twice/],
  ['half a character', { a: '\ud800' }, 'BAD_TEXT', /^a: .*Unicode/],
  ['half a character in a name', { '\udc00': 'x' }, 'BAD_TEXT', /Unicode/],
  ['a NUL', { a: 'x\0' }, 'BAD_TEXT', /^a: .*NUL/],
  ['a NUL in a name', { 'a\0': 'x' }, 'BAD_TEXT', /^fields: .*NUL/],
  [
    'another spelling of the number',
    { PhoneNumber: '1' },
    'DUPLICATE',
    /^PhoneNumber: write it phoneNumber$/,
  ],
  ['a list', { a: [] }, 'WRONG_TYPE', /^a: must be a string, a number or a boolean$/],
  ['no name', { ' ': 'x' }, 'TOO_LONG', /^fields: a field name has 1 to 64 characters$/],
  ['a long name', { ['名'.repeat(65)]: 'x' }, 'TOO_LONG', /^名{64}: a field name has 1 to 64 characters$/],
])('a contact is refused with %s', (_, fields, code, message) => {
  const errors = [expect.objectContaining({ code })];
  const read = () => readNewContact({ phoneNumber: '123', ...fields });
  expect(read).toThrow(expect.objectContaining({ message: expect.stringMatching(message), errors }));
});

it('a contact is in a call until its lease ends', () => {
  const contact = { status: 3, callUntil: 5 } as Contact;
  expect([4, 5].map((now) => statusAt(contact, now))).toEqual([4, 3]);
});
