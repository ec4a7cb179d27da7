import { Link } from 'wouter-preact';
import type { TaskContact } from '../../../../client/client.ts';
import { doNotCall } from '../../../../shared/contacts/rules/data-source.ts';
import { callsPath } from '../../base/paths.ts';
import { type Dictionary, durationText, listText, numberText, useWords } from '../../i18n/i18n.ts';
import { Moment, OutcomeLabel, StandingLabel, Sub, standingOf } from '../../ui/figures/figures.tsx';
import { type Column, Table, textColumn } from '../../ui/lists/table.tsx';
import { fieldOrder, fieldTitle } from '../lists/contact-fields.ts';
import { dueWords, waitWords } from './task-words.ts';

type Call = TaskContact['calls'][number];

export const reasonText = (call: Pick<Call, 'reason'> | undefined, t: Dictionary): string =>
  call?.reason ? t.reason[call.reason] : '';

/** Calls of a task in the order of their time, of which the newest is shown first. */
export const Calls = ({ calls, taskId }: { calls: readonly Call[]; taskId: string }) => {
  const t = useWords();
  return (
    <Table
      rows={calls.map((call, at) => ({ ...call, at })).reverse()}
      idOf={({ at }) => at}
      cards
      columns={[
        {
          title: t.title.endTime,
          cell: (call) => (
            <Link href={callsPath(taskId, { call: call.callId })}>
              <Moment time={call.time} />
            </Link>
          ),
        },
        {
          title: t.title.callOutcome,
          cell: ({ outcome }) => <OutcomeLabel outcome={outcome} />,
        },
        { title: t.title.callReason, cell: (call) => reasonText(call, t) },
        {
          title: t.title.talkTime,
          class: 'number',
          cell: ({ outcome, duration }) => outcome === 'success' && durationText(duration),
        },
        {
          title: t.title.ringTime,
          class: 'number not-narrow',
          cell: ({ outcome, duration }) => outcome !== 'success' && durationText(duration),
        },
      ]}
    />
  );
};

type Shown = Pick<
  TaskContact,
  'outcome' | 'attempts' | 'nextCallTime' | 'waitReason' | 'calls' | 'blockReason' | 'blockedBy'
>;

/** Which lists have the number of a blocked contact now, or why else it is blocked. */
const blockedWords = ({ blockReason, blockedBy }: Shown, t: Dictionary): string => {
  if (blockReason === 'EMERGENCY') return t.contacts.emergency;
  if (blockReason === 'CALL_BEFORE') return t.contacts.callBefore;
  return listText(
    blockedBy.map(({ dataSourceId: id, dataSourceName: name }) =>
      id === doNotCall.id ? t.doNotCall.title : t.contacts.excludedBy(name),
    ),
  );
};

/** Blocked, but not by the do-not-call list. */
const isBlockedElsewhere = ({ outcome, blockedBy }: Shown) =>
  outcome === 'blocked' && !blockedBy.some(({ dataSourceId }) => dataSourceId === doNotCall.id);

/** How a contact stands in a task. */
export const standingColumns = (t: Dictionary) =>
  ({
    outcome: {
      title: t.title.callOutcome,
      cell: (row) => (
        <>
          <StandingLabel
            standing={standingOf(row.outcome)}
            words={isBlockedElsewhere(row) && t.contacts.blocked}
          />
          <Sub text={blockedWords(row, t)} />
        </>
      ),
    },
    reason: {
      title: t.title.callReason,
      class: 'nowrap not-narrow',
      cell: ({ calls }) => reasonText(calls.at(-1), t),
    },
    attempts: {
      title: t.task.attempts,
      class: 'number not-narrow',
      cell: ({ attempts }) => numberText(attempts),
    },
    lastCall: {
      title: t.title.lastCallTime,
      class: 'widest',
      cell: ({ calls }) => <Moment time={calls.at(-1)?.time} />,
    },
    next: {
      title: t.contacts.next,
      class: 'nowrap wide',
      cell: (row) => (
        <>
          {dueWords(row.nextCallTime, t)}
          <Sub text={waitWords(row, t)} />
        </>
      ),
    },
  }) satisfies Record<string, Column<Shown>>;

/** What a row shows beside its number. `usual`: unless the reader chooses others. */
export const taskContactColumns = (rows: readonly TaskContact[], t: Dictionary) => {
  const { filled, empty } = fieldOrder(rows.map(({ fields }) => fields));
  const names = [...filled, ...empty];
  const ofFields = names.map((name): [string, Column<TaskContact>] => [
    name,
    textColumn(fieldTitle(name, t), ({ fields }) => fields[name], 'wide'),
  ]);
  const shared = standingColumns(t);
  const standing: Record<string, Column<TaskContact>> = {
    ...shared,
    attempts: {
      ...shared.attempts,
      cell: (row) => {
        const made = row.callbacks - (row.outcome === 'callback' ? 1 : 0);
        return (
          <>
            {numberText(row.attempts)}
            {made > 0 && <Sub text={t.contacts.ofThemCallbacks(Math.min(made, row.attempts))} />}
          </>
        );
      },
    },
  };
  const all: Record<string, Column<TaskContact>> = { ...Object.fromEntries(ofFields), ...standing };
  return { all, usual: [...names.slice(0, 1), ...Object.keys(standing)] };
};
