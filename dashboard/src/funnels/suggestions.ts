import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { MINUTE } from '../../../server/src/shared/units.ts';
import { headwater } from '../service/session.ts';

export interface Range {
  from: string;
  to: string;
  timeZone: string;
}

const STALE_MS = MINUTE;
const SHOWN = 30;

/** The most common pages or events of the period that contain what is typed. */
export function useSeenNames(type: 'page' | 'event', text: string, range: Range): string[] {
  const [search] = useDebouncedValue(text.trim(), 250);
  const { data } = useQuery({
    queryKey: ['seen names', type, search, range],
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      headwater.getBreakdown(
        {
          ...{ ...range, by: type, limit: SHOWN, order: type === 'event' ? 'events' : 'visits' },
          ...(search !== '' && { [`filter[${type}][contains]`]: [search] }),
        },
        { signal },
      ),
  });
  const rows = data?.breakdowns[type]?.rows ?? [];
  // A session with a matching page has others, too.
  return rows.flatMap(({ value }) => (value?.toLowerCase().includes(search.toLowerCase()) ? value : []));
}

/** The properties of an event, and the values of one of them. */
export function useSeenProperties(event: string, property: string, range: Range) {
  const [name] = useDebouncedValue(property, 250);
  const { data } = useQuery({
    queryKey: ['seen properties', event, name, range],
    enabled: event !== '',
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      headwater.getEventProperties(
        { ...range, event, limit: SHOWN, ...(name !== '' && { property: name }) },
        { signal },
      ),
  });
  return { names: data?.properties ?? [], values: data?.rows.flatMap(({ value }) => value ?? []) ?? [] };
}
