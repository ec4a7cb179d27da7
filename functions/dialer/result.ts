import type { FromSchema } from 'json-schema-to-ts';
import * as checks from '../../shared/api/generated/reportResult.js';
import { reportResult as route } from '../../shared/api/routes/dialer.ts';
import { metricOf } from '../../shared/api/service-metrics.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { timeIn } from '../../shared/http/times.ts';
import { count } from '../../shared/observability/metrics.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export type Result = FromSchema<typeof route.body>;

/** Takes one result, by itself or among others. */
export const takeResult =
  ({ dialer, now, parseTime }: Runtime, by: string) =>
  async (sent: Result) => {
    const times = {
      callbackTime: timeIn('callbackTime', sent.callbackTime, parseTime),
      startTime: timeIn('startTime', sent.startTime, parseTime),
    };
    const result = await dialer.result({ ...sent, ...times, by }, now());
    count(metricOf[sent.outcome], 1);
    return result;
  };

export const reportResult = (runtime: Runtime) =>
  endpoint(route, checks, ({ body, caller }) => takeResult(runtime, caller)(body));

export const handler = onLambda(route, reportResult);
