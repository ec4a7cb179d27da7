import { useState } from 'preact/hooks';
import type { TaskOverview } from '../../../../../client/answers.ts';
import { adjustable } from '../../../../../shared/domain/tasks/task-settings.ts';
import { useWords } from '../../../i18n/i18n.ts';
import { adjustTask } from '../../../parts/settings/adjust.ts';
import { changesOf } from '../../../parts/settings/changes.ts';
import { bodyOf, draftOf, faultsOf, type TaskDraft } from '../../../parts/settings/draft.ts';
import { SettingRows } from '../../../parts/settings/setting-rows.tsx';
import { taskKeys } from '../../../parts/tasks/queries.ts';
import { FormDialog, useDialog } from '../../../ui/actions/dialog.tsx';

/** What changes most often while a task runs comes first. */
const shownSections = ['when', 'limits', 'who', 'how', 'told'] as const;

const adjustableIn = <T extends object>(values: T): T =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) => (adjustable as readonly string[]).includes(name)),
  ) as T;

/** What can be changed of a task that runs or is paused. */
export const AdjustDialog = ({ task, onClose }: { task: TaskOverview; onClose: () => void }) => {
  const t = useWords();
  const [before] = useState(() => draftOf(task));
  const [draft, setDraft] = useState(before);
  const [isChecked, setChecked] = useState(false);
  // Only what differs: a colleague may have changed the rest.
  const changes = adjustableIn(changesOf(bodyOf(draft), bodyOf(before)));
  const dialog = useDialog({
    change: () => adjustTask(task.id, changes),
    said: () => t.task.operation.adjust,
    refreshes: taskKeys,
    shown: adjustable,
    onClose,
  });
  const own = adjustableIn(faultsOf(draft, t));
  const faults = { ...dialog.fields, ...(isChecked ? own : {}) };
  const onChange = (next: Partial<TaskDraft>) => setDraft({ ...draft, ...next });
  const props = { draft, faults, onChange };
  const submit = () => {
    setChecked(true);
    if (Object.keys(own).length > 0) return;
    if (Object.keys(changes).length === 0) onClose();
    else dialog.form.onSubmit();
  };
  return (
    <FormDialog
      title={t.adjust.title(task.taskName)}
      action={t.form.saveChanges}
      {...dialog.form}
      onSubmit={submit}
    >
      <p class="faint">{t.adjust.words}</p>
      {shownSections.map((section) => (
        <SettingRows key={section} section={section} only={adjustable} {...props} />
      ))}
    </FormDialog>
  );
};
