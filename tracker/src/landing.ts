/** Click ids of ad platforms: the parameters that carry each (server/src/tracking/click-ids.ts). */
const CLICK_IDS =
  'gclid gbraid wbraid fbclid msclkid ttclid li(_fat_|fat)id epik twclid s(cl|cc|ccl|c_click_)id tbl(ci|clid)|taboolaclickid ob_?clickid|ob_click_id|dicbo rdt_?cid aleid alart'.split(
    ' ',
  );

/** What in a landing URL may begin a session: click ids, by the parameters that may carry them, and the campaign as `utm`. */
export type Landing = Record<string, string>;

/** The address without its click ids. */
export const withoutClickIds = (address: string): string =>
  address.replace(RegExp(`\\b(${CLICK_IDS.join('|')})=[^&#]*`, 'gi'), '');

/** Decides as server/src/tracking/landing.ts does. */
export function readLanding(url: string): Landing {
  const found: Landing = {};
  const utm: Landing = {};
  for (const [parameter, value] of new URL(url).searchParams) {
    const name = parameter.toLowerCase();
    const clickId = CLICK_IDS.find((pattern) => RegExp(`^(${pattern})$`).test(name));
    if (clickId && value.trim() && value.length < 2049) found[clickId] ??= value;
    if (value) utm[name] ??= value.slice(0, 512);
  }
  const { utm_source, utm_campaign, utm_id } = utm;
  if (utm_source || utm_campaign || utm_id) {
    found.utm = JSON.stringify([utm_source, utm_campaign, utm_id, utm.utm_medium]);
  }
  return found;
}
