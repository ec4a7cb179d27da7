import { useMutation } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { troubleOf, troubleWords } from '../../api/errors.ts';
import { useRefresh } from '../../api/query-client.ts';
import { type Dictionary, useWords } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import type { Chosen } from '../../ui/chosen.tsx';
import { ChosenBar } from '../../ui/chosen-bar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { say } from '../../ui/toast.tsx';
import { type Deleted, deleteTasks, moveTasks } from '../changes.ts';
import { taskKeys } from '../queries.ts';

const comparedAtMost = 5;

/** Which tasks were not deleted, by the reason. */
const notDeletedWords = ({ refused }: Deleted, nameOf: (id: string) => string, t: Dictionary) => {
  const names = new Map<string, string[]>();
  for (const { id, error } of refused) {
    const why = error.errorCode === 'TASK_STATE' ? t.tasks.deletable : troubleWords(error, t);
    names.set(why, [...(names.get(why) ?? []), nameOf(id)]);
  }
  return [...names].map(([why, tasks]) => t.tasks.notDeleted(tasks, why)).join(' ') || undefined;
};

export const ChosenTasks = ({ chosen }: { chosen: Chosen }) => {
  const t = useWords();
  const [, navigate] = useLocation();
  const refresh = useRefresh(taskKeys);
  const [left, setLeft] = useState<string | undefined>();
  const [deleting, setDeleting] = useState(false);
  const ids = [...chosen.ids.keys()];
  const nameOf = (id: string) => chosen.ids.get(id) ?? id;
  const unchoose = (done: readonly string[]) =>
    chosen.choose(
      done.map((id) => [id, '']),
      false,
    );
  const moving = useMutation({
    mutationFn: (move: 'pause' | 'resume') => moveTasks(move, ids),
    onSuccess: ({ moved, refused }, move) => {
      if (moved.length > 0)
        say(move === 'pause' ? t.tasks.paused(moved.length) : t.tasks.resumed(moved.length));
      setLeft(refused.length === 0 ? undefined : t.tasks.notChanged(refused.map(nameOf)));
      unchoose(moved);
    },
    onSettled: refresh,
  });
  const button = (move: 'pause' | 'resume', icon: 'pause' | 'play') => (
    <Button
      icon={icon}
      busy={moving.isPending && moving.variables === move}
      onClick={() => moving.mutate(move)}
      label={t.task[move]}
    />
  );
  const onDeleted = (done: Deleted) => {
    if (done.deleted.length > 0) say(t.tasks.deleted(done.deleted.length));
    setLeft(notDeletedWords(done, nameOf, t));
    unchoose(done.deleted);
  };
  return (
    <ChosenBar chosen={chosen} refused={left ?? troubleOf(moving.error, t).whole}>
      {button('pause', 'pause')}
      {button('resume', 'play')}
      <Button
        icon="compare"
        disabled={ids.length > comparedAtMost}
        title={t.compare.words}
        onClick={() => navigate(`/compare?ids=${ids.join(',')}`)}
        label={t.compare.title}
      />
      <Button kind="danger" icon="bin" onClick={() => setDeleting(true)} label={t.common.delete} />
      {deleting && (
        <ConfirmDialog
          title={t.tasks.deleteTitle(ids.length)}
          action={t.common.delete}
          kind="danger"
          change={() => deleteTasks(ids)}
          onDone={onDeleted}
          refreshes={taskKeys}
          words={t.tasks.deletable}
          onClose={() => setDeleting(false)}
        >
          <p>{t.task.deleteWords}</p>
        </ConfirmDialog>
      )}
    </ChosenBar>
  );
};
