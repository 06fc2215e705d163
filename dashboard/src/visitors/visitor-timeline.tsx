import type { TimelineItem } from '@headwater/sdk';
import { Anchor, Group, Text, Timeline } from '@mantine/core';
import '@mantine/core/styles/Timeline.css';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { formatDateTime, formatMoney } from '../shared/formats.ts';
import { Icon, type IconName } from '../shared/icons.tsx';
import { LoadMore } from '../shared/load-more.tsx';
import { pagedQuery } from '../shared/paged-query.ts';
import { EmptyState, Loaded } from '../shared/states.tsx';
import { ClickBadges, pageOf, sourceOf } from './source.tsx';

const ICONS: Record<TimelineItem['type'], IconName> = {
  session: 'link',
  visit: 'content',
  event: 'overview',
  conversion: 'check',
  restatement: 'edit',
};

/** Everything recorded of a session or a lead in chronological order, from the ad click to the last adjustment. */
export function VisitorTimeline({ of }: { of: { sessionId: number } | { leadId: string } }) {
  const query = useInfiniteQuery(
    pagedQuery(
      ['timeline', of],
      (pageToken, signal) => headwater.getTimeline({ ...of, pageSize: 100, pageToken }, { signal }),
      ({ items }) => items,
    ),
  );
  return (
    <>
      <div className="surface">
        <Loaded query={query} rows={4} label={t('Loading the timeline')}>
          {(items) =>
            items.length === 0 ? (
              <EmptyState icon="clock" title={t('Data no longer available')}>
                {t('It was deleted, or is older than the retention period.')}
              </EmptyState>
            ) : (
              <Timeline bulletSize={30} lineWidth={2} m="lg">
                {items.map((item) => (
                  <Timeline.Item
                    key={`${item.type} ${item.id ?? item.sessionId} ${item.at} ${item.receivedAt ?? ''}`}
                    bullet={<Icon name={ICONS[item.type]} size={15} />}
                    title={<ItemTitle item={item} />}
                  >
                    <Text size="xs" c="dimmed">
                      {formatDateTime(item.at)}
                    </Text>
                    <ItemDetails item={item} />
                  </Timeline.Item>
                ))}
              </Timeline>
            )
          }
        </Loaded>
      </div>
      <LoadMore query={query} />
    </>
  );
}

function ItemTitle({ item }: { item: TimelineItem }) {
  const { type, session, event } = item;
  if (type === 'session') {
    const isAdClick = session && Object.keys(session.clickIds).length > 0;
    return (
      <Group gap="xs">
        <Anchor component={Link} to={`/sessions/${item.sessionId}`} fw={600}>
          {isAdClick ? t('Ad click') : t('Visit')}: {session ? sourceOf(session) : ''}
        </Anchor>
        {session && <ClickBadges clickIds={session.clickIds} />}
      </Group>
    );
  }
  if (type === 'visit') return <span title={item.url ?? undefined}>{item.title || pageOf(item.url ?? '')}</span>;
  if (type === 'event') return <span>{event}</span>;
  const amount = amountOf(item);
  return (
    <Anchor component={Link} to={`/conversions/${item.id}`} fw={600}>
      {type === 'conversion'
        ? `${event}${amount && `: ${amount}`}`
        : amount
          ? t('Value adjusted to {amount}', { amount })
          : t('Value adjusted')}
    </Anchor>
  );
}

function amountOf({ value, currency }: TimelineItem): string {
  if (value === null || value === undefined) return '';
  return currency ? formatMoney(value, currency) : value;
}

function ItemDetails({ item }: { item: TimelineItem }) {
  const details = detailsOf(item);
  if (details === '') return null;
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {details}
    </Text>
  );
}

function detailsOf({ type, title, url, session, identifier, properties }: TimelineItem): string {
  if (type === 'visit' && title) return pageOf(url ?? '');
  if (type === 'session' && session) {
    const { landingUrl, device, browser, os, country, region } = session;
    return [pageOf(landingUrl), device, browser, os, region ?? country].filter(Boolean).join(' · ');
  }
  return Object.entries({ ...identifier, ...properties })
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join(' · ');
}

/** A value of any shape as text, without JSON syntax. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (value === null || typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([name, each]) => `${name} ${valueText(each)}`)
    .join(', ');
}
