/**
 * A person, who is a phone number: find what the whole service knows of the number, and erase it.
 *
 * The guards of the data sources say which of them have the number, in any spelling. The headers of
 * tasks name their data sources, so only the task contacts of these tasks are read. A contact that
 * was called and has the number no more is found by a pointer from it. `PersonFinder` may lag by a
 * moment.
 *
 * `Erasures` erases a person in steps:
 *
 * 1. find the contacts of the number, and the calls to it of contacts that have it no more
 * 2. put the erasure on the agenda, with the contacts and calls, but without the number
 * 3. delete the contacts: from now on no task leases them
 * 4. remove what their calls say from the tasks and from the records of calls; counts and live
 *    leases stay
 * 5. take the erasure off the agenda, which publishes the event
 *
 * Each step may be repeated. If a process dies, the next request or the schedule finishes the
 * erasure. An erasure that fails holds up no other.
 */

import type { CallRecords } from '../calls/call-records.ts';
import { type CallRef, erasedCall } from '../calls/rules/call.ts';
import { forgetFormerContacts, readFormerContacts } from '../contacts/contact-items.ts';
import type { Contacts } from '../contacts/contacts.ts';
import type { DataSources } from '../contacts/data-sources.ts';
import { forgetWaiting } from '../contacts/exclusions.ts';
import { findNumber, type NumberHolder } from '../contacts/number-holders.ts';
import { contactId } from '../contacts/rules/contact.ts';
import { doNotCall } from '../contacts/rules/data-source.ts';
import type { Numbering } from '../contacts/rules/phone-number.ts';
import { forgetWaitingContacts } from '../contacts/waiting-contacts.ts';
import { taskContactOf } from '../dialing/dialing-items.ts';
import { callRefs, forgetCalls, isForgotten } from '../dialing/rules/contact-calls.ts';
import type { TaskContact } from '../dialing/rules/task-contact.ts';
import type { TaskContacts } from '../dialing/task-contacts.ts';
import type { Agenda, ReadEntry } from '../platform/agenda/agenda.ts';
import { type Worker, workOff } from '../platform/agenda/due-work.ts';
import type { Work } from '../platform/agenda/work.ts';
import { type EffectRecord, idOnce, once, type RequestKey } from '../platform/requests/effects.ts';
import { ServiceError } from '../platform/rules/errors.ts';
import { concurrently } from '../platform/table/concurrency.ts';
import { type Database, Lost } from '../platform/table/database.ts';
import { partitionRange } from '../platform/table/expressions.ts';
import { keys } from '../platform/table/keys.ts';
import { optimistic } from '../platform/table/optimistic.ts';
import { type Instant, minuteMs } from '../platform/time/time.ts';
import type { Tasks } from '../tasks/tasks.ts';

export const erasureWork = (id: string): Work => ({ kind: 'erasure', id });

type Dependencies = {
  database: Database;
  agenda: Agenda;
  contacts: Contacts;
  dataSources: DataSources;
  tasks: Tasks;
  taskContacts: TaskContacts;
  callRecords: CallRecords;
  phones: () => Promise<Numbering>;
  newId: () => string;
};

type Erased = { contactCount: number; taskCount: number };
type Wish = { phoneNumber: string; keepDoNotCall: boolean };
/** What to erase. It has no number, so that it may outlive a request that broke off. */
type Erasure = {
  contacts: readonly NumberHolder[];
  /** Calls to the number, of contacts that were deleted or have another number now. */
  calls: readonly CallRef[];
};

const readsAtOnce = 16;
const writesAtOnce = 8;
/** Longer than a request or a run of the schedule lasts. */
const brokenOffMs = minuteMs;
const erasureOf = ({ notes }: ReadEntry): Erasure => ({
  contacts: notes.contacts as Erasure['contacts'],
  calls: (notes.calls ?? []) as Erasure['calls'],
});
const nothing: Erased = { contactCount: 0, taskCount: 0 };

export class Erasures {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @throws ServiceError conflict while an import is adding the number */
  erase(wish: Wish, now: Instant, requestKey?: RequestKey): Promise<Erased> {
    const { database, agenda, newId } = this.#deps;
    return once(database, requestKey, 'person#erase', async (effectRecord: EffectRecord<Erased>) => {
      const id = await idOnce(database, requestKey, 'person#erasure', newId);
      await this.#finishBrokenOff(now);
      const begun = await agenda.find(erasureWork(id));
      const erasure = begun ? erasureOf(begun) : await this.#begin(id, wish, now);
      const erased = erasure === undefined ? nothing : await this.#carryOut(erasure, now);
      const records = effectRecord(erased);
      const ended = erasure === undefined ? [] : [agenda.doneOf(erasureWork(id))];
      if (records.length > 0) await optimistic(() => database.transact([...ended, ...records]));
      else if (erasure !== undefined) await agenda.drop(erasureWork(id));
      return erased;
    });
  }

  /** Erasures of requests under way are not due yet: their requests finish them. */
  worker(): Worker {
    return {
      kind: 'erasure',
      claimMs: brokenOffMs,
      work: async (entry, { now }) => {
        await this.#carryOut(erasureOf(entry), now());
        return 'done';
      },
    };
  }

  /** The schedule repeats and logs what fails. */
  async #finishBrokenOff(now: Instant): Promise<void> {
    const run = { now: () => now, isTimeUp: () => false, takesOver: false };
    const unwatched = { age: () => undefined, failure: () => undefined };
    await workOff(this.#deps.agenda, [this.worker()], run, unwatched).catch(() => undefined);
  }

  /**
   * Also removes what has no contact: the calls that count for limits, and the fields on the
   * do-not-call list.
   */
  async #begin(id: string, { phoneNumber, keepDoNotCall }: Wish, now: Instant): Promise<Erasure | undefined> {
    const { database, dataSources, phones } = this.#deps;
    const numbering = await phones();
    const spellings = numbering.spellings(phoneNumber);
    const ids = [doNotCall.id, ...(await dataSources.all()).map((source) => source.id)];
    // First. A contact that was added before it could be taken out is in its list by then.
    await forgetWaitingContacts(database, ids, spellings);
    const holders = await this.#visible(await findNumber(database, numbering, phoneNumber, ids));
    const isKept = ({ dataSourceId }: NumberHolder) => keepDoNotCall && dataSourceId === doNotCall.id;
    for (const holder of holders.filter(isKept)) await this.#bare(holder, now);
    await this.#forgetNumberCalls(spellings);
    if (!keepDoNotCall) await forgetWaiting(database, spellings);
    const contacts = holders.filter((holder) => !isKept(holder));
    const calls = await this.#formerCalls(spellings, now);
    if (contacts.length + calls.length > 0)
      await this.#deps.agenda.add(erasureWork(id), now + brokenOffMs, { contacts, calls });
    // From now on the agenda names the calls.
    await forgetFormerContacts(database, spellings);
    return contacts.length + calls.length === 0 ? undefined : { contacts, calls };
  }

  /** The calls to the number of contacts that do not have it any more. */
  async #formerCalls(spellings: readonly string[], now: Instant): Promise<CallRef[]> {
    const { database, callRecords } = this.#deps;
    const holders = await readFormerContacts(database, spellings);
    if (holders.length === 0) return [];
    const refs = (await this.#inTasks(holders)).flatMap(callRefs);
    const records = await callRecords.read(refs, now);
    return refs.filter((_, i) => spellings.includes(records[i]?.phoneNumber ?? ''));
  }

  /** The contacts in the tasks that have taken them up. */
  async #inTasks(holders: readonly NumberHolder[]): Promise<TaskContact[]> {
    const { database, tasks } = this.#deps;
    const all = await tasks.ofDataSources(new Set(holders.map(({ dataSourceId }) => dataSourceId)));
    const pairs = holders.flatMap(({ dataSourceId, seq }) =>
      all.filter((task) => task.dataSourceId === dataSourceId).map(({ id }) => keys.taskContact(id, seq)),
    );
    const items = await database.batchGet(pairs);
    return items.flatMap((item) => (item === undefined ? [] : [taskContactOf(item)]));
  }

  /** @throws ServiceError conflict if the number belongs to a row of an unfinished import */
  async #visible(holders: readonly NumberHolder[]): Promise<NumberHolder[]> {
    const { database, contacts } = this.#deps;
    const found = await concurrently(holders, readsAtOnce, ({ dataSourceId, seq }) =>
      contacts.at(dataSourceId, seq),
    );
    const missing = holders.filter((_, i) => found[i] === undefined);
    const ranges = await concurrently(missing, readsAtOnce, ({ dataSourceId, seq }) =>
      database.get(keys.contact(dataSourceId, seq)),
    );
    // A contact that was deleted since its guard was read has no item. The row of an import has
    // one.
    if (ranges.some((item) => item !== undefined))
      throw new ServiceError('IMPORT_RUNNING', 'an import is adding this number; retry when it has ended');
    return holders.filter((_, i) => found[i] !== undefined);
  }

  /** The do-not-call list keeps only the number. */
  async #bare({ dataSourceId, seq }: NumberHolder, now: Instant): Promise<void> {
    const { contacts } = this.#deps;
    const contact = await contacts.at(dataSourceId, seq);
    const names = Object.keys(contact?.fields ?? {});
    if (names.length === 0) return;
    const changes = new Map(names.map((name) => [name, null]));
    await contacts.update(dataSourceId, contactId(dataSourceId, seq), { changes }, now);
  }

  async #forgetNumberCalls(phoneNumbers: readonly string[]): Promise<void> {
    const { database } = this.#deps;
    await concurrently(phoneNumbers, readsAtOnce, async (phoneNumber) => {
      const items = await database.lagging.queryAll(partitionRange(keys.calledNumber(phoneNumber)));
      for (const { pk, sk } of items) await database.delete({ pk, sk });
    });
  }

  async #carryOut({ contacts, calls }: Erasure, now: Instant): Promise<Erased> {
    for (const id of new Set(contacts.map(({ dataSourceId }) => dataSourceId))) {
      const seqs = contacts.filter(({ dataSourceId }) => dataSourceId === id).map(({ seq }) => seq);
      await this.#deps.contacts.erase(id, seqs, now);
    }
    const takenUp = await this.#inTasks(contacts);
    const forgotten = await concurrently(takenUp, writesAtOnce, (contact) => this.#forget(contact));
    await this.#forgetRecords([...forgotten.flat().flatMap(callRefs), ...calls], now);
    const taskIds = [...takenUp, ...calls].map(({ taskId }) => taskId);
    return { contactCount: contacts.length, taskCount: new Set(taskIds).size };
  }

  /**
   * The contact must be deleted before, so that a later lease finds no contact. The record of a
   * later call is stored without what the call says.
   * @returns the contact with all calls that were counted before
   */
  #forget({ taskId, seq }: TaskContact): Promise<TaskContact[]> {
    const { taskContacts } = this.#deps;
    return optimistic(async () => {
      const [contact] = await taskContacts.read(taskId, [seq]);
      if (contact === undefined) return [];
      if (isForgotten(contact)) return [contact];
      const forgotten = forgetCalls(contact);
      if (!(await taskContacts.write(forgotten))) throw new Lost();
      return [forgotten];
    });
  }

  /** Removes what the records say of the person. */
  async #forgetRecords(refs: readonly CallRef[], now: Instant): Promise<void> {
    const { callRecords, tasks } = this.#deps;
    const found = await tasks.findAll([...new Set(refs.map(({ taskId }) => taskId))]);
    await concurrently(refs, writesAtOnce, (ref) =>
      optimistic(async () => {
        const [record] = await callRecords.read([ref], now);
        if (record === undefined || record.isErased) return;
        const task = found.find(({ id }) => id === ref.taskId);
        await callRecords.change(erasedCall(record, task ?? {}));
      }),
    );
  }
}
