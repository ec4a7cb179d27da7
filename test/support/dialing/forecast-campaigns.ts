import { randomFrom } from '../../../bench/scale/virtual-time.ts';
import type { TaskOverview } from '../../../client/client.ts';
import { simulatedCall } from '../../../local/simulation/mix.ts';
import type { TimelineRow } from '../../../shared/calls/rules/timeline.ts';
import { instantAt } from '../../../shared/platform/time/zones.ts';
import { status } from '../../../shared/tasks/rules/task-states.ts';
import { engines } from '../engines/engines.ts';
import { type Api, startApi, succeeded } from '../service/api.ts';
import { hour, minute, second } from './dialing.ts';
import { type Call, phoneOf } from './dialing-api.ts';

/** What a screen knows at an instant. */
export type Seen = { now: number; task: TaskOverview; minutes: TimelineRow[] };
export type Campaign = ReturnType<typeof campaignOf>;
/** What was seen from the start of a campaign to its end. */
export type Run = { campaign: Campaign; started: number; ended: number; seen: Seen[] };

/** A Monday. */
const day = Date.UTC(2026, 4, 4);

/** A campaign with some of the features that decide about its end. */
export const campaignOf = (seed: number) => {
  const random = randomFrom(seed);
  const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));
  const maybe = <T>(share: number, made: () => T): T | undefined => {
    const [isMade, value] = [random() < share, made()];
    return isMade ? value : undefined;
  };
  const pick = <T>(...from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const success = between(25, 60) / 100;
  const timeZone = pick('UTC', 'UTC', 'Asia/Shanghai', 'Europe/Berlin');
  const opens = pick('07:00', '08:00');
  return {
    seed,
    contacts: between(80, 200),
    /** Percent of the contacts that the filter selects, and that are on the do-not-call list. */
    selected: maybe(0.5, () => between(25, 75)) ?? 100,
    blocked: maybe(0.4, () => between(3, 12)) ?? 0,
    callsPerNumber: pick(0, 0, 0, 1, 2),
    /** Calls that the dialer makes at a time. */
    lines: between(3, 14),
    mix: { success, noAnswer: (1 - success) * 0.7, callback: pick(0, 0, 0.04, 0.1) },
    /** Minutes until an agreed callback, from and to. */
    callbackMinutes: pick([15, 60], [30, 240]) as [number, number],
    start: day + between(8, 11) * hour + between(0, 59) * minute,
    task: {
      timeZone,
      dailyStartTime: opens,
      dailyEndTime: pick('24:00', '21:00', '20:00', '19:30'),
      breaks: pick(
        [],
        [],
        [{ start: '12:00', end: '13:00' }],
        [
          { start: '10:30', end: '10:45' },
          { start: '14:00', end: '15:30' },
        ],
      ),
      maxDialCount: between(1, 4),
      callInterval: pick(300, 600, 1200, 3600),
      retryRules: pick(
        [],
        [],
        [
          { reasons: ['busy'], waitSeconds: 300, attempts: 3 },
          { reasons: ['poweredOff', 'voicemail'], waitSeconds: 5400, attempts: 2 },
        ],
      ),
      retryOrder: pick('due', 'due', 'due', 'last'),
      maxConcurrentCalls: maybe(0.3, () => between(3, 8)) ?? null,
      callsPerMinute: maybe(0.3, () => between(4, 12)) ?? null,
    },
  };
};

/** A dialer looks for calls that often, while it has calls. */
const tick = 20 * second;
const seenEvery = 3 * minute;
/** A longer wait is looked at that many times. */
const seenInWait = 5;
const ringing = 5 * second;
const leaseSeconds = 3600;

/** The contacts, and the task on them as a draft. */
const prepare = async (api: Api, { contacts, selected, blocked, task, seed }: Campaign) => {
  const random = randomFrom(seed + 1_000_000);
  const numbers = Array.from({ length: contacts }, (_, i) => phoneOf(i));
  const rows = numbers.map((phoneNumber) => ({
    phoneNumber,
    plan: random() * 100 < selected ? 'gold' : 'silver',
  }));
  const { id: dataSourceId } = await api.aDataSource();
  succeeded(await api.post(`/api/dataSource/${dataSourceId}/contact/batchAdd`, { contacts: rows }));
  const excluded = numbers.filter(() => random() * 100 < blocked).map((phoneNumber) => ({ phoneNumber }));
  if (excluded.length > 0)
    succeeded(await api.post('/api/dataSource/do-not-call/contact/batchAdd', { contacts: excluded }));
  const filter = [{ field: 'plan', is: 'in', value: ['gold'] }];
  const draft = await api.aTask({ ...task, dataSourceId, ...(selected < 100 && { contactFilter: filter }) });
  // As the publish dialog does.
  succeeded(await api.post('/api/task/preflight', { id: draft.id }));
  return String(draft.id);
};

/** Runs a campaign to its end on a clock of its own. */
export const runCampaign = async (campaign: Campaign): Promise<Run> => {
  let now = campaign.start;
  const { callsPerNumber: maxCallsPerNumberPerDay, lines, mix, seed, callbackMinutes } = campaign;
  const api = await startApi({ now: () => now, maxCallsPerNumberPerDay, engine: engines[0]! });
  try {
    const id = await prepare(api, campaign);
    succeeded(await api.post('/api/task/publish', { id }));
    const random = randomFrom(seed + 2_000_000);
    const instant = (time: unknown) => instantAt(String(time), 'UTC') as number;
    const overview = async () =>
      succeeded(await api.get(`/api/task/${id}/overview`)) as unknown as TaskOverview;
    const seen: Seen[] = [];
    const look = async () => {
      const { rows } = succeeded(await api.get(`/api/task/${id}/timeline`, { bucket: 'minute' }));
      const minutes = rows.map((row) => ({ ...row, time: instant(row.time) }) as unknown as TimelineRow);
      seen.push({ now, task: await overview(), minutes });
    };
    let nextLease = now;
    const lease = async (limit: number) => {
      const request = { taskId: id, limit, leaseSeconds };
      const { calls: leased, retryAfterSeconds } = succeeded(await api.post('/api/dialer/lease', request));
      nextLease = now + Number(retryAfterSeconds) * second;
      return leased as Call[];
    };
    let calls: { ends: number; result: Record<string, unknown> }[] = [];
    const begin = ({ callId, phoneNumber }: Call, attempt: number) => {
      const { outcome, reason, duration, wish } = simulatedCall(mix, seed, { phoneNumber, attempt });
      const ends = now + duration * second + ringing;
      const [soonest, latest] = callbackMinutes;
      const callbackTime = api.timeIn(ends + tick + (soonest + random() * (latest - soonest)) * minute);
      calls.push({
        ends,
        result: {
          callId,
          outcome,
          duration,
          ...(reason && { reason }),
          ...(wish === 'callback' && { callbackTime }),
        },
      });
    };
    const attempts = new Map<string, number>();
    for (let nextSeen = now + seenEvery; ; ) {
      const over = calls.filter(({ ends }) => ends <= now);
      calls = calls.filter(({ ends }) => ends > now);
      for (let at = 0; at < over.length; at += 100)
        succeeded(
          await api.post('/api/dialer/results', {
            results: over.slice(at, at + 100).map(({ result }) => result),
          }),
        );
      const free = lines - calls.length;
      const leased = free > 0 && now >= nextLease ? await lease(free) : [];
      for (const call of leased) {
        const attempt = (attempts.get(call.phoneNumber) ?? 0) + 1;
        attempts.set(call.phoneNumber, attempt);
        begin(call, attempt);
      }
      if (now >= nextSeen) {
        await look();
        nextSeen = now + seenEvery;
      }
      if (leased.length > 0 || calls.length > 0) {
        now += tick;
        continue;
      }
      const task = await overview();
      nextLease = now;
      if (task.status !== status.running)
        return {
          ...{ campaign, started: instant(task.startTime), ended: instant(task.endTime) },
          seen: seen.filter((each) => each.task.status === status.running),
        };
      // No calls until then: the dialer goes on asking, of which a few times are enough.
      const next = Math.max(now + tick, instant(task.dialing.nextTime));
      const wait = next - now;
      for (let i = 1; wait > seenEvery && i < seenInWait; i++) {
        now = next - wait + Math.floor(((i / seenInWait) * wait) / second) * second;
        await lease(1);
        await look();
      }
      now = next;
    }
  } finally {
    await api.stop();
  }
};
