import { Anchor, Group, Table } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { headwater } from '../service/session.ts';
import { formatAgo, formatTime } from '../shared/formats.ts';
import { ListFilters } from '../shared/list-filters.tsx';
import { type ListState, narrowed, timesOf } from '../shared/list-state.ts';
import { Listing } from '../shared/listing.tsx';
import { Page } from '../shared/page.tsx';
import { SearchBox } from '../shared/search-box.tsx';
import { Empty } from '../shared/states.tsx';
import { originOf } from './origin.tsx';

/** People known by their e-mail, newest first. */
export function LeadsPage() {
  const state = useSearch({ from: '/shell/leads' });
  const navigate = useNavigate();
  const set = (part: ListState) => navigate({ to: '/leads', search: narrowed(state, part), replace: true });
  const { q } = state;
  const query = useInfiniteQuery({
    queryKey: ['leads', state],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      headwater.listLeads({ q, ...timesOf(state), pageToken: pageParam }, { signal }),
    getNextPageParam: (page) => page.nextPageToken ?? undefined,
    placeholderData: keepPreviousData,
  });
  const leads = query.data?.pages.flatMap((page) => page.leads) ?? [];
  return (
    <Page wide title="Leads" description="People who left their e-mail, with where they first came from.">
      <Group>
        <SearchBox
          value={q}
          onSearch={(text) => set({ q: text })}
          label="Search leads"
          placeholder="E-mail, or its beginning"
        />
        <ListFilters filters={[]} state={state} onChange={set} />
      </Group>
      <Listing
        query={query}
        label="Loading leads"
        isEmpty={leads.length === 0}
        empty={
          Object.keys(state).length === 0 ? (
            <Empty icon="users" title="No leads yet">
              An event with an <code>email</code> among its properties makes one:{' '}
              <code>headwater.track('signup', {'{ email }'})</code>
            </Empty>
          ) : (
            <Empty icon="search" title="No such lead">
              Leads are found by the beginning of their e-mail, and by the days on which they were first seen.
            </Empty>
          )
        }
      >
        <Table.ScrollContainer minWidth={640}>
          <Table className="data-table" verticalSpacing="sm" horizontalSpacing="md">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>E-mail</Table.Th>
                <Table.Th>First came from</Table.Th>
                <Table.Th>Country</Table.Th>
                <Table.Th>First seen</Table.Th>
                <Table.Th>Last seen</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {leads.map((lead) => (
                <Table.Tr key={lead.id}>
                  <Table.Td>
                    <Anchor component={Link} to={`/leads/${lead.id}`} size="sm">
                      {lead.email}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>{lead.firstSessionId === null ? '' : originOf(lead)}</Table.Td>
                  <Table.Td>{lead.country}</Table.Td>
                  <Table.Td title={formatTime(lead.firstSeenAt)}>{formatAgo(lead.firstSeenAt)}</Table.Td>
                  <Table.Td title={formatTime(lead.lastSeenAt)}>{formatAgo(lead.lastSeenAt)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Listing>
    </Page>
  );
}
