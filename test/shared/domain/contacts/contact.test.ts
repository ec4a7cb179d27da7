import { expect, it } from 'vitest';
import { type Contact, readNewContact, statusAt } from '../../../../shared/domain/contacts/contact.ts';

it.each([
  ['a name twice but for spaces', { x: '1', ' x ': '2' }, /^x: is given twice/],
  ['half a character', { a: '\ud800' }, /^a: .*Unicode/],
  ['half a character in a name', { '\udc00': 'x' }, /Unicode/],
  ['a NUL', { a: 'x\0' }, /^a: .*NUL/],
  ['a long name', { ['名'.repeat(65)]: 'x' }, /^名{64}: a field name has 1 to 64 characters$/],
])('a contact is refused with %s', (_, fields, message) => {
  expect(() => readNewContact({ phoneNumber: '123', ...fields })).toThrow(message);
});

it('a contact is in a call until its lease ends', () => {
  const contact = { status: 3, callUntil: 5 } as Contact;
  expect([4, 5].map((now) => statusAt(contact, now))).toEqual([4, 3]);
});
