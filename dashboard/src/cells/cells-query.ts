import { queryOptions } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';

const KEY = ['operator', 'cells'];
const POLL_MS = 5_000;
const MOVING_MS = 1_500;

/** The cells and moves, read again and again: their load changes, and moves run in the background. */
export const cellsQuery = () =>
  queryOptions({
    queryKey: KEY,
    queryFn: ({ signal }) => headwater.listCells({ signal }),
    refetchInterval: ({ state }) => (state.data && state.data.moves.length > 0 ? MOVING_MS : POLL_MS),
  });

export const refreshCells = () => queryClient.invalidateQueries({ queryKey: KEY });
