import type { ClickIds } from '../../shared/click-ids.ts';
import type { NewVisit } from './new-visit.ts';
import { sourceOf } from './source-medium.ts';

/** What a session has of the visit that started it, in the names of its columns. */
export interface SessionStart {
  account_id: string;
  number: number;
  /** Milliseconds since 1970. */
  started_at: number;
  landing_url: string;
  referrer: string | null;
  source: string | null;
  medium: string | null;
  campaign: string | null;
  term: string | null;
  content: string | null;
  utm_id: string | null;
  click_ids: ClickIds;
  device: string | null;
  browser: string | null;
  os: string | null;
  country: string | null;
  region: string | null;
  is_bot: boolean;
  is_internal: boolean;
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
