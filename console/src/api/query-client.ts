import { QueryClient, useQueryClient } from '@tanstack/preact-query';
import { ServiceRefusal } from '../../../client/service-error.ts';

/** Figures on an open screen are at most five seconds old, the time of the request included. */
export const liveMs = 4900;
const mostRetries = 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Whether there is a connection shows in the answers, not in what the browser believes.
      networkMode: 'always',
      staleTime: 2000,
      refetchInterval: liveMs,
      retry: (failures, error) =>
        !(error instanceof ServiceRefusal && error.code < 500) && failures < mostRetries,
    },
    mutations: { networkMode: 'always' },
  },
});

/** For answers that change only by an action of this reader, or cost too much to ask for every 5 seconds. */
export const askedOnce = {
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: false,
  refetchOnWindowFocus: false,
} as const;

/** Asks again for everything that a change may have touched. */
export const useRefresh = (keys: readonly string[]) => {
  const queries = useQueryClient();
  return () => Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: [key] })));
};
