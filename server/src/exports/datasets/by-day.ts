import { type Column, type Dataset, decimal, id, integer, json, text, time } from './dataset.ts';
import { DATASETS } from './index.ts';

/** A dataset as files of days hold it: all of its columns, of rows that belong to a day. */
export interface DayDataset {
  /** The tables; that of the rows is `t`. */
  from: string;
  where?: string;
  /** The time or date that decides the day (UTC). */
  time: string;
  isDate?: true;
  /** The order of the rows of a day. */
  order: string;
  columns: readonly Column[];
}

function byDay({ table, key, time, sessions, columns }: Dataset): DayDataset {
  const joins = sessions.map(
    ({ as, number }) => `left join sessions ${as} on ${as}.account_id = t.account_id and ${as}.number = t.${number}`,
  );
  return { from: [`from ${table} t`, ...joins].join(' '), time: `t.${time}`, order: `t.${key}`, columns };
}

const adCosts: DayDataset = {
  from: 'from ad_costs t',
  time: 't.day',
  isDate: true,
  order: 't.source, t.campaign, t.ad_group, t.ad, t.currency, t.campaign_id, t.ad_group_id, t.ad_id',
  columns: [
    text('date', 't.day::text'),
    ...(['source', 'campaign'] as const).map((name) => text(name, `t.${name}`)),
    text('adGroup', 't.ad_group'),
    text('ad', 't.ad'),
    text('campaignId', 't.campaign_id'),
    text('adGroupId', 't.ad_group_id'),
    text('adId', 't.ad_id'),
    decimal('cost', 't.cost'),
    text('currency', 't.currency'),
    integer('clicks', 't.clicks'),
    integer('impressions', 't.impressions'),
    time('updatedAt', 't.updated_at'),
  ],
};

const entries: DayDataset = {
  from: 'from entries t join collections c on c.account_id = t.account_id and c.id = t.collection_id',
  where: "t.status = 'active' and c.status = 'active'",
  time: 't.created_at',
  order: 't.collection_id, t.id',
  columns: [
    id('id', 't.id', 'ent'),
    id('collectionId', 't.collection_id', 'col'),
    text('collectionKey', 'c.key'),
    integer('version', 't.version::bigint'),
    integer('publishedVersion', 't.published_version::bigint'),
    time('publishedAt', 't.published_at'),
    time('createdAt', 't.created_at'),
    time('updatedAt', 't.updated_at'),
    json('values', 't."values"::jsonb'),
  ],
};

/** Every dataset in files of days. */
export const DAY_DATASETS = {
  sessions: byDay(DATASETS.sessions),
  visits: byDay(DATASETS.visits),
  events: byDay(DATASETS.events),
  leads: byDay(DATASETS.leads),
  conversions: byDay(DATASETS.conversions),
  unmatched: byDay(DATASETS.unmatched),
  adCosts,
  entries,
} satisfies Record<string, DayDataset>;

export type DayDatasetName = keyof typeof DAY_DATASETS;
