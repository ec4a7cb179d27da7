import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { FoundPerson } from '../../../client/answers.ts';
import { type Dictionary, useWords } from '../i18n/i18n.ts';
import { usePerson } from '../session/person.ts';
import { deleteContact } from '../sources/changes.ts';
import { factsOf } from '../sources/contact-list.tsx';
import { standingColumns } from '../tasks/task-contact-rows.tsx';
import { Awaited } from '../ui/awaited.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Facts, factsIn } from '../ui/facts.tsx';
import { NamedLink } from '../ui/named-link.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { contactQuery, personKeys } from './person.ts';

type Contact = FoundPerson['contacts'][number];
export type PersonTask = Contact['tasks'][number];

export const taskColumn = <R,>(t: Dictionary, taskOf: (row: R) => PersonTask): Column<R> => ({
  title: t.people.task,
  class: 'main-cell',
  cell: (row) => {
    const { taskId, taskName } = taskOf(row);
    return <NamedLink href={`/tasks/${taskId}`} name={taskName} />;
  },
});

const Fields = ({ contact: { dataSourceId, contactId } }: { contact: Contact }) => {
  const t = useWords();
  const query = useQuery(contactQuery(dataSourceId, contactId));
  return (
    <>
      <Awaited query={query} />
      {query.data && <Facts facts={factsIn(factsOf(query.data, t))} />}
    </>
  );
};

const Tasks = ({ contact: { tasks } }: { contact: Contact }) => {
  const t = useWords();
  if (tasks.length === 0) return <p class="faint">{t.people.noTasks}</p>;
  return (
    <Table
      rows={tasks}
      idOf={({ taskId }) => taskId}
      columns={[taskColumn(t, (task: PersonTask) => task), ...Object.values(standingColumns(t))]}
    />
  );
};

type Props = { phoneNumber: string; contact: Contact; isOpen: boolean };

/** The number in one contact list: its fields, and how it stands in each task. */
export const PersonContact = ({ phoneNumber, contact, isOpen }: Props) => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const { dataSourceId, dataSourceName, contactId } = contact;
  const [showsFields, showFields] = useState(isOpen);
  const [removing, setRemoving] = useState(false);
  return (
    <Card
      title={dataSourceName}
      tools={
        <>
          <Link href={`/sources/${dataSourceId}`}>{t.people.openList}</Link>
          {mayWrite && <Button icon="bin" onClick={() => setRemoving(true)} label={t.people.remove} />}
        </>
      }
    >
      <div class="stack">
        {showsFields ? (
          <Fields contact={contact} />
        ) : (
          <Button kind="quiet" onClick={() => showFields(true)} label={t.people.showFields} />
        )}
        <Tasks contact={contact} />
      </div>
      {removing && (
        <ConfirmDialog
          title={t.people.removeTitle(phoneNumber, dataSourceName)}
          action={t.common.remove}
          kind="danger"
          change={() => deleteContact(dataSourceId, contactId)}
          said={() => t.people.removed(phoneNumber, dataSourceName)}
          refreshes={personKeys}
          words={t.contacts.deleteWords}
          onClose={() => setRemoving(false)}
        />
      )}
    </Card>
  );
};
