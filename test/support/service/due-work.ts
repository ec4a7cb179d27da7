import { Agenda, type Worker, workOff } from '../../../shared/platform/agenda/index.ts';
import type { Database } from '../../../shared/platform/table/index.ts';

type Run = { isTimeUp?: () => boolean; takesOver?: boolean };

/** Does the work that is due then, as the schedule does. */
export const workOffAt = (
  database: Database,
  workers: readonly Worker[],
  now: number,
  { isTimeUp = () => false, takesOver = false }: Run = {},
): Promise<void> =>
  workOff(
    new Agenda(database),
    workers,
    { now: () => now, isTimeUp, takesOver },
    { age: () => undefined, failure: () => undefined },
  );
