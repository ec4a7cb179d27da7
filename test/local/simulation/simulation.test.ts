import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barChart } from '../../../local/simulation/demo.ts';
import { type Mix, simulatedCall } from '../../../local/simulation/mix.ts';
import { optionsFrom } from '../../../local/simulation/options.ts';
import { progressLine } from '../../../local/simulation/progress-lines.ts';
import { Pace } from '../../../local/simulation/simulator.ts';

const mix = { success: 0.6, noAnswer: 0.3 };
const callsOf = (seed: number, count: number, of: Mix = mix) =>
  Array.from({ length: count }, (_, i) => simulatedCall(of, seed, { phoneNumber: `+49${i}`, attempt: 1 }));

const share = <T>(of: readonly T[], has: (one: T) => boolean) => of.filter(has).length / of.length;

describe('simulated calls', () => {
  const shares = { callback: 0.25, doNotCall: 0.1, disposition: 0.5, data: 0.3, summary: 0.2 };
  const calls = callsOf(7, 20_000, { ...mix, ...shares });
  const answered = calls.filter(({ outcome }) => outcome === 'success');

  it('end the same way for the same seed, number and attempt, and differently for another', () => {
    expect(callsOf(1, 200)).toEqual(callsOf(1, 200));
    expect(callsOf(1, 200)).not.toEqual(callsOf(2, 200));
    const attempts = [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) =>
      JSON.stringify(simulatedCall(mix, 1, { phoneNumber: '+491', attempt })),
    );
    expect(new Set(attempts).size).toBeGreaterThan(1);
  });

  it('come close to the shares that were asked for; only people who answered have wishes and say something', () => {
    for (const [outcome, expected] of Object.entries({ success: 0.6, noAnswer: 0.3, failed: 0.1 }))
      expect(share(calls, (call) => call.outcome === outcome)).toBeCloseTo(expected, 1);
    const unanswered = calls.filter(({ outcome }) => outcome === 'noAnswer');
    for (const [reason, sevenths] of Object.entries({ busy: 2, voicemail: 1, poweredOff: 1, noAnswer: 3 }))
      expect(share(unanswered, (call) => call.reason === reason)).toBeCloseTo(sevenths / 7, 1);
    for (const wish of ['callback', 'doNotCall'] as const)
      expect(share(answered, (call) => call.wish === wish)).toBeCloseTo(shares[wish], 1);
    for (const name of ['disposition', 'data', 'summary'] as const)
      expect(share(answered, (call) => call[name] !== undefined)).toBeCloseTo(shares[name], 1);
    const others = calls.filter(({ outcome }) => outcome !== 'success');
    expect(others.some((c) => c.wish ?? c.disposition ?? c.data ?? c.summary)).toBe(false);
    expect(callsOf(1, 500).some(({ wish }) => wish !== undefined)).toBe(false);
  });

  it.each([
    [{ success: 1, noAnswer: 0 }, 'success'],
    [{ success: 0, noAnswer: 1 }, 'noAnswer'],
    [{ success: 0, noAnswer: 0 }, 'failed'],
  ])('keep to the ends of the scale: %j', (of, outcome) => {
    expect(share(callsOf(1, 500, of), (call) => call.outcome === outcome)).toBe(1);
  });

  it('keep every other answer when one share is changed', () => {
    const all = { ...mix, ...shares };
    const before = callsOf(1, 1000, all);
    const plain = ({ outcome, reason, duration }: (typeof before)[number]) => ({ outcome, reason, duration });
    expect(before.map(plain)).toEqual(callsOf(1, 1000).map(plain));
    for (const changed of ['disposition', 'data', 'summary'] as const) {
      for (const [i, other] of callsOf(1, 1000, { ...all, [changed]: 1 }).entries()) {
        const { [changed]: _, summary, ...rest } = other;
        const { [changed]: __, summary: said, ...same } = before[i]!;
        expect(rest).toEqual(same);
        // The summary names the disposition.
        if (changed === 'data') expect(summary).toBe(said);
      }
    }
  });

  it('have dispositions of the task, and one that excludes the number only if the person wants no calls', () => {
    const declared = [
      { code: 'a' },
      { code: 'b', then: 'retry' as const },
      { code: 'x', then: 'doNotCall' as const },
    ];
    const of = { success: 1, noAnswer: 0, doNotCall: 0.2, callback: 0.2, disposition: 1 };
    const made = Array.from({ length: 500 }, (_, i) =>
      simulatedCall(of, 1, { phoneNumber: `+49${i}`, attempt: 1 }, declared),
    );
    const seen = new Set(made.map(({ wish, disposition }) => `${wish} ${disposition}`));
    const expected = ['callback a', 'callback b', 'doNotCall x', 'undefined a', 'undefined b'];
    expect([...seen].sort()).toEqual(expected);
  });

  it('last plausibly long: nothing when they fail, a ring, or a talk', () => {
    const bounds = { failed: [0, 0], noAnswer: [5, 45], success: [8, 600] } as const;
    const isPlausible = ({ outcome, duration }: (typeof calls)[number]) => {
      const [least, most] = bounds[outcome];
      return duration >= least && duration <= most && Number.isInteger(duration);
    };
    expect(calls.filter((call) => !isPlausible(call))).toEqual([]);
  });
});

describe('pace', () => {
  it('never starts more calls in a second than it may, and wastes no time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 2, maxLength: 200 }),
        (callsPerSecond, waits) => {
          const pace = new Pace(callsPerSecond);
          let now = 0;
          const starts = waits.map((wait) => {
            now += wait;
            const start = pace.take(now);
            expect(start).toBeGreaterThanOrEqual(now);
            return start;
          });
          for (const [i, start] of starts.entries()) {
            const second = starts.filter((other) => other >= start && other < start + 1000 - 1e-6).length;
            expect(second).toBeLessThanOrEqual(callsPerSecond);
            if (i > 0)
              expect(start - (starts[i - 1] as number)).toBeGreaterThan(1000 / callsPerSecond - 1e-6);
          }
        },
      ),
    );
  });

  it('does not catch up on time in which nothing could be called', () => {
    const pace = new Pace(10);
    pace.take(0);
    expect(pace.take(60_000)).toBe(60_000);
    expect(pace.take(60_000)).toBe(60_100);
  });
});

describe('options', () => {
  it('have defaults that suit the local service', () => {
    expect(optionsFrom([], {})).toEqual({
      mix,
      callsPerSecond: 10,
      seed: 1,
      taskId: undefined,
      untilIdle: false,
      baseUrl: 'http://127.0.0.1:3000',
      token: 'local-dev-token',
      help: false,
    });
    const { baseUrl, token } = optionsFrom([], { PORT: '4000', LOCAL_ACCESS_TOKEN: 'secret' });
    expect({ baseUrl, token }).toEqual({ baseUrl: 'http://127.0.0.1:4000', token: 'secret' });
  });

  it('take client credentials instead of a token, the secret from the environment', () => {
    const args = ['--token-url', 'https://people.example.com/oauth2/token', '--client-id', 'a-dialer'];
    expect(optionsFrom(args, { CLIENT_SECRET: 'secret' }).token).toEqual({
      tokenUrl: 'https://people.example.com/oauth2/token',
      clientId: 'a-dialer',
      clientSecret: 'secret',
    });
    expect(() => optionsFrom(args, {})).toThrow('CLIENT_SECRET are needed together');
  });

  it.each([
    [['--success', '0.7', '--no-answer', '0.3'], { success: 0.7, noAnswer: 0.3 }],
    [['--callback', '0.1', '--do-not-call', '0'], { ...mix, callback: 0.1, doNotCall: 0 }],
    [
      ['--disposition', '1', '--data', '0.5', '--summary', '0'],
      { ...mix, disposition: 1, data: 0.5, summary: 0 },
    ],
  ])('take shares of the calls, and of those that succeed: %j', (args, expected) => {
    expect(optionsFrom(args, {}).mix).toEqual(expected);
  });

  it.each([
    [
      ['--callback', '0.6', '--do-not-call', '0.6'],
      /--callback 0.6 and --do-not-call 0.6 are more than 1 together/,
    ],
    [['--callback', '2'], /--callback must be a number/],
    [['--summary', '2'], /--summary must be a number/],
    [['--success', '1.2'], /--success must be a number from 0 to 1, not "1.2"/],
    [['--success', 'many'], /--success must be a number/],
    [['--success', ''], /--success must be a number/],
    [['--success', '0.8', '--no-answer', '0.3'], /more than 1 together/],
    [['--calls-per-second', '0'], /--calls-per-second/],
    [['--calls-per-second', 'NaN'], /--calls-per-second/],
    [['--seed', '1.5'], /--seed must be a whole number/],
    [['--base-url', 'localhost:3000'], /--base-url must be an http address/],
    [['--fast'], /'--fast'.*--help/],
    [['--seed'], /--seed/],
  ])('refuse %j in one line', (args, message) => {
    expect(() => optionsFrom(args, {})).toThrow(message);
    expect(() => optionsFrom(args, {})).toThrow(/^[^\n]+$/);
  });
});

describe('what the terminal shows', () => {
  it('is one line for a task', () => {
    const counts = { callCount: 30, successCount: 18, failCount: 3, noAnswerCount: 9 };
    const durations = { totalDuration: 0, avgDuration: 0 };
    const statistics = {
      taskId: 't',
      taskName: 'A task whose name is rather long',
      status: 1,
      totalContacts: 40,
    };
    const progress = { taskId: 't', inCall: 4, calls: 30, succeeded: 18, done: 20, lost: 0 };
    const shown = { ...statistics, ...counts, ...durations };
    expect(progressLine(progress, shown, 100)).toBe(
      'A task whose name is ra…  ██████████░░░░░░░░░░  20/40 done  30 calls, 18 ok  4 in call  RUNNING',
    );
    for (const width of [20, 40, 60, 79])
      expect([...progressLine(progress, shown, width)].length).toBeLessThanOrEqual(width);
    const many = { ...progress, calls: 99_999, succeeded: 55_555, done: 12_345, lost: 7 };
    const line = progressLine(many, { ...shown, totalContacts: 12_000 });
    expect(line).toContain('12345/12345 done  99999 calls, 55555 ok');
    expect([...line].length).toBeLessThanOrEqual(79);
  });

  it('is a chart whose longest bar is full and whose shares add up', () => {
    const chart = barChart(
      [
        { label: 'success', count: 600, color: 'green' },
        { label: 'failed', count: 1, color: 'red' },
        { label: 'none', count: 0, color: 'red' },
      ],
      false,
    ).split('\n');
    expect(chart[0]).toContain('█'.repeat(36));
    expect(chart[0]).toMatch(/600 {3}99\.8 %$/);
    expect(chart[1]).toContain('▏');
    expect(chart[2]).not.toMatch(/[█▏▎▍▌▋▊▉]/);
  });

  it('is a chart without calls, too', () => {
    expect(barChart([{ label: 'success', count: 0, color: 'green' }], false)).toMatch(/0 {4}0\.0 %$/);
  });
});
