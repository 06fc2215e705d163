import type { Session } from '@headwater/sdk';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { t } from '../languages/translate.ts';
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
          {isBot
            ? `${t('Bot, excluded from reports.')} `
            : isInternal
              ? `${t('Excluded IP, not counted in reports.')} `
              : ''}
          {lead && <TextLink to={`/leads/${lead.id}`}>{lead.email}</TextLink>}
        </>
      }
      back={{ to: '/sessions', label: t('Sessions') }}
      // A lead has them on its page.
      actions={lead === null && <VisitorActions visitorId={session.visitorId} />}
    >
      <DescriptionList
        items={[
          [t('Session ID'), String(session.id)],
          [t('Session hash'), session.hash],
          [t('Short hash'), session.shortHash],
          [t('Visitor ID'), session.visitorId],
          [t('Started'), formatDateTime(session.startedAt)],
          [t('Last seen'), formatDateTime(session.lastSeenAt)],
          [t('Landing page'), session.landingUrl],
          [t('Referrer'), session.referrer],
          ...Object.entries(session.clickIds),
        ]}
      />
      <VisitorTimeline of={{ sessionId: session.id }} />
    </Page>
  );
}
