import { embeddedClient } from '../../local/dynamodb/embedded-client.ts';
import { openEmbeddedDynamoDb } from '../../local/dynamodb/embedded-dynamodb.ts';
import { ensureTable } from '../../local/dynamodb/ensure-table.ts';
import { openStores } from '../../shared/app/runtime/imports.ts';
import { openDialer } from '../../shared/dialing/dialer.ts';
import { idFrom } from '../../shared/platform/rules/names.ts';
import { Database } from '../../shared/platform/table/database.ts';
import { seedTime } from '../../test/support/engines/seed-contacts.ts';
import { BusyTable } from './busy-table.ts';
import { Heat } from './heat.ts';
import { VirtualTime } from './virtual-time.ts';

const tableName = 'busy';
/** The figures of a run depend on it, and on nothing else. */
export const seed = 1;

/** A table that many processes share, in virtual time. */
export type World = Awaited<ReturnType<typeof openWorld>>;

export const openWorld = async () => {
  const time = new VirtualTime(seed);
  const engine = await openEmbeddedDynamoDb({ path: ':memory:' });
  const direct = embeddedClient(engine);
  await ensureTable(direct, tableName);
  const heat = new Heat(time, tableName);
  const table = new BusyTable(time, engine.perform, heat);
  const newId = () => idFrom(Uint8Array.from({ length: 16 }, () => Math.floor(Math.random() * 256)));
  /** A process of its own, which shares nothing with others. */
  const aProcess = (database: Database, maxConcurrentCalls = 0) => {
    const stores = openStores(database);
    const dialer = openDialer({ ...stores, database, newId, zone: 'UTC', maxConcurrentCalls });
    return { ...stores, dialer };
  };
  return {
    time,
    heat,
    table,
    /** Takes no time, for the preparation of a run. */
    direct: new Database(direct, tableName),
    directClient: direct,
    tableName,
    newId,
    now: () => seedTime + Math.floor(time.now),
    process: (maxConcurrentCalls?: number) =>
      aProcess(new Database(table.client, tableName), maxConcurrentCalls),
    atOnce: aProcess(new Database(direct, tableName)),
    close: () => engine.close(),
  };
};

/** The value below which this part of the values is. */
export const percentile = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(values.length * part) - 1)] ?? 0;
