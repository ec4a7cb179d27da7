import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { metricOf } from '../../shared/api/service-metrics.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { count } from '../../shared/observability/metrics.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const reportResult = ({ dialer, now }: Runtime) =>
  endpoint(routes.reportResult, checks.reportResult, async ({ body }) => {
    const result = await dialer.result(body, now());
    count(metricOf[body.outcome], 1);
    return result;
  });

export const handler = onLambda(routes.reportResult, reportResult);
