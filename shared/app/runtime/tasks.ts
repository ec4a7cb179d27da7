import { Agenda } from '../../platform/agenda/index.ts';
import type { Database } from '../../platform/table/index.ts';
import { Tasks } from '../../tasks/index.ts';
import type { Base } from './base.ts';

export const taskStores = (database: Database) => {
  const agenda = new Agenda(database);
  return { agenda, tasks: new Tasks(database, agenda) };
};

/** Tasks and the agenda. */
export const openTasks = (base: Base) => ({ ...base, ...taskStores(base.database) });

export type TaskRuntime = ReturnType<typeof openTasks>;
