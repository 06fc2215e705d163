/** The dimensions by which reports group and filter. All belong to a session. */
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

/** Dimensions of which a session can have several values. */
export const MULTI_VALUED: readonly string[] = ['platform', 'page', 'event', 'funnel'] satisfies Dimension[];

/**
 * Names of click ids. Segments store their index, so a new one is appended. Declared here as well as in tracking because the
 * report thread would have to load all of tracking for it; a test keeps the two equal.
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

/** For each filtered dimension the accepted values; null means that the session has no value. */
export type Filters = Partial<Record<Dimension, (string | null)[]>>;

/** Traffic that is left out of reports by default. */
export interface Include {
  bots: boolean;
  internal: boolean;
}

/** From `from` to before `to`, in milliseconds since 1970, on whole minutes. */
export interface Period {
  from: number;
  to: number;
}
