import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { tellFailure } from '../shared/notify.tsx';
import { isSignedOut } from './session.ts';

/** A session that ended, here or elsewhere, leads to the sign-in, whatever was being asked for. */
function onError(error: unknown): void {
  if (isSignedOut(error)) void queryClient.invalidateQueries({ queryKey: ['session'] });
}

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The client itself tries again.
      retry: false,
      staleTime: 15_000,
    },
  },
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      onError(error);
      if (mutation.meta?.shown !== true && !isSignedOut(error)) tellFailure(error);
    },
  }),
});
