import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

/**
 * The waits by `setTimeout` of node:timers/promises, in ms, from now to the end of the test. They
 * last as long as ever.
 */
export const watchedWaits = (): (number | undefined)[] => {
  const waits: (number | undefined)[] = [];
  const { setTimeout: wait } = timers;
  const watched = vi.spyOn(timers, 'setTimeout').mockImplementation((ms, ...rest) => {
    waits.push(ms);
    return wait(ms, ...rest);
  });
  // Modules that import the function by its name see the other one then.
  syncBuiltinESMExports();
  onTestFinished(() => {
    watched.mockRestore();
    syncBuiltinESMExports();
  });
  return waits;
};
