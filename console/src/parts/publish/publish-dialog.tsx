import type { TaskOverview } from '../../../../client/answers.ts';
import { exportPath } from '../../api/download.ts';
import { useWords } from '../../i18n/i18n.ts';
import { Button } from '../../ui/actions/button.tsx';
import { FormDialog, type FormDialogProps, useDialog } from '../../ui/actions/dialog.tsx';
import { useDownload } from '../../ui/actions/use-download.ts';
import { deadEndOf, draftOf, type TaskDraft } from '../settings/draft.ts';
import { moveTask } from '../tasks/changes.ts';
import { taskKeys } from '../tasks/queries.ts';
import { PreflightFigures, usePreflight } from './preflight-figures.tsx';
import { TaskSummary } from './task-summary.tsx';

/** `storedId`: of a task that is stored as the draft is. The people who will not be called can then be downloaded. */
type Props = Omit<FormDialogProps, 'title' | 'action' | 'children'> & { draft: TaskDraft; storedId?: string };

/** Asks once: whom the task will call, when, and what cannot be changed any more. Its button names the people. */
export const PublishQuestion = ({ draft, storedId, ...form }: Props) => {
  const t = useWords();
  const file = useDownload();
  const { found, isCounting } = usePreflight(draft, storedId);
  const deadEnd = deadEndOf(draft, t, Date.now());
  const isKnown = found !== undefined && found.callable > 0;
  return (
    <FormDialog
      title={t.form.publishTitle(draft.taskName.trim())}
      disabled={Object.keys(deadEnd).length > 0}
      action={isKnown ? t.preflight.callPeople(found.callable, found.estimated) : t.form.publishNow}
      {...form}
      busy={form.busy || isCounting}
    >
      <PreflightFigures draft={draft} storedId={storedId} />
      {storedId !== undefined && found !== undefined && found.blocked > 0 && (
        <div>
          <Button
            kind="quiet"
            icon="download"
            busy={file.isPending}
            onClick={() =>
              file.mutate(exportPath(`/api/task/${storedId}/preflight/blocked`, { format: 'excel' }))
            }
            label={t.preflight.download}
          />
        </div>
      )}
      <TaskSummary draft={draft} storedId={storedId} />
      <p class="faint">{t.preflight.frozen}</p>
    </FormDialog>
  );
};

/** Of a draft that is stored. */
export const PublishDialog = ({ task, onClose }: { task: TaskOverview; onClose: () => void }) => {
  const t = useWords();
  const dialog = useDialog({
    change: () => moveTask('publish', task.id),
    said: () => t.task.operation.publish,
    refreshes: taskKeys,
    onClose,
  });
  return <PublishQuestion draft={draftOf(task)} storedId={task.id} {...dialog.form} />;
};
