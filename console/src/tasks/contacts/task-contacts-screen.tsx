import { useQuery } from '@tanstack/preact-query';
import { useRef, useState } from 'preact/hooks';
import type { TaskOverview } from '../../../../client/answers.ts';
import { allowedFrom, type TaskStatus } from '../../../../shared/domain/tasks/task-states.ts';
import { useWords } from '../../i18n/i18n.ts';
import { usePerson } from '../../session/person.ts';
import { Button } from '../../ui/button.tsx';
import { useChosen } from '../../ui/chosen.tsx';
import { useColumns } from '../../ui/column-chooser.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Facts, factsIn } from '../../ui/facts.tsx';
import { List } from '../../ui/list.tsx';
import { useOpened } from '../../ui/opened.tsx';
import type { Outcome } from '../../ui/outcome.tsx';
import { Page } from '../../ui/page.tsx';
import { PageSize } from '../../ui/pager.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { type Address, useAddress } from '../../ui/use-address.ts';
import { type OutcomeFilter, overviewQuery, taskContactsQuery } from '../queries.ts';
import { RecallDialog } from '../task/task-dialogs.tsx';
import { Calls, outcomeOf, shownOutcomes, taskContactColumns, usualColumns } from './task-contact-rows.tsx';

const nameOf = (outcome: Outcome) => (outcome === 'reached' ? 'success' : outcome);
const filters: readonly OutcomeFilter[] = ['all', ...shownOutcomes.map(nameOf)];
const filterOf = (text: string): OutcomeFilter => filters.find((filter) => filter === text) ?? 'all';

const countOf = ({ contacts }: TaskOverview, filter: OutcomeFilter): number => {
  if (filter === 'all') return contacts.total;
  return filter === 'callback' ? contacts.callbacks : contacts[filter === 'success' ? 'reached' : filter];
};

/** Marks a page that was reached from the page before it. */
const paged = 'paged';

type TokenPagerProps = { totalWords: string; nextToken: string | null | undefined; address: Address };

/** A page knows the next page only: a reader who came by a link goes back to the first. */
const TokenPager = ({ totalWords, nextToken, address }: TokenPagerProps) => {
  const t = useWords();
  const toPrevious = () => (history.state === paged ? history.back() : address.change({ from: undefined }));
  return (
    <div class="pager row wrap">
      <span class="pager-total">{totalWords}</span>
      <PageSize address={address} />
      {address.text('from') !== '' && (
        <>
          <Button kind="quiet" onClick={() => address.change({ from: undefined })} label={t.common.first} />
          <Button kind="quiet" onClick={toPrevious} label={t.common.previous} />
        </>
      )}
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
  const { columns, chooser } = useColumns('task-contacts', usualColumns, taskContactColumns(rows, t));
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
          label: name === 'all' ? t.tasks.all : t.outcome[outcomeOf(name)],
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
        tools={chooser}
        empty={<Empty icon="person" words={t.contacts.noneOf} />}
        columns={[
          {
            title: t.title.phoneNumber,
            cell: ({ contactId, phoneNumber }) =>
              opener(contactId, phoneNumber, t.contacts.showCalls(phoneNumber)),
          },
          ...columns,
        ]}
        opened={(contact) =>
          isOpen(contact.contactId) && (
            <>
              <Facts facts={factsIn(contact.fields)} />
              <Calls calls={contact.calls} />
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
