import { embeddedClient } from '../../local/dynamodb/embedded-client.ts';
import type { Perform } from '../../local/dynamodb/embedded-dynamodb.ts';
import { RequestRefused, transactionCanceled } from '../../local/dynamodb/errors.ts';
import type { TableClient } from '../../shared/platform/table/database.ts';
import { type Write, writesOf } from '../../test/support/engines/capacity-units.ts';
import { type Attributes, itemSize } from '../../test/support/engines/item-size.ts';
import { type Heat, nameOf } from './heat.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Milliseconds of a call on average, of each further item of a batch, and of 10 KB of a page. */
const latency = { read: 4, write: 6, transaction: 15, batched: 1, tenKilobytes: 1 } as const;
type Kind = 'read' | 'write' | 'transaction';

const kinds: Record<string, Kind> = {
  GetItem: 'read',
  BatchGetItem: 'read',
  Query: 'read',
  Scan: 'read',
  TransactWriteItems: 'transaction',
};

const conflict = () =>
  new RequestRefused(
    'com.amazonaws.dynamodb.v20120810#TransactionConflictException',
    'Transaction is ongoing for the item',
  );

/** A batch of the service has at most 25 items. */
const batchedIn = ({ RequestItems = {} }: { RequestItems?: Record<string, unknown[]> }) =>
  Object.values(RequestItems).reduce((sum, { length }) => sum + length, 0);

const sizeOf = ({ Items = [] }: { Items?: Attributes[] }) =>
  Items.reduce((sum, item) => sum + itemSize(item), 0);

/** `calls`: reads and writes of any kind. */
export type Sent = { calls: number; transactions: number; lost: number };

const none = (): Sent => ({ calls: 0, transactions: 0, lost: 0 });

/**
 * The table as seen by many processes that share only the table. Each call takes its time. A
 * transaction holds its items until it is answered. Like in DynamoDB, another transaction or write
 * of one of these items is refused in between.
 */
export class BusyTable {
  readonly #time: VirtualTime;
  readonly #perform: Perform;
  readonly #heat: Heat;
  readonly #held = new Set<string>();
  readonly client: TableClient;
  sent = none();

  constructor(time: VirtualTime, perform: Perform, heat: Heat) {
    this.#time = time;
    this.#perform = perform;
    this.#heat = heat;
    this.client = embeddedClient({ perform: this.#send });
  }

  /** Forgets what was sent so far, and begins to count. */
  begin(): void {
    this.sent = none();
  }

  #send: Perform = async (operation, request) => {
    const kind = kinds[operation] ?? 'write';
    this.sent.calls++;
    // At most a fifth more or less, so that processes that begin together do not stay together.
    const ms = latency[kind] * (0.8 + 0.4 * Math.random());
    if (kind === 'read') {
      await this.#time.sleep(ms);
      const answer = await this.#perform(operation, request);
      if (operation === 'Scan') await this.#time.sleep(latency.tenKilobytes * (sizeOf(answer) / 10_240));
      return answer;
    }
    const writes = writesOf(operation, request);
    if (kind === 'transaction') return this.#transact(writes, request, ms);
    await this.#time.sleep(ms + latency.batched * batchedIn(request));
    if (writes.some((write) => this.#held.has(nameOf(write)))) throw conflict();
    return this.#heat.counted(operation, request, this.#perform);
  };

  async #transact(writes: readonly Write[], request: object, ms: number): Promise<object> {
    const names = writes.map(nameOf);
    this.sent.transactions++;
    const areHeld = names.map((name) => this.#held.has(name));
    if (areHeld.includes(true)) {
      this.sent.lost++;
      await this.#time.sleep(ms);
      throw transactionCanceled(areHeld.map((isHeld) => ({ Code: isHeld ? 'TransactionConflict' : 'None' })));
    }
    for (const name of names) this.#held.add(name);
    try {
      await this.#time.sleep(ms);
      return await this.#heat.counted('TransactWriteItems', request, this.#perform);
    } catch (error) {
      this.sent.lost++;
      throw error;
    } finally {
      for (const name of names) this.#held.delete(name);
    }
  }
}
