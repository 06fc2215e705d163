interface ClickId {
  /** The ad platform as people know it. */
  platform: string;
  /** Of a platform with several click IDs: which one it is. */
  variant?: string;
  /** The macro that the platform, or a compatible tracker, replaces with the click ID; by default its name in braces. */
  macro?: string;
  /** Landing page parameters in lower case that also carry the click id: the platform's other names and usual macros. */
  aliases?: readonly string[];
  source: string;
  /** What else its ads have as `utm_source`: its other names, and where they are shown. */
  otherSources?: readonly string[];
  medium: 'cpc' | 'social';
}

const GOOGLE = { source: 'google', otherSources: ['googleads', 'adwords', 'youtube', 'gmail'], medium: 'cpc' } as const;

/**
 * The click ids of ad platforms under the interface's names and in its order. A platform adds its click id to ads only,
 * except Facebook, which adds fbclid to every link. The dashboard also reads this list.
 *
 * Source: the platforms' documentation of their parameters. `aleid` and `alart` belong to AppLovin. Snap appends ScCid;
 * Outbrain's macro is usually passed as dicbo or obclickid.
 */
export const CLICK_IDS = {
  gclid: { platform: 'Google Ads', ...GOOGLE },
  gbraid: { platform: 'Google Ads', variant: 'iOS, app', ...GOOGLE },
  wbraid: { platform: 'Google Ads', variant: 'iOS, web', ...GOOGLE },
  fbclid: { platform: 'Meta', source: 'facebook', medium: 'social' },
  msclkid: {
    platform: 'Microsoft Ads',
    source: 'bing',
    otherSources: ['bingads', 'microsoft', 'msn', 'yahoo', 'duckduckgo', 'ecosia', 'aol'],
    medium: 'cpc',
  },
  ttclid: { platform: 'TikTok', macro: '__CLICKID__', source: 'tiktok', medium: 'cpc' },
  li_fat_id: { platform: 'LinkedIn', source: 'linkedin', medium: 'cpc', aliases: ['lifatid'] },
  epik: { platform: 'Pinterest', source: 'pinterest', medium: 'cpc' },
  twclid: { platform: 'X', source: 'twitter', otherSources: ['x'], medium: 'cpc' },
  sclid: {
    platform: 'Snapchat',
    source: 'snapchat',
    otherSources: ['snap'],
    medium: 'cpc',
    aliases: ['sccid', 'scclid', 'sc_click_id'],
  },
  tblci: {
    platform: 'Taboola',
    macro: '{click_id}',
    source: 'taboola',
    medium: 'cpc',
    aliases: ['tblclid', 'taboolaclickid'],
  },
  ob_click_id: {
    platform: 'Outbrain',
    macro: '{{ob_click_id}}',
    source: 'outbrain',
    medium: 'cpc',
    aliases: ['obclickid', 'ob_clickid', 'dicbo'],
  },
  rdt_cid: { platform: 'Reddit', source: 'reddit', medium: 'cpc', aliases: ['rdtcid'] },
  aleid: { platform: 'AppLovin', source: 'applovin', medium: 'cpc' },
  alart: { platform: 'AppLovin', variant: 'alart', source: 'applovin', medium: 'cpc' },
  oppref: { platform: 'OpenAI Ads', source: 'chatgpt', otherSources: ['openai'], medium: 'cpc' },
} as const satisfies Record<string, ClickId>;

export type ClickIdName = keyof typeof CLICK_IDS;
export type ClickIds = Partial<Record<ClickIdName, string>>;

export const CLICK_ID_ENTRIES = Object.entries(CLICK_IDS) as [ClickIdName, ClickId][];

export const CLICK_ID_NAMES: readonly ClickIdName[] = CLICK_ID_ENTRIES.map(([name]) => name);

/** Click ids with their source, in order of precedence: those of ads first. */
export const CLICK_ID_SOURCES = CLICK_ID_ENTRIES.map(([name, { aliases = [], source, otherSources = [], medium }]) => ({
  name,
  aliases,
  source,
  otherSources,
  medium,
})).sort((a, b) => Number(a.medium === 'social') - Number(b.medium === 'social'));
