import type { TaskOverview } from '../../../../client/client.ts';
import { useWords } from '../../i18n/i18n.ts';
import { capital } from '../../i18n/phrases.ts';
import { hoursWords } from './task-words.ts';

/** The calling hours of a task, with their zone. A range of times stays on one line. */
export const Hours = ({ task }: { task: TaskOverview }) => {
  const parts = capital(hoursWords(task, useWords())).split(/(\d\d:\d\d–\d\d:\d\d)/);
  return (
    <>
      {parts.map((part, i) =>
        i % 2 === 0 ? (
          part
        ) : (
          <span key={i} class="nowrap">
            {part}
          </span>
        ),
      )}
      <div class="sub">{task.timeZone}</div>
    </>
  );
};
