/** Click ids of ad platforms, by the interface's names, in its order. */
export const CLICK_ID_NAMES = [
  'gclid',
  'gbraid',
  'wbraid',
  'fbclid',
  'msclkid',
  'ttclid',
  'li_fat_id',
  'epik',
  'twclid',
  'sclid',
  'tblci',
  'ob_click_id',
  'rdt_cid',
  'aleid',
  'alart',
] as const;

export type ClickIdName = (typeof CLICK_ID_NAMES)[number];

/**
 * Parameters of a landing URL, in lower case, that carry a click id: the interface's names, and what the platforms or
 * their usual macros call them (Snap appends ScCid, Outbrain's macro is mostly passed as dicbo or obclickid, …).
 */
const PARAMETERS = new Map<string, ClickIdName>([
  ...CLICK_ID_NAMES.map((name) => [name, name] as const),
  ['sccid', 'sclid'],
  ['scclid', 'sclid'],
  ['sc_click_id', 'sclid'],
  ['tblclid', 'tblci'],
  ['taboolaclickid', 'tblci'],
  ['obclickid', 'ob_click_id'],
  ['ob_clickid', 'ob_click_id'],
  ['dicbo', 'ob_click_id'],
  ['rdtcid', 'rdt_cid'],
  ['lifatid', 'li_fat_id'],
]);

const MAX_LENGTH = 2048;

/** The click ids in a URL's query: names in any case, values exactly as they stand. The first of a repeated one counts. */
export function readClickIds(query: URLSearchParams): Partial<Record<ClickIdName, string>> {
  const found: Partial<Record<ClickIdName, string>> = {};
  for (const [parameter, value] of query) {
    const name = PARAMETERS.get(parameter.toLowerCase());
    if (name && found[name] === undefined && value.trim() !== '' && value.length <= MAX_LENGTH) found[name] = value;
  }
  return found;
}
