import type { Collection, Import } from '@headwater/sdk';
import { Alert, Progress, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { collectionQuery } from '../content/queries.ts';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { errorMessage } from '../shared/error-messages.ts';
import { CSV_FILES, FileDrop } from '../shared/file-drop.tsx';
import { formatBytes, formatNumber } from '../shared/formats.ts';
import { Page } from '../shared/page.tsx';
import { EmptyState, Loaded } from '../shared/states.tsx';
import { useRights } from '../users/rights.ts';
import { IMPORT_STATUS_LABELS } from './import-status.ts';
import { cacheImport, importsQuery } from './queries.ts';

export function ImportsPage() {
  const { collectionId } = useParams({ from: '/shell/content/$collectionId/import' });
  const query = useQuery(collectionQuery(collectionId));
  return <Loaded query={query}>{(collection) => <Imports collection={collection} />}</Loaded>;
}

const COLUMNS: Column<Import>[] = [
  { id: 'file', label: t('File'), cell: ({ name }) => name, note: ({ bytes }) => formatBytes(bytes) },
  timeColumn('uploaded', t('Uploaded'), ({ createdAt }) => createdAt),
  { id: 'status', label: t('Status'), cell: ({ status }) => IMPORT_STATUS_LABELS[status], note: summaryOf },
];

function Imports({ collection: { id, name } }: { collection: Collection }) {
  const mayEdit = useRights().mayImport(id);
  const query = useInfiniteQuery(importsQuery(id));
  return (
    <Page
      title={t('Import into {name}', { name })}
      description={t(
        'Creates or updates entries from a CSV file. You see a preview first, and you can undo an import.',
      )}
      back={{ to: `/content/${id}`, label: name }}
    >
      {mayEdit && <Upload collectionId={id} />}
      <Stack gap="sm">
        <Title order={2}>{t('Previous imports')}</Title>
        <DataTable
          label={t('Previous imports')}
          minWidth={560}
          query={query}
          columns={COLUMNS}
          rowKey={(each) => each.id}
          rowLink={(each) => `/content/${id}/import/${each.id}`}
          empty={
            <EmptyState icon="clock" title={t('No imports yet')}>
              {t('Imports stay here for 30 days. You can undo them during that time.')}
            </EmptyState>
          }
        />
      </Stack>
    </Page>
  );
}

function summaryOf({ imported, dryRun, undone }: Import): string {
  if (undone) return t('{entries} reverted', { entries: formatNumber(undone.entries - undone.skipped) });
  const counts = imported ?? dryRun;
  return counts
    ? t('{created} new, {updated} updated', {
        created: formatNumber(counts.created),
        updated: formatNumber(counts.updated),
      })
    : '';
}

function Upload({ collectionId }: { collectionId: string }) {
  const navigate = useNavigate();
  const [progress, setProgress] = useState(0);
  const upload = useMutation({
    meta: { shown: true },
    mutationFn: (file: File) => {
      setProgress(0);
      return headwater.uploadImport({ collectionId }, { file }, { onProgress: setProgress });
    },
    onSuccess: (uploaded) => {
      cacheImport(uploaded);
      return navigate({ to: `/content/${collectionId}/import/${uploaded.id}` });
    },
  });
  if (upload.isPending) {
    return (
      <Stack className="surface" p="lg" gap="xs" role="status">
        <Text size="sm">{t('Uploading {name}', { name: upload.variables.name })}</Text>
        <Progress value={progress * 100} aria-label={t('Upload progress')} />
      </Stack>
    );
  }
  return (
    <>
      {upload.isError && (
        <Alert color="red" variant="light" role="alert" title={errorMessage(upload.error).title}>
          {errorMessage(upload.error).detail}
        </Alert>
      )}
      <FileDrop
        title={t('Drop a CSV file')}
        label={t('CSV file')}
        accept={CSV_FILES}
        onChoose={(file) => upload.mutate(file)}
      >
        {t('The first line names the columns. You can also edit an exported file and import it again.')}
      </FileDrop>
    </>
  );
}
