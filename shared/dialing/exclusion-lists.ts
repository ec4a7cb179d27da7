import { readNames } from '../contacts/data-sources.ts';
import { readDirectories } from '../contacts/directory.ts';
import type { Contact } from '../contacts/rules/contact.ts';
import { doNotCall } from '../contacts/rules/data-source.ts';
import { type LongestPhones, mayHavePhone, type Numbering } from '../contacts/rules/phone-number.ts';
import type { Database } from '../platform/table/database.ts';
import { keys } from '../platform/table/keys.ts';
import type { Task } from '../tasks/rules/task.ts';
import type { ContactStanding } from './rules/task-contact-views.ts';

export type ExclusionList = { id: string; longest: LongestPhones | undefined };

type BlockedStanding = { task: Task; contact: Contact | undefined; standing: ContactStanding };

/** A contact, and the lists in which its number is looked up. */
type LookedUp = { contact: Contact | undefined; lists: readonly ExclusionList[] };

/** The lists whose numbers a task does not call: the do-not-call list, and those it excludes. */
export class ExclusionLists {
  readonly #database: Database;
  readonly #phones: () => Promise<Numbering>;

  constructor(database: Database, phones: () => Promise<Numbering>) {
    this.#database = database;
    this.#phones = phones;
  }

  /** Lists without contacts are skipped. */
  async read(ids: readonly string[]): Promise<ExclusionList[]> {
    const directories = await readDirectories(this.#database, ids);
    return ids.flatMap((id, i) => {
      const { total, longest } = directories[i]!;
      return total > 0 ? [{ id, longest }] : [];
    });
  }

  /** Adds the exclusion lists that have the number of each blocked contact now. */
  async withLists<S extends BlockedStanding>(asked: readonly S[]): Promise<S['standing'][]> {
    const blocked = asked.filter(({ standing }) => standing.is === 'blocked');
    if (blocked.length === 0) return asked.map(({ standing }) => standing);
    const ids = [...new Set(blocked.flatMap(({ task }) => listsOf(task)))];
    const [lists, names] = await Promise.all([this.read(ids), readNames(this.#database, ids)]);
    const found = await this.#listsOfEach(
      blocked.map(({ task, contact }) => ({ contact, lists: listsAmong(lists, task) })),
    );
    const shown = (at: number) =>
      ids
        .filter((id) => found[at]!.has(id))
        .map((id) => ({ dataSourceId: id, dataSourceName: names.get(id) ?? '' }));
    const blockedBy = new Map(blocked.map((each, at) => [each, shown(at)]));
    return asked.map((each) => ({ ...each.standing, blockedBy: blockedBy.get(each) ?? [] }));
  }

  async areExcluded(asked: readonly LookedUp[]): Promise<boolean[]> {
    return (await this.#listsOfEach(asked)).map(({ size }) => size > 0);
  }

  /**
   * The ids of the lists that have the number of each contact. A list may have a number in any
   * spelling, because it may have been stored before the service had a country.
   */
  async #listsOfEach(asked: readonly LookedUp[]): Promise<ReadonlySet<string>[]> {
    if (asked.every(({ lists }) => lists.length === 0)) return asked.map(() => new Set());
    const { spellings } = await this.#phones();
    const guards = asked.flatMap(({ contact, lists }, at) => {
      const isPossible = (text: string) => lists.some(({ longest }) => mayHavePhone(longest, text));
      const texts = contact === undefined ? [] : spellings(contact.phoneNumber, isPossible);
      return texts.flatMap((text) =>
        lists
          .filter(({ longest }) => mayHavePhone(longest, text))
          .map(({ id }) => ({ at, id, key: keys.phone(id, text) })),
      );
    });
    const found = await this.#database.batchGet(guards.map(({ key }) => key));
    const listed = guards.filter((_, i) => found[i] !== undefined);
    const lists = asked.map(() => new Set<string>());
    for (const { at, id } of listed) lists[at]!.add(id);
    return lists;
  }
}

export const listsAmong = (lists: readonly ExclusionList[], task: Task): ExclusionList[] =>
  lists.filter(({ id }) => listsOf(task).includes(id));

/** The exclusion lists of a task. */
export const listsOf = ({ excludedDataSourceIds = [] }: Task): string[] => [
  doNotCall.id,
  ...excludedDataSourceIds,
];
