import type { StoredAnswers } from '../store/requests/index.ts';

/** An endpoint as its host calls it: with what it answers repeated requests from in its context. */
export const withStoredAnswers = <F extends (...args: never[]) => unknown>(
  endpoint: F,
  storedAnswers: StoredAnswers,
): F =>
  ((event: unknown, context: object) =>
    (endpoint as unknown as (...args: unknown[]) => unknown)(event, {
      ...context,
      storedAnswers,
    })) as never as F;

/** A function as AWS calls it: what it works with is made from the environment at the first event. */
export const onRuntime =
  <R>(createRuntime: () => R) =>
  <F extends (...args: never[]) => unknown>(create: (runtime: R) => F): F => {
    let created: F | undefined;
    return ((...args: Parameters<F>) => {
      created ??= create(createRuntime());
      return created(...args);
    }) as F;
  };

declare const awslambda: { streamifyResponse: <F>(handler: F) => F };

/** As `onRuntime`, for streamed answers: Lambda looks for its mark on the very function a module exports. */
export const onStreamingRuntime =
  <R>(createRuntime: () => R) =>
  <F extends (...args: never[]) => unknown>(create: (runtime: R) => F): F =>
    awslambda.streamifyResponse(onRuntime(createRuntime)(create));

/** As `onRuntime`, for endpoints. */
export const onEndpointRuntime =
  <R extends { storedAnswers: StoredAnswers }>(createRuntime: () => R) =>
  <F extends (...args: never[]) => unknown>(create: (runtime: R) => F): F =>
    onRuntime(createRuntime)((runtime) => withStoredAnswers(create(runtime), runtime.storedAnswers));
