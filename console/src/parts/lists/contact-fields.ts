import { knownFields, reservedFields } from '../../../../shared/contacts/rules/contact.ts';
import type { Dictionary } from '../../i18n/i18n.ts';
import type { Fact } from '../../ui/figures/figures.tsx';

const isKnown = (name: string): name is (typeof knownFields)[number] =>
  (knownFields as readonly string[]).includes(name);

/** Set by the service, or with a field of its own in the dialog. */
export const isFixedField = (name: string): boolean =>
  name === 'phoneNumber' || reservedFields.has(name) || isKnown(name);

/** The fields of its file, beside the fields that every contact has. */
export const ownFieldsOf = (contact: object): string[] =>
  Object.keys(contact).filter((name) => !isFixedField(name));

/** The columns of the file come before known fields that no contact has. */
export const fieldOrder = (contacts: readonly object[]): { filled: string[]; empty: string[] } => {
  const isFilled = (name: string) =>
    contacts.some((contact) => Boolean((contact as Record<string, unknown>)[name]));
  return {
    filled: [...knownFields.filter(isFilled), ...new Set(contacts.flatMap(ownFieldsOf))],
    empty: knownFields.filter((name) => !isFilled(name)),
  };
};

export const fieldTitle = (name: string, t: Dictionary): string => (isKnown(name) ? t.title[name] : name);

/** What is known of a contact, under the names that the reader knows. */
export const factsOf = (contact: Record<string, unknown>, t: Dictionary): Fact[] =>
  fieldOrder([contact])
    .filled.filter((name) => contact[name])
    .map((name) => [fieldTitle(name, t), String(contact[name])]);
