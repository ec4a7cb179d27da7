import { keepPreviousData, queryOptions, useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { CallDetail, CallRecord, CallsPage, TaskOverview } from '../../../../client/client.ts';
import { serviceDay } from '../../../../shared/calls/rules/timeline.ts';
import { dayMs } from '../../../../shared/platform/time/time.ts';
import type { CallReason } from '../../../../shared/tasks/rules/task-settings.ts';
import { askedOnce, given, read } from '../../api/client.ts';
import { settings } from '../../base/page-settings.ts';
import { personPath } from '../../base/paths.ts';
import {
  type Dictionary,
  durationText,
  exactText,
  instantOf,
  numberText,
  useWords,
} from '../../i18n/i18n.ts';
import { factsOf } from '../../parts/lists/contact-fields.ts';
import { taskContactsQuery } from '../../parts/tasks/queries.ts';
import { Calls } from '../../parts/tasks/task-contact-rows.tsx';
import { callerWords, dispositionText } from '../../parts/tasks/task-words.ts';
import { IconButton } from '../../ui/actions/button.tsx';
import { type Fact, Facts, OutcomeLabel, Sub } from '../../ui/figures/figures.tsx';
import beside from '../../ui/lists/beside.module.css';
import { Awaited, Card } from '../../ui/page/page.tsx';
import css from './calls-screen.module.css';

export type CallFilter = {
  outcome: CallRecord['outcome'] | undefined;
  reason: CallReason | undefined;
  disposition: string;
  phoneNumber: string;
  /** `YYYY-MM-DD` by the clock of the service. */
  day: string;
};

/** One request looks at 1,000 calls. A page whose filter matches few of them takes several. */
const requestsAtMost = 5;

/** The times between which the calls of a day end; nothing where it is no day. */
export const rangeOf = (day: string): { from?: string; to?: string } => {
  if (serviceDay(day, settings.timeZone) === undefined) return {};
  const next = new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);
  return { from: `${day} 00:00:00`, to: `${next} 00:00:00` };
};

/** Only the first page changes: new calls come before all others. */
export const callsQuery = (id: string, { day, ...filter }: CallFilter, pageSize: number, first: string) =>
  queryOptions({
    queryKey: ['calls', id, { ...filter, day }, pageSize, first],
    queryFn: async ({ signal }) => {
      const rows: CallRecord[] = [];
      let token: string | null = first;
      for (let asked = 0; token !== null && rows.length < pageSize && asked < requestsAtMost; asked++) {
        const page = { pageSize: pageSize - rows.length, pageToken: token };
        const query = { ...given({ ...filter, ...page }), ...rangeOf(day) };
        const answer: CallsPage = await read('/api/task/{id}/calls', { path: { id }, query }, signal);
        rows.push(...answer.rows);
        token = answer.nextPageToken;
      }
      return { rows, nextPageToken: token };
    },
    placeholderData: keepPreviousData,
    ...(first === '' ? { refetchInterval: 60_000 } : askedOnce),
  });

const callQuery = (callId: string) =>
  queryOptions({
    queryKey: ['call', callId],
    queryFn: ({ signal }) => read('/api/call/detail/{callId}', { path: { callId } }, signal),
    // A platform may add what it found out after the call.
    refetchInterval: 60_000,
  });

/** Opens in a new tab, which is not told where it came from. An address of another kind is shown as text. */
const OutsideLink = ({ href, words }: { href: string; words: string }) =>
  href.startsWith('https://') ? (
    <a href={href} target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer" title={href}>
      {words}
    </a>
  ) : (
    <bdi>{href}</bdi>
  );

const exact = (time: string | null) => time && exactText(instantOf(time));

/** What is known of the call itself. What was not reported is not shown. */
const callFacts = (call: CallRecord, task: TaskOverview | undefined, t: Dictionary): Fact[] => {
  const isReached = call.outcome === 'success';
  const facts: [string, ComponentChildren][] = [
    [
      t.title.outcome,
      <>
        <OutcomeLabel outcome={call.outcome} />
        <Sub text={call.reason && t.reason[call.reason]} />
      </>,
    ],
    [t.title.disposition, dispositionText(call.disposition, task)],
    [t.title.callbackTime, exact(call.callbackTime)],
    [t.title.doNotCall, call.doNotCall && t.yes],
    [t.title.final, call.final && t.yes],
    [t.title.startTime, exact(call.startTime)],
    [t.title.endTime, exact(call.endTime)],
    [isReached ? t.title.talkTime : t.title.ringTime, durationText(call.duration)],
    [t.title.attempt, numberText(call.attempt)],
    [t.title.callerNumber, call.callerNumber],
    [t.title.providerCallId, call.providerCallId],
    [t.title.reportedBy, call.reportedBy && callerWords(call.reportedBy, t)],
    [t.title.updateTime, exact(call.updateTime)],
    [t.title.callId, call.callId],
  ];
  return facts.filter(([, value]) => value);
};

const Part = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <div class={css.part}>
    <h3>{title}</h3>
    {children}
  </div>
);

/** What the dialer learned. All of it is text of others. */
const Learned = ({ call: { summary, data, recordingUrl, transcriptUrl } }: { call: CallRecord }) => {
  const t = useWords();
  return (
    <>
      {summary && (
        <Part title={t.title.summary}>
          <p class={css.summary}>
            <bdi>{summary}</bdi>
          </p>
        </Part>
      )}
      {(recordingUrl || transcriptUrl) && (
        <p class={`${css.part} row wrap`}>
          {recordingUrl && <OutsideLink href={recordingUrl} words={t.calls.listen} />}
          {transcriptUrl && <OutsideLink href={transcriptUrl} words={t.calls.read} />}
        </p>
      )}
      {data && Object.keys(data).length > 0 && (
        <Part title={t.calls.data}>
          <Facts facts={Object.entries(data).map(([name, value]) => [name, String(value)])} />
        </Part>
      )}
    </>
  );
};

/** The contact as it is now, and its other calls in the task. */
const CalledContact = ({ call }: { call: CallDetail }) => {
  const t = useWords();
  const phoneNumber = call.phoneNumber ?? '';
  const contacts = useQuery({
    ...taskContactsQuery(call.taskId, { outcome: 'all', phoneNumber, pageSize: 25, pageToken: '' }),
    enabled: phoneNumber !== '',
  });
  const contact = contacts.data?.rows.find(({ contactId }) => contactId === call.contactId);
  const others = contact?.calls.filter(({ callId }) => callId !== call.callId) ?? [];
  return (
    <>
      <Part title={t.calls.contact}>
        {call.fields ? <Facts facts={factsOf(call.fields, t)} /> : <p class="faint">{t.calls.contactGone}</p>}
        {phoneNumber && (
          <p>
            <Link href={personPath(phoneNumber)}>{t.calls.person}</Link>
          </p>
        )}
      </Part>
      {contact && (
        <Part title={t.calls.others}>
          {others.length === 0 ? (
            <p class="faint">{t.calls.noOthers}</p>
          ) : (
            <div class="table-scroll">
              <Calls calls={others} taskId={call.taskId} />
            </div>
          )}
        </Part>
      )}
    </>
  );
};

type Props = {
  callId: string;
  /** As the list has it, until the rest has come. */
  row: CallRecord | undefined;
  task: TaskOverview | undefined;
  onClose: () => void;
};

/** One call, beside the list. */
export const CallPanel = ({ callId, row, task, onClose }: Props) => {
  const t = useWords();
  const query = useQuery(callQuery(callId));
  const call = query.data ?? row;
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.querySelector('button')?.focus(), [callId]);
  return (
    <aside
      ref={panel}
      class={`${beside.panel} ${css.call}`}
      aria-label={t.calls.one}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      <Card
        title={call?.phoneNumber ?? (call ? t.calls.erased : t.calls.one)}
        tools={<IconButton icon="cross" label={t.common.close} onClick={onClose} />}
      >
        {!row && <Awaited query={query} />}
        {call && (
          <>
            <Learned call={call} />
            <Facts facts={callFacts(call, task, t)} />
          </>
        )}
        {query.data && <CalledContact call={query.data} />}
      </Card>
    </aside>
  );
};
