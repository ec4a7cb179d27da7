import { useMutation } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useMove, useRecall } from '../api/changes.ts';
import { troubleWords } from '../api/errors.ts';
import { download } from '../download.ts';
import { useWords } from '../i18n/i18n.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { say } from '../ui/toast.tsx';

type Named = { id: string; taskName: string };
type Props = { task: Named; onClose: () => void };

const Refusal = ({ error }: { error: unknown }) => {
  const t = useWords();
  if (!error) return null;
  return (
    <p class="refused" role="alert">
      {troubleWords(error, t)}
    </p>
  );
};

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
    <Dialog
      title={t.task.stopTitle(task.taskName)}
      onClose={onClose}
      onSubmit={stop}
      actions={
        <>
          <Refusal error={move.error} />
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button kind="danger" type="submit" icon="stop" busy={move.isPending}>
            {t.task.stop}
          </Button>
        </>
      }
    >
      <p>{t.task.stopWords}</p>
      <TextField
        label={`${t.task.stopReason} (${t.common.optional})`}
        value={reason}
        onValue={setReason}
        maxLength={2000}
      />
    </Dialog>
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
    <Dialog
      title={t.task.closeTitle(task.taskName)}
      onClose={onClose}
      onSubmit={close}
      actions={
        <>
          <Refusal error={move.error} />
          <Button onClick={onClose} data-autofocus>
            {t.common.cancel}
          </Button>
          <Button kind="danger" type="submit" busy={move.isPending}>
            {t.task.close}
          </Button>
        </>
      }
    >
      <p>{t.task.closeWords}</p>
    </Dialog>
  );
};

const priorities = ['1', '2', '3', '4', '5'].map((value) => ({ value, label: value }));

export const RecallDialog = ({
  task,
  unreached,
  contactIds,
  onClose,
  onDone,
}: Props & { unreached: number; contactIds?: string[]; onDone?: () => void }) => {
  const t = useWords();
  const [priority, setPriority] = useState('5');
  const recall = useRecall();
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
    <Dialog
      title={t.task.recallTitle(task.taskName)}
      onClose={onClose}
      onSubmit={start}
      actions={
        <>
          <Refusal error={recall.error} />
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button kind="primary" type="submit" busy={recall.isPending}>
            {t.task.recallShort}
          </Button>
        </>
      }
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
    </Dialog>
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
    <Dialog
      title={t.task.exportTitle}
      onClose={onClose}
      onSubmit={() => save.mutate()}
      actions={
        <>
          <Refusal error={save.error} />
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button kind="primary" type="submit" icon="download" busy={save.isPending}>
            {t.common.download}
          </Button>
        </>
      }
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
    </Dialog>
  );
};
