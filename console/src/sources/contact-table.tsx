import { useState } from 'preact/hooks';
import { numberText } from '../i18n/format.ts';
import { useWords } from '../i18n/i18n.ts';
import { usePerson } from '../session/person.ts';
import { useContacts } from '../tasks/queries.ts';
import { Awaited } from '../ui/awaited.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Moment } from '../ui/moment.tsx';
import { type Outcome, OutcomeLabel } from '../ui/outcome.tsx';
import { Pager } from '../ui/pager.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { TextCell } from '../ui/text-cell.tsx';
import { useAddress, useExistingPage } from '../ui/use-address.ts';
import { type Contact, ContactDialog, DeleteContactDialog } from './contact-dialog.tsx';

const pageSize = 25;
const outcomeOf: Record<number, Outcome> = {
  0: 'notDialed',
  1: 'reached',
  2: 'failed',
  3: 'noAnswer',
  4: 'inCall',
};

type Props = {
  sourceId: string;
  /** The do-not-call list: numbers and names, no calls. */
  short?: boolean;
  deleteWords: string;
  empty: { title: string; words: string };
  addLabel: string;
  searchLabel: string;
  onImport: () => void;
  importLabel: string;
};

const ContactRows = ({
  rows,
  short,
  onEdit,
  onDelete,
}: {
  rows: readonly Contact[];
  short: boolean;
  onEdit: ((contact: Contact) => void) | undefined;
  onDelete: (contact: Contact) => void;
}) => {
  const t = useWords();
  return (
    <tbody>
      {rows.map((contact) => (
        <tr key={contact.id}>
          <td class="strong phone">
            <bdi>{contact.phoneNumber}</bdi>
          </td>
          <TextCell text={contact.customerName} />
          {!short && (
            <>
              <TextCell wide text={contact.address} />
              <td class="wide number clip">
                <bdi>{String(contact.orderAmount ?? '')}</bdi>
              </td>
              <td class="not-narrow">
                <OutcomeLabel outcome={outcomeOf[Number(contact.status)] ?? 'notDialed'} />
              </td>
              <td class="wide number">{numberText(Number(contact.callCount))}</td>
            </>
          )}
          <td class="wide">
            <Moment time={String(contact.createTime)} />
          </td>
          {onEdit && (
            <td class="row-tools">
              <IconButton
                label={t.contacts.editTitle(contact.phoneNumber)}
                icon="pen"
                onClick={() => onEdit(contact)}
              />
              <IconButton
                label={`${t.common.delete} ${contact.phoneNumber}`}
                icon="bin"
                onClick={() => onDelete(contact)}
              />
            </td>
          )}
        </tr>
      ))}
    </tbody>
  );
};

/** The contacts of a list: search by number first; add, edit, delete. */
export const ContactTable = (props: Props) => {
  const { sourceId, short = false, empty, addLabel, searchLabel, importLabel, onImport, deleteWords } = props;
  const t = useWords();
  const { mayWrite } = usePerson();
  const address = useAddress();
  const searched = address.text('q');
  const contacts = useContacts(sourceId, searched, address.page, pageSize);
  useExistingPage(address, contacts, pageSize);
  const [editing, edit] = useState<Contact | 'new' | undefined>();
  const [deleting, askDelete] = useState<Contact | undefined>();
  const rows = (contacts.data?.rows ?? []) as Contact[];
  const isEmpty = contacts.data?.total === 0 && searched === '';
  return (
    <>
      {!isEmpty && (
        <div class="toolbar">
          <SearchBox
            label={searchLabel}
            value={searched}
            inputMode="tel"
            onSearch={(q) => address.change({ q, page: undefined }, { replace: true })}
          />
          {mayWrite && (
            <Button icon="plus" onClick={() => edit('new')}>
              {addLabel}
            </Button>
          )}
        </div>
      )}
      <Awaited query={contacts} />
      {isEmpty && (
        <Empty icon="person" title={empty.title} words={empty.words}>
          {mayWrite && (
            <>
              <Button kind="primary" icon="upload" onClick={onImport}>
                {importLabel}
              </Button>
              <Button icon="plus" onClick={() => edit('new')}>
                {addLabel}
              </Button>
            </>
          )}
        </Empty>
      )}
      {contacts.data?.total === 0 && searched !== '' && <Empty icon="search" words={t.contacts.noMatch} />}
      {rows.length > 0 && (
        <div class="card table-card">
          <table class="table">
            <thead>
              <tr>
                <th>{t.contacts.phone}</th>
                <th>{t.contacts.name}</th>
                {!short && (
                  <>
                    <th class="wide">{t.contacts.address}</th>
                    <th class="wide number">{t.contacts.amount}</th>
                    <th class="not-narrow">{t.contacts.status}</th>
                    <th class="wide number">{t.contacts.callCount}</th>
                  </>
                )}
                <th class="wide">{t.contacts.created}</th>
                {mayWrite && (
                  <th>
                    <span class="hidden">{t.common.edit}</span>
                  </th>
                )}
              </tr>
            </thead>
            <ContactRows
              rows={rows}
              short={short}
              onEdit={mayWrite ? edit : undefined}
              onDelete={askDelete}
            />
          </table>
          <Pager
            total={contacts.data?.total ?? 0}
            page={address.page}
            pageSize={pageSize}
            onPage={address.toPage}
          />
        </div>
      )}
      {editing !== undefined && (
        <ContactDialog
          sourceId={sourceId}
          short={short}
          {...(editing === 'new' ? {} : { contact: editing })}
          onClose={() => edit(undefined)}
        />
      )}
      {deleting && (
        <DeleteContactDialog
          sourceId={sourceId}
          contact={deleting}
          words={deleteWords}
          onClose={() => askDelete(undefined)}
        />
      )}
    </>
  );
};
