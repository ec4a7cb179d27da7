import type { Contacts } from '../contacts/contacts.ts';
import { readDataSourceSeen, readFieldNames } from '../contacts/data-sources.ts';
import { type Directory, readDirectories } from '../contacts/directory.ts';
import { packPhone } from '../contacts/phone-block.ts';
import { knownFields } from '../contacts/rules/contact.ts';
import { doNotCall } from '../contacts/rules/data-source.ts';
import { emergencyNumbersIn } from '../contacts/rules/emergency-numbers.ts';
import { ownTimeFields } from '../contacts/rules/own-times.ts';
import type { Numbering } from '../contacts/rules/phone-number.ts';
import type { CallingRules } from '../dialing/calling-rules.ts';
import { ServiceError } from '../platform/rules/errors.ts';
import { concurrently } from '../platform/table/concurrency.ts';
import type { Database } from '../platform/table/database.ts';
import type { Instant } from '../platform/time/time.ts';
import type { Task } from '../tasks/rules/task.ts';
import { putSelectedCount } from '../tasks/task-items.ts';
import type { Tasks } from '../tasks/tasks.ts';
import { type Scan, scanFields } from './preflight/contact-scan.ts';
import { countShared, findShared, PhoneList, type ReadPhones, readPhones } from './preflight/phone-list.ts';
import type { Preflight } from './rules/preflight.ts';

/** `database` and the stores may lag. */
type Dependencies = {
  database: Database;
  tasks: Tasks;
  contacts: Contacts;
  phones: () => Promise<Numbering>;
  /** ISO 3166 code of the service's country; empty if it has none. */
  country: string;
  /** IANA name of the service's zone. */
  timeZone: string;
};

type ListedPhones = { id: string; name: string; phones: PhoneList };

/** The contacts of a task, and the exclusion lists that have them. */
type Looked = {
  hasOwnZones: boolean;
  hasOwnTimes: boolean;
  /** Of the task's filter, those that no contact of the list has. */
  unknownFields: string[];
  listVersion: number;
  directory: Directory;
  read: ReadPhones;
  numbers: PhoneList;
  lists: readonly ListedPhones[];
  /**
   * For each index of `numbers`, one bit for each list, and one for an emergency number. A task has
   * at most six lists.
   */
  listsAt: Uint8Array;
};

/** A contact that a task would not call, and what blocks it. */
export type BlockedRow = {
  seq: number;
  lists: Pick<ListedPhones, 'id' | 'name'>[];
  isEmergency: boolean;
  /** Its `callBefore` has passed. */
  isOver: boolean;
};

const emergencyBit = 1 << 7;

/** Maximum of contacts of a task and its lists, for the 29 seconds of a request. */
const numbersAtMost = 4_000_000;

const assertFew = (total: number): void => {
  if (total <= numbersAtMost) return;
  throw new ServiceError(
    'TOO_MANY_CONTACTS',
    `the list and its exclusion lists have ${total} contacts, and a pre-flight covers at most ${numbersAtMost}: split the list`,
  );
};

/** Maximum of numbers that are looked up for the limits on the calls to them. */
const limitedAtMost = 5000;

/** The contacts and all lists of a task. */
const sourcesAtOnce = 7;

const bits = (value: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => i).filter((i) => (value & (1 << i)) !== 0);

/**
 * Says which contacts of a task are on its exclusion lists, from packed phone numbers. Its reads
 * may lag a moment.
 */
export class PreflightReader {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async of(task: Task, rules: CallingRules, now: Instant): Promise<Preflight> {
    const { database, tasks, phones } = this.#deps;
    const [looked, active] = await Promise.all([this.#look(task), tasks.active()]);
    const { hasOwnZones, listVersion, numbers, lists, listsAt } = looked;
    const scan = await this.#scan(task, looked, now);
    const scaled = (count: number) => Math.round(count * scan.share);
    const counts = lists.map(() => 0);
    let matching = 0;
    let blockedCount = 0;
    let emergencies = 0;
    listsAt.forEach((value, index) => {
      if (!scan.at(index)) return;
      matching++;
      if (value === 0 && !scan.isOver(index)) return;
      blockedCount++;
      if ((value & emergencyBit) !== 0) emergencies++;
      for (const at of bits(value, lists.length)) counts[at]!++;
    });
    const total = numbers.size;
    const blocked = scaled(blockedCount);
    const isCallable = (index: number) => listsAt[index] === 0 && scan.at(index) && !scan.isOver(index);
    const atLimit = await countAtLimit(rules, task, { numbers, isCallable }, now);
    return {
      total,
      notSelected: total - scaled(matching),
      estimated: scan.isEstimated || atLimit.isEstimated,
      blocked,
      blockedBy: lists
        .map(({ id, name }, i) => ({ dataSourceId: id, dataSourceName: name, count: scaled(counts[i]!) }))
        .filter(({ count }) => count > 0),
      emergencyNumbers: scaled(emergencies),
      atLimit: scaled(atLimit.count),
      unreadableTimes: scan.unreadableTimes,
      unknownFields: looked.unknownFields,
      otherSpelling: scaled(countOtherSpellings(looked, isCallable)),
      ...(await findOtherTasks(database, await phones(), {
        dataSourceId: task.dataSourceId,
        others: active.filter(({ id }) => id !== task.id),
        numbers,
        callable: scaled(matching) - blocked,
        isCallable,
        scaled,
      })),
      hasOwnZones,
      listVersion,
    };
  }

  /** Stores how many contacts the filter selects, for overviews of a task that has not ended. */
  async keepSelected(task: Task, { total, notSelected, estimated, listVersion }: Preflight): Promise<void> {
    if (task.contactCount !== null || (task.contactFilter ?? []).length === 0) return;
    const found = { selected: total - notSelected, total, estimated };
    await putSelectedCount(this.#deps.database, task, found, listVersion);
  }

  #scan(
    { dataSourceId, contactFilter }: Task,
    { directory, hasOwnTimes, numbers }: Looked,
    now: Instant,
  ): Promise<Scan> {
    const { database, contacts, timeZone: zone } = this.#deps;
    const source = { database, contacts, dataSourceId, directory, hasOwnTimes, zone };
    return scanFields(source, contactFilter, numbers, now);
  }

  /**
   * The contacts that are not called, selected by the filter or not, by ascending sequence number,
   * and what blocks them.
   */
  async blockedOf(task: Task, now: Instant): Promise<BlockedRow[]> {
    const looked = await this.#look(task);
    const { read, numbers, lists, listsAt } = looked;
    const scan = await this.#scan({ ...task, contactFilter: [] }, looked, now);
    const blocked: BlockedRow[] = [];
    read.packed.forEach((packed, i) => {
      const index = numbers.indexOf(packed)!;
      const value = listsAt[index]!;
      const isOver = scan.isOver(index);
      if (value === 0 && !isOver) return;
      blocked.push({
        seq: read.seqs[i]!,
        lists: bits(value, lists.length).map((at) => lists[at]!),
        isEmergency: (value & emergencyBit) !== 0,
        isOver,
      });
    });
    return blocked;
  }

  async #look({ dataSourceId, excludedDataSourceIds = [], contactFilter = [] }: Task): Promise<Looked> {
    const ids = [dataSourceId, ...new Set([doNotCall.id, ...excludedDataSourceIds])];
    const numbering = await this.#deps.phones();
    const sources = await concurrently(ids, sourcesAtOnce, async (id) => ({
      id,
      ...(await readDataSourceSeen(this.#deps.database, id)),
    }));
    assertFew(sources.reduce((sum, { directory }) => sum + directory.total, 0));
    const [own, ...excluded] = await concurrently(sources, sourcesAtOnce, async (source) => ({
      ...source,
      read: await readPhones(this.#deps.database, source.id, source.directory),
    }));
    const lists = excluded.map(({ id, name, read }) => ({
      id,
      name: id === doNotCall.id ? doNotCall.dataSourceName : name,
      phones: new PhoneList(read.packed),
    }));
    const { zones, version: listVersion, directory, read } = own!;
    const names = await readFieldNames(this.#deps.database, dataSourceId);
    const hasOwnTimes = ownTimeFields.some((name) => names.includes(name));
    const known = new Set<string>(['phoneNumber', ...knownFields, ...names]);
    const filtered = new Set(contactFilter.map(({ field }) => field));
    const unknownFields = [...filtered].filter((field) => !known.has(field));
    const numbers = new PhoneList(read.packed);
    const listsAt = new Uint8Array(numbers.size);
    lists.forEach(({ phones }, at) => {
      findShared(numbers, phones, numbering, (index) => {
        listsAt[index]! |= 1 << at;
      });
    });
    for (const text of emergencyNumbersIn(this.#deps.country).flatMap((each) => [each, `+${each}`])) {
      const index = numbers.indexOf(packPhone(text));
      if (index !== undefined) listsAt[index]! |= emergencyBit;
    }
    const hasOwnZones = zones !== undefined;
    return { hasOwnZones, hasOwnTimes, unknownFields, listVersion, directory, read, numbers, lists, listsAt };
  }
}

/** Callable contacts at a limit or at rest, perhaps estimated from a part of them. */
const countAtLimit = async (
  rules: CallingRules,
  task: Task,
  { numbers, isCallable }: { numbers: PhoneList; isCallable: (index: number) => boolean },
  now: Instant,
): Promise<{ count: number; isEstimated: boolean }> => {
  if (!(await rules.areNumbersLimited(task, now))) return { count: 0, isEstimated: false };
  const callable = Array.from({ length: numbers.size }, (_, index) => index).filter(isCallable);
  const step = Math.max(1, callable.length / limitedAtMost);
  const looked = Array.from({ length: Math.min(callable.length, limitedAtMost) }, (_, i) =>
    numbers.phoneAt(callable[Math.floor(i * step)]!),
  );
  const held = await rules.countHeld(task, looked, now);
  return { count: Math.round(held * step), isEstimated: step > 1 };
};

const countOtherSpellings = ({ numbers, lists }: Looked, isCallable: (index: number) => boolean): number => {
  const filled = lists.filter(({ phones }) => phones.size > 0);
  if (filled.length === 0) return 0;
  const listed = filled.map(({ phones }) => phones.lastNine());
  const ends = new Uint32Array(listed.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const some of listed) {
    ends.set(some, at);
    at += some.length;
  }
  return countShared(numbers.lastNine(isCallable), ends.sort());
};

/** Maximum of contacts of other data sources that are read: 260 read units. */
const budget = 400_000;
/** The cost of a data source itself, in contacts. */
const costOfSource = 1500;
/** Maximum of data sources whose size is read. */
const maxSources = 200;
const otherSourcesAtOnce = 3;

type Search = {
  dataSourceId: string;
  others: readonly Task[];
  /** The phone numbers of the task's contacts. */
  numbers: PhoneList;
  /** How many of them would be called, and which, by their index. */
  callable: number;
  isCallable: (index: number) => boolean;
  /** How many of `count` callable contacts match the filter, if that is estimated. */
  scaled: (count: number) => number;
};

/** The smallest data sources that the budget allows to be read. */
const affordable = (sources: readonly Directory[]): Directory[] => {
  let left = budget;
  return sources
    .toSorted((a, b) => a.total - b.total)
    .filter(({ total }) => {
      left -= total + costOfSource;
      return left >= 0;
    });
};

/** The tasks that have some of the callable contacts, the most contacts first. */
const findOtherTasks = async (
  database: Database,
  numbering: Numbering,
  { dataSourceId, others, numbers, callable, isCallable, scaled }: Search,
): Promise<Pick<Preflight, 'alsoIn' | 'alsoInComplete'>> => {
  const ids = [...new Set(others.map((task) => task.dataSourceId))].filter((id) => id !== dataSourceId);
  const known = ids.slice(0, maxSources);
  const directories = callable === 0 ? [] : await readDirectories(database, known);
  const read = new Set(affordable(directories));
  const shared = await concurrently(known, otherSourcesAtOnce, async (id): Promise<[string, number]> => {
    const directory = directories[known.indexOf(id)];
    if (directory === undefined || !read.has(directory) || directory.total === 0) return [id, 0];
    const { packed } = await readPhones(database, id, directory);
    let count = 0;
    findShared(numbers, new PhoneList(packed), numbering, (index) => {
      if (isCallable(index)) count++;
    });
    return [id, scaled(count)];
  });
  const countOf = new Map([[dataSourceId, callable], ...shared]);
  return {
    alsoIn: others
      .map(({ id, taskName, dataSourceId: its }) => ({ taskId: id, taskName, count: countOf.get(its) ?? 0 }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count),
    alsoInComplete: callable === 0 || read.size === ids.length,
  };
};
