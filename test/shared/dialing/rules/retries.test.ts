import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { consequenceOf, type EndedCall } from '../../../../shared/dialing/rules/call-decisions.ts';
import { type RetrySettings, recallDue } from '../../../../shared/dialing/rules/task-contact.ts';
import { callReasons, outcomes } from '../../../../shared/tasks/rules/task-settings.ts';
import { randomRuns } from '../../../support/run/extent.ts';

const at = (iso: string) => Date.parse(iso);
const instant = fc.integer({ min: at('2023-01-01T00:00:00Z'), max: at('2027-01-01T00:00:00Z') });

const withoutRules = fc.record({
  maxDialCount: fc.integer({ min: 1, max: 10 }),
  callInterval: fc.integer({ min: 0, max: 86_400 }),
});
const retryRule = fc.record({
  reasons: fc.uniqueArray(fc.constantFrom(...callReasons), { minLength: 1 }),
  waitSeconds: fc.integer({ min: 0, max: 604_800 }),
  attempts: fc.integer({ min: 1, max: 10 }),
});
const rules = fc
  .tuple(withoutRules, fc.option(fc.array(retryRule, { maxLength: 10 })))
  .map(([rest, retryRules]) => (retryRules === null ? rest : { ...rest, retryRules }));
const call: fc.Arbitrary<EndedCall> = fc.record({
  outcome: fc.constantFrom(...outcomes),
  reason: fc.option(fc.constantFrom(...callReasons)),
});
/** After these calls of the allowance. */
const consequence = (rules: RetrySettings, calls: readonly EndedCall[], now: number) =>
  consequenceOf(rules, { attempts: calls.length, calls }, now);
const failing = (reason: EndedCall['reason']): EndedCall => ({ outcome: 'failed', reason });

describe('a result', () => {
  it('is final on success and with the last attempt, and otherwise due after the interval', () => {
    fc.assert(
      fc.property(
        withoutRules,
        fc.constantFrom(...outcomes),
        fc.integer({ min: 1, max: 10 }),
        instant,
        (rule, outcome, attempts, now) => {
          const expected =
            outcome === 'success' || attempts >= rule.maxDialCount
              ? { final: true }
              : { final: false, due: now + rule.callInterval * 1000 };
          const calls = [...Array(attempts - 1).fill(failing(null)), { outcome, reason: null }];
          expect(consequence(rule, calls, now)).toEqual(expected);
        },
      ),
      randomRuns(100),
    );
  });

  it('takes at most maxDialCount calls until it is final, whatever the rules and the order of reasons', () => {
    fc.assert(
      fc.property(rules, fc.array(call, { minLength: 10, maxLength: 10 }), (rule, results) => {
        const isFinal = (_: unknown, i: number) => consequence(rule, results.slice(0, i + 1), 0).final;
        const calls = results.findIndex(isFinal) + 1;
        expect(calls).toBeGreaterThanOrEqual(1);
        expect(calls).toBeLessThanOrEqual(rule.maxDialCount);
      }),
      randomRuns(100),
    );
  });

  it('takes at most as many calls with the reasons of a rule as the first rule for them allows', () => {
    fc.assert(
      fc.property(retryRule, fc.array(call, { minLength: 10, maxLength: 10 }), (rule, results) => {
        const all = { maxDialCount: 10, callInterval: 60, retryRules: [rule] };
        const end = results.findIndex((_, i) => consequence(all, results.slice(0, i + 1), 0).final);
        const made = results.slice(0, end + 1);
        const listed = made.filter(({ reason }) => reason !== null && rule.reasons.includes(reason));
        expect(listed.length).toBeLessThanOrEqual(rule.attempts);
      }),
      randomRuns(100),
    );
  });

  it('is decided by the first rule that lists its reason', () => {
    const all = {
      maxDialCount: 5,
      callInterval: 60,
      retryRules: [
        { reasons: ['busy' as const, 'rejected' as const], waitSeconds: 300, attempts: 2 },
        { reasons: ['busy' as const, 'poweredOff' as const], waitSeconds: 86_400, attempts: 4 },
      ],
    };
    const leadsTo = (...reasons: EndedCall['reason'][]) => consequence(all, reasons.map(failing), 0);
    expect(leadsTo('busy')).toEqual({ final: false, due: 300_000 });
    expect(leadsTo('poweredOff')).toEqual({ final: false, due: 86_400_000 });
    expect(leadsTo('voicemail')).toEqual({ final: false, due: 60_000 });
    expect(leadsTo('rejected', 'poweredOff', 'busy')).toEqual({ final: true });
    expect(leadsTo('busy', null, 'poweredOff')).toEqual({ final: false, due: 86_400_000 });
    // Calls that ended otherwise use up no call of a rule.
    expect(leadsTo(null, 'voicemail', 'busy')).toEqual({ final: false, due: 300_000 });
    expect(leadsTo('poweredOff', null, null, null, null)).toEqual({ final: true });
  });

  it('of a number that does not exist is final, unless a rule names that reason', () => {
    const without = { maxDialCount: 3, callInterval: 60 };
    expect(consequence(without, [failing('invalidNumber')], 0)).toEqual({ final: true });
    const retryRules = [{ reasons: ['invalidNumber' as const], waitSeconds: 5, attempts: 2 }];
    const calls = [failing('invalidNumber')];
    expect(consequence({ ...without, retryRules }, calls, 0)).toEqual({ final: false, due: 5000 });
  });
});

describe('a recalled contact', () => {
  it('is due at once, but not before the interval since its last call has passed', () => {
    expect(recallDue({ callInterval: 60 }, 100_000, null)).toBe(100_000);
    expect(recallDue({ callInterval: 60 }, 100_000, 30_000)).toBe(100_000);
    expect(recallDue({ callInterval: 60 }, 100_000, 90_000)).toBe(150_000);
  });
});
