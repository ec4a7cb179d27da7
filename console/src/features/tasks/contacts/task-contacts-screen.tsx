import { useQuery } from '@tanstack/preact-query';
import { useRef, useState } from 'preact/hooks';
import type { TaskOverview } from '../../../../../client/client.ts';
import { numberText, useWords } from '../../../i18n/i18n.ts';
import { factsOf } from '../../../parts/lists/contact-fields.ts';
import { overviewQuery, type StandingFilter, taskContactsQuery } from '../../../parts/tasks/queries.ts';
import { Calls, taskContactColumns } from '../../../parts/tasks/task-contact-rows.tsx';
import { TaskTabs } from '../../../parts/tasks/task-tabs.tsx';
import { allows, freshOf, selectedText } from '../../../parts/tasks/task-words.ts';
import { usePerson } from '../../../session/session.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Select, Toggle } from '../../../ui/fields/field.tsx';
import { Facts } from '../../../ui/figures/figures.tsx';
import { List, TokenPager, useAddress } from '../../../ui/lists/list.tsx';
import { ChosenBar, useChosen, useColumns, useOpened } from '../../../ui/lists/table.tsx';
import { Empty, Page } from '../../../ui/page/page.tsx';
import { RecallDialog } from '../task/task-dialogs.tsx';

/** In the order of the choices: which of the task's counts belongs to each. */
const countNames = {
  all: 'total',
  success: 'reached',
  failed: 'failed',
  noAnswer: 'noAnswer',
  waiting: 'waiting',
  callback: 'callbacks',
  inCall: 'inCall',
  blocked: 'blocked',
  notSelected: 'notSelected',
  notDialed: 'notDialed',
} as const satisfies Record<StandingFilter, keyof TaskOverview['contacts']>;
const filters = Object.keys(countNames) as StandingFilter[];
/** A contact with an agreed callback is among those that wait: it is a choice within them. */
const tabs = filters.filter((name) => name !== 'callback');
const choices = ['waiting', 'callback'] as const;

export const TaskContactsScreen = ({ params: { id } }: { params: { id: string } }) => {
  const t = useWords();
  const { mayWrite } = usePerson();
  const address = useAddress();
  const phoneNumber = address.text('q');
  // Numbers are searched among all contacts.
  const asked = phoneNumber === '' ? address.text('outcome') : '';
  const outcome = filters.find((filter) => filter === asked) ?? 'all';
  const overview = useQuery(overviewQuery(id));
  const filter = { outcome, phoneNumber, pageSize: address.pageSize, pageToken: address.text('from') };
  const contacts = useQuery(taskContactsQuery(id, filter));
  const chosen = useChosen();
  const { isOpen, opener } = useOpened();
  const [recalling, setRecalling] = useState(false);
  const task = overview.data;
  const ids = [...chosen.ids.keys()];
  const rows = contacts.data?.rows ?? [];
  const { all, usual } = taskContactColumns(rows, t);
  const { columns, chooser } = useColumns('task-contacts', usual, all);
  // The name comes first.
  const isNamed = columns[0] !== undefined && columns[0] === all.customerName;
  const counted = phoneNumber === '' ? task?.contacts[countNames[outcome]] : undefined;
  const total = counted ?? contacts.data?.total ?? 0;
  const mayRecall = mayWrite && task && allows(task, 'recall');
  // Contacts may be chosen on several pages.
  const reached = useRef(new Set<string>());
  for (const row of rows) if (row.outcome === 'success') reached.current.add(row.contactId);
  const countOf = (name: StandingFilter) => task?.contacts[countNames[name]];
  // An outcome that nobody has is no choice.
  const shownOutcomes = tabs.filter((name) => name === 'all' || name === outcome || countOf(name) !== 0);
  const outcomeLabel = (name: Exclude<StandingFilter, 'callback'>) => {
    const count = countOf(name);
    const words = name === 'all' ? t.calls.any.outcome : t.standing[name];
    return count === undefined ? words : `${words} (${numberText(count)})`;
  };
  const hasCallbacks =
    outcome === 'callback' || (outcome === 'waiting' && (task?.contacts.callbacks ?? 0) > 0);
  const choice = outcome === 'callback' ? 'callback' : 'waiting';
  const fresh = task && freshOf(task);
  const isCounted = task && (task.contacts.selected.count > 0 || !task.contacts.selected.estimated);
  return (
    <Page
      title={task ? t.contacts.ofTask(task.taskName) : t.contacts.title}
      back={{ href: `/tasks/${id}`, label: task?.taskName ?? t.tasks.title }}
    >
      <TaskTabs id={id} task={task} current="contacts" />
      {isCounted && outcome === 'notDialed' && fresh !== task.contacts.notDialed && (
        <p class="faint">{t.contacts.notLookedAt(selectedText(task, fresh ?? 0, t))}</p>
      )}
      <List
        // The rows decide: the count of an outcome may be another by the time they are read.
        query={{ ...contacts, data: contacts.data && { total: rows.length, rows } }}
        cards
        idOf={({ contactId }) => contactId}
        chosen={mayRecall ? { rows: chosen, label: ({ phoneNumber }) => phoneNumber } : undefined}
        totalWords={t.contacts.total}
        search={{ label: t.contacts.search, inputMode: 'tel' }}
        noMatch={t.contacts.noMatch}
        tools={
          <>
            <Select
              class="filter"
              label={t.title.callOutcome}
              value={outcome === 'callback' ? 'waiting' : outcome}
              options={shownOutcomes.map((name) => ({
                value: name,
                label: outcomeLabel(name),
              }))}
              onValue={(name) =>
                address.change({ outcome: name === 'all' ? undefined : name, q: undefined, from: undefined })
              }
            />
            {hasCallbacks && (
              <Toggle
                label={t.standing.waiting}
                value={choice}
                options={choices.map((value) => ({
                  value,
                  label: value === 'waiting' ? t.tasks.all : t.standing.callback,
                  count: task?.contacts[countNames[value]],
                }))}
                onValue={(value) => address.change({ outcome: value, from: undefined })}
              />
            )}
            {chooser}
            <ChosenBar chosen={chosen}>
              <Button
                kind="primary"
                icon="phone"
                onClick={() => setRecalling(true)}
                label={t.contacts.recallChosen}
              />
            </ChosenBar>
          </>
        }
        empty={<Empty icon="person" words={t.contacts.noneOf} />}
        columns={[
          ...columns.slice(0, isNamed ? 1 : 0),
          {
            title: t.title.phoneNumber,
            class: 'phone',
            cell: ({ contactId, phoneNumber }) =>
              opener(contactId, phoneNumber, t.contacts.showCalls(phoneNumber)),
          },
          ...columns.slice(isNamed ? 1 : 0),
        ]}
        opened={(contact) =>
          isOpen(contact.contactId) && (
            <>
              <Facts facts={factsOf(contact.fields, t)} />
              <Calls calls={contact.calls} taskId={id} />
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
          chosen={{
            ids,
            reached: ids.filter((each) => reached.current.has(each)).length,
            clear: chosen.clear,
          }}
          onClose={() => setRecalling(false)}
        />
      )}
    </Page>
  );
};
