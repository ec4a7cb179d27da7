import * as checks from '../../shared/app/generated/closeTask.js';
import { type DialingRuntime, openDialing } from '../../shared/app/runtime/dialing.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { closeTask as route } from '../../shared/tasks/routes/task-moves.ts';

export const closeTask = ({ dialer, now }: DialingRuntime) =>
  endpoint(route, checks, async ({ body: { id }, caller, requestKey }) => {
    const { status } = await dialer.ends.close(id, now(), caller, requestKey);
    return { id, status };
  });

export const handler = onLambda(route, openDialing, closeTask);
