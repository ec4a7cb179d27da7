import { useState } from 'preact/hooks';
import type { TaskOverview } from '../../../client/answers.ts';
import { useWords } from '../i18n/i18n.ts';
import { DaysOff } from '../task-form/days-off.tsx';
import { Breaks, Weekdays } from '../task-form/schedule-fields.tsx';
import { Excluded } from '../task-form/task-fields.tsx';
import { taskKeys } from '../tasks/queries.ts';
import { Group, TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useDialog } from '../ui/use-dialog.ts';
import {
  type AdjustDraft,
  adjustDraftOf,
  adjustedFields,
  adjustFaultsOf,
  adjustTask,
  changesOf,
} from './adjustment.ts';

type Texts =
  | 'callFrom'
  | 'callUntil'
  | 'maxConcurrentCalls'
  | 'callsPerMinute'
  | 'failedPercent'
  | 'failedCalls';

/** What can be changed of a task that runs or is paused. */
export const AdjustDialog = ({ task, onClose }: { task: TaskOverview; onClose: () => void }) => {
  const t = useWords();
  const [before] = useState(() => adjustDraftOf(task));
  const [draft, setDraft] = useState(before);
  const [isChecked, setChecked] = useState(false);
  const dialog = useDialog({
    change: () => adjustTask(task.id, changesOf(before, draft)),
    said: () => t.task.operation.adjust,
    refreshes: taskKeys,
    shown: adjustedFields,
    onClose,
  });
  const own = adjustFaultsOf(draft, t);
  const faults = { ...dialog.fields, ...(isChecked ? own : {}) };
  const onChange = (next: Partial<AdjustDraft>) => setDraft({ ...draft, ...next });
  const props = { draft, faults, onChange };
  const bound = (name: Texts) => ({
    value: draft[name],
    error: faults[name],
    onValue: (value: string) => onChange({ [name]: value }),
  });
  const submit = () => {
    setChecked(true);
    if (Object.keys(own).length > 0) return;
    if (Object.keys(changesOf(before, draft)).length === 0) onClose();
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
      <Weekdays {...props} />
      <Breaks {...props} />
      <DaysOff {...props} />
      <div class="grid two">
        <TextField label={t.adjust.callFrom} type="datetime-local" {...bound('callFrom')} />
        <TextField label={t.adjust.callUntil} type="datetime-local" {...bound('callUntil')} />
      </div>
      <p class="sub">{t.adjust.datesHint(draft.timeZone)}</p>
      <div class="grid two">
        {(['maxConcurrentCalls', 'callsPerMinute'] as const).map((name) => (
          <TextField
            key={name}
            label={t.adjust[name]}
            inputMode="numeric"
            placeholder={t.adjust.noLimit}
            {...bound(name)}
          />
        ))}
      </div>
      <Group label={t.adjust.brake} error={faults.pauseWhen} hint={t.adjust.brakeHint}>
        <div class="grid two">
          <TextField label={t.adjust.failedPercent} inputMode="numeric" {...bound('failedPercent')} />
          <TextField label={t.adjust.failedCalls} inputMode="numeric" {...bound('failedCalls')} />
        </div>
      </Group>
      <Excluded {...props} />
    </FormDialog>
  );
};
