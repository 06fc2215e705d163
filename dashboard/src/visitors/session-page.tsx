import type { Session } from '@headwater/sdk';
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { headwater } from '../service/session.ts';
import { Facts } from '../shared/facts.tsx';
import { formatTime } from '../shared/formats.ts';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { originOf } from './origin.tsx';
import { Path } from './path.tsx';

export function SessionPage() {
  const { sessionId } = useParams({ from: '/shell/sessions/$sessionId' });
  const query = useQuery({
    queryKey: ['tracked-session', sessionId],
    queryFn: ({ signal }) => headwater.getTrackedSession({ sessionId }, { signal }),
  });
  return <Loaded query={query}>{(session) => <Found session={session} />}</Loaded>;
}

function Found({ session }: { session: Session }) {
  const { lead } = session;
  const facts: [string, string | null][] = [
    ['Number', String(session.id)],
    ['Hash', session.hash],
    ['Short hash', session.shortHash],
    ['Visitor', session.visitorId],
    ['Began', formatTime(session.startedAt)],
    ['Last seen', formatTime(session.lastSeenAt)],
    ['Landed on', session.landingUrl],
    ['Came from', session.referrer],
    ...Object.entries(session.clickIds),
  ];
  return (
    <Page
      title={originOf(session)}
      description={
        <>
          {session.isBot ? 'A bot’s session, not counted. ' : session.isInternal ? 'Internal, not counted. ' : ''}
          {lead && (
            <Anchor component={Link} to={`/leads/${lead.id}`} size="sm">
              {lead.email}
            </Anchor>
          )}
        </>
      }
      back={
        <Anchor component={Link} to="/sessions" size="sm" c="dimmed">
          Sessions
        </Anchor>
      }
    >
      <Facts facts={facts} />
      <Path of={{ sessionId: session.id }} />
    </Page>
  );
}
