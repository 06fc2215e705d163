import { Center } from '@mantine/core';
import { Icon } from '../shared/icons.tsx';
import { usePictureUrl } from './picture-url.ts';

/** What is needed of a file to show it. */
export interface Shown {
  url: string;
  type?: 'image' | 'video' | undefined;
  name?: string | undefined;
}

/** A small square of an image, a sign for a film. */
export function Thumbnail({ asset, size }: { asset: Shown; size: number }) {
  if (asset.type === 'video') {
    return (
      <Center
        w={size}
        h={size}
        className="thumb"
        component="span"
        role="img"
        aria-label={asset.name ?? 'Video'}
        style={{ flexShrink: 0 }}
      >
        <Icon name="film" size={size / 2} />
      </Center>
    );
  }
  return <Picture asset={asset} size={size} />;
}

function Picture({ asset, size }: { asset: Shown; size: number }) {
  return (
    <img
      src={usePictureUrl(asset.url, size)}
      alt={asset.name ?? ''}
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      className="thumb checkered"
      style={{ flexShrink: 0 }}
    />
  );
}
