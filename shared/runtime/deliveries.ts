import { Deliverer } from '../webhooks/deliverer.ts';
import { Receivers } from '../webhooks/receiver.ts';
import type { WakingRuntime } from './webhooks.ts';

/** What the function that delivers works with. It is a module of its own, so that no other bundle has the HTTP client. */
export type DeliveringRuntime = { deliverer: Deliverer };

export const createDeliverer = (
  runtime: WakingRuntime,
  receivers: Pick<Receivers, 'post'> = new Receivers({ allowsLoopback: runtime.allowsLoopback }),
): Deliverer => new Deliverer({ ...runtime, receivers });
