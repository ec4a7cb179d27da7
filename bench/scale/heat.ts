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

/** The name of the item that is written. */
export const nameOf = (write: Write) =>
  Object.values(keyOf(write))
    .map(({ S }) => S)
    .join('\n');

/** Maximum of write units of a partition key in a second. */
export const keyUnits = 1_000;

/** The key with words instead of ids, and the units written to it in its busiest second. */
type HottestKey = { key: string; units: number };

/** Counts the units written to each partition key, of table and index, in each second. */
export class Heat {
  readonly #time: VirtualTime;
  readonly #table: string;
  /** The written items with their present attributes. An item that is not here has one unit. */
  readonly #known = new Map<string, Attributes | undefined>();
  #bySecond = new Map<string, Map<number, number>>();
  #wasted = 0;

  constructor(time: VirtualTime, table: string) {
    this.#time = time;
    this.#table = table;
  }

  /** Forgets the units so far, and begins to count. */
  begin(): void {
    this.#bySecond = new Map();
    this.#wasted = 0;
  }

  /** Units of single writes whose condition did not hold. DynamoDB charges for them too. */
  get wasted(): number {
    return this.#wasted;
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
    const answer = await perform(operation, request).catch((error: unknown) => {
      if (operation !== 'TransactWriteItems') this.#wasted += this.#unitsOfRefused(writes);
      throw error;
    });
    const factor = operation === 'TransactWriteItems' ? 2 : 1;
    for (const write of writes) this.#count(write, await this.#after(write, perform), factor);
    return answer;
  }

  /** The units of one key in its busiest second. */
  busiestSecondOf(key: string): number {
    return Math.max(0, ...(this.#bySecond.get(key)?.values() ?? []));
  }

  /** The hottest key so far. */
  hottest(): HottestKey {
    let hottest: HottestKey = { key: '', units: 0 };
    for (const [key, seconds] of this.#bySecond)
      for (const units of seconds.values()) if (units > hottest.units) hottest = { key: kindOf(key), units };
    return hottest;
  }

  #unitsOfRefused(writes: readonly Write[]): number {
    const units = writes.map((write) => {
      const before = itemSize(this.#known.get(nameOf(write)));
      return writeUnits(Math.max(before, itemSize(write.Item)));
    });
    return units.reduce((sum, each) => sum + each, 0);
  }

  async #after(write: Write, perform: Perform): Promise<Attributes | undefined> {
    if (write.Item !== undefined) return write.Item;
    const read = { TableName: this.#table, Key: keyOf(write), ConsistentRead: true };
    return ((await perform('GetItem', read)) as { Item?: Attributes }).Item;
  }

  #count(write: Write, after: Attributes | undefined, factor: number): void {
    const name = nameOf(write);
    const pk = name.slice(0, name.indexOf('\n'));
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
