import * as declared from '../../shared/api/event-functions.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

/** Stops the tasks whose `callUntil` has come, and finishes erasures whose request broke off. */
export const stopTasks =
  ({ dialer, erasures, now }: Pick<Runtime, 'dialer' | 'erasures' | 'now'>) =>
  async (): Promise<void> => {
    await Promise.all([dialer.stopOverdue(now()), erasures.finishAll(now())]);
  };

export const handler = onLambda(declared.stopTasks, stopTasks);
