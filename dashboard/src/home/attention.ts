import { queryOptions } from '@tanstack/react-query';
import { HOUR, MINUTE } from '../../../server/src/shared/units.ts';
import { currentOf, subjectOf } from '../alerts/labels.ts';
import { collectionsQuery } from '../content/queries.ts';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { type AccountOfUser, headwater } from '../service/session.ts';
import type { IconName } from '../shared/icons.tsx';
import { rightsOf } from '../users/rights.ts';

export interface Notice {
  text: string;
  to: string;
  icon: IconName;
}

/** The collections whose drafts are counted. */
const MAX_COLLECTIONS = 12;
const REFRESH_MS = MINUTE;
/** Mails say it after as long. */
const COSTS_FAIL_MS = 3 * HOUR;

/** Drafts that were never published, by collection. */
async function draftNotices(signal: AbortSignal): Promise<Notice[]> {
  const collections = (await queryClient.ensureQueryData(collectionsQuery())).filter(({ publishing }) => publishing);
  const where = JSON.stringify({ and: [{ publishedAt: { exists: 'false' } }] });
  const found = await Promise.all(
    collections.slice(0, MAX_COLLECTIONS).map(async ({ id, name }): Promise<Notice[]> => {
      const query = { collectionId: id, where, pageSize: 1, count: 'exact' as const, select: 'id' };
      const { total = 0 } = await headwater.listEntries(query, { signal });
      if (total === 0) return [];
      const to = `/content/${id}?${new URLSearchParams({ where })}`;
      return [
        {
          text: t('{count, plural, one {# draft} other {# drafts}} in {name}', { count: total, name }),
          to,
          icon: 'edit',
        },
      ];
    }),
  );
  return found.flat();
}

/** Destinations and webhooks that do not reach anybody. */
async function deliveryNotices(signal: AbortSignal): Promise<Notice[]> {
  const [{ destinations }, { webhooks }] = await Promise.all([
    headwater.listDestinations({ pageSize: 100 }, { signal }),
    headwater.listWebhooks({ pageSize: 100 }, { signal }),
  ]);
  return [
    ...destinations
      .filter(({ status, failingSince }) => status === 'paused' || failingSince !== null)
      .map(({ id, name, status }): Notice => {
        const text = status === 'paused' ? t('{name} is paused', { name }) : t('{name} is failing', { name });
        return { text, to: `/destinations/${id}`, icon: 'warning' };
      }),
    ...webhooks
      .filter(({ failingSince, disabledReason }) => failingSince !== null || disabledReason === 'failing')
      .map(
        ({ id, url }): Notice => ({
          text: t('Webhook {url} is failing', { url }),
          to: `/webhooks/${id}`,
          icon: 'warning',
        }),
      ),
  ];
}

async function unmatchedNotices(signal: AbortSignal): Promise<Notice[]> {
  const { conversions, nextPageToken } = await headwater.listUnmatchedConversions({ pageSize: 100 }, { signal });
  if (conversions.length === 0) return [];
  const text =
    nextPageToken === null
      ? t('{count, plural, one {# unmatched conversion} other {# unmatched conversions}}', {
          count: conversions.length,
        })
      : t('{count}+ unmatched conversions', { count: conversions.length });
  return [{ text, to: '/conversions?list=unmatched', icon: 'coins' }];
}

/** Ad accounts whose cost is not read: at once if they are paused, and otherwise after a while. */
async function costNotices(signal: AbortSignal): Promise<Notice[]> {
  const { costSources } = await headwater.listCostSources({ pageSize: 100 }, { signal });
  return costSources
    .filter(
      ({ pauseReason, failingSince }) =>
        pauseReason !== null || (failingSince !== null && Date.now() - Date.parse(failingSince) > COSTS_FAIL_MS),
    )
    .map(({ name }) => {
      const text = t('What ads cost cannot be read from {name}', { name });
      return { text, to: '/ad-costs/sources', icon: 'coins' };
    });
}

/** Open incidents of alerts. */
async function alertNotices({ currency }: AccountOfUser, signal: AbortSignal): Promise<Notice[]> {
  const { alerts } = await headwater.listAlerts({ pageSize: 100 }, { signal });
  return alerts.flatMap((alert): Notice[] => {
    const text = `${subjectOf(alert)}: ${currentOf(alert, currency)}`;
    return alert.incident ? [{ text, to: '/alerts', icon: 'warning' }] : [];
  });
}

/** What needs attention in the part of the account that a member sees. */
export const attentionQuery = (account: AccountOfUser) => {
  const { uses, may } = rightsOf(account);
  return queryOptions({
    queryKey: ['attention', account.id],
    queryFn: async ({ signal }) => {
      const all = await Promise.all([
        may('read') ? draftNotices(signal) : [],
        uses('destinations') && uses('webhooks') ? deliveryNotices(signal) : [],
        uses('analytics') ? alertNotices(account, signal) : [],
        uses('analytics') ? costNotices(signal) : [],
        uses('conversions') ? unmatchedNotices(signal) : [],
      ]);
      return all.flat();
    },
    refetchInterval: REFRESH_MS,
  });
};
