import { type Outcome, outcomes, toMilliseconds } from '../dialing/dialing.ts';
import { invalid } from '../errors.ts';
import { dayMs, hourMs, type Instant } from '../time.ts';
import { instantAt, steadyTimeAt } from '../zones.ts';
import type { TaskStatus } from './task-states.ts';

/** Calls of an outcome that ended from `time` on, or the seconds that was talked in them. */
export type CountedCalls = { time: Instant; what: Outcome | 'talk'; count: number };

/** What a task did on a day. `status`: `null` where the task was deleted. */
export type TaskDay = {
  taskId: string;
  taskName: string;
  status: TaskStatus | null;
  counts: readonly CountedCalls[];
};

/** An hour of the service's clock. It is shorter where the clock changes within it. */
type ClockHour = { hour: number; from: Instant };
export type ServiceDay = { date: string; hours: readonly ClockHour[]; from: Instant; until: Instant };

const nextHour = (from: Instant, zone: string): Instant => {
  const { until, offset } = steadyTimeAt(from, zone);
  const onTheHour = from + hourMs - ((from + offset) % hourMs);
  return until < onTheHour && steadyTimeAt(until, zone).offset !== offset ? until : onTheHour;
};

/** A day of the zone with its hours: 23 or 25 of them where the clock changes. `undefined`: there is no such date. */
export const serviceDay = (date: string, zone: string): ServiceDay | undefined => {
  const from = instantAt(`${date} 00:00:00`, zone);
  if (from === undefined) return undefined;
  const nextDate = new Date(Date.parse(date) + dayMs).toISOString().slice(0, 10);
  const until = instantAt(`${nextDate} 00:00:00`, zone)!;
  const hours: ClockHour[] = [];
  for (let at = from; at < until; at = nextHour(at, zone)) {
    const hour = Math.floor(((at + steadyTimeAt(at, zone).offset) % dayMs) / hourMs);
    hours.push({ hour, from: at });
  }
  return { date, hours, from, until };
};

/** @throws ServiceError invalid, naming the field */
export const givenDay = (field: string, date: string, zone: string): ServiceDay => {
  const day = serviceDay(date, zone);
  if (day === undefined) throw invalid(field, 'there is no such day');
  return day;
};

const sumOf = (counts: readonly CountedCalls[], what: CountedCalls['what']) =>
  counts.reduce((sum, counted) => (counted.what === what ? sum + counted.count : sum), 0);

const byOutcome = (counts: readonly CountedCalls[]) => {
  const [success, failed, noAnswer] = outcomes.map((outcome) => sumOf(counts, outcome)) as [
    number,
    number,
    number,
  ];
  return { total: success + failed + noAnswer, success, failed, noAnswer };
};

const callsOf = (counts: readonly CountedCalls[]) => ({
  ...byOutcome(counts),
  talkDuration: toMilliseconds(sumOf(counts, 'talk')),
});

/** All calls of the day, by outcome, by hour and by task: the task with the most calls first. */
export const serviceDayAnswer = ({ date, hours, from, until }: ServiceDay, days: readonly TaskDay[]) => {
  const tasks = days.map(({ counts, ...task }) => ({
    ...task,
    counts: counts.filter(({ time }) => time >= from && time < until),
  }));
  const counts = tasks.flatMap((task) => task.counts);
  return {
    date,
    calls: callsOf(counts),
    hours: hours.map(({ hour, from: begin }, i) => {
      const end = hours[i + 1]?.from ?? until;
      return { hour, ...byOutcome(counts.filter(({ time }) => time >= begin && time < end)) };
    }),
    tasks: tasks
      .map(({ counts, ...task }) => ({ ...task, calls: callsOf(counts) }))
      .filter(({ calls }) => calls.total > 0)
      .sort((a, b) => b.calls.total - a.calls.total),
  };
};
