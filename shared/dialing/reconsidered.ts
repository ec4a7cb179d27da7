import type { Contacts } from '../contacts/contacts.ts';
import { countEdit } from '../contacts/data-sources.ts';
import type { Contact } from '../contacts/rules/contact.ts';
import { isSelected } from '../contacts/rules/contact-filter.ts';
import type { Agenda, ReadEntry } from '../platform/agenda/agenda.ts';
import type { Worked, Worker } from '../platform/agenda/due-work.ts';
import type { RequestKey } from '../platform/requests/effects.ts';
import { concurrently } from '../platform/table/concurrency.ts';
import type { Database, TransactItem } from '../platform/table/database.ts';
import { keys, timeKey } from '../platform/table/keys.ts';
import { optimistic } from '../platform/table/optimistic.ts';
import { type Instant, minuteMs } from '../platform/time/time.ts';
import type { Task } from '../tasks/rules/task.ts';
import { isLive } from '../tasks/rules/task-states.ts';
import { callbacksOf, callsOf, deferredOf } from '../tasks/task-work.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { CallingRules } from './calling-rules.ts';
import { intakeItem, nextDialState, readDialState, readTakenUp } from './dial-progress-items.ts';
import { type IndexPlace, readPlaces } from './dialing-items.ts';
import {
  allLevels,
  callbackLevel,
  passedTo,
  withoutSettled,
  withReview,
  withTakenUp,
} from './rules/dial-state.ts';
import {
  canBe,
  isPlacedAt,
  type LeasedContact,
  leaveOutContact,
  selectContact,
  type TaskContact,
  type WaitingContact,
} from './rules/task-contact.ts';
import { movedAtOnce, type TaskContacts } from './task-contacts.ts';
import { counterKey, type Move, readCounters, recallNumberOf } from './task-counters.ts';

type Dependencies = {
  database: Database;
  agenda: Agenda;
  tasks: Tasks;
  contacts: Contacts;
  taskContacts: TaskContacts;
};

const tasksAtOnce = 8;

/**
 * Contacts that do not match the filter of their task (`contactFilter`).
 *
 * The cursor *passes* a contact that does not match: the dial state counts it, and nothing else is
 * stored. So a contact below the cursor was passed if it exists, has no task contact and no intake
 * lists it. Everything that depends on a passed contact writes the dial state, and each such write
 * needs the version that was read. So the count is exact, and no contact is taken up twice.
 *
 * A contact that was *changed* may match now. Its writer writes the contact first and asks here
 * second. A passed contact that matches is taken up by an intake, like a fresh one. The dial state
 * is written even if the cursor has not come to the contact. A lease request that is just looking
 * at the contact may have read it as it was before, and then fails to move the cursor.
 *
 * When the *filter* is adjusted, the same transaction starts a *review*: lease requests look at the
 * passed contacts once more, from the first one on, before the cursor moves on. Contacts that the
 * review has not come to count as not dialed. A lease request that read the task before the adjust
 * cannot move the cursor or the review any more, because the dial state has the time of the filter.
 *
 * A contact that was taken up and does not match when its turn comes has a task contact already. It
 * is settled: as not selected, or with the outcome of its last call. A review, or a change of the
 * contact, selects it again.
 *
 * If a process dies between the change of a contact and its question here, the contact stays
 * passed. Its client has no answer and sends the request again. An import is resumed and asks
 * again.
 */
export class Selection {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Adjusts a task. An adjusted filter counts at once.
   * @throws ServiceError notFound, notAllowed; what `change` throws
   */
  adjust(
    id: string,
    change: (task: Task) => Promise<Task>,
    by?: string,
    requestKey?: RequestKey,
  ): Promise<Task> {
    return this.#deps.tasks.move(id, 'adjust', change, by, requestKey, async (before, after) =>
      before.filteredSince === after.filteredSince ? [] : this.#reviewSteps(after),
    );
  }

  /** Starts a review, if there are contacts to look at again. */
  async #reviewSteps({ id, filteredSince }: Task): Promise<TransactItem[]> {
    const { database } = this.#deps;
    const [read, { ended }] = await Promise.all([readDialState(database, id), readCounters(database, id)]);
    const dial = { ...read, filteredSince };
    const isAnyLeftOut = dial.passed > 0 || dial.review !== undefined || ended.notSelected > 0;
    return [database.putOf(...nextDialState(isAnyLeftOut ? withReview(dial, ended.notSelected) : dial))];
  }

  /** Contacts were changed. RUNNING and PAUSED tasks take up those that match now. */
  async reconsider(dataSourceId: string, seqs: readonly number[], now: Instant): Promise<void> {
    const { database, agenda, tasks } = this.#deps;
    await countEdit(database, dataSourceId);
    const ids = (await agenda.listed('calls', dataSourceId)).map(({ id }) => id);
    const found = ids.length === 0 ? [] : await tasks.findAll(ids);
    const filtered = found.filter(({ contactFilter = [] }) => contactFilter.length > 0);
    await concurrently(filtered, tasksAtOnce, async (task) => {
      for (let at = 0; at < seqs.length; at += movedAtOnce)
        await this.#reconsiderSome(task, seqs.slice(at, at + movedAtOnce), now);
    });
  }

  async #reconsiderSome(task: Task, seqs: readonly number[], now: Instant): Promise<void> {
    const { database, agenda, contacts, taskContacts } = this.#deps;
    const ascending = [...seqs].sort((a, b) => a - b);
    const isMatching = await optimistic(async () => {
      const dial = await readDialState(database, task.id);
      if (dial.isClosed) return false;
      // Read after the dial state, so a contact that exists was not deleted before the cursor came
      // to it.
      const found = await contacts.among(task.dataSourceId, ascending);
      const selected = found.filter((contact) => isSelected(task.contactFilter, contact));
      const matching = selected.map(({ seq }) => seq);
      if (matching.length === 0) return false;
      const takenUp = await readTakenUp(database, task.id);
      const known = await taskContacts.read(task.id, matching);
      const passed = matching.filter(
        (seq, i) => seq < passedTo(dial) && known[i] === undefined && !takenUp.has(seq),
      );
      const again = known.flatMap((before, i) =>
        before !== undefined && canBe('selected', before)
          ? [{ before, after: selectContact(before, selected[i]!, now) }]
          : [],
      );
      await database.transact([
        database.putOf(...nextDialState(withoutSettled(withTakenUp(dial, passed), again.map(seqOf)))),
        ...(passed.length === 0
          ? []
          : [database.putOf(intakeItem({ taskId: task.id, checkTime: 0, seqs: passed }))]),
        ...taskContacts.movesOf(again),
      ]);
      return true;
    });
    if (isMatching) await agenda.bringForward(callsOf(task), now, { isUnseen: true });
  }

  /**
   * Settles contacts that do not match the filter of the task, unless the filter was adjusted since
   * the task was read.
   * @returns how many were not settled, because another writer came first
   */
  async leaveOut(task: Task, contacts: readonly (WaitingContact | LeasedContact)[]): Promise<number> {
    if (contacts.length === 0) return 0;
    const { database, taskContacts } = this.#deps;
    const counters = await database.batchGet(contacts.map(({ seq }) => counterKey(task.id, seq)));
    const moves = contacts.map((before, i) => ({
      before,
      after: leaveOutContact(before, recallNumberOf(counters[i])),
    }));
    return taskContacts.move(moves, [database.checkOf(keys.dialState(task.id), ifFilteredSince(task))]);
  }
}

const seqOf = ({ after }: Move) => after.seq;

const ifFilteredSince = ({ filteredSince }: Task) =>
  filteredSince === undefined
    ? { ConditionExpression: 'attribute_not_exists(filteredSince)' }
    : {
        ConditionExpression: 'filteredSince = :since',
        ExpressionAttributeValues: { ':since': filteredSince },
      };

/**
 * How far the lines of a task were searched: behind `after`, at that level. `begun`: when the
 * search began.
 */
type LinePosition = { level: number; after: string; begun: Instant };

/** The notes of the entry of a task. */
type Search = {
  /** When its hours or limits were last adjusted, or contacts were last imported. */
  time: Instant;
  /** Contacts were imported, or limits adjusted. Any contact may wait for something else. */
  isAll?: boolean;
  /** Missing: the search begins. */
  position?: LinePosition | null;
};

/** Places of a line that are read at a time. */
const placesAtOnce = 500;
const writesAtOnce = 16;
/** Considering a contact again takes about as long as reading this many places. */
const placesPerContact = 10;
/** Places that one request reads: 1,000 contacts. */
const workOfRequest = 10_000;
/** Places that one claim by the schedule reads: 5,000 contacts. */
const workOfClaim = 50_000;
const claimMs = 2 * minuteMs;
/**
 * A lease request may have read the task before it was adjusted, and defer a contact by the old
 * hours afterwards. The lines are searched again when no such request can be under way any more.
 */
const settledMs = 60_000;

type DeferringDependencies = Omit<Dependencies, 'contacts'> & { selection: Selection; rules: CallingRules };

/**
 * Contacts in line whose place depends on hours that were adjusted, or on a zone or number that was
 * corrected. RUNNING and PAUSED tasks place them again. The hours of all contacts of a task are
 * applied when the line is read, so an adjust rewrites only the places of contacts with zones of
 * their own.
 */
export class DeferredContacts {
  readonly #deps: DeferringDependencies;

  constructor(deps: DeferringDependencies) {
    this.#deps = deps;
  }

  /** Considers the first contacts of a task again. The schedule does the others. */
  async reconsider(task: Task, now: Instant): Promise<void> {
    const { agenda, rules } = this.#deps;
    await rules.beginCounting(task, now);
    const found = await agenda.find(deferredOf(task.id));
    const claimed = found && (await agenda.claim(found, now + claimMs));
    if (claimed === undefined) return;
    const worked = await this.#goOn(claimed, task, workOfRequest, now);
    if (worked === 'done') await agenda.done(claimed);
    else await agenda.postpone(claimed, worked.next, worked.notes);
  }

  /** Continues with the contacts of tasks whose hours were adjusted. */
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
    const { time, isAll = false, position } = notes as unknown as Search;
    const { level: first = callbackLevel, after: next, begun = now } = position ?? {};
    for (const level of allLevels.filter((each) => each >= first)) {
      // Contacts that are due now are callable, unless another limit holds them back.
      let after: string | undefined = (level === first ? next : undefined) ?? (isAll ? '' : timeKey(now));
      while (after !== undefined) {
        if (work >= most) return { next: now, notes: { position: { level, after, begun } } };
        const some = await this.#reconsiderSome(task, isAll, { level, after }, now);
        work += some.work;
        after = some.next;
      }
    }
    return begun >= time + settledMs ? 'done' : { next: now, notes: { position: null } };
  }

  /** @returns how much work it was, and where the next places begin, if there are any */
  async #reconsiderSome(
    task: Task,
    isAll: boolean,
    { level, after }: Omit<LinePosition, 'begun'>,
    now: Instant,
  ) {
    const { database, taskContacts } = this.#deps;
    const places = await readPlaces(database, keys.line(task.id, level), { after, limit: placesAtOnce });
    const seqs = places
      .filter((place) => !place.isLeased && (isAll || mayDependOnHours(place)))
      .map(({ seq }) => seq);
    const waiting = (await taskContacts.read(task.id, seqs)).filter(isWaiting);
    const moved = await this.#replace(task, waiting, now);
    const next = places.length < placesAtOnce ? undefined : places.at(-1)!.sort;
    return { work: places.length + moved * placesPerContact, next };
  }

  /**
   * Moves contacts to the places that the rules give them now. If another writer came first, it has
   * placed the contact.
   */
  async #replace(task: Task, waiting: readonly WaitingContact[], now: Instant): Promise<number> {
    const { taskContacts, rules, agenda } = this.#deps;
    const placed = await rules.place(task, waiting, now);
    const moved = placed.filter((contact, i) => !isPlacedAt(waiting[i]!, contact));
    await concurrently(moved, writesAtOnce, (contact) => taskContacts.write(contact));
    const firstDue = (isCallback: boolean) =>
      Math.min(...moved.filter((contact) => contact.isCallback === isCallback).map(({ due }) => due));
    const callback = firstDue(true);
    const call = firstDue(false);
    if (Number.isFinite(callback)) await agenda.schedule(callbacksOf(task), callback, { isUnseen: true });
    if (Number.isFinite(call)) await agenda.bringForward(callsOf(task), call, { isUnseen: true });
    return moved.length;
  }

  /**
   * The contact was changed. Tasks whose filter excluded it look at it again. `isCorrected`: its
   * number or time zone has changed, so it may wait for something else, or for nothing.
   */
  async reconsiderOne({ dataSourceId, seq }: Contact, isCorrected: boolean, now: Instant): Promise<void> {
    await this.#deps.selection.reconsider(dataSourceId, [seq], now);
    if (!isCorrected) return;
    const { agenda, tasks } = this.#deps;
    const ids = (await agenda.listed('calls', dataSourceId)).map(({ id }) => id);
    const found = ids.length === 0 ? [] : await tasks.findAll(ids);
    await concurrently(found, tasksAtOnce, (task) => this.replace(task, seq, now));
  }

  /** What one contact of a task waits for may have changed. */
  async replace(task: Task, seq: number, now: Instant): Promise<void> {
    const waiting = (await this.#deps.taskContacts.read(task.id, [seq])).filter(isWaiting);
    await this.#replace(task, waiting, now);
  }
}

const isWaiting = (contact: TaskContact | undefined): contact is WaitingContact =>
  contact?.state === 'waiting';

/** Whether the due time of a place is when hours open. Places of 0.5 have no reason. */
const mayDependOnHours = ({ reason, zone }: IndexPlace): boolean =>
  reason === undefined || zone !== undefined;
