import type { Dimension } from './overview-state.ts';

export const DIMENSION_LABELS: Record<Dimension, string> = {
  source: 'Source',
  medium: 'Medium',
  campaign: 'Campaign',
  platform: 'Ad platform',
  landingPage: 'Landed on',
  page: 'Any page',
  event: 'Event',
  funnel: 'Funnel',
  country: 'Country',
  device: 'Device',
};

/** What the absence of a value means to whoever reads it. */
const NOTHING: Partial<Record<Dimension, string>> = {
  source: 'Direct',
  medium: 'None',
  platform: 'No ad click',
  country: 'Unknown',
  device: 'Unknown',
};

export const PLATFORM_LABELS = {
  gclid: 'Google Ads',
  gbraid: 'Google Ads (iOS, app)',
  wbraid: 'Google Ads (iOS, web)',
  fbclid: 'Meta',
  msclkid: 'Microsoft Ads',
  ttclid: 'TikTok',
  li_fat_id: 'LinkedIn',
  epik: 'Pinterest',
  twclid: 'X',
  sclid: 'Snapchat',
  tblci: 'Taboola',
  ob_click_id: 'Outbrain',
  rdt_cid: 'Reddit',
  aleid: 'AppLovin',
  alart: 'AppLovin (alart)',
} as const;

const countries = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'code' });

/** A value of a dimension as a person reads it. */
export function labelOfValue(dimension: Dimension, value: string | null): string {
  if (value === null || value === '') return NOTHING[dimension] ?? 'None';
  if (dimension === 'platform') return (PLATFORM_LABELS as Record<string, string>)[value] ?? value;
  if (dimension === 'country' && /^[A-Z]{2}$/.test(value)) return countries.of(value) ?? value;
  if (dimension === 'device') return value.charAt(0).toUpperCase() + value.slice(1);
  return value;
}
