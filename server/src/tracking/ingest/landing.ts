import type { ClickIds } from '../../shared/click-ids.ts';
import { storableText } from '../../shared/json.ts';
import { isAbsent } from '../absent.ts';
import { readClickIds } from './read-click-ids.ts';

/** What a landing URL says about the source of the visit. */
export interface Landing {
  clickIds: ClickIds;
  source: string | null;
  medium: string | null;
  campaign: string | null;
  term: string | null;
  content: string | null;
  utmId: string | null;
  /** The ID that Google adds to its ads: the campaign of a session without a `utm_campaign`. */
  adCampaignId: string | null;
}

const NONE: Landing = {
  clickIds: {},
  source: null,
  medium: null,
  campaign: null,
  term: null,
  content: null,
  utmId: null,
  adCampaignId: null,
};

/** Reads the UTM parameters (names in any case) and click ids of a URL. */
export function readLanding(url: string): Landing {
  const parsed = URL.parse(url);
  if (!parsed || parsed.search === '') return NONE;
  const utm = new Map<string, string>();
  for (const [name, value] of parsed.searchParams) {
    const key = name.toLowerCase();
    if (key.startsWith('utm_') && !utm.has(key) && !isAbsent(value)) utm.set(key, storableText(value.slice(0, 512)));
  }
  return {
    clickIds: readClickIds(parsed.searchParams),
    source: utm.get('utm_source') ?? null,
    medium: utm.get('utm_medium') ?? null,
    campaign: utm.get('utm_campaign') ?? null,
    term: utm.get('utm_term') ?? null,
    content: utm.get('utm_content') ?? null,
    utmId: utm.get('utm_id') ?? null,
    adCampaignId: /^\d{1,20}$/.exec(parsed.searchParams.get('gad_campaignid') ?? '')?.[0] ?? null,
  };
}
