import { useQuery } from '@tanstack/preact-query';
import type { TaskBoard, TaskOverview } from '../../../../client/client.ts';
import { isBuiltIn } from '../../../../shared/platform/rules/names.ts';
import { dayMs } from '../../../../shared/platform/time/time.ts';
import { hasEnded, status, type TaskStatus } from '../../../../shared/tasks/rules/task-states.ts';
import { importReason } from '../../api/errors.ts';
import { type Dictionary, instantOf, momentText, useWords } from '../../i18n/i18n.ts';
import { importsPath } from '../../parts/lists/import-file.ts';
import { useIsSettled } from '../../parts/tasks/queries.ts';
import { reasonWords, whyWords } from '../../parts/tasks/task-words.ts';
import { webhookPath, webhooksQuery } from '../../parts/webhooks/queries.ts';
import { usePerson } from '../../session/session.ts';
import { Icon } from '../../ui/actions/button.tsx';
import { NamedLink } from '../../ui/figures/figures.tsx';
import css from './attention.module.css';

/** Webhooks are looked at once a minute. */
const attentionMs = 60_000;

/** Since when no dialer has asked for the task. */
const waitsSince = ({ dialing, startTime }: TaskOverview): number =>
  Math.max(...[startTime, dialing.lastLeaseTime].flatMap((time) => time ?? []).map(instantOf));

/** Since when a task needs attention; `undefined`: it does not. What ended a day ago is no news. */
const since = (task: TaskOverview, now: number): number | undefined => {
  if (task.dialing.reason === 'NO_DIALER') return waitsSince(task);
  if (task.status === status.paused && task.reasonCode !== null) return instantOf(task.updateTime ?? '');
  const isEnded =
    task.status === status.failed || (task.status === status.stopped && task.reasonCode !== null);
  const ended = isEnded && task.endTime !== null ? instantOf(task.endTime) : undefined;
  return ended !== undefined && now - ended < dayMs ? ended : undefined;
};

type Entry = { href: string; name: string; words: string; when: string };

/** A state holds since then; an end is a moment. */
const timeWordsIn = (t: Dictionary) => (time: number, isEnd: boolean) =>
  isEnd ? momentText(time) : t.today.since(momentText(time));

type Props = { tasks: readonly TaskOverview[]; imports: TaskBoard['imports'] };

/**
 * Tasks that paused themselves, were stopped by their date or failed, tasks without a dialer,
 * callbacks that are moved, imports that failed or are stuck. For operators also webhooks that
 * fail or that the service switched off. Each with the way there.
 */
export const Attention = ({ tasks, imports }: Props) => {
  const t = useWords();
  const enabled = useIsSettled(true);
  const isOperator = usePerson().mayWrite;
  const webhooks = useQuery({
    ...webhooksQuery,
    refetchInterval: attentionMs,
    enabled: enabled && isOperator,
  });
  const failing = (webhooks.data ?? []).filter(
    ({ state, disabledReason }) => state === 'failing' || disabledReason !== null,
  );
  const now = Date.now();
  const timeWords = timeWordsIn(t);
  const found = tasks
    .flatMap((task) => {
      const time = since(task, now);
      return time === undefined ? [] : { task, time };
    })
    .sort((a, b) => b.time - a.time);
  // No dialer is one trouble, however many tasks wait for it.
  const silent = found.filter(({ task }) => task.dialing.reason === 'NO_DIALER');
  const [, second] = silent;
  const isOne = second === undefined;
  const entries: Entry[] = [
    ...(isOne
      ? []
      : [
          {
            href: `/tasks?status=${status.running}&stage=stuck`,
            name: t.today.tasksWait(silent.length),
            words: t.why.CHECK_DIALER,
            when: t.today.since(momentText(Math.min(...silent.map(({ time }) => time)))),
          },
        ]),
    ...found
      .filter((each) => isOne || !silent.includes(each))
      .map(({ task, time }) => ({
        href: `/tasks/${task.id}`,
        name: task.taskName,
        words: t.today.line(whyWords(task, t) ?? reasonWords(task, t) ?? ''),
        when: Number.isFinite(time) ? timeWords(time, hasEnded(task.status as TaskStatus)) : '',
      })),
    ...tasks
      .filter(({ contacts }) => contacts.callbacksMoved > 0)
      .map(({ id, taskName, contacts }) => ({
        href: `/tasks/${id}/contacts?outcome=callback`,
        name: taskName,
        words: t.waits.moved(contacts.callbacksMoved),
        when: '',
      })),
    ...imports.map(
      ({ importId, fileName, dataSourceId, dataSourceName, since: time, status: state, ...why }) => ({
        href: importsPath(dataSourceId),
        name: fileName,
        words: `${t.import.title(isBuiltIn(dataSourceId) ? t.doNotCall.title : dataSourceName)}: ${t.today.line(importReason(why, t))}`,
        when: timeWords(instantOf(time), state === 'FAILED'),
      }),
    ),
    ...failing.map(({ id, url, disabledReason }) => ({
      href: webhookPath(id),
      name: url,
      words: disabledReason === null ? t.today.webhookFailing : t.today.webhookOff,
      when: '',
    })),
  ];
  if (entries.length === 0) return null;
  return (
    <section class={`${css.attention} card`} aria-labelledby="attention">
      <h2 id="attention">{t.today.attention(entries.length)}</h2>
      <ul>
        {entries.map(({ href, name, words, when }, i) => (
          <li key={i} class={css.entry}>
            <Icon name="warning" />
            <NamedLink href={href} name={name} />
            <span class={css.what}>{words}</span>
            <span class="sub">{when}</span>
          </li>
        ))}
      </ul>
    </section>
  );
};
