import { doNotCall } from '../../domain/contacts/data-source.ts';
import type { Numbering } from '../../domain/contacts/phone-number.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Preflight } from '../../domain/tasks/preflight.ts';
import type { Task } from '../../domain/tasks/task.ts';
import { type Contacts, readDataSourceSeen } from '../contacts/index.ts';
import type { Directory } from '../directory/index.ts';
import { concurrently, type Database } from '../table/index.ts';
import type { Tasks } from '../tasks/index.ts';
import { findOtherTasks } from './other-tasks.ts';
import { PhoneList, type ReadPhones, readPhones } from './phone-list.ts';
import { readSelected, type Selected } from './selected-contacts.ts';
import { countShared, findShared } from './shared-phones.ts';

/** `database` and the stores may lag. */
type Dependencies = {
  database: Database;
  tasks: Tasks;
  contacts: Contacts;
  phones: () => Promise<Numbering>;
};

type ListedPhones = { id: string; name: string; phones: PhoneList };

/** The contacts of a task and the exclusion lists they are on. */
type Looked = {
  hasOwnZones: boolean;
  directory: Directory;
  read: ReadPhones;
  numbers: PhoneList;
  lists: readonly ListedPhones[];
  /** For each index of `numbers`, one bit for each list. A task has six lists at most. */
  listsAt: Uint8Array;
};

/** The contacts of a task and of its lists: more would take longer than the 29 seconds of a request. */
const numbersAtMost = 4_000_000;

const assertFew = (total: number): void => {
  if (total <= numbersAtMost) return;
  throw new ServiceError(
    'TOO_MANY_CONTACTS',
    `the list and its exclusion lists have ${total} contacts, and a pre-flight covers at most ${numbersAtMost}: split the list`,
  );
};

/** The contacts and all lists of a task. */
const sourcesAtOnce = 7;

const bits = (value: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => i).filter((i) => (value & (1 << i)) !== 0);

/** Says which contacts of a task are on its exclusion lists, from packed phone numbers. Its reads may lag a moment. */
export class PreflightReader {
  readonly #database: Database;
  readonly #tasks: Tasks;
  readonly #contacts: Contacts;
  readonly #phones: () => Promise<Numbering>;

  constructor({ database, tasks, contacts, phones }: Dependencies) {
    this.#database = database;
    this.#tasks = tasks;
    this.#contacts = contacts;
    this.#phones = phones;
  }

  async of(task: Task): Promise<Preflight> {
    const [looked, active] = await Promise.all([this.#look(task), this.#tasks.active()]);
    const { hasOwnZones, numbers, lists, listsAt } = looked;
    const selected = await this.#selected(task, looked);
    const scaled = (count: number) => Math.round(count * selected.share);
    const counts = lists.map(() => 0);
    let [matching, listed] = [0, 0];
    listsAt.forEach((value, index) => {
      if (!selected.at(index)) return;
      matching++;
      if (value === 0) return;
      listed++;
      for (const at of bits(value, lists.length)) counts[at]!++;
    });
    const [total, blocked] = [numbers.size, scaled(listed)];
    const isCallable = (index: number) => listsAt[index] === 0 && selected.at(index);
    return {
      total,
      notSelected: total - scaled(matching),
      estimated: selected.isEstimated,
      blocked,
      blockedBy: lists
        .map(({ id, name }, i) => ({ dataSourceId: id, dataSourceName: name, count: scaled(counts[i]!) }))
        .filter(({ count }) => count > 0),
      otherSpelling: scaled(countOtherSpellings(looked, isCallable)),
      ...(await findOtherTasks(this.#database, await this.#phones(), {
        dataSourceId: task.dataSourceId,
        others: active.filter(({ id }) => id !== task.id),
        numbers,
        callable: scaled(matching) - blocked,
        isCallable,
        scaled,
      })),
      hasOwnZones,
    };
  }

  #selected({ dataSourceId, contactFilter }: Task, { directory, numbers }: Looked): Promise<Selected> {
    const source = { database: this.#database, contacts: this.#contacts, dataSourceId, directory };
    return readSelected(source, contactFilter, numbers);
  }

  /** The sequence numbers of the contacts on lists, whether the filter selects them or not, ascending, and the ids and names of the lists they are on. */
  async blockedOf(task: Task): Promise<{ seq: number; lists: Pick<ListedPhones, 'id' | 'name'>[] }[]> {
    const { read, numbers, lists, listsAt } = await this.#look(task);
    const blocked: { seq: number; lists: ListedPhones[] }[] = [];
    read.packed.forEach((packed, i) => {
      const value = listsAt[numbers.indexOf(packed)!]!;
      if (value !== 0)
        blocked.push({ seq: read.seqs[i]!, lists: bits(value, lists.length).map((at) => lists[at]!) });
    });
    return blocked;
  }

  async #look({ dataSourceId, excludedDataSourceIds = [] }: Task): Promise<Looked> {
    const ids = [dataSourceId, ...new Set([doNotCall.id, ...excludedDataSourceIds])];
    const numbering = await this.#phones();
    const sources = await concurrently(ids, sourcesAtOnce, async (id) => ({
      id,
      ...(await readDataSourceSeen(this.#database, id)),
    }));
    assertFew(sources.reduce((sum, { directory }) => sum + directory.total, 0));
    const [own, ...excluded] = await concurrently(sources, sourcesAtOnce, async (source) => ({
      ...source,
      read: await readPhones(this.#database, source.id, source.directory),
    }));
    const lists = excluded.map(({ id, name, read }) => ({
      id,
      name: id === doNotCall.id ? doNotCall.dataSourceName : name,
      phones: new PhoneList(read.packed),
    }));
    const { hasOwnZones, directory, read } = own!;
    const numbers = new PhoneList(read.packed);
    const listsAt = new Uint8Array(numbers.size);
    lists.forEach(({ phones }, at) => {
      findShared(numbers, phones, numbering, (index) => {
        listsAt[index]! |= 1 << at;
      });
    });
    return { hasOwnZones, directory, read, numbers, lists, listsAt };
  }
}

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
