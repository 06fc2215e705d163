import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import type { By } from './performance-table.tsx';

interface Days {
  from: string;
  /** Exclusive. */
  to: string;
  timeZone: string;
}

export const performanceQuery = ({ from, to, timeZone }: Days, by: By) =>
  queryOptions({
    queryKey: ['ad performance', from, to, timeZone, by],
    queryFn: ({ signal }) => headwater.getAdPerformance({ from, to, timeZone, by }, { signal }),
    placeholderData: keepPreviousData,
  });

export const refreshPerformance = () => queryClient.invalidateQueries({ queryKey: ['ad performance'] });
