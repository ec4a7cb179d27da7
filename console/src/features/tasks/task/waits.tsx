import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import type { TaskOutlook, TaskOverview } from '../../../../../client/client.ts';
import { openFrom, type Schedule } from '../../../../../shared/platform/time/schedule.ts';
import { dayMs, hourMs, minuteMs } from '../../../../../shared/platform/time/time.ts';
import { status } from '../../../../../shared/tasks/rules/task-states.ts';
import { type Dictionary, instantOf, numberText, timeText, useWords } from '../../../i18n/i18n.ts';
import { outlookQuery } from '../../../parts/tasks/queries.ts';
import {
  isToday,
  oneDecimal,
  remainingOf,
  selectedText,
  waitingOf,
  waitTimes,
  whenText,
} from '../../../parts/tasks/task-words.ts';
import { Chart } from '../../../ui/figures/chart.tsx';
import { Card } from '../../../ui/page/page.tsx';
import css from './task.module.css';

/** Who can still be called today, and from when the next ones after that. */
const callableToday = ({ callable, inCall, hours }: TaskOutlook) => {
  const starts = hours
    .map(({ time, count }) => ({ at: instantOf(time), count }))
    .filter(({ count }) => count > 0);
  const today = starts.filter(({ at }) => isToday(at));
  const count = today.reduce((sum, each) => sum + each.count, callable + inCall);
  return { count, last: today.at(-1)?.at ?? 0, next: starts.find(({ at }) => !isToday(at))?.at };
};

/**
 * Contacts with zones of their own: some can be called today, and the service does not know yet how
 * many.
 */
const openToday = ({ waits }: TaskOverview, { hours, later }: TaskOutlook): number => {
  const open = waits.find(({ reason, from, to }) => reason === 'HOURS' && from !== to);
  if (!open?.from || !open.to || !isToday(instantOf(open.from)) || isToday(instantOf(open.to))) return 0;
  const known = [...hours, ...later].reduce((sum, { count }) => sum + count, 0);
  return Math.max(0, waits.reduce((sum, { count }) => sum + count, 0) - known);
};

/** Until when the people of today are called at the present pace; nothing where that would not be today. */
const untilWords = (outlook: TaskOutlook, t: Dictionary): string | undefined => {
  const { count, last } = callableToday(outlook);
  if (outlook.perMinute === 0 || count === 0) return undefined;
  const until = Math.max(last, instantOf(outlook.time) + (count / outlook.perMinute) * minuteMs);
  return isToday(until) ? t.waits.until(timeText(until), oneDecimal(outlook.perMinute)) : undefined;
};

/** The moment within the hour at which the first of them can be called, where it is known. */
const exactStart = ({ waits }: TaskOverview, hour: number, t: Dictionary): string | undefined => {
  const starts = waits.flatMap(({ from }) => (from === null ? [] : [instantOf(from)]));
  const exact = starts.filter((at) => at >= hour && at < hour + hourMs);
  return exact.length === 0 ? undefined : whenText(Math.min(...exact), t);
};

/** Today and later in a sentence. No end is foretold. */
export const Outlook = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const { data: outlook } = useQuery(outlookQuery(task.id));
  const isCalling = task.status === status.running && task.dialing.active;
  const today = outlook && callableToday(outlook);
  const unknown = outlook ? openToday(task, outlook) : 0;
  // Contacts that the filter will leave out are not known one by one.
  const count = Math.min((today?.count ?? 0) + unknown, remainingOf(task));
  const later = today && remainingOf(task) - count;
  const from = today?.next === undefined ? undefined : exactStart(task, today.next, t);
  const words = [
    outlook && isCalling && untilWords(outlook, t),
    later !== undefined && later > 0 && t.waits.laterFrom(later, from),
  ].filter(Boolean);
  return (
    <div>
      <p>
        <span class="hero">
          {today ? (unknown > 0 ? t.waits.upTo(count) : selectedText(task, count, t)) : '…'}
        </span>{' '}
        <span class="faint">{t.waits.today}</span>
      </p>
      <p class={css.lead}>{words.join(' ')}</p>
    </div>
  );
};

/** The outcome of contacts among which those are who wait for the reason. */
const outcomeOf = (task: TaskOverview, reason: string | null): string => {
  if (reason === 'CALLBACK') return 'callback';
  return reason === 'RETRY' || task.contacts.notDialed === 0 ? 'waiting' : 'notDialed';
};

/** Everybody who waits, by the reason that ends last, each with the time. */
const WaitList = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  return (
    <Card title={t.waits.title} note={t.waits.all(waitingOf(task))}>
      <ul class={css.waits}>
        {task.waits.map((wait) => (
          <li key={wait.reason}>
            <Link href={`/tasks/${task.id}/contacts?outcome=${outcomeOf(task, wait.reason)}`}>
              <span class="figure">{numberText(wait.count)}</span>
              <span>{t.waits.reasons[wait.reason ?? 'OTHER'].label}</span>
              <span class="faint">{waitTimes(wait, t)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {task.contacts.callbacksMoved > 0 && <p class="sub">{t.waits.moved(task.contacts.callbacksMoved)}</p>}
    </Card>
  );
};

const shownHours = dayMs / hourMs;

/** How many people become callable in each of the next hours. */
const NextHours = ({ task, outlook }: { task: TaskOverview; outlook: TaskOutlook }) => {
  const t = useWords();
  const hours = outlook.hours.slice(0, shownHours);
  const times = hours.map(({ time }) => instantOf(time));
  const closed = times.map((time) => {
    const opens = openFrom(task as Schedule, time, task.timeZone);
    return opens === undefined || opens >= time + hourMs;
  });
  const said = hours.flatMap(({ count }, i) =>
    count > 0 ? `${timeText(times[i] as number)}: ${numberText(count)}` : [],
  );
  return (
    <Card title={t.waits.nextHours} note={t.waits.becomeCallable}>
      <Chart
        times={times}
        bucketMs={hourMs}
        parts={[
          { label: t.waits.becomeCallable, color: '--callable', values: hours.map(({ count }) => count) },
        ]}
        closed={closed}
        isSmall
      />
      {closed.includes(true) && <p class="sub">{t.waits.shaded}</p>}
      <p class="hidden">{said.join(', ')}</p>
    </Card>
  );
};

/** The contacts that wait, by reason, and when they can be called. */
export const Waits = ({ task }: { task: TaskOverview }) => {
  const { data: outlook } = useQuery(outlookQuery(task.id));
  if (waitingOf(task) === 0) return null;
  const hasHours = outlook?.hours.slice(0, shownHours).some(({ count }) => count > 0);
  return (
    <div class={css.even}>
      <WaitList task={task} />
      {outlook && hasHours && <NextHours task={task} outlook={outlook} />}
    </div>
  );
};
