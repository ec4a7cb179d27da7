import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { ServiceRefusal } from '../../../../client/service-error.ts';
import { listText } from '../../i18n/format.ts';
import { useWords } from '../../i18n/i18n.ts';
import { addSource, deleteSource, updateSource } from '../../parts/lists/changes.ts';
import { sourceKeys } from '../../parts/lists/queries.ts';
import { overviewsQuery } from '../../parts/tasks/queries.ts';
import { FormDialog, useDialog } from '../../ui/actions/dialog.tsx';
import { TextField } from '../../ui/fields/field.tsx';

type Source = { id: string; dataSourceName: string; dataSourceDesc: string; contactCount: number };

/** Adds a contact list, or changes its name and description. */
export const SourceDialog = ({ source, onClose }: { source?: Source; onClose: () => void }) => {
  const t = useWords();
  const [, navigate] = useLocation();
  const [name, setName] = useState(source?.dataSourceName ?? '');
  const [description, setDescription] = useState(source?.dataSourceDesc ?? '');
  const dialog = useDialog({
    change: (): Promise<{ id: string }> => {
      const fields = { dataSourceName: name.trim(), dataSourceDesc: description };
      return source === undefined ? addSource(fields) : updateSource(source.id, fields);
    },
    said: () => (source === undefined ? t.sources.added(name.trim()) : t.common.saved),
    onDone: ({ id }) => source === undefined && navigate(`/sources/${id}`),
    refreshes: sourceKeys,
    taken: 'dataSourceName',
    shown: ['dataSourceName', 'dataSourceDesc'],
    onClose,
  });
  return (
    <FormDialog
      title={source ? t.sources.edit : t.sources.new}
      action={source ? t.common.save : t.common.add}
      {...dialog.form}
    >
      <TextField label={t.sources.name} value={name} error={dialog.fields.dataSourceName} onValue={setName} />
      <TextField
        label={t.common.optional(t.setting.taskDesc.label)}
        value={description}
        error={dialog.fields.dataSourceDesc}
        onValue={setDescription}
      />
    </FormDialog>
  );
};

/** Names the tasks that use the list, once their names are known. */
const useInUseWords = (error: unknown): string | undefined => {
  const t = useWords();
  const { ids = [], count = 0 } = (error instanceof ServiceRefusal && error.tasks) || {};
  const { data: tasks } = useQuery({ ...overviewsQuery(ids), refetchInterval: false });
  const names = ids.flatMap((id) => tasks?.get(id)?.taskName ?? []);
  if (names.length === 0) return undefined;
  const others = count > ids.length ? [t.sources.others(count - ids.length)] : [];
  return t.sources.inUse(listText([...names, ...others]));
};

export const DeleteSourceDialog = ({ source, onClose }: { source: Source; onClose: () => void }) => {
  const t = useWords();
  const [, navigate] = useLocation();
  const { form, error } = useDialog({
    change: () => deleteSource(source.id),
    said: () => t.common.deleted(source.dataSourceName),
    onDone: () => navigate('/sources'),
    // The screen of the list is left: it would ask for a list that is gone.
    refreshes: ['sources'],
    onClose,
  });
  const inUse = useInUseWords(error);
  return (
    <FormDialog
      title={t.common.deleteTitle(source.dataSourceName)}
      action={t.common.delete}
      kind="danger"
      {...form}
      refused={inUse ?? form.refused}
    >
      <p>{t.sources.deleteWords(source.contactCount)}</p>
    </FormDialog>
  );
};
