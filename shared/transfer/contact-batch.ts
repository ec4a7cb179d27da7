import type { SpellPhone } from '../domain/contacts/phone-number.ts';
import { invalid } from '../domain/errors.ts';
import { ContactSieve, SievedRows } from './checked-contacts.ts';
import type { CheckedRows } from './checked-rows.ts';

/** The contacts of a request body, each as it was sent. */
export type ContactBatch = { contacts: readonly object[] };

const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};
const phoneOf = (contact: object) =>
  textOf(Object.entries(contact).find(([name]) => name === 'phoneNumber')?.[1]);

/** A batch has no cells: the number of its row says where a contact is. */
const nowhere = () => ({});

/** The contacts of a batch as rows, numbered from 1. */
export const checkContactBatch = ({ contacts }: ContactBatch, spell?: SpellPhone): CheckedRows => {
  const sieve = new ContactSieve(spell);
  const sieved = new SievedRows();
  contacts.forEach((fields, at) => {
    sieved.add(sieve.check({ line: at + 1, phone: phoneOf(fields), fields, cellOf: nowhere }));
  });
  const titles = [...new Set(['phoneNumber', ...contacts.flatMap((contact) => Object.keys(contact))])];
  const cellsOf = new Map(
    contacts.map((contact, at) => {
      const values = new Map(Object.entries(contact));
      return [at + 1, titles.map((title) => textOf(values.get(title)))];
    }),
  );
  const { rows, rejected } = sieved;
  return { importCount: contacts.length, rows, rejected, titles, cellsOf, locate: (row) => row };
};

/** The same from the stored body of the request. @throws ServiceError invalid */
export const checkStoredBatch = (body: Uint8Array, spell?: SpellPhone): CheckedRows => {
  try {
    return checkContactBatch(JSON.parse(new TextDecoder().decode(body)) as ContactBatch, spell);
  } catch {
    throw invalid('file', 'is not a batch of contacts', 'BAD_FILE');
  }
};
