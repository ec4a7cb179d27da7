import { useWords } from '../../i18n/i18n.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/actions/dialog.tsx';
import { Table } from '../../ui/lists/table.tsx';
import { useSourceNames } from '../lists/queries.ts';
import { type Body, bodyOf, draftOf, type TaskDraft } from './draft.ts';
import type { TaskConflict } from './save.ts';
import { valueWords } from './settings.tsx';

type Props = {
  draft: TaskDraft;
  conflict: TaskConflict;
  busy: boolean;
  onMine: () => void;
  onTheirs: () => void;
  onClose: () => void;
};

/** Two people changed the same fields of a task: both values, and the reader decides. */
export const ConflictDialog = ({ draft, conflict, busy, onMine, onTheirs, onClose }: Props) => {
  const t = useWords();
  const [mine, other] = [bodyOf(draft), bodyOf(draftOf(conflict.theirs))];
  const lists = [...mine.excludedDataSourceIds, ...other.excludedDataSourceIds];
  const names = useSourceNames(lists.map((id) => ({ id })));
  const words = (body: Body, field: keyof Body) => valueWords(field, body[field], names, t) || t.common.none;
  return (
    <Dialog
      title={t.form.conflictTitle}
      onClose={onClose}
      onSubmit={onMine}
      actions={
        <>
          <Button data-autofocus onClick={onClose} label={t.common.cancel} />
          <Button onClick={onTheirs} label={t.form.takeTheirs} />
          <Button kind="primary" type="submit" busy={busy} label={t.form.keepMine} />
        </>
      }
    >
      <p>{t.form.conflictWords}</p>
      <Table
        rows={conflict.fields}
        idOf={(field) => field}
        columns={[
          { title: t.contacts.fieldName, cell: (field) => t.setting[field].label },
          { title: t.form.mine, cell: (field) => <bdi>{words(mine, field)}</bdi> },
          { title: t.form.theirs, cell: (field) => <bdi>{words(other, field)}</bdi> },
        ]}
      />
    </Dialog>
  );
};
