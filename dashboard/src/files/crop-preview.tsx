import type { FileWithUses } from '@headwater/sdk';
import { Group, Text } from '@mantine/core';
import { t } from '../languages/translate.ts';
import type { FocalPoint } from './focal-point-input.tsx';
import { LibraryImage } from './library-image.tsx';

const CROPS = [
  { name: t('Square'), width: 84, height: 84 },
  { name: t('Landscape'), width: 150, height: 84 },
  { name: t('Portrait'), width: 56, height: 84 },
];

/** Where a crop starts, as the service computes it: the focal point is in the middle as far as the image reaches. */
function offsetOf(focal: number, whole: number, shown: number): number {
  return Math.min(0, Math.max(shown - whole, shown / 2 - focal * whole));
}

/** How crops of common shapes show the image around the focal point. */
export function CropPreview({ file, focalPoint }: { file: FileWithUses; focalPoint: FocalPoint | null }) {
  const [fileWidth, fileHeight] = [file.width ?? 1, file.height ?? 1];
  const { x, y } = focalPoint ?? { x: 0.5, y: 0.5 };
  return (
    <Group gap="sm" role="group" aria-label={t('Crop preview')} align="flex-end">
      {CROPS.map(({ name, width, height }) => {
        const scale = Math.max(width / fileWidth, height / fileHeight);
        const size = { width: fileWidth * scale, height: fileHeight * scale };
        return (
          <div key={name}>
            <div className="checkered" style={{ width, height, overflow: 'hidden', borderRadius: 6 }}>
              <LibraryImage
                url={file.url}
                displayWidth={300}
                style={{
                  ...size,
                  display: 'block',
                  maxWidth: 'none',
                  transform: `translate(${offsetOf(x, size.width, width)}px, ${offsetOf(y, size.height, height)}px)`,
                }}
              />
            </div>
            <Text size="xs" c="dimmed" mt={2}>
              {name}
            </Text>
          </div>
        );
      })}
    </Group>
  );
}
