import { Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { TaskContact } from '../../../client/answers.ts';
import { durationText, numberText, secondsText } from '../i18n/format.ts';
import { type Dictionary, useWords } from '../i18n/i18n.ts';
import { usePerson } from '../session/person.ts';
import { Awaited } from '../ui/awaited.tsx';
import { Button } from '../ui/button.tsx';
import { ChooseAllCell, ChooseCell, type Chosen, useChosen } from '../ui/chosen.tsx';
import { Empty } from '../ui/empty.tsx';
import { Icon } from '../ui/icon.tsx';
import { Moment } from '../ui/moment.tsx';
import { type Outcome, OutcomeLabel, outcomes } from '../ui/outcome.tsx';
import { Page } from '../ui/page.tsx';
import { TextCell } from '../ui/text-cell.tsx';
import { useAddress } from '../ui/use-address.ts';
import { type OutcomeFilter, useOverview, useTaskContacts } from './queries.ts';
import { isOld } from './reading.ts';
import { RecallDialog } from './task-dialogs.tsx';
import './task-contacts-screen.css';
import '../ui/tabs.css';
import '../ui/pager.css';

/** `reached` is `success` where a contact's outcome is named. */
const outcomeOf = (name: string): Outcome =>
  name === 'success' ? 'reached' : (outcomes.find((outcome) => outcome === name) ?? 'notDialed');
const nameOf = (outcome: Outcome) => (outcome === 'reached' ? 'success' : outcome);
const filters: readonly OutcomeFilter[] = ['all', ...outcomes.map(nameOf)];
const filterOf = (text: string): OutcomeFilter => filters.find((filter) => filter === text) ?? 'all';

/** Marks a page that was reached from the one before it. */
const paged = 'paged';

const Calls = ({ contact }: { contact: TaskContact }) => {
  const t = useWords();
  if (contact.calls.length === 0) return <p class="faint">{t.contacts.noCalls}</p>;
  return (
    <table class="table calls-table">
      <thead>
        <tr>
          <th>{t.contacts.callTime}</th>
          <th>{t.contacts.outcome}</th>
          <th>{t.task.reason}</th>
          <th class="number">{t.contacts.duration}</th>
        </tr>
      </thead>
      <tbody>
        {[...contact.calls].reverse().map((call, i) => (
          <tr key={i}>
            <td>
              <Moment time={call.time} />
            </td>
            <td>
              <OutcomeLabel outcome={outcomeOf(call.outcome)} />
            </td>
            <td>
              {call.reason ? (t.reason[call.reason as keyof Dictionary['reason']] ?? call.reason) : '–'}
            </td>
            <td class="number">{durationText(call.duration)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

type RowProps = {
  contact: TaskContact;
  /** Where contacts may be chosen. */
  chosen: Chosen | undefined;
  open: boolean;
  onOpen: () => void;
};

const ContactRow = ({ contact, chosen, open, onOpen }: RowProps) => {
  const t = useWords();
  return (
    <>
      <tr aria-selected={chosen?.ids.has(contact.contactId) ?? false}>
        {chosen && (
          <ChooseCell id={contact.contactId} label={t.contacts.choose(contact.phoneNumber)} chosen={chosen} />
        )}
        <td>
          <button
            type="button"
            class="disclosure"
            aria-expanded={open}
            aria-label={t.contacts.showCalls(contact.phoneNumber)}
            onClick={onOpen}
          >
            <Icon name={open ? 'down' : 'right'} size={12} />
            <bdi>{contact.phoneNumber}</bdi>
          </button>
        </td>
        <TextCell wide text={contact.fields.customerName} />
        <td>
          <OutcomeLabel outcome={outcomeOf(contact.outcome)} />
        </td>
        <td class="number not-narrow">{numberText(contact.attempts)}</td>
        <td class="wide">
          <Moment time={contact.calls.at(-1)?.time} />
        </td>
        <td class="wide">
          <Moment time={contact.nextCallTime} />
        </td>
      </tr>
      {open && (
        <tr class="opened">
          <td colSpan={chosen ? 7 : 6}>
            <Calls contact={contact} />
          </td>
        </tr>
      )}
    </>
  );
};

export const TaskContactsScreen = ({ params: { id } }: { params: { id: string } }) => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const address = useAddress();
  const outcome = filterOf(address.text('outcome'));
  const token = address.text('from') || undefined;
  const overview = useOverview(id);
  const contacts = useTaskContacts(id, outcome, token, overview.data);
  const chosen = useChosen();
  const [opened, setOpened] = useState<string | undefined>();
  const [recalling, setRecalling] = useState(false);
  const task = overview.data;
  const tabs = useRef<HTMLElement>(null);
  // On a narrow screen it may lie beyond the edge.
  useEffect(() => {
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [outcome, task === undefined]);
  const rows = contacts.data?.rows ?? [];
  // A page knows the next one only: whoever came by a link begins at the first.
  const toPrevious = () => (history.state === paged ? history.back() : address.change({ from: undefined }));
  const mayRecall = mayWrite && task !== undefined && [1, 2, 4, 5].includes(task.status);
  const countOf = (name: string) => (name === 'all' ? task?.contacts.total : task?.contacts[outcomeOf(name)]);
  return (
    <Page
      title={task ? t.contacts.ofTask(task.taskName) : t.contacts.title}
      back={{ href: `/tasks/${id}`, label: task?.taskName ?? t.tasks.title }}
      actions={
        mayRecall && (
          <>
            {chosen.ids.size > 0 && <span class="faint">{t.common.chosen(chosen.ids.size)}</span>}
            <Button
              kind="primary"
              icon="phone"
              disabled={chosen.ids.size === 0}
              onClick={() => setRecalling(true)}
            >
              {t.contacts.recallChosen}
            </Button>
          </>
        )
      }
    >
      <nav class="tabs" ref={tabs} aria-label={t.contacts.outcome}>
        {filters.map((name) => (
          <Link
            key={name}
            href={`/tasks/${id}/contacts${name === 'all' ? '' : `?outcome=${name}`}`}
            class="tab"
            aria-current={name === outcome ? 'page' : undefined}
          >
            {name === 'all' ? t.contacts.all : t.outcome[outcomeOf(name)]}
            <span class="tab-count">{countOf(name) === undefined ? '' : numberText(countOf(name) ?? 0)}</span>
          </Link>
        ))}
      </nav>
      <Awaited query={contacts} gone={t.task.notFound} />
      {contacts.data && rows.length === 0 && <Empty icon="person" words={t.contacts.noneOf} />}
      {rows.length > 0 && (
        <div class="card table-card">
          <table class="table">
            <thead>
              <tr>
                {mayRecall && <ChooseAllCell rows={rows.map(({ contactId }) => contactId)} chosen={chosen} />}
                <th>{t.contacts.phone}</th>
                <th class="wide">{t.contacts.name}</th>
                <th>{t.contacts.outcome}</th>
                <th class="number not-narrow">{t.contacts.attempts}</th>
                <th class="wide">{t.contacts.lastCall}</th>
                <th class="wide">{t.contacts.next}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((contact) => (
                <Fragment key={contact.contactId}>
                  <ContactRow
                    contact={contact}
                    chosen={mayRecall ? chosen : undefined}
                    open={opened === contact.contactId}
                    onOpen={() => setOpened(opened === contact.contactId ? undefined : contact.contactId)}
                  />
                </Fragment>
              ))}
            </tbody>
          </table>
          <div class="pager">
            <span class="pager-total">
              {t.common.total(countOf(outcome) ?? contacts.data?.total ?? 0)}
              {task && isOld({ overview: task, at: contacts.dataUpdatedAt }, overview.dataUpdatedAt) && (
                <span class="faint"> · {t.common.asOf(secondsText(contacts.dataUpdatedAt))}</span>
              )}
            </span>
            {token !== undefined && (
              <Button kind="quiet" onClick={toPrevious}>
                {t.common.previous}
              </Button>
            )}
            {contacts.data?.nextPageToken && (
              <Button
                kind="quiet"
                onClick={() =>
                  address.change({ from: contacts.data.nextPageToken ?? undefined }, { state: paged })
                }
              >
                {t.common.next}
              </Button>
            )}
          </div>
        </div>
      )}
      {recalling && task && (
        <RecallDialog
          task={task}
          unreached={0}
          contactIds={[...chosen.ids]}
          onDone={chosen.clear}
          onClose={() => setRecalling(false)}
        />
      )}
    </Page>
  );
};
