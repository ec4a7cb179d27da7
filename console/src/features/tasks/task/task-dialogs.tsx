import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { TaskOverview } from '../../../../../client/client.ts';
import { ServiceRefusal } from '../../../../../client/service-error.ts';
import { text } from '../../../../../shared/platform/rules/names.ts';
import { download, exportPath } from '../../../api/client.ts';
import { useWords } from '../../../i18n/i18n.ts';
import { deleteTask, moveTask, recallContacts } from '../../../parts/tasks/changes.ts';
import { taskKeys } from '../../../parts/tasks/queries.ts';
import { unreachedOf } from '../../../parts/tasks/task-words.ts';
import { ConfirmDialog, FormDialog, useDialog } from '../../../ui/actions/dialog.tsx';
import { PrioritySelect, SelectField, TextField } from '../../../ui/fields/field.tsx';

type Props = { task: TaskOverview; onClose: () => void };

/** Stopping may be given a reason. */
export const MoveDialog = ({ move, task, onClose }: Props & { move: 'stop' | 'close' }) => {
  const t = useWords();
  const [reason, setReason] = useState('');
  return (
    <ConfirmDialog
      title={t.task[`${move}Title`](task.taskName)}
      action={t.task[move]}
      icon={move === 'stop' ? 'stop' : undefined}
      kind="danger"
      change={() => moveTask(move, task.id, reason.trim())}
      said={() => t.task.operation[move]}
      refreshes={taskKeys}
      words={t.task[`${move}Words`]}
      onClose={onClose}
    >
      {move === 'stop' && (
        <TextField
          label={t.common.optional(t.title.callReason)}
          value={reason}
          onValue={setReason}
          maxLength={text.maxLength}
        />
      )}
    </ConfirmDialog>
  );
};

export const DeleteDialog = ({ task, onClose }: Props) => {
  const t = useWords();
  const [, navigate] = useLocation();
  return (
    <ConfirmDialog
      title={t.common.deleteTitle(task.taskName)}
      action={t.common.delete}
      kind="danger"
      change={() => deleteTask(task.id)}
      said={() => t.common.deleted(task.taskName)}
      onDone={() => navigate('/tasks')}
      // The screen of the task is left: it would ask for a task that is gone.
      refreshes={['tasks', 'overviews']}
      words={t.task.deleteWords}
      onClose={onClose}
    />
  );
};

/** Contacts that the reader chose, and how many of them were reached already. `clear`: they are of no further use. */
type Recalled = { ids: string[]; reached: number; clear: () => void };

export const RecallDialog = ({ task, chosen, onClose }: Props & { chosen?: Recalled }) => {
  const t = useWords();
  const [priority, setPriority] = useState('5');
  const dialog = useDialog({
    change: () => recallContacts(task.id, Number(priority), chosen?.ids),
    said: ({ recallCount }) => t.task.recalled(recallCount),
    onDone: () => chosen?.clear(),
    refreshes: taskKeys,
    onClose,
  });
  // A chosen contact has been deleted meanwhile; the rows no longer show which.
  const isGone =
    dialog.error instanceof ServiceRefusal && dialog.error.errors.some(({ field }) => field === 'contactIds');
  const close = () => {
    if (isGone) chosen?.clear();
    onClose();
  };
  return (
    <FormDialog
      title={t.task.recallTitle(task.taskName)}
      action={t.task.recallShort}
      {...dialog.form}
      refused={isGone ? t.task.chosenGone : dialog.form.refused}
      onClose={close}
    >
      <p>{chosen ? t.task.recallChosenWords(chosen.ids.length) : t.task.recallWords(unreachedOf(task))}</p>
      {chosen && chosen.reached > 0 && (
        <p class="why" role="alert">
          {t.task.recallReached(chosen.reached)}
        </p>
      )}
      <PrioritySelect label={t.task.recallPriority} value={priority} onValue={setPriority} />
    </FormDialog>
  );
};

/** Instead of contacts. */
const allCalls = 'calls';

export const ExportDialog = ({ task, onClose }: Props) => {
  const t = useWords();
  const [format, setFormat] = useState('excel');
  const [status, setStatus] = useState('0');
  /** By the number that the service has for them. */
  const which = [t.task.allContacts, t.standing.reached, t.task.exportUnreached, t.standing.notDialed];
  const dialog = useDialog({
    change: () => {
      const path = `/api/task/${encodeURIComponent(task.id)}`;
      if (status === allCalls) return download(exportPath(`${path}/calls/export`, { format }));
      // A CSV file has no second sheet.
      const sheets = format === 'excel' ? { calls: 'true' } : {};
      return download(exportPath(`${path}/export`, { format, status, ...sheets }));
    },
    onClose,
  });
  return (
    <FormDialog title={t.task.exportTitle} action={t.common.download} icon="download" {...dialog.form}>
      <SelectField
        label={t.task.exportWhich}
        value={status}
        options={[
          ...which.map((label, code) => ({ value: String(code), label })),
          { value: allCalls, label: t.calls.exportCalls },
        ]}
        onValue={setStatus}
      />
      <SelectField
        label={t.task.exportFormat}
        value={format}
        options={[
          { value: 'excel', label: 'Excel (XLSX)' },
          { value: 'csv', label: 'CSV' },
        ]}
        onValue={setFormat}
      />
    </FormDialog>
  );
};
