import { describe, expect, it } from 'vitest';
import {
  type Contact,
  customNames,
  patched,
  readContactPatch,
  readNewContact,
} from '../../../../shared/domain/contacts/contact.ts';
import {
  addedContact,
  contactRow,
  updatedContact,
} from '../../../../shared/domain/contacts/contact-views.ts';

const parsed = (json: string) => JSON.parse(json) as object;
const aContact = (overrides: Partial<Contact> = {}): Contact => ({
  id: 'ds-1',
  dataSourceId: 'ds',
  seq: 1,
  phoneNumber: '123',
  fields: {},
  status: 0,
  callCount: 0,
  createTime: 1000,
  ...overrides,
});
const manyFields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`field${i}`, 'x']));
const formatTime = (ms: number) => `at ${ms}`;

describe('a new contact', () => {
  it('turns numbers and booleans into text and leaves null out', () => {
    const { fields } = readNewContact({ phoneNumber: '123', orderAmount: 12.5, vip: true, address: null });
    expect(fields).toEqual({ orderAmount: '12.5', vip: 'true' });
  });

  it('ignores what the service sets itself', () => {
    const input = { phoneNumber: '123', id: 1, contactId: {}, dataSourceId: [], status: 9, callCount: 9 };
    expect(readNewContact({ ...input, createTime: 'x', updateTime: 'y' }).fields).toEqual({});
  });

  it('keeps __proto__ and the like as plain fields', () => {
    const json = '{"phoneNumber":"123","__proto__":"p","constructor":"c","toString":"t"}';
    const { fields } = readNewContact(parsed(json));
    expect(Object.entries(fields)).toEqual([
      ['__proto__', 'p'],
      ['constructor', 'c'],
      ['toString', 't'],
    ]);
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
  });

  it.each([
    ['an object', { a: {} }, /^a: /],
    ['an array', { b: [1] }, /^b: /],
    ['an object as __proto__', parsed('{"__proto__":{"x":1}}'), /^__proto__: /],
    ['an empty name', { '': 'x' }, /1 to 64 characters/],
    ['a name of 65 characters', { ['n'.repeat(65)]: 'x' }, /1 to 64 characters/],
    ['a name twice but for spaces', { x: '1', ' x ': '2' }, /^x: is given twice/],
    ['51 fields', manyFields(51), /at most 50 fields/],
    ['half a character', { a: '\ud800' }, /^a: .*Unicode/],
    ['half a character in a name', { '\udc00': 'x' }, /Unicode/],
    ['8 KB and a byte', { abc: 'x'.repeat(8192 - 3 - 3 + 1) }, /at most 8192 bytes/],
  ])('is refused with %s', (_, fields, message) => {
    expect(() => readNewContact({ phoneNumber: '123', ...fields })).toThrow(message);
  });

  it.each([
    ['a name of 64 characters outside the basic plane', { ['𝒳'.repeat(64)]: 'x' }],
    ['50 fields', manyFields(50)],
    ['8 KB', { abc: 'x'.repeat(8192 - 3 - 3) }],
  ])('may have %s', (_, fields) => {
    expect(readNewContact({ phoneNumber: '123', ...fields }).fields).toEqual(fields);
  });

  it('counts bytes, not characters', () => {
    expect(() => readNewContact({ phoneNumber: '123', abc: '中'.repeat(2729) })).toThrow(/bytes/);
  });

  it('needs a phone number', () => {
    expect(() => readNewContact({ customerName: 'x' })).toThrow('phoneNumber: is required');
  });
});

describe('a patch', () => {
  const contact = aContact({ fields: Object.freeze({ a: '1', b: '2' }) });

  it('changes what it names, removes what is null and keeps the rest', () => {
    const patch = readContactPatch(parsed('{"a":null,"c":3,"__proto__":"p"}'));
    const { phoneNumber, fields } = patched(contact, patch);
    expect(phoneNumber).toBe('123');
    expect(Object.entries(fields)).toEqual([
      ['b', '2'],
      ['c', '3'],
      ['__proto__', 'p'],
    ]);
  });

  it('may not take the phone number away', () => {
    expect(() => readContactPatch({ phoneNumber: null })).toThrow('phoneNumber: is required');
    expect(readContactPatch({ contactId: 'x' })).toEqual({ changes: new Map() });
  });

  it('is refused when the contact would become too large', () => {
    const full = aContact({ fields: manyFields(50) });
    expect(() => patched(full, readContactPatch({ extra: 'x' }))).toThrow(/at most 50 fields/);
    expect(patched(full, readContactPatch({ extra: 'x', field0: null })).fields).toHaveProperty('extra', 'x');
  });
});

describe('what a client sees', () => {
  const contact = aContact({ fields: { vip: 'yes', customerName: 'Li' }, callCount: 2, updateTime: 2000 });

  it('is a row with the nine fields first', () => {
    expect(Object.entries(contactRow(contact, 0, formatTime))).toEqual([
      ['id', 'ds-1'],
      ['dataSourceId', 'ds'],
      ['customerName', 'Li'],
      ['phoneNumber', '123'],
      ['address', ''],
      ['orderAmount', ''],
      ['status', 0],
      ['callCount', 2],
      ['createTime', 'at 1000'],
      ['vip', 'yes'],
    ]);
  });

  it('is what was supplied after adding', () => {
    const fields = { id: 'ds-1', dataSourceId: 'ds', phoneNumber: '123', vip: 'yes', customerName: 'Li' };
    expect(addedContact(contact, formatTime)).toEqual({ ...fields, status: 0, createTime: 'at 1000' });
    expect(updatedContact(contact, formatTime)).toEqual({ ...fields, updateTime: 'at 2000' });
  });

  it('counts only names the contract does not know as custom', () => {
    expect(customNames({ vip: '', address: '', orderAmount: '', customerName: '' })).toEqual(['vip']);
  });
});
