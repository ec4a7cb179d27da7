import type { Contact } from '../../../domain/contacts/contact.ts';
import { callbackLevel } from '../../../domain/dialing/dial-state.ts';
import { priorities } from '../../../domain/dialing/dialing.ts';
import { deferralOf, reconsiderContact } from '../../../domain/dialing/task-contact.ts';
import type { Task } from '../../../domain/tasks/task.ts';
import type { Instant } from '../../../domain/time.ts';
import { concurrently, type Database, keys, Lost, optimistic, timeKey } from '../../table/index.ts';
import type { AdjustedTask, AdjustedTasks, LinePosition, Roster, Tasks } from '../../tasks/index.ts';
import { type IndexPlace, readPlaces } from '../records/index-places.ts';
import type { TaskContacts } from '../records/task-contacts.ts';

type Dependencies = {
  database: Database;
  tasks: Tasks;
  adjusted: AdjustedTasks;
  roster: Roster;
  taskContacts: TaskContacts;
};

const levels = [callbackLevel, ...priorities];
/** Places of a line read at a time. */
const placesAtOnce = 500;
const writesAtOnce = 16;
const tasksAtOnce = 8;
/** To consider a contact again takes about as long as to read that many places. */
const placesPerContact = 10;
/** Work of one request, and of one run of the schedule, in places read: 1,000 and 5,000 contacts. */
const [workOfRequest, workOfSweep] = [10_000, 50_000];
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

  /** Considers the first contacts of a task again. `sweep` does the rest. */
  async reconsider(task: Task, now: Instant): Promise<void> {
    const adjusted = await this.#deps.adjusted.find(task.id);
    if (adjusted !== undefined) await this.#goOn(adjusted, task, workOfRequest, now);
  }

  async sweep(now: Instant): Promise<void> {
    let work = workOfSweep;
    for (const each of await this.#deps.adjusted.all()) {
      const [task] = await this.#deps.tasks.findAll([each.taskId]);
      if (task === undefined) await this.#deps.adjusted.remove(each);
      else work -= await this.#goOn(each, task, work, now);
      if (work <= 0) return;
    }
  }

  /** Answers how much work it was. */
  async #goOn(adjusted: AdjustedTask, task: Task, most: number, now: Instant): Promise<number> {
    let work = 0;
    const { level: first = callbackLevel, after: next, begun = now } = adjusted.position ?? {};
    for (const level of levels.filter((each) => each >= first)) {
      // Contacts that are due by now are considered anyway.
      let after: string | undefined = (level === first ? next : undefined) ?? timeKey(now);
      while (after !== undefined) {
        if (work >= most) {
          await this.#deps.adjusted.move(adjusted, { level, after, begun });
          return work;
        }
        const some = await this.#reconsiderSome(task, adjusted.time, { level, after }, now);
        work += some.work;
        after = some.next;
      }
    }
    if (begun >= adjusted.time + settledMs) await this.#deps.adjusted.remove(adjusted);
    else if (adjusted.position !== undefined) await this.#deps.adjusted.move(adjusted, undefined);
    return work;
  }

  /** Answers how much work it was, and where the next places begin, if there are any. */
  async #reconsiderSome(
    task: Task,
    adjustTime: Instant,
    { level, after }: Omit<LinePosition, 'begun'>,
    now: Instant,
  ) {
    const { database, taskContacts, roster } = this.#deps;
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
      if (level === callbackLevel) await roster.disturbCallbacks(task, now);
      else await roster.disturb(task, now);
    }
    const next = places.length < placesAtOnce ? undefined : places.at(-1)!.sort;
    return { work: places.length + waiting.length * placesPerContact, next };
  }

  /** The contact's number or time zone was corrected. If it still has to wait, it is deferred again. */
  async reconsiderOne({ dataSourceId, seq }: Contact, now: Instant): Promise<void> {
    const { roster, taskContacts } = this.#deps;
    await concurrently(await roster.tasksOf(dataSourceId), tasksAtOnce, (id) =>
      optimistic(async () => {
        const [deferred] = await taskContacts.read(id, [seq]);
        const waiting = deferred && reconsiderContact(deferred, now);
        if (waiting === undefined) return;
        if (!(await taskContacts.write(waiting))) throw new Lost();
        if (waiting.isCallback) await roster.disturbCallbacks({ id }, waiting.due);
        else await roster.disturb({ id, dataSourceId }, waiting.due);
      }),
    );
  }
}
