import type { Contact } from '../../domain/contacts/contact.ts';
import { doNotCall } from '../../domain/contacts/data-source.ts';
import type { PhonePlan } from '../../domain/contacts/phone-number.ts';
import type { Instant } from '../../domain/time.ts';
import type { Contacts, DataSources } from '../contacts/index.ts';
import type { Database } from '../table/index.ts';
import { concurrently } from '../table/index.ts';
import type { Tasks } from '../tasks/index.ts';
import { findNumber, type NumberPlace } from './number-places.ts';
import { type PersonTask, readPersonTasks } from './person-tasks.ts';

type Dependencies = {
  database: Database;
  contacts: Contacts;
  dataSources: DataSources;
  tasks: Tasks;
  phones: () => Promise<PhonePlan>;
};

type FoundContact = { contact: Contact; dataSourceName: string; tasks: PersonTask[] };
type FoundPerson = { doNotCall: boolean; contacts: FoundContact[] };

const readsAtOnce = 16;

/** Finds a phone number in all data sources, and what happened to its contacts in which task. It may lag by a moment. */
export class PersonFinder {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async find(phoneNumber: string, now: Instant): Promise<FoundPerson> {
    const { database, dataSources, phones } = this.#deps;
    const sources = await dataSources.all();
    const ids = [doNotCall.id, ...sources.map(({ id }) => id)];
    const places = await findNumber(database, await phones(), phoneNumber, ids);
    const contacts = await this.#visible(places);
    const called = contacts.filter(({ dataSourceId }) => dataSourceId !== doNotCall.id);
    const names = new Map(sources.map(({ id, dataSourceName }) => [id, dataSourceName]));
    return {
      doNotCall: called.length < contacts.length,
      contacts: await this.#withTasks(called, names, now),
    };
  }

  /** Without the rows of unfinished imports. */
  async #visible(places: readonly NumberPlace[]): Promise<Contact[]> {
    const found = await concurrently(places, readsAtOnce, ({ dataSourceId, seq }) =>
      this.#deps.contacts.at(dataSourceId, seq),
    );
    return found.filter((contact) => contact !== undefined);
  }

  async #withTasks(contacts: readonly Contact[], names: ReadonlyMap<string, string>, now: Instant) {
    if (contacts.length === 0) return [];
    const { database, tasks } = this.#deps;
    const all = await tasks.ofDataSources(new Set(contacts.map(({ dataSourceId }) => dataSourceId)));
    return concurrently(contacts, readsAtOnce, async (contact): Promise<FoundContact> => {
      const own = all.filter(({ dataSourceId }) => dataSourceId === contact.dataSourceId);
      return {
        contact,
        dataSourceName: names.get(contact.dataSourceId) ?? '',
        tasks: await readPersonTasks(database, contact, own, now),
      };
    });
  }
}
