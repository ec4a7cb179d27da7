import type { Context } from 'aws-lambda';
import { type ConnectRuntime, onConnectLambda } from '../../shared/runtime/connect.ts';

/** Fills the free lines of Amazon Connect with calls; does nothing where Connect is not configured. */
export const pumpCalls =
  ({ adapter }: ConnectRuntime) =>
  async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> =>
    adapter?.pump.run(() => context.getRemainingTimeInMillis());

export const handler = onConnectLambda(pumpCalls);
