import type { Answer } from '../answers.ts';
import type { FaultProcess } from './fault-process.ts';
import type { World } from './world.ts';

export type Run = (process: FaultProcess, world: World) => Promise<Answer | undefined>;

/** One function at work, in a world that was made ready for it. */
export type Scenario = {
  /** A row of the table. */
  name: string;
  functionId: string;
  /** Makes the world ready; answers what the function is then asked, the same each time. */
  prepare: (process: FaultProcess, world: World) => Promise<Run>;
  /** Nothing is written: the table is the same afterwards. */
  isRead?: boolean;
  /** Carried out once: with its retries it comes to the same state and answer as a single request, and so does another. */
  isExact: boolean;
  /** Statuses that a repetition without a key may get, since what it asks for is done already. */
  again?: readonly number[];
  /** What a repetition without a key may do over again. */
  leftOut?: readonly ('imports' | 'leases' | 'history')[];
  /** Calls are made to the end afterwards: by a dialer, or by Amazon Connect. */
  dials?: 'dialer' | 'connect';
};
