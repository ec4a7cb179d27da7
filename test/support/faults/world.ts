import { ensureTable } from '../../../local/dynamodb/ensure-table.ts';
import type { ItemChange } from '../../../local/dynamodb/storage.ts';
import type { Answer } from '../../../shared/events/rules/progress.ts';
import { Database } from '../../../shared/platform/table/database.ts';
import { itemOf } from '../../../shared/platform/table/item-reader.ts';
import type { Item } from '../../../shared/platform/table/keys.ts';
import { TestClock } from '../dialing/dialing-api.ts';
import { type Engine, openEngine } from '../engines/engine-door.ts';
import { type EmbeddedS3, embeddedS3 } from '../s3/embedded-s3.ts';
import { WholeBucket } from '../service/whole-bucket.ts';
import { bucket, filesAnsweredBy, tableAnsweredBy, tableName } from './clients.ts';
import { ConnectInMemory, type Started } from './connect-in-memory.ts';

/** As they go over the wire. */
type Attributes = Parameters<typeof itemOf>[0];

type Handle = (request: unknown) => Promise<{ response: { statusCode: number } }>;

/** What a world holds at one moment. */
export type Snapshot = {
  items: Attributes[];
  objects: { key: string; bytes: Uint8Array }[];
  started: Started[];
  time: number;
};

const itemsAtOnce = 25;

const objectsOf = ({ requestHandler }: EmbeddedS3) =>
  new WholeBucket(filesAnsweredBy(requestHandler), bucket);

/** One table, one bucket and whatever else outlives a process. */
export class World {
  readonly #items = new Map<string, Attributes>();
  /** What the table's stream tells, from the last snapshot on. */
  readonly changes: ItemChange[] = [];
  readonly published: { DetailType: string; Detail: string }[] = [];
  readonly connect = new ConnectInMemory();
  /** Ids of the events that receivers of webhooks accepted. They refuse those whose id says so. */
  readonly received: string[] = [];
  readonly receivers = {
    post: async (_url: string, headers: Record<string, string>): Promise<Answer> => {
      const id = String(headers['webhook-id']);
      if (id.startsWith('refused')) return { status: 500, ms: 1 };
      this.received.push(id);
      return { status: 200, ms: 1 };
    },
  };
  readonly clock = new TestClock();
  /** Of the service. More than are made here, so that every lease counts its calls. */
  limits = { MAX_CALLS_PER_NUMBER_PER_DAY: '50', MAX_CONCURRENT_CALLS: '200', KEEP_CALLS_DAYS: '400' };
  readonly dynamoDb: Engine;
  readonly #objects: Snapshot['objects'];
  #s3: Promise<EmbeddedS3> | undefined;

  private constructor(dynamoDb: World['dynamoDb'], objects: Snapshot['objects'] = []) {
    this.dynamoDb = dynamoDb;
    this.#objects = objects;
  }

  static async open(snapshot?: Snapshot): Promise<World> {
    let note: (changes: readonly ItemChange[]) => void = () => {};
    const dynamoDb = await openEngine({ path: ':memory:', onWritten: (changes) => note(changes) });
    await ensureTable(tableAnsweredBy(dynamoDb.requestHandler), tableName);
    const world = new World(dynamoDb, snapshot?.objects);
    note = (changes) => world.#note(changes);
    if (snapshot !== undefined) await world.#restore(snapshot);
    return world;
  }

  #note(changes: readonly ItemChange[]): void {
    this.changes.push(...changes);
    for (const { before, after } of changes) {
      const { pk, sk } = (after ?? before) as { pk: { S: string }; sk: { S: string } };
      const key = `${pk.S}\n${sk.S}`;
      if (after === undefined) this.#items.delete(key);
      else this.#items.set(key, after as Attributes);
    }
  }

  /** Opened when a function asks for it: most functions never do. */
  get s3(): Promise<EmbeddedS3> {
    this.#s3 ??= this.#openS3();
    return this.#s3;
  }

  async #openS3(): Promise<EmbeddedS3> {
    const s3 = embeddedS3(bucket);
    for (const { key, bytes } of this.#objects) await objectsOf(s3).put(key, bytes, 'text/csv');
    return s3;
  }

  /** For a look at the table that meets no trouble. */
  get database(): Database {
    return new Database(tableAnsweredBy(this.dynamoDb.requestHandler), tableName);
  }

  async objects(): Promise<WholeBucket> {
    return objectsOf(await this.s3);
  }

  /** Every item of the table, by its keys. */
  get items(): Item[] {
    const entries = [...this.#items].sort(([a], [b]) => (a < b ? -1 : 1));
    return entries.map(([, item]) => itemOf(item) as Item);
  }

  async snapshot(): Promise<Snapshot> {
    const items = [...this.#items.values()];
    const objects = this.#s3 === undefined ? this.#objects : await this.#stored();
    return { items, objects, started: structuredClone(this.connect.started), time: this.clock.time };
  }

  async #stored(): Promise<Snapshot['objects']> {
    const objects = await this.objects();
    const found = [];
    for await (const { key } of objects.list('')) found.push({ key, bytes: await objects.get(key) });
    return found;
  }

  async #restore({ items, started, time }: Snapshot): Promise<void> {
    const handle = (this.dynamoDb.requestHandler as unknown as { handle: Handle }).handle;
    for (let i = 0; i < items.length; i += itemsAtOnce) {
      const requests = items.slice(i, i + itemsAtOnce).map((Item) => ({ PutRequest: { Item } }));
      const body = JSON.stringify({ RequestItems: { [tableName]: requests } });
      await handle({ headers: { 'x-amz-target': 'DynamoDB_20120810.BatchWriteItem' }, body });
    }
    this.connect.started.push(...structuredClone(started));
    this.clock.time = time;
    this.changes.length = 0;
  }

  async close(): Promise<void> {
    await this.dynamoDb.close();
  }
}
