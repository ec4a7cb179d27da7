import * as checks from '../../shared/app/generated/failTask.js';
import { type DialingRuntime, openDialing } from '../../shared/app/runtime/dialing.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { failTask as route } from '../../shared/dialing/routes.ts';
import { endpoint } from '../../shared/platform/http/index.ts';

export const failTask = ({ dialer, now }: DialingRuntime) =>
  endpoint(route, checks, async ({ body, caller, requestKey }) => {
    const { id, status } = await dialer.ends.fail(body.taskId, body.reason, now(), caller, requestKey);
    return { id, status };
  });

export const handler = onLambda(route, openDialing, failTask);
