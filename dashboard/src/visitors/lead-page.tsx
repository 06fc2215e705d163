import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { headwater } from '../service/session.ts';
import { formatDateTime } from '../shared/formats.ts';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { VisitorTimeline } from './visitor-timeline.tsx';

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
          description={`First seen ${formatDateTime(lead.firstSeenAt)}, last seen ${formatDateTime(lead.lastSeenAt)}`}
          back={{ to: '/leads', label: 'Leads' }}
        >
          <VisitorTimeline of={{ leadId: lead.id }} />
        </Page>
      )}
    </Loaded>
  );
}
