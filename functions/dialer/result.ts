import type { FromSchema } from 'json-schema-to-ts';
import * as checks from '../../shared/api/generated/reportResult.js';
import { reportResult as route } from '../../shared/api/routes/dialer.ts';
import { metricOf } from '../../shared/api/service-metrics.ts';
import { invalid } from '../../shared/domain/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { count } from '../../shared/observability/metrics.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export type Result = FromSchema<typeof route.body>;

/** Takes one result, by itself or among others. */
export const takeResult =
  ({ dialer, now, parseTime }: Runtime) =>
  async ({ callbackTime, ...sent }: Result) => {
    const callback = callbackTime === undefined ? undefined : parseTime(callbackTime);
    if (callbackTime !== undefined && callback === undefined)
      throw invalid('callbackTime', `${callbackTime} is not a date and time`);
    const result = await dialer.result({ ...sent, callbackTime: callback }, now());
    count(metricOf[sent.outcome], 1);
    return result;
  };

export const reportResult = (runtime: Runtime) =>
  endpoint(route, checks, ({ body }) => takeResult(runtime)(body));

export const handler = onLambda(route, reportResult);
