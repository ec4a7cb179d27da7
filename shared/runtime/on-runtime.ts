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

/** As `onRuntime`, for streamed files: Lambda looks for its mark on the very function a module exports. */
export const onStreamingRuntime =
  <R>(createRuntime: () => R) =>
  <F extends (...args: never[]) => unknown>(create: (runtime: R) => F): F =>
    awslambda.streamifyResponse(onRuntime(createRuntime)(create));
