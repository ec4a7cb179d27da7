import type { ServiceDay, TaskOverview } from '../../../../client/client.ts';
import { minuteMs } from '../../../../shared/platform/time/time.ts';
import { settings } from '../../base/page-settings.ts';
import { differenceText, instantOf, numberText, percentText, timeInZone, useWords } from '../../i18n/i18n.ts';
import { type Recent, recentPace } from '../../parts/tasks/queries.ts';
import { isRateKnown, oneDecimal, shareOf } from '../../parts/tasks/task-words.ts';
import css from './strip.module.css';

const recentMs = 10 * minuteMs;
/** More lines than these are not drawn one by one. */
const drawnLines = 60;

type Counted = { total: number; success: number };

/** Calls of the running tasks that ended in the last minutes. */
const recentCalls = ({ minutes, at }: Recent): Counted => {
  const rows = Object.values(minutes)
    .flat()
    .filter(({ time }) => instantOf(time) > at - recentMs);
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + of(row), 0);
  const success = sum((row) => row.success);
  return { success, total: success + sum(({ failed, noAnswer }) => failed + noAnswer) };
};

const rateOf = (calls: Counted | undefined) =>
  calls && isRateKnown(calls.total) ? shareOf(calls.success, calls.total) : undefined;

const Lines = ({ inUse }: { inUse: number }) => {
  const t = useWords();
  const all = settings.maxConcurrentCalls || undefined;
  return (
    <div>
      <p>
        <span class="hero">{numberText(inUse)}</span>{' '}
        <span class="faint">{all === undefined ? t.today.lines(inUse) : t.today.linesOf(all)}</span>
      </p>
      {all !== undefined && all <= drawnLines && (
        <div class={css.lines} aria-hidden="true">
          {Array.from({ length: all }, (_, i) => (
            <i key={i} class={i < inUse ? '' : 'free'} />
          ))}
        </div>
      )}
    </div>
  );
};

type Props = {
  tasks: readonly TaskOverview[];
  recent: Recent;
  day: ServiceDay | undefined;
  dayBefore: ServiceDay | undefined;
};

/** What happens now: lines in use, the pace, and the connect rate against what is usual. */
export const Strip = ({ tasks, recent, day, dayBefore }: Props) => {
  const t = useWords();
  const now = Date.now();
  const hour = Number(timeInZone(now, settings.timeZone).slice(0, 2));
  const lastHour = day?.hours[hour - 1];
  const rate = rateOf(recentCalls(recent));
  const perMinute = Object.values(recent.minutes).reduce((all, rows) => all + recentPace(rows, recent.at), 0);
  const against = [
    [t.today.onLastHour, rateOf(lastHour)] as const,
    [t.today.onDayBefore, rateOf(dayBefore?.hours[hour])] as const,
  ];
  return (
    <div class={css.strip}>
      <Lines inUse={tasks.reduce((all, { contacts }) => all + contacts.inCall, 0)} />
      <div>
        <p>
          <span class="figure">{oneDecimal(perMinute)}</span> <span class="faint">{t.today.aMinute}</span>
        </p>
        {lastHour !== undefined && lastHour.total > 0 && (
          <p class="sub">{t.today.lastHour(oneDecimal(lastHour.total / 60))}</p>
        )}
      </div>
      <div>
        <p>
          <span class="figure">{rate === undefined ? '–' : percentText(rate)}</span>{' '}
          <span class="faint">{t.today.recentRate}</span>
        </p>
        {rate !== undefined &&
          against.map(
            ([words, other]) =>
              other !== undefined && (
                <p key={words} class="sub">
                  <b>{differenceText(100 * (rate - other))}</b> {words} {percentText(other)}
                </p>
              ),
          )}
      </div>
    </div>
  );
};
