import { expect, it } from 'vitest';
import {
  type Contact,
  readNamedContacts,
  readNewContact,
  statusAt,
} from '../../../../shared/contacts/rules/contact.ts';

const read = (names: Parameters<typeof readNamedContacts>[1]) =>
  readNamedContacts('source', names, (number) => `+86${number}`);

it('contacts are named by their ids, each once', () => {
  const ids = ['source-0', 'source-a', 'source-0', 'other-1', 'source-01', 'source-'];
  const contactIds = [...ids, 'source-gjdgxs', 'source-gjdgxr'];
  expect(read({ contactIds })).toEqual([
    { name: 'source-0', seqs: [0], phones: [] },
    { name: 'source-a', seqs: [10], phones: [] },
    ...['other-1', 'source-01', 'source-', 'source-gjdgxs'].map((name) => ({ name, seqs: [], phones: [] })),
    { name: 'source-gjdgxr', seqs: [999_999_999], phones: [] },
  ]);
});

it('contacts are named by their numbers, each once, in both spellings', () => {
  expect(read({ phoneNumbers: ['138 0013', '138 0013', 'nobody'] })).toEqual([
    { name: '138 0013', seqs: [], phones: ['+861380013', '1380013'] },
    { name: 'nobody', seqs: [], phones: [] },
  ]);
});

it('a contact is in a call until its lease ends', () => {
  const contact = { status: 3, callUntil: 5 } as Contact;
  expect([4, 5].map((now) => statusAt(contact, now))).toEqual([4, 3]);
});

it.each([{ a: '\ud800' }, { '\udc00': 'x' }])('a contact is refused with half a character: %j', (fields) => {
  expect(() => readNewContact({ phoneNumber: '123', ...fields })).toThrow(/Unicode/);
});
