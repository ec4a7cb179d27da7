import * as checks from '../../shared/app/generated/taskCallList.js';
import { type InsightRuntime, openInsight } from '../../shared/app/runtime/insight.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { taskCallList as route } from '../../shared/calls/routes/calls.ts';
import { callView } from '../../shared/calls/rules/call.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { pageStart, pageToken, timeIn } from '../../shared/platform/http/request.ts';

export const taskCallList = ({ callReader, now, formatTime, parseTime }: InsightRuntime) =>
  endpoint(route, checks, async ({ params: { id }, query }) => {
    const { pageSize, pageToken: token, from, to, ...filter } = query;
    const list = [id, JSON.stringify([from, to, filter])];
    const range = { from: timeIn('from', from, parseTime), to: timeIn('to', to, parseTime) };
    const page = { ...range, pageSize, before: pageStart(list, token) };
    const { calls, next } = await callReader.page(id, page, filter, now());
    return { rows: calls.map((call) => callView(call, formatTime)), nextPageToken: pageToken(list, next) };
  });

export const handler = onLambda(route, openInsight, taskCallList);
