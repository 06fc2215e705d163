import type { ConversionItem } from '@headwater/sdk';

interface ClickId {
  /** The platform whose ads add it. */
  platform: string;
  /** The platform with the name of the click ID where it has several. */
  variant?: string;
  /** The macro that the platform, or a compatible tracker, replaces with the click ID. */
  macro?: string;
}

/** The click IDs that the service recognizes. */
export const CLICK_IDS = {
  gclid: { platform: 'Google Ads' },
  gbraid: { platform: 'Google Ads', variant: 'iOS, app' },
  wbraid: { platform: 'Google Ads', variant: 'iOS, web' },
  fbclid: { platform: 'Meta' },
  msclkid: { platform: 'Microsoft Ads' },
  ttclid: { platform: 'TikTok', macro: '__CLICKID__' },
  li_fat_id: { platform: 'LinkedIn' },
  epik: { platform: 'Pinterest' },
  twclid: { platform: 'X' },
  sclid: { platform: 'Snapchat' },
  tblci: { platform: 'Taboola', macro: '{click_id}' },
  ob_click_id: { platform: 'Outbrain', macro: '{{ob_click_id}}' },
  rdt_cid: { platform: 'Reddit' },
  aleid: { platform: 'AppLovin' },
  alart: { platform: 'AppLovin', variant: 'alart' },
  oppref: { platform: 'OpenAI Ads' },
} satisfies Partial<Record<keyof ConversionItem, ClickId>>;

export type ClickIdName = keyof typeof CLICK_IDS;

const entries = Object.entries(CLICK_IDS) as [ClickIdName, ClickId][];

/** "Google Ads (iOS, app)" by click ID. */
export const PLATFORM_LABELS = Object.fromEntries(
  entries.map(([name, { platform, variant }]) => [name, variant ? `${platform} (${variant})` : platform]),
) as Record<ClickIdName, string>;

/** "Google Ads (gbraid)" by click ID. */
export const CLICK_ID_LABELS = Object.fromEntries(
  entries.map(([name, { platform }]) => [name, `${platform} (${name})`]),
) as Record<ClickIdName, string>;

export const macroOf = (name: string) => {
  const clickId: ClickId | undefined = CLICK_IDS[name as ClickIdName];
  return clickId?.macro ?? `{${clickId ? name : 'session'}}`;
};
