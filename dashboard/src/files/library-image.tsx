import { queryOptions, useQuery } from '@tanstack/react-query';
import { headwater } from '../service/session.ts';

const limitsQuery = () =>
  queryOptions({
    queryKey: ['limits'],
    queryFn: ({ signal }) => headwater.getLimits({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The URL of a variant for this display width: a grid of original photos would load hundreds of megabytes. */
export function useImageUrl(url: string, width: number): string | undefined {
  const { data, isError } = useQuery(limitsQuery());
  if (isError) return url;
  // Two device pixels per CSS pixel, for high-density screens.
  const size = data?.imageSizes.find((each) => each >= width * 2);
  return data && (size === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}w=${size}`);
}
