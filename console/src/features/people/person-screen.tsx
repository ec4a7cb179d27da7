import { useMutation, useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import type { Erased, FoundPerson } from '../../../../client/answers.ts';
import { normalisePhone } from '../../../../shared/contacts/rules.ts';
import { troubleOf } from '../../api/errors.ts';
import { useRefresh } from '../../api/query-client.ts';
import { instantOf, momentText } from '../../i18n/format.ts';
import { useWords } from '../../i18n/i18n.ts';
import { Calls } from '../../parts/tasks/task-contact-rows.tsx';
import { usePerson } from '../../session/person.ts';
import { Button, Refused } from '../../ui/actions/button.tsx';
import { ConfirmDialog } from '../../ui/actions/dialog.tsx';
import { Icon } from '../../ui/actions/icon.tsx';
import standing from '../../ui/figures/standing.module.css';
import { Awaited, Card, Empty, Page } from '../../ui/page/page.tsx';
import { say } from '../../ui/page/toast.tsx';
import { EraseDialog } from './erase-dialog.tsx';
import { blockNumber, personKeys, personQuery, unblockNumber, useNumberInAddress } from './person.ts';
import { PersonContact, taskColumn } from './person-contact.tsx';

/** Digits: hardly any whole number is shorter. */
const shortestWhole = 8;

/** Each list is asked for the fields: the first two are, so that the page opens with three requests. */
const openAtFirst = 2;

const PersonCalls = ({ person }: { person: FoundPerson }) => {
  const t = useWords();
  const calls = person.contacts
    .flatMap(({ tasks }) => tasks)
    .flatMap(({ calls, taskId, taskName }) => calls.map((call) => ({ ...call, taskId, taskName })))
    .sort((a, b) => a.time.localeCompare(b.time));
  return (
    <Card title={t.people.calls}>
      <div class="table-scroll">
        <Calls calls={calls} taskOf={({ taskId }) => taskId} also={[taskColumn(t)]} />
      </div>
    </Card>
  );
};

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
        <ConfirmDialog
          title={t.people.removeTitle(phoneNumber, t.doNotCall.title)}
          action={t.common.remove}
          kind="danger"
          change={() => unblockNumber(person)}
          said={({ deleteCount }) =>
            deleteCount > 0 ? t.people.removed(phoneNumber, t.doNotCall.title) : t.people.otherSpelling
          }
          refreshes={personKeys}
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
          <span class={`${standing.chip} row`}>
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
      {person?.contacts.map((contact, at) => (
        <PersonContact
          key={contact.contactId}
          phoneNumber={person.phoneNumber}
          contact={contact}
          isOpen={at < openAtFirst}
        />
      ))}
      {person && person.contacts.length > 0 && <PersonCalls person={person} />}
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
