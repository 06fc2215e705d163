import { isHeadwaterError } from '@headwater/sdk';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { tellFailure } from '../shared/notify.tsx';
import { endSession } from './session.ts';

/** A session that ended anywhere shows the sign-in, whatever was being asked for. */
function onError(error: unknown): void {
  if (isHeadwaterError(error, 'unauthorized') || isHeadwaterError(error, 'session_ended')) endSession();
}

export const queryClient = new QueryClient({
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
      if (mutation.meta?.shown !== true) tellFailure(error);
    },
  }),
});
