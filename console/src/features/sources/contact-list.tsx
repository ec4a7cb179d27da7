import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { contactStatus } from '../../../../shared/contacts/rules/contact.ts';
import { type Dictionary, numberText, useWords } from '../../i18n/i18n.ts';
import { factsOf, fieldOrder, fieldTitle } from '../../parts/lists/contact-fields.ts';
import { useImport } from '../../parts/lists/import-file.ts';
import { type Contact, contactsQuery, unfinishedImportsQuery } from '../../parts/lists/queries.ts';
import { usePerson } from '../../session/session.ts';
import { Button, IconButton } from '../../ui/actions/button.tsx';
import { Facts, Moment, type Standing, StandingLabel } from '../../ui/figures/figures.tsx';
import { List, useAddress } from '../../ui/lists/list.tsx';
import {
  type Chosen,
  ChosenBar,
  type Column,
  textColumn,
  useChosen,
  useColumns,
  useOpened,
} from '../../ui/lists/table.tsx';
import { Awaited, Empty } from '../../ui/page/page.tsx';
import { ContactDialog, DeleteContactsDialog } from './source-dialogs.tsx';

const standingOf: Record<number, Standing> = {
  [contactStatus.notDialed]: 'notDialed',
  [contactStatus.success]: 'reached',
  [contactStatus.failed]: 'failed',
  [contactStatus.noAnswer]: 'noAnswer',
  [contactStatus.inCall]: 'inCall',
};

const columnsOf = (
  fields: readonly string[],
  short: boolean,
  t: Dictionary,
): Record<string, Column<Contact>> => ({
  ...Object.fromEntries(
    fields.map((name, i) => [
      name,
      textColumn(fieldTitle(name, t), (contact: Contact) => contact[name], i === 0 ? '' : 'wide'),
    ]),
  ),
  status: {
    title: t.contacts.status,
    class: 'not-narrow',
    cell: ({ status }) => <StandingLabel standing={standingOf[Number(status)] ?? 'notDialed'} />,
  },
  callCount: {
    title: t.task.calls,
    class: 'wide number',
    cell: ({ callCount }) => numberText(Number(callCount)),
  },
  createTime: {
    title: t.title.createTime,
    class: short ? 'not-narrow' : 'widest',
    cell: ({ createTime }) => <Moment time={String(createTime)} />,
  },
});

/** Fields that are shown unless the reader chooses others. */
const fieldsAtFirst = 3;

export type ContactListProps = {
  sourceId: string;
  short?: boolean;
  words: Record<'add' | 'deleteWords' | 'deleteManyWords' | 'emptyTitle' | 'empty', string> & {
    total: (count: number) => string;
  };
};

/** The contacts of a list: search by number first; add, edit, delete. */
export const ContactList = ({ sourceId, short = false, words }: ContactListProps) => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const address = useAddress();
  const contacts = useQuery(contactsQuery(sourceId, address.text('q'), address.page, address.pageSize));
  const unfinished = useQuery(unfinishedImportsQuery(sourceId, contacts.data?.total === 0));
  const { isOpen, opener } = useOpened();
  const [editing, edit] = useState<Contact | 'new' | undefined>();
  const [deleting, askDelete] = useState<Chosen['ids'] | undefined>();
  const chosen = useChosen();
  const importFiles = useImport(sourceId);
  const rows = contacts.data?.rows ?? [];
  const { filled, empty } = fieldOrder(rows);
  // Of the do-not-call list: numbers and names, no calls.
  const fields = short ? ['customerName'] : [...filled, ...empty];
  const others = short ? ['createTime'] : ['status', 'callCount', 'createTime'];
  const { columns, chooser } = useColumns(
    short ? 'short' : sourceId,
    [...fields.slice(0, fieldsAtFirst), ...others],
    columnsOf(fields, short, t),
  );
  const add = <Button icon="plus" onClick={() => edit('new')} label={words.add} />;
  return (
    <>
      <List
        cards
        query={contacts}
        idOf={({ id }) => id}
        chosen={mayWrite ? { rows: chosen, label: ({ phoneNumber }) => phoneNumber } : undefined}
        search={{ label: t.contacts.search, inputMode: 'tel' }}
        totalWords={words.total}
        noMatch={t.contacts.noMatch}
        tools={
          <>
            {mayWrite && add}
            {!short && chooser}
            <ChosenBar chosen={chosen}>
              <Button
                kind="danger"
                icon="bin"
                onClick={() => askDelete(chosen.ids)}
                label={t.common.delete}
              />
            </ChosenBar>
          </>
        }
        empty={
          unfinished.data?.length === 0 ? (
            <Empty icon="person" title={words.emptyTitle} words={words.empty}>
              {mayWrite && (
                <>
                  <Button
                    kind="primary"
                    icon="upload"
                    onClick={() => importFiles()}
                    label={t.sources.import}
                  />
                  {add}
                </>
              )}
            </Empty>
          ) : unfinished.data === undefined ? (
            <Awaited query={unfinished} />
          ) : (
            <Empty icon="person" words={t.contacts.importing} />
          )
        }
        opened={(contact) => isOpen(contact.id) && <Facts facts={factsOf(contact, t)} none={t.common.none} />}
        columns={[
          {
            title: t.title.phoneNumber,
            class: 'strong phone',
            cell: ({ id, phoneNumber }) =>
              short ? <bdi>{phoneNumber}</bdi> : opener(id, phoneNumber, t.contacts.showFields(phoneNumber)),
          },
          ...columns,
          mayWrite && {
            title: <span class="hidden">{t.common.edit}</span>,
            class: 'number row-tools',
            cell: (contact) => (
              <>
                <IconButton
                  label={t.contacts.editTitle(contact.phoneNumber)}
                  icon="pen"
                  onClick={() => edit(contact)}
                />
                <IconButton
                  label={`${t.common.delete} ${contact.phoneNumber}`}
                  icon="bin"
                  onClick={() => askDelete(new Map([[contact.id, contact.phoneNumber]]))}
                />
              </>
            ),
          },
        ]}
      />
      {editing !== undefined && (
        <ContactDialog
          sourceId={sourceId}
          short={short}
          addWords={words.add}
          {...(editing === 'new' ? {} : { contact: editing })}
          onClose={() => edit(undefined)}
        />
      )}
      {deleting && (
        <DeleteContactsDialog
          sourceId={sourceId}
          contacts={deleting}
          words={words}
          onDone={() => chosen.choose([...deleting], false)}
          onClose={() => askDelete(undefined)}
        />
      )}
    </>
  );
};
