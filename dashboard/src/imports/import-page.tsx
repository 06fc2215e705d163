import type { Collection, Import } from '@headwater/sdk';
import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { collectionQuery, invalidateEntries } from '../content/queries.ts';
import { serviceText } from '../languages/service-texts.ts';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { formatBytes, formatDateTime } from '../shared/formats.ts';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { useRights } from '../users/rights.ts';
import { ImportResults, UndoResults } from './import-results.tsx';
import { IMPORT_STATUS_LABELS } from './import-status.ts';
import { MappingForm } from './mapping-form.tsx';
import { cacheImport, importQuery, isRunning } from './queries.ts';

export function ImportPage() {
  const { collectionId, importId } = useParams({ from: '/shell/content/$collectionId/import/$importId' });
  const collectionResult = useQuery(collectionQuery(collectionId));
  const importResult = useQuery(importQuery(collectionId, importId));
  return (
    <Loaded query={collectionResult}>
      {(collection) => (
        <Loaded query={importResult}>{(data) => <ImportDetails collection={collection} data={data} />}</Loaded>
      )}
    </Loaded>
  );
}

function ImportDetails({ collection, data }: { collection: Collection; data: Import }) {
  const { status, stage, dryRun, imported, undone } = data;
  const mayEdit = useRights().mayImport(collection.id);
  const running = isRunning(data);
  const [isRemapping, setIsRemapping] = useState(false);
  useEffect(() => {
    if (running) setIsRemapping(false);
    else invalidateEntries(collection.id);
  }, [running, collection.id]);
  const canPreview =
    status === 'uploaded' ||
    status === 'undone' ||
    (status === 'stopped' && stage === 'dry_run') ||
    (status === 'dry_run_completed' && isRemapping);
  return (
    <Page
      title={data.name}
      description={t('{bytes}, uploaded {createdAt}, stored until {expiresAt}', {
        bytes: formatBytes(data.bytes),
        createdAt: formatDateTime(data.createdAt),
        expiresAt: formatDateTime(data.expiresAt),
      })}
      back={{ to: `/content/${collection.id}/import`, label: t('Imports into {name}', { name: collection.name }) }}
    >
      <ImportStatus data={data} onRemap={() => setIsRemapping(true)} isRemapping={isRemapping} />
      {canPreview && mayEdit && <MappingForm key={data.id} collection={collection} data={data} />}
      {undone && <UndoResults counts={undone} />}
      {imported && status !== 'undone' && (
        <ImportResults title={t('Imported')} counts={imported} collection={collection} />
      )}
      {dryRun && !imported && !isRemapping && (
        <ImportResults title={t('Preview')} counts={dryRun} collection={collection} />
      )}
    </Page>
  );
}

interface ImportStatusProps {
  data: Import;
  onRemap: () => void;
  isRemapping: boolean;
}

/** The current step of the import, and the buttons for the next one. */
function ImportStatus({ data, onRemap, isRemapping }: ImportStatusProps) {
  const { status, stage, job, dryRun } = data;
  const mayEdit = useRights().mayImport(data.collectionId);
  const path = { collectionId: data.collectionId, importId: data.id };
  const start = useMutation({ mutationFn: () => headwater.startImport(path, {}), onSuccess: cacheImport });
  const cancel = useMutation({
    mutationFn: () => headwater.cancelJob({ id: job?.id ?? '' }, {}),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['import', data.collectionId, data.id] }),
  });
  const [isConfirmingUndo, setIsConfirmingUndo] = useState(false);
  if (status === 'uploaded') return null;
  const writes = (dryRun?.created ?? 0) + (dryRun?.updated ?? 0);
  const canUndo = status === 'imported' || (status === 'stopped' && stage !== 'dry_run');
  const startButton = (label: string) => (
    <Button loading={start.isPending} disabled={writes === 0} onClick={() => start.mutate()}>
      {label}
    </Button>
  );
  return (
    <Stack className="surface" p="lg" gap="sm">
      <Group justify="space-between">
        <Text fw={600} role="status">
          {IMPORT_STATUS_LABELS[status]}
        </Text>
        {mayEdit && (
          <Group gap="xs">
            {isRunning(data) && (
              <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
                {t('Stop')}
              </Button>
            )}
            {status === 'dry_run_completed' && !isRemapping && (
              <>
                <Button variant="default" onClick={onRemap}>
                  {t('Change mapping')}
                </Button>
                {startButton(t('{count, plural, one {Import # row} other {Import # rows}}', { count: writes }))}
              </>
            )}
            {status === 'stopped' && stage === 'import' && startButton(t('Continue'))}
            {canUndo && (
              <Button variant="default" onClick={() => setIsConfirmingUndo(true)}>
                {stage === 'undo' ? t('Continue undoing') : t('Undo')}
              </Button>
            )}
          </Group>
        )}
      </Group>
      {isRunning(data) && (
        <>
          <Progress value={(job?.progress ?? 0) * 100} animated aria-label={IMPORT_STATUS_LABELS[status]} />
          <Text size="sm" c="dimmed">
            {t('You can leave this page.')}
          </Text>
        </>
      )}
      {status === 'stopped' && (
        <Alert color={job?.error ? 'red' : 'gray'} variant="light">
          {(job?.error && serviceText(job.error.detail)) ??
            (stage === 'dry_run' ? t('Stopped.') : t('Stopped. Changes made so far remain.'))}
        </Alert>
      )}
      {status === 'dry_run_completed' && dryRun !== null && dryRun.failed > 0 && writes > 0 && (
        <Text size="sm" c="dimmed">
          {t('Rows with errors are skipped. Fix them in the file and import them later.')}
        </Text>
      )}
      {status === 'dry_run_completed' && dryRun?.errors.some(({ code }) => code.endsWith('_ambiguous')) && (
        <Alert color="orange" variant="light" title={t('Some values have two meanings')}>
          {t('Change the mapping and choose the number format, date format or time zone of the file.')}
        </Alert>
      )}
      {status === 'dry_run_completed' && writes === 0 && (
        <Text size="sm" c="dimmed">
          {t('No row creates or updates an entry.')}
        </Text>
      )}
      {isConfirmingUndo && (
        <ConfirmDialog
          onClose={() => setIsConfirmingUndo(false)}
          title={t('Undo this import?')}
          action={t('Undo import')}
          run={async () => cacheImport(await headwater.undoImport(path, {}))}
        >
          {t(
            'Entries it created move to the trash, and entries it updated return to their previous version. Entries changed since the import are skipped and listed in the results.',
          )}
        </ConfirmDialog>
      )}
    </Stack>
  );
}
