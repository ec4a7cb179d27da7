import type { CallRecords } from '../calls/call-records.ts';
import { type CallRef, callId } from '../calls/rules/call.ts';
import { readFormerContacts } from '../contacts/contact-items.ts';
import type { Contacts } from '../contacts/contacts.ts';
import type { DataSources } from '../contacts/data-sources.ts';
import { findNumber, type NumberHolder } from '../contacts/number-holders.ts';
import { type Contact, contactId } from '../contacts/rules/contact.ts';
import { doNotCall } from '../contacts/rules/data-source.ts';
import type { Numbering } from '../contacts/rules/phone-number.ts';
import type { CallingRules } from '../dialing/calling-rules.ts';
import { dialStateOf, readPassed } from '../dialing/dial-progress-items.ts';
import { taskContactOf } from '../dialing/dialing-items.ts';
import { callRefs } from '../dialing/rules/contact-calls.ts';
import { isFailed, type TaskContact } from '../dialing/rules/task-contact.ts';
import {
  type ContactStanding,
  contactStanding,
  type ListedCall,
  notSelected,
  untouched,
} from '../dialing/rules/task-contact-views.ts';
import { concurrently } from '../platform/table/concurrency.ts';
import type { Database } from '../platform/table/database.ts';
import { keys } from '../platform/table/keys.ts';
import { recordOf } from '../platform/table/named-records.ts';
import type { Instant } from '../platform/time/time.ts';
import { isAmongContacts, type Task } from '../tasks/rules/task.ts';
import type { TaskOfSource, Tasks } from '../tasks/tasks.ts';
import type { ContactOfPerson } from './rules/person.ts';

type Dependencies = {
  database: Database;
  contacts: Contacts;
  dataSources: DataSources;
  tasks: Tasks;
  callRecords: CallRecords;
  rules: CallingRules;
  phones: () => Promise<Numbering>;
};

type FoundPerson = { doNotCall: boolean; contacts: ContactOfPerson[] };

const readsAtOnce = 16;

/** What happened to the contacts of a number in which task, and when they can be called. */
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
      // As a lease decides: without a country the list excludes only the spelling that it has.
      doNotCall: contacts
        .filter(isListed)
        .some((listed) => numbering.spell(listed.phoneNumber) === numbering.spell(phoneNumber)),
      contacts: [
        ...(await this.#withTasks(called.map(holderOf), names, spellings, now)),
        ...(await this.#former(contacts.map(holderOf), names, spellings, now)),
      ],
    };
  }

  /** The contacts that do not have the number any more, with the calls that were made to it. */
  async #former(
    known: readonly FoundHolder[],
    names: ReadonlyMap<string, string>,
    spellings: readonly string[],
    now: Instant,
  ): Promise<ContactOfPerson[]> {
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

  /** Rows of unfinished imports are excluded. */
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
    const { database, tasks, rules } = this.#deps;
    const all = await tasks.ofDataSources(new Set(holders.map(({ dataSourceId }) => dataSourceId)));
    return concurrently(holders, readsAtOnce, async (holder): Promise<ContactOfPerson> => {
      const own = all.filter(({ dataSourceId }) => dataSourceId === holder.dataSourceId);
      const found = await readPersonTasks(database, holder, own, now);
      const standing = found.map((each) => ({ ...each, contact: holder.contact }));
      const [holds, standings] = await Promise.all([rules.holdsOf(standing, now), rules.withLists(standing)]);
      return {
        ...holder,
        contactId: contactId(holder.dataSourceId, holder.seq),
        dataSourceName: names.get(holder.dataSourceId) ?? '',
        tasks: await concurrently([...found.keys()], readsAtOnce, async (at) => {
          const { task, taskContact } = found[at]!;
          const standing = standings[at]!;
          const ended = taskContact === undefined ? [] : callRefs(taskContact);
          return {
            ...task,
            ...standing,
            lastCallTime: taskContact?.lastCallTime ?? null,
            holds: holds[at],
            calls: await this.#callsTo(spellings, standing.calls, ended, now),
          };
        }),
      };
    });
  }

  /**
   * Every call to the number. `listed`: what the task contact itself knows, because calls of 0.3
   * have no record.
   */
  async #callsTo(
    spellings: readonly string[],
    listed: readonly ListedCall[],
    ended: readonly CallRef[],
    now: Instant,
  ): Promise<ListedCall[]> {
    const records = await this.#deps.callRecords.read(ended, now);
    const known = new Map(listed.map((call) => [call.callId, call]));
    return ended.flatMap((ref, i): ListedCall[] => {
      const id = callId(ref);
      const record = records[i];
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

type StandingTask = { task: Task; standing: ContactStanding; taskContact: TaskContact | undefined };

/**
 * What each of the tasks has made of the contact. Contacts that were added after the end of a task
 * do not belong to it. The dial state is read if a recall or a filter may have changed how the
 * contact stands.
 */
const readPersonTasks = async (
  database: Database,
  { seq, contact }: FoundHolder,
  tasks: readonly TaskOfSource[],
  now: Instant,
): Promise<StandingTask[]> => {
  const [records, items] = await Promise.all([
    database.batchGet(tasks.map(({ id }) => keys.task(id))),
    database.batchGet(tasks.map(({ id }) => keys.taskContact(id, seq))),
  ]);
  const found = tasks.flatMap((_, i) => {
    const task = records[i] && recordOf<Task>(records[i]);
    const taskContact = items[i] && taskContactOf(items[i]);
    const isIn = taskContact !== undefined || (contact && task && isAmongContacts(task, contact));
    return task && isIn ? [{ task, taskContact }] : [];
  });
  const dials = await database.batchGet(
    found.filter(needsDialState).map(({ task }) => keys.dialState(task.id)),
  );
  const dialOf = new Map(dials.map((item) => [item?.pk, item]));
  return concurrently(found, readsAtOnce, async ({ task, taskContact }) => {
    const dial = dialStateOf(task.id, dialOf.get(keys.dialState(task.id).pk));
    if (taskContact !== undefined)
      return { task, taskContact, standing: contactStanding(taskContact, task, dial, now) };
    const isPassed = await readPassed(database, dial);
    return { task, taskContact, standing: isPassed(seq) ? notSelected : untouched };
  });
};

const needsDialState = ({ task, taskContact }: Omit<StandingTask, 'standing'>): boolean =>
  taskContact === undefined
    ? (task.contactFilter ?? []).length > 0
    : isFailed(taskContact) || taskContact.state === 'notSelected';
