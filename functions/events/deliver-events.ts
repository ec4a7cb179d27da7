import type { Context, SQSEvent } from 'aws-lambda';
import * as declared from '../../shared/api/event-functions.ts';
import { secondMs } from '../../shared/domain/time.ts';
import { createDeliverer, type DeliveringRuntime } from '../../shared/runtime/deliveries.ts';
import { onWakingLambda } from '../../shared/runtime/webhooks.ts';
import type { WakeMessage } from '../../shared/webhooks/wakes.ts';

/** A step of deliveries may last as long as two requests to a receiver that hangs. */
const reserveMs = 40 * secondMs;

/** Sends what is due to the webhook that a message names. `takesOver`: no other process is at work. */
export const deliverEvents =
  ({ deliverer }: DeliveringRuntime) =>
  async (
    { Records }: SQSEvent,
    context: Pick<Context, 'getRemainingTimeInMillis'>,
    takesOver = false,
  ): Promise<void> => {
    const isTimeUp = () => context.getRemainingTimeInMillis() < reserveMs;
    for (const { body } of Records) {
      const { webhookId } = JSON.parse(body) as WakeMessage;
      await deliverer.run(webhookId, { isTimeUp, takesOver });
    }
  };

export const handler = onWakingLambda(declared.deliverEvents, (runtime) =>
  deliverEvents({ deliverer: createDeliverer(runtime) }),
);
