import * as declared from '../../shared/api/event-functions.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

/** Stops the tasks whose `callUntil` has come. */
export const stopTasks =
  ({ dialer, now }: Pick<Runtime, 'dialer' | 'now'>) =>
  async (): Promise<void> =>
    dialer.stopOverdue(now());

export const handler = onLambda(declared.stopTasks, stopTasks);
