import type { ConversionImport } from '@headwater/sdk';
import { Stack, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { formatNumber } from '../shared/formats.ts';
import { pagedQuery } from '../shared/paged-query.ts';

export const IMPORTS_KEY = ['conversion imports'];
const POLL_MS = 1_000;

export const STATUS_LABELS: Record<ConversionImport['status'], string> = {
  active: t('Imported'),
  undoing: t('Undoing'),
  undone: t('Undone'),
};

const COLUMNS: Column<ConversionImport>[] = [
  { id: 'file', label: t('File'), cell: ({ name }) => name },
  timeColumn('created', t('Imported'), ({ createdAt }) => createdAt),
  { id: 'conversions', label: t('Conversions'), isNumber: true, cell: ({ reported }) => formatNumber(reported) },
  { id: 'status', label: t('Status'), cell: ({ status }) => STATUS_LABELS[status] },
];

/** Earlier CSV uploads; nothing if there are none. */
export function ConversionImports() {
  const query = useInfiniteQuery(
    pagedQuery(
      IMPORTS_KEY,
      (pageToken, signal) => headwater.listConversionImports({ pageSize: 10, pageToken }, { signal }),
      ({ imports }) => imports,
      (imports) => (imports.some(({ status }) => status === 'undoing') ? POLL_MS : false),
    ),
  );
  if (!query.data || query.data.length === 0) return null;
  return (
    <Stack gap="sm">
      <Title order={2}>{t('Previous imports')}</Title>
      <DataTable
        label={t('Previous imports')}
        minWidth={480}
        query={query}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLink={({ id }) => `/conversions/imports/${id}`}
      />
    </Stack>
  );
}
