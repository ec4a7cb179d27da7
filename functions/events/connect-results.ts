import type { EventBridgeEvent } from 'aws-lambda';
import * as declared from '../../shared/app/event-functions.ts';
import { type ConnectRuntime, lambdaConnect, openConnect } from '../../shared/app/runtime/connect.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { type ContactEventDetail, endOfCall } from '../../shared/connect/contact-results.ts';

type ContactEvent = EventBridgeEvent<'Amazon Connect Contact Event', ContactEventDetail>;

/** Reports the result of a call that has ended in Amazon Connect. A repeated result counts once. */
export const connectResults =
  ({ adapter }: ConnectRuntime) =>
  async ({ detail }: ContactEvent): Promise<void> => {
    const ended = adapter && endOfCall(detail);
    if (ended === undefined) return;
    // After an error the event is delivered again later.
    if (!(await adapter?.results.reportIfEnded(ended.contactId, ended)))
      throw new Error('the call has not ended yet');
  };

export const handler = onLambda(declared.connectResults, openConnect, (runtime) =>
  connectResults(lambdaConnect(runtime, declared.connectResults)),
);
