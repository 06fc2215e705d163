import { useNavigate, useSearch } from '@tanstack/react-router';
import { mergeSearch } from './list-state.ts';

/**
 * The search parameters of the current page, as its route validates them, and a function that changes some; undefined
 * removes one. Changes can be undone with Back, except those of the search text `q`.
 */
export function useSearchState<State extends object>() {
  const search: object = useSearch({ strict: false });
  const state = search as State;
  const navigate = useNavigate();
  const set = (part: Partial<State>) =>
    navigate({ to: '.', search: mergeSearch(state, part) as never, replace: 'q' in part });
  return [state, set] as const;
}
