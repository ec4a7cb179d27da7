import * as checks from '../../shared/app/generated/taskOverviews.js';
import { type InsightRuntime, openInsight } from '../../shared/app/runtime/insight.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { givenDay, serviceDayAnswer } from '../../shared/calls/rules/timeline.ts';
import { taskOverviews as route } from '../../shared/insight/routes/task-overviews.ts';
import { overviewsAtMost, overviewView } from '../../shared/insight/rules/task-overview.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { invalid } from '../../shared/platform/rules/errors.ts';

const idsOf = (list: string): string[] => {
  const ids = [...new Set(list.split(',').map((id) => id.trim()))].filter((id) => id !== '');
  if (ids.length > overviewsAtMost) throw invalid('ids', `must be at most ${overviewsAtMost}`, 'TOO_MANY');
  return ids;
};

export const taskOverviews = ({ insight, days, now, formatTime, timeZone, serviceHours }: InsightRuntime) =>
  endpoint(route, checks, async ({ query }) => {
    const asked = now();
    const found = await insight.overviews(idsOf(query.ids), asked);
    const rows = found.map((overview) => overviewView(overview, asked, formatTime, serviceHours));
    const calls = rows.reduce((sum, row) => sum + row.calls.total, 0);
    const page = { total: rows.length, rows };
    if (query.day === undefined || query.calls === calls) return page;
    const day = givenDay('day', query.day, timeZone);
    return { ...page, day: serviceDayAnswer(day, await days.read(day.from, day.until)) };
  });

export const handler = onLambda(route, openInsight, taskOverviews);
