import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { headwater } from '../service/session.ts';

const limitsQuery = () =>
  queryOptions({
    queryKey: ['limits'],
    queryFn: ({ signal }) => headwater.getLimits({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** While a variant is being made, the response is 429, and browsers do not send the request again. */
const RETRY_MS = 2_000;
const MAX_RETRIES = 5;

interface LibraryImageProps extends Omit<ComponentProps<'img'>, 'src' | 'onError'> {
  url: string;
  /** In CSS pixels. */
  displayWidth: number;
}

/** An image in a size for the place where it is displayed: a grid of original photos would load hundreds of megabytes. */
export function LibraryImage({ url, displayWidth, alt = '', ...rest }: LibraryImageProps) {
  const src = useImageUrl(url, displayWidth);
  const [retries, setRetries] = useState(0);
  const onError = () => {
    if (retries < MAX_RETRIES) setTimeout(() => setRetries(retries + 1), RETRY_MS);
  };
  return (
    <img key={retries} src={src} alt={src ? alt : ''} loading="lazy" decoding="async" onError={onError} {...rest} />
  );
}

function useImageUrl(url: string, width: number): string | undefined {
  const { data, isError } = useQuery(limitsQuery());
  if (isError) return url;
  // Two device pixels per CSS pixel, for high-density screens.
  const size = data?.imageSizes.find((each) => each >= width * 2);
  return data && (size === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}w=${size}`);
}
