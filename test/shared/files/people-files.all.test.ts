import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readNewContact } from '../../../shared/contacts/rules/contact.ts';
import { contactsOf } from '../../support/files/file-rows.ts';
import { shapes } from '../../support/files/people-shapes.ts';

const folder = new URL('../../fixtures/contact-files/', import.meta.url);
const files = readdirSync(folder);

describe('a contact list as people have it', () => {
  it('is one of 60 or more files', () => expect(files.length).toBeGreaterThanOrEqual(60));

  it.each(shapes)('is read as its author means, in every kind: $name', async ({ name, means }) => {
    const made = files.filter((file) => file.replace(/^\w+-|\.\w+$/g, '') === name);
    expect(made.length).toBeGreaterThanOrEqual(4);
    for (const file of made) {
      const read = contactsOf(readFileSync(new URL(file, folder)));
      if (means instanceof RegExp) {
        await expect(read, file).rejects.toThrow(means);
        continue;
      }
      const contacts = (await read).map(({ values }) => readNewContact(Object.fromEntries(values)));
      expect(
        contacts.map(({ phoneNumber, fields }) => ({ phoneNumber, ...fields })),
        file,
      ).toEqual(means);
    }
  });
});
