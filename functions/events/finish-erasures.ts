import { finishErasures as declared } from '../../shared/api/event-functions.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

/** Finishes erasures whose request broke off. */
export const finishErasures =
  ({ erasures, now }: Runtime) =>
  (): Promise<void> =>
    erasures.finishAll(now());

export const handler = onLambda(declared, finishErasures);
