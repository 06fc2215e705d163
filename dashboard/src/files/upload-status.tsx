import type { AssetValue } from '@headwater/sdk';
import { Box, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { formatBytes, formatPercent } from '../shared/formats.ts';
import { AltInput, needsAlt } from './alt-input.tsx';
import type { Upload } from './uploads.ts';

interface UploadStatusProps {
  uploads: Upload[];
  onRetry: (upload: Upload) => void;
  onDismiss: () => void;
  onOpen: (file: AssetValue) => void;
  /** What `onOpen` does. */
  action: string;
}

/** The progress of uploads, and the errors of those that failed. */
export function UploadStatus({ uploads, onRetry, onDismiss, onOpen, action }: UploadStatusProps) {
  const failed = uploads.filter(({ error }) => error).length;
  const running = uploads.filter(({ asset, error }) => !asset && !error).length;
  const done = uploads.length - running - failed;
  const summary = failed > 0 ? t('{done} uploaded, {failed} failed', { done, failed }) : t('Uploaded');
  return (
    <Box className="surface" p="sm" role="status">
      <Group justify="space-between" mb={6}>
        <Text size="sm" fw={550}>
          {running > 0 ? t('Uploading {running} of {count}', { running, count: uploads.length }) : summary}
        </Text>
        <Button variant="subtle" color="gray" size="compact-xs" onClick={onDismiss}>
          {t('Dismiss')}
        </Button>
      </Group>
      <Stack gap={8} mah={280} style={{ overflowY: 'auto' }}>
        {uploads.map((upload) => (
          <UploadRow key={upload.id} {...{ upload, onRetry, onOpen, action }} />
        ))}
      </Stack>
    </Box>
  );
}

type UploadRowProps = { upload: Upload } & Pick<UploadStatusProps, 'onRetry' | 'onOpen' | 'action'>;

function UploadRow({ upload, onRetry, onOpen, action }: UploadRowProps) {
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
            {action}
          </Button>
        )}
        {error && (
          <Button variant="subtle" size="compact-xs" onClick={() => onRetry(upload)}>
            {t('Try again')}
          </Button>
        )}
        {isRunning && (
          <Text size="xs" c="dimmed" className="number" style={{ whiteSpace: 'nowrap' }}>
            {t('{progress} of {size}', { progress: formatPercent(progress), size: formatBytes(file.size) })}
          </Text>
        )}
      </Group>
      {asset && needsAlt(asset) && <AltInput asset={asset} />}
      {error && (
        <Text size="xs" c="var(--worse)">
          {error}
        </Text>
      )}
      {isRunning && (
        <Progress value={progress * 100} size="sm" mt={2} aria-label={t('Upload of {name}', { name: file.name })} />
      )}
    </div>
  );
}
