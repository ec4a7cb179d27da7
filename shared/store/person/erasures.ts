import { contactId } from '../../domain/contacts/contact-id.ts';
import { doNotCall } from '../../domain/contacts/data-source.ts';
import type { Numbering } from '../../domain/contacts/phone-number.ts';
import { forgetCalls } from '../../domain/dialing/task-contact.ts';
import { ServiceError } from '../../domain/errors.ts';
import { type Instant, minuteMs } from '../../domain/time.ts';
import { type Agenda, erasureWork, type ReadEntry, type Worker, workOff } from '../agenda/index.ts';
import type { Contacts, DataSources } from '../contacts/index.ts';
import type { TaskContacts } from '../dialing/index.ts';
import { type EffectRecord, idOnce, once, type RequestKey } from '../requests/index.ts';
import type { Database } from '../table/index.ts';
import { concurrently, keys, Lost, optimistic, partitionRange } from '../table/index.ts';
import type { Tasks } from '../tasks/index.ts';
import { findNumber, type NumberPlace } from './number-places.ts';

type Dependencies = {
  database: Database;
  agenda: Agenda;
  contacts: Contacts;
  dataSources: DataSources;
  tasks: Tasks;
  taskContacts: TaskContacts;
  phones: () => Promise<Numbering>;
  newId: () => string;
};

export type Erased = { contactCount: number; taskCount: number };
type Wish = { phoneNumber: string; keepDoNotCall: boolean };
/** The contacts to erase. It names no number, so that it may outlive a request that broke off. */
type Erasure = readonly NumberPlace[];

const readsAtOnce = 16;
const writesAtOnce = 8;
/** Longer than a request lasts, and a run of the schedule. */
const brokenOffMs = minuteMs;
const contactsOf = ({ notes }: ReadEntry) => notes.contacts as Erasure;
const nothing: Erased = { contactCount: 0, taskCount: 0 };

/**
 * Erases a person:
 *
 * 1. find the contacts of the number
 * 2. put the erasure on the agenda, with the contacts
 * 3. delete the contacts: from now on no task leases them
 * 4. remove their calls from the tasks; counts and live leases stay
 * 5. take the erasure off the agenda, which publishes the event
 *
 * Each step may be repeated. An erasure that broke off is finished by the next request or by the schedule. An erasure
 * that fails holds up no other.
 */
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
      const erasure = begun ? contactsOf(begun) : await this.#begin(id, wish, now);
      const erased = erasure === undefined ? nothing : await this.#carryOut(erasure, now);
      const records = effectRecord(erased);
      const ended = erasure === undefined ? [] : [agenda.doneOf(erasureWork(id))];
      if (records.length > 0) await optimistic(() => database.transact([...ended, ...records]));
      else if (erasure !== undefined) await agenda.drop(erasureWork(id));
      return erased;
    });
  }

  /** Erasures of requests that are under way are not due yet: they are left to their requests. */
  worker(): Worker {
    return {
      kind: 'erasure',
      claimMs: brokenOffMs,
      work: async (entry, { now }) => {
        await this.#carryOut(contactsOf(entry), now());
        return 'done';
      },
    };
  }

  /** What fails is left to the schedule, which reports it. */
  async #finishBrokenOff(now: Instant): Promise<void> {
    const run = { now: () => now, isTimeUp: () => false, takesOver: false };
    const unreported = { age: () => undefined, failure: () => undefined };
    await workOff(this.#deps.agenda, [this.worker()], run, unreported).catch(() => undefined);
  }

  /** Also removes what has no contact: the calls of the day, and the fields on the do-not-call list. */
  async #begin(id: string, { phoneNumber, keepDoNotCall }: Wish, now: Instant): Promise<Erasure | undefined> {
    const { database, dataSources, phones } = this.#deps;
    const plan = await phones();
    const ids = [doNotCall.id, ...(await dataSources.all()).map((source) => source.id)];
    const places = await this.#visible(await findNumber(database, plan, phoneNumber, ids));
    const isKept = ({ dataSourceId }: NumberPlace) => keepDoNotCall && dataSourceId === doNotCall.id;
    for (const place of places.filter(isKept)) await this.#bare(place, now);
    await this.#forgetCallsOfDay(plan.spellings(phoneNumber));
    const contacts = places.filter((place) => !isKept(place));
    if (contacts.length === 0) return undefined;
    await this.#deps.agenda.add(erasureWork(id), now + brokenOffMs, { contacts });
    return contacts;
  }

  /** @throws ServiceError conflict when the number belongs to a row of an unfinished import */
  async #visible(places: readonly NumberPlace[]): Promise<NumberPlace[]> {
    const { database, contacts } = this.#deps;
    const found = await concurrently(places, readsAtOnce, ({ dataSourceId, seq }) =>
      contacts.at(dataSourceId, seq),
    );
    const missing = places.filter((_, i) => found[i] === undefined);
    const ranges = await concurrently(missing, readsAtOnce, ({ dataSourceId, seq }) =>
      database.get(keys.contact(dataSourceId, seq)),
    );
    // A contact that was deleted since its guard was read has no item. The row of an import has one.
    if (ranges.some((item) => item !== undefined))
      throw new ServiceError('IMPORT_RUNNING', 'an import is adding this number; retry when it has ended');
    return places.filter((_, i) => found[i] !== undefined);
  }

  /** The do-not-call list keeps the number alone. */
  async #bare({ dataSourceId, seq }: NumberPlace, now: Instant): Promise<void> {
    const { contacts } = this.#deps;
    const contact = await contacts.at(dataSourceId, seq);
    const names = Object.keys(contact?.fields ?? {});
    if (names.length === 0) return;
    const changes = new Map(names.map((name) => [name, null]));
    await contacts.update(dataSourceId, contactId(dataSourceId, seq), { changes }, now);
  }

  async #forgetCallsOfDay(phoneNumbers: readonly string[]): Promise<void> {
    const { database } = this.#deps;
    await concurrently(phoneNumbers, readsAtOnce, async (phoneNumber) => {
      const days = await database.lagging.queryAll(partitionRange(keys.callsOfDay(phoneNumber, '').pk));
      for (const { pk, sk } of days) await database.delete({ pk, sk });
    });
  }

  async #carryOut(contacts: Erasure, now: Instant): Promise<Erased> {
    for (const id of new Set(contacts.map(({ dataSourceId }) => dataSourceId))) {
      const own = contacts.filter(({ dataSourceId }) => dataSourceId === id);
      const seqs = own.map(({ seq }) => seq).sort((a, b) => a - b);
      await this.#deps.contacts.removeSeqs(id, seqs, now);
    }
    const taskCount = await forgetInTasks(this.#deps, contacts);
    return { contactCount: contacts.length, taskCount };
  }
}

/**
 * Removes the calls of contacts from every task that has taken them up. Answers how many tasks these are: the same
 * number if it is repeated. The contacts must have been deleted: a lease that is given later finds no contact.
 */
const forgetInTasks = async (
  { database, tasks, taskContacts }: Pick<Dependencies, 'database' | 'tasks' | 'taskContacts'>,
  places: readonly NumberPlace[],
): Promise<number> => {
  const all = await tasks.ofDataSources(new Set(places.map(({ dataSourceId }) => dataSourceId)));
  const pairs = places.flatMap(({ dataSourceId, seq }) =>
    all.filter((task) => task.dataSourceId === dataSourceId).map(({ id }) => ({ taskId: id, seq })),
  );
  const items =
    pairs.length > 0
      ? await database.batchGet(pairs.map(({ taskId, seq }) => keys.taskContact(taskId, seq)))
      : [];
  const takenUp = pairs.filter((_, i) => items[i] !== undefined);
  await concurrently(takenUp, writesAtOnce, ({ taskId, seq }) =>
    optimistic(async () => {
      const [contact] = await taskContacts.read(taskId, [seq]);
      if (contact === undefined || contact.results.length === 0) return;
      if (!(await taskContacts.write(forgetCalls(contact)))) throw new Lost();
    }),
  );
  return new Set(takenUp.map(({ taskId }) => taskId)).size;
};
