import type { Agenda } from '../../platform/agenda/agenda.ts';
import { type Worker, workOff } from '../../platform/agenda/due-work.ts';
import type { WorkerKind } from '../../platform/agenda/work.ts';
import { logFailure } from '../../platform/observability/log.ts';
import { count } from '../../platform/observability/metrics.ts';
import type { ServiceMetric } from '../../platform/observability/service-metrics.ts';
import { type Instant, secondMs } from '../../platform/time/time.ts';

/** Milliseconds for one more step of the work. The next run does what is left. */
const reserveMs = 10_000;

const ageMetric = {
  end: 'EndAgeSeconds',
  deferred: 'DeferredAgeSeconds',
  erasure: 'ErasureAgeSeconds',
  import: 'ImportAgeSeconds',
  removal: 'RemovalAgeSeconds',
  oldCalls: 'OldCallsAgeSeconds',
} as const satisfies Record<WorkerKind, ServiceMetric>;

type DueWork = { agenda: Agenda; now: () => Instant };

/** `leftMs`: how long the run may still last. `takesOver`: no other process is at work. */
export const doDue = (
  { agenda, now }: DueWork,
  workers: readonly Worker[],
  leftMs: () => number,
  takesOver = false,
): Promise<void> =>
  workOff(
    agenda,
    workers,
    { now, isTimeUp: () => leftMs() < reserveMs, takesOver },
    {
      age: (kind, ms) => count(ageMetric[kind], Math.round(ms / secondMs)),
      failure: (kind, id, error) => logFailure('due work failed', error, { kind, id }),
    },
  );
