import type { Context } from 'aws-lambda';
import * as declared from '../../shared/app/event-functions.ts';
import { type ConnectRuntime, lambdaConnect, openConnect } from '../../shared/app/runtime/connect.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';

/** Starts calls through Amazon Connect. Does nothing if Connect is not configured. */
export const pumpCalls =
  ({ adapter }: ConnectRuntime) =>
  async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> =>
    adapter?.pump.run(() => context.getRemainingTimeInMillis());

export const handler = onLambda(declared.pumpCalls, openConnect, (runtime) =>
  pumpCalls(lambdaConnect(runtime, declared.pumpCalls)),
);
