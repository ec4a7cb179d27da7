import { concurrently } from '../table/concurrency.ts';
import { type Database, Lost, type TransactItem } from '../table/database.ts';
import {
  ifAbsent,
  ifUnchanged,
  onlyIf,
  partitionRange,
  setAttributes,
  type Update,
} from '../table/expressions.ts';
import { type Item, type Key, keys } from '../table/keys.ts';
import { optimistic, unlessLost } from '../table/optimistic.ts';
import { tableDefinition } from '../table/table.ts';
import type { Instant } from '../time/time.ts';
import { isLinedByGroup, type Line, type Work } from './work.ts';

/** Attributes that a kind of work keeps in its entries. */
export type Notes = Readonly<Record<string, unknown>>;

/** Work, when it is due, and the token of the write that said so. */
export type Entry = Work & {
  /** Kinds with levels only: the most urgent level at which there is something to do. */
  level?: number;
  /** `parked`: the work is listed, but not due at any time. */
  due: Instant;
  /** Changes with each write of the entry. */
  token: number;
};

/** An entry with all its attributes. `since` is when claimed work first came due. */
export type ReadEntry = Entry & { since: Instant; notes: Item };

export const parked = Number.POSITIVE_INFINITY;

type Change = {
  /** The level at which there is something to do now. */
  level?: number;
  /**
   * A check that is under way cannot see the change. So a new token is written, and the check fails
   * to postpone the entry.
   */
  isUnseen?: boolean;
};

const writesAtOnce = 8;

const newToken = () => Math.floor(Math.random() * 2 ** 48);

const lineOf = ({ kind, level, group }: Line): string =>
  keys.dueLine(kind, isLinedByGroup(kind) ? group : level);

const dueKeys = (work: Work & { level?: number | undefined }, due: Instant) => ({
  gsi1pk: lineOf(work),
  gsi1sk: keys.dueSort(due, work.id),
});

const keyOf = ({ kind, group, id }: Work): Key => keys.agendaEntry(kind, group, id);

const itemOf = (work: Work & { level?: number | undefined }, due: Instant, notes: Notes = {}): Item => ({
  ...notes,
  ...keyOf(work),
  ...(due === parked ? {} : dueKeys(work, due)),
  v: newToken(),
});

const entryOf = ({ pk, sk, gsi1pk, gsi1sk, v }: Item): Entry => {
  const [, kind, group] = pk.split('#') as [string, Work['kind'], string | undefined];
  const [, , level] = ((gsi1pk as string | undefined) ?? '').split('#');
  return {
    kind,
    ...(group !== undefined && { group }),
    id: sk,
    ...(level !== undefined && !isLinedByGroup(kind) && { level: Number(level) }),
    due: gsi1sk === undefined ? parked : Number.parseInt(gsi1sk as string, 10),
    token: v as number,
  };
};

const readEntryOf = (item: Item): ReadEntry => {
  const entry = entryOf(item);
  return { ...entry, since: (item.since as Instant | undefined) ?? entry.due, notes: item };
};

const dueAt = (entry: Entry, due: Instant, notes: Notes = {}) => ({
  ...notes,
  ...dueKeys(entry, due),
  v: newToken(),
});

/** A claim keeps `since`, so work that fails again and again shows its age. */
const claimUntil = (entry: Entry, until: Instant): Update => {
  const set = setAttributes(dueAt(entry, until));
  return {
    UpdateExpression: `${set.UpdateExpression}, #since = if_not_exists(#since, :since)`,
    ExpressionAttributeNames: { ...set.ExpressionAttributeNames, '#since': 'since' },
    ExpressionAttributeValues: { ...set.ExpressionAttributeValues, ':since': entry.due },
  };
};

/**
 * Work that is due. An entry says what has to be done (its kind and id), from when on (its due
 * time), and has a token that changes with each write. The index lists entries by due time. An
 * entry without a due time is *parked*: it says that the work exists, for example the calls of a
 * PAUSED task.
 *
 * - A *writer* makes work. It schedules the entry in the transaction of its own change, or brings
 *   the entry forward right after that change.
 * - A *checker* is a lease request. It looks at due work and postpones the entry to the time of the
 *   next thing to do. Several checkers may look at the same entry at the same time.
 * - A *worker* is a scheduled function. It claims a due entry, so that no other worker takes it,
 *   does the work, and removes the entry (done) or postpones it.
 *
 * Postpone, park, claim and done succeed only while the entry has the token that was read. So they
 * never undo what a writer has said meanwhile: the entry stays due and is looked at again.
 *
 * Write first, then read again. A writer writes its change first and the entry second. A checker
 * writes the entry first (it postpones) and then reads again what its due time was based on. So at
 * least one of them sees the other's write. Bringing an entry forward costs no write where the
 * entry is due already. A change that a checker cannot see by reading again is `isUnseen`: the
 * writer then always writes a new token, and the checker fails to postpone.
 *
 * When a process dies: a claim is a due time in the future, so claimed work comes due again by
 * itself. A writer that died before it brought an entry forward is made up for by the next check,
 * which no checker sets later than ten minutes ahead. Work may therefore be done twice, and each
 * kind must end in the same state then.
 */
export class Agenda {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Replaces the entry, if there is one. For the transaction of the change that makes the work. */
  scheduleOf(work: Work & { level?: number }, due: Instant, notes?: Notes): TransactItem {
    return this.#database.putOf(itemOf(work, due, notes));
  }

  /** For the transaction of a change after which the work has to wait. */
  parkOf(work: Work): TransactItem {
    return this.scheduleOf(work, parked);
  }

  /** For the transaction of the change that ends the work. */
  doneOf(work: Work): TransactItem {
    return this.#database.deleteOf(keyOf(work));
  }

  /** Like `scheduleOf`, but as a write of its own. */
  async reschedule(work: Work, due: Instant, notes?: Notes): Promise<void> {
    await this.#database.put(itemOf(work, due, notes));
  }

  /** Adds the entry unless it exists already. */
  async add(work: Work & { level?: number }, due: Instant, notes?: Notes): Promise<void> {
    await unlessLost(() => this.#database.put(itemOf(work, due, notes), ifAbsent));
  }

  /**
   * Makes the work due at `due` at the latest. A missing or parked entry is written, another one is
   * brought forward.
   */
  schedule(work: Work, due: Instant, change: Change = {}): Promise<void> {
    return this.#advance(work, due, change, true);
  }

  /** Makes listed work due at `due` at the latest. A parked entry stays parked. */
  bringForward(work: Work, due: Instant, change: Change = {}): Promise<void> {
    return this.#advance(work, due, change, false);
  }

  /** Like `bringForward`, for all entries of a group. */
  async bringGroupForward(kind: Work['kind'], group: string, due: Instant): Promise<void> {
    const late = (await this.listed(kind, group)).filter((entry) => entry.due !== parked && entry.due > due);
    await concurrently(late, writesAtOnce, (entry) => this.bringForward(entry, due));
  }

  async #advance(work: Work, due: Instant, { level, isUnseen }: Change, mayAdd: boolean): Promise<void> {
    await optimistic(async () => {
      const found = await this.find(work);
      if (found === undefined) {
        if (mayAdd) await this.#database.put(itemOf({ ...work, level }, due), ifAbsent);
        return;
      }
      if (found.due === parked) {
        if (mayAdd) await this.#makeDue(found, due, level);
        return;
      }
      const isRaised = level !== undefined && level < (found.level ?? 0);
      if (found.due <= due && !isRaised && !isUnseen) return;
      await this.#makeDue(found, Math.min(found.due, due), isRaised ? level : found.level);
    });
  }

  /** @throws Lost if another process wrote the entry since it was read */
  async #makeDue(found: Entry, due: Instant, level: number | undefined): Promise<void> {
    const next = { ...dueKeys({ ...found, level }, due), v: newToken() };
    if (!(await this.#rewrite(found, setAttributes(next)))) throw new Lost();
  }

  /**
   * Gives the entry another due time, and further notes.
   * @returns whether the entry still had its token
   */
  postpone(entry: Entry, due: Instant, notes?: Notes): Promise<boolean> {
    return this.#rewrite(entry, setAttributes(dueAt(entry, due, notes), ['since']));
  }

  /** Keeps the entry listed, but not due. @returns whether the entry still had its token */
  park(entry: Entry): Promise<boolean> {
    return this.#rewrite(entry, setAttributes({ v: newToken() }, ['gsi1pk', 'gsi1sk', 'since']));
  }

  /**
   * Takes the work until `until`.
   * @returns undefined if another process took the work, or a writer changed the entry
   */
  async claim(entry: Entry, until: Instant): Promise<ReadEntry | undefined> {
    const claim = onlyIf(claimUntil(entry, until), ifUnchanged(entry.token));
    const item = await unlessLost(() => this.#database.update(keyOf(entry), claim));
    return item && readEntryOf(item);
  }

  /** Removes the entry. @returns whether the entry still had its token */
  async done(entry: Entry): Promise<boolean> {
    const remove = () => this.#database.delete(keyOf(entry), ifUnchanged(entry.token)).then(() => true);
    return (await unlessLost(remove)) ?? false;
  }

  /** Like `doneOf`, but as a write of its own. */
  async drop(work: Work): Promise<void> {
    await unlessLost(() => this.#database.delete(keyOf(work)));
  }

  async #rewrite(entry: Entry, update: Update): Promise<boolean> {
    const rewrite = () => this.#database.update(keyOf(entry), onlyIf(update, ifUnchanged(entry.token)));
    return (await unlessLost(rewrite)) !== undefined;
  }

  async find(work: Work): Promise<ReadEntry | undefined> {
    const item = await this.#database.get(keyOf(work));
    return item && readEntryOf(item);
  }

  /** @returns the entries that exist, in no order */
  async findAll(works: readonly Work[]): Promise<ReadEntry[]> {
    const items = await this.#database.batchGet(works.map(keyOf));
    return items.flatMap((item) => (item === undefined ? [] : [readEntryOf(item)]));
  }

  /** @returns at most `limit` entries of a kind, or of one group of the kind */
  async listed(kind: Work['kind'], group?: string, limit?: number): Promise<ReadEntry[]> {
    const { pk } = keys.agendaEntry(kind, group, '');
    const range = { ...partitionRange(pk), ...(limit !== undefined && { Limit: limit }) };
    return (await this.#database.queryAll(range)).map(readEntryOf);
  }

  /**
   * On AWS the answer may lag a moment.
   * @returns the first `limit` entries of a line that are due by `until`, behind the sort key
   *   `after`, by due time
   */
  async due(line: Line, until: Instant, limit: number, after = ''): Promise<(Entry & { sort: string })[]> {
    const items = await this.#database.queryAll({
      IndexName: tableDefinition.index.name,
      KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': lineOf(line),
        ':from': `${after}#`,
        ':to': keys.dueSort(until, '~'),
      },
      Limit: limit,
    });
    return items.map((item) => ({ ...entryOf(item), sort: item.gsi1sk as string }));
  }
}
