import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deployedFunctions } from '../../lib/deployed-functions.ts';
import { log } from '../../shared/observability/log.ts';
import { Cells } from '../support/faults/cells.ts';
import { longerWays, scenarios } from '../support/faults/scenarios.ts';
import { sizeOf } from '../support/run/soak.ts';

const { stackTraceLimit } = Error;
beforeAll(() => {
  // Thousands of faults are logged, each with its stack.
  Error.stackTraceLimit = 0;
  vi.spyOn(log, 'error').mockImplementation(() => {});
  vi.spyOn(log, 'warn').mockImplementation(() => {});
});
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
  vi.restoreAllMocks();
});

/** `npm test` takes one kind of failure for each call, the soak all of them. */
const isWhole = sizeOf(0, 1) === 1;

describe('a fault at every call to AWS, and the retry', () => {
  for (const [turn, scenario] of [...scenarios, ...(isWhole ? longerWays : [])].entries()) {
    it(scenario.name, async ({ task }) => {
      const cells = await Cells.of(scenario);
      task.meta.faultRow = await cells.checkAll(isWhole ? cells.plans : cells.rotated(turn));
    });
  }

  it('is tried on every function that calls AWS', () => {
    const tried = new Set(scenarios.map(({ functionId }) => functionId));
    const others = deployedFunctions.filter(({ id }) => !tried.has(id));
    // Nothing of theirs goes through the SDK: keys are fetched from the issuer, files lie beside the code.
    expect(others.map(({ id }) => id).sort()).toEqual(['authorizeRequest', 'consolePage']);
    expect(others.map(({ access }) => access)).toEqual([{ tokens: true }, { page: true }]);
  });
});
