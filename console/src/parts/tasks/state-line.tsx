import type { TaskOverview } from '../../../../client/client.ts';
import { hasEnded, status, type TaskStatus } from '../../../../shared/tasks/rules/task-states.ts';
import { type Dictionary, instantOf, momentText, useWords } from '../../i18n/i18n.ts';
import { capital, named } from '../../i18n/phrases.ts';
import { StatusChip } from '../../ui/figures/figures.tsx';
import css from './state-line.module.css';
import { asksForDecision, isWaiting, reasonWords, stageOf, whyWords } from './task-words.ts';

/** Within a sentence. */
const inner = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1);

/** Why the task does not call, when it ended, or what it does. */
const reasonOf = (task: TaskOverview, t: Dictionary, isBrief: boolean): string => {
  const why = whyWords(task, t, isBrief);
  if (why !== undefined) return inner(why);
  const given = reasonWords(task, t);
  if (given !== null) return task.reasonCode === null ? named(given) : inner(given);
  if (task.status === status.draft) return t.contacts.total(task.contacts.total);
  if (hasEnded(task.status as TaskStatus) && task.endTime !== null)
    return momentText(instantOf(task.endTime));
  return isBrief && task.contacts.inCall > 0 ? t.today.inCalls(task.contacts.inCall) : '';
};

/** The state of a task and its reason, in one line of a list. `isWhole`: however long it is. */
export const StateLine = ({ task, isWhole = false }: { task: TaskOverview; isWhole?: boolean }) => {
  const t = useWords();
  const words = reasonOf(task, t, !isWhole);
  const isTrouble = asksForDecision(task);
  // In a list the reason is enough: its mark shows the state.
  const isQuiet =
    !isWhole && (whyWords(task, t) !== undefined || task.reasonCode !== null || isWaiting(task));
  return (
    <span class={isWhole ? '' : css.line} title={isWhole ? undefined : words}>
      <StatusChip status={task.status} stage={stageOf(task)} isTrouble={isTrouble} isQuiet={isQuiet} />
      {words && (
        <span class={isTrouble ? 'alarm' : 'faint'}>
          {isQuiet ? '\u2002' : ' · '}
          <bdi>{isQuiet ? capital(words) : words}</bdi>
        </span>
      )}
    </span>
  );
};
