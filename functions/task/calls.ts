import * as checks from '../../shared/api/generated/taskCallList.js';
import { taskCallList as route } from '../../shared/api/routes/calls.ts';
import { callView } from '../../shared/domain/calls/call-record.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { pageStart, pageToken } from '../../shared/http/paging.ts';
import { timeIn } from '../../shared/http/times.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const taskCallList = ({ callReader, now, formatTime, parseTime }: Runtime) =>
  endpoint(route, checks, async ({ params: { id }, query }) => {
    const { pageSize, pageToken: token, from, to, ...filter } = query;
    const list = [id, JSON.stringify([from, to, filter])];
    const range = { from: timeIn('from', from, parseTime), to: timeIn('to', to, parseTime) };
    const page = { ...range, pageSize, before: pageStart(list, token) };
    const { calls, next } = await callReader.page(id, page, filter, now());
    return { rows: calls.map((call) => callView(call, formatTime)), nextPageToken: pageToken(list, next) };
  });

export const handler = onLambda(route, taskCallList);
