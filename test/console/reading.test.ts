import { describe, expect, it } from 'vitest';
import type { TaskOverview } from '../../client/answers.ts';
import { dueNow, everyMs, liveMs, type Seen, unitsInList, unitsOf } from '../../console/src/tasks/reading.ts';

const now = 1_700_000_000_000;

type Look = { id: string; age: number; status?: number; active?: boolean; inCall?: number };
const seen = ({ id, age, status = 1, active = true, inCall = 0 }: Look): Seen => ({
  at: now - age,
  overview: { id, status, dialing: { active }, contacts: { inCall } } as TaskOverview,
});

describe('which tasks an open list asks for', () => {
  it('is those that move; the others now and then, a closed one never', () => {
    const rows = [
      seen({ id: 'calling', age: liveMs }),
      seen({ id: 'paused', age: liveMs, status: 2, active: false }),
      seen({ id: 'closed', age: 10 * 60_000, status: 6, active: false }),
    ];
    expect(dueNow(rows, now)).toEqual(['calling']);
    expect(dueNow([seen({ id: 'paused', age: 60_000, status: 2, active: false })], now)).toEqual(['paused']);
  });

  it('is no more than 150 read units a minute pay for; all of them take turns', () => {
    const ages = new Map(Array.from({ length: 20 }, (_, i) => [`task ${i}`, liveMs]));
    const asked = new Map<string, number>();
    let units = 0;
    const ticks = 100;
    for (let tick = 0; tick < ticks; tick++) {
      const rows = [...ages].map(([id, age]) => seen({ id, age }));
      const due = dueNow(rows, now);
      for (const id of due) asked.set(id, (asked.get(id) ?? 0) + 1);
      units += rows
        .filter(({ overview }) => due.includes(overview.id))
        .reduce((sum, row) => sum + unitsInList(row.overview), 0);
      for (const [id, age] of ages) ages.set(id, due.includes(id) ? liveMs : age + liveMs);
    }
    expect((units / (ticks * liveMs)) * 60_000).toBeLessThanOrEqual(150);
    expect(asked.size).toBe(20);
    const turns = [...asked.values()];
    const mean = turns.reduce((sum, each) => sum + each, 0) / turns.length;
    expect(Math.min(...turns) / mean).toBeGreaterThan(0.9);
  });

  it('is those in view first', () => {
    const rows = Array.from({ length: 20 }, (_, i) => seen({ id: String(i), age: i * liveMs }));
    const inView = ['3', '7', '11', '13'];
    expect(dueNow(rows, now, (id) => inView.includes(id)).toSorted()).toEqual(inView.toSorted());
  });

  it('is more after a while in which nothing was asked for', () => {
    const rows = Array.from({ length: 10 }, (_, i) => seen({ id: String(i), age: 3_600_000 }));
    expect(dueNow(rows, now).length).toBeGreaterThan(5);
  });

  it('leaves room for what is asked for beside an overview', () => {
    const { overview } = seen({ id: 'busy', age: 0, inCall: 100 });
    const each = 20;
    const perMinute = (units: number, ms: number) => (units * 60_000) / ms;
    const sum = perMinute(unitsOf(overview), liveMs) + perMinute(each, everyMs(each, overview));
    expect(sum).toBeLessThanOrEqual(151);
  });
});
