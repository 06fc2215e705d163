import type { TimelineItem } from '@headwater/sdk';
import { Anchor, Group, Stack, Text, Timeline } from '@mantine/core';
import '@mantine/core/styles/Timeline.css';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { headwater } from '../service/session.ts';
import { formatMoney, formatTime } from '../shared/formats.ts';
import { Icon, type IconName } from '../shared/icons.tsx';
import { Listing } from '../shared/listing.tsx';
import { Empty } from '../shared/states.tsx';
import { ClickBadges, originOf, pageOf } from './origin.tsx';

const ICONS: Record<TimelineItem['kind'], IconName> = {
  session: 'link',
  visit: 'content',
  event: 'overview',
  conversion: 'check',
  restatement: 'edit',
};

/** All that is known of a session or a lead, in its order: from the ad click to the last restatement. */
export function Path({ of }: { of: { sessionId: number } | { leadId: string } }) {
  const query = useInfiniteQuery({
    queryKey: ['timeline', of],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      headwater.getTimeline({ ...of, pageSize: 100, pageToken: pageParam }, { signal }),
    getNextPageParam: (page) => page.nextPageToken ?? undefined,
  });
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Listing
      query={query}
      label="Loading what happened"
      isEmpty={items.length === 0}
      empty={<Empty icon="clock" title="Nothing is known any more" />}
    >
      <Timeline bulletSize={30} lineWidth={2} m="lg">
        {items.map((item) => (
          <Timeline.Item
            key={`${item.kind} ${item.id ?? item.sessionId} ${item.at} ${item.receivedAt ?? ''}`}
            bullet={<Icon name={ICONS[item.kind]} size={15} />}
            title={<ItemTitle item={item} />}
          >
            <Stack gap={4}>
              <Text size="xs" c="dimmed">
                {formatTime(item.at)}
              </Text>
              <ItemDetails item={item} />
            </Stack>
          </Timeline.Item>
        ))}
      </Timeline>
    </Listing>
  );
}

function ItemTitle({ item }: { item: TimelineItem }) {
  const { kind, session, event } = item;
  if (kind === 'session') {
    const clicked = session && Object.keys(session.clickIds).length > 0;
    const from = session ? originOf(session) : '';
    return (
      <Group gap="xs">
        <Anchor component={Link} to={`/sessions/${item.sessionId}`} fw={600}>
          {clicked ? `Clicked an ad: ${from}` : `Came: ${from}`}
        </Anchor>
        {session && <ClickBadges clickIds={session.clickIds} />}
      </Group>
    );
  }
  if (kind === 'visit') return <span title={item.url ?? undefined}>{item.title || pageOf(item.url ?? '')}</span>;
  if (kind === 'event') return <span>{event}</span>;
  const amount = amountOf(item);
  return (
    <Anchor component={Link} to={`/conversions/${item.id}`} fw={600}>
      {kind === 'conversion' ? `${event}${amount && `: ${amount}`}` : `Restated${amount && ` to ${amount}`}`}
    </Anchor>
  );
}

function amountOf({ value, currency }: TimelineItem): string {
  if (value === null || value === undefined) return '';
  return currency ? formatMoney(value, currency) : value;
}

function ItemDetails({ item }: { item: TimelineItem }) {
  if (item.kind === 'visit' && item.title) {
    return (
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {pageOf(item.url ?? '')}
      </Text>
    );
  }
  if (item.kind === 'session' && item.session) {
    const { device, browser, os, country } = item.session;
    return (
      <Text size="sm" c="dimmed">
        {[pageOf(item.session.landingUrl), device, browser, os, country].filter(Boolean).join(' · ')}
      </Text>
    );
  }
  const entries = Object.entries({ ...item.identifier, ...item.properties });
  if (entries.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {entries.map(([name, value]) => `${name}: ${inWords(value)}`).join(' · ')}
    </Text>
  );
}

/** A value of any shape, without the signs of JSON. */
function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(inWords).join(', ');
  if (value === null || typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([name, each]) => `${name} ${inWords(each)}`)
    .join(', ');
}
