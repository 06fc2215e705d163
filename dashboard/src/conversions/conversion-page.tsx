import type { ConversionWithReports } from '@headwater/sdk';
import { Alert, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ConversionDeliveries } from '../destinations/conversion-deliveries.tsx';
import { headwater } from '../service/session.ts';
import { DataTable } from '../shared/data-table.tsx';
import { DescriptionList } from '../shared/description-list.tsx';
import { formatDateTime } from '../shared/formats.ts';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { TextLink } from '../shared/text-link.tsx';
import { VisitorTimeline } from '../visitors/visitor-timeline.tsx';
import { AdjustValue } from './adjust-value.tsx';
import { SourceLink, valueText } from './conversion-list.tsx';

export function ConversionPage() {
  const { conversionId } = useParams({ from: '/shell/conversions/$conversionId' });
  const query = useQuery({
    queryKey: ['conversion', conversionId],
    queryFn: ({ signal }) => headwater.getConversion({ conversionId }, { signal }),
  });
  return <Loaded query={query}>{(conversion) => <ConversionDetails conversion={conversion} />}</Loaded>;
}

function ConversionDetails({ conversion }: { conversion: ConversionWithReports }) {
  const { event, eventId, createdOn, sessionId, lead, reports, identifier, extra, withdrawnAt } = conversion;
  return (
    <Page
      title={`${event}: ${valueText(conversion)}`}
      description={
        <>
          <SourceLink conversion={conversion} />
          {lead && (
            <>
              {' · '}
              <TextLink to={`/leads/${lead.id}`}>{lead.email}</TextLink>
            </>
          )}
        </>
      }
      back={{ to: '/conversions', label: 'Conversions' }}
      actions={<AdjustValue conversion={conversion} />}
    >
      {withdrawnAt && (
        <Alert variant="light" color="yellow" title="Withdrawn">
          Its import was undone {formatDateTime(withdrawnAt)}. It no longer counts.
        </Alert>
      )}
      <DescriptionList
        items={[
          ['Order ID', eventId],
          ['Time', formatDateTime(createdOn)],
          ...Object.entries({ ...identifier, ...extra }).map(([name, value]): [string, string] => [
            name,
            String(value),
          ]),
        ]}
      />
      <Stack gap="sm">
        <Title order={2}>Report history</Title>
        <DataTable
          label="Report history"
          query={{ data: reports }}
          minWidth={480}
          rowKey={(_, i) => i}
          columns={[
            { id: 'received', label: 'Received', cell: ({ receivedAt }) => formatDateTime(receivedAt) },
            {
              id: 'value',
              label: 'Value',
              isNumber: true,
              cell: ({ value, currency }) => valueText({ value, currency: currency ?? conversion.currency }),
            },
            { id: 'source', label: 'Source', cell: (each) => <ReportSource {...each} /> },
          ]}
        />
      </Stack>
      <ConversionDeliveries conversionId={conversion.id} />
      {sessionId !== null && (
        <Stack gap="sm">
          <Title order={2}>Conversion path</Title>
          <VisitorTimeline of={lead ? { leadId: lead.id } : { sessionId }} />
        </Stack>
      )}
    </Page>
  );
}

type Report = ConversionWithReports['reports'][number];

function ReportSource({ origin, importId, isWithdrawn }: Report) {
  if (origin === 'undo') return 'Import undone';
  const source = importId ? <TextLink to={`/conversions/imports/${importId}`}>Import</TextLink> : null;
  return (
    <>
      {source ?? (origin === 'event' ? 'Event' : 'API')}
      {isWithdrawn && ' (withdrawn)'}
    </>
  );
}
