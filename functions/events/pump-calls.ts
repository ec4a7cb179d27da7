import type { Context } from 'aws-lambda';
import * as declared from '../../shared/api/event-functions.ts';
import { type ConnectRuntime, onConnectLambda } from '../../shared/runtime/connect.ts';

/** Starts calls through Amazon Connect. Does nothing if Connect is not configured. */
export const pumpCalls =
  ({ adapter }: ConnectRuntime) =>
  async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> =>
    adapter?.pump.run(() => context.getRemainingTimeInMillis());

export const handler = onConnectLambda(declared.pumpCalls, pumpCalls);
