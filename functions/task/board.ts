import * as checks from '../../shared/app/generated/taskBoard.js';
import { type InsightRuntime, openInsight } from '../../shared/app/runtime/insight.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import {
  bucketMs,
  bucketOf,
  givenDay,
  serviceDayAnswer,
  type TimelineRow,
  timelineRow,
} from '../../shared/calls/rules/timeline.ts';
import { importView, troubleView } from '../../shared/imports/rules/contact-import.ts';
import { type CurrentImports, findCurrentImports } from '../../shared/imports/troubled-imports.ts';
import { taskBoard as route } from '../../shared/insight/routes/task-insight.ts';
import { overviewView } from '../../shared/insight/rules/task-overview.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { offsetOf } from '../../shared/platform/http/request.ts';
import type { Instant } from '../../shared/platform/time/time.ts';
import { status, type TaskStatus } from '../../shared/tasks/rules/task-states.ts';

/** The running minute, and as many before it as the connect rate of now is computed from. */
const minutesShown = 11;

const shownMinutes = (rows: readonly TimelineRow[], now: Instant): readonly TimelineRow[] => {
  const from = bucketOf('minute', now) - (minutesShown - 1) * bucketMs.minute;
  return rows.filter(({ time }) => time >= from);
};

export const taskBoard = (runtime: InsightRuntime) => {
  const { tasks, insight, days, lagging, now, formatTime, timeZone, serviceHours } = runtime;
  return endpoint(route, checks, async ({ query }) => {
    const asked = now();
    const day = query.day === undefined ? undefined : givenDay('day', query.day, timeZone);
    const calls = day && days.read(day.from, day.until);
    const board = await tasks.board(offsetOf(query), query.pageSize, {
      taskName: query.taskName,
      status: query.status as TaskStatus | undefined,
    });
    const attention = query.attention ? board.attention : [];
    const imports: CurrentImports | Promise<CurrentImports> = query.imports
      ? findCurrentImports(lagging.database, lagging.agenda, asked)
      : { troubled: [], running: [] };
    const found = await insight.overviews([...new Set([...board.ids, ...attention])], asked);
    const views = new Map(
      found.map((overview) => [overview.task.id, overviewView(overview, asked, formatTime, serviceHours)]),
    );
    const viewsOf = (ids: readonly string[]) => ids.flatMap((id) => views.get(id) ?? []);
    const rows = viewsOf(board.ids);
    const minutes = rows
      .filter((row) => row.status === status.running && row.calls.total > 0)
      .map(async ({ id }) => {
        const shown = shownMinutes(await insight.minutes(id, asked), asked);
        return [id, shown.map((row) => timelineRow(row, formatTime))] as const;
      });
    const { troubled, running } = await imports;
    return {
      total: board.total,
      rows,
      byStatus: board.byStatus,
      attention: viewsOf(attention),
      imports: troubled.map((each) => troubleView(each, formatTime)),
      runningImports: running.map(({ found: each, dataSourceName }) => ({
        ...importView(each, formatTime),
        dataSourceId: each.dataSourceId,
        dataSourceName,
      })),
      minutes: Object.fromEntries(await Promise.all(minutes)),
      ...(day && calls && { day: serviceDayAnswer(day, await calls) }),
    };
  });
};

export const handler = onLambda(route, openInsight, taskBoard);
