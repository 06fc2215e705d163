import type { Destination } from '@headwater/sdk';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../languages/translate.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { Icon } from '../shared/icons.tsx';
import { Page } from '../shared/page.tsx';
import { EmptyState } from '../shared/states.tsx';
import { useMayWrite } from '../users/rights.ts';
import { DestinationStatus } from './destination-status.tsx';
import { destinationsQuery, platformsQuery } from './queries.ts';

export function DestinationsPage() {
  const query = useQuery(destinationsQuery());
  const { data: platforms } = useQuery(platformsQuery());
  const mayEdit = useMayWrite('destinations');
  const nameOf = (id: string) => platforms?.find(({ platform }) => platform === id)?.name ?? id;
  const columns: Column<Destination>[] = [
    { id: 'name', label: t('Name'), cell: ({ name }) => name, note: ({ platform }) => nameOf(platform) },
    {
      id: 'account',
      label: t('Account'),
      isDimmed: true,
      cell: ({ connection }) => Object.values(connection)[0] ?? '',
    },
    { id: 'status', label: t('Status'), cell: (destination) => <DestinationStatus destination={destination} /> },
    timeColumn('sent', t('Last sent'), ({ lastSentAt }) => lastSentAt),
  ];
  const connect = mayEdit && (
    <Button component={Link} to="/destinations/new" leftSection={<Icon name="plus" size={16} />}>
      {t('Connect platform')}
    </Button>
  );
  return (
    <Page
      wide
      title={t('Ad platforms')}
      description={t(
        'Sends conversions back to the platforms that the clicks came from, and adjusts them when their values change.',
      )}
      actions={query.data && query.data.length > 0 && connect}
    >
      <DataTable
        label={t('Ad platforms')}
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        rowLink={({ id }) => `/destinations/${id}`}
        empty={
          <EmptyState icon="send" title={t('No platforms connected')} action={connect}>
            {t(
              'Google, Meta, Microsoft, TikTok and other platforms learn from conversions which clicks lead to sales. Each conversion is sent with its click ID, within a minute of its report.',
            )}
          </EmptyState>
        }
      />
    </Page>
  );
}
