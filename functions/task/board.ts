import * as checks from '../../shared/api/generated/taskBoard.js';
import { taskBoard as route } from '../../shared/api/routes/task-insight.ts';
import { troubleView } from '../../shared/domain/imports/import-trouble.ts';
import { overviewView } from '../../shared/domain/tasks/task-overview.ts';
import type { TaskStatus } from '../../shared/domain/tasks/task-states.ts';
import { bucketMs, bucketOf, type TimelineRow, timelineRow } from '../../shared/domain/tasks/timeline.ts';
import type { Instant } from '../../shared/domain/time.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { offsetOf } from '../../shared/http/paging.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';
import { findTroubledImports } from '../../shared/store/imports/index.ts';

/** As many as calls a minute are computed from, with the running minute. */
const minutesShown = 6;

/** With the row before, if there is one: it shows that the task called before. */
const latest = (rows: readonly TimelineRow[], now: Instant): readonly TimelineRow[] => {
  const from = bucketOf('minute', now) - (minutesShown - 1) * bucketMs.minute;
  return rows.slice(Math.max(0, rows.filter(({ time }) => time < from).length - 1));
};

export const taskBoard = ({ tasks, insight, lagging, now, formatTime, serviceHours }: Runtime) =>
  endpoint(route, checks, async ({ query }) => {
    const asked = now();
    const board = await tasks.board(offsetOf(query), query.pageSize, {
      taskName: query.taskName,
      status: query.status as TaskStatus | undefined,
    });
    const attention = query.attention ? board.attention : [];
    const imports = query.imports ? findTroubledImports(lagging.database, lagging.agenda, asked) : [];
    const found = await insight.overviews([...new Set([...board.ids, ...attention])], asked);
    const views = new Map(
      found.map((overview) => [overview.task.id, overviewView(overview, asked, formatTime, serviceHours)]),
    );
    const viewsOf = (ids: readonly string[]) => ids.flatMap((id) => views.get(id) ?? []);
    const rows = viewsOf(board.ids);
    const minutes = rows
      .filter(({ dialing }) => dialing.active)
      .map(async ({ id }) => {
        const last = latest(await insight.minutes(id, asked), asked);
        return [id, last.map((row) => timelineRow(row, formatTime))] as const;
      });
    return {
      total: board.total,
      rows,
      byStatus: board.byStatus,
      attention: viewsOf(attention),
      imports: (await imports).map((each) => troubleView(each, formatTime)),
      minutes: Object.fromEntries(await Promise.all(minutes)),
    };
  });

export const handler = onLambda(route, taskBoard);
