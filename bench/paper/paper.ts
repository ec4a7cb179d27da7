import { blockOfPhones } from '../../shared/store/directory/phone-block.ts';
import { Database, type Item } from '../../shared/store/table/database.ts';
import { blockSize, keys } from '../../shared/store/table/keys.ts';
import { aRunningTask, aService, leaseFrom, start } from '../../test/support/dialing/dialing.ts';
import { type Attributes, itemSize } from '../../test/support/engines/item-size.ts';
import { meter } from '../../test/support/engines/meter.ts';
import {
  contactAndGuard,
  directoryPages,
  seededPhone,
  seedItems,
} from '../../test/support/engines/seed-contacts.ts';
import { clientOf, dataSourceId, freshRows, importOf, leaseSize, pageSize } from '../operations.ts';
import { attributesOf, openSeeded, tableName } from '../seeding.ts';
import type { Cell, Table } from '../table.ts';
import { type Heat, heatOf } from './heat.ts';

const contactCount = 10_000_000;
const callsPerSecond = 1_000;
const row = '10,000,000 contacts, on paper';

/** Consistent reads: one unit for each 4 KB of a Query. */
const readUnits = (bytes: number) => Math.ceil(bytes / 4096);
const sizeOf = (item: Item) => itemSize(attributesOf(item) as Attributes);
const total = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0);

/** The maximum bytes of one Query page. */
const queryPage = 1024 * 1024;
const partitionReads = 3_000;
const partitionWrites = 1_000;
/** The default quota of an on-demand table. */
const tableUnits = 40_000;

type Counted = { operation: string; rcu: number; wcu: number; calls: number; limit: string };

/** Builds the whole directory in memory. One block and one contact stand for all others. */
const readsOf = (): Counted[] => {
  const pages = [...directoryPages(dataSourceId, contactCount)].map(sizeOf);
  const directory = readUnits(total(pages));
  const phones = Array.from({ length: blockSize }, (_, slot) => seededPhone(contactCount - blockSize + slot));
  const block = sizeOf({
    ...keys.block(dataSourceId, contactCount / blockSize - 1),
    bytes: blockOfPhones(phones),
    v: 1,
  });
  const rows = readUnits(pageSize * sizeOf(contactAndGuard(dataSourceId, contactCount - 1)[0]));
  const blocks = readUnits(block * (contactCount / blockSize));
  const perSecond = Math.floor(partitionReads / directory);
  return [
    {
      operation: `list, any page of ${pageSize}`,
      rcu: directory + rows,
      wcu: 0,
      calls: Math.ceil(total(pages) / queryPage) + 1,
      limit: `partition of the directory: ${perSecond} lists a second of one data source; keep the directory for a second`,
    },
    {
      operation: 'search, a part of the number',
      rcu: directory + blocks + pageSize,
      wcu: 0,
      calls: pages.length + 2,
      limit: `quota: two a second are the table's ${tableUnits} units; ask for whole numbers, or keep blocks in memory`,
    },
  ];
};

const written = (
  operation: string,
  { rcu, wcu, calls }: { rcu: number; wcu: number; calls: number },
  limit: string,
): Counted => ({
  operation,
  rcu,
  wcu,
  calls,
  limit,
});

/** Operations whose cost does not grow with the data source, counted on a small one. */
const writesOf = async (): Promise<{ counted: Counted[]; heat: Heat[] }> => {
  const { engine, close } = await openSeeded(seedItems(dataSourceId, 1_000));
  try {
    const client = clientOf(engine);
    const { measure } = meter(client);
    const database = new Database(client, tableName);
    const imported = await measure(() => importOf(database, 'paper', freshRows(0)));
    const service = aService(database);
    const task = await aRunningTask(database, service, { contactCount: 200, maxDialCount: 1 });
    const lease = () => leaseFrom(service, task, start, { limit: leaseSize });
    await lease();
    const leased = await measure(lease);
    const [call] = await lease();
    const report = (callId: string) =>
      service.dialer.result({ callId, outcome: 'success', duration: 60 }, start);
    const result = await measure(() => report(call?.callId ?? ''));
    const heat = await heatOf(client, async () => {
      const calls = [...(await lease()), ...(await lease()), ...(await lease()), ...(await lease())];
      for (const { callId } of calls) await report(callId);
      return calls.length;
    });
    const tableLimit = Math.floor(tableUnits / (leased.wcu / leaseSize + result.wcu));
    return {
      counted: [
        written(
          'import of 10k',
          imported,
          `quota: ${Math.floor(tableUnits / imported.wcu)} such imports in a second`,
        ),
        written(`lease of ${leaseSize}`, leased, `quota: ${tableLimit} calls a second, leased and reported`),
        written('result', result, 'see below'),
      ],
      heat,
    };
  } finally {
    await close();
  }
};

const firstLimit = (heat: readonly Heat[]): Table => ({
  title: `The first limit of a task of 10,000,000 contacts at ${callsPerSecond.toLocaleString('en')} calls a second`,
  note: `Units that one call, leased and reported, writes to one partition key. A key accepts ${partitionWrites} units a second. DynamoDB splits a hot key between its sort keys by itself, after minutes. These figures do not rely on that. The limit of the first line is reached first.`,
  columns: ['partition key', 'WCU a call', 'calls a second', 'what to change there'],
  rows: heat.map(({ key, wcu, change }): Cell[] => [key, wcu, partitionWrites / wcu, change]),
});

/** The cost of each operation at ten million contacts, without storing them, and the limit that is reached first. */
export const onPaper = async (): Promise<Table[]> => {
  const { counted, heat } = await writesOf();
  return [
    {
      title: row,
      note: 'Counted from the sizes of the items of 10,000,000 contacts, with all blocks full. No data of that size is stored. Searching for a whole number costs the same at any size.',
      columns: ['contacts', 'operation', 'RCU', 'WCU', 'calls', 'first limit, and what to do'],
      rows: [...readsOf(), ...counted].map(({ operation, rcu, wcu, calls, limit }): Cell[] => [
        row,
        operation,
        rcu,
        wcu,
        calls,
        limit,
      ]),
    },
    firstLimit(heat),
  ];
};
