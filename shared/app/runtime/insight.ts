import { CallReader } from '../../calls/call-reader.ts';
import { PreflightReader } from '../../insight/preflight-reader.ts';
import { TaskInsight } from '../../insight/task-insight.ts';
import type { Base } from './base.ts';
import { dialerOf, rulesOf } from './dialing.ts';
import { openImports } from './imports.ts';

/** What tells how tasks stand, together with what dials. */
export const openInsight = (base: Base) => {
  const stores = openImports(base);
  const { settings, tasks, lagging, phones, serviceHours } = stores;
  const { maxConcurrentCalls } = settings;
  const dialer = dialerOf(stores);
  const rules = rulesOf(stores);
  return {
    ...stores,
    dialer,
    rules,
    // A task that was just added must be found.
    insight: new TaskInsight({
      ...lagging,
      tasks,
      serviceHours,
      maxConcurrentCalls,
      rules,
    }),
    callReader: new CallReader({ ...stores, findEnded: (calls) => stores.taskContacts.endedCalls(calls) }),
    preflight: new PreflightReader({
      ...lagging,
      phones,
      country: settings.country,
      timeZone: serviceHours.zone,
    }),
  };
};

export type InsightRuntime = ReturnType<typeof openInsight>;
