import type { Contact } from '../../domain/contacts/contact.ts';
import { contactId } from '../../domain/contacts/contact-id.ts';
import { doNotCall } from '../../domain/contacts/data-source.ts';
import type { Numbering } from '../../domain/contacts/phone-number.ts';
import { callId } from '../../domain/dialing/call.ts';
import { type CallRef, callRefs, isFailed } from '../../domain/dialing/task-contact.ts';
import {
  type ContactStanding,
  contactStanding,
  type ListedCall,
  notSelected,
  untouched,
} from '../../domain/dialing/task-contact-views.ts';
import { isAmongContacts, type Task } from '../../domain/tasks/task.ts';
import type { Instant } from '../../domain/time.ts';
import type { CallRecords } from '../calls/index.ts';
import { type Contacts, type DataSources, readFormerContacts } from '../contacts/index.ts';
import { dialStateOf, readPassed, taskContactOf } from '../dialing/index.ts';
import { concurrently, type Database, keys, recordOf } from '../table/index.ts';
import type { TaskOfSource, Tasks } from '../tasks/index.ts';
import { findNumber, type NumberHolder } from './number-holders.ts';

type Dependencies = {
  database: Database;
  contacts: Contacts;
  dataSources: DataSources;
  tasks: Tasks;
  callRecords: CallRecords;
  phones: () => Promise<Numbering>;
};

/** How the contact stands in one task that calls its data source. */
type PersonTask = TaskOfSource & ContactStanding & { lastCallTime: Instant | null };
type FoundContact = NumberHolder & {
  contactId: string;
  /** `undefined`: the contact was deleted. */
  contact: Contact | undefined;
  dataSourceName: string;
  tasks: PersonTask[];
};
type FoundPerson = { doNotCall: boolean; contacts: FoundContact[] };

const readsAtOnce = 16;

/**
 * Finds a phone number in all data sources, and what happened to its contacts in which task. Contacts that were called under
 * this number, and were deleted or have another number now, are found with these calls. It may lag by a moment.
 */
export class PersonFinder {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async find(phoneNumber: string, now: Instant): Promise<FoundPerson> {
    const { database, dataSources, phones } = this.#deps;
    const sources = await dataSources.all();
    const ids = [doNotCall.id, ...sources.map(({ id }) => id)];
    const numbering = await phones();
    const holders = await findNumber(database, numbering, phoneNumber, ids);
    const contacts = await this.#visible(holders);
    const spellings = numbering.spellings(phoneNumber);
    const isListed = ({ dataSourceId }: Contact) => dataSourceId === doNotCall.id;
    const called = contacts.filter((contact) => !isListed(contact));
    const names = new Map(sources.map(({ id, dataSourceName }) => [id, dataSourceName]));
    return {
      // As a lease sees it: without a country the list stops only the spelling that it holds.
      doNotCall: contacts
        .filter(isListed)
        .some((listed) => numbering.spell(listed.phoneNumber) === numbering.spell(phoneNumber)),
      contacts: [
        ...(await this.#withTasks(called.map(holderOf), names, spellings, now)),
        ...(await this.#former(contacts.map(holderOf), names, spellings, now)),
      ],
    };
  }

  /** The contacts that have the number no more, with the calls that were made to it. */
  async #former(
    known: readonly FoundHolder[],
    names: ReadonlyMap<string, string>,
    spellings: readonly string[],
    now: Instant,
  ): Promise<FoundContact[]> {
    const { database, contacts } = this.#deps;
    const isKnown = new Set(known.map(({ dataSourceId, seq }) => contactId(dataSourceId, seq)));
    const former = (await readFormerContacts(database, spellings)).filter(
      ({ dataSourceId, seq }) => !isKnown.has(contactId(dataSourceId, seq)),
    );
    const holders = await concurrently(former, readsAtOnce, async (holder) => ({
      ...holder,
      contact: await contacts.at(holder.dataSourceId, holder.seq),
    }));
    const found = await this.#withTasks(holders, names, spellings, now);
    const called = found.map((each) => ({
      ...each,
      tasks: each.tasks.filter(({ calls }) => calls.length > 0),
    }));
    return called.filter(({ tasks }) => tasks.length > 0);
  }

  /** Without the rows of unfinished imports. */
  async #visible(holders: readonly NumberHolder[]): Promise<Contact[]> {
    const found = await concurrently(holders, readsAtOnce, ({ dataSourceId, seq }) =>
      this.#deps.contacts.at(dataSourceId, seq),
    );
    return found.filter((contact) => contact !== undefined);
  }

  async #withTasks(
    holders: readonly FoundHolder[],
    names: ReadonlyMap<string, string>,
    spellings: readonly string[],
    now: Instant,
  ) {
    if (holders.length === 0) return [];
    const { database, tasks } = this.#deps;
    const all = await tasks.ofDataSources(new Set(holders.map(({ dataSourceId }) => dataSourceId)));
    return concurrently(holders, readsAtOnce, async (holder): Promise<FoundContact> => {
      const own = all.filter(({ dataSourceId }) => dataSourceId === holder.dataSourceId);
      const standing = await readPersonTasks(database, holder, own, now);
      return {
        ...holder,
        contactId: contactId(holder.dataSourceId, holder.seq),
        dataSourceName: names.get(holder.dataSourceId) ?? '',
        tasks: await concurrently(standing, readsAtOnce, async ({ ended, ...task }) => ({
          ...task,
          calls: await this.#callsTo(spellings, task.calls, ended, now),
        })),
      };
    });
  }

  /** Every call to the number. `listed`: what the task contact itself knows; calls of 0.3 have no record. */
  async #callsTo(
    spellings: readonly string[],
    listed: readonly ListedCall[],
    ended: readonly CallRef[],
    now: Instant,
  ): Promise<ListedCall[]> {
    const records = await this.#deps.callRecords.read(ended, now);
    const known = new Map(listed.map((call) => [call.callId, call]));
    return ended.flatMap((ref, i): ListedCall[] => {
      const [id, record] = [callId(ref), records[i]];
      const listedCall = known.get(id);
      if (record === undefined) return listedCall === undefined ? [] : [listedCall];
      const { phoneNumber, endTime: time, outcome, reason, duration } = record;
      const isOther = phoneNumber !== null && !spellings.includes(phoneNumber);
      return isOther ? [] : [{ callId: id, time, outcome, reason, duration }];
    });
  }
}

type FoundHolder = NumberHolder & { contact: Contact | undefined };
const holderOf = (contact: Contact): FoundHolder => ({
  dataSourceId: contact.dataSourceId,
  seq: contact.seq,
  contact,
});

/**
 * What each of the tasks has made of the contact. Contacts that were added after the end of a task are not among its
 * contacts. The task's record is read only where the contact is untouched, and its recalls only where it has failed.
 */
const readPersonTasks = async (
  database: Database,
  { seq, contact }: FoundHolder,
  tasks: readonly TaskOfSource[],
  now: Instant,
): Promise<(PersonTask & { ended: CallRef[] })[]> => {
  const items = await database.batchGet(tasks.map(({ id }) => keys.taskContact(id, seq)));
  const known = items.map((item) => item && taskContactOf(item));
  const more = await database.batchGet(
    tasks
      .map(({ id }, i) => (known[i] === undefined ? keys.task(id) : keys.dialState(id)))
      .filter((_, i) => known[i] === undefined || isFailed(known[i])),
  );
  const filtered = more.flatMap((item) =>
    item && isFiltered(recordOf<Task>(item)) ? [item.id as string] : [],
  );
  const left = new Set(await leftOutBy(database, filtered, seq));
  let next = 0;
  return tasks.flatMap((task, i) => {
    const taskContact = known[i];
    if (taskContact === undefined) {
      const record = more[next++];
      const isIn =
        record !== undefined && contact !== undefined && isAmongContacts(recordOf<Task>(record), contact);
      const standing = left.has(task.id) ? notSelected : untouched;
      return isIn ? [{ ...task, ...standing, lastCallTime: null, ended: [] }] : [];
    }
    const { recallNumber } = dialStateOf(task.id, isFailed(taskContact) ? more[next++] : undefined);
    const standing = contactStanding(taskContact, recallNumber, now);
    return [{ ...task, ...standing, lastCallTime: taskContact.lastCallTime, ended: callRefs(taskContact) }];
  });
};

const isFiltered = ({ contactFilter = [] }: Task): boolean => contactFilter.length > 0;

/** The tasks whose filter has left out a contact that none of them has taken up. */
const leftOutBy = async (database: Database, ids: readonly string[], seq: number): Promise<string[]> => {
  const dials = await database.batchGet(ids.map((id) => keys.dialState(id)));
  const found = await concurrently([...ids.keys()], readsAtOnce, async (at) => {
    const isPassed = await readPassed(database, dialStateOf(ids[at]!, dials[at]));
    return isPassed(seq) ? [ids[at]!] : [];
  });
  return found.flat();
};
