import { afterAll, afterEach, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { type Engine, engines, type OpenTable } from '../engines/engines.ts';
import { aRunningTask, aService, type Service } from './dialing.ts';

export type RunningTaskSettings = Parameters<typeof aRunningTask>[2];

/**
 * Opens a table with a service on it before all tests of a `describe`, or before each, and closes
 * it after them. `use` gets both. Answers a function that publishes a task there.
 */
export const openDialing = (
  when: 'all' | 'each',
  { open }: Pick<Engine, 'open'>,
  use: (table: OpenTable, service: Service) => void | Promise<void>,
) => {
  const [before, after] = when === 'all' ? [beforeAll, afterAll] : [beforeEach, afterEach];
  let table: OpenTable;
  let service: Service;
  before(async () => {
    table = await open();
    service = aService(table.database);
    await use(table, service);
  });
  after(() => table.close());
  return (settings: RunningTaskSettings = {}) => aRunningTask(table.database, service, settings);
};

/** A table with a service on it, for one test. */
export const opened = async ({ open }: Pick<Engine, 'open'> = engines[0]!) => {
  const table = await open();
  onTestFinished(table.close);
  return { ...table, service: aService(table.database) };
};
