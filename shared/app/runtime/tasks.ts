import { Agenda } from '../../platform/agenda/agenda.ts';
import type { Database } from '../../platform/table/database.ts';
import { Tasks } from '../../tasks/tasks.ts';
import type { Base } from './base.ts';

export const taskStores = (database: Database) => {
  const agenda = new Agenda(database);
  return { agenda, tasks: new Tasks(database, agenda) };
};

/** Tasks and the agenda. */
export const openTasks = (base: Base) => ({ ...base, ...taskStores(base.database) });

export type TaskRuntime = ReturnType<typeof openTasks>;
