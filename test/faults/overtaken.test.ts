import { spawnSync } from 'node:child_process';
import timers from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { log } from '../../shared/observability/log.ts';
import { pairs, tests } from '../support/faults/condition-proofs.ts';
import { Overtaking } from '../support/faults/overtaking.ts';
import { sizeOf } from '../support/run/soak.ts';

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

const named = Object.entries(tests).flatMap(([file, conditions]) => conditions.map((each) => [each, file]));

describe('a condition of a write', () => {
  it.each(Object.entries(pairs))(
    'keeps an operation that is overtaken from harm: %s',
    async (condition, pair) => {
      expect(await overtaking.isProof(condition, pair), pair).toBe(true);
    },
  );

  it.runIf(sizeOf(0, 1) === 1).each(named)('fails a test when it is dropped: %s', (condition, file) => {
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', file];
    const env = { ...process.env, WITHOUT_CONDITION: condition, DYNAMODB_LOCAL: 'off' };
    for (const name of Object.keys(env).filter((each) => each.startsWith('SOAK_')))
      delete env[name as keyof typeof env];
    expect(spawnSync(process.execPath, vitest, { env }).status, file).toBe(1);
  });
});
