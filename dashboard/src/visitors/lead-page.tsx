import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { headwater } from '../service/session.ts';
import { formatTime } from '../shared/formats.ts';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { Path } from './path.tsx';

export function LeadPage() {
  const { leadId } = useParams({ from: '/shell/leads/$leadId' });
  const query = useQuery({
    queryKey: ['lead', leadId],
    queryFn: ({ signal }) => headwater.getLead({ leadId }, { signal }),
  });
  return (
    <Loaded query={query}>
      {(lead) => (
        <Page
          title={lead.email}
          description={`First seen ${formatTime(lead.firstSeenAt)}, last seen ${formatTime(lead.lastSeenAt)}`}
          back={
            <Anchor component={Link} to="/leads" size="sm" c="dimmed">
              Leads
            </Anchor>
          }
        >
          <Path of={{ leadId: lead.id }} />
        </Page>
      )}
    </Loaded>
  );
}
