import { useMutation } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { ServiceRefusal } from '../../../client/service-error.ts';
import { download } from '../api/download.ts';
import { troubleOf } from '../api/errors.ts';
import { useWords } from '../i18n/i18n.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { say } from '../ui/toast.tsx';
import { useMove, useRecall } from './changes.ts';

type Named = { id: string; taskName: string };
type Props = { task: Named; onClose: () => void };

export const StopDialog = ({ task, onClose }: Props) => {
  const t = useWords();
  const [reason, setReason] = useState('');
  const move = useMove();
  const stop = () =>
    move.mutate(
      { move: 'stop', id: task.id, reason: reason.trim() },
      {
        onSuccess: () => {
          say(t.task.done.stop);
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={t.task.stopTitle(task.taskName)}
      action={t.task.stop}
      icon="stop"
      kind="danger"
      busy={move.isPending}
      refused={troubleOf(move.error, t).whole}
      onClose={onClose}
      onSubmit={stop}
    >
      <p>{t.task.stopWords}</p>
      <TextField
        label={`${t.task.stopReason} (${t.common.optional})`}
        value={reason}
        onValue={setReason}
        maxLength={2000}
      />
    </FormDialog>
  );
};

export const CloseDialog = ({ task, onClose }: Props) => {
  const t = useWords();
  const move = useMove();
  const close = () =>
    move.mutate(
      { move: 'close', id: task.id },
      {
        onSuccess: () => {
          say(t.task.done.close);
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={t.task.closeTitle(task.taskName)}
      action={t.task.close}
      kind="danger"
      first="cancel"
      busy={move.isPending}
      refused={troubleOf(move.error, t).whole}
      onClose={onClose}
      onSubmit={close}
    >
      <p>{t.task.closeWords}</p>
    </FormDialog>
  );
};

const priorities = ['1', '2', '3', '4', '5'].map((value) => ({ value, label: value }));

export const RecallDialog = ({
  task,
  unreached,
  contactIds,
  onClose,
  onDone,
}: Props & {
  unreached: number;
  contactIds?: string[];
  /** Nothing more can be done with the contacts that were chosen. */
  onDone?: () => void;
}) => {
  const t = useWords();
  const [priority, setPriority] = useState('5');
  const recall = useRecall();
  // Somebody who was chosen has been deleted meanwhile: who that is the rows no longer show.
  const isGone =
    recall.error instanceof ServiceRefusal && recall.error.errors.some(({ field }) => field === 'contactIds');
  const close = () => {
    if (isGone) onDone?.();
    onClose();
  };
  const start = () =>
    recall.mutate(
      { id: task.id, priority: Number(priority), ...(contactIds === undefined ? {} : { contactIds }) },
      {
        onSuccess: ({ recallCount }) => {
          say(t.task.recalled(recallCount));
          onDone?.();
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={t.task.recallTitle(task.taskName)}
      action={t.task.recallShort}
      busy={recall.isPending}
      refused={isGone ? t.task.chosenGone : troubleOf(recall.error, t).whole}
      onClose={close}
      onSubmit={start}
    >
      <p>
        {contactIds === undefined
          ? t.task.recallWords(unreached)
          : t.task.recallChosenWords(contactIds.length)}
      </p>
      <SelectField
        label={t.task.recallPriority}
        value={priority}
        options={priorities}
        onValue={setPriority}
        hint={t.form.priorityHint}
      />
    </FormDialog>
  );
};

const exportStatuses = [0, 1, 2, 3] as const;

export const ExportDialog = ({ task, onClose }: Props) => {
  const t = useWords();
  const [format, setFormat] = useState('excel');
  const [status, setStatus] = useState('0');
  const save = useMutation({
    mutationFn: () =>
      download(`/api/task/${encodeURIComponent(task.id)}/export?format=${format}&status=${status}`),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title={t.task.exportTitle}
      action={t.common.download}
      icon="download"
      busy={save.isPending}
      refused={troubleOf(save.error, t).whole}
      onClose={onClose}
      onSubmit={() => save.mutate()}
    >
      <SelectField
        label={t.task.exportWhich}
        value={status}
        options={exportStatuses.map((code) => ({ value: String(code), label: t.task.exportStatus[code] }))}
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
