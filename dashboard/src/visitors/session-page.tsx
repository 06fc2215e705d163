import type { Session } from '@headwater/sdk';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { headwater } from '../service/session.ts';
import { DescriptionList } from '../shared/description-list.tsx';
import { formatDateTime } from '../shared/formats.ts';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { TextLink } from '../shared/text-link.tsx';
import { sourceOf } from './source.tsx';
import { VisitorActions } from './visitor-actions.tsx';
import { VisitorTimeline } from './visitor-timeline.tsx';

export function SessionPage() {
  const { sessionId } = useParams({ from: '/shell/sessions/$sessionId' });
  const query = useQuery({
    queryKey: ['tracked-session', sessionId],
    queryFn: ({ signal }) => headwater.getTrackedSession({ sessionId }, { signal }),
  });
  return <Loaded query={query}>{(session) => <SessionDetails session={session} />}</Loaded>;
}

function SessionDetails({ session }: { session: Session }) {
  const { lead, isBot, isInternal } = session;
  return (
    <Page
      title={sourceOf(session)}
      description={
        <>
          {isBot ? 'Bot, excluded from reports. ' : isInternal ? 'Excluded IP, not counted in reports. ' : ''}
          {lead && <TextLink to={`/leads/${lead.id}`}>{lead.email}</TextLink>}
        </>
      }
      back={{ to: '/sessions', label: 'Sessions' }}
      // A lead has them on its page.
      actions={lead === null && <VisitorActions visitorId={session.visitorId} />}
    >
      <DescriptionList
        items={[
          ['Session ID', String(session.id)],
          ['Session hash', session.hash],
          ['Short hash', session.shortHash],
          ['Visitor ID', session.visitorId],
          ['Started', formatDateTime(session.startedAt)],
          ['Last seen', formatDateTime(session.lastSeenAt)],
          ['Landing page', session.landingUrl],
          ['Referrer', session.referrer],
          ...Object.entries(session.clickIds),
        ]}
      />
      <VisitorTimeline of={{ sessionId: session.id }} />
    </Page>
  );
}
