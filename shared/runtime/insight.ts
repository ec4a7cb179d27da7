import { serviceSettings } from '../settings/environment.ts';
import { Contacts } from '../store/contacts/index.ts';
import { TaskInsight } from '../store/insight/index.ts';
import type { Database } from '../store/table/index.ts';
import { createRuntime, type Runtime } from './core.ts';
import { lambdaDatabase } from './lambda-database.ts';
import { onEndpointRuntime } from './on-runtime.ts';

/** What functions that show tasks to operators work with; apart, so that the others are bundled without it. */
export type InsightRuntime = Runtime & { insight: TaskInsight };

const storesOf = (database: Database) => ({
  database,
  contacts: new Contacts(database),
});

/** What operators see may lag a moment, at half the price; but a task that was just added is there. */
export const createInsightRuntime = (runtime: Runtime, database: Database): InsightRuntime => ({
  ...runtime,
  insight: new TaskInsight({ ...runtime, ...storesOf(database.lagging), tasks: runtime.tasks }),
});

/** As `onLambda`, for functions that show tasks to operators. */
export const onInsightLambda = onEndpointRuntime(() => {
  const database = lambdaDatabase();
  return createInsightRuntime(createRuntime({ database, ...serviceSettings() }), database);
});
