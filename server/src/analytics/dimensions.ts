/** By what reports tell things apart. All are a session's; the last four can have several values in one session. */
export const DIMENSIONS = [
  'source',
  'medium',
  'campaign',
  'landingPage',
  'country',
  'device',
  'platform',
  'page',
  'event',
  'funnel',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Those that can have several values in one session. */
export const MANIFOLD: readonly string[] = ['platform', 'page', 'event', 'funnel'] satisfies Dimension[];

/**
 * Kinds of click ids. Packed sessions name them by their place here, so a new one comes last. Not taken from tracking, which a
 * thread would have to load for them.
 */
export const PLATFORMS: readonly string[] = [
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
];

/** For each dimension the values of which a session has one; null is none. */
export type Filters = Partial<Record<Dimension, (string | null)[]>>;

export interface Include {
  bots: boolean;
  internal: boolean;
}

/** `from` is in, `to` is out; milliseconds since 1970, whole minutes. */
export interface Period {
  from: number;
  to: number;
}

/** Whether a report needs to know the events of sessions. */
export function asksForEvents(filters: Filters, by: readonly Dimension[]): boolean {
  return [...Object.keys(filters), ...by].some((name) => name === 'event' || name === 'funnel');
}
