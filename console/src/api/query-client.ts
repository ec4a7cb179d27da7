import { QueryClient } from '@tanstack/preact-query';
import { ServiceRefusal } from '../../../client/service-error.ts';

const mostRetries = 2;
/** Figures on an open screen are at most this old; a hidden tab asks nothing. */
export const liveMs = 5000;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Whether there is a connection shows in the answers, not in what the browser believes.
      networkMode: 'always',
      staleTime: 2000,
      retry: (failures, error) =>
        !(error instanceof ServiceRefusal && error.code < 500) && failures < mostRetries,
      refetchOnWindowFocus: true,
      refetchIntervalInBackground: false,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});
