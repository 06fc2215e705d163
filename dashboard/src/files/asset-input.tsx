import type { AssetValue } from '@headwater/sdk';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { Dialog } from '../shared/dialogs.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { AltInput, needsAlt } from './alt-input.tsx';
import { FileBrowser } from './file-browser.tsx';
import { fileQuery } from './queries.ts';
import { Thumbnail } from './thumbnail.tsx';

interface AssetInputProps {
  label: string;
  value: AssetValue | undefined;
  onChange: (asset: AssetValue | undefined) => void;
  /** Asks for a file at once, as a row that was just added does. */
  isAsking?: boolean;
}

/** The selected image or video, and a dialog to select or upload another one. */
export function AssetInput({ label, value, onChange, isAsking = false }: AssetInputProps) {
  const [isSelecting, setIsSelecting] = useState(isAsking && value === undefined);
  // An entry that is read says the alt text. What was chosen does not, or it would be that of this entry alone.
  const isChosen = value?.type === 'image' && value.alt === undefined;
  const { data: chosen } = useQuery({
    ...fileQuery(value?.assetId ?? ''),
    enabled: isChosen,
    // The input stays once it has saved the text, until the file is chosen again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const select = () => setIsSelecting(true);
  return (
    <>
      <Stack gap={6} mt={4}>
        {value ? (
          <Group className="surface" p="xs" gap="sm">
            <Thumbnail asset={value} size={64} />
            <Stack gap={2} flex="1 1 8rem" miw={0}>
              <Text size="sm" truncate dir="auto">
                {value.name ?? t('File')}
              </Text>
              {value.width && (
                <Text size="xs" c="dimmed" className="number">
                  {value.width} × {value.height}
                </Text>
              )}
            </Stack>
            <Button variant="default" size="compact-sm" onClick={select} aria-label={t('Replace {label}', { label })}>
              {t('Replace')}
            </Button>
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              onClick={() => onChange(undefined)}
              aria-label={t('Remove {label}', { label })}
            >
              {t('Remove')}
            </Button>
          </Group>
        ) : (
          <Group>
            <IconButton
              icon="files"
              variant="default"
              onClick={select}
              aria-label={t('Select file: {label}', { label })}
            >
              {t('Select file')}
            </IconButton>
          </Group>
        )}
        {isChosen && chosen && needsAlt(chosen) && <AltInput key={value.assetId} asset={value} />}
      </Stack>
      {isSelecting && (
        <Dialog onClose={() => setIsSelecting(false)} title={label} size="xl">
          <FileBrowser
            isPicker
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
