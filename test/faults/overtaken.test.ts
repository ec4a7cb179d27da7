import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import timers from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { log } from '../../shared/platform/observability/index.ts';
import { pairs, tests } from '../support/faults/condition-proofs.ts';
import { Overtaking } from '../support/faults/overtaking.ts';
import { isInSample, isWhole } from '../support/run/extent.ts';

const { stackTraceLimit } = Error;
let overtaking: Overtaking;
beforeAll(async () => {
  Error.stackTraceLimit = 0;
  for (const level of ['error', 'warn'] as const) vi.spyOn(log, level).mockImplementation(() => {});
  // Neither chance nor time plays a part: a pair comes to the same each time. Tokens of the agenda are drawn, and differ.
  let drawn = 0;
  vi.spyOn(Math, 'random').mockImplementation(() => 0.5 + ++drawn / 2 ** 32);
  vi.spyOn(timers, 'setTimeout').mockImplementation(async () => undefined as never);
  overtaking = await Overtaking.open();
});
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
  vi.restoreAllMocks();
});

/** `npm test` tries one pair of these, and leaves the tests, which it runs as they are, to `npm run test:all`. */
const sampled = 4;
const tried = Object.entries(pairs).filter((_, i) => isInSample(i, sampled));
const named = Object.entries(tests).flatMap(([file, conditions]) => conditions.map((each) => [each, file]));

describe('a condition of a write', () => {
  it.each(tried)('keeps an operation that is overtaken from harm: %s', async (condition, pair) => {
    expect(await overtaking.isProof(condition, pair), pair).toBe(true);
  });

  it.runIf(isWhole).each(named)('fails a test when it is dropped: %s', (condition, file) => {
    // Vitest fails also where there is no such file.
    expect(existsSync(file), file).toBe(true);
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--mode=all', '--bail=1', file];
    const env = { ...process.env, WITHOUT_CONDITION: condition, DYNAMODB_LOCAL: 'off' };
    for (const name of Object.keys(env).filter((each) => each.startsWith('SOAK_')))
      delete env[name as keyof typeof env];
    expect(spawnSync(process.execPath, vitest, { env }).status, file).toBe(1);
  });
});
