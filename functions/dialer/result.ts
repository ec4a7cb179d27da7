import type { FromSchema } from 'json-schema-to-ts';
import * as checks from '../../shared/app/generated/reportResult.js';
import { type DialingRuntime, openDialing } from '../../shared/app/runtime/dialing.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { metricOf } from '../../shared/dialing/call-metrics.ts';
import { reportResult as route } from '../../shared/dialing/routes/dialer.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { timeIn } from '../../shared/platform/http/request.ts';
import { count } from '../../shared/platform/observability/metrics.ts';

type Result = FromSchema<typeof route.body>;

/** Takes one result, alone or among others. */
export const takeResult =
  ({ dialer, now, parseTime }: DialingRuntime, by: string) =>
  async (sent: Result) => {
    const times = {
      callbackTime: timeIn('callbackTime', sent.callbackTime, parseTime),
      startTime: timeIn('startTime', sent.startTime, parseTime),
    };
    const result = await dialer.results.report({ ...sent, ...times, by }, now());
    count(metricOf[sent.outcome], 1);
    return result;
  };

export const reportResult = (runtime: DialingRuntime) =>
  endpoint(route, checks, ({ body, caller }) => takeResult(runtime, caller)(body));

export const handler = onLambda(route, openDialing, reportResult);
