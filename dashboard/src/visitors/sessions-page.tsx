import type { Session } from '@headwater/sdk';
import { Anchor, Group, Table, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { PLATFORM_LABELS } from '../overview/dimension-labels.ts';
import { headwater } from '../service/session.ts';
import { formatAgo, formatTime } from '../shared/formats.ts';
import { type ListFilter, ListFilters } from '../shared/list-filters.tsx';
import { type ListState, narrowed, timesOf } from '../shared/list-state.ts';
import { Listing } from '../shared/listing.tsx';
import { Page } from '../shared/page.tsx';
import { SearchBox } from '../shared/search-box.tsx';
import { Empty } from '../shared/states.tsx';
import { ClickBadges, Muted, originOf, pageOf } from './origin.tsx';

const FILTERS: ListFilter[] = ['source', 'medium', 'campaign', 'platform', 'country', 'device'];

/** Sessions, newest first: what somebody has in hand finds one. */
export function SessionsPage() {
  const state = useSearch({ from: '/shell/sessions' });
  const navigate = useNavigate();
  const set = (part: Partial<ListState>) => navigate({ to: '/sessions', search: narrowed(state, part), replace: true });
  const { platform, from: _, to: __, ...asked } = state;
  const query = useInfiniteQuery({
    queryKey: ['tracked-sessions', state],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      headwater.listTrackedSessions(
        {
          ...asked,
          ...timesOf(state),
          platform: platform as keyof typeof PLATFORM_LABELS | undefined,
          pageToken: pageParam,
        },
        { signal },
      ),
    getNextPageParam: (page) => page.nextPageToken ?? undefined,
    placeholderData: keepPreviousData,
  });
  const sessions = query.data?.pages.flatMap((page) => page.sessions) ?? [];
  const isNarrowed = Object.keys(state).length > 0;
  return (
    <Page wide title="Sessions" description="Every visit to your pages, from where it came to what became of it.">
      <Group gap="sm">
        <SearchBox
          value={state.q}
          onSearch={(text) => set({ q: text })}
          label="Search sessions"
          placeholder="Hash, number, click id, visitor, e-mail …"
        />
        <ListFilters filters={FILTERS} state={state} onChange={set} />
      </Group>
      <Listing
        query={query}
        label="Loading sessions"
        isEmpty={sessions.length === 0}
        empty={
          isNarrowed ? (
            <Empty icon="search" title="No such session">
              Search takes a session’s hash, short hash or number, a visitor’s id, a click id, or an e-mail with its @.
            </Empty>
          ) : (
            <Empty icon="overview" title="No sessions yet">
              They appear here as soon as somebody visits a page with the script on it.
            </Empty>
          )
        }
      >
        <SessionTable sessions={sessions} />
      </Listing>
    </Page>
  );
}

export function SessionTable({ sessions }: { sessions: Session[] }) {
  return (
    <Table.ScrollContainer minWidth={820}>
      <Table className="data-table" verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Began</Table.Th>
            <Table.Th>From</Table.Th>
            <Table.Th>Landed on</Table.Th>
            <Table.Th>Ad click</Table.Th>
            <Table.Th>Who</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sessions.map((session) => (
            <Table.Tr key={session.id}>
              <Table.Td title={formatTime(session.startedAt)}>
                <Anchor component={Link} to={`/sessions/${session.id}`} size="sm">
                  {formatAgo(session.startedAt)}
                </Anchor>
              </Table.Td>
              <Table.Td>{originOf(session)}</Table.Td>
              <Table.Td title={session.landingUrl}>{pageOf(session.landingUrl)}</Table.Td>
              <Table.Td>
                <ClickBadges clickIds={session.clickIds} />
              </Table.Td>
              <Table.Td>
                {session.lead ? (
                  <Anchor component={Link} to={`/leads/${session.lead.id}`} size="sm">
                    {session.lead.email}
                  </Anchor>
                ) : (
                  <Text size="sm" ff="monospace" c="dimmed">
                    {session.shortHash}
                  </Text>
                )}
                <Muted>{[session.device, session.browser, session.country].filter(Boolean).join(' · ')}</Muted>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
