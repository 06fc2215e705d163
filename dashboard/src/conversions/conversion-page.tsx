import type { ConversionWithReports } from '@headwater/sdk';
import { Alert, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ConversionDeliveries } from '../destinations/conversion-deliveries.tsx';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { DataTable } from '../shared/data-table.tsx';
import { DescriptionList } from '../shared/description-list.tsx';
import { formatDateTime } from '../shared/formats.ts';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { TextLink } from '../shared/text-link.tsx';
import { VisitorTimeline } from '../visitors/visitor-timeline.tsx';
import { AdjustValue } from './adjust-value.tsx';
import { IDENTIFIERS } from './columns.ts';
import { SourceLink, StateBadge, valueText } from './conversion-list.tsx';

export function ConversionPage() {
  const { conversionId } = useParams({ from: '/shell/conversions/$conversionId' });
  const query = useQuery({
    queryKey: ['conversion', conversionId],
    queryFn: ({ signal }) => headwater.getConversion({ conversionId }, { signal }),
  });
  return <Loaded query={query}>{(conversion) => <ConversionDetails conversion={conversion} />}</Loaded>;
}

function ConversionDetails({ conversion }: { conversion: ConversionWithReports }) {
  const { event, eventId, createdOn, sessionId, lead, reports, moreReports, identifier, extra, withdrawnAt } =
    conversion;
  return (
    <Page
      title={`${event}: ${valueText(conversion)}`}
      description={
        <>
          <StateBadge conversion={conversion} /> <SourceLink conversion={conversion} />
          {lead && (
            <>
              {' · '}
              <TextLink to={`/leads/${lead.id}`}>{lead.email}</TextLink>
            </>
          )}
        </>
      }
      back={{ to: '/conversions', label: t('Conversions') }}
      actions={<AdjustValue conversion={conversion} />}
    >
      {withdrawnAt && (
        <Alert variant="light" color="yellow" title={t('Withdrawn')}>
          {t('Its import was undone {withdrawnAt}. It no longer counts.', { withdrawnAt: formatDateTime(withdrawnAt) })}
        </Alert>
      )}
      <DescriptionList
        items={[
          [t('Order ID'), eventId],
          [t('Time'), formatDateTime(createdOn)],
          ...Object.entries(identifier ?? {}).map(([name, value]): [string, string] => [
            (IDENTIFIERS as Record<string, string>)[name] ?? name,
            String(value),
          ]),
          ...Object.entries(extra ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
        ]}
      />
      <Stack gap="sm">
        <Title order={2}>{t('Report history')}</Title>
        {moreReports && (
          <Text c="dimmed">{t('The latest {count} reports are listed.', { count: reports.length })}</Text>
        )}
        <DataTable
          label={t('Report history')}
          query={{ data: reports }}
          minWidth={480}
          rowKey={(_, i) => i}
          columns={[
            { id: 'received', label: t('Received'), cell: ({ receivedAt }) => formatDateTime(receivedAt) },
            {
              id: 'value',
              label: t('Value'),
              isNumber: true,
              cell: ({ value, currency }) => valueText({ value, currency: currency ?? conversion.currency }),
            },
            { id: 'source', label: t('Source'), cell: (each) => <ReportSource {...each} /> },
          ]}
        />
      </Stack>
      <ConversionDeliveries conversionId={conversion.id} />
      {sessionId !== null && (
        <Stack gap="sm">
          <Title order={2}>{t('Conversion path')}</Title>
          <VisitorTimeline of={lead ? { leadId: lead.id } : { sessionId }} />
        </Stack>
      )}
    </Page>
  );
}

type Report = ConversionWithReports['reports'][number];

function ReportSource({ origin, importId, isWithdrawn }: Report) {
  if (origin === 'undo') return t('Import undone');
  const source = importId ? <TextLink to={`/conversions/imports/${importId}`}>{t('Import')}</TextLink> : null;
  return (
    <>
      {source ?? (origin === 'event' ? t('Event') : 'API')}
      {isWithdrawn && ` ${t('(withdrawn)')}`}
    </>
  );
}
