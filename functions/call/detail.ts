import * as checks from '../../shared/api/generated/callDetail.js';
import { callDetail as route } from '../../shared/api/routes/calls.ts';
import { callView } from '../../shared/domain/calls/call-record.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const callDetail = ({ callReader, now, formatTime }: Runtime) =>
  endpoint(route, checks, async ({ params }) => {
    const { call, contact } = await callReader.detail(params.callId, now());
    return { ...callView(call, formatTime), fields: contact?.fields ?? null };
  });

export const handler = onLambda(route, callDetail);
