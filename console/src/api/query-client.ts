import { QueryClient } from '@tanstack/preact-query';
import { ServiceRefusal } from '../../../client/service-error.ts';

const mostRetries = 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Whether there is a connection shows in the answers, not in what the browser believes.
      networkMode: 'always',
      staleTime: 2000,
      retry: (failures, error) =>
        !(error instanceof ServiceRefusal && error.code < 500) && failures < mostRetries,
      refetchOnWindowFocus: true,
      // A hidden tab asks nothing.
      refetchIntervalInBackground: false,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});
