import type { Context } from 'aws-lambda';
import * as declared from '../../shared/app/event-functions.ts';
import { doDue } from '../../shared/app/runtime/due-work.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { openRuntime, type Runtime } from '../../shared/app/runtime/runtime.ts';
import { lambdaWakes, withWebhooks } from '../../shared/app/runtime/webhooks.ts';
import { watchDeliveries } from '../../shared/events/wakes.ts';
import { countAll } from '../../shared/platform/observability/metrics.ts';
import { allEnded } from '../../shared/platform/table/concurrency.ts';
import { minuteMs } from '../../shared/platform/time/time.ts';

type Parts = Pick<Runtime, 'agenda' | 'dialer' | 'erasures' | 'insight' | 'now'> &
  Parameters<typeof watchDeliveries>[0];

/** Longer than dialers need to restart, or to change over in the morning. */
const unaskedMs = 10 * minuteMs;

/** Finds tasks without a dialer. Dialers that died send no request and cause no error. */
const watchDialers = async ({ insight, now }: Parts, measure: typeof countAll): Promise<void> => {
  const taskIds = await insight.withoutDialer(now() - unaskedMs);
  measure({ TasksWithoutDialer: taskIds.length });
};

/**
 * Does what requests leave to do: ends of tasks, deferred contacts of adjusted tasks, and erasures
 * that broke off. The function that delivers does deliveries to webhooks that are due. Without
 * `measure`, as in local mode, tasks without a dialer are not searched.
 */
export const doDueWork =
  (parts: Parts, measure?: typeof countAll) =>
  async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    const { agenda, dialer, erasures, now } = parts;
    const workers = [dialer.ends.worker(), dialer.deferred.worker(), erasures.worker()];
    await allEnded([
      watchDeliveries(parts, measure),
      measure && watchDialers(parts, measure),
      doDue({ agenda, now }, workers, () => context.getRemainingTimeInMillis()),
    ]);
  };

export const handler = onLambda(declared.doDueWork, openRuntime, (runtime) =>
  doDueWork({ ...withWebhooks(runtime), wakes: lambdaWakes(declared.doDueWork) }, countAll),
);
