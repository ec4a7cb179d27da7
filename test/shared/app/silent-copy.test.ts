import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyTable } from '../../../shared/app/copy-table.ts';
import { eventsOfChange } from '../../../shared/events/change-events.ts';
import { setUpTable } from '../../../shared/platform/table/data-format.ts';
import { Database } from '../../../shared/platform/table/database.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { createTableInput } from '../../../shared/platform/table/table.ts';
import { timeIn } from '../../../shared/platform/time/zones.ts';
import { type Engine, openEngine, shortClient } from '../../support/engines/engine-door.ts';
import { goneAfter } from '../../support/service/crash-point.ts';

const [source, target] = ['restored', 'of-the-stack'];
const format = timeIn('UTC');
/** What the stream of the stack's table would have published. */
const published: string[] = [];
let engine: Engine;
let client: ReturnType<typeof shortClient>;

beforeAll(async () => {
  const time = Date.now();
  engine = await openEngine({
    path: ':memory:',
    onWritten: (changes) => {
      const events = changes.flatMap((change) => eventsOfChange(change, time, format));
      published.push(...events.map(({ type, id }) => `${type} ${id}`));
    },
  });
  client = shortClient(engine);
  for (const name of [source, target]) {
    await client.send(new CreateTableCommand(createTableInput(name)));
    await setUpTable(new Database(client, name));
  }
});
afterAll(() => engine.close());

/**
 * A task with a call and a data source that exist in both tables, and an erasure that has not
 * ended.
 */
const fill = async (table: string, status: number) => {
  const database = new Database(client, table);
  await database.put({ ...keys.dataSource('ds'), id: 'ds', dataSourceName: 'June' });
  await database.put({ ...keys.task('t'), id: 't', taskName: 'T', dataSourceId: 'ds', status, version: 7 });
  await database.put({ ...keys.call('t', 1, 0, 'n'), task: 't', ds: 'ds', outcome: 'success', v: status });
  await database.put({
    ...keys.agendaEntry('erasure', undefined, 'e'),
    contacts: [{ dataSourceId: 'ds', seq: 1 }],
  });
};

it('publishes nothing for what it replaces, also when it is interrupted at any call', async () => {
  await fill(source, 1);
  for (let calls = 1, isWhole = false; !isWhole; calls++) {
    await fill(target, 2);
    published.length = 0;
    const { restore } = goneAfter(client, calls, new Error('the process is gone'));
    const copy = () => copyTable(client, { from: source, to: target, replaces: true });
    isWhole = await copy().then(
      () => true,
      () => false,
    );
    restore();
    if (!isWhole) await copy();
    expect(published).toEqual([]);
  }
  await new Database(client, target).delete(keys.dataSource('ds'));
  expect(published).toEqual(['data_source.deleted ds-deleted']);
});
