import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime.ts';

export const reportResult = ({ dialer, now }: Runtime) =>
  endpoint(routes.reportResult, checks.reportResult, async ({ body }) => dialer.result(body, now()));

export const handler = onLambda(reportResult);
