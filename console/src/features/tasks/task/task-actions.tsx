import { useMutation } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { TaskOverview } from '../../../../../client/client.ts';
import {
  isDeletable,
  type Operation,
  type TaskStatus,
} from '../../../../../shared/tasks/rules/task-states.ts';
import { useRefresh } from '../../../api/client.ts';
import { troubleOf } from '../../../api/errors.ts';
import { useWords } from '../../../i18n/i18n.ts';
import { PublishDialog } from '../../../parts/publish/publish.tsx';
import { moveTask } from '../../../parts/tasks/changes.ts';
import { taskKeys } from '../../../parts/tasks/queries.ts';
import { allows, unreachedOf } from '../../../parts/tasks/task-words.ts';
import { usePerson } from '../../../session/session.ts';
import { Button, type IconName, Refused } from '../../../ui/actions/button.tsx';
import { Menu, type MenuItem } from '../../../ui/actions/menu.tsx';
import { say } from '../../../ui/page/page.tsx';
import { AdjustDialog } from './adjust-dialog.tsx';
import { DeleteDialog, ExportDialog, MoveDialog, RecallDialog } from './task-dialogs.tsx';

const steps = ['publish', 'pause', 'resume', 'recall', 'close'] as const;
type Step = (typeof steps)[number];
type Asked = 'publish' | 'adjust' | 'stop' | 'close' | 'recall' | 'export' | 'delete';

const icons: Partial<Record<Step, IconName>> = { publish: 'play', pause: 'pause', resume: 'play' };

/** The next action as a button, the others in a menu; a refusal is said beside it. */
export const TaskActions = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const [, navigate] = useLocation();
  const [asked, ask] = useState<Asked | undefined>();
  const refresh = useRefresh(taskKeys);
  const moving = useMutation({
    mutationFn: (move: 'pause' | 'resume') => moveTask(move, task.id),
    onSuccess: (_, move) => say(t.task.operation[move]),
    onSettled: refresh,
  });
  const may = (operation: Operation) =>
    mayWrite &&
    allows(task, operation) &&
    // Without a contact to recall, a task that has ended would run again with nothing to do.
    (operation !== 'recall' || unreachedOf(task) > 0);
  const mayDelete = mayWrite && isDeletable(task.status as TaskStatus);
  const next = steps.find(may);
  const items: (MenuItem | false)[] = [
    may('update') && { label: t.common.edit, onChoose: () => navigate(`/tasks/${task.id}/edit`) },
    may('adjust') && { label: t.adjust.open, onChoose: () => ask('adjust') },
    may('recall') &&
      next !== 'recall' && { label: t.task.recall, icon: 'phone', onChoose: () => ask('recall') },
    { label: t.task.exportTitle, icon: 'download', onChoose: () => ask('export') },
    mayWrite && { label: t.task.copy, icon: 'file', onChoose: () => navigate(`/tasks/new?copy=${task.id}`) },
    { label: t.task.compare, icon: 'compare', onChoose: () => navigate(`/compare?ids=${task.id}`) },
    may('stop') && { label: t.task.stop, icon: 'stop', danger: true, onChoose: () => ask('stop') },
    may('close') && next !== 'close' && { label: t.task.close, danger: true, onChoose: () => ask('close') },
    mayDelete && { label: t.common.delete, icon: 'bin', danger: true, onChoose: () => ask('delete') },
  ];
  const dialog = { task, onClose: () => ask(undefined) };
  return (
    <>
      <Refused words={troubleOf(moving.error, t).whole} />
      {next !== undefined && (
        <Button
          kind={next === 'publish' || next === 'resume' ? 'primary' : 'plain'}
          icon={icons[next]}
          busy={moving.isPending}
          onClick={() => (next === 'pause' || next === 'resume' ? moving.mutate(next) : ask(next))}
          label={t.task[next]}
        />
      )}
      <Menu label={t.common.more} items={items} />
      {asked === 'publish' && <PublishDialog {...dialog} />}
      {asked === 'adjust' && <AdjustDialog {...dialog} />}
      {(asked === 'stop' || asked === 'close') && <MoveDialog move={asked} {...dialog} />}
      {asked === 'delete' && <DeleteDialog {...dialog} />}
      {asked === 'recall' && <RecallDialog {...dialog} />}
      {asked === 'export' && <ExportDialog {...dialog} />}
    </>
  );
};
