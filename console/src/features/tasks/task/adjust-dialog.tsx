import { useRef, useState } from 'preact/hooks';
import type { TaskOverview } from '../../../../../client/client.ts';
import { adjustable } from '../../../../../shared/tasks/rules/task-settings.ts';
import { useWords } from '../../../i18n/i18n.ts';
import { changesOf } from '../../../parts/settings/changes.ts';
import {
  adjustableIn,
  ConflictDialog,
  mergedWith,
  overruling,
  saveChanges,
  TaskConflict,
} from '../../../parts/settings/conflict-dialog.tsx';
import { bodyOf, editOf, faultsOf, type TaskDraft, type TaskEdit } from '../../../parts/settings/draft.ts';
import { FoldedSettings } from '../../../parts/settings/setting-rows.tsx';
import { groups, type SettingGroup } from '../../../parts/settings/settings.tsx';
import { taskKeys } from '../../../parts/tasks/queries.ts';
import { FormDialog, useDialog } from '../../../ui/actions/dialog.tsx';

/** What can be changed of a task that runs or is paused. */
export const AdjustDialog = ({ task, onClose }: { task: TaskOverview; onClose: () => void }) => {
  const t = useWords();
  const [draft, setDraft] = useState(() => editOf(task));
  // What is sent next: a state would be set only after this render.
  const latest = useRef(draft);
  const put = (next: TaskEdit) => {
    latest.current = next;
    setDraft(next);
  };
  const [isChecked, setChecked] = useState(false);
  const dialog = useDialog({
    change: () => saveChanges('adjust', task.id, bodyOf(latest.current), latest.current.base),
    said: () => t.task.operation.adjust,
    refreshes: taskKeys,
    shown: adjustable,
    onClose,
  });
  const conflict = dialog.error instanceof TaskConflict ? dialog.error : undefined;
  const own = adjustableIn(faultsOf(draft, t));
  const faults = { ...dialog.fields, ...(isChecked ? own : {}) } as Record<string, string>;
  const props = {
    draft,
    faults,
    onChange: (next: Partial<TaskDraft>) => put({ ...draft, ...next, base: draft.base }),
  };
  const submit = () => {
    setChecked(true);
    if (Object.keys(own).length > 0) return;
    if (Object.keys(changesOf(bodyOf(draft), draft.base.body)).length === 0) onClose();
    else dialog.form.onSubmit();
  };
  return (
    <>
      <FormDialog
        title={t.adjust.title(task.taskName)}
        action={t.form.saveChanges}
        wide
        {...dialog.form}
        refused={conflict ? undefined : dialog.form.refused}
        onSubmit={submit}
      >
        <p class="faint">{t.adjust.words}</p>
        <div>
          {(Object.keys(groups) as SettingGroup[]).map((group) => (
            <FoldedSettings key={group} group={group} only={adjustable} {...props} />
          ))}
        </div>
      </FormDialog>
      {conflict && (
        <ConflictDialog
          draft={draft}
          conflict={conflict}
          busy={dialog.form.busy}
          onClose={dialog.reset}
          onTheirs={() => {
            put(mergedWith(draft, conflict));
            dialog.reset();
          }}
          onMine={() => {
            put(overruling(draft, conflict));
            dialog.form.onSubmit();
          }}
        />
      )}
    </>
  );
};
