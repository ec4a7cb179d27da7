import type { Context } from 'aws-lambda';
import * as declared from '../../shared/api/event-functions.ts';
import { doDue } from '../../shared/runtime/due-work.ts';
import { onWakingLambda, type WakingRuntime } from '../../shared/runtime/webhooks.ts';
import { watchDeliveries } from '../../shared/webhooks/delivery-watch.ts';

type Parts = Pick<WakingRuntime, 'agenda' | 'dialer' | 'erasures' | 'adoptOldWork' | 'now'> &
  Parameters<typeof watchDeliveries>[0];

/**
 * What requests leave to do: ends of tasks, deferred contacts of adjusted tasks, and erasures that broke off. Deliveries to
 * webhooks that are due are left to the function that delivers.
 */
export const doDueWork =
  (parts: Parts) =>
  async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    const { agenda, dialer, erasures, adoptOldWork, now } = parts;
    const workers = [...dialer.workers(), erasures.worker()];
    await Promise.all([
      adoptOldWork(),
      watchDeliveries(parts),
      doDue({ agenda, now }, workers, () => context.getRemainingTimeInMillis()),
    ]);
  };

export const handler = onWakingLambda(declared.doDueWork, doDueWork);
