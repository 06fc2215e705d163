import type { Collection, ImportCounts, ImportUndoCounts } from '@headwater/sdk';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { serviceText } from '../languages/service-texts.ts';
import { t } from '../languages/translate.ts';
import { DataTable } from '../shared/data-table.tsx';
import { formatNumber } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { targetsOf } from './mapping.ts';

interface ImportResultsProps {
  title: string;
  counts: ImportCounts;
  collection: Collection;
}

/** The outcomes of an import or its preview, with the first row errors. */
export function ImportResults({ title, counts, collection }: ImportResultsProps) {
  const { created, updated, unchanged, failed, errors, resultsUrl } = counts;
  const labels = new Map(targetsOf(collection).map(({ name, label }) => [name, label]));
  return (
    <Stack>
      <Counts
        title={title}
        resultsUrl={resultsUrl}
        counts={[
          [created, t('New')],
          [updated, t('Updated')],
          [unchanged, t('Unchanged')],
          [failed, t('Failed')],
        ]}
      />
      {errors.length > 0 && (
        <Stack gap="sm">
          <Title order={2}>{t('Row errors')}</Title>
          <DataTable
            label={t('Row errors')}
            isDense
            minWidth={480}
            query={{ data: errors }}
            rowKey={(_, index) => index}
            columns={[
              { id: 'row', label: t('Row'), width: 90, cell: ({ row }) => formatNumber(row) },
              {
                id: 'field',
                label: t('Field'),
                width: 200,
                cell: ({ field }) => (field === null ? '' : (labels.get(field) ?? field)),
              },
              {
                id: 'value',
                label: t('Column and value'),
                width: 200,
                isWrapped: true,
                cell: ({ column, value }) => column && `${column}: ${value || '(empty)'}`,
              },
              { id: 'error', label: t('Error'), isWrapped: true, cell: ({ detail }) => serviceText(detail) },
            ]}
          />
          {failed > errors.length && (
            <Text size="sm" c="dimmed">
              {t('First {count} errors. Download the results to see all of them.', { count: errors.length })}
            </Text>
          )}
        </Stack>
      )}
    </Stack>
  );
}

export function UndoResults({ counts: { deleted, restored, skipped, resultsUrl } }: { counts: ImportUndoCounts }) {
  return (
    <Counts
      title={t('Undone')}
      resultsUrl={resultsUrl}
      counts={[
        [deleted, t('Deleted')],
        [restored, t('Restored')],
        [skipped, t('Skipped, changed since the import')],
      ]}
    />
  );
}

interface CountsProps {
  title: string;
  resultsUrl: string | null;
  counts: readonly [count: number, label: string][];
}

function Counts({ title, resultsUrl, counts }: CountsProps) {
  return (
    <Group className="surface" p="lg" justify="space-between">
      <Stack gap="xs">
        <Title order={2}>{title}</Title>
        <Group gap="xl">
          {counts.map(([count, label]) => (
            <div key={label}>
              <Text fz={24} fw={620} className="number">
                {formatNumber(count)}
              </Text>
              <Text size="sm" c="dimmed">
                {label}
              </Text>
            </div>
          ))}
        </Group>
      </Stack>
      {resultsUrl && (
        <Button
          component="a"
          href={`${resultsUrl}&bom=true`}
          download
          variant="default"
          leftSection={<Icon name="exports" size={16} />}
        >
          {t('Download results')}
        </Button>
      )}
    </Group>
  );
}
