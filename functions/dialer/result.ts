import * as checks from '../../shared/api/generated/reportResult.js';
import { reportResult as route } from '../../shared/api/routes/dialer.ts';
import { metricOf } from '../../shared/api/service-metrics.ts';
import { invalid } from '../../shared/domain/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { count } from '../../shared/observability/metrics.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const reportResult = ({ dialer, now, parseTime }: Runtime) =>
  endpoint(route, checks, async ({ body }) => {
    const { callbackTime, ...sent } = body;
    const callback = callbackTime === undefined ? undefined : parseTime(callbackTime);
    if (callbackTime !== undefined && callback === undefined)
      throw invalid('callbackTime', `${callbackTime} is not a date and time`);
    const result = await dialer.result({ ...sent, callbackTime: callback }, now());
    count(metricOf[body.outcome], 1);
    return result;
  });

export const handler = onLambda(route, reportResult);
