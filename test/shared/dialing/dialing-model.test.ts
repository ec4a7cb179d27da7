import fc from 'fast-check';
import { it } from 'vitest';
import type { Schedule } from '../../../shared/platform/time/schedule.ts';
import type { CallReason, Outcome } from '../../../shared/tasks/rules/task-settings.ts';
import { hour, minute, second } from '../../support/dialing/dialing.ts';
import type { Rules } from '../../support/dialing/dialing-model.ts';
import { SideBySide } from '../../support/dialing/side-by-side.ts';
import { engines } from '../../support/engines/engines.ts';
import { grudging } from '../../support/engines/grudging.ts';
import { randomRuns } from '../../support/run/extent.ts';
import { type Step, stepsOf } from '../../support/run/random-steps.ts';

const step = stepsOf<SideBySide>();
const number = fc.nat({ max: 30 });
const outcome = fc.constantFrom<Outcome>('success', 'failed', 'failed', 'noAnswer');
const reason = fc.option(fc.constantFrom<CallReason>('busy', 'noAnswer', 'other', 'invalidNumber'), {
  nil: undefined,
});
/** What a person may ask for: mostly nothing. */
const plainly = Array.from({ length: 8 }, () => ({}));
const never = { doNotCall: true };
/** One of them is none: the contact is called in the hours of its task. */
const zone = fc.constantFrom('Asia/Tokyo', 'America/Los_Angeles', 'Europe/Berlin', 'nowhere');
const priority = fc.integer({ min: 1, max: 5 });
const leaseSeconds = fc.constantFrom(10, 60, 600);

const retryRule = fc.record({
  reasons: fc.uniqueArray(fc.constantFrom<CallReason>('busy', 'noAnswer', 'other', 'invalidNumber'), {
    minLength: 1,
    maxLength: 3,
  }),
  waitSeconds: fc.constantFrom(0, 60, 1800),
  attempts: fc.integer({ min: 1, max: 3 }),
});

/** Fewer calls than a client may name: a scenario has few contacts. */
const pauseWhen = fc.constantFrom(
  ...Array.from({ length: 4 }, () => null),
  { failedPercent: 50, calls: 2 },
  { failedPercent: 60, calls: 5 },
  { failedPercent: 100, calls: 3 },
);
/**
 * The clock begins at 21:00 in New York on 9 March 2024, and skips from 02:00 to 03:00 that night.
 */
const dates = {
  callFrom: fc.constantFrom(null, null, null, '2024-03-09 22:10', '2024-03-10 02:30'),
  callUntil: fc.constantFrom(null, null, null, '2024-03-10 02:45', '2024-03-10 20:00', '2024-03-13 08:15'),
};

const rules: fc.Arbitrary<Rules> = fc
  .record({
    priority,
    maxDialCount: fc.integer({ min: 1, max: 3 }),
    callInterval: fc.constantFrom(0, 5, 60, 3600),
    excludes: fc.boolean(),
    retryOrder: fc.constantFrom('due', 'due', 'last'),
    retryRules: fc.array(retryRule, { maxLength: 3 }),
    pauseWhen,
    ...dates,
    schedule: fc.constantFrom<Schedule>(
      ...Array.from({ length: 4 }, () => ({ dailyStartTime: '00:00', dailyEndTime: '24:00' })),
      { dailyStartTime: '09:00', dailyEndTime: '18:30', breaks: [{ start: '12:00', end: '13:15' }] },
      { dailyStartTime: '01:30', dailyEndTime: '03:30' },
      { dailyStartTime: '22:00', dailyEndTime: '24:00', timeZone: 'Europe/Berlin' },
      { dailyStartTime: '09:00', dailyEndTime: '21:00', timeZone: 'Asia/Tokyo', weekdays: [1, 2, 4, 7] },
      { dailyStartTime: '00:00', dailyEndTime: '24:00', excludedDates: ['2024-03-10', '2024-03-12'] },
    ),
  })
  .map(({ schedule, ...rest }) => ({ ...rest, ...schedule }));

const adjustment: fc.Arbitrary<Partial<Rules>> = fc.record(
  {
    weekdays: fc.constantFrom([1, 2, 3, 4, 5, 6, 7], [6, 7], [1, 3, 5]),
    excludedDates: fc.constantFrom([], ['2024-03-10'], ['2024-03-09', '2024-03-11']),
    breaks: fc.constantFrom([]),
    excludes: fc.boolean(),
    retryOrder: fc.constantFrom('due', 'last'),
    retryRules: fc.array(retryRule, { maxLength: 2 }),
    pauseWhen,
    ...dates,
  },
  { requiredKeys: [] },
);

const optional = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined });
const limit = fc.integer({ min: 1, max: 8 });
const seldom = fc.nat({ max: 5 }).map((n) => n === 0);
const result = fc.record({ outcome, reason, duration: fc.nat({ max: 2 }) });
const wish = fc.constantFrom(
  ...plainly,
  { callbackIn: 0 },
  { callbackIn: hour },
  { callbackIn: -minute },
  never,
);
const steps: fc.Arbitrary<Step<SideBySide>> = fc.oneof(
  step(6, 'lease', number, limit, leaseSeconds, optional(number)),
  step(1, 'leaseTogether', limit, leaseSeconds),
  step(10, 'reportOne', number, seldom, result, wish, number),
  step(2, 'release', number, fc.constantFrom(-hour, 0, minute), number),
  step(1, 'extend', number, fc.constantFrom(10, 60, 3600), number),
  step(4, 'wait', fc.constantFrom(second, 10 * second, minute, 10 * minute, hour, 7 * hour)),
  step(2, 'move', number, fc.constantFrom('pause', 'resume', 'resume', 'fail', 'stop')),
  step(2, 'adjust', number, adjustment),
  step(1, 'stopOverdue', number),
  step(2, 'recallAll', number, priority),
  step(2, 'recallSome', number, fc.array(number, { minLength: 1, maxLength: 4 }), priority),
  step(1, 'addContact', number, optional(zone)),
  step(1, 'moveContact', number, number, zone),
  step(2, 'list', fc.constantFrom('everybody', 'ofTasks'), number, number),
  step(2, 'deleteContact', number, number),
  step(1, 'eraseContact', number, number),
);

const scenario = fc.record({
  callsPerNumber: fc.constantFrom(0, 0, 1, 2),
  contacts: fc.array(fc.nat({ max: 8 }), { minLength: 1, maxLength: 2 }),
  tasks: fc.array(fc.tuple(rules, number), { minLength: 1, maxLength: 3 }),
  steps: fc.array(steps, { minLength: 10, maxLength: 60, size: 'max' }),
});

it('does what the model does, whatever happens in whatever order', async () => {
  const { open } = grudging(engines[0]!);
  await fc.assert(
    fc.asyncProperty(scenario, async ({ callsPerNumber, contacts, tasks, steps }) => {
      const table = await open();
      try {
        const both = new SideBySide(table, callsPerNumber);
        await both.addLists();
        for (const count of contacts) await both.addSource(count);
        for (const [rule, which] of tasks) await both.addTask(rule, which);
        for (const [at, run] of steps.entries()) {
          await run(both);
          await both.checkOverview(at);
        }
        await both.checkCounts();
        await both.finish();
      } finally {
        await table.close();
      }
    }),
    randomRuns(5, 50),
  );
});
