import type { RejectedRequest } from '@headwater/sdk';
import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater, useIsOwner } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { Page } from '../shared/page.tsx';
import { pagedQuery } from '../shared/paged-query.ts';
import { EmptyState } from '../shared/states.tsx';
import { useMayWrite } from '../users/rights.ts';

const KEY = ['rejected requests'];

const columnsWith = (nameOf: (keyId: string) => string | undefined): Column<RejectedRequest>[] => [
  timeColumn('time', t('Time'), ({ at }) => at),
  {
    id: 'request',
    label: t('Request'),
    cell: ({ method, url }) => (
      <span className="code">
        {method} {url.split('?')[0]}
      </span>
    ),
    note: ({ keyId }) => nameOf(keyId),
  },
  {
    id: 'reason',
    label: t('Reason'),
    isWrapped: true,
    cell: ({ detail, code }) => (detail === '' ? code : detail),
    note: ({ status, code, skipped }) =>
      [
        status === 200 ? t('Item of a batch') : status,
        code,
        ...(skipped > 0 ? [t('{count, number} more before', { count: skipped })] : []),
      ].join(' · '),
  },
];

/** Requests of API keys that the service refused, and what to do about them. */
export function RejectionsPage() {
  const mayEdit = useMayWrite('analytics');
  const isOwner = useIsOwner();
  const [isDeleting, setIsDeleting] = useState(false);
  const query = useInfiniteQuery({
    ...pagedQuery(
      KEY,
      (pageToken, signal) => headwater.listRejectedRequests({ pageToken }, { signal }),
      ({ requests }) => requests,
    ),
    refetchInterval: 15_000,
  });
  // Only owners can list keys.
  const keys = useQuery({
    queryKey: ['keys', 'names'],
    enabled: isOwner,
    queryFn: async ({ signal }) =>
      new Map((await headwater.listKeys({}, { signal }).all()).map(({ id, name }) => [id, name])),
  });
  return (
    <Page
      wide
      title={t('Rejected requests')}
      description={t('API calls of the last seven days that were refused, and why. Of many, a sample is kept.')}
      actions={
        mayEdit && (
          <Button variant="default" disabled={query.data?.length === 0} onClick={() => setIsDeleting(true)}>
            {t('Delete all')}
          </Button>
        )
      }
    >
      <DataTable
        label={t('Rejected requests')}
        query={query}
        columns={columnsWith((keyId) => keys.data?.get(keyId))}
        rowKey={({ id }) => id}
        rowName={({ method, url }) => `${method} ${url}`}
        details={(request) => <Details request={request} />}
        empty={
          <EmptyState icon="check" title={t('No rejected requests')}>
            {t('Requests that your servers and pages send with a wrong value appear here, with the reason.')}
          </EmptyState>
        }
      />
      {isDeleting && (
        <ConfirmDialog
          title={t('Delete all rejected requests?')}
          action={t('Delete')}
          onClose={() => setIsDeleting(false)}
          run={async () => {
            await headwater.deleteRejectedRequests();
            await queryClient.invalidateQueries({ queryKey: KEY });
          }}
        >
          {t('The list only helps to find mistakes. Deleting it changes no data.')}
        </ConfirmDialog>
      )}
    </Page>
  );
}

function Details({ request: { url, errors, fix, body } }: { request: RejectedRequest }) {
  return (
    <Stack gap="sm">
      {fix !== null && (
        <Text size="sm">
          <b>{t('Fix:')}</b> {fix}
        </Text>
      )}
      {errors.length > 1 && (
        <Stack gap={2}>
          {errors.map(({ pointer, detail }) => (
            <Text key={`${pointer} ${detail}`} size="sm">
              {detail}
            </Text>
          ))}
        </Stack>
      )}
      {url.includes('?') && (
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {url}
        </Code>
      )}
      {body !== null && (
        <Group gap={0}>
          <Code block w="100%" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {JSON.stringify(body, null, 2)}
          </Code>
        </Group>
      )}
      {fix === null && body === null && errors.length < 2 && (
        <Text size="sm" c="dimmed">
          {t('The request had no body, or its data was erased.')}
        </Text>
      )}
    </Stack>
  );
}
