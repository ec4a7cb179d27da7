import * as checks from '../../shared/app/generated/callDetail.js';
import { type InsightRuntime, openInsight } from '../../shared/app/runtime/insight.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { callDetail as route } from '../../shared/calls/routes/calls.ts';
import { callView } from '../../shared/calls/rules/call.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const callDetail = ({ callReader, now, formatTime }: InsightRuntime) =>
  endpoint(route, checks, async ({ params }) => {
    const { call, contact } = await callReader.detail(params.callId, now());
    return { ...callView(call, formatTime), fields: contact?.fields ?? null };
  });

export const handler = onLambda(route, openInsight, callDetail);
