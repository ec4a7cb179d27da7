import * as checks from '../../shared/api/generated/taskOverviews.js';
import { taskOverviews as route } from '../../shared/api/routes/task-insight.ts';
import { invalid } from '../../shared/domain/errors.ts';
import { overviewsAtMost, overviewView } from '../../shared/domain/tasks/task-overview.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

const idsOf = (list: string): string[] => {
  const ids = [...new Set(list.split(',').map((id) => id.trim()))].filter((id) => id !== '');
  if (ids.length > overviewsAtMost) throw invalid('ids', `must be at most ${overviewsAtMost}`, 'TOO_MANY');
  return ids;
};

export const taskOverviews = ({ insight, now, formatTime, serviceHours }: Runtime) =>
  endpoint(route, checks, async ({ query }) => {
    const asked = now();
    const found = await insight.overviews(idsOf(query.ids), asked);
    const rows = found.map((overview) => overviewView(overview, asked, formatTime, serviceHours));
    return { total: rows.length, rows };
  });

export const handler = onLambda(route, taskOverviews);
