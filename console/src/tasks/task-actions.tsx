import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { TaskOverview } from '../../../client/answers.ts';
import { troubleOf } from '../api/errors.ts';
import { useWords } from '../i18n/i18n.ts';
import { usePerson } from '../session/person.ts';
import { PublishDialog } from '../task-form/task-summary.tsx';
import { Button } from '../ui/button.tsx';
import type { IconName } from '../ui/icon.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { Refused } from '../ui/refused.tsx';
import { say } from '../ui/toast.tsx';
import { type Move, useMove } from './changes.ts';
import { CloseDialog, ExportDialog, RecallDialog, StopDialog } from './task-dialogs.tsx';

type Asked = 'publish' | 'stop' | 'close' | 'recall' | 'export';

const recallable = [1, 2, 4, 5];
const stoppable = [1, 2];
const closable = [3, 4, 5];

/** The one thing that comes next in this state. */
const nextOf = (status: number): Exclude<Move, 'stop' | 'close'> | 'recall' | 'closing' | undefined =>
  ({ 0: 'publish', 1: 'pause', 2: 'resume', 3: 'closing', 4: 'recall', 5: 'recall' })[status] as never;

const icons: Partial<Record<string, IconName>> = { publish: 'play', pause: 'pause', resume: 'play' };

/** The next action as a button, the others in a menu; what is refused says why beside it. */
export const TaskActions = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const [, navigate] = useLocation();
  const [asked, ask] = useState<Asked | undefined>();
  const move = useMove();
  const { status } = task;
  const unreached = task.contacts.failed + task.contacts.noAnswer;
  const run = (which: 'pause' | 'resume') =>
    move.mutate({ move: which, id: task.id }, { onSuccess: () => say(t.task.done[which]) });
  // Nobody to recall: a task that has ended would run again with nothing to do.
  const mayRecall = recallable.includes(status) && unreached > 0;
  const next = nextOf(status) === 'recall' && !mayRecall ? 'closing' : nextOf(status);
  const items: (MenuItem | false)[] = [
    mayWrite && status === 0 && { label: t.task.edit, onChoose: () => navigate(`/tasks/${task.id}/edit`) },
    mayWrite &&
      mayRecall &&
      next !== 'recall' && { label: t.task.recall, icon: 'phone', onChoose: () => ask('recall') },
    { label: t.task.exportTitle, icon: 'download', onChoose: () => ask('export') },
    mayWrite && { label: t.task.copy, icon: 'file', onChoose: () => navigate(`/tasks/new?copy=${task.id}`) },
    { label: t.task.compare, icon: 'compare', onChoose: () => navigate(`/compare?ids=${task.id}`) },
    mayWrite &&
      stoppable.includes(status) && {
        label: t.task.stop,
        icon: 'stop',
        danger: true,
        onChoose: () => ask('stop'),
      },
    mayWrite &&
      closable.includes(status) &&
      next !== 'closing' && { label: t.task.close, danger: true, onChoose: () => ask('close') },
  ];
  const onClose = () => ask(undefined);
  return (
    <>
      <Refused words={troubleOf(move.error, t).whole} />
      {mayWrite && next !== undefined && (
        <Button
          kind={next === 'publish' || next === 'resume' ? 'primary' : 'plain'}
          {...(icons[next] === undefined ? {} : { icon: icons[next] })}
          busy={move.isPending}
          onClick={() => {
            if (next === 'pause' || next === 'resume') run(next);
            else ask(next === 'closing' ? 'close' : next);
          }}
        >
          {next === 'closing' ? t.task.close : next === 'recall' ? t.task.recall : t.task[next]}
        </Button>
      )}
      <Menu label={t.common.more} items={items.filter((item) => item !== false)} />
      {asked === 'publish' && <PublishDialog task={task} onClose={onClose} />}
      {asked === 'stop' && <StopDialog task={task} onClose={onClose} />}
      {asked === 'close' && <CloseDialog task={task} onClose={onClose} />}
      {asked === 'recall' && <RecallDialog task={task} unreached={unreached} onClose={onClose} />}
      {asked === 'export' && <ExportDialog task={task} onClose={onClose} />}
    </>
  );
};
