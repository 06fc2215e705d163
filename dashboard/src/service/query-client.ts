import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { notifyError } from '../shared/notify.tsx';
import { isSignedOut, sessionExpiredQuery } from './session.ts';

function onError(error: unknown): void {
  if (isSignedOut(error)) queryClient.setQueryData(sessionExpiredQuery().queryKey, true);
}

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The SDK retries.
      retry: false,
      staleTime: 15_000,
    },
  },
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      onError(error);
      if (mutation.meta?.shown !== true && !isSignedOut(error)) notifyError(error);
    },
  }),
});
