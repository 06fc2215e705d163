import type { AssetValue } from '@headwater/sdk';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Icon } from '../shared/icons.tsx';
import { FileBrowser } from './file-browser.tsx';
import { Thumbnail } from './thumbnail.tsx';

interface AssetInputProps {
  label: string;
  value: AssetValue | undefined;
  onChange: (asset: AssetValue | undefined) => void;
}

/** An image or a film: the one that is chosen, and a window to choose or upload another. */
export function AssetInput({ label, value, onChange }: AssetInputProps) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      {value ? (
        <Group className="surface" p="xs" gap="sm" wrap="nowrap">
          <Thumbnail asset={value} size={64} />
          <Stack gap={2} flex={1} miw={0}>
            <Text size="sm" truncate>
              {value.name ?? 'File'}
            </Text>
            {value.width && (
              <Text size="xs" c="dimmed" className="number">
                {value.width} × {value.height}
              </Text>
            )}
          </Stack>
          <Button variant="default" size="compact-sm" onClick={open} aria-label={`Replace ${label}`}>
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
        <Button
          variant="default"
          leftSection={<Icon name="files" size={16} />}
          onClick={open}
          aria-label={`Choose a file: ${label}`}
        >
          Choose a file
        </Button>
      )}
      <Modal opened={opened} onClose={close} title={label} size="xl">
        <FileBrowser
          onChoose={({ assetId, url, type, name, width, height }) => {
            onChange({ assetId, url, type, name, width, height });
            close();
          }}
        />
      </Modal>
    </>
  );
}
