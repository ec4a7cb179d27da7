import type { TaskOverview } from '../../../client/answers.ts';
import type { Schedule } from '../../../shared/domain/schedule.ts';
import { numberText } from '../i18n/format.ts';
import { afterOpenTime } from './open-time.ts';
import { zoneOf } from './task-words.ts';

type Sample = { at: number; calls: number; settled: number };
/** Calls a minute, and when nothing will be left at that pace, within the task's hours. */
export type Pace = { perMinute: number; end: number | undefined };

const windowMs = 120_000;
/** Two looks at it are enough for a first figure. */
const leastMs = 4000;
const minuteMs = 60_000;
const samples = new Map<string, Sample[]>();

const settledOf = ({ contacts: c }: TaskOverview) => c.reached + c.failed + c.noAnswer + c.blocked;

const sampled = (overview: TaskOverview, at: number): Sample[] => {
  const kept = (samples.get(overview.id) ?? []).filter((sample) => at - sample.at <= windowMs);
  const newest = kept.at(-1);
  if (newest === undefined || at - newest.at >= 1000) {
    kept.push({ at, calls: overview.calls.total, settled: settledOf(overview) });
    samples.set(overview.id, kept);
  }
  return kept;
};

/** From what the open screen has seen in the last two minutes; unknown at first. */
export const paceOf = (overview: TaskOverview, at: number): Pace | undefined => {
  if (overview.status !== 1) return undefined;
  const seen = sampled(overview, at);
  const [first, last] = [seen[0], seen.at(-1)];
  if (first === undefined || last === undefined || last.at - first.at < leastMs) return undefined;
  const perMs = (last.settled - first.settled) / (last.at - first.at);
  const left = overview.contacts.total - last.settled;
  const isOn = overview.dialing.active && perMs > 0 && left > 0;
  return {
    perMinute: ((last.calls - first.calls) / (last.at - first.at)) * minuteMs,
    end: isOn ? afterOpenTime(overview as Schedule, at, left / perMs, zoneOf(overview)) : undefined,
  };
};

/** Until there is a figure: that it is being taken, or that there is none. */
export const paceText = (pace: Pace | undefined, isActive: boolean): string => {
  if (pace !== undefined) return numberText(Math.round(pace.perMinute));
  return isActive ? '…' : '–';
};
