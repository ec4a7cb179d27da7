import { describe, expect, it } from 'vitest';
import { type Call, phoneOf, useDialing } from '../../support/dialing/dialing-api.ts';
import { sizeOf } from '../../support/run/extent.ts';
import type { Row } from '../../support/service/answers.ts';
import { succeeded } from '../../support/service/api.ts';

/** `isOwn`: of one task, whose calls alone it holds back. */
type Limit = { calls: number; minutes: number; isOwn?: boolean };
/** What holds for a task: the limits of the service with its own, and hours of rest after a success. */
type Limits = { windows: Limit[]; rest: number };
/** A call that was handed out, and what became of it. `number`: in one spelling. */
type HandedOut = {
  callId: string;
  taskId: string;
  number: string;
  at: number;
  isReleased: boolean;
  isCallback: boolean;
};
type CallRecord = { callId: string; endTime: string; outcome: string; disposition: string | null };

const minute = 60_000;
const hour = 60 * minute;
const callsWanted = sizeOf(500, 10_000);
const people = sizeOf(40, 250);
const refusedRestHours = 60;
const callsPerDay = 2;
const ofService: Limits = { windows: [{ calls: 4, minutes: 3600 }], rest: 5 };
const ownLimits: Limits[] = [
  { windows: [], rest: 0 },
  { windows: [{ calls: 1, minutes: 61 }], rest: 0 },
  { windows: [{ calls: 2, minutes: 1500 }], rest: 30 },
];

/** Numbers that look random and are the same in every run. */
const randomBy = (seed: number) => {
  let state = Math.imul(seed, 2_654_435_761);
  return (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return (state >>> 8) % below;
  };
};

const groupBy = <T>(items: readonly T[], keyOf: (item: T) => string): T[][] => {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
};

/** Every call that should not have been handed out, by what was handed out and what the records say. */
const recount = (
  all: readonly HandedOut[],
  records: ReadonlyMap<string, CallRecord>,
  limitsOf: (taskId: string) => Limits,
  mostInDay: number,
): string[] =>
  groupBy(all, ({ number }) => number).flatMap((calls) => {
    const counted = calls.filter(({ isReleased }) => !isReleased).sort((a, b) => a.at - b.at);
    return counted.flatMap((call, nth) => {
      const { windows, rest } = limitsOf(call.taskId);
      const before = counted.slice(0, nth);
      const isOver = (most: number, counts: (each: HandedOut) => boolean) =>
        before.filter(counts).length >= most;
      // Of two calls at the same moment, the task without the limit may have made the second.
      const isEarlier = ({ at }: HandedOut, { isOwn }: Limit) => !isOwn || at < call.at;
      const dayOf = ({ at }: HandedOut) => Math.floor(at / (24 * hour));
      const broken = windows
        .filter((limit) =>
          isOver(limit.calls, (each) => call.at - each.at < limit.minutes * minute && isEarlier(each, limit)),
        )
        .map(({ calls: most, minutes }) => `${most} in ${minutes} minutes`);
      if (isOver(mostInDay, (each) => dayOf(each) === dayOf(call))) broken.push('calls of the day');
      // A call that was handed out at the same moment had not ended.
      const ended = call.isCallback ? [] : before.filter(({ at }) => at < call.at);
      for (const { callId } of ended) {
        const { outcome, disposition, endTime } = records.get(callId) ?? {};
        if (endTime === undefined) continue;
        const rested = (call.at - Date.parse(`${endTime.replace(' ', 'T')}Z`)) / hour;
        if (rested < 0) continue;
        if (outcome === 'success' && rested < rest) broken.push('rest after a success');
        if (disposition === 'refused' && rested < refusedRestHours) broken.push('rest after a refusal');
      }
      return broken.map((what) => `${call.callId} to ${call.number}: ${what}`);
    });
  });

describe('limits on calls to a number', () => {
  const { clock, api, dialing } = useDialing({
    country: 'DE',
    maxCallsPerNumberPerDay: callsPerDay,
    callLimits: ofService.windows,
    restAfterSuccess: ofService.rest,
  });

  /** Three lists have the same people, each in a spelling of its own. A task with limits of its own calls each. */
  const aTask = async ({ windows, rest }: Limits, spell: (number: string) => string): Promise<string> => {
    const { id: dataSourceId } = await api.aDataSource();
    const contacts = Array.from({ length: people }, (_, i) => ({ phoneNumber: spell(phoneOf(i)) }));
    succeeded(await api.post(`/api/dataSource/${dataSourceId}/contact/batchAdd`, { contacts }));
    const dispositions = [{ code: 'refused', label: 'No', then: 'retry', restHours: refusedRestHours }];
    const rules = { callLimits: windows, restAfterSuccess: rest, dispositions, keepOpen: true };
    const task = await api.aTaskIn(1, { dataSourceId, maxDialCount: 10, callInterval: 0, ...rules });
    return task.id;
  };

  const recordsOf = async (taskId: string): Promise<CallRecord[]> => {
    const records: CallRecord[] = [];
    for (let pageToken: string | null | undefined; pageToken !== null; ) {
      const query = { pageSize: 500, ...(pageToken && { pageToken }) };
      const page = succeeded(await api.get(`/api/task/${taskId}/calls`, query)) as unknown as {
        rows: CallRecord[];
        nextPageToken: string | null;
      };
      records.push(...page.rows);
      pageToken = page.nextPageToken;
    }
    return records;
  };

  it(`hold in ${callsWanted} calls of three tasks, by a recount of the records`, async () => {
    const pick = randomBy(20_261);
    const handedOut: HandedOut[] = [];
    const callbacks = new Set<string>();
    const spellings = [
      (number: string) => number,
      (number: string) => number.replace('+', '00'),
      (number: string) => number.replace('+49', '0'),
    ];
    const tasks: string[] = [];
    for (const [i, limits] of ownLimits.entries()) tasks.push(await aTask(limits, spellings[i]!));

    const end = async (call: Call, handed: HandedOut) => {
      const { callId, taskId, contactId } = call;
      const contact = `${taskId} ${contactId}`;
      const fate = ['success', 'failed', 'noAnswer', 'refuses', 'callback', 'release', 'lapse'][pick(7)]!;
      if (fate === 'lapse') return;
      if (fate === 'release') {
        handed.isReleased = true;
        succeeded(await api.post('/api/dialer/release', { callId, waitSeconds: pick(3) * 600 }));
        return;
      }
      callbacks.delete(contact);
      const outcome = ['refuses', 'callback'].includes(fate) ? 'noAnswer' : fate;
      const callbackTime = api.timeIn(clock.time + (1 + pick(20)) * hour);
      const details = { refuses: { disposition: 'refused' }, callback: { callbackTime } }[fate] ?? {};
      const answer = await api.post('/api/dialer/result', { callId, outcome, ...details });
      // The sixth callback of a contact.
      if (answer.status === 409) succeeded(await api.post('/api/dialer/result', { callId, outcome }));
      else if (fate === 'callback') callbacks.add(contact);
    };

    for (let step = 0; handedOut.length < callsWanted; step++) {
      const at = clock.time;
      // Two dialers ask at once, one of them for calls of any task.
      const bodies = [{}, { taskId: tasks[step % tasks.length] }];
      const leased = await Promise.all(
        bodies.map((body) => dialing.lease({ ...body, limit: 1 + pick(40), leaseSeconds: 600 })),
      );
      const calls = leased.flat().map((call) => {
        const isCallback = callbacks.has(`${call.taskId} ${call.contactId}`);
        const number = call.phoneNumber.replace(/^(\+49|0049|0)/, '+49');
        const { callId, taskId } = call;
        const handed: HandedOut = { callId, taskId, number, at, isReleased: false, isCallback };
        handedOut.push(handed);
        return { call, handed };
      });
      clock.advance(pick(500));
      for (const { call, handed } of calls) await end(call, handed);
      clock.advance(60 * (1 + pick(40)) + pick(60));
      if (step % 50 !== 49) continue;
      // Who was reached, refused or failed is called again.
      for (const id of tasks) {
        succeeded(await dialing.recall(id));
        const reached = succeeded(
          await api.get(`/api/task/${id}/contacts`, { outcome: 'success', pageSize: 100 }),
        );
        const contactIds = (reached.rows as Row[]).map(({ contactId }) => contactId as string);
        if (contactIds.length > 0) succeeded(await dialing.recall(id, { contactIds }));
        for (const contactId of contactIds) callbacks.delete(`${id} ${contactId}`);
      }
    }

    const records = new Map<string, CallRecord>();
    for (const id of tasks) for (const each of await recordsOf(id)) records.set(each.callId, each);
    const limitsOf = (stricter: number) => (taskId: string) => {
      const { windows, rest } = ownLimits[tasks.indexOf(taskId)]!;
      const own = windows.map((limit) => ({ ...limit, isOwn: true }));
      const all = [...ofService.windows, ...own].map((limit) => ({
        ...limit,
        minutes: limit.minutes + stricter,
      }));
      return { windows: all, rest: Math.max(ofService.rest, rest) + stricter / 60 };
    };
    expect(recount(handedOut, records, limitsOf(0), callsPerDay)).toEqual([]);
    // It would have found them: the limits were reached, and calls came soon after they ended.
    for (const rule of ['minutes', 'rest after a success'])
      expect(recount(handedOut, records, limitsOf(180), callsPerDay).join()).toContain(rule);
    expect(recount(handedOut, records, limitsOf(0), callsPerDay - 1)).not.toEqual([]);
  });
});
