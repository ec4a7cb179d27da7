import { useLocation } from 'wouter-preact';
import { ServiceRefusal } from '../../../client/service-error.ts';
import { type Dictionary, useWords } from '../i18n/i18n.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useDialog } from '../ui/use-dialog.ts';
import { deleteSource } from './changes.ts';

/** The service's message names the tasks that use the list, after its second colon. */
const inUseWords = (error: unknown, t: Dictionary): string | undefined => {
  if (!(error instanceof ServiceRefusal) || error.errorCode !== 'DATA_SOURCE_IN_USE') return undefined;
  return t.sources.inUse(error.message.split(': ').slice(2).join(': '));
};

type Source = { id: string; dataSourceName: string; contactCount: number };

export const DeleteSourceDialog = ({ source, onClose }: { source: Source; onClose: () => void }) => {
  const t = useWords();
  const [, navigate] = useLocation();
  const { form, error } = useDialog({
    change: () => deleteSource(source.id),
    said: () => t.sources.deleted(source.dataSourceName),
    onDone: () => navigate('/sources'),
    // The screen of the list is left: it would ask for a list that is gone.
    refreshes: ['sources'],
    onClose,
  });
  return (
    <FormDialog
      title={t.sources.deleteTitle(source.dataSourceName)}
      action={t.common.delete}
      kind="danger"
      {...form}
      refused={inUseWords(error, t) ?? form.refused}
    >
      <p>{t.sources.deleteWords(source.contactCount)}</p>
    </FormDialog>
  );
};
