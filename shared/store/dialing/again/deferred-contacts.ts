import type { Contact } from '../../../domain/contacts/contact.ts';
import { callbackLevel } from '../../../domain/dialing/dial-state.ts';
import { priorities } from '../../../domain/dialing/dialing.ts';
import { deferralOf, reconsiderContact } from '../../../domain/dialing/task-contact.ts';
import type { Task } from '../../../domain/tasks/task.ts';
import { isLive } from '../../../domain/tasks/task-states.ts';
import { type Instant, minuteMs } from '../../../domain/time.ts';
import type { ReadEntry, Worked, Worker } from '../../agenda/index.ts';
import { type Agenda, callbacksOf, callsOf, deferredOf } from '../../agenda/index.ts';
import { concurrently, type Database, keys, Lost, optimistic, timeKey } from '../../table/index.ts';
import type { Tasks } from '../../tasks/index.ts';
import { type IndexPlace, readPlaces } from '../records/index-places.ts';
import type { TaskContacts } from '../records/task-contacts.ts';

type Dependencies = {
  database: Database;
  tasks: Tasks;
  agenda: Agenda;
  taskContacts: TaskContacts;
};

/** How far the lines of a task were searched: behind `after`, at that level. `begun`: when the search began. */
type LinePosition = { level: number; after: string; begun: Instant };

/** What the entry of a task notes. */
type Search = {
  /** When its hours were adjusted, or zones of its contacts were corrected, last. */
  time: Instant;
  /** Missing: the search begins. */
  position?: LinePosition | null;
};

const levels = [callbackLevel, ...priorities];
/** Places of a line read at a time. */
const placesAtOnce = 500;
const writesAtOnce = 16;
const tasksAtOnce = 8;
/** To consider a contact again takes about as long as to read that many places. */
const placesPerContact = 10;
/** Work of one request, and of one claim by the schedule, in places read: 1,000 and 5,000 contacts. */
const [workOfRequest, workOfClaim] = [10_000, 50_000];
const claimMs = 2 * minuteMs;
/** Clocks differ by less. */
const clockErrorMs = 5000;
/**
 * A lease request may have read the task before it was adjusted and defer a contact by the old hours after that. The lines
 * are searched again when no such request is under way any more.
 */
const settledMs = 60_000;

/**
 * Contacts that were deferred by hours that were adjusted since, or before they were corrected. RUNNING and PAUSED tasks
 * consider them again: they are due as if they had not been deferred.
 */
export class DeferredContacts {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Considers the first contacts of a task again. The schedule does the rest. */
  async reconsider(task: Task, now: Instant): Promise<void> {
    const { agenda } = this.#deps;
    const found = await agenda.find(deferredOf(task.id));
    const claimed = found && (await agenda.claim(found, now + claimMs));
    if (claimed === undefined) return;
    const worked = await this.#goOn(claimed, task, workOfRequest, now);
    if (worked === 'done') await agenda.done(claimed);
    else await agenda.postpone(claimed, worked.next, worked.notes);
  }

  /** Goes on with the contacts of tasks whose hours were adjusted. */
  worker(): Worker {
    return {
      kind: 'deferred',
      claimMs,
      work: async (entry, { now }) => {
        const [task] = await this.#deps.tasks.findAll([entry.id]);
        if (task === undefined || !isLive(task.status)) return 'done';
        return this.#goOn(entry, task, workOfClaim, now());
      },
    };
  }

  async #goOn({ notes }: ReadEntry, task: Task, most: number, now: Instant): Promise<Worked> {
    let work = 0;
    const { time, position } = notes as unknown as Search;
    const { level: first = callbackLevel, after: next, begun = now } = position ?? {};
    for (const level of levels.filter((each) => each >= first)) {
      // Contacts that are due by now are considered anyway.
      let after: string | undefined = (level === first ? next : undefined) ?? timeKey(now);
      while (after !== undefined) {
        if (work >= most) return { next: now, notes: { position: { level, after, begun } } };
        const some = await this.#reconsiderSome(task, time, { level, after }, now);
        work += some.work;
        after = some.next;
      }
    }
    return begun >= time + settledMs ? 'done' : { next: now, notes: { position: null } };
  }

  /** Answers how much work it was, and where the next places begin, if there are any. */
  async #reconsiderSome(
    task: Task,
    adjustTime: Instant,
    { level, after }: Omit<LinePosition, 'begun'>,
    now: Instant,
  ) {
    const { database, taskContacts, agenda } = this.#deps;
    const places = await readPlaces(database, keys.line(task.id, level), { after, limit: placesAtOnce });
    const deferred = places.filter(({ isDeferred, isLeased }) => isDeferred && !isLeased);
    const read = await taskContacts.read(
      task.id,
      deferred.map(({ seq }: IndexPlace) => seq),
    );
    const waiting = read.flatMap((contact) => {
      const deferTime = (contact && deferralOf(contact)?.time) ?? Number.POSITIVE_INFINITY;
      // Otherwise it was deferred by the new hours.
      return contact && deferTime <= adjustTime + clockErrorMs ? (reconsiderContact(contact, now) ?? []) : [];
    });
    // Another writer that came first has put the contact elsewhere.
    await concurrently(waiting, writesAtOnce, (contact) => taskContacts.write(contact));
    if (waiting.length > 0) {
      if (level === callbackLevel) await agenda.schedule(callbacksOf(task), now, { isUnseen: true });
      else await agenda.bringForward(callsOf(task), now, { isUnseen: true });
    }
    const next = places.length < placesAtOnce ? undefined : places.at(-1)!.sort;
    return { work: places.length + waiting.length * placesPerContact, next };
  }

  /** The contact's number or time zone was corrected. If it still has to wait, it is deferred again. */
  async reconsiderOne({ dataSourceId, seq }: Contact, now: Instant): Promise<void> {
    const { agenda, taskContacts } = this.#deps;
    await concurrently(await agenda.listed('calls', dataSourceId), tasksAtOnce, ({ id }) =>
      optimistic(async () => {
        const [deferred] = await taskContacts.read(id, [seq]);
        const waiting = deferred && reconsiderContact(deferred, now);
        if (waiting === undefined) return;
        if (!(await taskContacts.write(waiting))) throw new Lost();
        if (waiting.isCallback) await agenda.schedule(callbacksOf({ id }), waiting.due, { isUnseen: true });
        else await agenda.bringForward(callsOf({ id, dataSourceId }), waiting.due, { isUnseen: true });
      }),
    );
  }
}
