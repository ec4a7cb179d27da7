import { useMutation, useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Erased, FoundPerson } from '../../../../client/client.ts';
import { normalisePhone } from '../../../../shared/contacts/rules/phone-number.ts';
import { useRefresh } from '../../api/client.ts';
import { troubleOf } from '../../api/errors.ts';
import { type Dictionary, instantOf, momentText, useWords } from '../../i18n/i18n.ts';
import { deleteContacts } from '../../parts/lists/changes.ts';
import { factsOf } from '../../parts/lists/contact-fields.ts';
import { taskKeys } from '../../parts/tasks/queries.ts';
import { standingColumns } from '../../parts/tasks/task-contact-rows.tsx';
import { usePerson } from '../../session/session.ts';
import { Button, Icon, Refused } from '../../ui/actions/button.tsx';
import { ConfirmDialog, FormDialog, useDialog } from '../../ui/actions/dialog.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { Facts, NamedLink } from '../../ui/figures/figures.tsx';
import { type Column, Table } from '../../ui/lists/table.tsx';
import { Awaited, Card, Empty, Page, say } from '../../ui/page/page.tsx';
import {
  blockNumber,
  contactQuery,
  eraseNumber,
  personKeys,
  personQuery,
  unblockNumber,
  useNumberInAddress,
} from './person.ts';
import { Timeline } from './timeline.tsx';

type Contact = FoundPerson['contacts'][number];

type RemoveProps = {
  phoneNumber: string;
  list: string;
  words: string;
  change: () => Promise<{ deleteCount: number }>;
  /** Said where the number was not on the list. */
  none: string;
  onClose: () => void;
};

/** Takes a number off a list. */
const RemoveDialog = ({ phoneNumber, list, none, ...dialog }: RemoveProps) => {
  const t = useWords();
  return (
    <ConfirmDialog
      title={t.people.removeTitle(phoneNumber, list)}
      action={t.common.remove}
      kind="danger"
      said={({ deleteCount }) => (deleteCount > 0 ? t.people.removed(phoneNumber, list) : none)}
      refreshes={personKeys}
      {...dialog}
    />
  );
};

const standingOfNumber = (t: Dictionary): Column<Contact['tasks'][number]>[] => {
  const { outcome, attempts } = standingColumns(t);
  const cell = ({ taskId, taskName }: Contact['tasks'][number]) => (
    <NamedLink href={`/tasks/${taskId}`} name={taskName} />
  );
  return [{ title: t.people.task, class: 'main-cell', cell }, outcome, attempts];
};

type Props = { phoneNumber: string; contact: Contact; isOpen: boolean };

/** The number in one contact list: its fields, and how it stands in each task. */
const PersonContact = ({ phoneNumber, contact, isOpen }: Props) => {
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
          <Table rows={tasks} idOf={({ taskId }) => taskId} cards columns={standingOfNumber(t)} />
        )}
      </div>
      {removing && (
        <RemoveDialog
          phoneNumber={phoneNumber}
          list={dataSourceName}
          change={() => deleteContacts(dataSourceId, { contactIds: [contactId] })}
          none={t.errors.codes.CONTACT_NOT_FOUND}
          words={t.contacts.deleteWords}
          onClose={() => setRemoving(false)}
        />
      )}
    </Card>
  );
};

type EraseProps = { person: FoundPerson; onErased: (erased: Erased) => void; onClose: () => void };

/** Asks twice: what will happen, then for the number. */
const EraseDialog = ({ person: { phoneNumber, doNotCall }, onErased, onClose }: EraseProps) => {
  const t = useWords();
  const [isSure, setSure] = useState(false);
  const [keeps, setKeeps] = useState(true);
  const [typed, type] = useState('');
  const [isOther, setOther] = useState(false);
  const { form } = useDialog({
    change: () => eraseNumber(phoneNumber, keeps),
    onDone: onErased,
    refreshes: [...personKeys, ...taskKeys],
    onClose,
  });
  const confirm = () => {
    const isSame = normalisePhone(typed) === phoneNumber;
    setOther(!isSame);
    if (isSame) form.onSubmit();
  };
  return (
    <FormDialog
      // Another dialog, so that the focus goes to the field.
      key={String(isSure)}
      title={t.people.eraseTitle(phoneNumber)}
      action={isSure ? t.people.eraseNow : t.people.continue}
      kind="danger"
      {...form}
      onSubmit={isSure ? confirm : () => setSure(true)}
    >
      {isSure ? (
        <TextField
          label={t.people.typeNumber(phoneNumber)}
          value={typed}
          inputMode="tel"
          error={isOther ? t.people.otherNumber : undefined}
          onValue={type}
        />
      ) : (
        <>
          <p>{t.people.eraseWords}</p>
          <p>{t.people.eraseKeeps}</p>
          <p>{t.people.eraseCopies}</p>
          {doNotCall ? (
            <label class="row">
              <input
                type="checkbox"
                checked={keeps}
                onChange={(event) => setKeeps(event.currentTarget.checked)}
              />
              {t.people.keepBlocked}
            </label>
          ) : (
            <p class="why">{t.people.mayReturn}</p>
          )}
        </>
      )}
    </FormDialog>
  );
};

/** Digits: hardly any whole number is shorter. */
const shortestWhole = 8;

/** Each list is asked for the fields: the first two are, so that the page opens with three requests. */
const openAtFirst = 2;

type ActionsProps = { person: FoundPerson; onErased: (erased: Erased) => void };

const Actions = ({ person, onErased }: ActionsProps) => {
  const t = useWords();
  const { phoneNumber, doNotCall, contacts } = person;
  const [asked, ask] = useState<'unblock' | 'erase' | undefined>();
  const blocking = useMutation({
    mutationFn: () => blockNumber(person),
    onSuccess: () => say(t.people.blockDone(phoneNumber)),
    onSettled: useRefresh(personKeys),
  });
  const onClose = () => ask(undefined);
  return (
    <>
      <Refused words={troubleOf(blocking.error, t).whole} />
      {doNotCall ? (
        <Button onClick={() => ask('unblock')} label={t.people.unblock} />
      ) : (
        <Button
          icon="block"
          busy={blocking.isPending}
          onClick={() => blocking.mutate()}
          label={t.people.block}
        />
      )}
      {(doNotCall || contacts.length > 0) && (
        <Button kind="danger" icon="bin" onClick={() => ask('erase')} label={t.people.erase} />
      )}
      {asked === 'unblock' && (
        <RemoveDialog
          phoneNumber={phoneNumber}
          list={t.doNotCall.title}
          change={() => unblockNumber(person)}
          none={t.people.otherSpelling}
          words={t.doNotCall.deleteWords}
          onClose={onClose}
        />
      )}
      {asked === 'erase' && <EraseDialog person={person} onErased={onErased} onClose={onClose} />}
    </>
  );
};

/** A number: where it is, what happened in which task, its calls. */
const PersonOf = ({ phoneNumber }: { phoneNumber: string }) => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const query = useQuery(personQuery(phoneNumber));
  const [erased, setErased] = useState<Erased | undefined>();
  const person = query.data;
  return (
    <Page
      title={person?.phoneNumber ?? phoneNumber}
      badge={
        person && (
          <span class="row faint">
            {person.doNotCall && <Icon name="block" size={12} />}
            {person.doNotCall ? t.people.blocked : t.people.notBlocked}
          </span>
        )
      }
      actions={person && mayWrite && <Actions person={person} onErased={setErased} />}
    >
      <div role="status">
        {erased && (
          <p class="banner row">
            <Icon name="check" />
            <span>
              {t.people.erased(
                erased.contactCount,
                erased.taskCount,
                momentText(instantOf(erased.lastCopyExpireTime)),
              )}
            </span>
          </p>
        )}
      </div>
      <Awaited query={query} />
      {person?.contacts.length === 0 && (
        <Empty
          icon="search"
          title={t.people.nowhere}
          words={[
            person.doNotCall ? t.people.blockedWords : t.people.notBlockedWords,
            phoneNumber.length < shortestWhole && t.people.partOfNumber,
          ]
            .filter(Boolean)
            .join(' ')}
        />
      )}
      {person && person.contacts.length > 0 && <Timeline person={person} />}
      {person?.contacts.map((contact, at) => (
        <PersonContact
          key={contact.contactId}
          phoneNumber={person.phoneNumber}
          contact={contact}
          isOpen={at < openAtFirst}
        />
      ))}
    </Page>
  );
};

export const PersonScreen = () => {
  const t = useWords();
  const asked = useNumberInAddress();
  const phoneNumber = normalisePhone(asked);
  useEffect(() => {
    document.querySelector<HTMLElement>('main h1')?.focus();
  }, [asked]);
  if (phoneNumber !== undefined) return <PersonOf key={phoneNumber} phoneNumber={phoneNumber} />;
  return (
    <Page title={asked || t.people.find}>
      <Empty icon="search" words={asked === '' ? t.people.findWords : t.errors.fields.phoneNumber} />
    </Page>
  );
};
