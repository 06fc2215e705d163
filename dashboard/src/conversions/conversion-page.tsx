import type { ConversionWithReports } from '@headwater/sdk';
import { Anchor, Stack, Table, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { headwater } from '../service/session.ts';
import { Facts } from '../shared/facts.tsx';
import { formatTime } from '../shared/formats.ts';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { originOf } from '../visitors/origin.tsx';
import { Path } from '../visitors/path.tsx';
import { amountIn } from './conversion-list.tsx';
import { Restate } from './restate.tsx';

export function ConversionPage() {
  const { conversionId } = useParams({ from: '/shell/conversions/$conversionId' });
  const query = useQuery({
    queryKey: ['conversion', conversionId],
    queryFn: ({ signal }) => headwater.getConversion({ conversionId }, { signal }),
  });
  return <Loaded query={query}>{(conversion) => <Found conversion={conversion} />}</Loaded>;
}

function Found({ conversion }: { conversion: ConversionWithReports }) {
  const { event, eventId, createdOn, sessionId, lead, reports, identifier, extra } = conversion;
  const facts: [string, string | null][] = [
    ['Order number', eventId],
    ['Happened', formatTime(createdOn)],
    ...Object.entries(identifier ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
    ...Object.entries(extra ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
  ];
  return (
    <Page
      title={`${event}: ${amountIn(conversion)}`}
      description={
        <>
          {sessionId === null ? (
            'No session'
          ) : (
            <Anchor component={Link} to={`/sessions/${sessionId}`} size="sm">
              {originOf(conversion)}
            </Anchor>
          )}
          {lead && (
            <>
              {' · '}
              <Anchor component={Link} to={`/leads/${lead.id}`} size="sm">
                {lead.email}
              </Anchor>
            </>
          )}
        </>
      }
      back={
        <Anchor component={Link} to="/conversions" size="sm" c="dimmed">
          Conversions
        </Anchor>
      }
      actions={<Restate conversion={conversion} />}
    >
      <Facts facts={facts} />
      <Stack gap="sm">
        <Title order={2}>Reports of it</Title>
        <div className="surface">
          <Table.ScrollContainer minWidth={480}>
            <Table className="data-table" verticalSpacing="sm" horizontalSpacing="md">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Arrived</Table.Th>
                  <Table.Th ta="right">Value</Table.Th>
                  <Table.Th>By</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {reports.map((report, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: they are only ever added to
                  <Table.Tr key={i}>
                    <Table.Td>{formatTime(report.receivedAt)}</Table.Td>
                    <Table.Td ta="right" className="number">
                      {amountIn({ value: report.value, currency: report.currency ?? conversion.currency })}
                    </Table.Td>
                    <Table.Td>{report.origin === 'event' ? 'An event' : 'A report'}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </div>
      </Stack>
      {sessionId !== null && (
        <Stack gap="sm">
          <Title order={2}>What led to it</Title>
          <Path of={lead ? { leadId: lead.id } : { sessionId }} />
        </Stack>
      )}
    </Page>
  );
}
