import { Link } from 'wouter-preact';
import type { TaskOverview } from '../../../client/answers.ts';
import { connection } from '../api/connection.ts';
import { durationText, instantOf, momentText, numberText, percentText, secondsText } from '../i18n/format.ts';
import { type Dictionary, useWords } from '../i18n/i18n.ts';
import { Awaited } from '../ui/awaited.tsx';
import { Moment } from '../ui/moment.tsx';
import { OutcomeBar, OutcomeLegend } from '../ui/outcome.tsx';
import { Page } from '../ui/page.tsx';
import { StatusChip } from '../ui/status.tsx';
import { useStore } from '../ui/store.ts';
import { CallsChart } from './calls-chart.tsx';
import { paceOf, paceText } from './pace.ts';
import { useHistory, useOverview, useSourceNames } from './queries.ts';
import { SampleBanner } from './sample.tsx';
import { TaskActions } from './task-actions.tsx';
import { countsOf, daysWords, hoursWords, whyWords, zoneOf } from './task-words.ts';
import './task-screen.css';
import '../ui/tile.css';

const Tile = ({ label, value, note }: { label: string; value: string; note?: string | undefined }) => (
  <div class="tile">
    <dt>{label}</dt>
    <dd>
      <span class="tile-value">{value}</span>
      <span class="tile-note">{note ?? ''}</span>
    </dd>
  </div>
);

const Tiles = ({ task, at }: { task: TaskOverview; at: number }) => {
  const t = useWords();
  const { contacts, calls, dialing } = task;
  const pace = paceOf(task, at);
  const dialed = contacts.total - contacts.notDialed - contacts.blocked;
  const perContact = dialed > 0 ? numberText(Math.round((calls.total / dialed) * 10) / 10) : '0';
  const next =
    dialing.nextTime === null ? undefined : t.task.tiles.nextAt(momentText(instantOf(dialing.nextTime)));
  return (
    <dl class="tiles">
      <Tile
        label={t.task.tiles.contacts}
        value={numberText(contacts.total)}
        note={pace?.end === undefined ? undefined : t.task.tiles.end(momentText(pace.end))}
      />
      <Tile
        label={t.task.tiles.reached}
        value={numberText(contacts.reached)}
        note={t.task.tiles.ofAll(percentText(contacts.total === 0 ? 0 : contacts.reached / contacts.total))}
      />
      <Tile
        label={t.task.tiles.calls}
        value={numberText(calls.total)}
        note={
          pace || dialing.active
            ? t.task.tiles.perMinute(paceText(pace, true))
            : t.task.tiles.attempts(perContact)
        }
      />
      <Tile
        label={t.task.tiles.average}
        value={durationText(calls.total === 0 ? 0 : calls.duration / calls.total)}
      />
      <Tile label={t.task.tiles.inCall} value={numberText(contacts.inCall)} />
      <Tile
        label={t.task.tiles.waiting}
        value={numberText(contacts.waiting)}
        note={contacts.waiting > 0 ? next : undefined}
      />
    </dl>
  );
};

const Reasons = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const rows = Object.entries(task.calls.byReason)
    .filter(([, count]) => count > 0)
    .sort((a, b) => b[1] - a[1]);
  const most = Math.max(1, ...rows.map(([, count]) => count));
  return (
    <section class="card padded" aria-labelledby="reasons-title">
      <div class="card-title">
        <h2 id="reasons-title">{t.task.reasons}</h2>
      </div>
      {rows.length === 0 && <p class="faint">{t.task.noReasons}</p>}
      {rows.length > 0 && (
        <table class="reasons">
          <tbody>
            {rows.map(([reason, count]) => (
              <tr key={reason}>
                <th scope="row">{t.reason[reason as keyof Dictionary['reason']] ?? reason}</th>
                <td class="reason-bar">
                  <span style={{ width: `${(100 * count) / most}%` }} />
                </td>
                <td class="number">{numberText(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
};

/** Callers that the service names itself. */
const callerWords = (by: string, t: Dictionary): string =>
  ({ service: t.task.dialer, 'local-developer': t.session.local })[by] ?? by;

const History = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const history = useHistory(task);
  const rows = history.data?.rows ?? [];
  return (
    <section class="card padded" aria-labelledby="history-title">
      <div class="card-title">
        <h2 id="history-title">{t.task.history}</h2>
      </div>
      {rows.length === 0 && !history.isPending && <p class="faint">{t.task.noHistory}</p>}
      <ol class="history">
        {rows.map((entry, i) => (
          <li key={`${entry.time}-${i}`}>
            <Moment time={entry.time} />
            <div>
              <strong>
                {t.task.operation[entry.operation as keyof Dictionary['task']['operation']] ??
                  entry.operation}
              </strong>{' '}
              <span class="faint">
                <bdi>{t.task.by(callerWords(entry.by, t))}</bdi>
              </span>
              {entry.reason && (
                <div class="sub">
                  <bdi>{entry.reason}</bdi>
                </div>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
};

const Settings = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const excluded = useSourceNames(task.excludedDataSourceIds.map((id) => ({ id, name: undefined })));
  return (
    <section class="card padded" aria-labelledby="settings-title">
      <div class="card-title">
        <h2 id="settings-title">{t.task.settings}</h2>
      </div>
      <dl class="facts">
        <dt>{t.task.dataSource}</dt>
        <dd>
          <Link href={`/sources/${task.dataSourceId}`}>
            <bdi>{task.dataSourceName}</bdi>
          </Link>
        </dd>
        <dt>{t.tasks.columns.hours}</dt>
        <dd>
          {hoursWords(task, t)}
          <div class="sub">{zoneOf(task)}</div>
          {task.excludedDates.length > 0 && (
            <div class="sub">{t.form.exceptOn(daysWords(task.excludedDates))}</div>
          )}
        </dd>
        <dt>{t.task.attempts}</dt>
        <dd>{t.task.attemptsWords(task.maxDialCount, task.callInterval)}</dd>
        <dt>{t.task.priority}</dt>
        <dd>{task.priority}</dd>
        {excluded.length > 0 && (
          <>
            <dt>{t.task.excluded}</dt>
            {excluded.map((name, i) => (
              <dd key={task.excludedDataSourceIds[i]}>
                <Link href={`/sources/${task.excludedDataSourceIds[i]}`}>
                  <bdi>{name}</bdi>
                </Link>
              </dd>
            ))}
          </>
        )}
      </dl>
    </section>
  );
};

const AsOf = ({ at }: { at: number }) => {
  const t = useWords();
  const { lost } = useStore(connection);
  return lost ? <span class="as-of">{t.common.asOf(secondsText(at))}</span> : null;
};

export const TaskScreen = ({ params: { id } }: { params: { id: string } }) => {
  const t = useWords();
  const overview = useOverview(id);
  const task = overview.data;
  const back = { href: '/', label: t.tasks.title };
  if (task === undefined) {
    return (
      <Page title={t.tasks.title} back={back}>
        <Awaited query={overview} gone={t.task.notFound} />
      </Page>
    );
  }
  const why = task.status === 1 ? whyWords(task, t) : undefined;
  return (
    <Page
      title={task.taskName}
      back={back}
      badge={
        <>
          <StatusChip status={task.status} active={task.dialing.active} />
          {why !== undefined && <span class="why">{why}</span>}
          <AsOf at={overview.dataUpdatedAt} />
        </>
      }
      below={
        <>
          {task.taskDesc && <bdi>{task.taskDesc}</bdi>}
          {task.reason && (
            <div>
              <bdi>{t.task.stoppedBecause(task.reason)}</bdi>
            </div>
          )}
        </>
      }
      actions={<TaskActions task={task} />}
    >
      <SampleBanner />
      <Tiles task={task} at={overview.dataUpdatedAt} />
      <section class="card padded" aria-labelledby="outcomes-title">
        <div class="card-title">
          <h2 id="outcomes-title">{t.task.outcomes}</h2>
          <Link href={`/tasks/${id}/contacts`}>{t.task.allContacts}</Link>
        </div>
        <OutcomeBar counts={countsOf(task)} high />
        <OutcomeLegend
          counts={countsOf(task)}
          hrefOf={(outcome) => `/tasks/${id}/contacts?outcome=${outcome === 'reached' ? 'success' : outcome}`}
        />
      </section>
      <CallsChart key={id} task={task} at={overview.dataUpdatedAt} />
      <div class="columns">
        <Reasons task={task} />
        <History task={task} />
        <Settings task={task} />
      </div>
    </Page>
  );
};
