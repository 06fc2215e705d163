import type { AssetValue } from '@headwater/sdk';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../shared/dialogs.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { FileBrowser } from './file-browser.tsx';
import { Thumbnail } from './thumbnail.tsx';

interface AssetInputProps {
  label: string;
  value: AssetValue | undefined;
  onChange: (asset: AssetValue | undefined) => void;
}

/** The selected image or video, and a dialog to select or upload another one. */
export function AssetInput({ label, value, onChange }: AssetInputProps) {
  const [isSelecting, setIsSelecting] = useState(false);
  const select = () => setIsSelecting(true);
  return (
    <>
      {value ? (
        <Group className="surface" p="xs" gap="sm" wrap="nowrap">
          <Thumbnail asset={value} size={64} />
          <Stack gap={2} flex={1} miw={0}>
            <Text size="sm" truncate dir="auto">
              {value.name ?? 'File'}
            </Text>
            {value.width && (
              <Text size="xs" c="dimmed" className="number">
                {value.width} × {value.height}
              </Text>
            )}
          </Stack>
          <Button variant="default" size="compact-sm" onClick={select} aria-label={`Replace ${label}`}>
            Replace
          </Button>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            onClick={() => onChange(undefined)}
            aria-label={`Remove ${label}`}
          >
            Remove
          </Button>
        </Group>
      ) : (
        <IconButton icon="files" variant="default" onClick={select} aria-label={`Select file: ${label}`}>
          Select file
        </IconButton>
      )}
      {isSelecting && (
        <Dialog onClose={() => setIsSelecting(false)} title={label} size="xl">
          <FileBrowser
            onSelect={({ assetId, url, type, name, width, height }) => {
              onChange({ assetId, url, type, name, width, height });
              setIsSelecting(false);
            }}
          />
        </Dialog>
      )}
    </>
  );
}
