import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deployedFunctions } from '../../lib/deployed-functions.ts';
import { log } from '../../shared/platform/observability/log.ts';
import { Cells } from '../support/faults/cells.ts';
import { useSmallParts } from '../support/faults/import-scenarios.ts';
import { longerWays, scenarios } from '../support/faults/scenarios.ts';
import { isInSample, isWhole } from '../support/run/extent.ts';

const { stackTraceLimit } = Error;
useSmallParts();
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

/** `npm test` tries one scenario of these, and a sample of what troubles it. */
const [sampled, sampledOfLonger] = [3, 8];

describe('a fault at every call to AWS, another process before it, and many requests at once', () => {
  for (const [turn, scenario] of [...scenarios, ...longerWays].entries()) {
    if (!isInSample(turn, turn < scenarios.length ? sampled : sampledOfLonger)) continue;
    it(scenario.name, async ({ task }) => {
      const cells = await Cells.of(scenario);
      const row = await cells.checkAll(cells.troubles(turn));
      if (isWhole) task.meta.faultRow = row;
    });
  }

  it('is tried on every function that calls AWS', () => {
    const tried = new Set(scenarios.map(({ functionId }) => functionId));
    const others = deployedFunctions.filter(({ id }) => !tried.has(id));
    // Nothing of theirs goes through the SDK: keys are fetched from the issuer, files lie beside
    // the code.
    expect(others.map(({ id }) => id).sort()).toEqual(['authorizeRequest', 'consolePage', 'refuseMethod']);
    expect(others.map(({ access }) => access)).toEqual([{ tokens: true }, { page: true }, {}]);
  });
});
