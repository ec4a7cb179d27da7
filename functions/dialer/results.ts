import * as resultChecks from '../../shared/api/generated/reportResult.js';
import * as checks from '../../shared/api/generated/reportResults.js';
import { reportResult, reportResults as route } from '../../shared/api/routes/dialer.ts';
import { answerEach } from '../../shared/http/answer-each.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';
import { type Result, takeResult } from './result.ts';

export const reportResults = (runtime: Runtime) =>
  endpoint(route, checks, ({ body, caller }, { requestContext: { requestId } }) => {
    const each = { schema: reportResult.body, check: resultChecks.body, requestId };
    // Results of the same call are taken in the order they were sent.
    return answerEach<Result>(
      'results',
      body.results,
      each,
      ({ callId }) => callId,
      takeResult(runtime, caller),
    );
  });

export const handler = onLambda(route, reportResults);
