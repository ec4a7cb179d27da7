export type LambdaHandler = (...args: never[]) => unknown;

/**
 * A function as AWS calls it. Its handler is made at the first event, so that a wrong setting fails
 * that event.
 */
export const onFirstEvent = <F extends LambdaHandler>(create: () => F): F => {
  let created: F | undefined;
  return ((...args: Parameters<F>) => {
    created ??= create();
    return created(...args);
  }) as F;
};

declare const awslambda: { streamifyResponse: <F>(handler: F) => F };

/**
 * Like `onFirstEvent`, for streamed answers. Lambda looks for its mark on the function that a
 * module exports.
 */
export const onFirstStreamedEvent = <F extends LambdaHandler>(create: () => F): F =>
  awslambda.streamifyResponse(onFirstEvent(create));
