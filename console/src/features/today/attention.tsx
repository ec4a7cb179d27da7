import { useQuery } from '@tanstack/preact-query';
import type { TaskBoard, TaskOverview } from '../../../../client/client.ts';
import { isBuiltIn } from '../../../../shared/platform/rules/names.ts';
import { dayMs } from '../../../../shared/platform/time/time.ts';
import { hasEnded, status, type TaskStatus } from '../../../../shared/tasks/rules/task-states.ts';
import { importReason } from '../../api/errors.ts';
import { instantOf, momentText, useWords } from '../../i18n/i18n.ts';
import { importsPath } from '../../parts/lists/import-file.ts';
import { useIsSettled } from '../../parts/tasks/queries.ts';
import { reasonWords, stageOf, whyWords } from '../../parts/tasks/task-words.ts';
import { webhookPath, webhooksQuery } from '../../parts/webhooks/queries.ts';
import { usePerson } from '../../session/session.ts';
import { NamedLink, StatusChip } from '../../ui/figures/figures.tsx';
import { Card } from '../../ui/page/page.tsx';

/** Webhooks are looked at once a minute. */
const attentionMs = 60_000;

/** Since when a contact could be called and no dialer has asked for the task. */
const waitsSince = ({ contacts, dialing, startTime }: TaskOverview): number => {
  const { lastLeaseTime, firstDueTime } = dialing;
  const isDueSince = contacts.notDialed === 0 ? firstDueTime : null;
  return Math.max(...[startTime, lastLeaseTime, isDueSince].flatMap((time) => time ?? []).map(instantOf));
};

/** Since when a task needs attention; `undefined`: it does not. What ended a day ago is no news. */
const since = (task: TaskOverview, now: number): number | undefined => {
  if (task.dialing.reason === 'NO_DIALER') return waitsSince(task);
  if (task.status === status.paused && task.reasonCode !== null) return instantOf(task.updateTime ?? '');
  const isEnded =
    task.status === status.failed || (task.status === status.stopped && task.reasonCode !== null);
  const ended = isEnded && task.endTime !== null ? instantOf(task.endTime) : undefined;
  return ended !== undefined && now - ended < dayMs ? ended : undefined;
};

type Props = { tasks: readonly TaskOverview[]; imports: TaskBoard['imports'] };

/**
 * Tasks that paused themselves, were stopped by their date or failed, tasks without a dialer, imports
 * that failed or are stuck, and for operators webhooks that fail or that the service switched off, with the way there.
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
  const found = tasks
    .flatMap((task) => {
      const time = since(task, now);
      return time === undefined ? [] : { task, time };
    })
    .sort((a, b) => b.time - a.time);
  /** A state holds since then; an end is a moment. */
  const timeWords = (time: number, isEnd: boolean) =>
    isEnd ? momentText(time) : t.today.since(momentText(time));
  if (found.length + imports.length + failing.length === 0) return null;
  return (
    <Card title={t.today.attention}>
      <ul class="stack">
        {found.map(({ task, time }) => (
          <li key={task.id}>
            <div class="row wrap">
              <NamedLink href={`/tasks/${task.id}`} name={task.taskName} />
              <StatusChip status={task.status} stage={stageOf(task)} />
              {Number.isFinite(time) && (
                <span class="sub">{timeWords(time, hasEnded(task.status as TaskStatus))}</span>
              )}
            </div>
            <div class="sub why">{t.today.line(whyWords(task, t) ?? reasonWords(task, t) ?? '')}</div>
          </li>
        ))}
        {imports.map(
          ({ importId, fileName, dataSourceId, dataSourceName, since: time, status: state, ...why }) => (
            <li key={importId}>
              <div class="row wrap">
                <NamedLink href={importsPath(dataSourceId)} name={fileName} />
                <span class="sub">
                  {t.import.title(isBuiltIn(dataSourceId) ? t.doNotCall.title : dataSourceName)}
                </span>
                <span class="sub">{timeWords(instantOf(time), state === 'FAILED')}</span>
              </div>
              <div class="sub why">{t.today.line(importReason(why, t))}</div>
            </li>
          ),
        )}
        {failing.map(({ id, url, disabledReason }) => (
          <li key={id}>
            <NamedLink href={webhookPath(id)} name={url} />
            <div class="sub why">{disabledReason === null ? t.today.webhookFailing : t.today.webhookOff}</div>
          </li>
        ))}
      </ul>
    </Card>
  );
};
