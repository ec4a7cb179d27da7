import { Link } from 'wouter-preact';
import type { FoundPerson } from '../../../../client/client.ts';
import { callsPath } from '../../base/paths.ts';
import { durationText, instantOf, useWords } from '../../i18n/i18n.ts';
import { dueWords, soonWords, whenText } from '../../parts/tasks/task-words.ts';
import { Moment, NamedLink, OutcomeLabel, Sub } from '../../ui/figures/figures.tsx';
import { Card } from '../../ui/page/page.tsx';

type Task = FoundPerson['contacts'][number]['tasks'][number];

/** Every rule that holds the contact back, each with its own end. */
const NextCall = ({ task }: { task: Task }) => {
  const t = useWords();
  const { taskId, taskName, nextCallTime, holds } = task;
  if (nextCallTime === null) return null;
  return (
    <li>
      <span>
        {whenText(instantOf(nextCallTime), t)}
        <Sub text={soonWords(instantOf(nextCallTime), t)} />
      </span>
      <div>
        {t.contacts.next} · <NamedLink href={`/tasks/${taskId}`} name={taskName} />
        {holds.map(({ reason, until }) => (
          <Sub key={reason} text={`${t.waits.reasons[reason].label}: ${dueWords(until, t) ?? '–'}`} />
        ))}
      </div>
    </li>
  );
};

/** Over all tasks: the next possible calls with the rules behind them, then the calls, the newest first. */
export const Timeline = ({ person }: { person: FoundPerson }) => {
  const t = useWords();
  const tasks = person.contacts.flatMap((contact) => contact.tasks);
  const next = tasks
    .filter(({ nextCallTime }) => nextCallTime !== null)
    .sort((a, b) => String(a.nextCallTime).localeCompare(String(b.nextCallTime)));
  const calls = tasks
    .flatMap((task) => task.calls.map((call) => ({ ...call, task })))
    .sort((a, b) => b.time.localeCompare(a.time));
  return (
    <Card title={t.people.timeline}>
      {next.length + calls.length === 0 && <p class="faint">{t.task.noCalls}</p>}
      <ol class="events">
        {next.map((task) => (
          <NextCall key={task.taskId} task={task} />
        ))}
        {calls.map(({ callId, time, outcome, reason, duration, task: { taskId, taskName } }) => (
          <li key={callId}>
            <Link href={callsPath(taskId, { call: callId })}>
              <Moment time={time} />
            </Link>
            <div>
              <OutcomeLabel outcome={outcome} />
              {reason && ` · ${t.reason[reason]}`} · <NamedLink href={`/tasks/${taskId}`} name={taskName} />
              {outcome === 'success' && <Sub text={`${t.title.talkTime}: ${durationText(duration)}`} />}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
};
