import type { Contacts } from '../../contacts/contacts.ts';
import type { VisibleContacts } from '../../contacts/contacts-by-seq.ts';
import type { Contact } from '../../contacts/rules/contact.ts';
import { isSelected } from '../../contacts/rules/contact-filter.ts';
import type { Agenda } from '../../platform/agenda/agenda.ts';
import type { Database } from '../../platform/table/database.ts';
import { ifPresent } from '../../platform/table/expressions.ts';
import { keys, timeKey } from '../../platform/table/keys.ts';
import { tryWriteOnce } from '../../platform/table/optimistic.ts';
import { type Instant, secondMs } from '../../platform/time/time.ts';
import type { Task } from '../../tasks/rules/task.ts';
import { callsOf } from '../../tasks/task-work.ts';
import {
  handOut,
  intakeItem,
  intakeKey,
  intakeOf,
  nextDialState,
  readDialState,
  readTakenUp,
} from '../dial-progress-items.ts';
import {
  type DialState,
  type Intake,
  type IntakeContact,
  isBeingLeased,
  isShared,
  nextMoveSize,
  type OpenIntake,
  openIntake,
  passedTo,
} from '../rules/dial-state.ts';
import { type NotSelectedContact, selectContact, type TaskContact } from '../rules/task-contact.ts';
import { movedAtOnce, type TaskContacts } from '../task-contacts.ts';

/** How far the dialing of a task has come: the cursor, and the intakes to check now. */
export type DialProgress = { dial: DialState; intakes: Intake[] };

/**
 * The result of a move of the cursor. `intake`: the contacts that were taken up. `handed`: the
 * first contacts of an intake that other requests share. `again`: contacts that it has put in line.
 * `isOver`: there is no further contact now, or the request has looked at enough.
 */
type CursorMove = {
  dial: DialState;
  intake?: OpenIntake;
  handed?: IntakeContact[];
  again: IntakeContact[];
  isOver: boolean;
};

/** A contact that was not selected when its turn came, and matches now. */
type Again = { before: NotSelectedContact; contact: Contact };

/** The result of looking at contacts one after another. */
type Looked = {
  /** The contacts to take up. */
  selected: number[];
  again: Again[];
  /** How many do not match the filter. */
  passed: number;
  /** How many were not selected when their turn came. */
  settled: number;
  /** How many were taken up before. */
  known: number;
  nextSeq: number;
  visibleTo: number;
  isLast: boolean;
};

type Dependencies = {
  database: Database;
  agenda: Agenda;
  contacts: Contacts;
  taskContacts: TaskContacts;
  /** Minimum of contacts that the cursor moves over at a time. */
  contactsPerMove: number;
};

/** Maximum of intakes that one request checks. */
const checkedAtOnce = 100;
/** Within this time, requests look at a used-up intake one after the other. */
const apartMs = 3 * secondMs;
/** Maximum of contacts that one request looks at for a task: about 80 read units. */
const lookedAtMost = 2000;
/** Contacts read at a time, if few match. */
const pageAtMost = 512;
/** An intake has at most this many times the contacts that were wanted. */
const surplus = 3;
/** Contacts that are put in line again are moved in one transaction. */
const againAtMost = (wanted: number): number => Math.min(wanted, movedAtOnce);

/**
 * Takes contacts up: moves the cursor over them, and lists them until they have a place in line or
 * an outcome. The cursor passes contacts that do not match the task's filter; see `Selection`.
 *
 * One transaction moves the cursor and writes the *intake* that lists the contacts. If two lease
 * requests move it at once, one loses, so each contact is in one intake. The request that made an
 * intake leases from it first. Other requests find the contacts that it leaves: an intake is
 * checked at once while some of its contacts were never leased, and afterwards when the first of
 * their leases ends. Each check shortens the list, until it is empty.
 *
 * If many requests ask at once, an intake is larger and *shared*: a counter hands each contact to
 * one request.
 *
 * A request that dies before it has leased its contacts leaves them in the intake, where the next
 * check finds them.
 */
export class Intakes {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async progress(taskId: string, now: Instant): Promise<DialProgress> {
    const [dial, intakes] = await Promise.all([
      readDialState(this.#deps.database, taskId),
      this.#read(taskId, 'sk < :now', now, checkedAtOnce),
    ]);
    return { dial, intakes };
  }

  /** When the next of the intakes is to be checked. */
  async nextCheckTime(taskId: string, now: Instant): Promise<Instant | undefined> {
    const [next] = await this.#read(taskId, 'sk >= :now', now, 1);
    return next?.checkTime;
  }

  /** Shared intakes are skipped, because `handOut` gives each of their contacts to one request. */
  async open(taskId: string, all: readonly Intake[], now: Instant): Promise<OpenIntake[]> {
    const { taskContacts } = this.#deps;
    // Random, so that requests at the same moment do not all look at an intake that was just used
    // up, and write the same.
    const looked = now - Math.random() * apartMs;
    const intakes = all.filter((intake) => !isShared(intake) && !isBeingLeased(intake, looked));
    const seqs = new Set(intakes.filter(({ isSparse }) => !isSparse).flatMap((intake) => intake.seqs));
    const ascending = [...seqs].sort((a, b) => a - b);
    // If contacts are close together, one query reads as much as many keys.
    const sparse = intakes.filter(({ isSparse }) => isSparse).map((intake) => intake.seqs);
    const found = await Promise.all([
      taskContacts.among(taskId, ascending),
      ...sparse.map((some) => taskContacts.range(taskId, some[0]!, some.at(-1)! + 1)),
    ]);
    const known = new Map(found.flat().map((contact) => [contact.seq, contact]));
    return intakes.map((intake) => openIntake(intake, known, now));
  }

  /** Up to `count` contacts of shared intakes. No other request gets them. */
  async handOut(intakes: readonly Intake[], count: number, now: Instant): Promise<IntakeContact[]> {
    const handed: number[] = [];
    for (const intake of intakes.filter(isShared)) {
      if (handed.length >= count) break;
      const range = await handOut(this.#deps.database, intake, count - handed.length, now);
      handed.push(...intake.seqs.slice(...(range ?? [0, 0])));
    }
    return handed.map((seq) => ({ seq }));
  }

  /**
   * Moves the cursor, or a review of passed contacts, over the next `count` matching contacts or
   * more, or as many as one request may look at. `isContested`: that happened to this request
   * twice.
   * @returns undefined if another request moved it first
   */
  async take(
    task: Task,
    dial: DialState,
    count: number,
    now: Instant,
    isContested = false,
  ): Promise<CursorMove | undefined> {
    const { database, agenda, taskContacts, contactsPerMove } = this.#deps;
    // The filter was adjusted after the request read the task. No contact may be passed by the old
    // filter any more.
    if (dial.isClosed || task.filteredSince !== dial.filteredSince) return { dial, again: [], isOver: true };
    const size = nextMoveSize(dial, contactsPerMove, isContested, now);
    const isWide = size > contactsPerMove;
    const wanted = Math.max(count, size);
    const looked = await this.#look(task, dial, wanted);
    const { selected, again, passed, known, isLast } = looked;
    if (isLast && dial.review === undefined && selected.length + passed + known === 0)
      return { dial, again: [], isOver: true };
    const next = { ...afterLook(dial, looked), lastMove: isWide ? { size, time: now } : undefined };
    const isSparse = dial.review === undefined && passed > selected.length;
    const intake: Intake = {
      taskId: task.id,
      checkTime: 0,
      seqs: selected,
      ...(isSparse && { isSparse }),
      ...(isWide && { handedOut: { count, time: now } }),
    };
    const moved = [
      database.putOf(...nextDialState(next)),
      ...(selected.length === 0 ? [] : [database.putOf(intakeItem(intake))]),
      ...taskContacts.movesOf(
        again.map(({ before, contact }) => ({ before, after: selectContact(before, contact, now) })),
      ),
    ];
    if (!(await tryWriteOnce(() => database.transact(moved)))) return undefined;
    if (again.length > 0) await agenda.bringForward(callsOf(task), now, { isUnseen: true });
    const open = selected.map((seq) => ({ seq }));
    return {
      dial: { ...next, version: (dial.version ?? 0) + 1 },
      ...(selected.length > 0 &&
        (isWide
          ? { handed: open.slice(0, count) }
          : { intake: { intake, open, inCall: new Map(), isOwn: true } })),
      again: again.map(({ before: { seq, version } }) => ({ seq, version: version! + 1 })),
      // Behind a review that has ended there may be contacts that no request has looked at.
      isOver: selected.length < wanted && !(isLast && dial.review !== undefined),
    };
  }

  /** Reads in growing pages until enough contacts match. */
  async #look(task: Task, dial: DialState, wanted: number): Promise<Looked> {
    const { database, contacts, taskContacts } = this.#deps;
    const { review } = dial;
    const takenUp = review === undefined ? new Set<number>() : await readTakenUp(database, task.id);
    const looked: Looked = {
      selected: [],
      again: [],
      passed: 0,
      settled: 0,
      known: 0,
      isLast: false,
      nextSeq: passedTo(dial),
      visibleTo: review === undefined ? dial.visibleTo : dial.cursor,
    };
    let read = 0;
    for (let page = wanted; ; page = Math.min(2 * page, pageAtMost)) {
      const found = await contacts.visibleFrom(task.dataSourceId, looked.nextSeq, page, looked.visibleTo);
      const mayBeKnown = review !== undefined || dial.ahead > looked.known;
      const known = mayBeKnown ? await taskContacts.range(task.id, looked.nextSeq, found.nextSeq) : [];
      const end = this.#sort(task, found, { known, takenUp, wanted }, looked);
      const behind = known.filter(({ seq }) => seq < end);
      looked.known += behind.length;
      looked.settled += behind.filter(({ state }) => state === 'notSelected').length;
      looked.nextSeq = end;
      looked.visibleTo = found.visibleTo;
      looked.isLast = review === undefined ? found.isLast && end === found.nextSeq : end >= dial.cursor;
      read += found.contacts.length;
      const isEnough = looked.selected.length >= wanted || looked.again.length >= againAtMost(wanted);
      if (looked.isLast || isEnough || read >= lookedAtMost) return looked;
    }
  }

  /** @returns the sequence number after the last contact that was looked at */
  #sort(
    { contactFilter }: Task,
    { contacts, nextSeq }: VisibleContacts,
    {
      known,
      takenUp,
      wanted,
    }: { known: readonly TaskContact[]; takenUp: ReadonlySet<number>; wanted: number },
    looked: Looked,
  ): number {
    const knownBySeq = new Map(known.map((contact) => [contact.seq, contact]));
    for (const contact of contacts) {
      const { seq } = contact;
      const taskContact = knownBySeq.get(seq);
      const matches = isSelected(contactFilter, contact);
      if (taskContact === undefined && !takenUp.has(seq)) {
        if (matches) looked.selected.push(seq);
        else looked.passed++;
      } else if (matches && taskContact?.state === 'notSelected')
        looked.again.push({ before: taskContact, contact });
      const isFull = looked.selected.length >= surplus * wanted || looked.again.length >= againAtMost(wanted);
      if (isFull) return seq + 1;
    }
    return nextSeq;
  }

  /** Another request may have replaced the intake first. It wrote the same, or knew more. */
  async replace(intake: Intake, left: Intake | undefined): Promise<void> {
    const { database } = this.#deps;
    if (left?.checkTime === intake.checkTime) return;
    await tryWriteOnce(() =>
      left === undefined
        ? database.delete(intakeKey(intake))
        : database.transact([
            database.deleteOf(intakeKey(intake), ifPresent),
            database.putOf(intakeItem(left)),
          ]),
    );
  }

  async #read(taskId: string, range: string, now: Instant, limit: number): Promise<Intake[]> {
    const items = await this.#deps.database.queryAll({
      KeyConditionExpression: `pk = :pk AND ${range}`,
      ExpressionAttributeValues: { ':pk': keys.intakes(taskId), ':now': timeKey(now + 1) },
      Limit: limit,
    });
    return items.map((item) => intakeOf(taskId, item));
  }
}

/** The state after the cursor was moved, or a review has continued. */
const afterLook = (
  dial: DialState,
  { selected, passed, settled, known, nextSeq, visibleTo, isLast }: Looked,
): DialState => {
  const { review } = dial;
  const counted = { ...dial, claimed: dial.claimed + selected.length, passed: dial.passed + passed };
  if (review === undefined) return { ...counted, cursor: nextSeq, visibleTo, ahead: dial.ahead - known };
  const left = review.left - selected.length - passed;
  // Contacts that are left at the end were deleted meanwhile.
  const settledLeft = Math.max(0, (review.settled ?? 0) - settled);
  return {
    ...counted,
    review: isLast ? undefined : { ...review, from: nextSeq, left, settled: settledLeft },
  };
};
