import { invalid } from '../errors.ts';
import { parseContactId } from './contact-id.ts';
import { normalisePhone, type SpellPhone } from './phone-number.ts';

/** A contact as a client names it, and what it may be found by: its sequence number or a text of its phone number. */
export type NamedContact = { name: string; seqs: readonly number[]; phones: readonly string[] };

type Names = { contactIds?: readonly string[] | undefined; phoneNumbers?: readonly string[] | undefined };

/**
 * The contacts that a client names, each once. A number may have been stored before the service had a country: then it
 * is stored as it was written. @throws ServiceError invalid
 */
export const readNamedContacts = (
  dataSourceId: string,
  { contactIds, phoneNumbers }: Names,
  spell: SpellPhone,
): NamedContact[] => {
  if (contactIds !== undefined && phoneNumbers !== undefined)
    throw invalid('phoneNumbers', 'must not be given together with contactIds');
  if (contactIds !== undefined) {
    return [...new Set(contactIds)].map((name) => {
      const seq = parseContactId(dataSourceId, name);
      return { name, seqs: seq === undefined ? [] : [seq], phones: [] };
    });
  }
  if (phoneNumbers === undefined) throw invalid('contactIds', 'or phoneNumbers is required', 'REQUIRED');
  return [...new Set(phoneNumbers)].map((name) => {
    const number = normalisePhone(name);
    return { name, seqs: [], phones: number === undefined ? [] : [...new Set([spell(number), number])] };
  });
};
