import type { ClickIds } from '../../shared/click-ids.ts';
import type { RowOf, Rows } from '../../shared/postgres/statement.ts';
import type { NewVisit } from './new-visit.ts';
import { sourceOf } from './source-medium.ts';

/** The columns of a session that say what the visit was that started it, besides `started_at`. */
export const START_COLUMNS = {
  landing_url: 'text',
  referrer: 'text?',
  source: 'text?',
  medium: 'text?',
  campaign: 'text?',
  term: 'text?',
  content: 'text?',
  utm_id: 'text?',
  click_ids: 'jsonb',
  device: 'text?',
  browser: 'text?',
  os: 'text?',
  country: 'text?',
  region: 'text?',
  is_bot: 'boolean',
  is_internal: 'boolean',
} as const;

/** What a session has of the visit that started it, in the names of its columns. */
export interface SessionStart extends Omit<RowOf<Rows<typeof START_COLUMNS>>, 'click_ids'> {
  account_id: string;
  number: number;
  /** Milliseconds since 1970. */
  started_at: number;
  click_ids: ClickIds;
}

export function startOf(visit: NewVisit, accountId: string, number: number): SessionStart {
  const { landing, device } = visit;
  const { source, medium } = sourceOf(visit);
  return {
    account_id: accountId,
    number,
    started_at: visit.occurredAt,
    landing_url: visit.url,
    referrer: visit.referrer,
    source,
    medium,
    campaign: landing.campaign ?? landing.adCampaignId,
    term: landing.term,
    content: landing.content,
    utm_id: landing.utmId,
    click_ids: landing.clickIds,
    device: device.device,
    browser: device.browser,
    os: device.os,
    country: visit.place.country,
    region: visit.place.region,
    is_bot: visit.isBot,
    is_internal: visit.isInternal,
  };
}

/**
 * The order of the starts that visits give to one session. At the same time a visit that says where it comes from is first: the page that a
 * visitor lands on says so, the next one does not. What is left is decided by what the visits say, never by which arrived first.
 */
export function compareStarts(a: Omit<SessionStart, 'account_id' | 'number'>, b: typeof a): number {
  if (a.started_at !== b.started_at) return a.started_at - b.started_at;
  const [one, other] = [orderOf(a), orderOf(b)];
  const at = one.findIndex((value, i) => value !== other[i]);
  return at < 0 ? 0 : (one[at] ?? '') < (other[at] ?? '') ? -1 : 1;
}

/** The source may be that of the referrer. */
const CAMPAIGN = /[?&]utm_(source|campaign|id)=/i;

function orderOf(start: Omit<SessionStart, 'account_id' | 'number'>): string[] {
  const { landing_url, referrer, device, browser, os, country, region } = start;
  return [
    ...[Object.keys(start.click_ids).length > 0, CAMPAIGN.test(landing_url), start.source !== null].map((is) =>
      String(!is),
    ),
    // A session that turned out to be no bot is not taken for one again.
    ...[start.is_bot, start.is_internal].map(String),
    ...[landing_url, referrer, device, browser, os, country, region].map((text) => text ?? ''),
  ];
}

/** Whether a visit starts a session rather than another visit of it. */
export function isEarlier(visit: NewVisit, other: NewVisit): boolean {
  if (visit.occurredAt !== other.occurredAt) return visit.occurredAt < other.occurredAt;
  return compareStarts(startOf(visit, '', 0), startOf(other, '', 0)) < 0;
}
