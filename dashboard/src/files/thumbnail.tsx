import { Center } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { Icon } from '../shared/icons.tsx';
import { LibraryImage } from './library-image.tsx';

interface ThumbnailProps {
  asset: { url: string; type?: 'image' | 'video' | 'file' | undefined; name?: string | undefined };
  size: number;
}

/** A small square of an image, or the icon of another file. */
export function Thumbnail({ asset, size }: ThumbnailProps) {
  if (asset.type !== 'video' && asset.type !== 'file') return <ImageThumbnail asset={asset} size={size} />;
  return (
    <Center
      w={size}
      h={size}
      className="thumb"
      component="span"
      role="img"
      aria-label={asset.name ?? (asset.type === 'file' ? t('File') : t('Video'))}
      style={{ flexShrink: 0 }}
    >
      <Icon name={asset.type === 'file' ? 'files' : 'video'} size={size / 2} />
    </Center>
  );
}

function ImageThumbnail({ asset, size }: ThumbnailProps) {
  return (
    <LibraryImage
      url={asset.url}
      displayWidth={size}
      alt={asset.name ?? ''}
      width={size}
      height={size}
      className="thumb checkered"
      style={{ flexShrink: 0 }}
    />
  );
}
