import * as resultChecks from '../../shared/app/generated/reportResult.js';
import * as checks from '../../shared/app/generated/reportResults.js';
import { type DialingRuntime, openDialing } from '../../shared/app/runtime/dialing.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { reportResult, reportResults as route } from '../../shared/dialing/routes/dialer.ts';
import { answerEach } from '../../shared/platform/http/answer-each.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { takeResult } from './result.ts';

export const reportResults = (runtime: DialingRuntime) =>
  endpoint(route, checks, ({ body, caller }, { requestContext: { requestId } }) => {
    const each = { route: reportResult, check: resultChecks.body, requestId };
    // Results of the same call are taken in the order in which they were sent.
    return answerEach('results', body.results, each, ({ callId }) => callId, takeResult(runtime, caller));
  });

export const handler = onLambda(route, openDialing, reportResults);
