import type { Contact } from '../../domain/contacts/contact.ts';
import { doNotCall } from '../../domain/contacts/data-source.ts';
import type { Numbering } from '../../domain/contacts/phone-number.ts';
import { isFailed } from '../../domain/dialing/task-contact.ts';
import { type ContactStanding, contactStanding, untouched } from '../../domain/dialing/task-contact-views.ts';
import { isAmongContacts, type Task } from '../../domain/tasks/task.ts';
import type { Instant } from '../../domain/time.ts';
import type { Contacts, DataSources } from '../contacts/index.ts';
import { dialStateOf, taskContactOf } from '../dialing/index.ts';
import { concurrently, type Database, keys, recordOf } from '../table/index.ts';
import type { TaskOfSource, Tasks } from '../tasks/index.ts';
import { findNumber, type NumberPlace } from './number-places.ts';

type Dependencies = {
  database: Database;
  contacts: Contacts;
  dataSources: DataSources;
  tasks: Tasks;
  phones: () => Promise<Numbering>;
};

/** How the contact stands in one task that calls its data source. */
type PersonTask = TaskOfSource & ContactStanding & { lastCallTime: Instant | null };
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
    const plan = await phones();
    const places = await findNumber(database, plan, phoneNumber, ids);
    const contacts = await this.#visible(places);
    const isListed = ({ dataSourceId }: Contact) => dataSourceId === doNotCall.id;
    const called = contacts.filter((contact) => !isListed(contact));
    const names = new Map(sources.map(({ id, dataSourceName }) => [id, dataSourceName]));
    return {
      // As a lease sees it: without a country the list stops only the spelling that it holds.
      doNotCall: contacts
        .filter(isListed)
        .some((listed) => plan.spell(listed.phoneNumber) === plan.spell(phoneNumber)),
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

/**
 * What each of the tasks has made of the contact. Contacts that were added after the end of a task are not among its
 * contacts. The task's record is read only where the contact is untouched, and its recalls only where it has failed.
 */
const readPersonTasks = async (
  database: Database,
  contact: Contact,
  tasks: readonly TaskOfSource[],
  now: Instant,
): Promise<PersonTask[]> => {
  const items = await database.batchGet(tasks.map(({ id }) => keys.taskContact(id, contact.seq)));
  const known = items.map((item) => item && taskContactOf(item));
  const more = await database.batchGet(
    tasks
      .map(({ id }, i) => (known[i] === undefined ? keys.task(id) : keys.dialState(id)))
      .filter((_, i) => known[i] === undefined || isFailed(known[i])),
  );
  let next = 0;
  return tasks.flatMap((task, i): PersonTask[] => {
    const taskContact = known[i];
    if (taskContact === undefined) {
      const record = more[next++];
      const isIn = record !== undefined && isAmongContacts(recordOf<Task>(record), contact);
      return isIn ? [{ ...task, ...untouched, lastCallTime: null }] : [];
    }
    const { recallNumber } = dialStateOf(task.id, isFailed(taskContact) ? more[next++] : undefined);
    const standing = contactStanding(taskContact, recallNumber, now);
    return [{ ...task, ...standing, lastCallTime: taskContact.lastCallTime }];
  });
};
