import { spawnSync } from 'node:child_process';
import timers from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { log } from '../../shared/observability/log.ts';
import { pairs, tests, unproven } from '../support/faults/condition-proofs.ts';
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

/** `npm test` tries one of five proofs, the soak all of them. */
const isWhole = sizeOf(0, 1) === 1;
const sampled = Object.entries(pairs).filter((_, i) => isWhole || i % 5 === 0);

describe('a condition of a write', () => {
  it('has a proof that it is needed, or a reason why there is none', async () => {
    const found = [...(await overtaking.conditions()).keys()];
    const known = [pairs, tests, unproven].flatMap((each) => Object.keys(each));
    const missing = [];
    for (const condition of found.filter((each) => !known.includes(each)))
      missing.push(`${condition}: ${await overtaking.proofOf(condition)}`);
    expect(missing, 'to be added to condition-proofs.ts').toEqual([]);
    expect(
      known.filter((condition) => !found.includes(condition)),
      'conditions that no write has any more',
    ).toEqual([]);
  });

  it.each(sampled)('keeps an operation that is overtaken from harm: %s', async (condition, pair) => {
    expect(await overtaking.isProof(condition, pair), pair).toBe(true);
  });

  it.runIf(isWhole).each(Object.entries(tests))('fails a test when it is dropped: %s', (condition, file) => {
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', file];
    const env = { ...process.env, WITHOUT_CONDITION: condition, DYNAMODB_LOCAL: 'off' };
    for (const name of Object.keys(env).filter((each) => each.startsWith('SOAK_')))
      delete env[name as keyof typeof env];
    expect(spawnSync(process.execPath, vitest, { env }).status, file).toBe(1);
  });
});
