interface ClickIdSource {
  /** Landing page parameters in lower case that also carry the click id: the platform's other names and usual macros. */
  aliases?: readonly string[];
  source: string;
  medium: 'cpc' | 'social';
}

/**
 * The click ids of ad platforms under the interface's names and in its order. A platform adds its click id to ads only,
 * except Facebook, which adds fbclid to every link.
 *
 * Source: the platforms' documentation of their parameters. `aleid` and `alart` belong to AppLovin. Snap appends ScCid;
 * Outbrain's macro is usually passed as dicbo or obclickid.
 */
const CLICK_IDS = {
  gclid: { source: 'google', medium: 'cpc' },
  gbraid: { source: 'google', medium: 'cpc' },
  wbraid: { source: 'google', medium: 'cpc' },
  fbclid: { source: 'facebook', medium: 'social' },
  msclkid: { source: 'bing', medium: 'cpc' },
  ttclid: { source: 'tiktok', medium: 'cpc' },
  li_fat_id: { source: 'linkedin', medium: 'cpc', aliases: ['lifatid'] },
  epik: { source: 'pinterest', medium: 'cpc' },
  twclid: { source: 'twitter', medium: 'cpc' },
  sclid: { source: 'snapchat', medium: 'cpc', aliases: ['sccid', 'scclid', 'sc_click_id'] },
  tblci: { source: 'taboola', medium: 'cpc', aliases: ['tblclid', 'taboolaclickid'] },
  ob_click_id: { source: 'outbrain', medium: 'cpc', aliases: ['obclickid', 'ob_clickid', 'dicbo'] },
  rdt_cid: { source: 'reddit', medium: 'cpc', aliases: ['rdtcid'] },
  aleid: { source: 'applovin', medium: 'cpc' },
  alart: { source: 'applovin', medium: 'cpc' },
  oppref: { source: 'chatgpt', medium: 'cpc' },
} as const satisfies Record<string, ClickIdSource>;

export type ClickIdName = keyof typeof CLICK_IDS;
export type ClickIds = Partial<Record<ClickIdName, string>>;

const ENTRIES = Object.entries(CLICK_IDS) as [ClickIdName, ClickIdSource][];

export const CLICK_ID_NAMES: readonly ClickIdName[] = ENTRIES.map(([name]) => name);

/** Click ids with their platform, in order of precedence: those of ads first. */
export const CLICK_ID_SOURCES = ENTRIES.map(([name, { aliases = [], ...platform }]) => ({
  name,
  aliases,
  ...platform,
})).sort((a, b) => Number(a.medium === 'social') - Number(b.medium === 'social'));
