import { queryOptions, useQuery } from '@tanstack/react-query';
import { headwater } from '../service/session.ts';

const limitsQuery = () =>
  queryOptions({
    queryKey: ['limits'],
    queryFn: ({ signal }) => headwater.getLimits({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The address of a picture no larger than it is shown: a grid of photographs as they are stored would be hundreds of megabytes. */
export function usePictureUrl(url: string, width: number): string | undefined {
  const { data, isError } = useQuery(limitsQuery());
  if (isError) return url;
  // Twice as many, for fine screens.
  const size = data?.pictureSizes.find((each) => each >= width * 2);
  return data && (size === undefined ? url : `${url}?w=${size}`);
}
