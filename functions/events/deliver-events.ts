import type { Context, SQSEvent } from 'aws-lambda';
import * as declared from '../../shared/app/event-functions.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { openRuntime } from '../../shared/app/runtime/runtime.ts';
import { lambdaWakes, withWebhooks } from '../../shared/app/runtime/webhooks.ts';
import { Deliverer } from '../../shared/events/deliverer.ts';
import { Receivers } from '../../shared/events/receiver.ts';
import type { WakeMessage } from '../../shared/events/wakes.ts';
import { secondMs } from '../../shared/platform/time/time.ts';

/** A step of deliveries may last as long as two requests to a receiver that hangs. */
const reserveMs = 40 * secondMs;

/** Sends what is due to the webhook in a message. `takesOver`: no other process is at work. */
export const deliverEvents =
  ({ deliverer }: { deliverer: Deliverer }) =>
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

export const handler = onLambda(declared.deliverEvents, openRuntime, (runtime) => {
  const wakes = lambdaWakes(declared.deliverEvents);
  const receivers = new Receivers(runtime);
  return deliverEvents({ deliverer: new Deliverer({ ...withWebhooks(runtime), wakes, receivers }) });
});
