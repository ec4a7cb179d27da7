import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { FoundPerson } from '../../../../client/answers.ts';
import { type Dictionary, useWords } from '../../i18n/i18n.ts';
import { deleteContacts } from '../../parts/lists/changes.ts';
import { factsOf } from '../../parts/lists/contact-fields.ts';
import { standingColumns } from '../../parts/tasks/task-contact-rows.tsx';
import { usePerson } from '../../session/person.ts';
import { Button } from '../../ui/actions/button.tsx';
import { ConfirmDialog } from '../../ui/actions/dialog.tsx';
import { Facts, NamedLink } from '../../ui/figures/facts.tsx';
import { type Column, Table } from '../../ui/lists/table.tsx';
import { Awaited, Card } from '../../ui/page/page.tsx';
import { contactQuery, personKeys } from './person.ts';

type Contact = FoundPerson['contacts'][number];

export const taskColumn = (t: Dictionary): Column<Pick<Contact['tasks'][number], 'taskId' | 'taskName'>> => ({
  title: t.people.task,
  class: 'main-cell',
  cell: ({ taskId, taskName }) => <NamedLink href={`/tasks/${taskId}`} name={taskName} />,
});

type Props = { phoneNumber: string; contact: Contact; isOpen: boolean };

/** The number in one contact list: its fields, and how it stands in each task. */
export const PersonContact = ({ phoneNumber, contact, isOpen }: Props) => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const { dataSourceId, dataSourceName, contactId, deleted, tasks } = contact;
  const [showsFields, showFields] = useState(isOpen);
  const fields = useQuery({ ...contactQuery(dataSourceId, contactId), enabled: showsFields && !deleted });
  const [removing, setRemoving] = useState(false);
  return (
    <Card
      title={dataSourceName}
      tools={
        <>
          <Link href={`/sources/${dataSourceId}`}>{t.people.openList}</Link>
          {mayWrite && !deleted && (
            <Button icon="bin" onClick={() => setRemoving(true)} label={t.people.remove} />
          )}
        </>
      }
    >
      <div class="stack">
        {deleted ? (
          <p class="faint">{t.people.deleted}</p>
        ) : showsFields ? (
          <>
            <Awaited query={fields} />
            {fields.data && (
              <Facts
                facts={[
                  ...(fields.data.phoneNumber === phoneNumber
                    ? []
                    : [[t.people.spelledHere, fields.data.phoneNumber] as const]),
                  ...factsOf(fields.data, t),
                ]}
              />
            )}
          </>
        ) : (
          <Button kind="quiet" onClick={() => showFields(true)} label={t.people.showFields} />
        )}
        {tasks.length === 0 ? (
          <p class="faint">{t.people.noTasks}</p>
        ) : (
          <Table
            rows={tasks}
            idOf={({ taskId }) => taskId}
            cards
            columns={[taskColumn(t), ...Object.values(standingColumns(t))]}
          />
        )}
      </div>
      {removing && (
        <ConfirmDialog
          title={t.people.removeTitle(phoneNumber, dataSourceName)}
          action={t.common.remove}
          kind="danger"
          change={() => deleteContacts(dataSourceId, { contactIds: [contactId] })}
          said={({ deleteCount }) =>
            deleteCount > 0 ? t.people.removed(phoneNumber, dataSourceName) : t.errors.codes.CONTACT_NOT_FOUND
          }
          refreshes={personKeys}
          words={t.contacts.deleteWords}
          onClose={() => setRemoving(false)}
        />
      )}
    </Card>
  );
};
