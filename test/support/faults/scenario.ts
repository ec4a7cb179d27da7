import type { Answer } from '../service/answers.ts';
import type { Effects } from './effects.ts';
import type { Fault } from './fault-line.ts';
import { FaultProcess } from './fault-process.ts';
import { type Snapshot, World } from './world.ts';

export type Run = (process: FaultProcess, world: World) => Promise<Answer | undefined>;

/** What another process does just before any of the calls, and what must hold in the end. */
export type Rival = { name: string; run: Run; hold: (found: Effects, alone: Effects) => void };

/** What is done in a world, and what others do there meanwhile. */
export type Acts = { run: Run; rivals?: readonly Rival[] };

/** A world, and what is done in it: the same each time. */
export type Ready = Acts & { snapshot: Snapshot };

/**
 * A world that is made once for all scenarios that begin in it, and what they have to know of it.
 */
export const madeOnce = <T>(make: (process: FaultProcess, world: World) => Promise<T>) => {
  const build = async () => {
    const world = await World.open();
    const made = await make(new FaultProcess(world), world);
    const snapshot = await world.snapshot();
    await world.close();
    return { snapshot, made };
  };
  let built: ReturnType<typeof build> | undefined;
  return async (actsOf: (made: T) => Run | Acts): Promise<Ready> => {
    built ??= build();
    const { snapshot, made } = await built;
    const acts = actsOf(made);
    return { snapshot, ...(typeof acts === 'function' ? { run: acts } : acts) };
  };
};

/**
 * One function at work: what is set up, what is done, and what must hold then, whatever troubles
 * it.
 */
export type Scenario = {
  /** A row of the matrix. */
  name: string;
  functionId: string;
  prepare: () => Promise<Ready>;
  /**
   * Carried out once: with its retries it comes to the same state and answer as a single request,
   * and so does another.
   */
  isExact: boolean;
  /** How many send it at once: all get the same answer, and it is carried out once. */
  atOnce?: number;
  /** Which faults are tried. All, unless it is a long way with many calls of a kind. */
  faults?: readonly Fault[];
  /** Until what a dead process held is free. A client that is told so waits for so long. */
  patienceSeconds?: number;
  /** Statuses that a repetition without a key may get, since what it asks for is done already. */
  again?: readonly number[];
  /** What a repetition without a key may do over again. */
  leftOut?: readonly ('imports' | 'leases' | 'history' | 'webhooks')[];
  /** Calls are made to the end afterwards: by a dialer, or by Amazon Connect. */
  dials?: 'dialer' | 'connect';
};

/** A scenario whose world no other shares. `act` sets it up and answers what is done in it. */
type Row = Partial<Scenario> & { act: (process: FaultProcess, world: World) => Promise<Run | Acts> };

/** Named after their functions, and what is special about them. */
export const scenariosOf = (rows: Record<string, Row>): Scenario[] =>
  Object.entries(rows).map(([name, { act, ...more }]) => ({
    ...{ name, functionId: name.split(',')[0]!, isExact: false, ...more },
    prepare: () => madeOnce(act)((acts) => acts),
  }));
