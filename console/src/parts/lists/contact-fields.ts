import { knownFields, reservedFields } from '../../../../shared/domain/contacts/contact.ts';
import type { Dictionary } from '../../i18n/i18n.ts';
import type { Fact } from '../../ui/figures/facts.tsx';

/** Set by the service, or with a place of its own in the form. */
export const hasPlace = (name: string): boolean =>
  name === 'phoneNumber' || reservedFields.has(name) || (knownFields as readonly string[]).includes(name);

/** The fields of its file, beside the fields that every contact has. */
export const ownFieldsOf = (contact: object): string[] =>
  Object.keys(contact).filter((name) => !hasPlace(name));

/** What is known of a contact, under the names that the reader knows. */
export const factsOf = (contact: Record<string, unknown>, t: Dictionary): Fact[] => [
  ...knownFields.map((name): Fact => [t.title[name], String(contact[name] || '–')]),
  ...ownFieldsOf(contact).map((name): Fact => [name, String(contact[name])]),
];
