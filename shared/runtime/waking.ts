import type { Using } from '../api/route.ts';
import { readEnvironment } from '../settings/environment.ts';
import { queueWakes, type Wakes } from '../webhooks/wakes.ts';
import type { LambdaHandler } from './first-event.ts';
import { onLambda, type Runtime } from './lambda.ts';

/** With the right to ask for deliveries. */
export type WakingRuntime = Runtime & { wakes: Wakes };

/** As `onLambda`, for functions that also ask for deliveries. */
export const onWakingLambda = <F extends LambdaHandler>(
  declared: Using<'table' | 'deliveryQueue'>,
  create: (runtime: WakingRuntime) => F,
): F =>
  onLambda(declared, (runtime) => {
    const { DELIVERY_QUEUE_URL } = readEnvironment(declared.access);
    return create({ ...runtime, wakes: queueWakes(DELIVERY_QUEUE_URL) });
  });
