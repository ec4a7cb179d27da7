import type { Database } from '../store/database.ts';
import { TaskInsight } from '../store/task-insight.ts';
import { createRuntime, type Runtime } from './core.ts';
import { serviceSettings } from './environment.ts';
import { lambdaDatabase } from './lambda-database.ts';
import { onEndpointRuntime } from './on-runtime.ts';

/** What functions that show tasks to operators work with; apart, so that the others are bundled without it. */
export type InsightRuntime = Runtime & { insight: TaskInsight };

export const createInsightRuntime = (runtime: Runtime, database: Database): InsightRuntime => ({
  ...runtime,
  insight: new TaskInsight({ ...runtime, database }),
});

/** As `onLambda`, for functions that show tasks to operators. */
export const onInsightLambda = onEndpointRuntime(() => {
  const database = lambdaDatabase();
  return createInsightRuntime(createRuntime({ database, ...serviceSettings() }), database);
});
