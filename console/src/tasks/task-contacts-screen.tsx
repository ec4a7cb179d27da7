import { useQuery } from '@tanstack/preact-query';
import { useRef, useState } from 'preact/hooks';
import type { TaskContact, TaskOverview } from '../../../client/answers.ts';
import { allowedFrom, type TaskStatus } from '../../../shared/domain/tasks/task-states.ts';
import { durationText, numberText } from '../i18n/format.ts';
import { type Dictionary, useWords } from '../i18n/i18n.ts';
import { usePerson } from '../session/person.ts';
import { Button } from '../ui/button.tsx';
import { useChosen } from '../ui/chosen.tsx';
import { Empty } from '../ui/empty.tsx';
import { List } from '../ui/list.tsx';
import { Moment } from '../ui/moment.tsx';
import { Facts, useOpened } from '../ui/opened.tsx';
import { type Outcome, OutcomeLabel, outcomes } from '../ui/outcome.tsx';
import { Page } from '../ui/page.tsx';
import { PageSize } from '../ui/pager.tsx';
import { Table, textColumn } from '../ui/table.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { type Address, useAddress } from '../ui/use-address.ts';
import { type OutcomeFilter, overviewQuery, taskContactsQuery } from './queries.ts';
import { RecallDialog } from './task-dialogs.tsx';
import { dueWords } from './task-words.ts';

/** `reached` is `success` where a contact's outcome is named. */
const shown: readonly Outcome[] = outcomes.flatMap((name) =>
  name === 'waiting' ? [name, 'callback'] : name,
);
const outcomeOf = (name: string): Outcome =>
  name === 'success' ? 'reached' : (shown.find((outcome) => outcome === name) ?? 'notDialed');
const nameOf = (outcome: Outcome) => (outcome === 'reached' ? 'success' : outcome);
const filters: readonly OutcomeFilter[] = ['all', ...shown.map(nameOf)];
const filterOf = (text: string): OutcomeFilter => filters.find((filter) => filter === text) ?? 'all';

const countOf = ({ contacts }: TaskOverview, filter: OutcomeFilter): number => {
  if (filter === 'all') return contacts.total;
  return filter === 'callback' ? contacts.callbacks : contacts[filter === 'success' ? 'reached' : filter];
};

const reasonWords = (call: TaskContact['calls'][number] | undefined, t: Dictionary): string =>
  call?.reason ? t.reason[call.reason] : '–';

const Calls = ({ contact }: { contact: TaskContact }) => {
  const t = useWords();
  if (contact.calls.length === 0) return <p class="faint">{t.task.noCalls}</p>;
  return (
    <Table
      rows={contact.calls.map((call, at) => ({ ...call, at })).reverse()}
      idOf={({ at }) => at}
      columns={[
        { title: t.title.callTime, cell: ({ time }) => <Moment time={time} /> },
        { title: t.title.callOutcome, cell: ({ outcome }) => <OutcomeLabel outcome={outcomeOf(outcome)} /> },
        { title: t.title.callReason, cell: (call) => reasonWords(call, t) },
        { title: t.contacts.duration, class: 'number', cell: ({ duration }) => durationText(duration) },
      ]}
    />
  );
};

/** Marks a page that was reached from the page before it. */
const paged = 'paged';

/** A page knows the next page only: a reader who came by a link goes back to the first. */
const TokenPager = ({
  totalWords,
  nextToken,
  address,
}: {
  totalWords: string;
  nextToken: string | null | undefined;
  address: Address;
}) => {
  const t = useWords();
  const toPrevious = () => (history.state === paged ? history.back() : address.change({ from: undefined }));
  return (
    <div class="pager row wrap">
      <span class="pager-total">{totalWords}</span>
      <PageSize address={address} />
      {address.text('from') !== '' && <Button kind="quiet" onClick={toPrevious} label={t.common.previous} />}
      {nextToken && (
        <Button
          kind="quiet"
          onClick={() => address.change({ from: nextToken }, { state: paged })}
          label={t.common.next}
        />
      )}
    </div>
  );
};

export const TaskContactsScreen = ({ params: { id } }: { params: { id: string } }) => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const address = useAddress();
  const phoneNumber = address.text('q');
  // Numbers are searched among all contacts.
  const outcome = phoneNumber === '' ? filterOf(address.text('outcome')) : 'all';
  const overview = useQuery(overviewQuery(id));
  const contacts = useQuery(
    taskContactsQuery(id, outcome, phoneNumber, address.pageSize, address.text('from') || undefined),
  );
  const chosen = useChosen();
  const { isOpen, opener } = useOpened();
  const [recalling, setRecalling] = useState(false);
  const task = overview.data;
  const ids = [...chosen.ids.keys()];
  const rows = contacts.data?.rows ?? [];
  const counted = phoneNumber === '' ? task && countOf(task, outcome) : undefined;
  const total = counted ?? contacts.data?.total ?? 0;
  const mayRecall = mayWrite && task && allowedFrom('recall').includes(task.status as TaskStatus);
  // Contacts may be chosen on several pages.
  const reached = useRef(new Set<string>());
  for (const row of rows) if (row.outcome === 'success') reached.current.add(row.contactId);
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
              label={t.contacts.recallChosen}
            />
          </>
        )
      }
    >
      <Tabs
        label={t.title.callOutcome}
        tabs={filters.map((name) => ({
          href: `/tasks/${id}/contacts${name === 'all' ? '' : `?outcome=${name}`}`,
          label: name === 'all' ? t.contacts.all : t.outcome[outcomeOf(name)],
          count: task && countOf(task, name),
          current: name === outcome,
        }))}
      />
      <List
        // The rows decide: the count of an outcome may be another by the time they are read.
        query={{ ...contacts, data: contacts.data && { total: rows.length, rows } }}
        idOf={({ contactId }) => contactId}
        chosen={mayRecall ? { rows: chosen, label: ({ phoneNumber }) => phoneNumber } : undefined}
        totalWords={t.contacts.total}
        search={{ label: t.contacts.search, inputMode: 'tel' }}
        noMatch={t.contacts.noMatch}
        gone={t.task.notFound}
        empty={<Empty icon="person" words={t.contacts.noneOf} />}
        columns={[
          {
            title: t.title.phoneNumber,
            cell: ({ contactId, phoneNumber }) =>
              opener(contactId, phoneNumber, t.contacts.showCalls(phoneNumber)),
          },
          textColumn(t.title.customerName, ({ fields }: TaskContact) => fields.customerName, 'wide'),
          { title: t.title.callOutcome, cell: (row) => <OutcomeLabel outcome={outcomeOf(row.outcome)} /> },
          {
            title: t.title.callReason,
            class: 'not-narrow',
            cell: ({ calls }) => <span class="faint">{reasonWords(calls.at(-1), t)}</span>,
          },
          {
            title: t.contacts.attempts,
            class: 'number not-narrow',
            cell: ({ attempts }) => numberText(attempts),
          },
          {
            title: t.title.lastCallTime,
            class: 'wide',
            cell: ({ calls }) => <Moment time={calls.at(-1)?.time} />,
          },
          {
            title: t.contacts.next,
            class: 'wide',
            cell: ({ nextCallTime }) => dueWords(nextCallTime, t) ?? <span class="faint">–</span>,
          },
        ]}
        opened={(contact) =>
          isOpen(contact.contactId) && (
            <>
              <Facts facts={contact.fields} />
              <Calls contact={contact} />
            </>
          )
        }
        pager={
          <TokenPager
            totalWords={t.contacts.total(total)}
            nextToken={contacts.data?.nextPageToken}
            address={address}
          />
        }
      />
      {recalling && task && (
        <RecallDialog
          task={task}
          unreached={0}
          chosen={{ ids, reached: ids.filter((each) => reached.current.has(each)).length }}
          onDone={chosen.clear}
          onClose={() => setRecalling(false)}
        />
      )}
    </Page>
  );
};
