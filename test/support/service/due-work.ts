import { Agenda } from '../../../shared/platform/agenda/agenda.ts';
import { type Worker, workOff } from '../../../shared/platform/agenda/due-work.ts';
import type { Database } from '../../../shared/platform/table/database.ts';

/** `age`: gets the milliseconds for which the oldest work has been due. */
type Run = { isTimeUp?: () => boolean; takesOver?: boolean; age?: (ms: number) => void };

/** Does the work that is due then, as the schedule does. */
export const workOffAt = (
  database: Database,
  workers: readonly Worker[],
  now: number,
  { isTimeUp = () => false, takesOver = false, age = () => undefined }: Run = {},
): Promise<void> =>
  workOff(
    new Agenda(database),
    workers,
    { now: () => now, isTimeUp, takesOver },
    { age: (_, ms) => age(ms), failure: () => undefined },
  );
