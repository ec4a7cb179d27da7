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

/** `taskId`: of a stored task. The people who will not be called can then be downloaded. */
type Props = Omit<FormDialogProps, 'title' | 'action' | 'children'> & { draft: TaskDraft; taskId?: string };

/** Asks once: whom the task will call, when, and what cannot be changed any more. Its button names the people. */
export const PublishQuestion = ({ draft, taskId, ...form }: Props) => {
  const t = useWords();
  const file = useDownload();
  // What is shown when the dialog opens may be some seconds old: it is asked for again.
  const { data: found } = usePreflight(draft, { refetchOnMount: 'always' });
  const deadEnd = deadEndOf(draft, t, Date.now());
  const isKnown = found !== undefined && found.callable > 0;
  return (
    <FormDialog
      title={t.form.publishTitle(draft.taskName.trim())}
      disabled={Object.keys(deadEnd).length > 0}
      action={isKnown ? t.preflight.callPeople(found.callable) : t.form.publishNow}
      {...form}
    >
      <PreflightFigures draft={draft} />
      {taskId !== undefined && found !== undefined && found.blocked > 0 && (
        <div>
          <Button
            kind="quiet"
            icon="download"
            busy={file.isPending}
            onClick={() =>
              file.mutate(exportPath(`/api/task/${taskId}/preflight/blocked`, { format: 'excel' }))
            }
            label={t.preflight.download}
          />
        </div>
      )}
      <TaskSummary draft={draft} />
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
  return <PublishQuestion draft={draftOf(task)} taskId={task.id} {...dialog.form} />;
};
