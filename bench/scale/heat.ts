import type { Perform } from '../../local/dynamodb/embedded-dynamodb.ts';
import {
  indexPartitions,
  keyOf,
  type Write,
  writesOf,
  writeUnits,
} from '../../test/support/engines/capacity-units.ts';
import { type Attributes, itemSize } from '../../test/support/engines/item-size.ts';
import type { VirtualTime } from './virtual-time.ts';

/** The key with words instead of ids and numbers: `TASK#id#chunk`. */
const kindOf = (pk: string) =>
  pk
    .replace(/#[0-9a-hjkmnp-tv-z]{16}\b/g, '#id')
    .replace(/#\d+$/, '#chunk')
    .replace(/^(DS#id#P)#.*/, '$1#phone');

/** Write units that a partition key takes in a second. */
export const keyUnits = 1_000;

/** The key with words instead of ids, and the units that were written to it in its busiest second. */
type HottestKey = { key: string; units: number };

/** Counts the units that are written to each partition key, of the table and of the index, in each second. */
export class Heat {
  readonly #time: VirtualTime;
  readonly #table: string;
  /** The items that were written, as they are. An item that is not here has one unit. */
  readonly #known = new Map<string, Attributes | undefined>();
  #bySecond = new Map<string, Map<number, number>>();

  constructor(time: VirtualTime, table: string) {
    this.#time = time;
    this.#table = table;
  }

  /** Forgets the units so far, and begins to count. */
  begin(): void {
    this.#bySecond = new Map();
  }

  /** All units so far. */
  get units(): number {
    return [...this.#bySecond.keys()].reduce((sum, key) => sum + this.unitsOf(key), 0);
  }

  /** The units of one key so far. */
  unitsOf(key: string): number {
    return [...(this.#bySecond.get(key)?.values() ?? [])].reduce((sum, units) => sum + units, 0);
  }

  /** Makes the write, and counts its units. */
  async counted(operation: string, request: object, perform: Perform): Promise<object> {
    const writes = writesOf(operation, request);
    const answer = await perform(operation, request);
    const factor = operation === 'TransactWriteItems' ? 2 : 1;
    for (const write of writes) this.#count(write, await this.#after(write, perform), factor);
    return answer;
  }

  /** The hottest key so far. */
  hottest(): HottestKey {
    let hottest: HottestKey = { key: '', units: 0 };
    for (const [key, seconds] of this.#bySecond)
      for (const units of seconds.values()) if (units > hottest.units) hottest = { key: kindOf(key), units };
    return hottest;
  }

  async #after(write: Write, perform: Perform): Promise<Attributes | undefined> {
    if (write.Item !== undefined) return write.Item;
    const read = { TableName: this.#table, Key: keyOf(write), ConsistentRead: true };
    return ((await perform('GetItem', read)) as { Item?: Attributes }).Item;
  }

  #count(write: Write, after: Attributes | undefined, factor: number): void {
    const [pk, sk] = Object.values(keyOf(write)).map(({ S }) => S!) as [string, string];
    const name = `${pk}\n${sk}`;
    const before = this.#known.get(name);
    this.#known.set(name, after);
    this.#add(pk, factor * writeUnits(Math.max(itemSize(before), itemSize(after))));
    for (const partition of indexPartitions(before, after)) this.#add(partition, 1);
  }

  #add(key: string, units: number): void {
    const second = Math.floor(this.#time.now / 1000);
    const seconds = this.#bySecond.get(key) ?? new Map<number, number>();
    seconds.set(second, (seconds.get(second) ?? 0) + units);
    this.#bySecond.set(key, seconds);
  }
}
