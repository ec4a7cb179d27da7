import { Contacts } from '../../contacts/contacts.ts';
import { DataSources } from '../../contacts/data-sources.ts';
import { numberingIn } from '../../contacts/phone-country.ts';
import type { Database } from '../../platform/table/database.ts';
import type { Base } from './base.ts';
import { taskStores } from './tasks.ts';

/** How phone numbers are written in the country of the service. */
export const openPhones = ({ settings }: Base) => {
  const phones = numberingIn(settings.country);
  return { phones, spellPhone: async () => (await phones()).spell };
};

export const contactStores = (database: Database) => {
  const { agenda, tasks } = taskStores(database);
  const contacts = new Contacts(database, agenda);
  return { agenda, tasks, contacts, dataSources: new DataSources(database, agenda, tasks) };
};

/** Data sources with their contacts, and tasks. */
export const openContacts = (base: Base) => ({
  ...base,
  ...openPhones(base),
  ...contactStores(base.database),
});

export type ContactRuntime = ReturnType<typeof openContacts>;
