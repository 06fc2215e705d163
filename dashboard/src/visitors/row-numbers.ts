import { useQueries } from '@tanstack/react-query';
import { headwater } from '../service/session.ts';
import { formatDuration, formatNumber, formatRevenue } from '../shared/formats.ts';

const MAX_IDS = 100;

/** Batches of ids, which stay the same when more rows are loaded. */
const batchesOf = (ids: readonly string[]) =>
  Array.from({ length: Math.ceil(ids.length / MAX_IDS) }, (_, i) => ids.slice(i * MAX_IDS, (i + 1) * MAX_IDS));

/** What the conversions of the leads shown are worth, by id. */
export function useLeadValues(leads: readonly { id: string }[]): Map<string, string> {
  const results = useQueries({
    queries: batchesOf(leads.map(({ id }) => id)).map((leadId) => ({
      queryKey: ['lead values', leadId],
      queryFn: ({ signal }: { signal: AbortSignal }) => headwater.getLeadValues({ leadId }, { signal }),
    })),
  });
  return new Map(
    results.flatMap(({ data }) =>
      (data?.leads ?? []).map(({ leadId, revenue, convertedRevenue }): [string, string] => [
        leadId,
        formatRevenue(revenue, convertedRevenue),
      ]),
    ),
  );
}

/** Pages and duration of the sessions shown, by id. */
export function useSessionVisits(sessions: readonly { id: number }[]) {
  const results = useQueries({
    queries: batchesOf(sessions.map(({ id }) => String(id))).map((sessionId) => ({
      queryKey: ['session visits', sessionId],
      queryFn: ({ signal }: { signal: AbortSignal }) => headwater.getSessionVisits({ sessionId }, { signal }),
    })),
  });
  return new Map(
    results.flatMap(({ data }) =>
      (data?.sessions ?? []).map(({ sessionId, visits, seconds }) => [
        sessionId,
        { pages: formatNumber(visits), duration: formatDuration(seconds) },
      ]),
    ),
  );
}
