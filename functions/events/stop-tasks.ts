import * as declared from '../../shared/api/event-functions.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

/** What requests leave to do: ends of tasks, deferred contacts of adjusted tasks, and erasures whose request broke off. */
export const stopTasks =
  ({ dialer, erasures, now }: Pick<Runtime, 'dialer' | 'erasures' | 'now'>) =>
  async (): Promise<void> => {
    await Promise.all([dialer.stopOverdue(now()), dialer.reconsiderAll(now()), erasures.finishAll(now())]);
  };

export const handler = onLambda(declared.stopTasks, stopTasks);
