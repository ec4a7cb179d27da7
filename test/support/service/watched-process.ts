import type { Database } from '../../../shared/platform/table/index.ts';
import type { OpenTable } from '../engines/engines.ts';
import { watchedBy } from '../engines/overtaken.ts';
import type { WholeBucket } from './whole-bucket.ts';

/** What one process uses, and what happens to it. */
export type WatchedProcess = {
  database: Database;
  bucket: WholeBucket;
  /** `act` before the call of that number, from 1, of those from now on. If it throws, the call is not made. */
  beforeCall: (nth: number, act: () => unknown) => void;
  /** From the call of that number on, all fail. */
  diesAt: (nth: number) => void;
  /** Whether the call has come. Waits for the calls that were under way then, as the end of a hold does. */
  hasHappened: () => Promise<boolean>;
};

/** Table and bucket as one process sees them. Its calls to both are counted together. */
export const watchedProcess = (table: OpenTable, objects: WholeBucket): WatchedProcess => {
  const underWay: Promise<unknown>[] = [];
  let calls = 0;
  let [awaited, isDying, isReached] = [Number.POSITIVE_INFINITY, false, false];
  let happen: () => unknown = () => undefined;
  const waitFor = (nth: number, act: () => unknown, dies: boolean) => {
    [calls, awaited, happen, isDying, isReached] = [0, nth, act, dies, false];
  };
  const around = async <T>(perform: () => Promise<T>): Promise<T> => {
    const nth = ++calls;
    if (nth === awaited || (isDying && nth > awaited)) {
      isReached = true;
      await happen();
    }
    const answer = perform();
    underWay.push(answer.catch(() => undefined));
    return answer;
  };
  const bucket = new Proxy(objects, {
    get: (target, name) => {
      const value = target[name as keyof WholeBucket];
      if (typeof value !== 'function') return value;
      return (...given: never[]) =>
        around(async () => (value as (...all: never[]) => unknown).apply(target, given));
    },
  });
  const gone = () => {
    throw new Error('the process is gone');
  };
  return {
    database: watchedBy(table, (_call, perform) => around(perform)),
    bucket,
    beforeCall: (nth, act) => waitFor(nth, act, false),
    diesAt: (nth) => waitFor(nth, gone, true),
    hasHappened: async () => {
      await Promise.all(underWay);
      return isReached;
    },
  };
};
