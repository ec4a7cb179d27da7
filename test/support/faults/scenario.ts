import type { Answer } from '../service/answers.ts';
import { FaultProcess } from './fault-process.ts';
import { type Snapshot, World } from './world.ts';

export type Run = (process: FaultProcess, world: World) => Promise<Answer | undefined>;

/** A world, and what a function is asked in it: the same each time. */
export type Ready = { snapshot: Snapshot; run: Run };

/** A world that is made once for all scenarios that begin in it, and what they have to know of it. */
export const madeOnce = <T>(make: (process: FaultProcess, world: World) => Promise<T>) => {
  const build = async () => {
    const world = await World.open();
    const made = await make(new FaultProcess(world), world);
    const snapshot = await world.snapshot();
    await world.close();
    return { snapshot, made };
  };
  let built: ReturnType<typeof build> | undefined;
  return async (runOf: (made: T) => Run): Promise<Ready> => {
    built ??= build();
    const { snapshot, made } = await built;
    return { snapshot, run: runOf(made) };
  };
};

/** One function at work, in a world that was made ready for it. */
export type Scenario = {
  /** A row of the table. */
  name: string;
  functionId: string;
  prepare: () => Promise<Ready>;
  /** Nothing is written: the table is the same afterwards. */
  isRead?: boolean;
  /** Carried out once: with its retries it comes to the same state and answer as a single request, and so does another. */
  isExact: boolean;
  /** Statuses that a repetition without a key may get, since what it asks for is done already. */
  again?: readonly number[];
  /** What a repetition without a key may do over again. */
  leftOut?: readonly ('imports' | 'leases' | 'history' | 'webhooks')[];
  /** Calls are made to the end afterwards: by a dialer, or by Amazon Connect. */
  dials?: 'dialer' | 'connect';
};
