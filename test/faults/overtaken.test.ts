import { spawnSync } from 'node:child_process';
import timers from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { log } from '../../shared/platform/observability/log.ts';
import { pairs, tests } from '../support/faults/condition-proofs.ts';
import { Overtaking } from '../support/faults/overtaking.ts';
import { isInSample, isWhole } from '../support/run/extent.ts';

const { stackTraceLimit } = Error;
let overtaking: Overtaking;
beforeAll(async () => {
  Error.stackTraceLimit = 0;
  for (const level of ['error', 'warn'] as const) vi.spyOn(log, level).mockImplementation(() => {});
  // Neither chance nor time plays a part: a pair comes to the same each time. Tokens of the agenda
  // are drawn, and differ.
  let drawn = 0;
  vi.spyOn(Math, 'random').mockImplementation(() => 0.5 + ++drawn / 2 ** 32);
  vi.spyOn(timers, 'setTimeout').mockImplementation(async () => undefined as never);
  overtaking = await Overtaking.open();
});
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
  vi.restoreAllMocks();
});

/**
 * `npm test` tries one pair of these, and leaves the tests, which it runs as they are, to `npm run
 * test:all`.
 */
const sampled = 4;
const tried = Object.entries(pairs).filter((_, i) => isInSample(i, sampled));
const named = Object.entries(tests).flatMap(([file, conditions]) => conditions.map((each) => [each, file]));

describe('a condition of a write', () => {
  it.each(tried)('keeps an operation that is overtaken from harm: %s', async (condition, pair) => {
    expect(await overtaking.isProof(condition, pair), pair).toBe(true);
  });

  it.runIf(isWhole)('fails its test when it is dropped', () => {
    const proved = spawnSync(
      process.execPath,
      ['test/support/faults/prove-tests.mjs', JSON.stringify(named)],
      { encoding: 'utf8', env: { ...process.env, DYNAMODB_LOCAL: 'off' } },
    );
    const failed: number[] = JSON.parse(proved.stdout.trim().split('\n').at(-1) ?? '');
    expect(named.filter((_, at) => !failed.includes(at))).toEqual([]);
  });
});
