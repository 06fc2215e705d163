import { DAY } from '../../shared/units.ts';

/**
 * The versions of the platforms' APIs that requests are made with, and the day from which each stops working. `npm run lint`
 * warns from 90 days before and fails from 30 days before; the start logs it, and the dashboard shows it. To change one, read
 * its source, set `checked`, and run the tests of the platform.
 */
export interface ApiVersion {
  version: string;
  /** The day from which requests with it fail, YYYY-MM-DD; null: none is announced. */
  ends: string | null;
  /** Where that is published, and when it was read. */
  source: string;
  checked: string;
}

export const API_VERSIONS = {
  google: {
    version: 'v1',
    ends: null,
    source: 'developers.google.com/data-manager/api: v1 is the only version of the Data Manager API',
    checked: '2026-11-24',
  },
  googleAds: {
    version: 'v26',
    ends: null,
    source:
      'developers.google.com/google-ads/api/reference: v26 is the latest active version; the release schedule of 4 September 2025 projects its sunset for November 2027. Costs are read with it',
    checked: '2026-11-27',
  },
  meta: {
    version: 'v27.0',
    ends: null,
    source:
      'developers.facebook.com, Marketing API version history: v27.0 of 4 November 2026 is the latest, its end "TBD". Versions of the Marketing API, to which the Conversions API and Insights belong, last about a year',
    checked: '2026-11-27',
  },
  microsoft: {
    version: 'v13',
    ends: null,
    source: 'techcommunity.microsoft.com/blog/adsapiblog, "Bing Ads API version 12 sunset": only v13 is supported',
    checked: '2026-11-24',
  },
  tiktok: {
    version: 'v1.3',
    ends: null,
    source: 'business-api.tiktok.com/portal/docs?id=1740578661644289: v1.3 of 15 August 2022, available until TBD',
    checked: '2026-11-24',
  },
  linkedin: {
    version: '202603',
    ends: '2027-03-16',
    source: 'learn.microsoft.com/linkedin/marketing/integrations/migrations: 202603 is sunset on March 16, 2027',
    checked: '2026-11-24',
  },
  pinterest: {
    version: 'v5',
    ends: null,
    source: 'developers.pinterest.com/docs/api/v5: v5 is the current version',
    checked: '2026-11-24',
  },
  snapchat: {
    version: 'v3',
    ends: null,
    source: 'developers.snap.com, Conversions API, "Using the API": v3 is the current version',
    checked: '2026-11-24',
  },
  reddit: {
    version: 'v3',
    ends: null,
    source: 'rudderstack.com/docs, "Reddit Destination v3 Migration Guide": v3 is current, v2 deprecated',
    checked: '2026-11-24',
  },
  x: {
    version: '12',
    ends: null,
    source: 'docs.x.com/x-ads-api/fundamentals/versioning: 12.0 of October 27, 2022 is the latest, its end TBD',
    checked: '2026-11-24',
  },
  amazon: {
    version: 'v1',
    ends: null,
    source:
      'advertising.amazon.com/API/docs/en-us/guides/events/events: POST /adsApi/v1/create/events, which replaces the Conversions API',
    checked: '2026-11-29',
  },
  applovin: {
    version: 'v1',
    ends: null,
    source: 'support.axon.ai, Conversion API: https://b.applovin.com/v1/event is the only version',
    checked: '2026-11-27',
  },
  openai: {
    version: 'v1',
    ends: null,
    source: 'developers.openai.com/ads/conversions-api: https://bzr.openai.com/v1/events is the only version',
    checked: '2026-11-27',
  },
  taboola: {
    version: '3',
    ends: null,
    source: 'developers.taboola.com, "Bulk submit conversions": /log/3/bulk-s2s-action',
    checked: '2026-11-24',
  },
} as const satisfies Record<string, ApiVersion>;

export const WARN_DAYS = 90;
export const FAIL_DAYS = 30;
/** Ends are announced: a version without one is looked up again after this time. */
const CHECK_DAYS = 270;

interface EndingVersion extends ApiVersion {
  platform: string;
  ends: string;
  /** Negative once it has ended. */
  daysLeft: number;
}

/** The versions that end within 90 days, or have ended, the next one first. */
export function endingVersions(now: number, versions: Record<string, ApiVersion> = API_VERSIONS): EndingVersion[] {
  return Object.entries(versions)
    .flatMap(([platform, each]) => {
      const { ends } = each;
      if (ends === null) return [];
      const daysLeft = Math.ceil((Date.parse(ends) - now) / DAY);
      return daysLeft <= WARN_DAYS ? [{ ...each, platform, ends, daysLeft }] : [];
    })
    .sort((a, b) => a.daysLeft - b.daysLeft);
}

/** The versions without a known end whose source was last read long ago. */
export function staleVersions(now: number, versions: Record<string, ApiVersion> = API_VERSIONS): string[] {
  return Object.entries(versions)
    .filter(([, { ends, checked }]) => ends === null && now - Date.parse(checked) > CHECK_DAYS * DAY)
    .map(([platform]) => platform);
}
