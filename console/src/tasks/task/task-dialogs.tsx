import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { ServiceRefusal } from '../../../../client/service-error.ts';
import { text } from '../../../../shared/domain/forms.ts';
import { download, exportPath } from '../../api/download.ts';
import { useWords } from '../../i18n/i18n.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { PrioritySelect, SelectField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { deleteTask, moveTask, recallContacts } from '../changes.ts';
import { taskKeys } from '../queries.ts';

type Props = { task: { id: string; taskName: string }; onClose: () => void };

export const StopDialog = ({ task, onClose }: Props) => {
  const t = useWords();
  const [reason, setReason] = useState('');
  return (
    <ConfirmDialog
      title={t.task.stopTitle(task.taskName)}
      action={t.task.stop}
      icon="stop"
      kind="danger"
      change={() => moveTask('stop', task.id, reason.trim())}
      said={() => t.task.operation.stop}
      refreshes={taskKeys}
      words={t.task.stopWords}
      onClose={onClose}
    >
      <TextField
        label={t.common.optional(t.title.callReason)}
        value={reason}
        onValue={setReason}
        maxLength={text.maxLength}
      />
    </ConfirmDialog>
  );
};

export const CloseDialog = ({ task, onClose }: Props) => {
  const t = useWords();
  return (
    <ConfirmDialog
      title={t.task.closeTitle(task.taskName)}
      action={t.task.close}
      kind="danger"
      change={() => moveTask('close', task.id)}
      said={() => t.task.operation.close}
      refreshes={taskKeys}
      words={t.task.closeWords}
      onClose={onClose}
    />
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

/** Contacts that the reader chose, and how many of them were reached already. */
export type Recalled = { ids: readonly string[]; reached: number };

/** `onDone`: the chosen contacts are of no further use. */
type RecallProps = Props & { unreached: number; chosen?: Recalled; onDone?: () => void };

export const RecallDialog = ({ task, unreached, chosen, onClose, onDone }: RecallProps) => {
  const t = useWords();
  const [priority, setPriority] = useState('5');
  const dialog = useDialog({
    change: () => recallContacts(task.id, Number(priority), chosen?.ids),
    said: ({ recallCount }) => t.task.recalled(recallCount),
    onDone: () => onDone?.(),
    refreshes: taskKeys,
    onClose,
  });
  // A chosen contact has been deleted meanwhile; the rows no longer show which.
  const isGone =
    dialog.error instanceof ServiceRefusal && dialog.error.errors.some(({ field }) => field === 'contactIds');
  const close = () => {
    if (isGone) onDone?.();
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
      <p>
        {chosen === undefined ? t.task.recallWords(unreached) : t.task.recallChosenWords(chosen.ids.length)}
      </p>
      {chosen !== undefined && chosen.reached > 0 && (
        <p class="why" role="alert">
          {t.task.recallReached(chosen.reached)}
        </p>
      )}
      <PrioritySelect label={t.task.recallPriority} value={priority} onValue={setPriority} />
    </FormDialog>
  );
};

export const ExportDialog = ({ task, onClose }: Props) => {
  const t = useWords();
  const [format, setFormat] = useState('excel');
  const [status, setStatus] = useState('0');
  /** By the number that the service has for them. */
  const which = [t.tasks.all, t.outcome.reached, t.task.exportUnreached, t.outcome.notDialed];
  const dialog = useDialog({
    change: () =>
      download(
        exportPath(`/api/task/${encodeURIComponent(task.id)}/export`, {
          ...{ format, status },
          // A CSV file has no second sheet.
          ...(format === 'excel' ? { calls: 'true' } : {}),
        }),
      ),
    onClose,
  });
  return (
    <FormDialog title={t.task.exportTitle} action={t.common.download} icon="download" {...dialog.form}>
      <SelectField
        label={t.task.exportWhich}
        value={status}
        options={which.map((label, code) => ({ value: String(code), label }))}
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
