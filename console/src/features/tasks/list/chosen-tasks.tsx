import { useMutation } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { troubleOf, troubleWords } from '../../../api/errors.ts';
import { useRefresh } from '../../../api/query-client.ts';
import { type Dictionary, useWords } from '../../../i18n/i18n.ts';
import { type Changed, deleteTasks, moveTasks } from '../../../parts/tasks/changes.ts';
import { taskKeys } from '../../../parts/tasks/queries.ts';
import { comparedAtMost } from '../../../parts/tasks/task-words.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { ConfirmDialog } from '../../../ui/actions/dialog.tsx';
import { type Chosen, ChosenBar } from '../../../ui/lists/chosen.tsx';
import { say } from '../../../ui/page/toast.tsx';

/** Which tasks were not deleted, by the reason. */
const notDeletedWords = ({ refused }: Changed, nameOf: (id: string) => string, t: Dictionary) => {
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
  /** Tasks that were changed are no longer chosen; `words` says why the others were not. */
  const show = ({ done }: Changed, said: (count: number) => string, words: string | undefined) => {
    if (done.length > 0) say(said(done.length));
    setLeft(words);
    const unchosen = done.map((id): [string, string] => [id, '']);
    chosen.choose(unchosen, false);
  };
  const moving = useMutation({
    mutationFn: (move: 'pause' | 'resume') => moveTasks(move, ids),
    onSuccess: (changed, move) => {
      const names = changed.refused.map(({ id }) => nameOf(id));
      const words = names.length === 0 ? undefined : t.tasks.notChanged(names);
      show(changed, move === 'pause' ? t.tasks.paused : t.tasks.resumed, words);
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
          onDone={(changed) => show(changed, t.tasks.deleted, notDeletedWords(changed, nameOf, t))}
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
