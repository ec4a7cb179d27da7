import type { Database } from '../table/index.ts';
import { keys } from '../table/index.ts';

/** Which phone numbers are on some lists of those who are not called; each is looked up once. */
export class ListedNumbers {
  readonly #database: Database;
  readonly #lists: readonly string[];
  readonly #known = new Map<string, boolean>();

  constructor(database: Database, lists: readonly string[]) {
    this.#database = database;
    this.#lists = lists;
  }

  /** Those of the numbers that are on a list. */
  async among(numbers: readonly string[]): Promise<ReadonlySet<string>> {
    const unknown = [...new Set(numbers)].filter((number) => !this.#known.has(number));
    const pairs = unknown.flatMap((number) =>
      this.#lists.map((list) => ({ number, key: keys.phone(list, number) })),
    );
    const guards = pairs.length > 0 ? await this.#database.batchGet(pairs.map(({ key }) => key)) : [];
    const listed = new Set(pairs.flatMap(({ number }, i) => (guards[i] === undefined ? [] : [number])));
    for (const number of unknown) this.#known.set(number, listed.has(number));
    return new Set(numbers.filter((number) => this.#known.get(number)));
  }
}
