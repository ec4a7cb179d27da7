import { ConnectCalls } from '../../connect/connect-calls.ts';
import { EventList } from '../../events/event-list.ts';
import type { Database } from '../../platform/table/database.ts';
import { type Base, createBase, type RuntimeSettings } from './base.ts';
import { countsOf } from './counts.ts';
import { openInsight } from './insight.ts';
import { withPeople } from './people.ts';

/** What any function needs, except files and webhooks. */
export const openRuntime = (base: Base) => {
  const { database } = base;
  const stores = withPeople(openInsight(base));
  return {
    ...stores,
    taskCounts: countsOf(stores),
    eventList: new EventList(database),
    connectCalls: new ConnectCalls(database),
  };
};

export const createRuntime = (settings: RuntimeSettings, database: Database) =>
  openRuntime(createBase(settings, database));

export type Runtime = ReturnType<typeof openRuntime>;
