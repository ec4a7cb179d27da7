import * as checks from '../../shared/app/generated/failTask.js';
import { type DialingRuntime, openDialing } from '../../shared/app/runtime/dialing.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { failTask as route } from '../../shared/dialing/routes/dialer.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const failTask = ({ dialer, now }: DialingRuntime) =>
  endpoint(route, checks, async ({ body, caller, requestKey }) => {
    const { id, status } = await dialer.ends.fail(body.taskId, body.reason, now(), caller, requestKey);
    return { id, status };
  });

export const handler = onLambda(route, openDialing, failTask);
