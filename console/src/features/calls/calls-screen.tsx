import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import type { CallRecord, TaskOverview } from '../../../../client/client.ts';
import { callReasons, outcomes } from '../../../../shared/tasks/rules/task-settings.ts';
import { exportPath } from '../../api/client.ts';
import { settings } from '../../base/page-settings.ts';
import { callsPath } from '../../base/paths.ts';
import { useChange } from '../../base/store.ts';
import {
  type Dictionary,
  dateInZone,
  durationText,
  instantOf,
  momentText,
  numberText,
  useWords,
} from '../../i18n/i18n.ts';
import { overviewQuery } from '../../parts/tasks/queries.ts';
import { reasonText } from '../../parts/tasks/task-contact-rows.tsx';
import { TaskTabs } from '../../parts/tasks/task-tabs.tsx';
import { dispositionText } from '../../parts/tasks/task-words.ts';
import { Button } from '../../ui/actions/button.tsx';
import { useDownload } from '../../ui/actions/dialog.tsx';
import { DateField } from '../../ui/fields/date-field.tsx';
import { Select } from '../../ui/fields/field.tsx';
import { Moment, OutcomeLabel } from '../../ui/figures/figures.tsx';
import { type Address, List, TokenPager, useAddress } from '../../ui/lists/list.tsx';
import { type Column, textColumn } from '../../ui/lists/table.tsx';
import { AgedNote, Empty, Page } from '../../ui/page/page.tsx';
import { type CallFilter, CallPanel, callsQuery, rangeOf } from './call-panel.tsx';
import css from './calls-screen.module.css';

const chosenFilters = ['outcome', 'reason', 'disposition', 'day'] as const;
/** In the order in which an address has them. */
const filterNames = [...chosenFilters, 'q', 'size', 'from'];

const filterIn = (address: Address): CallFilter => ({
  outcome: outcomes.find((outcome) => outcome === address.text('outcome')),
  reason: callReasons.find((reason) => reason === address.text('reason')),
  disposition: address.text('disposition'),
  phoneNumber: address.text('q'),
  day: address.text('day'),
});

type FiltersProps = { address: Address; task: TaskOverview | undefined; rows: readonly CallRecord[] };

const Filters = ({ address, task, rows }: FiltersProps) => {
  const t = useWords();
  const set = (name: string) => (value: string) => address.change({ [name]: value, from: undefined });
  const declared = (task?.dispositions ?? []).map(({ code }) => code);
  const seen = rows.flatMap(({ disposition }) => disposition ?? []);
  const codes = [...new Set([...declared, ...seen, address.text('disposition')])].filter(Boolean);
  const options = {
    outcome: outcomes.map((value) => ({ value, label: t.outcome[value] })),
    reason: callReasons.map((value) => ({ value, label: t.reason[value] })),
    disposition: codes.map((value) => ({ value, label: dispositionText(value, task) })),
  };
  return (
    <>
      {(['outcome', 'reason', 'disposition'] as const).map(
        (name) =>
          options[name].length > 0 && (
            <Select
              key={name}
              class="filter"
              label={t.title[name]}
              value={address.text(name)}
              options={[{ value: '', label: t.calls.any[name] }, ...options[name]]}
              onValue={set(name)}
            />
          ),
      )}
      <DateField
        aria-label={t.calls.day}
        title={t.calls.day}
        value={address.text('day')}
        max={dateInZone(Date.now(), settings.timeZone)}
        onDate={set('day')}
      />
    </>
  );
};

type Shown = { task: TaskOverview | undefined; openId: string; hrefOf: (call: CallRecord) => string };

const columnsOf = ({ task, openId, hrefOf }: Shown, t: Dictionary): Column<CallRecord>[] => [
  { title: t.title.endTime, cell: ({ endTime }) => <Moment time={endTime} withSeconds /> },
  {
    title: t.title.phoneNumber,
    class: 'phone',
    cell: (call) => (
      <Link
        href={hrefOf(call)}
        class="strong row-open"
        data-call={call.callId}
        aria-current={call.callId === openId ? 'true' : undefined}
        aria-label={t.calls.open(call.phoneNumber ?? t.calls.erased, momentText(instantOf(call.endTime)))}
      >
        <bdi>{call.phoneNumber ?? t.calls.erased}</bdi>
      </Link>
    ),
  },
  { title: t.title.outcome, cell: ({ outcome }) => <OutcomeLabel outcome={outcome} /> },
  {
    title: t.title.reason,
    class: 'nowrap',
    cell: (call) => reasonText(call, t),
  },
  textColumn(t.title.disposition, ({ disposition }) => dispositionText(disposition, task)),
  {
    title: t.title.talkTime,
    class: 'number',
    cell: ({ outcome, duration }) => outcome === 'success' && durationText(duration),
  },
  {
    title: t.title.attempt,
    class: 'number',
    cell: ({ attempt }) => numberText(attempt),
  },
];

const Exports = ({ id, day }: { id: string; day: string }) => {
  const t = useWords();
  const save = useDownload();
  return (
    <>
      {(['excel', 'csv'] as const).map((format) => (
        <Button
          key={format}
          icon="download"
          busy={save.isPending}
          onClick={() =>
            save.mutate(
              exportPath(`/api/task/${encodeURIComponent(id)}/calls/export`, { format, ...rangeOf(day) }),
            )
          }
          label={format === 'excel' ? t.sources.exportExcel : t.sources.exportCsv}
        />
      ))}
    </>
  );
};

/** The calls of a task, the newest first. A call opens beside the list. */
export const CallsScreen = ({ params: { id } }: { params: { id: string } }) => {
  const t = useWords();
  const address = useAddress();
  const overview = useQuery(overviewQuery(id));
  const task = overview.data;
  const filter = filterIn(address);
  const first = address.text('from');
  const calls = useQuery(callsQuery(id, filter, address.pageSize, first));
  useChange(task?.calls.total, () => first === '' && void calls.refetch());
  const rows = calls.data?.rows ?? [];
  const openId = address.text('call');
  const kept = filterNames.flatMap((name) => {
    const value = address.text(name);
    return value === '' ? [] : [[name, value] as const];
  });
  const hrefOf = ({ callId }: CallRecord) => callsPath(id, { ...Object.fromEntries(kept), call: callId });
  const close = () => {
    address.change({ call: undefined });
    document.querySelector<HTMLElement>(`[data-call="${CSS.escape(openId)}"]`)?.focus();
  };
  const older = calls.data?.nextPageToken;
  return (
    <Page
      title={task ? t.calls.ofTask(task.taskName) : t.calls.title}
      back={{ href: `/tasks/${id}`, label: task?.taskName ?? t.tasks.title }}
      actions={<Exports id={id} day={filter.day} />}
    >
      <TaskTabs id={id} task={task} current="calls" />
      <AgedNote query={calls} />
      <List
        // A page by its token knows no total.
        query={{ ...calls, data: calls.data && { total: rows.length, rows } }}
        cards
        idOf={({ callId }) => callId}
        totalWords={t.calls.total}
        search={{ label: t.contacts.search, inputMode: 'tel' }}
        filters={chosenFilters}
        noMatch={older ? t.calls.noneSoFar : t.calls.none}
        tools={<Filters address={address} task={task} rows={rows} />}
        empty={<Empty icon="phone" words={t.calls.empty} />}
        columns={columnsOf({ task, openId, hrefOf }, t)}
        pager={<TokenPager totalWords="" nextToken={older} address={address} />}
      />
      {older && rows.length === 0 && (
        <p class={css.older}>
          <Button onClick={() => address.change({ from: older })} label={t.calls.older} />
        </p>
      )}
      {openId !== '' && (
        <CallPanel
          callId={openId}
          row={rows.find(({ callId }) => callId === openId)}
          task={task}
          onClose={close}
        />
      )}
    </Page>
  );
};
