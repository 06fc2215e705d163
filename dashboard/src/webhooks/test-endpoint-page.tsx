import { parseExact, type WebhookArrival } from '@headwater/sdk';
import { Badge, Button, Code, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater, useIsOwner } from '../service/session.ts';
import { CopyField } from '../shared/copy-field.tsx';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { Page } from '../shared/page.tsx';
import { EmptyState } from '../shared/states.tsx';

const KEY = ['webhook-test-endpoint'];

const SIGNATURES: Record<WebhookArrival['signature'], { color: string; label: string }> = {
  valid: { color: 'green', label: t('Signature is right') },
  invalid: { color: 'red', label: t('Signature is wrong') },
  missing: { color: 'gray', label: t('Not signed') },
  unknown: { color: 'gray', label: t('No webhook sends here') },
};

const COLUMNS: Column<WebhookArrival>[] = [
  timeColumn('time', t('Time'), ({ at }) => at),
  {
    id: 'body',
    label: t('Body'),
    cell: ({ body }) => <span className="code">{body.slice(0, 100)}</span>,
    note: ({ bytes }) => t('{bytes, number} bytes', { bytes }),
  },
  {
    id: 'signature',
    label: t('Signature'),
    cell: ({ signature }) => (
      <Badge variant="light" color={SIGNATURES[signature].color}>
        {SIGNATURES[signature].label}
      </Badge>
    ),
  },
];

/** A URL of the service that keeps what arrives there, to see what an endpoint receives. */
export function TestEndpointPage() {
  const isOwner = useIsOwner();
  const state = {
    queryKey: KEY,
    queryFn: ({ signal }: { signal: AbortSignal }) => headwater.getWebhookTestEndpoint({ signal }),
    refetchInterval: 3_000,
  };
  const url = useQuery({ ...state, select: (found) => found.url });
  const arrivals = useQuery({ ...state, select: (found) => found.arrivals });
  return (
    <Page
      wide
      title={t('Test endpoint')}
      description={t(
        'Create a webhook with this URL to see what an endpoint receives. The last 50 requests are kept for a day.',
      )}
      actions={
        isOwner && (
          <Button
            variant="default"
            disabled={arrivals.data?.length === 0}
            onClick={async () => {
              await headwater.clearWebhookTestEndpoint();
              await queryClient.invalidateQueries({ queryKey: KEY });
            }}
          >
            {t('Delete all')}
          </Button>
        )
      }
    >
      {url.data && <CopyField label={t('URL')} value={url.data} />}
      <DataTable
        label={t('What arrived')}
        query={arrivals}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowName={({ at }) => at}
        details={(arrival) => <Details arrival={arrival} />}
        empty={
          <EmptyState icon="link" title={t('Nothing arrived yet')}>
            {t('Send a test from a webhook with this URL, or anything else by POST.')}
          </EmptyState>
        }
      />
    </Page>
  );
}

function Details({ arrival: { headers, body } }: { arrival: WebhookArrival }) {
  return (
    <Stack gap="sm">
      <Table layout="fixed">
        <Table.Tbody>
          {Object.entries(headers).map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th>{name}</Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" fw={600}>
        {t('Body')}
      </Text>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {readable(body)}
      </Code>
    </Stack>
  );
}

/** JSON with line breaks; anything else as it is. */
function readable(body: string): string {
  try {
    return JSON.stringify(parseExact(body), null, 2);
  } catch {
    return body;
  }
}
