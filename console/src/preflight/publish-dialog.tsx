import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { language, useWords } from '../i18n/i18n.ts';
import { Button } from '../ui/button.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useDownload } from '../ui/use-download.ts';
import { PreflightReport } from './preflight-report.tsx';
import { type Plan, preflightQuery } from './queries.ts';

type Props = {
  taskName: string;
  plan: Plan;
  /** Of a stored task: the people who will not be called can be downloaded. */
  taskId?: string;
  busy: boolean;
  refused?: string | undefined;
  onClose: () => void;
  onSubmit: () => void;
  /** The summary of the task. */
  children: ComponentChildren;
};

const BlockedDownload = ({ taskId }: { taskId: string }) => {
  const t = useWords();
  const file = useDownload();
  const path = `/api/task/${encodeURIComponent(taskId)}/preflight/blocked?format=excel&labels=${language.get()}`;
  return (
    <div>
      <Button
        kind="quiet"
        icon="download"
        busy={file.isPending}
        onClick={() => file.mutate(path)}
        label={t.preflight.download}
      />
    </div>
  );
};

/** Asks once: whom the task will call, when, and what cannot be changed any more. Its button names the people. */
export const PublishQuestion = ({ taskName, plan, taskId, children, ...form }: Props) => {
  const t = useWords();
  // What is shown when the dialog opens may be some seconds old: it is asked for again.
  const { data: found } = useQuery({ ...preflightQuery(plan), refetchOnMount: 'always' });
  const isKnown = found !== undefined && found.callable > 0;
  return (
    <FormDialog
      title={t.form.publishTitle(taskName)}
      action={isKnown ? t.preflight.callPeople(found.callable) : t.form.publishNow}
      {...form}
    >
      <PreflightReport plan={plan} />
      {taskId !== undefined && found !== undefined && found.blocked > 0 && (
        <BlockedDownload taskId={taskId} />
      )}
      {children}
      <p class="faint">{t.preflight.frozen}</p>
    </FormDialog>
  );
};
