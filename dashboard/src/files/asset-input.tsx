import type { AssetValue } from '@headwater/sdk';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { Dialog } from '../shared/dialogs.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { AltInput, needsAlt } from './alt-input.tsx';
import { FileBrowser } from './file-browser.tsx';
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
  // Known of what was chosen here; an entry that is read says it, too.
  const [hasAlt, setHasAlt] = useState(value === undefined || !needsAlt(value));
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
        {value && !hasAlt && needsAlt(value) && <AltInput key={value.assetId} asset={value} />}
      </Stack>
      {isSelecting && (
        <Dialog onClose={() => setIsSelecting(false)} title={label} size="xl">
          <FileBrowser
            isPicker
            onSelect={({ assetId, url, type, name, width, height, alt }) => {
              onChange({ assetId, url, type, name, width, height });
              setHasAlt(!needsAlt({ assetId, url, type, alt }));
              setIsSelecting(false);
            }}
          />
        </Dialog>
      )}
    </>
  );
}
