/** Patterns of the parameters that carry each click id: a short form of server/src/shared/click-ids.ts; a test compares them. */
const CLICK_IDS =
  'gclid gbraid wbraid fbclid msclkid ttclid li(_fat_|fat)id epik twclid s(cl|cc|ccl|c_click_)id tbl(ci|clid)|taboolaclickid ob_?clickid|ob_click_id|dicbo rdt_?cid aleid alart oppref'.split(
    ' ',
  );

/** Values that count as absent, as in server/src/tracking/absent.ts: blank ones, unfilled macros, texts of missing values. */
const ABSENT = /^(\$?{.*}|\[.*]|(__|%%).*\2|null|undefined| *)$/;

/** What in a landing URL may start a session: click ids, by the pattern of their parameters, and the campaign as `utm`. */
export type Landing = Record<string, string>;

/** The URL without its click ids. */
export const withoutClickIds = (url: string): string =>
  url.replace(RegExp(`\\b(${CLICK_IDS.join('|')})=[^&#]*`, 'gi'), '');

/** Must agree with server/src/tracking/ingest/landing.ts. */
export function readLanding(url: string): Landing {
  const found: Landing = {};
  const utm: Landing = {};
  for (const [parameter, value] of new webkitURL(url).searchParams) {
    const name = parameter.toLowerCase();
    const clickId = CLICK_IDS.find((pattern) => RegExp(`^(${pattern})$`).test(name));
    if (!ABSENT.test(value)) {
      if (clickId && value.length < 2049) found[clickId] ??= value;
      utm[name] ??= value.slice(0, 512);
    }
  }
  const { utm_source, utm_campaign, utm_id } = utm;
  if (utm_source || utm_campaign || utm_id) {
    found.utm = [utm_source, utm_campaign, utm_id, utm.utm_medium].join();
  }
  return found;
}
