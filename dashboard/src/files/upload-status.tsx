import type { AssetValue } from '@headwater/sdk';
import { Box, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { formatBytes } from '../shared/formats.ts';
import type { Upload } from './uploads.ts';

interface UploadStatusProps {
  uploads: Upload[];
  onRetry: (upload: Upload) => void;
  onDismiss: () => void;
  onChoose: (file: AssetValue) => void;
}

/** How far files have come, and which were not accepted, and why. */
export function UploadStatus({ uploads, onRetry, onDismiss, onChoose }: UploadStatusProps) {
  const open = uploads.filter(({ asset, error }) => !asset && !error).length;
  const refused = uploads.filter(({ error }) => error).length;
  const done = uploads.length - open - refused;
  const counts = refused > 0 ? `${done} uploaded, ${refused} not accepted` : 'Uploaded';
  return (
    <Box className="surface" p="sm" role="status">
      <Group justify="space-between" mb={6}>
        <Text size="sm" fw={550}>
          {open > 0 ? `Uploading ${open} of ${uploads.length}` : counts}
        </Text>
        <Button variant="subtle" color="gray" size="compact-xs" onClick={onDismiss}>
          Dismiss
        </Button>
      </Group>
      <Stack gap={8} mah={280} style={{ overflowY: 'auto' }}>
        {uploads.map((upload) => {
          const { id, name, bytes, share, error, asset } = upload;
          return (
            <div key={id}>
              <Group justify="space-between" wrap="nowrap" gap="xs">
                <Text size="sm" truncate>
                  {name}
                </Text>
                {asset && (
                  <Button variant="subtle" size="compact-xs" onClick={() => onChoose(asset)}>
                    Open
                  </Button>
                )}
                {error && (
                  <Button variant="subtle" size="compact-xs" onClick={() => onRetry(upload)}>
                    Try again
                  </Button>
                )}
                {!asset && !error && (
                  <Text size="xs" c="dimmed" className="number" style={{ whiteSpace: 'nowrap' }}>
                    {Math.round(share * 100)} % of {formatBytes(bytes)}
                  </Text>
                )}
              </Group>
              {error && (
                <Text size="xs" c="var(--worse)">
                  {error}
                </Text>
              )}
              {!asset && !error && <Progress value={share * 100} size="sm" mt={2} aria-label={`Upload of ${name}`} />}
            </div>
          );
        })}
      </Stack>
    </Box>
  );
}
