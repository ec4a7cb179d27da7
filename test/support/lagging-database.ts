import { Database, type Range } from '../../shared/store/database.ts';
import type { Item } from '../../shared/store/keys.ts';
import type { OpenTable } from './engines.ts';

const remembered = 4;

/** Reads that need not be consistent answer with what was there some reads ago, as they may on AWS. */
export class LaggingDatabase extends Database {
  readonly #seen = new Map<string, Item[][]>();
  #reads = 0;

  constructor({ client, tableName }: OpenTable) {
    super(client, tableName);
  }

  override async *query(range: Range): AsyncGenerator<Item> {
    if (range.IndexName === undefined && range.ConsistentRead !== false) {
      yield* super.query(range);
      return;
    }
    const values = range.ExpressionAttributeValues ?? {};
    const { IndexName, ConsistentRead } = range;
    const KeyConditionExpression = IndexName === undefined ? 'pk = :pk' : 'gsi1pk = :pk';
    const whole = { IndexName, ConsistentRead, KeyConditionExpression };
    const now: Item[] = [];
    for await (const item of super.query({ ...whole, ExpressionAttributeValues: { ':pk': values[':pk'] } }))
      now.push(item);
    const seen = [now, ...(this.#seen.get(values[':pk']) ?? [])].slice(0, remembered);
    this.#seen.set(values[':pk'], seen);
    const then = seen[this.#reads++ % seen.length] ?? now;
    const { ':after': after = '', ':until': until = '~' } = values;
    const sortOf = ({ sk, gsi1sk }: Item) => (IndexName === undefined ? sk : (gsi1sk as string));
    yield* then.filter((item) => sortOf(item) >= after && sortOf(item) <= until).slice(0, range.Limit);
  }
}
