import type { AssetValue } from '@headwater/sdk';
import { Box, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { formatBytes, formatPercent } from '../shared/formats.ts';
import type { Upload } from './uploads.ts';

interface UploadStatusProps {
  uploads: Upload[];
  onRetry: (upload: Upload) => void;
  onDismiss: () => void;
  onOpen: (file: AssetValue) => void;
}

/** The progress of uploads, and the errors of those that failed. */
export function UploadStatus({ uploads, onRetry, onDismiss, onOpen }: UploadStatusProps) {
  const failed = uploads.filter(({ error }) => error).length;
  const running = uploads.filter(({ asset, error }) => !asset && !error).length;
  const done = uploads.length - running - failed;
  const summary = failed > 0 ? `${done} uploaded, ${failed} failed` : 'Uploaded';
  return (
    <Box className="surface" p="sm" role="status">
      <Group justify="space-between" mb={6}>
        <Text size="sm" fw={550}>
          {running > 0 ? `Uploading ${running} of ${uploads.length}` : summary}
        </Text>
        <Button variant="subtle" color="gray" size="compact-xs" onClick={onDismiss}>
          Dismiss
        </Button>
      </Group>
      <Stack gap={8} mah={280} style={{ overflowY: 'auto' }}>
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} onRetry={onRetry} onOpen={onOpen} />
        ))}
      </Stack>
    </Box>
  );
}

function UploadRow({ upload, onRetry, onOpen }: { upload: Upload } & Pick<UploadStatusProps, 'onRetry' | 'onOpen'>) {
  const { file, progress, error, asset } = upload;
  const isRunning = !asset && !error;
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" truncate dir="auto">
          {file.name}
        </Text>
        {asset && (
          <Button variant="subtle" size="compact-xs" onClick={() => onOpen(asset)}>
            Open
          </Button>
        )}
        {error && (
          <Button variant="subtle" size="compact-xs" onClick={() => onRetry(upload)}>
            Try again
          </Button>
        )}
        {isRunning && (
          <Text size="xs" c="dimmed" className="number" style={{ whiteSpace: 'nowrap' }}>
            {formatPercent(progress)} of {formatBytes(file.size)}
          </Text>
        )}
      </Group>
      {error && (
        <Text size="xs" c="var(--worse)">
          {error}
        </Text>
      )}
      {isRunning && <Progress value={progress * 100} size="sm" mt={2} aria-label={`Upload of ${file.name}`} />}
    </div>
  );
}
