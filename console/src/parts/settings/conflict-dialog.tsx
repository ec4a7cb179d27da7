import type { TaskOverview } from '../../../../client/client.ts';
import { ServiceRefusal } from '../../../../client/service-error.ts';
import { adjustable } from '../../../../shared/tasks/rules/task-settings.ts';
import { change, read } from '../../api/client.ts';
import { useWords } from '../../i18n/i18n.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/actions/dialog.tsx';
import { Table } from '../../ui/lists/table.tsx';
import { useSourceNames } from '../lists/queries.ts';
import { countSelected } from '../tasks/changes.ts';
import { changesOf, clashingFields } from './changes.ts';
import { type Base, type Body, bodyOf, draftOf, editOf, type TaskDraft, type TaskEdit } from './draft.ts';
import { type SettingName, valueWords } from './settings.tsx';

/** A colleague changed fields of the task meanwhile that the reader changed too. */
export class TaskConflict extends Error {
  readonly theirs: TaskOverview;
  readonly fields: readonly SettingName[];

  constructor(theirs: TaskOverview, fields: readonly SettingName[]) {
    super('the task was changed meanwhile');
    this.theirs = theirs;
    this.fields = fields;
  }
}

/** The settings that may change while a task runs. */
export const adjustableIn = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) => (adjustable as readonly string[]).includes(name)),
  ) as Partial<T>;

/**
 * Sends what differs between `mine` and `base`, which the reader began with. What a colleague
 * changed meanwhile stays, unless both changed the same setting.
 *
 * @returns undefined if there is nothing to send. `theirs`: the task as a colleague has changed it
 * @throws TaskConflict
 */
export const saveChanges = async (
  operation: 'update' | 'adjust',
  id: string,
  mine: Body,
  base: Base,
): Promise<{ updateTime?: string | null; theirs?: TaskOverview } | undefined> => {
  const changes = changesOf(mine, base.body);
  if (Object.keys(changes).length === 0) return undefined;
  const send = async (updateTime: string | null) => {
    const sent = operation === 'adjust' ? adjustableIn(changes) : changes;
    const answer = await change(`/api/task/${operation}`, { ...sent, id, ifUpdateTime: updateTime });
    if (operation === 'adjust' && changes.contactFilter?.length) countSelected(id);
    return answer;
  };
  try {
    return await send(base.updateTime);
  } catch (error) {
    if (!(error instanceof ServiceRefusal && error.errorCode === 'CHANGED_SINCE')) throw error;
    const theirs = await read('/api/task/{id}/overview', { path: { id } });
    const fields = clashingFields(mine, base.body, bodyOf(draftOf(theirs)));
    if (fields.length > 0) throw new TaskConflict(theirs, fields);
    return { ...(await send(theirs.updateTime)), theirs };
  }
};

/** The reader's values win: the draft, as if the reader had begun with the task as it is now. */
export const overruling = <D extends TaskDraft>(draft: D, { theirs }: TaskConflict): D => ({
  ...draft,
  base: draft.base && { ...draft.base, updateTime: theirs.updateTime },
});

/** The task as the colleague left it, with those changes of the reader that are not in conflict. */
export const mergedWith = (draft: TaskDraft, { theirs, fields }: TaskConflict): TaskEdit => {
  const changes = Object.entries(changesOf(bodyOf(draft), draft.base?.body ?? bodyOf(draft)));
  const mine = changes.filter(([field]) => !fields.includes(field as SettingName));
  return { ...draftOf({ ...theirs, ...Object.fromEntries(mine) }), base: editOf(theirs).base };
};

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
