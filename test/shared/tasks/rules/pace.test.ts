import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  channelEnd,
  isLimited,
  minuteEnd,
  type PaceCounts,
  roomFor,
  secondOf,
} from '../../../../shared/tasks/rules/limits.ts';
import { randomRuns } from '../../../support/run/extent.ts';

const second = 1000;
const minute = 60 * second;
const begin = 1_700_000_000_000;

/** Calls as they are, one by one. */
type Call = { begun: number; until: number; end: number; isOver: boolean };

class Counter {
  readonly taken = new Map<number, number>();
  readonly freed = new Map<number, number>();
  readonly begun = new Map<number, number>();
  get counts(): PaceCounts {
    return { taken: this.taken, freed: this.freed, begun: this.begun };
  }
  static add = (counts: Map<number, number>, time: number, count: number) =>
    counts.set(time, (counts.get(time) ?? 0) + count);
}

const step = fc.oneof(
  fc.record({
    is: fc.constant('lease' as const),
    wanted: fc.integer({ min: 1, max: 12 }),
    leaseSeconds: fc.constantFrom(10, 37, 120, 3600),
  }),
  fc.record({ is: fc.constant('end' as const), which: fc.nat() }),
  fc.record({ is: fc.constant('extend' as const), which: fc.nat(), leaseSeconds: fc.constantFrom(10, 600) }),
  fc.record({ is: fc.constant('wait' as const), ms: fc.constantFrom(1, 400, 999, 3000, 20_000, 61_000) }),
);
const limits = fc.record({
  maxConcurrentCalls: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
  callsPerMinute: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
});

describe('pace', () => {
  it('never lets more calls go on at once, or begin in a minute, than its limits', () => {
    fc.assert(
      fc.property(limits, fc.array(step, { maxLength: 60 }), (limit, steps) => {
        const { maxConcurrentCalls = Infinity, callsPerMinute = Infinity } = limit;
        const counter = new Counter();
        const calls: Call[] = [];
        let now = begin;
        const live = () => calls.filter((call) => !call.isOver && call.until > now);
        for (const each of steps) {
          if (each.is === 'wait') now += each.ms;
          if (each.is === 'lease') {
            const room = roomFor(limit, counter.counts, now);
            const until = now + each.leaseSeconds * second;
            const end = channelEnd(until, now);
            const count = Math.min(each.wanted, room.calls);
            for (let i = 0; i < count; i++) calls.push({ begun: now, until, end, isOver: false });
            Counter.add(counter.taken, end, count);
            Counter.add(counter.begun, secondOf(now), count);
            if (room.calls === 0) {
              expect(room.nextTime).toBeGreaterThan(now);
              expect(roomFor(limit, counter.counts, room.nextTime).calls).toBeGreaterThan(0);
              expect(roomFor(limit, counter.counts, room.nextTime - 1).calls).toBe(0);
            }
          }
          const call = 'which' in each ? live()[each.which % Math.max(1, live().length)] : undefined;
          if (each.is === 'end' && call) {
            call.isOver = true;
            if (call.end > now) Counter.add(counter.freed, call.end, 1);
          }
          if (each.is === 'extend' && call) {
            call.until = Math.max(call.until, now + each.leaseSeconds * second);
            const end = Math.max(call.end, channelEnd(call.until, now));
            Counter.add(counter.taken, call.end, -1);
            Counter.add(counter.taken, end, 1);
            call.end = end;
          }
          expect(live().length).toBeLessThanOrEqual(maxConcurrentCalls);
          const inMinute = calls.filter(({ begun }) => begun > now - minute);
          expect(inMinute.length).toBeLessThanOrEqual(callsPerMinute);
        }
      }),
      randomRuns(500),
    );
  });

  it('gives a channel back at most a twentieth of its lease, or a second, after the lease', () => {
    const seconds = fc.integer({ min: 10, max: 3600 });
    fc.assert(
      fc.property(fc.integer({ min: begin, max: begin + minute }), seconds, (now, leaseSeconds) => {
        const until = now + leaseSeconds * second;
        const late = channelEnd(until, now) - until;
        expect(late).toBeGreaterThanOrEqual(0);
        expect(late).toBeLessThan((Math.ceil(leaseSeconds / 20) || 1) * second);
        expect(channelEnd(until, now) % second).toBe(0);
      }),
      randomRuns(200),
    );
  });

  it('counts a call for a minute, and for less than two seconds more', () => {
    expect(minuteEnd(secondOf(begin + 999)) - (begin + 999)).toBe(minute + 1);
    expect(minuteEnd(secondOf(begin)) - begin).toBe(minute + second);
  });

  it('has room again at once when a limit was lowered and enough calls have ended', () => {
    const end = begin + 5 * second;
    const counts = { taken: new Map([[end, 9]]), freed: new Map<number, number>(), begun: new Map() };
    expect(roomFor({ maxConcurrentCalls: 4 }, counts, begin)).toMatchObject({ calls: 0, nextTime: end });
    counts.freed.set(end, 6);
    expect(roomFor({ maxConcurrentCalls: 4 }, counts, begin)).toMatchObject({ calls: 1, nextTime: 0 });
  });

  it('is limited by any of its limits, and not by none', () => {
    expect([{}, { maxConcurrentCalls: null }, { callsPerMinute: 5 }].map(isLimited)).toEqual([
      false,
      false,
      true,
    ]);
  });
});
