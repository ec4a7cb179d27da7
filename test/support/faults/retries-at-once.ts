const attempts = 3;

type Token = { getRetryCount: () => number; getRetryDelay: () => number };
const tokenAfter = (retries: number): Token => ({ getRetryCount: () => retries, getRetryDelay: () => 0 });

/**
 * As the SDK's standard strategy decides, but without its pauses: three tries of what is not the
 * caller's fault.
 */
export const retriesAtOnce = {
  mode: 'standard',
  acquireInitialRetryToken: async () => tokenAfter(0),
  refreshRetryTokenForRetry: async (token: Token, { errorType }: { errorType: string }) => {
    const retries = token.getRetryCount() + 1;
    if (errorType === 'CLIENT_ERROR' || retries >= attempts) throw new Error('no further try');
    return tokenAfter(retries);
  },
  recordSuccess: () => {},
};
