// Generated from openapi.json by npm run sdk. Do not edit.

export interface AcceptInvitationRequest {
  /** The part of the link after `#` */
  token: string;
  /** Case-insensitive */
  email?: string | undefined;
  password?: string | undefined;
  /** Of an authenticator app, or a recovery code: required where the response is 401 `two_factor_required` */
  code?: string | undefined;
  name?: string | undefined;
}

export interface AccessReview {
  type: 'passkey' | 'two_factor' | 'key';
  id: string;
  name: string;
  /** Of an API key */
  account: {
    id: string;
    name: string;
  } | null;
  createdAt: string;
  lastUsedAt: string | null;
}

export interface Account {
  id: string;
  name: string;
  /** IANA name. The default time zone of reports, and the days of exports */
  timeZone: string;
  /** ISO 4217. Reports convert revenue into it; null: they do not */
  currency: string | null;
  /** The value of one unit of each other currency in `currency`, decimal: `{"USD": "0.92"}` */
  exchangeRates: Record<string, string>;
  /** The latest active publishable key. It is not secret */
  publishableKey: string | null;
  createdAt: string;
}

export interface AdCost {
  /** The day in the time zone of the ad account */
  date: string;
  /** As in the reports, such as `google` */
  source: string;
  /** ISO 4217, in any case */
  currency: string;
  campaign: string | null;
  adGroup: string | null;
  ad: string | null;
  /** A decimal number */
  cost: string;
  clicks: number | null;
  impressions: number | null;
  /** The cost source that read it; missing: it was imported */
  costSourceId?: string | undefined;
  /** The platform's ID, of costs that were read */
  campaignId?: string | undefined;
  adGroupId?: string | null | undefined;
  adId?: string | null | undefined;
  updatedAt: string;
}

export interface AdCostsResult {
  /** Costs that were added or replaced */
  written: number;
  /** Costs that were removed */
  removed: number;
  /** Costs that were left out, because a cost source reads their day and campaign; missing if there are none */
  skipped?: number | undefined;
  /** With `onError=skip`: the invalid costs; missing if there are none */
  faults?: RowFault[] | undefined;
}

export interface AdPerformance {
  from: string;
  to: string;
  by: string;
  basis: string;
  /** Everything recorded until then is counted */
  asOf: string;
  /** What was known then is counted */
  asKnownOn: string;
  total: AdPerformanceNumbers;
  /** Sources or campaigns that had costs, by cost descending; at most 1,000 */
  rows: AdPerformanceRow[];
  /** Whether there are further rows */
  more: boolean;
}

/** The sum of `rows` */
export interface AdPerformanceNumbers {
  /** By currency */
  cost: Money[];
  clicks: number;
  impressions: number;
  sessions: number;
  leads: number;
  conversions: number;
  /** By currency */
  revenue: Money[];
  /** The cost of each currency divided by the conversions it led to, to two decimals. Conversions of a row with costs in several currencies are shared in proportion to these */
  costPerConversion: Money[];
  /** The revenue that the cost of each currency led to, converted into it, divided by this cost */
  returnOnAdSpend: {
    currency: string;
    /** 2 is revenue of twice the cost */
    value: number;
  }[];
  /** In the currency of the account, revenue by the exchange rate of the day of its sale, cost by that of its own day; null if it has no currency */
  converted: ConvertedCosts | null;
}

export interface AdPerformanceRow extends AdPerformanceNumbers {
  value: string | null;
}

export type AdPlatform = 'google' | 'meta' | 'microsoft' | 'tiktok' | 'linkedin' | 'pinterest' | 'snapchat' | 'reddit' | 'x' | 'taboola' | 'outbrain' | 'openai' | 'applovin' | 'amazon' | 'http' | 'cdn';

export interface AgentClient {
  /** As the client calls itself */
  name: string;
  /** Where the client describes itself; null: it registered itself, and anyone can use its name */
  host: string | null;
  /** Host or scheme that receives the token */
  redirectTarget: string;
  /** Where to go if the request is denied */
  deniedUrl: string;
}

export interface AgentConnection {
  /** The API key whose token the client receives */
  keyId: string;
  /** Contains the code for the client; works once, for a minute */
  redirectTo: string;
}

export interface AggregateQuery {
  /** Conditions as JSON, which all have to hold together with `filter`: `{"and": […]}`, `{"or": […]}`, `{"not": …}`, or `{"<path>": {"<operator>": value}}`. A path leads through groups, blocks and references by dots. */
  where?: unknown | undefined;
  /** Returns entries whose text fields, including nested ones, contain every word, also as a part of a longer word, ignoring case and accents. */
  q?: string | undefined;
  groupBy?: GroupKey[] | undefined;
  measures: Record<string, Measure>;
  /** Conditions on measures, such as `{"n": {"gte": 2}}` */
  having?: unknown | undefined;
  /** By measures or keys: `n:desc,status:asc` */
  sort?: string | undefined;
  /** 100 by default */
  limit?: number | undefined;
  /** The `nextPageToken` of the previous page, unchanged. Empty or null: the first page */
  pageToken?: string | null | undefined;
  /** Returns the values of localized fields in this locale, or else in its fallbacks. Filters and search use the same values; sorting uses those of this locale alone, and entries without one come last. */
  locale?: string | undefined;
  /** For collections with publishing: `published` reads the published entries as they were published; `draft`, the default, reads all entries with their latest values. */
  state?: 'draft' | 'published' | undefined;
  /** `true` also returns `explain`: how the entries were found, and by which indexes */
  explain?: boolean | undefined;
}

export interface Aggregates {
  /** Each with its measures by name. A sum or average is a decimal string. */
  groups: {
    /** By path; null: no value */
    key: Record<string, unknown>;
    [name: string]: unknown;
  }[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
  explain?: Explanation | undefined;
}

export interface Alert {
  id: string;
  name: string;
  /** `revenue` and `conversions` by the time of the sale, after refunds; `sessions` that started; `events` by arrival; `cost` by day. `destinationDifference`: how many percent of what a destination was meant to be told by now are missing there; the worst one. `expectedRevenue`: what clicks of the window are expected to earn. `costWithoutClicks`: cost of campaigns without a session */
  figure: AlertFigure;
  /** `threshold`: against `value`. `change`: by `percent` against the same window of the 8 weeks before. `expected`: likewise, against what was known at the same age then, so that sales that are reported late raise no alarm. `silence`: nothing for `minutes` */
  kind: AlertKind;
  /** In the time zone of the account */
  window: 'lastHour' | 'today' | 'yesterday' | 'last7Days';
  direction: 'below' | 'above';
  /** Of `threshold`: in the currency of the account, or percent of `destinationDifference` */
  value: number | null;
  /** Of `change` and `expected`. A difference must also be unlikely by the noise of these weeks: with few sales a day, it has to be larger */
  percent: number | null;
  /** Of `silence` */
  minutes: number | null;
  /** Of `events`: only this event */
  event: string | null;
  /** Of `revenue`, `conversions`, `sessions` and `cost`: only this source */
  source: string | null;
  channels: (AlertMail | AlertWebhook | AlertSlack)[];
  isEnabled: boolean;
  /** `tooYoung`: fewer than three weeks are known. `failed`: the figure could not be read. `unknown`: not evaluated yet */
  status: 'ok' | 'alerting' | 'tooYoung' | 'failed' | 'unknown';
  /** The figure at the last evaluation; of `silence`, what arrived */
  current: number | null;
  /** What is usual at this age */
  expected: number | null;
  /** Beyond it, the rule alerts */
  limit: number | null;
  /** The open one */
  incident: AlertIncident | null;
  checkedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

/** `revenue` and `conversions` by the time of the sale, after refunds; `sessions` that started; `events` by arrival; `cost` by day. `destinationDifference`: how many percent of what a destination was meant to be told by now are missing there; the worst one. `expectedRevenue`: what clicks of the window are expected to earn. `costWithoutClicks`: cost of campaigns without a session */
export type AlertFigure = 'revenue' | 'conversions' | 'sessions' | 'events' | 'cost' | 'destinationDifference' | 'expectedRevenue' | 'costWithoutClicks';

export interface AlertIncident {
  id: string;
  openedAt: string;
  resolvedAt: string | null;
  /** When it was opened */
  value: number;
  /** What is usual */
  expected: number | null;
  limit: number | null;
  /** The notice */
  text: string;
}

/** `threshold`: against `value`. `change`: by `percent` against the same window of the 8 weeks before. `expected`: likewise, against what was known at the same age then, so that sales that are reported late raise no alarm. `silence`: nothing for `minutes` */
export type AlertKind = 'threshold' | 'change' | 'expected' | 'silence';

/** To every owner */
export interface AlertMail {
  type: 'mail';
}

export interface AlertSlack {
  type: 'slack';
  /** An incoming webhook of Slack, or of a service that accepts `{"text"}` */
  url: string;
}

/** To webhooks with the topics `alert.opened` and `alert.resolved` */
export interface AlertWebhook {
  type: 'webhook';
}

export interface Annotation extends SharedAnnotation {
  id: string;
  createdBy: Author | null;
  createdAt: string;
  updatedAt: string;
}

export interface ApiKey {
  id: string;
  accountId: string;
  type: 'secret' | 'publishable' | 'postback';
  name: string;
  /** The last four characters of the key */
  hint: string;
  /** The key itself if it is publishable, and so not secret; otherwise null */
  key: string | null;
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
  /** From then on the key is refused (401 `key_expired`); null: never */
  expiresAt: string | null;
  /** Only requests from these IP addresses and CIDR ranges are accepted; null: from all */
  allowedAddresses: string[] | null;
  /** A secret token may do what a member with this role may: `editor`, `viewer`, or one of the account; null: everything */
  roleId: string | null;
}

/** The only part of the account that the member may use: collections and files, or reports, sessions, leads and conversions; null: all of it. Owners cannot be limited */
export type AreaName = 'content' | 'analytics' | null;

export interface AssetValue {
  assetId: string;
  /** URL of the file; works without a token. That of a private file expires after a day. */
  url: string;
  /** Detected from the content of the file; `file` is any other type */
  type?: 'image' | 'video' | 'file' | undefined;
  /** For example `image/jpeg` */
  mediaType?: string | undefined;
  /** File name as uploaded */
  name?: string | undefined;
  /** Size as stored and served */
  bytes?: number | undefined;
  /** Pixels as displayed, rotation applied */
  width?: number | null | undefined;
  /** Pixels as displayed, rotation applied */
  height?: number | null | undefined;
  /** Seconds */
  duration?: number | null | undefined;
  /** Text for who does not see it, in the locale of the request; empty: it is decorative */
  alt?: string | null | undefined;
  title?: string | null | undefined;
  caption?: string | null | undefined;
  focalPoint?: FocalPoint | null | undefined;
  /** Blurred preview as a small `data:` URL */
  placeholder?: string | null | undefined;
  /** URL of the poster image of a video */
  poster?: string | null | undefined;
  /** Smaller variants of an image, for an `img` element */
  srcset?: string | null | undefined;
  /** In the response of an upload of an SVG: elements, attributes and styles that were removed, at most 100 */
  removed?: string[] | undefined;
}

export interface AssignCostsRequest {
  assignments: CostAssignment[];
}

export interface AssignedExperiment {
  key: string;
  variants: {
    key: string;
    weight: number;
  }[];
  coverage: number;
  holdout?: number | undefined;
}

export interface Attribution {
  from: string;
  to: string;
  /** Conversions and revenue are what was known then */
  asKnownOn: string;
  by: string;
  windowDays: number;
  /** All conversions of the period */
  conversions: number;
  /** Conversions with a session in the lookback window */
  attributed: number;
  /** Sorted by the conversions of `linear`, descending; at most 1,000 */
  rows: ({
    value: string | null;
    first: AttributionShare;
    last: AttributionShare;
    linear: AttributionShare;
    position: AttributionShare;
    timeDecay: AttributionShare;
  })[];
  /** Whether there are further values */
  more: boolean;
}

export interface AttributionShare {
  /** The sum of the shares of conversions */
  conversions: number;
  revenue: Money[];
  /** The sum in the currency of the account, each amount at the rate of the day of its sale; null if it has no currency */
  convertedRevenue: ConvertedRevenue | null;
}

export interface AuditChange {
  id: string;
  at: string;
  actor: {
    type: 'user' | 'key' | 'command';
    id: string | null;
    name: string | null;
  };
  action: string;
  subject: {
    type: string;
    id: string;
  };
  address: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

export interface Author {
  type: 'user' | 'key' | 'command';
  id: string | null;
  /** null if the user was deleted */
  name: string | null;
}

export interface Backup {
  name: string;
  createdAt: string;
  /** Of the archive with the database; files are stored beside it, each once */
  bytes: number;
  isEncrypted: boolean;
  check: {
    startedAt: string;
    /** null: it is running */
    finishedAt: string | null;
    /** Whether the backup is complete and undamaged; null: it is running */
    isValid: boolean | null;
    /** Tables and files that are missing or damaged, at most 100 */
    damaged: string[];
  } | null;
}

export interface Backups {
  /** `BACKUP_URL` without its parameters; null: no backups are made */
  location: string | null;
  everyHours: number;
  keep: number;
  /** The newest 100, newest first */
  backups: Backup[];
  /** Why no backup is made by the process that responds; null: the last attempt succeeded, or is running */
  failing: FailingBackup | null;
  continuous: {
    everySeconds: number;
    days: number;
    /** The times to which the database can be restored, oldest first */
    ranges: {
      from: string;
      until: string;
    }[];
    /** Why the database is not copied; null: the last attempt succeeded, or is running */
    failing: FailingBackup | null;
  } | null;
}

export interface BatchEntriesRequest {
  operations: ({
    op: 'create' | 'update' | 'upsert' | 'delete' | 'restore' | 'publish' | 'unpublish';
    /** The ID or the key of the collection */
    collection: string;
    /** The ID of the entry, or `@` and the `ref` of an earlier operation */
    id?: string | undefined;
    /** The entry by the value of a unique field, such as `{"sku": "4711"}`, instead of `id` */
    by?: Record<string, unknown> | undefined;
    /** By field ID. A reference may be `@` and the `ref` of an earlier operation. */
    values?: Record<string, unknown> | undefined;
    /** Numbers to add, by field ID. A field without a value counts as 0. */
    increment?: Record<string, unknown> | undefined;
    /** Lists of values to add at the end of repeated fields, by field ID */
    append?: Record<string, unknown> | undefined;
    /** Lists of values to remove from repeated fields, by field ID */
    remove?: Record<string, unknown> | undefined;
    /** Parts of groups, by field ID. Members that are not sent stay, `null` clears. */
    merge?: Record<string, unknown> | undefined;
    /** Changes of single rows of repeated groups, in order */
    rows?: RowChange[] | undefined;
    /** The version that the entry must have */
    version?: number | undefined;
    /** A name for the new entry in later operations */
    ref?: string | undefined;
  })[];
  /** Checks the operations and changes nothing */
  dryRun?: boolean | undefined;
}

export interface BatchEntriesResult {
  /** In the order of the operations */
  results: ({
    /** null for an entry that a dry run would create */
    id: string | null;
    version: number;
  })[];
}

export interface Block {
  id: string;
  label: string;
  status: 'active' | 'deleted';
  /** The component whose fields these are */
  componentId?: string | undefined;
  fields: NestedField[];
}

export interface BlockChange {
  /** Unique within its list; generated if it is omitted */
  id?: string | undefined;
  label?: string | undefined;
  status?: 'active' | 'deleted' | undefined;
  componentId?: string | null | undefined;
  fields?: NestedFieldChange[] | null | undefined;
}

export interface Breakdown {
  from: string;
  to: string;
  timeZone: string;
  asOf: string;
  /** Conversions and revenue are what was known then */
  asKnownOn: string;
  previous: {
    from: string;
    to: string;
  } | null;
  /** By dimension */
  breakdowns: Record<string, {
      rows: BreakdownRow[];
      /** Whether there are further values */
      more: boolean;
    }>;
}

export interface BreakdownRow extends Numbers {
  /** null: without a value */
  value: string | null;
  /** By `event` and `funnel` only */
  events?: number | undefined;
  previous?: Numbers & ({
    events?: number | undefined;
  }) | undefined;
}

export interface BulkChange {
  op: 'update' | 'delete' | 'publish' | 'unpublish';
  /** The ID or the key of the collection */
  collection: string;
  /** Which entries, as in queries; at most 1,000. `{}`: all */
  where: unknown;
  /** By field ID */
  values?: Record<string, unknown> | undefined;
  /** Numbers to add, by field ID */
  increment?: Record<string, unknown> | undefined;
  /** Lists of values to add to repeated fields, by field ID */
  append?: Record<string, unknown> | undefined;
  /** Lists of values to remove from repeated fields, by field ID */
  remove?: Record<string, unknown> | undefined;
  /** Parts of groups, by field ID */
  merge?: Record<string, unknown> | undefined;
}

export interface CellAccounts {
  /** The 50 with the most visits and events, then by age */
  accounts: ({
    id: string;
    name: string;
    createdAt: string;
    /** Visits and events, estimated in large cells; null: few, or unavailable */
    recorded: number | null;
  })[];
}

export interface CellMove {
  account: string;
  /** Of the account */
  name: string;
  from: string;
  to: string;
  /** A move can be canceled until it is `switched` */
  state: 'copying' | 'following' | 'switching' | 'switched' | 'canceling';
  /** Why the latest attempt failed; it is repeated */
  error: string | null;
  startedAt: string;
}

export interface Cells {
  cells: ServiceCell[];
  moves: CellMove[];
}

export interface ChangeAccountRequest {
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  publishableKey?: unknown | undefined;
  name?: string | undefined;
  /** A name of the IANA time zone database */
  timeZone?: string | undefined;
  /** ISO 4217 */
  currency?: string | null | undefined;
  /** Replaces all rates. Decimal numbers above 0 */
  exchangeRates?: Record<string, string> | undefined;
}

export interface ChangeCellRequest {
  isOpen: boolean;
}

export interface ChangeEmailRequest {
  /** Case-insensitive */
  email: string;
  currentPassword?: string | undefined;
}

export interface ChangeEmailResult {
  /** true: the link that was sent to the new email changes it. false: it was changed */
  confirmationSent: boolean;
}

export interface ChangeMemberRequest {
  /** Ignored in requests */
  userId?: unknown | undefined;
  /** Ignored in requests */
  email?: unknown | undefined;
  /** Ignored in requests */
  name?: unknown | undefined;
  /** Ignored in requests */
  joinedAt?: unknown | undefined;
  /** Ignored in requests */
  lastSeenAt?: unknown | undefined;
  /** `custom`: one that the account defines, named by `roleId` */
  role?: RoleName | undefined;
  /** `owner`, `editor`, `viewer` or the ID of a role of the account */
  roleId?: string | undefined;
  /** The only part of the account that the member may use: collections and files, or reports, sessions, leads and conversions; null: all of it. Owners cannot be limited */
  area?: AreaName | undefined;
}

export interface ChangePasswordRequest {
  currentPassword: string;
  newPassword: string;
}

export interface ChangeTrackingSettingsRequest {
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
  /** Origins of the pages that may use the publishable key, such as `https://shop.example`, or `https://*.shop.example` for every subdomain. If empty, every origin may. Requests from servers, without an `Origin` header, are not restricted */
  allowedOrigins?: string[] | undefined;
  /** IPv4 and IPv6 addresses and CIDR ranges whose visits and events are recorded as internal traffic and excluded from reports, like those of bots */
  excludedAddresses?: string[] | undefined;
  /** How many days sessions, visits, events and leads are stored; null for no limit. Conversions remain, without their identifiers */
  retentionDays?: number | null | undefined;
  /** Keeps the visitor ID of visits also in the cookie `hw_id` (first-party, `HttpOnly`, 400 days), which survives the deletion of script storage after seven days. Only where the service runs under the site of the page, and only with consent */
  firstPartyId?: boolean | undefined;
}

export interface ChangeUserRequest {
  name?: string | undefined;
  /** One of the languages of the dashboard; null: that of the browser */
  language?: string | null | undefined;
}

export interface ChannelCondition {
  /** `term` and `content` are those of the UTM parameters, `referrerHost` and `landingPath` parts of the first page and its referrer, and `platform` the parameter of a click ID, such as `gclid` */
  field: 'source' | 'medium' | 'campaign' | 'term' | 'content' | 'referrerHost' | 'landingPath' | 'platform';
  /** All ignore the case of letters. `matches`: `*` stands for any text. `isNot` and `containsNot` also hold without a value */
  operator: 'is' | 'isNot' | 'contains' | 'containsNot' | 'startsWith' | 'matches';
  /** Any of these; null: no value, with `is` and `isNot` */
  values: (string | null)[];
}

export interface ChannelConditionGroup {
  /** Whether all or any of the conditions have to hold */
  match: 'all' | 'any';
  conditions: ChannelCondition[];
}

export interface ChannelRule {
  /** The channel. Several rules may have the same, which may also be that of a default channel group */
  name: string;
  /** Whether all or any of the conditions have to hold */
  match: 'all' | 'any';
  conditions: (ChannelCondition | ChannelConditionGroup)[];
}

export interface ChannelRuleEffects {
  from: string;
  to: string;
  /** How many sessions each rule takes */
  rules: {
    name: string;
    sessions: number;
  }[];
  /** All sessions by channel */
  channels: ({
    channel: string | null;
    sessions: number;
    /** By the current rules */
    previous: number;
  })[];
}

export interface ChannelRules {
  rules: ChannelRule[];
  /** Grows with each change */
  version: number;
  effects?: ChannelRuleEffects | undefined;
}

export interface CheckAgentRequest {
  /** The `client_id` of the request */
  clientId: string;
  redirectUri: string;
  /** By the method `S256` */
  codeChallenge: string;
  /** Returned to the client as it is */
  state?: string | undefined;
  /** What the token is for: the URL of `/mcp` */
  resource?: string | undefined;
}

export interface CheckFirstPartyRequest {
  /** Where your pages load the script from, such as `https://shop.example/metrics/headwater.js` */
  scriptUrl: string;
  /** The publishable key of your pages */
  apiKey: string;
}

export interface CheckFirstPartyResult {
  /** What was requested */
  url: string;
  works: boolean;
  problems: ({
    code: 'turned_off' | 'not_https' | 'unreachable' | 'key_refused' | 'not_forwarded' | 'cookie_removed' | 'set_cookie_removed' | 'header_removed';
    detail: string;
  })[];
}

/** Only these locales, in a collection with localized fields; by default all in which the entry has a value, and the default locale, unless the entry has none in it and lacks a required one. Values that are not localized are published with the default locale, and with any other while that is not published. */
export type ChosenLocales = string[];

export interface ClearUnusedFilesRequest {
  /** Only files unused for at least this long; default: 30 */
  unusedForDays?: number | undefined;
}

export interface ClearWebhookTestEndpointResult {
  success: boolean;
}

export interface Collection {
  id: string;
  /** Absent if there is none */
  key?: string | undefined;
  name: string;
  description: string | null;
  /** In order, including deleted ones */
  fields: Field[];
  displayFieldId: string | null;
  defaultSort: DefaultSort | null;
  status: 'active' | 'deleted';
  /** Absent unless entries are drafts until they are published */
  publishing?: boolean | undefined;
  /** Absent unless everyone with a publishable key can read what is published */
  public?: boolean | undefined;
  /** Absent unless entries have a preview */
  previewUrl?: string | undefined;
  /** The locale of values without a locale in their name. Absent unless the default locale of the account became another one */
  baseLocale?: string | undefined;
  /** Absent unless public entries have a `url` */
  urlPattern?: string | undefined;
  /** Absent unless the collection has one entry */
  singleton?: boolean | undefined;
  /** Absent unless no two entries may have the same values of some fields */
  uniqueTogether?: string[][] | undefined;
  /** Absent unless entries have a `position` */
  ordering?: 'manual' | undefined;
  /** Absent unless entries have a `parentId` */
  tree?: boolean | undefined;
  /** Absent unless versions must be approved before they are published: the role of who may approve */
  review?: 'editor' | 'owner' | undefined;
  createdAt: string;
  updatedAt: string;
}

/** A name that stands for the ID in every path and in `collectionIds`, such as `posts`; unique among the active collections of the account. It can change, and the old one then leads nowhere. */
export type CollectionKey = string | null;

/** `manual` gives entries a `position`, which `POST …/entries/{id}/move` changes; null, the default: none */
export type CollectionOrdering = 'manual' | null;

/** Whether a version must be approved before it is published, and the least role of who may approve; null, the default: not. Among users, only owners can change it. */
export type CollectionReview = 'editor' | 'owner' | null;

export interface ComparisonToDate {
  /** Compared with the first variant */
  variant: string;
  /** The event */
  metric: string;
  kind: string;
  isGuardrail: boolean;
  /** The relative difference per visitor: 0.1 is 10 % more. null: not known yet */
  lift: number | null;
  /** The interval of 95 % over all looks */
  low: number | null;
  /** The interval of 95 % over all looks */
  high: number | null;
}

export interface CompleteFirstRunRequest {
  /** The part of the link after `#` */
  token: string;
  /** Case-insensitive */
  email: string;
  password: string;
  name: string;
  accountName?: string | undefined;
  /** An existing account, instead of a new one */
  accountId?: string | undefined;
  /** A name of the IANA time zone database */
  timeZone?: string | undefined;
  /** ISO 4217 */
  currency?: string | undefined;
}

export interface Component {
  id: string;
  key: string | null;
  name: string;
  /** In order, including deleted ones */
  fields: NestedField[];
}

/** Of a text: makes its value of those beside it in the entry, group or row, such as `{firstName} {lastName}`; a field of a group is `{seo.title}`. What a request sends for it is ignored. null: it is written like others */
export type ComputedTemplate = string;

export interface ConfirmAccessRequest {
  type: 'passkey' | 'two_factor' | 'key';
  id: string;
}

export interface ConfirmEmailRequest {
  /** The part of the link after `#` */
  token: string;
}

export interface ConfirmEmailResult {
  success: boolean;
}

export interface ConfirmSessionRequest {
  currentPassword?: string | undefined;
  credential?: PasskeyCredential | undefined;
}

export interface ConfirmTwoFactorRequest {
  code: string;
}

export interface ConfirmTwoFactorResult {
  /** Each works once instead of a code. Shown once */
  recoveryCodes: string[];
}

export interface ConnectAgentRequest {
  /** The `client_id` of the request */
  clientId: string;
  redirectUri: string;
  /** By the method `S256` */
  codeChallenge: string;
  /** Returned to the client as it is */
  state?: string | undefined;
  /** What the token is for: the URL of `/mcp` */
  resource?: string | undefined;
  /** What the agent may do; null: everything that tokens may */
  roleId?: string | null | undefined;
  expiresAt?: string | null | undefined;
}

/** What the visitor consented to, as in Google consent mode. Recorded for the session; the latest choice counts. Without one, destinations decide by their consent policy */
export interface Consent {
  ad_storage?: 'granted' | 'denied' | undefined;
  ad_user_data?: 'granted' | 'denied' | undefined;
  ad_personalization?: 'granted' | 'denied' | undefined;
  /** The TC string of the IAB's framework; fills in what is omitted */
  tcf?: string | undefined;
}

export interface ContentLocale {
  /** A BCP 47 tag, such as `de` or `pt-BR` */
  locale: string;
  /** The locale whose value is returned if there is none in this one; null for the default locale */
  fallback: string | null;
}

export interface Conversion {
  /** The `_id` of the result that reported it */
  id: string;
  /** The caller's own identifier of the conversion */
  eventId: string | null;
  event: string;
  /** Exact decimal number */
  value: string | null;
  currency: string | null;
  createdOn: string;
  receivedAt: string;
  /** `report`: reported as a conversion. `event`: an event with a value */
  origin: 'report' | 'event';
  /** Name and value of the identifier that it was matched by; null once it is erased */
  identifier: Record<string, string | number> | null;
  extra: Record<string, unknown> | null;
  /** When the imports that reported it were undone: it no longer counts. Otherwise null */
  withdrawnAt: string | null;
  sessionId: number | null;
  sessionHash: string | null;
  /** Of the session, like the members that follow */
  source: string | null;
  medium: string | null;
  campaign: string | null;
  lead: {
    id: string;
    email: string;
  } | null;
  /** How many reports followed the first one */
  restatements: number;
  /** How many of them changed the value */
  adjustments: number;
  /** Whether its value was adjusted to 0 */
  isRefunded: boolean;
  updatedAt: string;
}

/** Each item has exactly one identifier; null and empty strings do not count. */
export type ConversionIdentifier = string | number | null;

export interface ConversionImport {
  id: string;
  name: string;
  status: 'active' | 'undoing' | 'undone';
  /** Rows that created or restated a conversion */
  reported: number;
  /** Rows whose session was unknown */
  unmatched: number;
  /** Invalid rows */
  failed: number;
  /** What the undo has done so far; null before it */
  undo: {
    /** Conversions that no longer count, because only undone imports had reported them */
    withdrawn: number;
    /** Conversions that have the value of their other reports again */
    reverted: number;
    /** Unmatched conversions that were deleted */
    deletedUnmatched: number;
  } | null;
  createdAt: string;
  undoneAt: string | null;
}

export interface ConversionItem {
  /** Each item has exactly one identifier; null and empty strings do not count. */
  hash?: ConversionIdentifier | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  sessionHash?: ConversionIdentifier | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  sessionId?: ConversionIdentifier | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  visitHash?: ConversionIdentifier | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  shortHash?: ConversionIdentifier | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  shortSessionHash?: ConversionIdentifier | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  shortVisitHash?: ConversionIdentifier | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  gclid?: ConversionIdentifier | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  gbraid?: ConversionIdentifier | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  wbraid?: ConversionIdentifier | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  fbclid?: ConversionIdentifier | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  msclkid?: ConversionIdentifier | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  ttclid?: ConversionIdentifier | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  li_fat_id?: ConversionIdentifier | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  epik?: ConversionIdentifier | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  twclid?: ConversionIdentifier | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  sclid?: ConversionIdentifier | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  tblci?: ConversionIdentifier | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  ob_click_id?: ConversionIdentifier | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  rdt_cid?: ConversionIdentifier | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  aleid?: ConversionIdentifier | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  alart?: ConversionIdentifier | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  oppref?: ConversionIdentifier | undefined;
  /** Name of the event; by default `conversion` */
  event?: string | undefined;
  /** When the conversion happened: ISO 8601, or epoch seconds or milliseconds. A value that is unreadable or more than an hour ahead is replaced by the time of arrival, and `reason` says so. */
  createdOn?: unknown | undefined;
  /** The caller's own identifier of the conversion: reporting it again restates the conversion */
  eventId?: string | null | undefined;
  /** Amount: a number or numeric string up to 10^18. An empty string is invalid; 0 is a value. */
  value?: number | string | null | undefined;
  /** Three-letter ISO 4217 code, in any case */
  currency?: string | null | undefined;
  /** Use `value`, which wins when both are sent. */
  conversion?: {
    /** Amount: a number or numeric string up to 10^18. An empty string is invalid; 0 is a value. */
    value?: number | string | null | undefined;
  } | null | undefined;
  /** Any metadata, up to 32 KiB of JSON */
  extra?: Record<string, unknown> | null | undefined;
}

export interface ConversionReports {
  reports: Record<string, unknown>[];
}

export interface ConversionResult {
  /** The conversion; a restatement keeps it */
  _id?: string | undefined;
  reported: boolean;
  /** `unmatched`: no session has this identifier. The report is stored for 30 days and takes effect when one arrives. `failed`: see `error`. */
  status: 'reported' | 'unmatched' | 'failed';
  /** Stable code of the item's first fault */
  error?: string | undefined;
  /** What is wrong with the item, or what was replaced in it */
  reason?: string | undefined;
}

export interface ConversionWithReports extends Conversion {
  /** The reports of the conversion in the order of arrival, the latest 1000; null is what a report did not contain */
  reports: ({
    event: string | null;
    value: string | null;
    currency: string | null;
    createdOn: string | null;
    receivedAt: string;
    /** `undo`: imports that had reported the conversion were undone */
    origin: 'report' | 'event' | 'undo';
    identifier: Record<string, unknown> | null;
    extra: Record<string, unknown> | null;
    importId: string | null;
    /** Its import was undone: the report no longer counts */
    isWithdrawn: boolean;
  })[];
  /** Whether there are earlier reports */
  moreReports: boolean;
}

export interface ConvertedCosts {
  currency: string;
  cost: string;
  revenue: string;
  costPerConversion: string | null;
  returnOnAdSpend: number | null;
  /** Whether every amount has an exchange rate */
  isComplete: boolean;
}

export interface ConvertedRevenue {
  currency: string;
  /** A decimal number */
  value: string;
  /** Whether every amount of `revenue` is in the sum */
  isComplete: boolean;
  /** Some amounts have neither a rate of their day nor one of the account: they are converted by averages of years */
  rates?: 'embedded' | undefined;
}

export interface CorrectUnmatchedConversionRequest {
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  eventId?: unknown | undefined;
  /** Ignored in requests */
  event?: unknown | undefined;
  /** Ignored in requests */
  value?: unknown | undefined;
  /** Ignored in requests */
  currency?: unknown | undefined;
  /** Ignored in requests */
  createdOn?: unknown | undefined;
  /** Ignored in requests */
  receivedAt?: unknown | undefined;
  /** Ignored in requests */
  extra?: unknown | undefined;
  /** Ignored in requests */
  expiresAt?: unknown | undefined;
  /** Name and value of exactly one identifier of the conversion report */
  identifier: Record<string, unknown>;
}

export interface CorrectUnmatchedConversionResult {
  /** Whether a session has the identifier: it is a conversion now */
  matched: boolean;
}

export interface CostAssignment {
  /** As in the reports, such as `google` */
  source: string;
  /** The campaign of sessions, in any case */
  sessionCampaign: string;
  /** The ID of the campaign whose cost it is */
  campaignId?: string | null | undefined;
  /** Or its name, for costs that were imported without IDs. Without both, the assignment is removed */
  campaign?: string | null | undefined;
}

export interface CostAssignmentsResult {
  assigned: number;
  removed: number;
}

export interface CostPlatform {
  platform: 'google' | 'meta' | 'microsoft' | 'tiktok' | 'linkedin';
  name: string;
  /** Of sessions, by default */
  source: string;
  credentials: {
    name: string;
    label: string;
    description: string;
    isSecret: boolean;
    /** Whether changing it requires the secrets again */
    decidesHost: boolean;
    isRequired: boolean;
    pattern: string;
    example: string;
  }[];
  /** Credentials that a destination of the platform may lend */
  reuses: string[];
  /** Of the platform's API */
  version: string;
}

export interface CostSource {
  id: string;
  platform: 'google' | 'meta' | 'microsoft' | 'tiktok' | 'linkedin';
  name: string;
  destinationId: string | null;
  source: string;
  /** `live` (default): read each hour */
  mode: 'live' | 'off';
  /** The credentials that are no secrets */
  connection: Record<string, string>;
  /** `paused`: for `pauseReason`, until its credentials or `mode` are set again */
  status: 'active' | 'paused' | 'deleted';
  pauseReason: CostSourcePauseReason | null;
  /** What the platform responded to the latest failed request */
  error: string | null;
  failingSince: string | null;
  /** Of the ad account, once it was read */
  currency: string | null;
  /** In which its days begin, once it was read */
  timeZone: string | null;
  lastReadAt: string | null;
  /** null: it is off, or waits for credentials */
  nextReadAt: string | null;
  createdAt: string;
  updatedAt: string;
}

/** Never returned, except those that are no secrets. An empty text removes an optional one. Changing the ad account requires the secrets again. By platform: google: `customerId`, `loginCustomerId?`, `developerToken`, `clientId?`, `clientSecret?`, `refreshToken?`, `serviceAccountEmail?`, `privateKey?`; meta: `adAccountId`, `accessToken`; microsoft: `clientId`, `clientSecret?`, `refreshToken`, `developerToken`, `customerId`, `accountId`; tiktok: `advertiserId`, `accessToken`; linkedin: `adAccountId`, `accessToken`, `clientId?`, `clientSecret?`, `refreshToken?`. See `GET /v1/analytics/cost-sources/platforms` */
export type CostSourceCredentials = Record<string, string>;

/** What the platform refuses: the credentials; or, whatever is asked, the access, such as a lost permission, which is tried again each hour */
export type CostSourcePauseReason = 'credentials' | 'access';

export interface CountEntriesResult {
  counts: {
    collectionId: string;
    entries: number;
  }[];
}

export interface CreateAccountRequest {
  name: string;
  /** A name of the IANA time zone database */
  timeZone?: string | undefined;
  /** ISO 4217 */
  currency?: string | undefined;
}

export interface CreateAlertRequest {
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  status?: unknown | undefined;
  /** Ignored in requests */
  current?: unknown | undefined;
  /** Ignored in requests */
  expected?: unknown | undefined;
  /** Ignored in requests */
  limit?: unknown | undefined;
  /** Ignored in requests */
  incident?: unknown | undefined;
  /** Ignored in requests */
  checkedAt?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
  /** What members that are not sent are set to. `salesDrop`: sales of yesterday 40 % under what is usual by now. `scriptSilent`: no visit for 30 minutes. `destinationBehind`: a destination was told 20 % less than was earned. `costWithoutClicks` */
  preset?: 'salesDrop' | 'scriptSilent' | 'destinationBehind' | 'costWithoutClicks' | undefined;
  name?: string | undefined;
  /** `revenue` and `conversions` by the time of the sale, after refunds; `sessions` that started; `events` by arrival; `cost` by day. `destinationDifference`: how many percent of what a destination was meant to be told by now are missing there; the worst one. `expectedRevenue`: what clicks of the window are expected to earn. `costWithoutClicks`: cost of campaigns without a session */
  figure?: AlertFigure | undefined;
  /** `threshold`: against `value`. `change`: by `percent` against the same window of the 8 weeks before. `expected`: likewise, against what was known at the same age then, so that sales that are reported late raise no alarm. `silence`: nothing for `minutes` */
  kind?: AlertKind | undefined;
  /** In the time zone of the account */
  window?: 'lastHour' | 'today' | 'yesterday' | 'last7Days' | undefined;
  direction?: 'below' | 'above' | undefined;
  /** Of `threshold`: in the currency of the account, or percent of `destinationDifference` */
  value?: number | null | undefined;
  /** Of `change` and `expected`. A difference must also be unlikely by the noise of these weeks: with few sales a day, it has to be larger */
  percent?: number | null | undefined;
  /** Of `silence` */
  minutes?: number | null | undefined;
  /** Of `events`: only this event */
  event?: string | null | undefined;
  /** Of `revenue`, `conversions`, `sessions` and `cost`: only this source */
  source?: string | null | undefined;
  channels?: (AlertMail | AlertWebhook | AlertSlack)[] | undefined;
  isEnabled?: boolean | undefined;
}

export interface CreateAnnotationRequest {
  /** A day, such as 2026-11-20, or an RFC 3339 time. A day is in the time zone of the report */
  at: string;
  text: string;
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  startsAt?: unknown | undefined;
  /** Ignored in requests */
  createdBy?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
}

export interface CreateCollectionRequest {
  name: string;
  /** A name that stands for the ID in every path and in `collectionIds`, such as `posts`; unique among the active collections of the account. It can change, and the old one then leads nowhere. */
  key?: CollectionKey | undefined;
  description?: string | null | undefined;
  /** The ID of an active field */
  displayFieldId?: string | null | undefined;
  defaultSort?: DefaultSort | null | undefined;
  /** Whether entries are drafts until they are published; `false` by default. Required and unique fields then apply to what is published. It can only be turned off while no entry is published. */
  publishing?: boolean | undefined;
  /** Whether everyone with a publishable key can read what is published, except private fields; `false` by default. Only with `publishing`. */
  public?: boolean | undefined;
  /** Where the site shows the draft of an entry: a URL with the placeholders `{id}`, `{slug}` (without a slug the ID), `{collectionId}`, `{locale}` and `{token}`, with which the site reads drafts for an hour. Only for public collections. null: none */
  previewUrl?: PreviewUrl | undefined;
  /** The path of the page of an entry, such as `/{locale}/blog/{category.slug}/{slug}`: with the values of fields, or of a field of a referenced entry, and `{id}` and `{locale}`. Public entries then have `url` and `alternates`. null: none */
  urlPattern?: UrlPattern | undefined;
  /** Whether the collection has one entry, which is made when it is first read or written by `/entry`; `false` by default */
  singleton?: boolean | undefined;
  /** Lists of fields: no two active entries have the same values of all fields of a list, as `eq` compares them. Entries without a value of one of them do not count. */
  uniqueTogether?: UniqueTogether | undefined;
  /** `manual` gives entries a `position`, which `POST …/entries/{id}/move` changes; null, the default: none */
  ordering?: CollectionOrdering | undefined;
  /** Whether entries also have a `parentId`; `false` by default. A tree has a manual order. */
  tree?: boolean | undefined;
  /** Whether a version must be approved before it is published, and the least role of who may approve; null, the default: not. Among users, only owners can change it. */
  review?: CollectionReview | undefined;
  fields?: NewField[] | undefined;
  status?: 'active' | undefined;
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
}

export interface CreateCommentRequest {
  text: string;
}

export interface CreateComponentRequest {
  /** A name for programs, unique among the components */
  key?: string | null | undefined;
  name: string;
  /** At least one */
  fields: NewNestedField[];
  /** Ignored in requests */
  id?: unknown | undefined;
}

export interface CreateConversionImportRequest {
  /** Such as the name of the file */
  name: string;
}

export interface CreateCostSourceRequest {
  platform: 'google' | 'meta' | 'microsoft' | 'tiktok' | 'linkedin';
  name: string;
  /** Never returned, except those that are no secrets. An empty text removes an optional one. Changing the ad account requires the secrets again. By platform: google: `customerId`, `loginCustomerId?`, `developerToken`, `clientId?`, `clientSecret?`, `refreshToken?`, `serviceAccountEmail?`, `privateKey?`; meta: `adAccountId`, `accessToken`; microsoft: `clientId`, `clientSecret?`, `refreshToken`, `developerToken`, `customerId`, `accountId`; tiktok: `advertiserId`, `accessToken`; linkedin: `adAccountId`, `accessToken`, `clientId?`, `clientSecret?`, `refreshToken?`. See `GET /v1/analytics/cost-sources/platforms` */
  credentials?: CostSourceCredentials | undefined;
  /** A destination of the same platform: its credentials are used as far as there are none here and they suffice (`reuses` of the platform) */
  destinationId?: string | null | undefined;
  /** The source of the sessions that its ads lead to; by default that of its click ids, such as `google` */
  source?: string | null | undefined;
  mode?: 'live' | 'off' | null | undefined;
}

export interface CreateDestinationRequest {
  platform: AdPlatform;
  name: string;
  /** Never returned, except those that are no secrets. An empty text removes an optional one. Changing one that decides which host the secrets are sent to requires the secrets again. By platform: google: `customerId`, `loginCustomerId?`, `clientId?`, `clientSecret?`, `refreshToken?`, `serviceAccountEmail?`, `privateKey?`; meta: `pixelId`, `accessToken`, `testEventCode?`, `limitedDataUse?`; microsoft: `clientId`, `clientSecret?`, `refreshToken`, `developerToken`, `customerId`, `accountId`; tiktok: `pixelId`, `accessToken`, `testEventCode?`; linkedin: `accessToken`, `clientId?`, `clientSecret?`, `refreshToken?`; pinterest: `adAccountId`, `accessToken`; snapchat: `pixelId`, `accessToken`; reddit: `pixelId`, `accessToken`, `testId?`; x: `pixelId`, `consumerKey`, `consumerSecret`, `accessToken`, `accessTokenSecret`; taboola: `accountId`; outbrain: none; openai: `pixelId`, `apiKey`; applovin: `pixelId`, `apiKey`; amazon: `clientId`, `clientSecret`, `refreshToken`, `region`, `advertiserId`, `countryCode`, `dataSetName?`; http: `url`, `secret`, `authorization?`, `template?`; cdn: `provider`, `url?`, `token?`, `zone?`. See `GET /v1/destinations/platforms` */
  credentials: DestinationCredentials;
  /** Required, as `consent` and `mode` are, except by the platform `cdn`, which has no mapping and is `live` by default */
  mapping?: NewMappingRule[] | undefined;
  filter?: NewDestinationFilter | null | undefined;
  /** Which sessions' conversions are sent. `required`: those in which the visitor granted `ad_user_data` and did not deny `ad_storage`; `unless_denied`: those in which neither was denied; `ignore`: all, where consent is not the legal basis */
  consent?: DestinationConsent | undefined;
  /** `validate`: conversions are checked by the platform, or here if it has no validation, and not counted; `off`: nothing is sent or queued */
  mode?: DestinationMode | undefined;
  /** Conversions dated before are not sent. By default when the destination is created */
  startAt?: string | null | undefined;
  /** Seconds from the report of a conversion until it is sent, with the value that it has by then. For platforms that cannot change a value later */
  sendAfter?: number | null | undefined;
  value?: DestinationValue | null | undefined;
  /** Whether the values of events with the publishable key, which anyone can record, are sent. Otherwise (default) only those from secret tokens and postbacks are; the others are `skipped` as `value_untrusted`, unless the mapping replaces the value */
  trustPublicValues?: boolean | null | undefined;
}

export interface CreateEntryRequest {
  /** By field ID. `null` means no value. Every required field needs a value. */
  values: Record<string, unknown>;
  status?: 'active' | undefined;
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  collectionId?: unknown | undefined;
  /** Ignored in requests */
  version?: unknown | undefined;
  /** Ignored in requests */
  publishedVersion?: unknown | undefined;
  /** Ignored in requests */
  publishedAt?: unknown | undefined;
  /** Ignored in requests */
  publishedLocales?: unknown | undefined;
  /** Ignored in requests */
  position?: unknown | undefined;
  /** Ignored in requests */
  parentId?: unknown | undefined;
  /** Ignored in requests */
  children?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
}

export interface CreateExperimentRequest {
  /** Seeds the assignment of visitors; unique in the account */
  key: string;
  name: string;
  hypothesis?: string | null | undefined;
  /** The first is what the others are compared with */
  variants: ExperimentVariant[];
  metric: ExperimentMetric;
  /** What must not get worse */
  guardrails?: ExperimentMetric[] | undefined;
  audience?: ExperimentAudience | null | undefined;
  /** How long after the first exposure sales count; by default `14d` */
  window?: string | undefined;
  /** How long after the window reports of these sales are waited for before the visitor decides; by default `30d` */
  settleAfter?: string | undefined;
  /** The share of visitors that take part; by default `1` */
  coverage?: number | undefined;
  /** The share of visitors who take no part and who see the first variant also after another one was shipped, so that results go on telling what it earns; by default `0` */
  holdout?: number | undefined;
  /** Experiments of one namespace share no visitor: one leaves out those of the ones that started earlier */
  namespace?: string | null | undefined;
  /** Entries that variants change */
  content?: ExperimentEntry[] | undefined;
  /** The number of settled visitors of the plan, at which intervals are narrowest */
  plannedVisitors?: number | null | undefined;
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  status?: unknown | undefined;
  /** Ignored in requests */
  shippedVariant?: unknown | undefined;
  /** Ignored in requests */
  releaseId?: unknown | undefined;
  /** Ignored in requests */
  preceding?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
  /** Ignored in requests */
  startedAt?: unknown | undefined;
  /** Ignored in requests */
  stoppedAt?: unknown | undefined;
  /** Ignored in requests */
  shippedAt?: unknown | undefined;
}

export interface CreateFolderRequest {
  name: string;
  parentId?: string | null | undefined;
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
}

export interface CreateInvitationRequest {
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  status?: unknown | undefined;
  /** Ignored in requests */
  invitedBy?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  expiresAt?: unknown | undefined;
  /** `custom`: one that the account defines, named by `roleId` */
  role?: RoleName | undefined;
  /** `owner`, `editor`, `viewer` or the ID of a role of the account */
  roleId?: string | undefined;
  /** The only part of the account that the member may use: collections and files, or reports, sessions, leads and conversions; null: all of it. Owners cannot be limited */
  area?: AreaName | undefined;
  /** Case-insensitive */
  email?: string | null | undefined;
  /** Default 7 */
  expiresInDays?: number | undefined;
}

export interface CreateKeyRequest {
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  accountId?: unknown | undefined;
  /** Ignored in requests */
  hint?: unknown | undefined;
  /** Ignored in requests */
  key?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  lastUsedAt?: unknown | undefined;
  /** Ignored in requests */
  revokedAt?: unknown | undefined;
  name: string;
  type: 'secret' | 'publishable' | 'postback';
  /** When the key ends; by default never */
  expiresAt?: string | null | undefined;
  /** IP addresses and CIDR ranges that may use the key; by default all */
  allowedAddresses?: string[] | null | undefined;
  /** For a secret token: what it may do; by default everything */
  roleId?: string | null | null | undefined;
}

export interface CreatePasskeyRequest {
  name: string;
  credential: PasskeyCredential;
}

export interface CreatePublishHookRequest {
  name: string;
  /** An http or https URL on the public internet, without user name and password */
  url: string;
  /** The collections whose entries are checked, by ID or key; returned as IDs. null: all */
  collectionIds?: string[] | null | undefined;
  /** What happens if the URL does not answer as expected within 5 seconds. `refuse` by default */
  onError?: 'refuse' | 'publish' | undefined;
  /** true by default */
  enabled?: boolean | undefined;
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  lastOutcome?: unknown | undefined;
  /** Ignored in requests */
  lastError?: unknown | undefined;
  /** Ignored in requests */
  lastAskedAt?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
}

export interface CreateReconciliationRequest {
  /** The statement */
  file: Blob;
}

export interface CreateReleaseRequest {
  name?: string | null | undefined;
  /** When a worker publishes it, within 5 seconds. Without a time, a request publishes it. */
  at?: string | null | undefined;
  /** Each entry once */
  items?: ReleaseItemRequest[] | undefined;
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  status?: unknown | undefined;
  /** Ignored in requests */
  itemCount?: unknown | undefined;
  /** Ignored in requests */
  item?: unknown | undefined;
  /** Ignored in requests */
  errors?: unknown | undefined;
  /** Ignored in requests */
  by?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
  /** Ignored in requests */
  finishedAt?: unknown | undefined;
  /** Ignored in requests */
  version?: unknown | undefined;
}

export interface CreateRoleRequest {
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  builtIn?: unknown | undefined;
  /** Ignored in requests */
  uses?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
  /** Ignored in requests */
  version?: unknown | undefined;
  /** By default made from the name */
  key?: string | undefined;
  name: string;
  permissions?: Permission[] | undefined;
  features?: SentFeatures | undefined;
}

export interface CreateSharedLinkRequest {
  name: string;
  /** Whether readers can choose another period and add filters; by default `false` */
  isInteractive?: boolean | undefined;
  /** Whether readers see the annotations of the account, without their authors; by default `false` */
  hasAnnotations?: boolean | undefined;
  /** What readers must enter first; null: nothing */
  password?: string | null | undefined;
  period: PresetPeriod | ReportPeriod;
  /** By default `previous` */
  compare?: 'previous' | 'year' | 'none' | undefined;
  filters?: ReportFilters | undefined;
  /** The report is this funnel; without one it is the overview */
  funnel?: FunnelDefinition | null | undefined;
}

export interface CreateUploadTokenRequest {
  /** The largest file; by default what `GET /v1/limits` says */
  maxBytes?: number | null | undefined;
  /** Types of files that are accepted, such as `image/*` or `application/pdf`; by default all */
  contentTypes?: string[] | null | undefined;
  /** The name of the file, whatever the browser calls it */
  name?: string | null | undefined;
  folderId?: string | null | undefined;
  /** Whether the URL of the file is signed and expires; `false` by default */
  private?: boolean | undefined;
  /** The only pages that may use the token, such as `https://shop.example`; by default all */
  origin?: string | null | undefined;
  /** Seconds until the token expires; 3,600 by default */
  expiresIn?: number | undefined;
}

export interface CreateWarehouseRequest {
  name: string;
  /** Such as `eu-central-1`; for many services `auto` */
  region: string;
  /** Changing it requires the secret again, and everything is exported anew */
  bucket: string;
  accessKeyId: string;
  /** Stored encrypted and never returned */
  secretAccessKey: string;
  /** URL of a service that speaks S3, such as `https://storage.googleapis.com`; null: Amazon S3. Changing it requires the secret again */
  endpoint?: string | null | undefined;
  /** Folder in the bucket, without slashes at its ends */
  prefix?: string | undefined;
  /** Whether the bucket is in the path of URLs instead of the host; by default if there is an `endpoint` */
  pathStyle?: boolean | undefined;
  /** By default all */
  datasets?: WarehouseDatasets | undefined;
  /** First day (UTC) that is exported; null: all that there is */
  startsOn?: string | null | undefined;
  /** `live` (default): exported every half an hour */
  mode?: 'live' | 'off' | undefined;
}

export interface CreateWebhookRequest {
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  publicKey?: unknown | undefined;
  /** Ignored in requests */
  disabledReason?: unknown | undefined;
  /** Ignored in requests */
  failingSince?: unknown | undefined;
  /** Ignored in requests */
  previousSecretUntil?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
  /** Ignored in requests */
  status?: unknown | undefined;
  /** An http or https URL on the public internet, without user name and password */
  url: string;
  /** The topics to send; null sends all of them */
  events?: WebhookTopic[] | null | undefined;
  /** The collections whose entries are sent, by ID or key; returned as IDs. null: all. Events that are not about entries are always sent */
  collectionIds?: WebhookCollections | undefined;
  /** `thin`: `data` contains only what identifies the resource: `id`, `sequence` and, of entries, `collectionId` */
  payload?: WebhookPayloadSize | undefined;
  /** The members of `data` to send, such as `value` or `session.campaign`, besides `id`, `sequence` and `collectionId`; null sends all */
  fields?: WebhookFields | undefined;
  /** `resource`: the messages of one entry, lead, conversion or other resource are sent one after another in the order of their `sequence`, the next one once the one before is delivered or has failed for good */
  ordering?: WebhookOrdering | undefined;
  /** Conditions on members of `data`: only messages that meet all of them are sent. `lt`, `lte`, `gt` and `gte` compare texts, or, with a number, also amounts of money as numbers; members that cannot be compared do not meet them */
  filters?: WebhookFilters | undefined;
  /** Also sign with Ed25519 (`v1a`), which whoever has the `publicKey` can verify, but not forge */
  ed25519?: boolean | undefined;
  description?: string | null | undefined;
}

export interface CreatedApiKey extends ApiKey {
  /** The key itself. Shown only once */
  token: string;
}

export interface CreatedInvitation extends Invitation {
  /** The link for the invited person. Shown once. null: it is sent to the email */
  url: string | null;
  /** The link is sent to the email */
  emailed: boolean;
}

export interface DefaultSort {
  fieldId: string;
  direction: 'asc' | 'desc';
}

export interface DeleteAccountRequest {
  /** The name of the account, to confirm that it is meant */
  name: string;
  currentPassword?: string | undefined;
}

export interface DeleteAccountResult {
  success: boolean;
}

export interface DeleteAlertResult {
  success: boolean;
}

export interface DeleteAnnotationResult {
  success: boolean;
}

export interface DeleteReconciliationResult {
  success: boolean;
}

export interface DeleteRejectedRequestsResult {
  success: boolean;
}

export interface DeleteSavedViewResult {
  success: boolean;
}

export interface DeleteSharedLinkResult {
  success: boolean;
}

export interface DeleteUnmatchedConversionResult {
  success: boolean;
}

export interface DeletedFile {
  assetId: string;
  deleted: boolean;
}

export interface Destination {
  id: string;
  platform: AdPlatform;
  name: string;
  mapping: MappingRule[];
  filter: DestinationFilter;
  /** Which sessions' conversions are sent. `required`: those in which the visitor granted `ad_user_data` and did not deny `ad_storage`; `unless_denied`: those in which neither was denied; `ignore`: all, where consent is not the legal basis */
  consent: DestinationConsent;
  /** `validate`: conversions are checked by the platform, or here if it has no validation, and not counted; `off`: nothing is sent or queued */
  mode: DestinationMode;
  startAt: string;
  sendAfter: number;
  value: 'current' | 'expected' | 'settled';
  trustPublicValues: boolean;
  /** The credentials that are no secrets: which account of the platform this is */
  connection: Record<string, string>;
  /** `paused`: for `pauseReason`. Conversions wait until it is resumed by new credentials or a `mode` */
  status: 'active' | 'paused' | 'deleted';
  pauseReason: DestinationPauseReason | null;
  /** The first failed request since the last successful one */
  failingSince: string | null;
  /** What the platform responded to the latest failed request */
  error: string | null;
  lastSentAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface DestinationAttempt {
  at: string;
  action: 'send' | 'adjust' | 'retract' | 'none';
  /** The version of the conversion: the number of its changes */
  version: number;
  value: string | null;
  currency: string | null;
  status: 'queued' | 'sent' | 'adjusted' | 'retracted' | 'skipped' | 'rejected' | 'not_adjustable' | 'uncertain';
  reason: string | null;
}

/** Which sessions' conversions are sent. `required`: those in which the visitor granted `ad_user_data` and did not deny `ad_storage`; `unless_denied`: those in which neither was denied; `ignore`: all, where consent is not the legal basis */
export type DestinationConsent = 'required' | 'unless_denied' | 'ignore';

/** Never returned, except those that are no secrets. An empty text removes an optional one. Changing one that decides which host the secrets are sent to requires the secrets again. By platform: google: `customerId`, `loginCustomerId?`, `clientId?`, `clientSecret?`, `refreshToken?`, `serviceAccountEmail?`, `privateKey?`; meta: `pixelId`, `accessToken`, `testEventCode?`, `limitedDataUse?`; microsoft: `clientId`, `clientSecret?`, `refreshToken`, `developerToken`, `customerId`, `accountId`; tiktok: `pixelId`, `accessToken`, `testEventCode?`; linkedin: `accessToken`, `clientId?`, `clientSecret?`, `refreshToken?`; pinterest: `adAccountId`, `accessToken`; snapchat: `pixelId`, `accessToken`; reddit: `pixelId`, `accessToken`, `testId?`; x: `pixelId`, `consumerKey`, `consumerSecret`, `accessToken`, `accessTokenSecret`; taboola: `accountId`; outbrain: none; openai: `pixelId`, `apiKey`; applovin: `pixelId`, `apiKey`; amazon: `clientId`, `clientSecret`, `refreshToken`, `region`, `advertiserId`, `countryCode`, `dataSetName?`; http: `url`, `secret`, `authorization?`, `template?`; cdn: `provider`, `url?`, `token?`, `zone?`. See `GET /v1/destinations/platforms` */
export type DestinationCredentials = Record<string, string>;

export interface DestinationDelivery {
  destinationId: string;
  destinationName: string;
  platform: AdPlatform;
  conversionId: string;
  /** Of the conversion, like `eventId` */
  event: string | null;
  eventId: string | null;
  status: 'queued' | 'sent' | 'adjusted' | 'retracted' | 'skipped' | 'rejected' | 'not_adjustable' | 'uncertain';
  /** Why it was skipped, rejected or could not be adjusted; a stable code */
  reason: string | null;
  /** The platform's refusal, verbatim; secrets are masked */
  response: string | null;
  /** The id under which the platform has it */
  wireId: string | null;
  target: string | null;
  /** The value that the platform has */
  value: string | null;
  currency: string | null;
  /** What the value was multiplied by to become the expected one; null: it was not */
  factor: number | null;
  version: number;
  /** When the platform accepted it */
  sentAt: string | null;
  /** The latest 20, oldest first */
  attempts: DestinationAttempt[];
  /** Failed attempts since it was queued */
  failedAttempts: number;
  /** When it is sent, or its latest change is */
  nextAttemptAt: string | null;
  updatedAt: string;
}

export interface DestinationDryRun {
  action: 'send' | 'adjust' | 'retract' | 'none';
  /** What becomes of the conversion if nothing is sent */
  status: 'skipped' | 'rejected' | 'not_adjustable' | null;
  reason: string | null;
  /** The exact request, with secrets masked */
  request: {
    method: string;
    url: string;
    headers: Record<string, string>;
    body: unknown | null;
  } | null;
}

export interface DestinationFilter {
  events: string[] | null;
  sources: string[] | null;
  minimumValue: string | null;
}

/** `validate`: conversions are checked by the platform, or here if it has no validation, and not counted; `off`: nothing is sent or queued */
export type DestinationMode = 'live' | 'validate' | 'off';

/** What the platform refuses. `credentials`; `access`: this destination, whatever is sent, for example because of a retired version of its API, a lost permission or a disabled account, which is tried again each hour; `refusals`: many conversions in a row with one code, of which `error` has the words. Once resumed, these are sent again */
export type DestinationPauseReason = 'credentials' | 'access' | 'refusals';

export interface DestinationPlatform {
  platform: AdPlatform;
  name: string;
  credentials: {
    name: string;
    label: string;
    /** Where to find it */
    description: string;
    isSecret: boolean;
    /** Whether it decides which host the secrets are sent to: changing it requires the secrets again */
    decidesHost: boolean;
    isRequired: boolean;
    /** A regular expression for the whole value */
    pattern: string;
    example: string;
  }[];
  /** What a conversion event is mapped to */
  target: {
    label: string;
    description: string;
    pattern: string;
    example: string;
  };
  /** Whether it receives what was published, to purge caches, instead of conversions */
  purges: boolean;
  /** The click ids that the platform accepts */
  clickIds: ('gclid' | 'gbraid' | 'wbraid' | 'fbclid' | 'msclkid' | 'ttclid' | 'li_fat_id' | 'epik' | 'twclid' | 'sclid' | 'tblci' | 'ob_click_id' | 'rdt_cid' | 'aleid' | 'alart' | 'oppref')[];
  /** Whether it also matches by the SHA-256 of the lead's email */
  usesEmail: boolean;
  /** Which identifiers a conversion must have to be sent */
  needs: 'click id' | 'email' | 'click id or email' | 'email or client' | 'client with click id or email' | 'none';
  /** Whether it also matches by IP address and user agent */
  usesClient: boolean;
  /** Older conversions are refused */
  maxAgeDays: number;
  /** How a changed value reaches the platform; `none`: it does not, so use `sendAfter` */
  adjustment: 'overwrite' | 'restate' | 'none';
  /** Who checks conversions in mode `validate` */
  validation: 'platform' | 'local';
  /** Of the platform's API, with which requests are made */
  version: string | null;
  /** The day from which that version stops working, if it is announced */
  versionEnds: string | null;
}

export interface DestinationTest {
  success: boolean;
  /** HTTP status of the response; null without a response */
  status: number | null;
  /** What was found, in a sentence */
  detail: string;
  /** The platform's response, verbatim; secrets are masked */
  response: string | null;
}

/** `current` (default): the value that is known; `settled`: conversions are sent after `sendAfter`, or else after 30 days or as late as the platform accepts them, with the value that they have by then; `expected`: the value is scaled by how values of its source develop after the sale, through refunds and restatements, for platforms that cannot adjust it later */
export type DestinationValue = 'current' | 'expected' | 'settled';

export interface DestinationWithCounts extends Destination {
  /** Conversions by status, counted up to 10,000 */
  counts: {
    queued: number;
    sent: number;
    adjusted: number;
    retracted: number;
    skipped: number;
    rejected: number;
    not_adjustable: number;
    uncertain: number;
  };
}

export interface DisableTwoFactorRequest {
  currentPassword?: string | undefined;
  /** Of the authenticator app, or a recovery code: required where two-factor authentication is enabled */
  code?: string | undefined;
}

export interface DiscardEntryDraftRequest {
  /** The version that was read. If it is not the current one: `version_conflict` */
  version?: number | undefined;
}

export interface Discrepancies {
  from: string;
  to: string;
  by: string;
  /** Of all amounts; null: no conversion has one */
  currency: string | null;
  /** What was known and sent then is counted */
  asKnownOn: string;
  /** By the size of the difference, largest first */
  rows: Discrepancy[];
}

export interface Discrepancy {
  /** The destination, or the campaign */
  key: string | null;
  destinationId: string;
  name: string;
  platform: string;
  /** By campaign only */
  campaign: string | null;
  /** Conversions of the period, without refunds */
  conversions: number;
  /** Those that the destination has */
  sentConversions: number;
  /** What the destination accepted */
  sent: string;
  /** What is true now: the latest values of all conversions of the period */
  revenue: string;
  /** What these conversions are expected to be worth after later refunds and restatements, by how sales of their sources develop; null: too young to tell. Unlike that of return on ad spend it has no sales that clicks of the period still bring */
  expectedRevenue: string | null;
  /** `revenue` minus `sent`: the sum of `notSent`, `notAdjustable`, `adjusting` and `noConsent` */
  difference: string;
  /** By reason: those of deliveries, `queued` (it waits), `unqueued` (it never came to this destination), and `mapping` (the rule sends another value or none) */
  notSent: Record<string, string>;
  /** Changed after it was sent, and the platform takes no change */
  notAdjustable: string;
  /** Changed after it was sent: the change is queued */
  adjusting: string;
  /** Of `queued` and `adjusting`, what waits for its time because the destination is told later, and not for another attempt */
  waiting: string;
  /** Visitors denied consent or gave none */
  noConsent: string;
  /** Can still be sent, by `POST /v1/destinations/{id}/replay` with `createdFrom` and `createdTo` */
  sendable: string;
  /** Whether every amount has an exchange rate; others are left out */
  isComplete: boolean;
}

export interface DryRunDestinationRequest {
  conversionId: string;
}

export interface DryRunResult {
  /** The conversion that the item would restate, if it exists already */
  _id?: string | undefined;
  reported: boolean;
  /** `unmatched`: no session has this identifier. The report is stored for 30 days and takes effect when one arrives. `failed`: see `error`. */
  status: 'reported' | 'unmatched' | 'failed';
  /** Stable code of the item's first fault */
  error?: string | undefined;
  /** What is wrong with the item, or what was replaced in it */
  reason?: string | undefined;
  /** `create`: creates a conversion. `restate`: restates one. `wait`: is unmatched and would be stored. `none`: fails. */
  effect: 'create' | 'restate' | 'wait' | 'none';
  /** The session that the item matches, or that its conversion has already */
  sessionId: number | null;
  /** Index in the array, from 0, of the item that this item restates */
  restatesItem?: number | undefined;
}

export interface DuplicateEntryRequest {
  /** Values that differ from those of the entry, by field ID */
  values?: Record<string, unknown> | undefined;
}

export interface EndOtherSessionsResult {
  /** Number of sessions that were ended */
  ended: number;
}

export interface EndSessionResult {
  success: boolean;
}

export interface EndViewResult {
  success: boolean;
}

export interface EntriesQuery {
  /** Items per page, 50 by default */
  pageSize?: number | undefined;
  /** The `nextPageToken` of the previous page, unchanged. Empty or null: the first page */
  pageToken?: string | null | undefined;
  /** Conditions as JSON, which all have to hold together with `filter`: `{"and": […]}`, `{"or": […]}`, `{"not": …}`, or `{"<path>": {"<operator>": value}}`. A path leads through groups, blocks and references by dots. */
  where?: unknown | undefined;
  /** `<fieldId>:asc` or `<fieldId>:desc`; also `createdAt` and `updatedAt`, unless a field has that ID. By default the collection's `defaultSort`, else oldest first. Entries without a value come last in both directions; of equal values the older entry comes first, with `desc` the newer. Text is sorted by its first 256 characters, ignoring case and accents. Repeated fields, groups and assets cannot be sorted by. */
  sort?: string | undefined;
  /** The values to return, by path, such as `title,author.name`; `-body` leaves a value out. */
  select?: string | undefined;
  /** Also returns `total`, the number of all matching entries */
  count?: 'exact' | undefined;
  /** Returns entries whose text fields, including nested ones, contain every word, also as a part of a longer word, ignoring case and accents. */
  q?: string | undefined;
  /** As the parameter of the list; or by path, each with `where`, `sort`, `limit`, `select` and `expand` of its own. References that do not match are left out. */
  expand?: EntryExpansion | undefined;
  /** Adds `joined.<name>` to each entry: `{entries, total}` of the entries of a collection that reference it */
  join?: Record<string, Join> | undefined;
  /** Returns the values of localized fields in this locale, or else in its fallbacks. Filters and search use the same values; sorting uses those of this locale alone, and entries without one come last. */
  locale?: string | undefined;
  /** For collections with publishing: `published` reads the published entries as they were published; `draft`, the default, reads all entries with their latest values. */
  state?: 'draft' | 'published' | undefined;
  /** `true` also returns `explain`: how the entries were found, and by which indexes */
  explain?: boolean | undefined;
}

export interface Entry {
  id: string;
  collectionId: string;
  /** By field ID. A field without a value is absent. Values in another locale than the default one are those of `<fieldId>@<locale>`. */
  values: Record<string, unknown>;
  /** Only in collections with a manual order: sorts by its characters */
  position?: string | null | undefined;
  /** Only in trees: the entry that this one is below */
  parentId?: string | null | undefined;
  /** Only with `tree=true`: the entries below it */
  children?: Entry[] | undefined;
  status: 'active' | 'deleted';
  /** Incremented by every change */
  version: number;
  /** Only in collections with publishing: the version that is published; null if none is */
  publishedVersion?: number | null | undefined;
  /** Only in collections with publishing: since when it is published */
  publishedAt?: string | null | undefined;
  /** Only in collections with publishing and localized fields: the published version of each locale */
  publishedLocales?: Record<string, number> | undefined;
  /** Only if it was requested: the locale of the values. Such values contain fallbacks, so they cannot be sent back. */
  locale?: string | undefined;
  createdAt: string;
  updatedAt: string;
  /** Only of a query with `join`: by its names, the entries that reference this one, and how many there are */
  joined?: Record<string, unknown> | undefined;
}

export interface EntryChanges {
  operations: PlannedOperation[];
}

export interface EntryComment {
  id: string;
  text: string;
  by: Author | null;
  createdAt: string;
}

export interface EntryDraft {
  draft: UnsavedChanges | null;
}

/** As the parameter of the list; or by path, each with `where`, `sort`, `limit`, `select` and `expand` of its own. References that do not match are left out. */
export type EntryExpansion = string | Record<string, {
    where?: unknown | undefined;
    sort?: string | undefined;
    limit?: number | undefined;
    select?: string | undefined;
    expand?: unknown | undefined;
  }>;

export type EntryFilter = Record<string, FieldConditions>;

export interface EntryPreview {
  /** The collection's `previewUrl` for this entry */
  url: string;
  /** Reads drafts with the parameter `preview` of public content, together with a publishable key */
  token: string;
  expiresAt: string;
}

export interface EntryTitle {
  id: string;
  collectionId: string;
  /** The text of its display field, or else of its first text field */
  title: string | null;
  status: 'active' | 'deleted';
  /** Always true in collections without publishing */
  isPublished: boolean;
}

export interface EntryVersion {
  version: number;
  /** Whether it is the current version of the entry */
  current: boolean;
  /** The change that created it */
  change: 'created' | 'changed' | 'deleted' | 'restored';
  /** By ID; null for the first version */
  changedFields: string[] | null;
  /** The version that it restored */
  restoredFrom: number | null;
  status: 'active' | 'deleted';
  at: string;
  by: Author | null;
}

export interface EntryVersionWithValues extends EntryVersion {
  /** By field ID, without fields that are deleted now */
  values: Record<string, unknown>;
}

export interface EntryView {
  id: string;
  name: string;
  /** Whether all members see it, or only the user or API key that saved it */
  shared: boolean;
  /** The search parameters of the table in the dashboard: `where`, `sort`, `q` and `columns` */
  state: Record<string, unknown>;
  updatedAt: string;
}

/** Or `{"<path>": {"<operator>": value}}` */
export interface EntryWhere {
  and?: EntryWhere[] | undefined;
  or?: EntryWhere[] | undefined;
  not?: EntryWhere | undefined;
  [name: string]: unknown;
}

export interface EraseLeadRequest {
  /** In any case */
  email: string;
}

export interface EraseVisitorRequest {
  visitorId: string;
}

/** Any metadata, up to 32 KiB of JSON, 255 keys and depth 5. A session identifier or click id, under its name in the conversion report, links the event to its session. A property that is unusable has no effect and is stored as sent. */
export interface EventProperties {
  /** The user's email; creates or updates a lead */
  email?: string | undefined;
  funnel_id?: string | undefined;
  /** Monetary value, a number or numeric string; the event counts as a conversion */
  value?: number | string | undefined;
  /** Three-letter ISO 4217 code of `value` */
  currency?: string | undefined;
  [name: string]: unknown;
}

export interface EventPropertyRow {
  /** As text; null: without this property */
  value: string | null;
  events: number;
  sessions: number;
}

export interface ExchangeRate {
  date: string;
  base: string;
  currency: string;
  rate: string;
  knownAt: string;
}

export interface ExchangeRatesResult {
  /** Rates that are new or differ from what was known */
  written: number;
  unchanged: number;
  /** The rows that were skipped */
  faults: RowFault[];
}

export interface Experiment {
  id: string;
  key: string;
  name: string;
  hypothesis: string | null;
  status: 'draft' | 'running' | 'stopped' | 'shipped';
  variants: ({
    key: string;
    weight: number;
    values: Record<string, unknown> | null;
  })[];
  metric: ExperimentMetric;
  guardrails: ExperimentMetric[];
  audience: ExperimentAudience | null;
  window: string;
  settleAfter: string;
  coverage: number;
  holdout: number;
  namespace: string | null;
  content: ExperimentEntry[];
  plannedVisitors: number | null;
  /** Whose visitors it leaves out: the experiments of the namespace that started earlier, and holdouts of the namespace or of its entries */
  preceding: AssignedExperiment[];
  shippedVariant: string | null;
  /** The release of the values of the shipped variant */
  releaseId: string | null;
  createdAt: string;
  updatedAt: string;
  startedAt: string | null;
  stoppedAt: string | null;
  shippedAt: string | null;
}

export interface ExperimentArm {
  variant: string;
  /** Persons whose first exposure was to it */
  visitors: number;
  /** Those whose window and settling time are over */
  settledVisitors: number;
  /** To date, without refunded ones; of the kind `events`, these events */
  conversions: number;
  /** To date, after refunds */
  revenue: string;
  /** Of settled visitors, as it was known when they settled */
  settledRevenue: string;
}

export interface ExperimentAssignment {
  /** 0 to 9,999 */
  bucket: number;
  /** null: the visitor does not take part */
  variant: string | null;
}

export interface ExperimentAudience {
  /** Values of the session of the first exposure; any of them counts */
  filters: {
    source?: string[] | undefined;
    medium?: string[] | undefined;
    campaign?: string[] | undefined;
    device?: string[] | undefined;
    browser?: string[] | undefined;
    os?: string[] | undefined;
    country?: string[] | undefined;
    region?: string[] | undefined;
  };
}

export interface ExperimentComparison extends ComparisonToDate {
  decision: 'better' | 'worse' | 'undecided';
}

export interface ExperimentEntry {
  collectionId: string;
  entryId: string;
}

export interface ExperimentHoldout {
  share: number;
  since: string;
  /** The first variant, which the holdout sees, and the shipped one, since it was shipped */
  arms: ExperimentArm[];
  /** The running sum: what the shipped variant brought more than the holdout, times its visitors, to date */
  gain: string | null;
  /** Of settled visitors */
  lift: number | null;
  low: number | null;
  high: number | null;
}

export interface ExperimentMetric {
  /** An event or conversion that was recorded */
  event: string;
  /** The revenue or the number of conversions with this event, or the number of these events */
  kind: 'revenue' | 'conversions' | 'events';
  /** ISO 4217: what revenue is converted to; by default the currency of the account */
  currency?: string | null | undefined;
  /** What the value of a visitor is capped at: an amount from 1, or, below 1, a quantile of the values above 0 of all variants together */
  cap?: number | null | undefined;
}

/** When it would be decided if the difference and the visitors a day stayed as they are */
export interface ExperimentPace {
  visitorsPerDay: number | null;
  /** Settled visitors; null: a decision is not foreseeable */
  visitorsNeeded: number | null;
  decisionExpectedAt: string | null;
}

export interface ExperimentPower {
  from: string;
  /** First visits from and to */
  to: string;
  /** Who would have taken part, of all who match the audience */
  visitors: number;
  visitorsPerDay: number;
  /** Of the metric per visitor within the window */
  mean: number | null;
  standardDeviation: number | null;
  power: number;
  plans: ({
    lift: number;
    /** What to set as `plannedVisitors`; null: the history has no value */
    visitors: number | null;
    /** Until so many have taken part and settled */
    days: number | null;
  })[];
  summary: string;
}

export interface ExperimentResults {
  asKnownOn: string;
  currency: string | null;
  arms: ExperimentArm[];
  /** By settled visitors */
  comparisons: ExperimentComparison[];
  sampleRatio: SampleRatio;
  /** By all visitors and the revenue to date, part of which may be refunded: never a decision */
  toDate: {
    arms: ExperimentArm[];
    comparisons: ComparisonToDate[];
    sampleRatio: SampleRatio;
  };
  /** The metric over time, at the end of each day on which visitors settled */
  looks: {
    at: string;
    settledVisitors: number;
    intervals: VariantLift[];
  }[];
  /** The ten largest segments, if `segment` is sent. For exploration: in one of many segments something differs by chance. Never a decision */
  segments: {
    by: string;
    isExploration: true;
    segments: {
      value: string;
      arms: ExperimentArm[];
      comparisons: VariantLift[];
    }[];
  } | null;
  /** null without a holdout, or before another variant than the first is shipped */
  holdout: ExperimentHoldout | null;
  pace: ExperimentPace;
  /** Visitors who saw more than one variant; the first one counts */
  contaminated: number;
  /** The result in a sentence */
  summary: string;
  /** When the metric was first decided */
  decidedAt: string | null;
}

export interface ExperimentVariant {
  /** Its name in pages and reports */
  key: string;
  /** Its share; the weights sum to 1 */
  weight: number;
  /** The values that it replaces: by the ID of the entry in `content`, and then of the field; with one entry, by the ID of the field alone. They are checked as a change of the entry is */
  values?: Record<string, unknown> | null | undefined;
}

export interface Explanation {
  /** How entries were found, in the order in which it was tried */
  strategies: string[];
  statements: {
    /** How long PostgreSQL took */
    ms: number;
    /** Rows that it returned */
    rows: number;
    /** The indexes that it read */
    indexes: string[];
    /** Its plan, as PostgreSQL describes it */
    plan: string[];
  }[];
}

export type ExportDataset = 'sessions' | 'visits' | 'events' | 'conversions' | 'leads' | 'unmatched';

export interface ExportEntriesRequest {
  format: 'csv' | 'ndjson';
  /** Exactly the columns of a CSV, in this order: fields (`price`, `seo.title`), `id`, `cover.url` and the like; default all. In NDJSON, the fields in `values` */
  fields?: string[] | undefined;
  /** Start a CSV with a byte order mark, by which Excel recognizes UTF-8; default false */
  bom?: boolean | undefined;
  /** As in `GET …/entries`: the latest versions (`draft`), or what is published */
  state?: 'draft' | 'published' | undefined;
  /** As in `GET …/entries` */
  sort?: string | undefined;
  /** As in `GET …/entries` */
  q?: string | undefined;
  /** As in `POST …/entries/query` */
  where?: unknown | undefined;
  /** As in `GET …/entries`, by field and operator: `{"price": {"gte": "10"}}`; all values of a list must match */
  filter?: Record<string, Record<string, string | string[]>> | undefined;
}

export interface FailingBackup {
  /** Of the first of the failures that no success has ended */
  since: string;
  /** Of the latest */
  error: string;
  /** Tried again after 5 and 15 seconds, then 1 and 5 minutes */
  nextAttemptAt: string;
}

export interface Features {
  analytics: 'none' | 'read' | 'write';
  conversions: 'none' | 'read' | 'write';
  files: 'none' | 'read' | 'write';
  webhooks: 'none' | 'read' | 'write';
  destinations: 'none' | 'read' | 'write';
  members: 'none' | 'read' | 'write';
  schema: 'none' | 'read' | 'write';
}

export interface Field {
  id: string;
  label: string;
  /** The values of a field: `text` a string of up to 100,000 characters; `number` a finite number; numeric strings are accepted; `boolean` `true` or `false`, also as a string; `date` a date, `YYYY-MM-DD`; `timestamp` an RFC 3339 timestamp, in UTC if it has no offset, returned in UTC with milliseconds; `url` an absolute http or https URL of up to 4,096 characters; `asset` an object with the `assetId` of an uploaded file; responses contain the whole asset; `select` the value of one of the field’s active options; `group` an object with the values of its nested fields by their IDs */
  type: FieldType;
  required: boolean;
  status: 'active' | 'deleted';
  options: SelectOption[] | null;
  /** The format of the values of a field of type `text`, unless another one is named: `slug` a part of a URL of up to 200 characters: the letters a to z, digits and hyphens; `markdown` a text in Markdown; `richtext` a formatted text as a JSON tree, `{type: "doc", content: […]}`; it can also be written as `{markdown}` or `{html}`; `email` an email address; `color` a color, `#rrggbb` or `#rrggbbaa`; `#rgb` is accepted as well; `json` any JSON value of up to 100,000 bytes and 20 levels; `reference` the ID of an entry of one of the collections in `collectionIds`; `expand` returns the entry in its place; `time` a time of day, `HH:MM` or `HH:MM:SS`; `point` a place, `{lat, lng}` in degrees; `integer` (of `number`) a whole number; beyond ±(2⁵³ − 1) a decimal string, which is exact; `decimal` (of `number`) an exact number as a decimal string, such as `12.50`; numbers are accepted; `blocks` (of `group`) of a repeated `group`: rows of different kinds, each an object with the ID of its block (`_block`), its own ID (`_id`), and the values of the fields of the block by their IDs */
  format?: TextFormat | undefined;
  /** Of a text: makes its value of those beside it in the entry, group or row, such as `{firstName} {lastName}`; a field of a group is `{seo.title}`. What a request sends for it is ignored. null: it is written like others */
  computed?: ComputedTemplate | undefined;
  /** Of a repeated group: whether its rows have IDs (`_id`), which stay as they are moved and changed. Absent unless set */
  rowIds?: boolean | undefined;
  /** Of the format `slug`: the field from which the slug of an entry without one is generated */
  slugSource?: string | undefined;
  /** Of the format `reference`: the collections whose entries can be referenced, by ID or key; returned as IDs. Of the format `richtext`: those whose entries its links can lead to, with `entry:ent_…` as `href` */
  collectionIds?: string[] | undefined;
  /** Of the formats `reference` and `richtext`: `refuse` if a referenced entry cannot be deleted, else absent */
  onDelete?: 'refuse' | undefined;
  /** Of the format `decimal`: how many digits after the point values can have. More are refused, not rounded */
  scale?: number | undefined;
  /** The component whose fields these are */
  componentId?: string | undefined;
  /** Of the format `blocks`: the kinds of rows */
  blocks?: Block[] | undefined;
  /** Absent if there is none */
  helpText?: string | undefined;
  validation?: FieldValidation | undefined;
  /** The value of entries, groups and rows that are created without one. Not for the type `asset`; of a group that is not repeated `{}`, which stands for the defaults of its fields. `{"now": true}` is the time of creation, of a date, timestamp or time; `{"currentUser": true}` the ID of the user who creates it, of a text */
  defaultValue?: FieldDefaultValue | undefined;
  /** Absent unless public responses omit the field */
  private?: boolean | undefined;
  /** A condition on the fields beside this one, such as `{"kind": {"eq": "video"}}`, also with `and`, `or` and `not`. While it is not met, the field is neither required nor are its rules checked; its value is kept */
  visibleWhen?: VisibleWhen | undefined;
  repeated: boolean;
  fields: NestedField[] | null;
  /** Absent unless no two entries may have the same value */
  unique?: boolean | undefined;
  /** Absent unless values differ by locale: that of `de` is the value of `<fieldId>@de` */
  localized?: boolean | undefined;
  /** The part of the form that shows it; absent: the first */
  section?: string | undefined;
}

export interface FieldConditions {
  eq?: FilterOperands | undefined;
  ne?: FilterOperands | undefined;
  lt?: FilterOperands | undefined;
  lte?: FilterOperands | undefined;
  gt?: FilterOperands | undefined;
  gte?: FilterOperands | undefined;
  in?: FilterOperands | undefined;
  nin?: FilterOperands | undefined;
  between?: FilterOperands | undefined;
  all?: FilterOperands | undefined;
  none?: FilterOperands | undefined;
  ieq?: string | undefined;
  contains?: string | undefined;
  startsWith?: string | undefined;
  endsWith?: string | undefined;
  near?: string | undefined;
  exists?: boolean | undefined;
}

/** The value of entries, groups and rows that are created without one. Not for the type `asset`; of a group that is not repeated `{}`, which stands for the defaults of its fields. `{"now": true}` is the time of creation, of a date, timestamp or time; `{"currentUser": true}` the ID of the user who creates it, of a text */
export type FieldDefaultValue = unknown;

/** The values of a field: `text` a string of up to 100,000 characters; `number` a finite number; numeric strings are accepted; `boolean` `true` or `false`, also as a string; `date` a date, `YYYY-MM-DD`; `timestamp` an RFC 3339 timestamp, in UTC if it has no offset, returned in UTC with milliseconds; `url` an absolute http or https URL of up to 4,096 characters; `asset` an object with the `assetId` of an uploaded file; responses contain the whole asset; `select` the value of one of the field’s active options; `group` an object with the values of its nested fields by their IDs */
export type FieldType = 'text' | 'number' | 'boolean' | 'date' | 'timestamp' | 'url' | 'asset' | 'select' | 'group';

/** Rules for values that are written from now on, each value of a repeated field. `min` and `max` for the types `number`, `date` and `timestamp`; `minItems` and `maxItems` for the list of a repeated field; the others for `text` and `url`. A required text that is made without rules has `minLength` 1, so that an empty text is refused */
export interface FieldValidation {
  min?: number | string | undefined;
  max?: number | string | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  /** A regular expression in the syntax of RE2 that the whole value has to match */
  pattern?: string | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
}

export interface FileWithUses extends StoredFile {
  usedByCount: number;
  /** Entries that use the file, at most 100 */
  usedBy: ({
    collectionId: string;
    entryId: string;
    /** Status of the entry */
    status: 'active' | 'deleted';
  })[];
}

export type FilterOperands = string | number | boolean | (string | number | boolean)[];

export interface FilterOperators {
  is?: (string | null)[] | undefined;
  isNot?: (string | null)[] | undefined;
  contains?: (string | null)[] | undefined;
  containsNot?: (string | null)[] | undefined;
}

export type FilterTexts = string | string[];

export type FilterValues = string | string[];

/** Fractions of width and height from the upper left; crops keep this point in view */
export interface FocalPoint {
  x: number;
  y: number;
}

export interface Folder {
  id: string;
  name: string;
  /** The folder that contains it; null: none */
  parentId: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface Funnel {
  from: string;
  to: string;
  asOf: string;
  steps: ({
    event?: string | undefined;
    page?: string | undefined;
    where?: PropertyCondition[] | undefined;
    anyOf?: (FunnelEvent | FunnelPage)[] | undefined;
    /** Sessions or visitors that completed this step */
    count: number;
    /** Those that completed the previous step and not this one */
    dropped: number;
    /** The share of those that completed the previous step */
    ofPrevious: number | null;
    /** The share of those that completed the first step */
    ofFirst: number | null;
    /** The time from the previous step, of those that completed this one */
    fromPrevious: FunnelDuration | null;
  })[];
  /** The time from the first step to the last one */
  timeToConvert: FunnelDuration | null;
  /** The period to compare with */
  previous: {
    from: string;
    to: string;
    steps: ({
      count: number;
      /** The share of those that completed the first step */
      ofFirst: number | null;
    })[];
  } | null;
  breakdown: {
    /** Sorted by the first step, descending */
    rows: ({
      /** null: without a value */
      value: string | null;
      /** How many completed each step */
      counts: number[];
      /** The share of those that completed the first step */
      ofFirst: number | null;
    })[];
    /** Whether there are further values */
    more: boolean;
  } | null;
}

export interface FunnelAlternatives {
  /** Any of these completes the step */
  anyOf: (FunnelEvent | FunnelPage)[];
}

export interface FunnelDefinition {
  /** By default `session` */
  by?: 'session' | 'visitor' | undefined;
  /** The time from the first step within which the others must happen; by default `10080` */
  windowMinutes?: number | undefined;
  steps: (FunnelEvent | FunnelPage | FunnelAlternatives)[];
  /** Also counts by this dimension of the session in which the first step happened */
  breakdownBy?: 'source' | 'medium' | 'campaign' | 'landingPage' | 'country' | 'device' | 'channel' | 'term' | 'content' | 'referrer' | 'exitPage' | 'browser' | 'os' | 'region' | undefined;
}

/** In seconds */
export interface FunnelDuration {
  median: number;
  average: number;
}

export interface FunnelEvent {
  event: string;
  /** Only events whose properties pass all of these */
  where?: PropertyCondition[] | undefined;
}

export interface FunnelPage {
  /** `/pricing` on any host, or `shop.example/pricing`; `*` at the end matches any rest */
  page: string;
}

export interface GetEntryTitlesResult {
  titles: EntryTitle[];
}

export interface GetFunnelRequest {
  /** The start: a day of `timeZone`, such as 2026-11-20, a time of it on a quarter of an hour, such as 2026-11-20T08:15, or an RFC 3339 time */
  from: string;
  /** The end, in the format of `from`; the period ends before it */
  to: string;
  /** A name of the IANA time zone database; defaults to the time zone of the account */
  timeZone?: string | undefined;
  /** By default `session` */
  by?: 'session' | 'visitor' | undefined;
  /** The time from the first step within which the others must happen; by default `10080` */
  windowMinutes?: number | undefined;
  steps: (FunnelEvent | FunnelPage | FunnelAlternatives)[];
  /** Also counts by this dimension of the session in which the first step happened */
  breakdownBy?: 'source' | 'medium' | 'campaign' | 'landingPage' | 'country' | 'device' | 'channel' | 'term' | 'content' | 'referrer' | 'exitPage' | 'browser' | 'os' | 'region' | undefined;
  /** Includes traffic that is left out by default: `bots`, `internal` (from excluded IPs), or both, separated by a comma */
  include?: string | undefined;
  filters?: ReportFilters | undefined;
  /** Compares with the previous period of the same length, or with the same period a year before. A period that is not over is compared to the same part of the other one; by default `none` */
  compare?: 'previous' | 'year' | 'none' | undefined;
}

export interface GetLeadValuesResult {
  /** In the order of the query, without leads that do not exist or have no conversion */
  leads: LeadValue[];
}

export interface GetPasskeyOptionsRequest {
  currentPassword?: string | undefined;
}

export interface GetPasskeyOptionsResult {
  /** Options for `navigator.credentials`, in the JSON form of WebAuthn level 3 */
  options: Record<string, unknown>;
}

export interface GetPasskeySignInOptionsResult {
  /** Options for `navigator.credentials`, in the JSON form of WebAuthn level 3 */
  options: Record<string, unknown>;
}

export interface GetSessionVisitsResult {
  sessions: SessionVisit[];
}

export interface GraphqlRequest {
  /** The document; omitted for a persisted query */
  query?: string | undefined;
  operationName?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
  extensions?: {
    persistedQuery?: {
      version?: number | undefined;
      sha256Hash: string;
    } | undefined;
  } | undefined;
}

export interface GraphqlResult {
  data: Record<string, unknown> | null;
  errors?: Record<string, unknown>[] | undefined;
}

export type GroupKey = string | {
  path: string;
  /** Of a time or date */
  by?: 'day' | 'week' | 'month' | 'year' | undefined;
  /** UTC by default */
  timeZone?: string | undefined;
};

export interface Import {
  id: string;
  collectionId: string;
  /** The name of the file */
  name: string;
  bytes: number;
  /** `stopped`: the stage was canceled or failed, see `job`; start it again to resume it */
  status: 'uploaded' | 'dry_running' | 'dry_run_completed' | 'importing' | 'imported' | 'undoing' | 'undone' | 'stopped';
  /** The stage that was started last */
  stage: 'upload' | 'dry_run' | 'import' | 'undo';
  columns: ({
    /** The heading */
    name: string;
    /** Cells of the first rows */
    samples: string[];
    /** The field that the heading names; `_id` for the id of the entry; null if none */
    suggestedField: string | null;
  })[];
  mapping: ImportMapping | null;
  dryRun: ImportCounts | null;
  imported: ImportCounts | null;
  undone: ImportUndoCounts | null;
  /** The job of the stage, until 7 days after its end */
  job: Job | null;
  createdAt: string;
  /** When the file is deleted, after which the import cannot be undone */
  expiresAt: string;
}

export interface ImportCounts {
  /** Rows processed so far, without empty lines */
  rows: number;
  /** New entries */
  created: number;
  /** Entries whose values change */
  updated: number;
  /** Entries that already match their row */
  unchanged: number;
  /** Invalid rows, which are skipped */
  failed: number;
  /** The first 100 */
  errors: ({
    /** As in a spreadsheet: the header is row 1 */
    row: number;
    /** The field; null if the row as a whole is invalid */
    field: string | null;
    code: string;
    detail: string;
    /** The letter of the column in a spreadsheet */
    column?: string | undefined;
    /** What the cell contains, shortened */
    value?: string | undefined;
  })[];
  /** A CSV with one line per row, available without a token; null while the stage runs */
  resultsUrl: string | null;
}

export interface ImportMapping {
  /** The field of each column, in the order of the file; null ignores the column */
  columns: ({
    /** The id of a field, or `group.field` for a field of a group that is not repeated */
    field: string;
    /** Separates the values of a repeated field in cells that are not a JSON array */
    separator?: string | undefined;
  } | null)[];
  /** The column, counted from 0, with the ids of the entries to update */
  idColumn?: number | null | undefined;
  /** Match entries by the value of this field instead of by id; a row without a match is created */
  keyField?: string | null | undefined;
  /** What an empty cell does to the value of an entry; default `clear` */
  emptyCells?: 'clear' | 'keep' | undefined;
  /** The decimal separator; without it, each column is read as its other numbers prove, and `1,234` is an error if none does */
  decimal?: '.' | ',' | null | undefined;
  /** The order of dates; without it, each column is read as its other dates prove, and `03/04/2026` is an error if none does */
  dateOrder?: 'dmy' | 'mdy' | null | undefined;
  /** The IANA time zone of times without an offset; without it, they are an error */
  timeZone?: string | null | undefined;
}

export interface ImportUndoCounts {
  /** Entries processed so far */
  entries: number;
  /** Entries that the import had created */
  deleted: number;
  /** Entries that the import had updated */
  restored: number;
  /** Entries that were changed or deleted after the import, and are left alone */
  skipped: number;
  /** A CSV with one line per row, available without a token; null while the stage runs */
  resultsUrl: string | null;
}

export interface ImportedConversionItem extends ConversionItem {
  /** When this report became known, in the formats of `createdOn`; by default at `createdOn`. Reports by the age of revenue count it from then on. */
  knownAt?: unknown | undefined;
}

export interface InspectFirstRunRequest {
  /** The part of the link after `#` */
  token: string;
}

export interface InspectFirstRunResult {
  /** Accounts without members, created with the `headwater` command */
  accounts: {
    id: string;
    name: string;
  }[];
  expiresAt: string;
}

export interface InspectInvitationRequest {
  /** The part of the link after `#` */
  token: string;
}

export interface InspectInvitationResult {
  account: {
    name: string;
  };
  /** `custom`: one that the account defines, named by `roleId` */
  role: RoleName;
  /** Of a role that the account defines */
  roleName?: string | undefined;
  /** The only email that can accept the invitation */
  email: string | null;
  expiresAt: string;
}

export interface Invitation {
  id: string;
  /** `custom`: one that the account defines, named by `roleId` */
  role: RoleName;
  /** `owner`, `editor`, `viewer` or the ID of a role of the account */
  roleId: string;
  /** The only part of the account that the member may use: collections and files, or reports, sessions, leads and conversions; null: all of it. Owners cannot be limited */
  area: AreaName;
  email: string | null;
  status: 'pending' | 'accepted' | 'revoked' | 'expired';
  invitedBy: {
    id: string;
    name: string;
  } | null;
  createdAt: string;
  expiresAt: string;
}

export interface Job {
  id: string;
  /** What the job does: `export`, `export_entries`, `dry_run_import`, `import_entries`, `undo_import`, `undo_conversion_import`, `reconcile`, `apply_reconciliation`, `change_entries`, `undo_change`, `erase_lead`, `erase_visitor`, `replay_webhook`, `replay_destination`, `clear_destination`, `read_costs`, `clear_cost_source`, `export_warehouse` or `clear-unused-files` */
  type: string;
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  /** The share that is done. It never decreases */
  progress: number;
  /** The parameters of the job */
  params: Record<string, unknown>;
  /** The result of a completed job, otherwise null. An export returns `{url, format, rows, bytes, sha256}`; the `url` needs no token and works until `expiresAt`. If a lead or visitor was erased since, the file is deleted: `{url: null, expired: true, …}`. `erase_lead` and `erase_visitor` return `{erased}`: whether there was one */
  result: Record<string, unknown> | null;
  /** Why the job failed, otherwise null */
  error: {
    /** Stable, in snake_case */
    code: string;
    detail: string;
  } | null;
  createdAt: string;
  /** When the job started; null while it is queued */
  startedAt: string | null;
  /** When the job was completed, failed or canceled */
  finishedAt: string | null;
  /** When the finished job and its result are deleted: 7 days after its end */
  expiresAt: string | null;
}

export interface Join {
  /** ID or key of the collection whose entries reference these */
  collection: string;
  /** Its reference, by path */
  field: string;
  where?: unknown | undefined;
  sort?: string | undefined;
  /** 10 by default */
  limit?: number | undefined;
  select?: string | undefined;
}

export interface Lead {
  id: string;
  email: string;
  firstSeenAt: string;
  lastSeenAt: string;
  firstSessionId: number | null;
  latestSessionId: number | null;
  /** Of the first session, like the members that follow */
  source: string | null;
  medium: string | null;
  campaign: string | null;
  country: string | null;
  /** The latest `name`, or first and last name, among the properties of its events */
  name: string | null;
}

export interface LeadValue {
  leadId: string;
  /** Without refunds */
  conversions: number;
  /** By currency */
  revenue: Money[];
  /** The sum in the currency of the account; null if it has no currency */
  convertedRevenue: ConvertedRevenue | null;
}

export interface LeadWithProperties extends Lead {
  /** Written by members of the account */
  notes: string | null;
  /** The latest value of each property of its latest events, such as a name or a phone number */
  properties: Record<string, string | number | boolean>;
}

export interface LeaveAccountResult {
  success: boolean;
}

export interface Limits {
  /** Maximum size of a JSON body */
  bodyBytes: number;
  /** Maximum size of the JSON body of a conversion report */
  conversionBodyBytes: number;
  /** Maximum nesting of a JSON body */
  bodyDepth: number;
  conversionsPerBatch: number;
  /** Maximum page size of a list */
  pageSize: number;
  /** Maximum length of an Idempotency-Key */
  idempotencyKeyLength: number;
  /** How long the response to an Idempotency-Key is stored */
  idempotencyKeyHours: number;
  /** Earlier versions that are kept of each entry */
  entryVersions: number;
  imageBytes: number;
  imagePixels: number;
  videoBytes: number;
  fileBytes: number;
  /** Maximum size of a CSV import */
  importBytes: number;
  /** Maximum rows of a CSV import */
  importRows: number;
  /** Widths and heights in which an image can be requested, as `?w=` and `?h=` of its URL */
  imageSizes: number[];
  /** Requests per second, and at once, by type of request; null: not limited */
  rates: Record<string, {
      perSecond: number;
      burst: number;
    }> | null;
  content: {
    /** Fields of a collection, a group or a block, including deleted ones */
    fields: number;
    /** Groups and blocks within each other */
    groupDepth: number;
    /** Blocks of a field, including deleted ones */
    blocks: number;
    /** Entries below those of a page of a tree */
    treeEntries: number;
    /** Depth of a tree of entries */
    treeDepth: number;
    /** Entries of a collection when it gets a manual order */
    orderedEntries: number;
    /** Components of an account */
    components: number;
    /** Locales of an account */
    locales: number;
    /** Localized fields of a collection, counted once for each locale other than the default one */
    translations: number;
    /** Options of a field, including deleted ones */
    options: number;
    /** Size of the fields of a collection as JSON */
    fieldsBytes: number;
    /** Name of a collection; label of a field or option; value of an option */
    labelLength: number;
    /** Description of a collection */
    descriptionLength: number;
    /** Pattern of a field */
    patternLength: number;
    /** Pattern of a field, in instructions of RE2, to which repetitions such as `x{1,99}` are written out */
    patternInstructions: number;
    /** Cost of compiling a pattern: its instructions, 50 for each Unicode class such as `\pL`, and more for ranges that ignore case */
    patternCost: number;
    /** Cost of compiling the different patterns of a collection together */
    patternsCost: number;
    /** Comparing the values of an entry with patterns: characters times instructions */
    patternSteps: number;
    /** Value of a text field */
    textLength: number;
    /** Digits of a value of the formats `integer` and `decimal` */
    decimalDigits: number;
    /** `scale` of a field */
    decimalScale: number;
    /** Slug */
    slugLength: number;
    /** Slug that is derived from another field */
    derivedSlugLength: number;
    /** Value of a JSON field */
    jsonBytes: number;
    /** Nesting of the value of a JSON field */
    jsonDepth: number;
    /** Value of a rich text field as JSON */
    richTextLength: number;
    /** Collections whose entries a field can reference */
    referencedCollections: number;
    /** Value of a URL field */
    urlLength: number;
    /** Values of a repeated field */
    valuesPerField: number;
    /** Values of all repeated fields of an entry together */
    valuesPerEntry: number;
    /** Depth to which references are expanded */
    expandDepth: number;
    /** Paths of `expand` */
    expandPaths: number;
    /** Expanded entries in a response */
    expandedEntries: number;
    /** Entries of a request for titles */
    titledEntries: number;
    /** Entries of a request that publishes or unpublishes several */
    publishedTogether: number;
    /** Operations of a batch */
    operationsPerBatch: number;
    /** New entries within the references of a new entry */
    nestedEntries: number;
    /** Depth of new entries within the references of a new entry */
    nestedDepth: number;
    /** Publish hooks of an account */
    publishHooks: number;
    /** Saved views of a collection that all members see, or that one does */
    views: number;
    /** Name of a saved view of a collection */
    viewNameLength: number;
    /** Comment on an entry */
    commentLength: number;
    /** Entries of a release */
    releaseItems: number;
    /** Values of the entries of a release as JSON, with the versions that it publishes */
    releaseBytes: number;
    /** Errors that are kept of a release that failed */
    releaseErrors: number;
    /** Filters of a list request */
    filters: number;
    /** Conditions of a query */
    whereLeaves: number;
    /** Collections that the conditions of a query lead to by references, each counted once for each condition and way */
    whereTargets: number;
    /** Groups of conditions within each other */
    whereDepth: number;
    /** Sort keys of a query */
    sortKeys: number;
    /** Joins of a query */
    joins: number;
    /** Entries that are read for the joins of a page */
    joinedEntries: number;
    /** Keys of groups of an aggregation */
    groupKeys: number;
    /** Measures of an aggregation */
    measures: number;
    /** Values of one `in` filter */
    filterValues: number;
    /** `q` of a list request */
    searchLength: number;
  };
  tracking: {
    /** Visits and events of a batch */
    batchItems: number;
    /** Name of an event */
    eventLength: number;
    /** `id` of an event; a longer one is ignored */
    eventIdLength: number;
    /** Members of the `properties` of an event */
    properties: number;
    /** Size of the `properties` of an event as JSON */
    propertiesBytes: number;
    /** Nesting of the `properties` of an event */
    propertiesDepth: number;
    /** `properties.email`; a longer one creates no lead */
    emailLength: number;
    /** Name of a lead; a longer one is ignored */
    leadNameLength: number;
    /** Notes about a lead */
    leadNotesLength: number;
    /** Session identifier or click id; a longer one is ignored in events and landing URLs */
    identifierLength: number;
    /** `url` of a visit; a longer `referrer` is cut */
    urlLength: number;
    /** `title` of a visit; a longer one is cut */
    titleLength: number;
    /** `userAgent` of a visit or event; a longer one is cut */
    userAgentLength: number;
    /** `visitId` and `visitorId`; a longer one is ignored */
    clientIdLength: number;
    /** Origins of the tracking settings */
    allowedOrigins: number;
    /** Addresses and ranges of the tracking settings */
    excludedAddresses: number;
  };
  conversions: {
    /** Name of the event */
    eventLength: number;
    /** `eventId` */
    eventIdLength: number;
    /** Amount, positive or negative */
    value: number;
    /** Amount as a string */
    valueLength: number;
    /** Size of `extra` as JSON */
    extraBytes: number;
    /** Nesting of `extra` */
    extraDepth: number;
    /** Reconciliations of an account */
    reconciliations: number;
    /** Size of the file of a reconciliation */
    reconciliationBytes: number;
    /** Rows of the file of a reconciliation */
    reconciliationRows: number;
    /** How long a reconciliation is stored */
    reconciliationDays: number;
    /** How long an unmatched report is stored */
    unmatchedDays: number;
  };
  files: {
    /** Resumable uploads of an account that are not complete */
    unfinishedUploads: number;
    /** Upload tokens of an account that are neither used nor expired */
    uploadTokens: number;
    /** Tags of a file */
    tags: number;
    /** Tag of a file */
    tagLength: number;
    /** Name of a file; a longer one is cut when it is uploaded */
    nameLength: number;
    /** URL of a file to fetch */
    urlLength: number;
    /** Alternative text, title or caption of a file */
    altLength: number;
    /** Folders of an account */
    folders: number;
    /** Folders within each other */
    folderDepth: number;
    /** Name of a folder */
    folderNameLength: number;
  };
  webhooks: {
    /** Webhooks of an account */
    webhooks: number;
    /** URL of a webhook */
    urlLength: number;
    /** Path of a field that a webhook sends or filters by */
    fieldLength: number;
    /** Fields that a webhook sends */
    fields: number;
    /** Filters of a webhook */
    filters: number;
    /** Description of a webhook */
    descriptionLength: number;
  };
  analytics: {
    /** Length of a period */
    periodDays: number;
    /** Intervals of a period */
    intervals: number;
    /** Values of a filter */
    filterValues: number;
    /** Steps of a funnel */
    funnelSteps: number;
    /** Alternatives of a step of a funnel */
    stepAlternatives: number;
    /** Conditions on properties of an event in a funnel */
    propertyConditions: number;
    /** Shared links of an account */
    sharedLinks: number;
    /** Saved views of a screen */
    savedViews: number;
    /** State of a saved view, as JSON */
    savedViewBytes: number;
    /** Annotations of an account */
    annotations: number;
    /** Alerts of an account */
    alerts: number;
    /** Custom channel rules of an account */
    channelRules: number;
    /** Conditions of a channel rule */
    channelConditions: number;
    /** Values of a condition of a channel rule */
    channelValues: number;
    /** Channels of an alert */
    alertChannels: number;
    /** Characters of an annotation */
    annotationLength: number;
  };
  exports: {
    /** `fields` of an export */
    fields: number;
  };
  experiments: {
    /** Experiments of an account */
    experiments: number;
    /** Variants of an experiment */
    variants: number;
    /** Guardrails of an experiment */
    guardrails: number;
  };
  destinations: {
    /** Destinations of an account */
    destinations: number;
    /** Name of a destination */
    nameLength: number;
    /** Each credential */
    credentialLength: number;
    /** Rules of a mapping */
    mappingRules: number;
    /** Events, and sources, of a filter */
    filterValues: number;
    /** `sendAfter` */
    sendAfterSeconds: number;
  };
  costs: {
    /** Cost sources of an account */
    costSources: number;
    /** Name of a cost source */
    nameLength: number;
    /** Each credential of a cost source */
    credentialLength: number;
    /** Days that `refresh` reads at most */
    days: number;
  };
  sql: {
    /** Characters of a statement */
    characters: number;
    /** Parameters of a statement */
    parameters: number;
    /** Seconds of a statement, until its last row is sent */
    seconds: number;
  };
  warehouse: {
    /** Warehouses of an account */
    warehouses: number;
    /** Name of a warehouse */
    nameLength: number;
    /** Prefix of a warehouse */
    prefixLength: number;
  };
  accounts: {
    /** API keys of an account that are not revoked */
    keys: number;
  };
  users: {
    /** Name of a user, account or key */
    nameLength: number;
    /** Email of a user */
    emailLength: number;
    /** A password has at least so many */
    minPasswordLength: number;
    /** A password */
    passwordLength: number;
    /** `expiresInDays` of an invitation */
    invitationDays: number;
    /** `domains` of single sign-on */
    ssoDomains: number;
    /** `roleMappings` of single sign-on */
    ssoRoleMappings: number;
  };
}

export interface ListAdCostsResult {
  costs: AdCost[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListAlertIncidentsResult {
  incidents: AlertIncident[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListAlertsResult {
  alerts: Alert[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListAnnotationsResult {
  annotations: Annotation[];
}

export interface ListChangesResult {
  changes: AuditChange[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListCollectionsResult {
  collections: Collection[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListCommentsResult {
  comments: EntryComment[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListComponentsResult {
  components: Component[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListConversionDeliveriesResult {
  deliveries: DestinationDelivery[];
}

export interface ListConversionImportsResult {
  imports: ConversionImport[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListConversionsResult {
  conversions: Conversion[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
  totals?: {
    /** All of the list */
    conversions: number;
    /** Those of them whose value was adjusted to 0 */
    refunds: number;
    /** By currency */
    revenue: ({
      currency: string | null;
      /** A decimal number */
      value: string;
    })[];
  } | undefined;
}

export interface ListCostPlatformsResult {
  platforms: CostPlatform[];
}

export interface ListCostSourcesResult {
  costSources: CostSource[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListDeletedCollectionsResult {
  collections: TrashedCollection[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListDeletedEntriesResult {
  entries: TrashedEntry[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListDestinationDeliveriesResult {
  deliveries: DestinationDelivery[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListDestinationPlatformsResult {
  platforms: DestinationPlatform[];
}

export interface ListDestinationsResult {
  destinations: Destination[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListEntriesResult {
  entries: Entry[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
  /** Only with `count=exact`: all entries that match */
  total?: number | undefined;
  explain?: Explanation | undefined;
}

export interface ListEntryUsagesResult {
  usages: Usage[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListEntryVersionsResult {
  versions: EntryVersion[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListEntryViewsResult {
  views: EntryView[];
}

export interface ListExchangeRatesResult {
  rates: ExchangeRate[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListExperimentsResult {
  experiments: Experiment[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListFileTagsResult {
  /** At most 500 */
  tags: {
    tag: string;
    files: number;
  }[];
}

export interface ListFilesResult {
  files: ListedFile[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListFoldersResult {
  folders: Folder[];
}

export interface ListImportsResult {
  imports: Import[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListInvitationsResult {
  invitations: Invitation[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListJobsResult {
  jobs: Job[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListKeysResult {
  keys: ApiKey[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListLeadsResult {
  leads: Lead[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
  totals?: {
    leads: number;
  } | undefined;
}

export interface ListMembersResult {
  members: Member[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListPlansResult {
  plans: Plan[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListPublicEntriesResult {
  entries: PublicEntry[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
  /** Only with `count=exact`: all entries that match */
  total?: number | undefined;
}

export interface ListPublishHooksResult {
  hooks: PublishHook[];
}

export interface ListQueueAlarmsResult {
  alarms: QueueAlarm[];
}

export interface ListRankedSessionsResult {
  sessions: Session[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListReconciliationLinesResult {
  lines: ReconciliationLine[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListReconciliationsResult {
  reconciliations: Reconciliation[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListRejectedRequestsResult {
  requests: RejectedRequest[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListReleaseItemsResult {
  items: ReleaseItem[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListReleasesResult {
  releases: Release[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListRolesResult {
  roles: Role[];
  nextPageToken: null;
}

export interface ListSavedViewsResult {
  views: SavedView[];
}

export interface ListSessionsResult {
  sessions: UserSession[];
}

export interface ListSharedAnnotationsResult {
  annotations: SharedAnnotation[];
}

export interface ListSharedLinksResult {
  links: SharedLink[];
}

export interface ListSsoOfDomainResult {
  connections: {
    accountId: string;
    name: string;
  }[];
}

export interface ListTrackedSessionsResult {
  sessions: Session[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListUnmatchedConversionsResult {
  conversions: UnmatchedConversion[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListWarehousesResult {
  warehouses: Warehouse[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListWebhookDeliveriesResult {
  deliveries: WebhookDelivery[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListWebhooksResult {
  webhooks: Webhook[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface ListedFile extends StoredFile {
  /** Entries that use the file, deleted ones included; counted up to 1,000 */
  usedByCount: number;
}

export interface Live {
  at: string;
  /** Visitors of the last five minutes, without bots and internal traffic */
  visitors: number;
  /** Newest first */
  latest: ({
    type: 'visit' | 'event';
    id: string;
    at: string;
    sessionId: number | null;
    page: string | null;
    event: string | null;
    source: string | null;
    medium: string | null;
    campaign: string | null;
    country: string | null;
    device: string | null;
    isBot: boolean;
    isInternal: boolean;
  })[];
}

export interface Locales {
  /** The locale that is read if a request names none. In a collection without `baseLocale` values without a locale in their name are in it. null: there is none */
  default: string | null;
  /** In order, including the default one */
  locales: ContentLocale[];
}

export interface MakeResetLinkResult {
  /** Shown once. null: it is sent to the email of the member */
  url: string | null;
  /** The link is sent to the email of the member */
  emailed: boolean;
  expiresAt: string;
}

export interface ManyDelete {
  /** Which entries, as in queries. `{}`: all */
  where: unknown;
  /** How many entries there must be; otherwise nothing is changed */
  expect?: number | undefined;
  /** Checks the change and changes nothing */
  dryRun?: boolean | undefined;
}

export interface ManyResult {
  /** Entries that match */
  matched: number;
  /** Entries that are different now */
  changed: number;
  /** For `POST …/undo/{undoId}` within 30 days; null if nothing was changed */
  undoId: string | null;
}

export interface ManyUpdate {
  /** Which entries, as in queries. `{}`: all */
  where: unknown;
  /** How many entries there must be; otherwise nothing is changed */
  expect?: number | undefined;
  /** Checks the change and changes nothing */
  dryRun?: boolean | undefined;
  /** Merged by field ID, as in an update */
  values?: Record<string, unknown> | undefined;
  /** Numbers to add, by field ID. A field without a value counts as 0. */
  increment?: Record<string, unknown> | undefined;
  /** Lists of values to add at the end of repeated fields, by field ID */
  append?: Record<string, unknown> | undefined;
  /** Lists of values to remove from repeated fields, by field ID */
  remove?: Record<string, unknown> | undefined;
  /** Parts of groups, by field ID. Members that are not sent stay, `null` clears. */
  merge?: Record<string, unknown> | undefined;
  /** Changes of single rows of repeated groups, in order */
  rows?: RowChange[] | undefined;
}

export interface MappingRule {
  event: string;
  target: string;
  value: 'send' | 'omit' | 'fixed';
  /** Exact decimal number */
  amount: string | null;
  currency: string | null;
}

export interface Measure {
  /** `true`: entries of the group */
  count?: boolean | undefined;
  countDistinct?: string | undefined;
  sum?: string | undefined;
  avg?: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
}

export interface Member {
  userId: string;
  email: string;
  name: string;
  /** `custom`: one that the account defines, named by `roleId` */
  role: RoleName;
  /** `owner`, `editor`, `viewer` or the ID of a role of the account */
  roleId: string;
  /** The only part of the account that the member may use: collections and files, or reports, sessions, leads and conversions; null: all of it. Owners cannot be limited */
  area: AreaName;
  joinedAt: string;
  lastSeenAt: string | null;
}

export interface Money {
  /** ISO 4217; null for conversions without a currency */
  currency: string | null;
  /** A decimal number */
  value: string;
}

export interface MoveAccountRequest {
  /** ID of the account */
  account: string;
  /** Where it is to be */
  cell: string;
}

export interface MoveEntryRequest {
  /** The entry that follows it afterwards; in a tree, below the same parent */
  before?: string | undefined;
  /** The entry that it follows afterwards; in a tree, below the same parent */
  after?: string | undefined;
  /** Before all others */
  first?: true | undefined;
  /** Behind all others; the default with `parentId` */
  last?: true | undefined;
  /** In a tree: the entry below which it is afterwards; null: none. By default as before */
  parentId?: string | null | undefined;
}

export interface NestedField {
  id: string;
  label: string;
  /** The values of a field: `text` a string of up to 100,000 characters; `number` a finite number; numeric strings are accepted; `boolean` `true` or `false`, also as a string; `date` a date, `YYYY-MM-DD`; `timestamp` an RFC 3339 timestamp, in UTC if it has no offset, returned in UTC with milliseconds; `url` an absolute http or https URL of up to 4,096 characters; `asset` an object with the `assetId` of an uploaded file; responses contain the whole asset; `select` the value of one of the field’s active options; `group` an object with the values of its nested fields by their IDs */
  type: FieldType;
  required: boolean;
  status: 'active' | 'deleted';
  options: SelectOption[] | null;
  /** The format of the values of a field of type `text`, unless another one is named: `slug` a part of a URL of up to 200 characters: the letters a to z, digits and hyphens; `markdown` a text in Markdown; `richtext` a formatted text as a JSON tree, `{type: "doc", content: […]}`; it can also be written as `{markdown}` or `{html}`; `email` an email address; `color` a color, `#rrggbb` or `#rrggbbaa`; `#rgb` is accepted as well; `json` any JSON value of up to 100,000 bytes and 20 levels; `reference` the ID of an entry of one of the collections in `collectionIds`; `expand` returns the entry in its place; `time` a time of day, `HH:MM` or `HH:MM:SS`; `point` a place, `{lat, lng}` in degrees; `integer` (of `number`) a whole number; beyond ±(2⁵³ − 1) a decimal string, which is exact; `decimal` (of `number`) an exact number as a decimal string, such as `12.50`; numbers are accepted; `blocks` (of `group`) of a repeated `group`: rows of different kinds, each an object with the ID of its block (`_block`), its own ID (`_id`), and the values of the fields of the block by their IDs */
  format?: TextFormat | undefined;
  /** Of a text: makes its value of those beside it in the entry, group or row, such as `{firstName} {lastName}`; a field of a group is `{seo.title}`. What a request sends for it is ignored. null: it is written like others */
  computed?: ComputedTemplate | undefined;
  /** Of a repeated group: whether its rows have IDs (`_id`), which stay as they are moved and changed. Absent unless set */
  rowIds?: boolean | undefined;
  /** Of the format `slug`: the field from which the slug of an entry without one is generated */
  slugSource?: string | undefined;
  /** Of the format `reference`: the collections whose entries can be referenced, by ID or key; returned as IDs. Of the format `richtext`: those whose entries its links can lead to, with `entry:ent_…` as `href` */
  collectionIds?: string[] | undefined;
  /** Of the formats `reference` and `richtext`: `refuse` if a referenced entry cannot be deleted, else absent */
  onDelete?: 'refuse' | undefined;
  /** Of the format `decimal`: how many digits after the point values can have. More are refused, not rounded */
  scale?: number | undefined;
  /** The component whose fields these are */
  componentId?: string | undefined;
  /** Of the format `blocks`: the kinds of rows */
  blocks?: Block[] | undefined;
  /** Absent if there is none */
  helpText?: string | undefined;
  validation?: FieldValidation | undefined;
  /** The value of entries, groups and rows that are created without one. Not for the type `asset`; of a group that is not repeated `{}`, which stands for the defaults of its fields. `{"now": true}` is the time of creation, of a date, timestamp or time; `{"currentUser": true}` the ID of the user who creates it, of a text */
  defaultValue?: FieldDefaultValue | undefined;
  /** Absent unless public responses omit the field */
  private?: boolean | undefined;
  /** A condition on the fields beside this one, such as `{"kind": {"eq": "video"}}`, also with `and`, `or` and `not`. While it is not met, the field is neither required nor are its rules checked; its value is kept */
  visibleWhen?: VisibleWhen | undefined;
  /** Absent unless the value is an array */
  repeated?: boolean | undefined;
  /** Of a group; none of blocks */
  fields?: NestedField[] | undefined;
}

export interface NestedFieldChange {
  /** Unique within its list; generated if it is omitted */
  id?: string | undefined;
  label?: string | undefined;
  /** The values of a field: `text` a string of up to 100,000 characters; `number` a finite number; numeric strings are accepted; `boolean` `true` or `false`, also as a string; `date` a date, `YYYY-MM-DD`; `timestamp` an RFC 3339 timestamp, in UTC if it has no offset, returned in UTC with milliseconds; `url` an absolute http or https URL of up to 4,096 characters; `asset` an object with the `assetId` of an uploaded file; responses contain the whole asset; `select` the value of one of the field’s active options; `group` an object with the values of its nested fields by their IDs */
  type?: FieldType | undefined;
  /** `false` by default */
  required?: boolean | undefined;
  status?: 'active' | 'deleted' | undefined;
  /** Required for the type `select`, and not allowed for others */
  options?: SelectOptionChanges | undefined;
  format?: TextFormat | null | undefined;
  computed?: ComputedTemplate | null | undefined;
  /** Of a repeated group: whether its rows have IDs (`_id`), which stay as they are moved and changed. Absent unless set */
  rowIds?: boolean | null | undefined;
  /** Of the format `slug`: the field from which the slug of an entry without one is generated */
  slugSource?: string | null | undefined;
  /** Of the format `reference`: the collections whose entries can be referenced, by ID or key; returned as IDs. Of the format `richtext`: those whose entries its links can lead to, with `entry:ent_…` as `href` */
  collectionIds?: ReferencedCollections | undefined;
  /** Of the formats `reference` and `richtext`: whether an entry can be deleted while it is referenced. `keep`, the default, keeps the references, which apply again when the entry is restored; `refuse` returns `entry_referenced` */
  onDelete?: ReferenceOnDelete | undefined;
  /** Of the format `decimal`: how many digits after the point values can have. More are refused, not rounded */
  scale?: number | null | undefined;
  /** Whether the value is an array; `false` by default */
  repeated?: boolean | undefined;
  /** Of a group. Ignored with `componentId` */
  fields?: NestedFieldChange[] | null | undefined;
  /** Of a group: the component whose fields it has. null leaves it the fields as its own. */
  componentId?: string | null | undefined;
  /** Of the format `blocks`: the kinds of rows, matched by ID, each with fields or a component */
  blocks?: BlockChange[] | null | undefined;
  helpText?: string | null | undefined;
  validation?: FieldValidation | null | undefined;
  /** The value of entries, groups and rows that are created without one. Not for the type `asset`; of a group that is not repeated `{}`, which stands for the defaults of its fields. `{"now": true}` is the time of creation, of a date, timestamp or time; `{"currentUser": true}` the ID of the user who creates it, of a text */
  defaultValue?: FieldDefaultValue | undefined;
  /** Whether public responses omit the field; `false` by default */
  private?: boolean | undefined;
  visibleWhen?: VisibleWhen | null | undefined;
}

export interface NewBlock {
  /** Unique within its list; generated if it is omitted */
  id?: string | undefined;
  label?: string | undefined;
  status?: 'active' | 'deleted' | undefined;
  componentId?: string | null | undefined;
  fields?: NewNestedField[] | null | undefined;
}

/** Which conversions are sent; by default all */
export interface NewDestinationFilter {
  events?: string[] | null | undefined;
  /** The session's source */
  sources?: string[] | null | undefined;
  /** Compared with the conversion's value in its own currency */
  minimumValue?: number | string | null | undefined;
}

export interface NewField {
  /** Unique within its list; generated if it is omitted */
  id?: string | undefined;
  label: string;
  /** The values of a field: `text` a string of up to 100,000 characters; `number` a finite number; numeric strings are accepted; `boolean` `true` or `false`, also as a string; `date` a date, `YYYY-MM-DD`; `timestamp` an RFC 3339 timestamp, in UTC if it has no offset, returned in UTC with milliseconds; `url` an absolute http or https URL of up to 4,096 characters; `asset` an object with the `assetId` of an uploaded file; responses contain the whole asset; `select` the value of one of the field’s active options; `group` an object with the values of its nested fields by their IDs */
  type: FieldType;
  /** `false` by default */
  required?: boolean | undefined;
  status?: 'active' | 'deleted' | undefined;
  /** Required for the type `select`, and not allowed for others */
  options?: NewSelectOptions | undefined;
  format?: TextFormat | null | undefined;
  computed?: ComputedTemplate | null | undefined;
  /** Of a repeated group: whether its rows have IDs (`_id`), which stay as they are moved and changed. Absent unless set */
  rowIds?: boolean | null | undefined;
  /** Of the format `slug`: the field from which the slug of an entry without one is generated */
  slugSource?: string | null | undefined;
  /** Of the format `reference`: the collections whose entries can be referenced, by ID or key; returned as IDs. Of the format `richtext`: those whose entries its links can lead to, with `entry:ent_…` as `href` */
  collectionIds?: ReferencedCollections | undefined;
  /** Of the formats `reference` and `richtext`: whether an entry can be deleted while it is referenced. `keep`, the default, keeps the references, which apply again when the entry is restored; `refuse` returns `entry_referenced` */
  onDelete?: ReferenceOnDelete | undefined;
  /** Of the format `decimal`: how many digits after the point values can have. More are refused, not rounded */
  scale?: number | null | undefined;
  /** Whether the value is an array; `false` by default */
  repeated?: boolean | undefined;
  /** Of a group. Ignored with `componentId` */
  fields?: NewNestedField[] | null | undefined;
  /** Of a group: the component whose fields it has. null leaves it the fields as its own. */
  componentId?: string | null | undefined;
  /** Of the format `blocks`: the kinds of rows, matched by ID, each with fields or a component */
  blocks?: NewBlock[] | null | undefined;
  helpText?: string | null | undefined;
  validation?: FieldValidation | null | undefined;
  /** The value of entries, groups and rows that are created without one. Not for the type `asset`; of a group that is not repeated `{}`, which stands for the defaults of its fields. `{"now": true}` is the time of creation, of a date, timestamp or time; `{"currentUser": true}` the ID of the user who creates it, of a text */
  defaultValue?: FieldDefaultValue | undefined;
  /** Whether public responses omit the field; `false` by default */
  private?: boolean | undefined;
  visibleWhen?: VisibleWhen | null | undefined;
  /** Whether no two active entries may have the same value; `false` by default. For the types `text`, `number`, `date`, `timestamp`, `url` and `select`, unless the field is repeated */
  unique?: boolean | undefined;
  /** Whether values differ by locale; `false` by default. Existing values are those of the default locale, or the `baseLocale`. Values in other locales are kept, but not returned, while it is off. */
  localized?: boolean | undefined;
  /** The name of the part of the form that shows the field, with others of the same name; null: the first */
  section?: string | null | undefined;
}

export interface NewMappingRule {
  /** The conversion's event; `*` stands for every event without its own rule */
  event: string;
  /** The platform's conversion action or event name */
  target: string;
  /** `send` (default): the conversion's value; `omit`: none; `fixed`: always `amount` */
  value?: 'send' | 'omit' | 'fixed' | undefined;
  /** With `value: fixed` */
  amount?: number | string | null | undefined;
  /** Of `amount`, or of conversions that were reported without a currency */
  currency?: string | null | undefined;
}

export interface NewNestedField {
  /** Unique within its list; generated if it is omitted */
  id?: string | undefined;
  label: string;
  /** The values of a field: `text` a string of up to 100,000 characters; `number` a finite number; numeric strings are accepted; `boolean` `true` or `false`, also as a string; `date` a date, `YYYY-MM-DD`; `timestamp` an RFC 3339 timestamp, in UTC if it has no offset, returned in UTC with milliseconds; `url` an absolute http or https URL of up to 4,096 characters; `asset` an object with the `assetId` of an uploaded file; responses contain the whole asset; `select` the value of one of the field’s active options; `group` an object with the values of its nested fields by their IDs */
  type: FieldType;
  /** `false` by default */
  required?: boolean | undefined;
  status?: 'active' | 'deleted' | undefined;
  /** Required for the type `select`, and not allowed for others */
  options?: NewSelectOptions | undefined;
  format?: TextFormat | null | undefined;
  computed?: ComputedTemplate | null | undefined;
  /** Of a repeated group: whether its rows have IDs (`_id`), which stay as they are moved and changed. Absent unless set */
  rowIds?: boolean | null | undefined;
  /** Of the format `slug`: the field from which the slug of an entry without one is generated */
  slugSource?: string | null | undefined;
  /** Of the format `reference`: the collections whose entries can be referenced, by ID or key; returned as IDs. Of the format `richtext`: those whose entries its links can lead to, with `entry:ent_…` as `href` */
  collectionIds?: ReferencedCollections | undefined;
  /** Of the formats `reference` and `richtext`: whether an entry can be deleted while it is referenced. `keep`, the default, keeps the references, which apply again when the entry is restored; `refuse` returns `entry_referenced` */
  onDelete?: ReferenceOnDelete | undefined;
  /** Of the format `decimal`: how many digits after the point values can have. More are refused, not rounded */
  scale?: number | null | undefined;
  /** Whether the value is an array; `false` by default */
  repeated?: boolean | undefined;
  /** Of a group. Ignored with `componentId` */
  fields?: NewNestedField[] | null | undefined;
  /** Of a group: the component whose fields it has. null leaves it the fields as its own. */
  componentId?: string | null | undefined;
  /** Of the format `blocks`: the kinds of rows, matched by ID, each with fields or a component */
  blocks?: NewBlock[] | null | undefined;
  helpText?: string | null | undefined;
  validation?: FieldValidation | null | undefined;
  /** The value of entries, groups and rows that are created without one. Not for the type `asset`; of a group that is not repeated `{}`, which stands for the defaults of its fields. `{"now": true}` is the time of creation, of a date, timestamp or time; `{"currentUser": true}` the ID of the user who creates it, of a text */
  defaultValue?: FieldDefaultValue | undefined;
  /** Whether public responses omit the field; `false` by default */
  private?: boolean | undefined;
  visibleWhen?: VisibleWhen | null | undefined;
}

/** Required for the type `select`, and not allowed for others */
export type NewSelectOptions = ({
  value: string;
  label: string;
  status?: 'active' | 'deleted' | undefined;
})[] | null;

export interface NewSsoDomain {
  /** Of emails, such as `shop.example` */
  domain: string;
  /** Ignored in requests */
  isProven?: unknown | undefined;
  /** Ignored in requests */
  record?: unknown | undefined;
}

/** null when there is no further page */
export type NextPageToken = string | null;

export interface Numbers {
  visits: number;
  /** Distinct visitors with a visit */
  visitors: number;
  /** Sessions that started */
  sessions: number;
  /** The share of these sessions that have a single visit, from 0 to 1; null without sessions */
  bounceRate: number | null;
  /** Pages per session: all visits of these sessions, on average */
  visitsPerSession: number | null;
  /** Seconds from the first to the last visit of these sessions, on average; 0 for a single visit */
  sessionDuration: number | null;
  /** Leads that were first seen */
  leads: number;
  /** Conversions by `createdOn`, without refunds */
  conversions: number;
  /** Conversions by `createdOn` whose value was adjusted to 0 */
  refunds: number;
  /** Sessions that started and have a conversion, whenever it happened */
  convertingSessions: number;
  /** Converting sessions divided by sessions, from 0 to 1; null without sessions */
  conversionRate: number | null;
  /** By currency */
  revenue: Money[];
  /** The sum in the currency of the account, each amount at the rate of the day of its sale; null if it has no currency */
  convertedRevenue: ConvertedRevenue | null;
}

export interface Overview {
  from: string;
  to: string;
  timeZone: string;
  interval: 'hour' | 'day' | 'week' | 'month';
  /** Everything recorded until then is counted */
  asOf: string;
  /** Conversions and revenue are what was known then */
  asKnownOn: string;
  current: Numbers;
  previous: Numbers & {
    from: string;
    to: string;
  } | null;
  /** The change from `previous` to `current` */
  change: {
    /** 0.25 is an increase by a quarter; null without previous data */
    visits: RelativeChange;
    /** 0.25 is an increase by a quarter; null without previous data */
    visitors: RelativeChange;
    /** 0.25 is an increase by a quarter; null without previous data */
    sessions: RelativeChange;
    /** 0.25 is an increase by a quarter; null without previous data */
    bounceRate: RelativeChange;
    /** 0.25 is an increase by a quarter; null without previous data */
    visitsPerSession: RelativeChange;
    /** 0.25 is an increase by a quarter; null without previous data */
    sessionDuration: RelativeChange;
    /** 0.25 is an increase by a quarter; null without previous data */
    leads: RelativeChange;
    /** 0.25 is an increase by a quarter; null without previous data */
    conversions: RelativeChange;
    /** 0.25 is an increase by a quarter; null without previous data */
    conversionRate: RelativeChange;
    revenue: ({
      currency: string | null;
      /** 0.25 is an increase by a quarter; null without previous data */
      change: RelativeChange;
    })[];
    /** 0.25 is an increase by a quarter; null without previous data */
    convertedRevenue: RelativeChange;
  } | null;
  /** The numbers of each interval */
  line: OverviewPoint[];
  previousLine: OverviewPoint[] | null;
}

export interface OverviewPoint extends Numbers {
  at: string;
}

/** The JSON form of a `PublicKeyCredential` */
export interface PasskeyCredential {
  id: string;
  rawId: string;
  type: 'public-key';
  /** The response of the authenticator */
  response: Record<string, unknown>;
  /** Ignored */
  clientExtensionResults?: Record<string, unknown> | undefined;
  authenticatorAttachment?: unknown | undefined;
}

export interface Permission {
  /** The ID or key of a collection, or `*`: all that no other permission names for the action */
  collection: string;
  actions: ('read' | 'create' | 'update' | 'delete' | 'publish' | 'review')[];
  /** Only these fields; for reading and writing */
  fields?: string[] | undefined;
  /** All fields but these */
  exceptFields?: string[] | undefined;
  /** Conditions as in `where` of a list: entries that do not match do not exist for the role, and must match before and after a write. `{"currentUser": true}` stands for the ID of the user, or of the token. */
  where?: Record<string, unknown> | undefined;
  /** Of localized fields, only the values in these locales */
  locales?: string[] | undefined;
}

export interface Person {
  id: string;
  /** null if the user was deleted */
  name: string | null;
}

export interface Plan {
  id: string;
  kind: 'entries' | 'conversions' | 'schema';
  status: 'waiting' | 'applying' | 'applied' | 'undone' | 'dismissed' | 'stale';
  /** Why it is `stale` */
  reason: string | null;
  summary: string;
  /** How many entries, conversions or parts of the schema change */
  rows: number;
  changes: PlanChange[];
  /** What happens to the value of conversions, by currency */
  money: PlanMoney[];
  warnings: string[];
  /** The program that asked, by its `User-Agent` */
  client: string | null;
  createdBy: {
    type: string;
    id: string | null;
    name: string | null;
  } | null;
  createdAt: string;
  decidedBy: {
    type: string;
    id: string | null;
    name: string | null;
  } | null;
  decidedAt: string | null;
}

export interface PlanChange {
  /** Such as `create`, `update`, `delete`, `publish` or `restate` */
  action: string;
  type: 'entry' | 'conversion' | 'schema';
  /** null: it does not exist yet */
  id: string | null;
  /** What it is, in words of the account */
  label: string;
  /** What is different; null where there is no value */
  fields: {
    field: string;
    before: unknown;
    after: unknown;
  }[];
}

export interface PlanMoney {
  currency: string | null;
  /** Value of the conversions that exist, a decimal number */
  before: string;
  after: string;
}

export interface PlannedOperation {
  op: 'create' | 'update' | 'delete' | 'restore' | 'publish' | 'unpublish';
  /** The ID or the key of the collection */
  collection: string;
  /** The ID of the entry; all but `create` need it */
  id?: string | undefined;
  /** By field ID */
  values?: Record<string, unknown> | undefined;
  /** Numbers to add, by field ID */
  increment?: Record<string, unknown> | undefined;
  /** Lists of values to add to repeated fields, by field ID */
  append?: Record<string, unknown> | undefined;
  /** Lists of values to remove from repeated fields, by field ID */
  remove?: Record<string, unknown> | undefined;
  /** Parts of groups, by field ID */
  merge?: Record<string, unknown> | undefined;
}

export interface Presence {
  /** The other users who have the entry open */
  users: ({
    id: string;
    /** null if the user was deleted */
    name: string | null;
    /** The field that the user is editing */
    field: string | null;
  })[];
}

export interface PresetPeriod {
  /** Relative to the current day of the time zone of the account */
  preset: 'day' | 'week' | 'month' | 'quarter' | 'year' | 'yesterday' | 'weekToDate' | 'monthToDate' | 'lastMonth' | 'yearToDate' | 'all';
}

/** Where the site shows the draft of an entry: a URL with the placeholders `{id}`, `{slug}` (without a slug the ID), `{collectionId}`, `{locale}` and `{token}`, with which the site reads drafts for an hour. Only for public collections. null: none */
export type PreviewUrl = string | null;

export interface Problem {
  /** A URI for the type of error, which ends in `code` */
  type: string;
  title: string;
  status: number;
  detail: string;
  /** Stable, in snake_case. The same as the code of the first entry of `errors` */
  code: string;
  /** Also in the `x-request-id` header and in the log */
  requestId: string;
  /** Every fault of the request */
  errors: {
    /** JSON Pointer into the body; `?name` for a query parameter; empty for the request as a whole */
    pointer: string;
    code: string;
    detail: string;
  }[];
}

export interface PropertyCondition {
  property: string;
  operator: 'is' | 'isNot' | 'contains' | 'containsNot' | 'atLeast' | 'atMost';
  /** One of them has to match, none for `isNot` and `containsNot`. Values are compared as texts, or as numbers by `atLeast` and `atMost` */
  values: string[];
}

export interface PropertyReport {
  from: string;
  to: string;
  asOf: string;
  event: string;
  /** The names of properties, most frequent first, in the latest 2,000 sessions with this event */
  properties: string[];
  /** The values of `property`, sorted by events, descending */
  rows: EventPropertyRow[];
  /** Whether there are further values */
  more: boolean;
}

export interface PublicAggregateQuery {
  /** Conditions as JSON, which all have to hold together with `filter`: `{"and": […]}`, `{"or": […]}`, `{"not": …}`, or `{"<path>": {"<operator>": value}}`. A path leads through groups, blocks and references by dots. */
  where?: unknown | undefined;
  /** Returns entries whose text fields, including nested ones, contain every word, also as a part of a longer word, ignoring case and accents. */
  q?: string | undefined;
  groupBy?: GroupKey[] | undefined;
  measures: Record<string, Measure>;
  /** Conditions on measures, such as `{"n": {"gte": 2}}` */
  having?: unknown | undefined;
  /** By measures or keys: `n:desc,status:asc` */
  sort?: string | undefined;
  /** 100 by default */
  limit?: number | undefined;
  /** The `nextPageToken` of the previous page, unchanged. Empty or null: the first page */
  pageToken?: string | null | undefined;
  /** Returns the values of localized fields in this locale, or else in its fallbacks. Filters and search use the same values; sorting uses those of this locale alone, and entries without one come last. */
  locale?: string | undefined;
}

export interface PublicChange {
  /** Send it as `since` to continue after this change */
  cursor: string;
  type: 'publish' | 'unpublish';
  /** ID of the collection */
  collection: string;
  entryId: string;
  /** The locale that was published or unpublished; null: the collection has no localized fields */
  locale: string | null;
  /** The slug in that locale; null: it has none */
  slug: string | null;
  /** The slug of the page that this change replaces, if it was another one */
  previousSlug: string | null;
  at: string;
}

export interface PublicChanges {
  changes: PublicChange[];
  /** Send it as `since` to read what comes next */
  cursor: string;
}

export interface PublicEntriesQuery {
  /** Items per page, 50 by default */
  pageSize?: number | undefined;
  /** The `nextPageToken` of the previous page, unchanged. Empty or null: the first page */
  pageToken?: string | null | undefined;
  /** Conditions as JSON, which all have to hold together with `filter`: `{"and": […]}`, `{"or": […]}`, `{"not": …}`, or `{"<path>": {"<operator>": value}}`. A path leads through groups, blocks and references by dots. */
  where?: unknown | undefined;
  /** `<fieldId>:asc` or `<fieldId>:desc`; also `createdAt` and `updatedAt`, unless a field has that ID. By default the collection's `defaultSort`, else oldest first. Entries without a value come last in both directions; of equal values the older entry comes first, with `desc` the newer. Text is sorted by its first 256 characters, ignoring case and accents. Repeated fields, groups and assets cannot be sorted by. */
  sort?: string | undefined;
  /** The values to return, by path, such as `title,author.name`; `-body` leaves a value out. */
  select?: string | undefined;
  /** Also returns `total`, the number of all matching entries */
  count?: 'exact' | undefined;
  /** Returns entries whose text fields, including nested ones, contain every word, also as a part of a longer word, ignoring case and accents. */
  q?: string | undefined;
  /** As the parameter of the list; or by path, each with `where`, `sort`, `limit`, `select` and `expand` of its own. References that do not match are left out. */
  expand?: EntryExpansion | undefined;
  /** Adds `joined.<name>` to each entry: `{entries, total}` of the entries of a collection that reference it */
  join?: Record<string, Join> | undefined;
  /** Returns the values of localized fields in this locale, or else in its fallbacks. Filters and search use the same values; sorting uses those of this locale alone, and entries without one come last. */
  locale?: string | undefined;
  richtext?: 'json' | 'html' | 'markdown' | undefined;
  /** Which variant of an experiment is shown: `headline:new`, several after commas. Its entries have the members `experiment` and `variant`. An experiment that is not running, or a variant that it does not have, changes nothing. */
  variant?: string | undefined;
  /** Shows the variants that this visitor is assigned to, in a response that is not cached. Pages that are cached send `variant`. */
  visitorId?: string | undefined;
}

export interface PublicEntry {
  id: string;
  /** By field ID, without private fields. An image has a `srcset` of smaller variants. */
  values: Record<string, unknown>;
  /** null only in a preview of an entry that is not published */
  publishedAt: string | null;
  createdAt: string;
  /** Only in collections with localized fields: those that are published */
  locales?: string[] | undefined;
  /** Only in collections with a manual order: sorts by its characters */
  position?: string | null | undefined;
  /** Only in trees: the entry that this one is below */
  parentId?: string | null | undefined;
  /** Only in collections with a `urlPattern`: its path, in the locale of the response; null while a value is missing */
  url?: string | null | undefined;
  /** Only in localized collections with a `urlPattern`: its path in each published locale */
  alternates?: Record<string, string> | undefined;
  /** Only if the request names a variant of it: the key of the experiment on this entry */
  experiment?: string | undefined;
  /** Of this experiment. When it is used, record the event `experiment_exposure` with both */
  variant?: string | undefined;
  /** Only if the entry was read by an earlier slug: its current slug, to which a page should redirect */
  redirectTo?: string | undefined;
}

export interface PublishEntriesRequest {
  entryIds: string[];
  /** Only these locales, in a collection with localized fields; by default all in which the entry has a value, and the default locale, unless the entry has none in it and lacks a required one. Values that are not localized are published with the default locale, and with any other while that is not published. */
  locales?: ChosenLocales | undefined;
}

export interface PublishEntriesResult {
  /** In the order of the request */
  entries: Entry[];
}

export interface PublishEntryRequest {
  /** The version that was read. If it is not the current one: `version_conflict` */
  version?: number | undefined;
  /** Only these locales, in a collection with localized fields; by default all in which the entry has a value, and the default locale, unless the entry has none in it and lacks a required one. Values that are not localized are published with the default locale, and with any other while that is not published. */
  locales?: ChosenLocales | undefined;
}

export interface PublishHook {
  id: string;
  name: string;
  /** An http or https URL on the public internet, without user name and password */
  url: string;
  /** The collections whose entries are checked, by ID or key; returned as IDs. null: all */
  collectionIds: string[] | null;
  /** What happens if the URL does not answer as expected within 5 seconds. `refuse` by default */
  onError: 'refuse' | 'publish';
  /** true by default */
  enabled: boolean;
  /** How the latest request ended; null before the first one */
  lastOutcome: 'allowed' | 'refused' | 'failed' | null;
  /** Why the latest request failed */
  lastError: string | null;
  lastAskedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface PublishHookTest {
  outcome: 'allowed' | 'refused' | 'failed';
  detail: string;
  milliseconds: number;
}

export interface PublishHookWithSecret extends PublishHook {
  /** Signs the requests (`whsec_…`). It is not shown again. */
  secret: string;
}

export interface PutAdCostsRequest {
  costs: ({
    /** The day in the time zone of the ad account */
    date: string;
    /** As in the reports, such as `google` */
    source: string;
    /** ISO 4217, in any case */
    currency: string;
    /** As in the reports; null: none */
    campaign?: string | null | undefined;
    /** As in `utm_term` of its ads; null: the whole campaign */
    adGroup?: string | null | undefined;
    /** As in `utm_content`; null: the whole ad group */
    ad?: string | null | undefined;
    /** A number from 0, or its decimal digits. null removes what was imported */
    cost: number | string | null;
    /** Clicks as counted by the ad platform */
    clicks?: number | null | undefined;
    /** Impressions as counted by the ad platform */
    impressions?: number | null | undefined;
  })[];
}

export interface PutChannelRulesRequest {
  rules: ChannelRule[];
  /** The version that was read. If it is not the current one: `version_conflict` */
  version?: number | undefined;
  /** Changes nothing and returns the effects on the sessions of the last 30 days */
  dryRun?: boolean | undefined;
  /** Ignored in requests */
  effects?: unknown | undefined;
}

export interface PutExchangeRatesRequest {
  rates: ({
    /** The day of the rate */
    date: string;
    /** ISO 4217, such as `EUR` of the rates of the European Central Bank */
    base: string;
    /** ISO 4217 */
    currency: string;
    /** How many units of `currency` one unit of `base` was worth: a number above 0, or its decimal digits */
    rate: number | string;
  })[];
}

export interface PutSsoRequest {
  /** Ignored in requests */
  isConfigured?: unknown | undefined;
  /** Ignored in requests */
  redirectUri?: unknown | undefined;
  /** Ignored in requests */
  hasClientSecret?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
  /** Of its button */
  name?: string | undefined;
  /** URL of the provider, as in its discovery document */
  issuer: string;
  clientId: string;
  /** Write-only. Required at first, and when the issuer changes */
  clientSecret?: string | undefined;
  domains?: NewSsoDomain[] | undefined;
  /** Requested in addition to `openid email profile` */
  scopes?: string[] | undefined;
  /** A name, or a path such as `realm_access.roles` */
  roleClaim?: string | undefined;
  /** From values of `roleClaim` to roles, the first that fits counts. Empty: members keep their roles */
  roleMappings?: RoleMapping[] | undefined;
  /** Where no mapping fits; null: they are refused */
  defaultRoleId?: string | null | undefined;
  isRequired?: boolean | undefined;
  currentPassword?: string | undefined;
}

export interface QueryEntriesResult {
  entries: Entry[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
  /** Only with `count=exact`: all entries that match */
  total?: number | undefined;
  explain?: Explanation | undefined;
}

export interface QueryPublicEntriesResult {
  entries: PublicEntry[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
  /** Only with `count=exact`: all entries that match */
  total?: number | undefined;
}

export interface QueueAlarm {
  /** `destinations`, `webhooks`, `jobs`, `imports`, `releases` and so on */
  queue: string;
  label: string;
  /** What waits: the name of a destination, the URL of a webhook, the type of a job */
  subject: string;
  /** When the oldest was due */
  since: string;
  raisedAt: string;
}

export interface Reconciliation {
  id: string;
  /** The name of the file */
  name: string;
  /** As it was created with */
  settings: {
    provider: 'stripe' | 'paypal' | 'shopify' | 'csv';
    [name: string]: unknown;
  };
  /** `failed`: the file could not be compared; `error` says why. `stopped`: the job that applies it was; apply it again to resume */
  status: 'matching' | 'ready' | 'applying' | 'applied' | 'undoing' | 'undone' | 'stopped' | 'failed';
  error: {
    code: string;
    detail: string;
  } | null;
  /** Rows of the file */
  rows: number;
  /** Rows of fees, payouts and the like */
  ignored: number;
  /** Invalid rows: lines with the outcome `faulty` name each */
  faulty: number;
  /** The period of conversions that the file should have; null: no row has a date */
  from: string | null;
  to: string | null;
  /** Of what has been compared */
  outcomes: {
    equal: ReconciliationSummary;
    different: ReconciliationSummary;
    missingHere: ReconciliationSummary;
    missingThere: ReconciliationSummary;
  };
  /** The import of conversions that it was applied as; `null` before */
  importId: string | null;
  job: Job | null;
  createdAt: string;
  /** When it is deleted. What it applied stays */
  expiresAt: string;
}

export interface ReconciliationLine {
  number: number;
  /** `missingHere`: the file has it and no conversion does. `missingThere`: a conversion of the period that the file does not have. `faulty`: an invalid row of the file */
  outcome: 'equal' | 'different' | 'missingHere' | 'missingThere' | 'faulty';
  /** `amount`, `currency`: what differs. `refund`: the file has a refund that the conversion has not. `unmatched`: it was reported, but no session has its identifier. `unknown`: it names no click ID, so that it can be assigned to no session. `ambiguous`: conversions of its click may be it. `faultyRow`: another row of the order is invalid. `noEventId`: a conversion without one cannot be restated. `changed`: the conversion changed before it was applied. Of a faulty row, the code of its fault */
  reason: string | null;
  /** What is wrong with a faulty row */
  detail: string | null;
  /** Of the order or the event, or the click ID */
  identifier: string | null;
  /** Rows of the file, at most 100; an order is the sum of its rows. The header of a CSV is row 1; the first item of JSON is 1 */
  rows: number[];
  /** What the file says the conversion is worth */
  there: string | null;
  /** What it is worth */
  here: string | null;
  /** Of the file, or else of the conversion */
  currency: string | null;
  hereCurrency: string | null;
  conversionId: string | null;
  at: string | null;
  canApply: boolean;
  isApplied: boolean;
}

export interface ReconciliationSummary {
  /** Lines */
  count: number;
  /** Lines that can be applied */
  appliable: number;
  /** Lines that were applied */
  applied: number;
  /** By currency; two are never added */
  amounts: {
    currency: string;
    /** The sum of the file */
    there: string;
    /** The sum of the conversions */
    here: string;
    /** `there` less `here` */
    difference: string;
  }[];
}

export interface RecordBatchRequest {
  /** A publishable API key, or, from a server, a secret API token */
  api_key: string;
  /** The sender's clock when it sends, RFC 3339: corrects `occurredAt` by the clock's error, unless it is less than 15 seconds slow */
  sentAt?: SentAt | undefined;
  items: ({
    visit: RecordedVisit;
  } | {
    event: RecordedEvent;
  } | {
    forget: true;
  })[];
}

export interface RecordBatchResult {
  success: boolean;
  /** One for each item, in the same order */
  results: (RecordVisitResult | RecordEventResult | {
    success: true;
    /** Whether the request had the first-party cookie */
    hadCookie: boolean;
    /** `Sec-Fetch-Site` of the request */
    site?: string | undefined;
  } | {
    success: false;
    /** Code of the first fault */
    error: string;
    /** Every fault */
    reason: string;
  })[];
}

export interface RecordEventRequest extends RecordedEvent {
  /** A publishable API key, or, from a server, a secret API token */
  api_key: string;
  /** The sender's clock when it sends, RFC 3339: corrects `occurredAt` by the clock's error, unless it is less than 15 seconds slow */
  sentAt?: SentAt | undefined;
}

export interface RecordEventResult {
  success: boolean;
  /** Identifier of the recorded event */
  event_id: string;
  /** Whether it was recorded as one of a bot, which reports leave out */
  isBot: boolean;
}

export interface RecordVisitRequest extends RecordedVisit {
  /** A publishable API key, or, from a server, a secret API token */
  api_key: string;
  /** The sender's clock when it sends, RFC 3339: corrects `occurredAt` by the clock's error, unless it is less than 15 seconds slow */
  sentAt?: SentAt | undefined;
}

export interface RecordVisitResult {
  success: boolean;
  /** The session's id: a number that cannot be guessed */
  sessionId: number;
  sessionHash: string;
  /** First 12 Crockford base32 characters of the SHA-256 of sessionHash */
  shortSessionHash: string;
  visitorId: string;
  /** Whether it was recorded as one of a bot, which reports leave out */
  isBot: boolean;
}

export interface RecordedEvent {
  /** Name of the event */
  event: string;
  /** The client's own id of the event; makes a retry harmless. It is also the `eventId` of the conversion if the event has a value. Ids of publishable keys and of secret tokens are separate */
  id?: string | undefined;
  /** When it happened, RFC 3339; by default when the request arrives */
  occurredAt?: string | undefined;
  /** The User-Agent of the visitor, from a server with a secret token; ignored from others */
  userAgent?: string | undefined;
  /** The IP address of the visitor, from a server with a secret token; ignored from others. Never stored */
  ip?: string | undefined;
  properties?: EventProperties | undefined;
}

export interface RecordedVisit {
  /** The client's own id of the visit; makes a retry harmless */
  visitId?: string | undefined;
  /** URL of the page, with its query */
  url: string;
  /** As in document.referrer */
  referrer?: string | undefined;
  title?: string | undefined;
  /** Identifies the visitor across sessions; generated if omitted */
  visitorId?: string | undefined;
  /** The session that the visit belongs to: its hash (22 letters and digits) or its id; if omitted, the service finds or starts the visitor's session */
  sessionHash?: string | number | undefined;
  /** When it happened, RFC 3339; by default when the request arrives */
  occurredAt?: string | undefined;
  consent?: Consent | undefined;
  /** The User-Agent of the visitor, from a server with a secret token; ignored from others */
  userAgent?: string | undefined;
  /** The IP address of the visitor, from a server with a secret token; ignored from others. Never stored */
  ip?: string | undefined;
}

export interface RedirectPage {
  redirects: {
    from: string;
    to: string;
    /** 301 */
    status: number;
  }[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

/** Of the formats `reference` and `richtext`: whether an entry can be deleted while it is referenced. `keep`, the default, keeps the references, which apply again when the entry is restored; `refuse` returns `entry_referenced` */
export type ReferenceOnDelete = 'keep' | 'refuse';

/** Of the format `reference`: the collections whose entries can be referenced, by ID or key; returned as IDs. Of the format `richtext`: those whose entries its links can lead to, with `entry:ent_…` as `href` */
export type ReferencedCollections = string[];

export interface RejectedRequest {
  id: string;
  at: string;
  keyId: string;
  method: string;
  /** Path and query, without keys */
  url: string;
  /** Of the response; 200 for an invalid item of a batch */
  status: number;
  code: string;
  detail: string;
  errors: {
    pointer: string;
    code: string;
    detail: string;
  }[];
  /** What to do about it */
  fix: string | null;
  /** The body or the item, shortened and without keys; null: none */
  body: unknown;
  /** How many requests were rejected since the previous one, and not stored */
  skipped: number;
}

/** 0.25 is an increase by a quarter; null without previous data */
export type RelativeChange = number | null;

export interface Release {
  id: string;
  /** null for a scheduled change of one entry */
  name: string | null;
  /** `open`: without a time; `scheduled`: waits for its time; `completed`: everything was published; `failed`: nothing was, `errors` contains the reasons */
  status: 'open' | 'scheduled' | 'completed' | 'failed' | 'canceled';
  at: string | null;
  /** How many entries it publishes and unpublishes */
  itemCount: number;
  /** The first item, or that of the entry by which the list is filtered. All of them: `GET …/releases/{releaseId}/items` */
  item: ReleaseItem | null;
  /** The faults of the attempt that failed, up to 100 */
  errors: ReleaseFault[] | null;
  /** Incremented by every change */
  version: number;
  /** Who changed it last */
  by: Author | null;
  createdAt: string;
  updatedAt: string;
  finishedAt: string | null;
}

export interface ReleaseFault {
  /** A JSON Pointer into the release: `/items/0/values/title` */
  pointer: string;
  code: string;
  detail: string;
}

export interface ReleaseItem {
  collectionId: string;
  entryId: string;
  action: 'publish' | 'unpublish';
  /** The version that will be published, even if the entry is edited before then; null: the latest at that time */
  version: number | null;
  /** Only these locales; absent: all in which the entry has values */
  locales?: string[] | undefined;
  /** The current value of the display field, or of the first text field */
  title: string | null;
}

export interface ReleaseItemRequest {
  collectionId: string;
  entryId: string;
  /** `publish` by default */
  action?: 'publish' | 'unpublish' | undefined;
  /** The version to publish; the current one by default. null: the latest at that time */
  version?: number | null | undefined;
  /** Only these locales, in a collection with localized fields; by default all in which the entry has a value, and the default locale, unless the entry has none in it and lacks a required one. Values that are not localized are published with the default locale, and with any other while that is not published. */
  locales?: ChosenLocales | undefined;
  /** Ignored in requests */
  title?: unknown | undefined;
}

export interface RenameKeyRequest {
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  accountId?: unknown | undefined;
  /** Ignored in requests */
  hint?: unknown | undefined;
  /** Ignored in requests */
  key?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  lastUsedAt?: unknown | undefined;
  /** Ignored in requests */
  revokedAt?: unknown | undefined;
  /** Ignored in requests */
  type?: unknown | undefined;
  /** Ignored in requests */
  expiresAt?: unknown | undefined;
  /** Ignored in requests */
  allowedAddresses?: unknown | undefined;
  /** Ignored in requests */
  roleId?: unknown | undefined;
  name: string;
}

export interface ReplaceFileRequest {
  /** The file */
  file: Blob;
  folderId?: string | undefined;
  /** Whether its URL is signed and expires */
  private?: boolean | undefined;
}

export interface ReplaceRecoveryCodesRequest {
  currentPassword?: string | undefined;
  /** Of the authenticator app, or a recovery code: required where two-factor authentication is enabled */
  code?: string | undefined;
}

export interface ReplaceRecoveryCodesResult {
  /** Each works once instead of a code. Shown once */
  recoveryCodes: string[];
}

export interface ReplayDestinationRequest {
  /** Replay only this conversion, whatever its status */
  conversionId?: string | undefined;
  /** By default `rejected`. `unqueued`: conversions that this destination never had, for example because they are older. An `uncertain` conversion may be counted twice */
  statuses?: ('skipped' | 'rejected' | 'not_adjustable' | 'uncertain' | 'unqueued')[] | undefined;
  /** Updated at this time or later; of `unqueued` ones, received */
  from?: string | undefined;
  /** Updated before this time */
  to?: string | undefined;
  /** With `createdTo` and without the others: all conversions dated in this period that the destination does not have as they are now and that can still be sent */
  createdFrom?: string | undefined;
  /** The end of that period */
  createdTo?: string | undefined;
}

export interface ReplayWebhookRequest {
  /** Replay only this delivery, whatever its status */
  deliveryId?: string | undefined;
  /** Replay deliveries with this status; default `failed` */
  status?: 'failed' | 'delivered' | undefined;
  /** Created at this time or later */
  from?: string | undefined;
  /** Created before this time */
  to?: string | undefined;
}

export type ReportDimension = 'source' | 'medium' | 'campaign' | 'landingPage' | 'country' | 'device' | 'channel' | 'term' | 'content' | 'referrer' | 'exitPage' | 'browser' | 'os' | 'region' | 'platform' | 'page' | 'event' | 'funnel';

export type ReportFilter = (string | null)[] | FilterOperators;

/** For each dimension the accepted values (null: without a value), or operators with values, all of which must pass */
export interface ReportFilters {
  source?: ReportFilter | undefined;
  medium?: ReportFilter | undefined;
  campaign?: ReportFilter | undefined;
  landingPage?: ReportFilter | undefined;
  country?: ReportFilter | undefined;
  device?: ReportFilter | undefined;
  channel?: ReportFilter | undefined;
  term?: ReportFilter | undefined;
  content?: ReportFilter | undefined;
  referrer?: ReportFilter | undefined;
  exitPage?: ReportFilter | undefined;
  browser?: ReportFilter | undefined;
  os?: ReportFilter | undefined;
  region?: ReportFilter | undefined;
  platform?: ReportFilter | undefined;
  page?: ReportFilter | undefined;
  event?: ReportFilter | undefined;
  funnel?: ReportFilter | undefined;
}

export interface ReportPeriod {
  /** The start: a day of `timeZone`, such as 2026-11-20, a time of it on a quarter of an hour, such as 2026-11-20T08:15, or an RFC 3339 time */
  from: string;
  /** The end, in the format of `from`; the period ends before it */
  to: string;
}

export interface RequestPasswordResetRequest {
  email: string;
}

export interface RequestPasswordResetResult {
  success: boolean;
}

export interface ResetPasswordRequest {
  /** The part of the link after `#` */
  token: string;
  newPassword: string;
}

export interface ResetPasswordResult {
  success: boolean;
}

export interface ResolvedPath {
  /** Its key, or without one its ID */
  collection?: string | undefined;
  collectionId?: string | undefined;
  entry?: PublicEntry | undefined;
  /** null: the collection has no localized fields */
  locale?: string | null | undefined;
  /** The path that the entry has now, alone: the page should redirect to it */
  redirectTo?: string | undefined;
}

export interface RestoreEntryVersionRequest {
  /** The current version that was read. If it is another one: `version_conflict` */
  version?: number | undefined;
  /** IDs of the fields to restore; all by default */
  fields?: string[] | undefined;
}

export interface Review {
  /** Changing an approved entry makes it a draft again */
  state: 'draft' | 'in_review' | 'approved';
  /** The current version of the entry */
  version: number;
  /** Versions that may be published, also at a time */
  approvedVersions: number[];
  /** The member who is responsible for the entry */
  assigneeId: string | null;
  /** Who changed the state or the assignee last */
  by: Author | null;
  updatedAt: string | null;
  /** The members who can be assigned */
  assignees: Person[];
}

export interface RevokeLeakedKeyRequest {
  /** The token itself */
  token: string;
}

export interface RevokeLeakedKeyResult {
  /** Whether this is a token, which is revoked now */
  revoked: boolean;
}

export interface Roas {
  from: string;
  to: string;
  by: string;
  interval: string;
  model: string;
  horizon: string;
  /** What was known then is counted */
  asKnownOn: string;
  /** Everything recorded until then is counted */
  asOf: string;
  /** `tooYoung`: revenue is known at fewer than three ages, so nothing is forecast */
  status: 'ready' | 'tooYoung';
  total: RoasNumbers;
  /** By cost descending; at most 1,000 */
  rows: RoasRow[];
  /** Whether there are further rows */
  more: boolean;
  cohorts: RoasCohort[];
  curve?: RoasCurve | undefined;
  /** Empty lists if too young */
  development: {
    /** In days after the day of the click */
    ages: number[];
    /** What revenue grows by from each of these ages to the next, over the whole account */
    factors: number[];
    /** The share of the revenue of full age that is known at each age */
    expected: number[];
    /** Where the factors of rows are from, on average: shares of 1 */
    pooledFrom: {
      key: number;
      source: number;
      account: number;
    };
  };
  /** Forecasts repeated as they would have been made, 7 and 14 days after a week of clicks */
  coverage: {
    level: number;
    /** The share of past forecasts whose interval held; null: there are none yet */
    observed: number | null;
    /** Past forecasts, of cohorts that are of full age by now */
    cohorts: number;
  };
}

export interface RoasCohort extends RoasNumbers {
  /** The start of its first day */
  start: string;
  /** null: it is of all rows; those of one row are in `curve` */
  key: string | null;
  source: string | null;
  /** Revenue by age in days, as far as all of its days know it; with `curves` */
  byAge?: number[] | undefined;
}

/** The cohorts of one row, with `curveSource`; missing if there is no such row */
export interface RoasCurve {
  key: string | null;
  source: string;
  /** The share of the revenue of full age that is known at each age, of this row */
  expected: number[];
  cohorts: RoasRowCohort[];
}

export interface RoasNumbers {
  /** Of all amounts of the response; null: no amount has a currency */
  currency: string | null;
  /** Sessions that ads led to: of a source with costs, whose medium is not `organic`, `referral`, `email` or `ai-assistant` */
  sessions: number;
  /** As counted by the ad platform */
  clicks: number;
  impressions: number;
  /** By day of spend, which is the day of the click */
  cost: string;
  /** Of these sessions, without refunds; with a `model` that shares them, up to 6 decimals */
  conversions: number;
  /** To date, by day of click: what is known so far, after restatements and refunds */
  revenue: string;
  /** What reports lowered it by */
  refunded: string;
  /** `revenue` divided by `expectedRevenue` */
  maturity: number | null;
  /** What revenue is expected to be at full age; null: too young to tell */
  expectedRevenue: string | null;
  /** The interval of `level` around it */
  expectedLow: string | null;
  /** The interval of `level` around it */
  expectedHigh: string | null;
  costPerConversion: string | null;
  /** `revenue` divided by `cost`; 2 is revenue of twice the cost */
  roas: number | null;
  /** `expectedRevenue` divided by `cost` */
  expectedRoas: number | null;
  /** `expectedLow` divided by `cost` */
  roasLow: number | null;
  /** `expectedHigh` divided by `cost` */
  roasHigh: number | null;
  /** Whether every amount has an exchange rate; others are left out */
  isComplete: boolean;
  /** The least certain exchange rate that was used: of the day, of the fixed table of the account, or the average of a year that this version contains */
  rates: 'dated' | 'account' | 'embedded';
}

export interface RoasRow extends RoasNumbers {
  key: string | null;
  source: string;
}

export interface RoasRowCohort {
  start: string;
  key: string | null;
  source: string;
  /** Of all amounts of the response; null: no amount has a currency */
  currency: string | null;
  /** As counted by the ad platform */
  clicks: number;
  impressions: number;
  /** By day of spend, which is the day of the click */
  cost: string;
  /** Of these sessions, without refunds; with a `model` that shares them, up to 6 decimals */
  conversions: number;
  /** To date, by day of click: what is known so far, after restatements and refunds */
  revenue: string;
  /** What reports lowered it by */
  refunded: string;
  /** `revenue` divided by `expectedRevenue` */
  maturity: number | null;
  /** What revenue is expected to be at full age; null: too young to tell */
  expectedRevenue: string | null;
  /** The interval of `level` around it */
  expectedLow: string | null;
  /** The interval of `level` around it */
  expectedHigh: string | null;
  costPerConversion: string | null;
  /** `revenue` divided by `cost`; 2 is revenue of twice the cost */
  roas: number | null;
  /** `expectedRevenue` divided by `cost` */
  expectedRoas: number | null;
  /** `expectedLow` divided by `cost` */
  roasLow: number | null;
  /** `expectedHigh` divided by `cost` */
  roasHigh: number | null;
  /** Whether every amount has an exchange rate; others are left out */
  isComplete: boolean;
  /** The least certain exchange rate that was used: of the day, of the fixed table of the account, or the average of a year that this version contains */
  rates: 'dated' | 'account' | 'embedded';
  byAge: number[];
}

export interface Role {
  id: string;
  key: string;
  name: string;
  /** It cannot be changed. `operator` is no role of accounts: the command line sets it */
  builtIn: boolean;
  permissions: Permission[];
  features: Features;
  /** Who has the role: members, open invitations and active secret tokens. Only in the list */
  uses?: {
    members: number;
    invitations: number;
    keys: number;
  } | undefined;
  version: number;
  createdAt: string | null;
  updatedAt: string | null;
}

export interface RoleMapping {
  /** Of the claim */
  value: string;
  /** `owner`, `editor`, `viewer` or the ID of a role of the account */
  roleId: string;
}

/** `custom`: one that the account defines, named by `roleId` */
export type RoleName = 'owner' | 'editor' | 'viewer' | 'custom';

export interface RowChange {
  /** The ID of a repeated group */
  field: string;
  /** The `_id` of the row to change or delete */
  id?: string | undefined;
  /** Merged into the row by field ID; `null` clears */
  values?: Record<string, unknown> | undefined;
  /** A new row */
  insert?: Record<string, unknown> | undefined;
  /** The `_id` of the row before the new one; null: the new row is the first, absent: the last */
  after?: string | null | undefined;
  delete?: boolean | undefined;
}

export interface RowFault {
  /** From 1 */
  row: number;
  code: string;
  detail: string;
}

export interface RunningExperiment extends AssignedExperiment {
  preceding: AssignedExperiment[];
  shippedVariant: string | null;
  content: ExperimentEntry[];
}

export interface RunningExperiments {
  experiments: RunningExperiment[];
}

export interface SampleRatio {
  /** Visitors by the weights, in the order of the variants */
  expected: number[];
  observed: number[];
  /** The evidence against the weights */
  e: number;
  /** false: visitors are missing from a variant, so that no result can be trusted */
  ok: boolean;
}

export interface SaveEntryDraftRequest {
  /** The version of the entry that the changes are based on */
  version: number;
  /** Values by field ID, as in an update. They are checked when they are saved */
  changes: Record<string, unknown>;
  /** Of the unsaved changes that were read. If others have been stored since: `version_conflict`, and nothing changes. Null: there were none */
  updatedAt?: string | null | undefined;
}

export interface SaveEntryViewRequest {
  name: string;
  /** false by default */
  shared?: boolean | undefined;
  /** The search parameters of the table in the dashboard: `where`, `sort`, `q` and `columns` */
  state: Record<string, unknown>;
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
}

export interface SaveViewRequest {
  screen: 'overview' | 'funnels';
  name: string;
  /** The search parameters of the screen in the dashboard */
  state: Record<string, unknown>;
}

export interface SavedView {
  id: string;
  screen: 'overview' | 'funnels';
  name: string;
  /** The search parameters of the screen in the dashboard */
  state: Record<string, unknown>;
  updatedAt: string;
}

export interface Schema {
  collections: SchemaCollection[];
  components: SchemaComponent[];
  locales: SentLocales;
  /** Those that the account defines. Absent for who may not read them */
  roles?: SchemaRole[] | undefined;
  /** Absent for roles that may not read them */
  webhooks?: SchemaWebhook[] | undefined;
}

export interface SchemaChange {
  action: 'create' | 'update' | 'delete';
  type: 'collection' | 'field' | 'block' | 'option' | 'component' | 'locales' | 'role' | 'webhook';
  id: string;
  /** Where it is, by keys or IDs, such as `posts.seo.title` */
  path: string;
  name: string;
  /** Of an update: what is different */
  members: ({
    member: string;
    /** Absent if there was none */
    before?: unknown | undefined;
    /** Absent if there is none */
    after?: unknown | undefined;
  })[];
  /** Whether something can no longer be read: values of entries, entries, or the secret of a webhook */
  losesData: boolean;
  /** How many entries lose something */
  entries: number;
  /** The change in a sentence */
  description: string;
}

export interface SchemaChanges {
  /** Sections of `PUT /v1/schema`, such as `collections`: what a section does not have is deleted, other sections stay */
  schema: Record<string, unknown>;
  /** Whether changes may lose values, entries or webhooks */
  allowDataLoss?: boolean | undefined;
}

export interface SchemaCollection {
  name: string;
  /** A name that stands for the ID in every path and in `collectionIds`, such as `posts`; unique among the active collections of the account. It can change, and the old one then leads nowhere. */
  key?: CollectionKey | undefined;
  description?: string | null | undefined;
  /** The ID of an active field */
  displayFieldId?: string | null | undefined;
  defaultSort?: DefaultSort | null | undefined;
  /** Whether entries are drafts until they are published; `false` by default. Required and unique fields then apply to what is published. It can only be turned off while no entry is published. */
  publishing?: boolean | undefined;
  /** Whether everyone with a publishable key can read what is published, except private fields; `false` by default. Only with `publishing`. */
  public?: boolean | undefined;
  /** Where the site shows the draft of an entry: a URL with the placeholders `{id}`, `{slug}` (without a slug the ID), `{collectionId}`, `{locale}` and `{token}`, with which the site reads drafts for an hour. Only for public collections. null: none */
  previewUrl?: PreviewUrl | undefined;
  /** The path of the page of an entry, such as `/{locale}/blog/{category.slug}/{slug}`: with the values of fields, or of a field of a referenced entry, and `{id}` and `{locale}`. Public entries then have `url` and `alternates`. null: none */
  urlPattern?: UrlPattern | undefined;
  /** Whether the collection has one entry, which is made when it is first read or written by `/entry`; `false` by default */
  singleton?: boolean | undefined;
  /** Lists of fields: no two active entries have the same values of all fields of a list, as `eq` compares them. Entries without a value of one of them do not count. */
  uniqueTogether?: UniqueTogether | undefined;
  /** `manual` gives entries a `position`, which `POST …/entries/{id}/move` changes; null, the default: none */
  ordering?: CollectionOrdering | undefined;
  /** Whether entries also have a `parentId`; `false` by default. A tree has a manual order. */
  tree?: boolean | undefined;
  /** Whether a version must be approved before it is published, and the least role of who may approve; null, the default: not. Among users, only owners can change it. */
  review?: CollectionReview | undefined;
  fields?: NewField[] | undefined;
  status?: 'active' | undefined;
  /** Names the collection, whatever else changes. One that this account does not have is found by its `key`, or else made with this ID. */
  id?: string | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
}

export interface SchemaComponent {
  /** A name for programs, unique among the components */
  key?: string | null | undefined;
  name: string;
  /** At least one */
  fields: NewNestedField[];
  /** Names the component, whatever else changes. One that this account does not have is found by its `key`, or else made with this ID. */
  id?: string | undefined;
}

export interface SchemaPush {
  changes: SchemaChange[];
  /** Whether one of the changes does */
  losesData: boolean;
  dryRun: boolean;
  /** Whether the schema was changed */
  applied: boolean;
  /** What undoes the push within 30 days; null if nothing was changed */
  undoId: string | null;
}

export interface SchemaRole {
  /** Names the role. One that this account does not have is found by its `key`, or else made. */
  id?: string | undefined;
  /** By default made from the name */
  key: string;
  name: string;
  permissions?: Permission[] | undefined;
  features?: SentFeatures | undefined;
}

export interface SchemaUndo {
  /** Whether values of what the push had added may be lost */
  allowDataLoss?: boolean | undefined;
}

export interface SchemaWebhook {
  /** Names the webhook. One that this account does not have is found by its `url`, or else made. */
  id?: string | undefined;
  /** Ignored in requests */
  publicKey?: unknown | undefined;
  /** Ignored in requests */
  disabledReason?: unknown | undefined;
  /** Ignored in requests */
  failingSince?: unknown | undefined;
  /** Ignored in requests */
  previousSecretUntil?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
  status?: 'active' | 'disabled' | undefined;
  /** An http or https URL on the public internet, without user name and password */
  url: string;
  /** The topics to send; null sends all of them */
  events?: WebhookTopic[] | null | undefined;
  /** The collections whose entries are sent, by ID or key; returned as IDs. null: all. Events that are not about entries are always sent */
  collectionIds?: WebhookCollections | undefined;
  /** `thin`: `data` contains only what identifies the resource: `id`, `sequence` and, of entries, `collectionId` */
  payload?: WebhookPayloadSize | undefined;
  /** The members of `data` to send, such as `value` or `session.campaign`, besides `id`, `sequence` and `collectionId`; null sends all */
  fields?: WebhookFields | undefined;
  /** `resource`: the messages of one entry, lead, conversion or other resource are sent one after another in the order of their `sequence`, the next one once the one before is delivered or has failed for good */
  ordering?: WebhookOrdering | undefined;
  /** Conditions on members of `data`: only messages that meet all of them are sent. `lt`, `lte`, `gt` and `gte` compare texts, or, with a number, also amounts of money as numbers; members that cannot be compared do not meet them */
  filters?: WebhookFilters | undefined;
  /** Also sign with Ed25519 (`v1a`), which whoever has the `publicKey` can verify, but not forge */
  ed25519?: boolean | undefined;
  description?: string | null | undefined;
}

export interface Security {
  twoFactor: {
    enabled: boolean;
    recoveryCodesLeft: number;
  };
  passkeys: ({
    id: string;
    name: string;
    createdAt: string;
    lastUsedAt: string | null;
  })[];
  /** After a password reset: what else gives access, until you confirm or delete it. Passkeys do not sign in until then */
  reviews: AccessReview[];
}

export interface SelectOption {
  value: string;
  label: string;
  status: 'active' | 'deleted';
}

/** Required for the type `select`, and not allowed for others */
export type SelectOptionChanges = ({
  value: string;
  label?: string | undefined;
  status?: 'active' | 'deleted' | undefined;
})[] | null;

/** The sender's clock when it sends, RFC 3339: corrects `occurredAt` by the clock's error, unless it is less than 15 seconds slow */
export type SentAt = string;

/** A feature that is omitted is `none`; in a change, it stays as it is */
export interface SentFeatures {
  analytics?: 'none' | 'read' | 'write' | undefined;
  conversions?: 'none' | 'read' | 'write' | undefined;
  files?: 'none' | 'read' | 'write' | undefined;
  webhooks?: 'none' | 'read' | 'write' | undefined;
  destinations?: 'none' | 'read' | 'write' | undefined;
  members?: 'none' | 'read' | 'write' | undefined;
  schema?: 'none' | 'read' | 'write' | undefined;
}

export interface SentLocale {
  /** A BCP 47 tag, such as `de` or `pt-BR` */
  locale: string;
  /** The default locale if omitted or null */
  fallback?: string | null | undefined;
}

export interface SentLocales {
  /** A BCP 47 tag, such as `de` or `pt-BR` */
  default: string | null;
  locales: SentLocale[];
}

export interface SentSchema {
  collections?: SchemaCollection[] | undefined;
  components?: SchemaComponent[] | undefined;
  locales?: SentLocales | undefined;
  roles?: SchemaRole[] | undefined;
  webhooks?: SchemaWebhook[] | undefined;
  /** Whether changes are made by which values, entries or webhooks are no longer there. Otherwise they are refused with `data_loss`, which names each of them and how many entries it concerns. */
  allowDataLoss?: boolean | undefined;
}

export interface ServiceCell {
  /** The first database is `main` */
  name: string;
  /** Whether new accounts are created there */
  isOpen: boolean;
  accounts: number;
  createdAt: string;
  status: 'ok' | 'unavailable';
  /** Size of its tables; null: unavailable */
  bytes: number | null;
  /** Visits, events and reports of conversions lately; null: unavailable */
  recordedPerSecond: number | null;
  /** Age of the oldest row that is not in reports yet; null: unavailable */
  lagSeconds: number | null;
  /** Jobs, changes and webhook deliveries that are due; null: unavailable */
  queued: number | null;
  /** Connections to its database; null: unavailable */
  connections: number | null;
  /** How long a statement takes; null: unavailable */
  responseMs: number | null;
}

export interface Session {
  id: number;
  hash: string;
  shortHash: string;
  visitorId: string;
  startedAt: string;
  lastSeenAt: string;
  landingUrl: string;
  referrer: string | null;
  source: string | null;
  medium: string | null;
  campaign: string | null;
  term: string | null;
  content: string | null;
  utmId: string | null;
  /** Click ids by their names in the conversion report */
  clickIds: Record<string, string>;
  device: string | null;
  browser: string | null;
  os: string | null;
  country: string | null;
  /** Largest subdivision and country, such as `Bavaria, DE` */
  region: string | null;
  isBot: boolean;
  isInternal: boolean;
  lead: {
    id: string;
    email: string;
  } | null;
}

export interface SessionState {
  /** The service can send email: passwords can be reset by it */
  sendsEmail: boolean;
  /** There are no users yet: the first-run link creates one */
  isFirstRun: boolean;
  user: {
    id: string;
    email: string;
    name: string;
    /** Of the dashboard and of mails, such as `de`; null: that of the browser */
    language: string | null;
    /** The user has proved to receive mail at the email */
    isEmailConfirmed: boolean;
    /** Operates the service, whatever the accounts */
    isOperator: boolean;
    /** The password was reset: `reviews` of `GET /auth/security` have to be confirmed or deleted */
    needsReview: boolean;
  } | null;
  session: {
    id: string;
    createdAt: string;
    expiresAt: string;
    /** Until then, sensitive requests do not ask for the password or a passkey */
    confirmedUntil: string;
    /** By single sign-on: it opens one account, and nothing of the user */
    isSso: boolean;
  } | null;
  accounts: ({
    id: string;
    name: string;
    /** `custom`: one that the account defines, named by `roleId` */
    role: RoleName;
    /** The role, if the account defines it */
    customRole?: {
      id: string;
      name: string;
    } | undefined;
    /** What the role may do with entries */
    permissions: Permission[];
    features: Features;
    /** The role is the one that the user views the account as. Until `POST /auth/view/end`, nothing can be changed */
    isView: boolean;
    /** The only part of the account that the member may use: collections and files, or reports, sessions, leads and conversions; null: all of it. Owners cannot be limited */
    area: AreaName;
    /** IANA name */
    timeZone: string;
    currency: string | null;
    /** Requests are 401 `sso_required` until the user signs in by single sign-on */
    requiresSso?: boolean | undefined;
  })[];
}

export interface SessionSummary {
  id: number;
  hash: string;
  shortHash: string;
  visitorId: string;
  startedAt: string;
  lastSeenAt: string;
  landingUrl: string;
  referrer: string | null;
  source: string | null;
  medium: string | null;
  campaign: string | null;
  term: string | null;
  content: string | null;
  utmId: string | null;
  /** Click ids by their names in the conversion report */
  clickIds: Record<string, string>;
  device: string | null;
  browser: string | null;
  os: string | null;
  country: string | null;
  /** Largest subdivision and country, such as `Bavaria, DE` */
  region: string | null;
  isBot: boolean;
  isInternal: boolean;
}

export interface SessionVisit {
  sessionId: number;
  visits: number;
  /** From the first to the last visit; 0 for a single one */
  seconds: number;
}

export interface SharedAnnotation {
  /** A day, such as 2026-11-20, or an RFC 3339 time. A day is in the time zone of the report */
  at: string;
  text: string;
  /** The time, or when the day starts in `timeZone` */
  startsAt: string;
}

export interface SharedLink {
  id: string;
  name: string;
  /** Whether readers can choose another period and add filters */
  isInteractive: boolean;
  /** Whether readers see the annotations of the account, without their authors */
  hasAnnotations: boolean;
  period: PresetPeriod | ReportPeriod;
  /** By default `previous` */
  compare?: 'previous' | 'year' | 'none' | undefined;
  filters?: ReportFilters | undefined;
  /** The report is this funnel; without one it is the overview */
  funnel?: FunnelDefinition | null | undefined;
  /** Opens the report, without signing in */
  url: string;
  /** The same, for an `<iframe>` on any site */
  embedUrl: string;
  hasPassword: boolean;
  createdAt: string;
  /** To the hour */
  lastReadAt: string | null;
}

export interface SharedReport {
  name: string;
  /** The name of the account */
  account: string;
  isInteractive: boolean;
  hasAnnotations: boolean;
  /** The start: a day of `timeZone`, such as 2026-11-20, a time of it on a quarter of an hour, such as 2026-11-20T08:15, or an RFC 3339 time */
  from: string;
  /** The end, in the format of `from`; the period ends before it */
  to: string;
  timeZone: string;
  compare: 'previous' | 'year' | 'none';
  filters: ReportFilters;
  funnel: FunnelDefinition | null;
}

export interface ShipExperimentRequest {
  /** The key of the variant that everybody gets from now on */
  variant: string;
  /** Whether the release with its values is published at once. false: it is open, and you publish it later; by default `true` */
  publish?: boolean | undefined;
}

export interface SignInByPasskeyRequest {
  credential: PasskeyCredential;
}

export interface SignInRequest {
  email: string;
  password: string;
  /** Of an authenticator app, or a recovery code: required where the response is 401 `two_factor_required` */
  code?: string | undefined;
}

export interface SignOutResult {
  success: boolean;
}

export interface SqlRequest {
  /** The statement, such as `select source, count(*) from sessions group by 1` */
  query: string;
  /** By default `ndjson` */
  format?: 'ndjson' | 'csv' | 'arrow' | undefined;
  /** The values of `$1`, `$2` and so on */
  parameters?: (string | number | boolean | null | (string | number | boolean | null)[])[] | undefined;
}

export interface Sso {
  isConfigured: boolean;
  /** To register at the provider */
  redirectUri: string;
  name: string | null;
  issuer: string | null;
  clientId: string | null;
  hasClientSecret: boolean;
  domains: SsoDomain[];
  scopes: string[];
  roleClaim: string;
  roleMappings: RoleMapping[];
  defaultRoleId: string | null;
  /** Members with an email of a proven domain sign in to the account in no other way */
  isRequired: boolean;
  updatedAt: string | null;
}

export interface SsoCheck {
  provider: {
    isReachable: boolean;
    /** A code, optionally followed by an explanation */
    error: string | null;
  };
  domains: SsoDomain[];
}

export interface SsoDomain {
  domain: string;
  /** Nobody signs in by a domain that is not proven */
  isProven: boolean;
  /** The DNS record that proves the domain */
  record: {
    type: 'TXT';
    name: string;
    value: string;
  };
}

export interface StartExportRequest {
  dataset: ExportDataset;
  format: 'csv' | 'ndjson' | 'parquet';
  /** Start of the range, inclusive: an RFC 3339 time, or a date, which starts at midnight in the time zone of the account */
  from?: string | undefined;
  /** End of the range, exclusive: an RFC 3339 time, or a date, which starts at midnight in the time zone of the account */
  to?: string | undefined;
  /** Exports `conversions` as they were known at this time (RFC 3339, or a date): values, currencies and times of sales from the reports until then */
  asKnownOn?: string | undefined;
  /** Names of the columns to export, in this order; defaults to all that are not marked above */
  fields?: string[] | undefined;
  /** Start a CSV with a byte order mark, by which Excel recognizes UTF-8; default false */
  bom?: boolean | undefined;
}

export interface StartTwoFactorRequest {
  currentPassword?: string | undefined;
}

export interface StartTwoFactorResult {
  /** In base32, to be typed into an authenticator app */
  secret: string;
  /** `otpauth://…`, to be shown as a QR code */
  url: string;
}

export interface StoredFile {
  assetId: string;
  /** URL of the file; works without a token. That of a private file expires after a day. */
  url: string;
  /** Detected from the content of the file; `file` is any other type */
  type: 'image' | 'video' | 'file';
  name: string;
  /** Pixels as displayed, rotation applied */
  width: number | null;
  /** Pixels as displayed, rotation applied */
  height: number | null;
  /** For example `image/jpeg` */
  mediaType: string;
  /** Size as stored and served */
  bytes: number;
  /** Alt text; in other locales `alt@<locale>` */
  alt: string | null;
  title: string | null;
  caption: string | null;
  folderId: string | null;
  /** Whether its URL is signed and expires */
  private: boolean;
  focalPoint: FocalPoint | null;
  /** Whether an image has more than one frame */
  animated: boolean;
  /** Seconds; null for images, and for videos that do not state it */
  duration: number | null;
  /** Video codec, such as `avc`, `hevc`, `vp9`, `av1` */
  codec: string | null;
  /** Blurred preview in about 25 bytes (ThumbHash), base64 */
  thumbhash: string | null;
  /** The same as `poster` */
  posterUrl: string | null;
  /** Blurred preview as a small `data:` URL */
  placeholder: string | null;
  /** URL of the poster image of a video */
  poster: string | null;
  /** Smaller variants of an image, for an `img` element */
  srcset: string | null;
  /** In the response of an upload of an SVG: elements, attributes and styles that were removed, at most 100 */
  removed?: string[] | undefined;
  createdAt: string;
  updatedAt: string;
  unusedSince: string | null;
  tags: string[];
  /** `deleted`: in the trash; its URL still works */
  status: 'active' | 'deleted';
  [name: string]: unknown;
}

/** The format of the values of a field of type `text`, unless another one is named: `slug` a part of a URL of up to 200 characters: the letters a to z, digits and hyphens; `markdown` a text in Markdown; `richtext` a formatted text as a JSON tree, `{type: "doc", content: […]}`; it can also be written as `{markdown}` or `{html}`; `email` an email address; `color` a color, `#rrggbb` or `#rrggbbaa`; `#rgb` is accepted as well; `json` any JSON value of up to 100,000 bytes and 20 levels; `reference` the ID of an entry of one of the collections in `collectionIds`; `expand` returns the entry in its place; `time` a time of day, `HH:MM` or `HH:MM:SS`; `point` a place, `{lat, lng}` in degrees; `integer` (of `number`) a whole number; beyond ±(2⁵³ − 1) a decimal string, which is exact; `decimal` (of `number`) an exact number as a decimal string, such as `12.50`; numbers are accepted; `blocks` (of `group`) of a repeated `group`: rows of different kinds, each an object with the ID of its block (`_block`), its own ID (`_id`), and the values of the fields of the block by their IDs */
export type TextFormat = 'slug' | 'markdown' | 'richtext' | 'email' | 'color' | 'json' | 'reference' | 'time' | 'point' | 'integer' | 'decimal' | 'blocks';

export interface Timeline {
  session: Session | null;
  lead: Lead | null;
  items: TimelineItem[];
  /** null when there is no further page */
  nextPageToken: NextPageToken;
}

export interface TimelineItem {
  type: 'session' | 'visit' | 'event' | 'conversion' | 'restatement';
  at: string;
  /** The id of the visit, event or conversion */
  id: string | null;
  sessionId: number | null;
  session?: Session | undefined;
  url?: string | null | undefined;
  title?: string | null | undefined;
  referrer?: string | null | undefined;
  event?: string | null | undefined;
  /** The `properties` of an event or the `extra` of a conversion */
  properties?: Record<string, unknown> | null | undefined;
  value?: string | null | undefined;
  currency?: string | null | undefined;
  receivedAt?: string | undefined;
  origin?: 'report' | 'event' | undefined;
  identifier?: Record<string, string | number> | null | undefined;
}

export interface TrackingSettings {
  /** Origins of the pages that may use the publishable key, such as `https://shop.example`, or `https://*.shop.example` for every subdomain. If empty, every origin may. Requests from servers, without an `Origin` header, are not restricted */
  allowedOrigins: string[];
  /** IPv4 and IPv6 addresses and CIDR ranges whose visits and events are recorded as internal traffic and excluded from reports, like those of bots */
  excludedAddresses: string[];
  /** How many days sessions, visits, events and leads are stored; null for no limit. Conversions remain, without their identifiers */
  retentionDays: number | null;
  /** Keeps the visitor ID of visits also in the cookie `hw_id` (first-party, `HttpOnly`, 400 days), which survives the deletion of script storage after seven days. Only where the service runs under the site of the page, and only with consent */
  firstPartyId: boolean;
  /** Null until the settings are first changed */
  updatedAt: string | null;
}

export interface TrashedCollection extends Collection {
  deletedAt: string;
  /** Active entries that a restore brings back, counted up to 1,000 */
  entryCount: number;
}

export interface TrashedEntry extends Entry {
  deletedAt: string;
  deletedBy: Author | null;
}

export interface UndoResult {
  /** Entries that were different after the change */
  entries: number;
  restored: number;
  /** Entries that have been changed or deleted since, or whose earlier version is not kept */
  skipped: number;
}

/** Lists of fields: no two active entries have the same values of all fields of a list, as `eq` compares them. Entries without a value of one of them do not count. */
export type UniqueTogether = string[][] | null;

export interface UnlockSharedReportRequest {
  password: string;
}

export interface UnlockSharedReportResult {
  /** Valid for twelve hours, and until the password is changed */
  access: string;
}

export interface UnmatchedConversion {
  id: string;
  /** The caller's own identifier of the conversion */
  eventId: string | null;
  event: string;
  /** Exact decimal number */
  value: string | null;
  currency: string | null;
  createdOn: string;
  receivedAt: string;
  /** Name and value; empty once it is erased */
  identifier: Record<string, string | number>;
  extra: Record<string, unknown> | null;
  /** When the report is deleted */
  expiresAt: string;
}

export interface UnmatchedCost {
  source: string;
  /** Its latest name */
  campaign: string | null;
  /** The platform's ID; null: it was imported without one */
  campaignId: string | null;
  costSourceId: string | null;
  /** By currency */
  cost: Money[];
  clicks: number;
  impressions: number;
}

export interface UnmatchedCosts {
  from: string;
  to: string;
  /** Campaigns that cost something and led to no session, the most expensive first; at most 500 */
  costs: UnmatchedCost[];
  /** Whether there are further costs */
  more: boolean;
  /** Campaigns of paid sessions of the same sources, without a cost */
  sessionCampaigns: {
    source: string;
    campaign: string;
    sessions: number;
  }[];
  /** What `PUT /v1/analytics/ad-costs/assignments` assigned */
  assignments: ({
    source: string;
    /** In lower case */
    sessionCampaign: string;
    /** Its latest name */
    campaign: string | null;
    /** The platform's ID; null: it was imported without one */
    campaignId: string | null;
  })[];
}

export interface UnmatchedReport {
  from: string;
  to: string;
  total: number;
  identifiers: ({
    /** The name of the identifier; null when it was erased */
    identifier: string | null;
    count: number;
    oldestAt: string;
    latestAt: string;
    reasons: ({
      /** `platform_never_seen`: none of the latest sessions has a click id of this type; `malformed`: the value does not have the format of a session hash; `erased`: its visitor was erased; `not_seen`: no session has it */
      reason: 'platform_never_seen' | 'malformed' | 'erased' | 'not_seen';
      count: number;
    })[];
  })[];
}

export interface UnpublishEntriesRequest {
  entryIds: string[];
  /** Only these locales, in a collection with localized fields; by default all in which the entry has a value, and the default locale, unless the entry has none in it and lacks a required one. Values that are not localized are published with the default locale, and with any other while that is not published. */
  locales?: ChosenLocales | undefined;
}

export interface UnpublishEntriesResult {
  /** In the order of the request */
  entries: Entry[];
}

export interface UnpublishEntryRequest {
  /** The version that was read. If it is not the current one: `version_conflict` */
  version?: number | undefined;
  /** Only these locales, in a collection with localized fields; by default all in which the entry has a value, and the default locale, unless the entry has none in it and lacks a required one. Values that are not localized are published with the default locale, and with any other while that is not published. */
  locales?: ChosenLocales | undefined;
}

export interface UnsavedChanges {
  /** The version of the entry that the changes are based on */
  version: number;
  /** Values by field ID, as in an update. They are checked when they are saved */
  changes: Record<string, unknown>;
  updatedAt: string;
}

export interface UpdateAlertRequest {
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  status?: unknown | undefined;
  /** Ignored in requests */
  current?: unknown | undefined;
  /** Ignored in requests */
  expected?: unknown | undefined;
  /** Ignored in requests */
  limit?: unknown | undefined;
  /** Ignored in requests */
  incident?: unknown | undefined;
  /** Ignored in requests */
  checkedAt?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
  name?: string | undefined;
  /** `revenue` and `conversions` by the time of the sale, after refunds; `sessions` that started; `events` by arrival; `cost` by day. `destinationDifference`: how many percent of what a destination was meant to be told by now are missing there; the worst one. `expectedRevenue`: what clicks of the window are expected to earn. `costWithoutClicks`: cost of campaigns without a session */
  figure?: AlertFigure | undefined;
  /** `threshold`: against `value`. `change`: by `percent` against the same window of the 8 weeks before. `expected`: likewise, against what was known at the same age then, so that sales that are reported late raise no alarm. `silence`: nothing for `minutes` */
  kind?: AlertKind | undefined;
  /** In the time zone of the account */
  window?: 'lastHour' | 'today' | 'yesterday' | 'last7Days' | undefined;
  direction?: 'below' | 'above' | undefined;
  /** Of `threshold`: in the currency of the account, or percent of `destinationDifference` */
  value?: number | null | undefined;
  /** Of `change` and `expected`. A difference must also be unlikely by the noise of these weeks: with few sales a day, it has to be larger */
  percent?: number | null | undefined;
  /** Of `silence` */
  minutes?: number | null | undefined;
  /** Of `events`: only this event */
  event?: string | null | undefined;
  /** Of `revenue`, `conversions`, `sessions` and `cost`: only this source */
  source?: string | null | undefined;
  channels?: (AlertMail | AlertWebhook | AlertSlack)[] | undefined;
  isEnabled?: boolean | undefined;
}

export interface UpdateAnnotationRequest {
  /** A day, such as 2026-11-20, or an RFC 3339 time. A day is in the time zone of the report */
  at?: string | undefined;
  text?: string | undefined;
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  startsAt?: unknown | undefined;
  /** Ignored in requests */
  createdBy?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
}

export interface UpdateCollectionRequest {
  name?: string | undefined;
  /** A name that stands for the ID in every path and in `collectionIds`, such as `posts`; unique among the active collections of the account. It can change, and the old one then leads nowhere. */
  key?: CollectionKey | undefined;
  description?: string | null | undefined;
  /** The ID of an active field */
  displayFieldId?: string | null | undefined;
  defaultSort?: DefaultSort | null | undefined;
  /** Whether entries are drafts until they are published; `false` by default. Required and unique fields then apply to what is published. It can only be turned off while no entry is published. */
  publishing?: boolean | undefined;
  /** Whether everyone with a publishable key can read what is published, except private fields; `false` by default. Only with `publishing`. */
  public?: boolean | undefined;
  /** Where the site shows the draft of an entry: a URL with the placeholders `{id}`, `{slug}` (without a slug the ID), `{collectionId}`, `{locale}` and `{token}`, with which the site reads drafts for an hour. Only for public collections. null: none */
  previewUrl?: PreviewUrl | undefined;
  /** The path of the page of an entry, such as `/{locale}/blog/{category.slug}/{slug}`: with the values of fields, or of a field of a referenced entry, and `{id}` and `{locale}`. Public entries then have `url` and `alternates`. null: none */
  urlPattern?: UrlPattern | undefined;
  /** Whether the collection has one entry, which is made when it is first read or written by `/entry`; `false` by default */
  singleton?: boolean | undefined;
  /** Lists of fields: no two active entries have the same values of all fields of a list, as `eq` compares them. Entries without a value of one of them do not count. */
  uniqueTogether?: UniqueTogether | undefined;
  /** `manual` gives entries a `position`, which `POST …/entries/{id}/move` changes; null, the default: none */
  ordering?: CollectionOrdering | undefined;
  /** Whether entries also have a `parentId`; `false` by default. A tree has a manual order. */
  tree?: boolean | undefined;
  /** Whether a version must be approved before it is published, and the least role of who may approve; null, the default: not. Among users, only owners can change it. */
  review?: CollectionReview | undefined;
  /** Matched by ID. Fields that are not sent stay as they are and follow those that are. A field with an unknown or no ID is new. Set `status` to delete or restore a field. */
  fields?: ({
    /** Unique within its list; generated if it is omitted */
    id?: string | undefined;
    label?: string | undefined;
    /** The values of a field: `text` a string of up to 100,000 characters; `number` a finite number; numeric strings are accepted; `boolean` `true` or `false`, also as a string; `date` a date, `YYYY-MM-DD`; `timestamp` an RFC 3339 timestamp, in UTC if it has no offset, returned in UTC with milliseconds; `url` an absolute http or https URL of up to 4,096 characters; `asset` an object with the `assetId` of an uploaded file; responses contain the whole asset; `select` the value of one of the field’s active options; `group` an object with the values of its nested fields by their IDs */
    type?: FieldType | undefined;
    /** `false` by default */
    required?: boolean | undefined;
    status?: 'active' | 'deleted' | undefined;
    /** Required for the type `select`, and not allowed for others */
    options?: SelectOptionChanges | undefined;
    format?: TextFormat | null | undefined;
    computed?: ComputedTemplate | null | undefined;
    /** Of a repeated group: whether its rows have IDs (`_id`), which stay as they are moved and changed. Absent unless set */
    rowIds?: boolean | null | undefined;
    /** Of the format `slug`: the field from which the slug of an entry without one is generated */
    slugSource?: string | null | undefined;
    /** Of the format `reference`: the collections whose entries can be referenced, by ID or key; returned as IDs. Of the format `richtext`: those whose entries its links can lead to, with `entry:ent_…` as `href` */
    collectionIds?: ReferencedCollections | undefined;
    /** Of the formats `reference` and `richtext`: whether an entry can be deleted while it is referenced. `keep`, the default, keeps the references, which apply again when the entry is restored; `refuse` returns `entry_referenced` */
    onDelete?: ReferenceOnDelete | undefined;
    /** Of the format `decimal`: how many digits after the point values can have. More are refused, not rounded */
    scale?: number | null | undefined;
    /** Whether the value is an array; `false` by default */
    repeated?: boolean | undefined;
    /** Of a group. Ignored with `componentId` */
    fields?: NestedFieldChange[] | null | undefined;
    /** Of a group: the component whose fields it has. null leaves it the fields as its own. */
    componentId?: string | null | undefined;
    /** Of the format `blocks`: the kinds of rows, matched by ID, each with fields or a component */
    blocks?: BlockChange[] | null | undefined;
    helpText?: string | null | undefined;
    validation?: FieldValidation | null | undefined;
    /** The value of entries, groups and rows that are created without one. Not for the type `asset`; of a group that is not repeated `{}`, which stands for the defaults of its fields. `{"now": true}` is the time of creation, of a date, timestamp or time; `{"currentUser": true}` the ID of the user who creates it, of a text */
    defaultValue?: FieldDefaultValue | undefined;
    /** Whether public responses omit the field; `false` by default */
    private?: boolean | undefined;
    visibleWhen?: VisibleWhen | null | undefined;
    /** Whether no two active entries may have the same value; `false` by default. For the types `text`, `number`, `date`, `timestamp`, `url` and `select`, unless the field is repeated */
    unique?: boolean | undefined;
    /** Whether values differ by locale; `false` by default. Existing values are those of the default locale, or the `baseLocale`. Values in other locales are kept, but not returned, while it is off. */
    localized?: boolean | undefined;
    /** The name of the part of the form that shows the field, with others of the same name; null: the first */
    section?: string | null | undefined;
  })[] | undefined;
  status?: 'active' | 'deleted' | undefined;
  /** Whether a change of blocks or of the component of a group is made by which values of entries are no longer returned. Otherwise it is refused with `data_loss`, which says of how many. */
  allowDataLoss?: boolean | undefined;
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
}

export interface UpdateComponentRequest {
  /** A name for programs, unique among the components */
  key?: string | null | undefined;
  name?: string | undefined;
  /** Matched by ID, as those of a collection */
  fields?: NestedFieldChange[] | undefined;
  /** Whether a change is made by which values of entries are no longer returned. Otherwise it is refused with `data_loss`, which says of how many. */
  allowDataLoss?: boolean | undefined;
  /** Ignored in requests */
  id?: unknown | undefined;
}

export interface UpdateCostSourceRequest {
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  connection?: unknown | undefined;
  /** Ignored in requests */
  status?: unknown | undefined;
  /** Ignored in requests */
  pauseReason?: unknown | undefined;
  /** Ignored in requests */
  error?: unknown | undefined;
  /** Ignored in requests */
  failingSince?: unknown | undefined;
  /** Ignored in requests */
  currency?: unknown | undefined;
  /** Ignored in requests */
  timeZone?: unknown | undefined;
  /** Ignored in requests */
  lastReadAt?: unknown | undefined;
  /** Ignored in requests */
  nextReadAt?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
  /** Cannot be changed */
  platform?: 'google' | 'meta' | 'microsoft' | 'tiktok' | 'linkedin' | undefined;
  name?: string | undefined;
  /** Never returned, except those that are no secrets. An empty text removes an optional one. Changing the ad account requires the secrets again. By platform: google: `customerId`, `loginCustomerId?`, `developerToken`, `clientId?`, `clientSecret?`, `refreshToken?`, `serviceAccountEmail?`, `privateKey?`; meta: `adAccountId`, `accessToken`; microsoft: `clientId`, `clientSecret?`, `refreshToken`, `developerToken`, `customerId`, `accountId`; tiktok: `advertiserId`, `accessToken`; linkedin: `adAccountId`, `accessToken`, `clientId?`, `clientSecret?`, `refreshToken?`. See `GET /v1/analytics/cost-sources/platforms` */
  credentials?: CostSourceCredentials | undefined;
  /** A destination of the same platform: its credentials are used as far as there are none here and they suffice (`reuses` of the platform) */
  destinationId?: string | null | undefined;
  /** The source of the sessions that its ads lead to; by default that of its click ids, such as `google` */
  source?: string | undefined;
  /** `live` (default): read each hour */
  mode?: 'live' | 'off' | undefined;
}

export interface UpdateDestinationRequest {
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  counts?: unknown | undefined;
  /** Ignored in requests */
  connection?: unknown | undefined;
  /** Ignored in requests */
  status?: unknown | undefined;
  /** Ignored in requests */
  pauseReason?: unknown | undefined;
  /** Ignored in requests */
  failingSince?: unknown | undefined;
  /** Ignored in requests */
  error?: unknown | undefined;
  /** Ignored in requests */
  lastSentAt?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
  /** Cannot be changed */
  platform?: 'google' | 'meta' | 'microsoft' | 'tiktok' | 'linkedin' | 'pinterest' | 'snapchat' | 'reddit' | 'x' | 'taboola' | 'outbrain' | 'openai' | 'applovin' | 'amazon' | 'http' | 'cdn' | undefined;
  name?: string | undefined;
  /** Never returned, except those that are no secrets. An empty text removes an optional one. Changing one that decides which host the secrets are sent to requires the secrets again. By platform: google: `customerId`, `loginCustomerId?`, `clientId?`, `clientSecret?`, `refreshToken?`, `serviceAccountEmail?`, `privateKey?`; meta: `pixelId`, `accessToken`, `testEventCode?`, `limitedDataUse?`; microsoft: `clientId`, `clientSecret?`, `refreshToken`, `developerToken`, `customerId`, `accountId`; tiktok: `pixelId`, `accessToken`, `testEventCode?`; linkedin: `accessToken`, `clientId?`, `clientSecret?`, `refreshToken?`; pinterest: `adAccountId`, `accessToken`; snapchat: `pixelId`, `accessToken`; reddit: `pixelId`, `accessToken`, `testId?`; x: `pixelId`, `consumerKey`, `consumerSecret`, `accessToken`, `accessTokenSecret`; taboola: `accountId`; outbrain: none; openai: `pixelId`, `apiKey`; applovin: `pixelId`, `apiKey`; amazon: `clientId`, `clientSecret`, `refreshToken`, `region`, `advertiserId`, `countryCode`, `dataSetName?`; http: `url`, `secret`, `authorization?`, `template?`; cdn: `provider`, `url?`, `token?`, `zone?`. See `GET /v1/destinations/platforms` */
  credentials?: DestinationCredentials | undefined;
  /** Required, as `consent` and `mode` are, except by the platform `cdn`, which has no mapping and is `live` by default */
  mapping?: NewMappingRule[] | undefined;
  filter?: NewDestinationFilter | null | undefined;
  /** Which sessions' conversions are sent. `required`: those in which the visitor granted `ad_user_data` and did not deny `ad_storage`; `unless_denied`: those in which neither was denied; `ignore`: all, where consent is not the legal basis */
  consent?: DestinationConsent | undefined;
  /** `validate`: conversions are checked by the platform, or here if it has no validation, and not counted; `off`: nothing is sent or queued */
  mode?: DestinationMode | undefined;
  /** Conversions dated before are not sent. By default when the destination is created */
  startAt?: string | undefined;
  /** Seconds from the report of a conversion until it is sent, with the value that it has by then. For platforms that cannot change a value later */
  sendAfter?: number | undefined;
  /** `current` (default): the value that is known; `settled`: conversions are sent after `sendAfter`, or else after 30 days or as late as the platform accepts them, with the value that they have by then; `expected`: the value is scaled by how values of its source develop after the sale, through refunds and restatements, for platforms that cannot adjust it later */
  value?: DestinationValue | undefined;
  /** Whether the values of events with the publishable key, which anyone can record, are sent. Otherwise (default) only those from secret tokens and postbacks are; the others are `skipped` as `value_untrusted`, unless the mapping replaces the value */
  trustPublicValues?: boolean | undefined;
}

export interface UpdateEntryRequest {
  /** Merged by field ID. `null` clears a field, and a group is replaced as a whole. */
  values?: Record<string, unknown> | undefined;
  /** The version that was read. If it is not the current one: `version_conflict` */
  version?: number | undefined;
  status?: 'active' | 'deleted' | undefined;
  /** Numbers to add, by field ID. A field without a value counts as 0. */
  increment?: Record<string, unknown> | undefined;
  /** Lists of values to add at the end of repeated fields, by field ID */
  append?: Record<string, unknown> | undefined;
  /** Lists of values to remove from repeated fields, by field ID */
  remove?: Record<string, unknown> | undefined;
  /** Parts of groups, by field ID. Members that are not sent stay, `null` clears. */
  merge?: Record<string, unknown> | undefined;
  /** Changes of single rows of repeated groups, in order */
  rows?: RowChange[] | undefined;
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  collectionId?: unknown | undefined;
  /** Ignored in requests */
  publishedVersion?: unknown | undefined;
  /** Ignored in requests */
  publishedAt?: unknown | undefined;
  /** Ignored in requests */
  publishedLocales?: unknown | undefined;
  /** Ignored in requests */
  position?: unknown | undefined;
  /** Ignored in requests */
  parentId?: unknown | undefined;
  /** Ignored in requests */
  children?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
}

export interface UpdateExperimentRequest {
  /** Seeds the assignment of visitors; unique in the account */
  key?: string | undefined;
  name?: string | undefined;
  hypothesis?: string | null | undefined;
  /** The first is what the others are compared with */
  variants?: ExperimentVariant[] | undefined;
  metric?: ExperimentMetric | undefined;
  /** What must not get worse */
  guardrails?: ExperimentMetric[] | undefined;
  audience?: ExperimentAudience | null | undefined;
  /** How long after the first exposure sales count */
  window?: string | undefined;
  /** How long after the window reports of these sales are waited for before the visitor decides */
  settleAfter?: string | undefined;
  /** The share of visitors that take part */
  coverage?: number | undefined;
  /** The share of visitors who take no part and who see the first variant also after another one was shipped, so that results go on telling what it earns */
  holdout?: number | undefined;
  /** Experiments of one namespace share no visitor: one leaves out those of the ones that started earlier */
  namespace?: string | null | undefined;
  /** Entries that variants change */
  content?: ExperimentEntry[] | undefined;
  /** The number of settled visitors of the plan, at which intervals are narrowest */
  plannedVisitors?: number | null | undefined;
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  status?: unknown | undefined;
  /** Ignored in requests */
  shippedVariant?: unknown | undefined;
  /** Ignored in requests */
  releaseId?: unknown | undefined;
  /** Ignored in requests */
  preceding?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
  /** Ignored in requests */
  startedAt?: unknown | undefined;
  /** Ignored in requests */
  stoppedAt?: unknown | undefined;
  /** Ignored in requests */
  shippedAt?: unknown | undefined;
}

export interface UpdateFileRequest {
  /** Ignored in requests */
  assetId?: unknown | undefined;
  /** Ignored in requests */
  url?: unknown | undefined;
  /** Ignored in requests */
  type?: unknown | undefined;
  /** Ignored in requests */
  width?: unknown | undefined;
  /** Ignored in requests */
  height?: unknown | undefined;
  /** Ignored in requests */
  mediaType?: unknown | undefined;
  /** Ignored in requests */
  bytes?: unknown | undefined;
  /** Ignored in requests */
  animated?: unknown | undefined;
  /** Ignored in requests */
  duration?: unknown | undefined;
  /** Ignored in requests */
  codec?: unknown | undefined;
  /** Ignored in requests */
  private?: unknown | undefined;
  /** Ignored in requests */
  thumbhash?: unknown | undefined;
  /** Ignored in requests */
  posterUrl?: unknown | undefined;
  /** Ignored in requests */
  placeholder?: unknown | undefined;
  /** Ignored in requests */
  poster?: unknown | undefined;
  /** Ignored in requests */
  srcset?: unknown | undefined;
  /** Ignored in requests */
  removed?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
  /** Ignored in requests */
  unusedSince?: unknown | undefined;
  /** Ignored in requests */
  usedByCount?: unknown | undefined;
  /** Ignored in requests */
  usedBy?: unknown | undefined;
  name?: string | undefined;
  alt?: string | null | undefined;
  title?: string | null | undefined;
  caption?: string | null | undefined;
  /** null: outside of folders */
  folderId?: string | null | undefined;
  focalPoint?: FocalPoint | null | undefined;
  /** Replaces all tags */
  tags?: string[] | undefined;
  /** `deleted`: in the trash; its URL still works */
  status?: 'active' | 'deleted' | undefined;
  [name: string]: unknown;
}

export interface UpdateFolderRequest {
  name?: string | undefined;
  parentId?: string | null | undefined;
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
}

export interface UpdateLeadRequest {
  notes?: string | null | undefined;
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  email?: unknown | undefined;
  /** Ignored in requests */
  name?: unknown | undefined;
  /** Ignored in requests */
  firstSeenAt?: unknown | undefined;
  /** Ignored in requests */
  lastSeenAt?: unknown | undefined;
  /** Ignored in requests */
  firstSessionId?: unknown | undefined;
  /** Ignored in requests */
  latestSessionId?: unknown | undefined;
  /** Ignored in requests */
  source?: unknown | undefined;
  /** Ignored in requests */
  medium?: unknown | undefined;
  /** Ignored in requests */
  campaign?: unknown | undefined;
  /** Ignored in requests */
  country?: unknown | undefined;
  /** Ignored in requests */
  properties?: unknown | undefined;
}

export interface UpdatePublishHookRequest {
  name?: string | undefined;
  /** An http or https URL on the public internet, without user name and password */
  url?: string | undefined;
  /** The collections whose entries are checked, by ID or key; returned as IDs. null: all */
  collectionIds?: string[] | null | undefined;
  /** What happens if the URL does not answer as expected within 5 seconds. `refuse` by default */
  onError?: 'refuse' | 'publish' | undefined;
  /** true by default */
  enabled?: boolean | undefined;
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  lastOutcome?: unknown | undefined;
  /** Ignored in requests */
  lastError?: unknown | undefined;
  /** Ignored in requests */
  lastAskedAt?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
}

export interface UpdateReleaseRequest {
  name?: string | null | undefined;
  /** When a worker publishes it, within 5 seconds. Without a time, a request publishes it. */
  at?: string | null | undefined;
  /** Replaces all items. Each entry once */
  items?: ReleaseItemRequest[] | undefined;
  /** The version that was read. If it is not the current one: `version_conflict` */
  version?: number | undefined;
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  status?: unknown | undefined;
  /** Ignored in requests */
  itemCount?: unknown | undefined;
  /** Ignored in requests */
  item?: unknown | undefined;
  /** Ignored in requests */
  errors?: unknown | undefined;
  /** Ignored in requests */
  by?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
  /** Ignored in requests */
  finishedAt?: unknown | undefined;
}

export interface UpdateReviewRequest {
  state?: 'draft' | 'in_review' | 'approved' | undefined;
  assigneeId?: string | null | undefined;
  /** The version that was read. If it is not the current one: `version_conflict` */
  version?: number | undefined;
  /** Ignored in requests */
  approvedVersions?: unknown | undefined;
  /** Ignored in requests */
  by?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
  /** Ignored in requests */
  assignees?: unknown | undefined;
}

export interface UpdateRoleRequest {
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  builtIn?: unknown | undefined;
  /** Ignored in requests */
  uses?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
  /** By default made from the name */
  key?: string | undefined;
  name?: string | undefined;
  permissions?: Permission[] | undefined;
  features?: SentFeatures | undefined;
  /** Of the role that is changed, to notice other changes */
  version?: number | undefined;
}

export interface UpdateSharedLinkRequest {
  name?: string | undefined;
  /** Whether readers can choose another period and add filters */
  isInteractive?: boolean | undefined;
  /** Whether readers see the annotations of the account, without their authors */
  hasAnnotations?: boolean | undefined;
  /** null removes it. Readers must enter the new one */
  password?: string | null | undefined;
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  period?: unknown | undefined;
  /** Ignored in requests */
  compare?: unknown | undefined;
  /** Ignored in requests */
  filters?: unknown | undefined;
  /** Ignored in requests */
  funnel?: unknown | undefined;
  /** Ignored in requests */
  url?: unknown | undefined;
  /** Ignored in requests */
  embedUrl?: unknown | undefined;
  /** Ignored in requests */
  hasPassword?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  lastReadAt?: unknown | undefined;
}

export interface UpdateWarehouseRequest {
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  status?: unknown | undefined;
  /** Ignored in requests */
  error?: unknown | undefined;
  /** Ignored in requests */
  failingSince?: unknown | undefined;
  /** Ignored in requests */
  waitingSince?: unknown | undefined;
  /** Ignored in requests */
  lastRunAt?: unknown | undefined;
  /** Ignored in requests */
  nextRunAt?: unknown | undefined;
  /** Ignored in requests */
  exports?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
  name?: string | undefined;
  /** Such as `eu-central-1`; for many services `auto` */
  region?: string | undefined;
  /** Changing it requires the secret again, and everything is exported anew */
  bucket?: string | undefined;
  accessKeyId?: string | undefined;
  /** Stored encrypted and never returned */
  secretAccessKey?: string | undefined;
  /** URL of a service that speaks S3, such as `https://storage.googleapis.com`; null: Amazon S3. Changing it requires the secret again */
  endpoint?: string | null | undefined;
  /** Folder in the bucket, without slashes at its ends */
  prefix?: string | undefined;
  /** Whether the bucket is in the path of URLs instead of the host; by default if there is an `endpoint` */
  pathStyle?: boolean | undefined;
  /** By default all */
  datasets?: WarehouseDatasets | undefined;
  /** First day (UTC) that is exported; null: all that there is */
  startsOn?: string | null | undefined;
  /** `live` (default): exported every half an hour */
  mode?: 'live' | 'off' | undefined;
}

export interface UpdateWebhookRequest {
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  publicKey?: unknown | undefined;
  /** Ignored in requests */
  disabledReason?: unknown | undefined;
  /** Ignored in requests */
  failingSince?: unknown | undefined;
  /** Ignored in requests */
  previousSecretUntil?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
  /** An http or https URL on the public internet, without user name and password */
  url?: string | undefined;
  /** The topics to send; null sends all of them */
  events?: WebhookTopic[] | null | undefined;
  /** The collections whose entries are sent, by ID or key; returned as IDs. null: all. Events that are not about entries are always sent */
  collectionIds?: WebhookCollections | undefined;
  /** `thin`: `data` contains only what identifies the resource: `id`, `sequence` and, of entries, `collectionId` */
  payload?: WebhookPayloadSize | undefined;
  /** The members of `data` to send, such as `value` or `session.campaign`, besides `id`, `sequence` and `collectionId`; null sends all */
  fields?: WebhookFields | undefined;
  /** `resource`: the messages of one entry, lead, conversion or other resource are sent one after another in the order of their `sequence`, the next one once the one before is delivered or has failed for good */
  ordering?: WebhookOrdering | undefined;
  /** Conditions on members of `data`: only messages that meet all of them are sent. `lt`, `lte`, `gt` and `gte` compare texts, or, with a number, also amounts of money as numbers; members that cannot be compared do not meet them */
  filters?: WebhookFilters | undefined;
  /** Also sign with Ed25519 (`v1a`), which whoever has the `publicKey` can verify, but not forge */
  ed25519?: boolean | undefined;
  description?: string | null | undefined;
  status?: 'active' | 'disabled' | undefined;
}

export interface UploadFileFromUrlRequest {
  /** Absolute http or https URL of a public address */
  url: string;
  /** By default that of the URL */
  name?: string | undefined;
  folderId?: string | null | undefined;
  /** Whether its URL is signed and expires; `false` by default */
  private?: boolean | undefined;
}

export interface UploadFileRequest {
  /** The file */
  file: Blob;
  folderId?: string | undefined;
  /** Whether its URL is signed and expires */
  private?: boolean | undefined;
}

export interface UploadImportRequest {
  /** The CSV file */
  file: Blob;
}

export interface UploadToken {
  /** For `Authorization: Bearer …`. It is returned once */
  token: string;
  /** The ID of the file once it is uploaded */
  assetId: string;
  expiresAt: string;
  /** Takes the file as a form */
  uploadUrl: string;
  /** The endpoint for clients of tus */
  tusUrl: string;
}

export interface UpsertEntryRequest {
  /** Merged by field ID, as in an update. A new entry also gets the value of the path. */
  values: Record<string, unknown>;
}

export interface UpsertEntryResult extends Entry {
  /** Whether the entry is new */
  created: boolean;
}

/** The path of the page of an entry, such as `/{locale}/blog/{category.slug}/{slug}`: with the values of fields, or of a field of a referenced entry, and `{id}` and `{locale}`. Public entries then have `url` and `alternates`. null: none */
export type UrlPattern = string | null;

export interface Usage {
  entryId: string;
  collectionId: string;
  title: string | null;
  /** The IDs of fields of the latest or the published version; a field of a group is written as `seo.author` */
  fields: string[];
}

export interface UserSession {
  id: string;
  isCurrent: boolean;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
  /** IP address of the last request */
  address: string;
  /** Browser and operating system, such as `Chrome on Linux` */
  device: string | null;
}

export interface VariantLift {
  variant: string;
  /** The relative difference */
  lift: number | null;
  low: number | null;
  high: number | null;
}

export interface ViewAsRoleResult {
  success: boolean;
}

/** A condition on the fields beside this one, such as `{"kind": {"eq": "video"}}`, also with `and`, `or` and `not`. While it is not met, the field is neither required nor are its rules checked; its value is kept */
export type VisibleWhen = Record<string, unknown>;

export interface Warehouse {
  id: string;
  name: string;
  /** URL of a service that speaks S3, such as `https://storage.googleapis.com`; null: Amazon S3. Changing it requires the secret again */
  endpoint: string | null;
  /** Such as `eu-central-1`; for many services `auto` */
  region: string;
  /** Changing it requires the secret again, and everything is exported anew */
  bucket: string;
  /** Folder in the bucket, without slashes at its ends */
  prefix: string;
  /** Whether the bucket is in the path of URLs instead of the host; by default if there is an `endpoint` */
  pathStyle: boolean;
  accessKeyId: string;
  /** By default all */
  datasets: WarehouseDatasets;
  /** First day (UTC) that is exported; null: all that there is */
  startsOn: string | null;
  /** `live` (default): exported every half an hour */
  mode: 'live' | 'off';
  /** `failing`: the latest export failed, and is repeated until it succeeds */
  status: 'active' | 'failing' | 'deleted';
  /** Why the latest export failed, in the words of the storage */
  error: string | null;
  failingSince: string | null;
  /** When the export was due that has not succeeded yet */
  waitingSince: string | null;
  /** When everything was last exported */
  lastRunAt: string | null;
  /** null: it is off */
  nextRunAt: string | null;
  /** What there is in the bucket, by dataset */
  exports: WarehouseExport[];
  createdAt: string;
  updatedAt: string;
}

/** By default all */
export type WarehouseDatasets = ('sessions' | 'visits' | 'events' | 'leads' | 'conversions' | 'unmatched' | 'adCosts' | 'entries')[];

export interface WarehouseExport {
  dataset: 'sessions' | 'visits' | 'events' | 'leads' | 'conversions' | 'unmatched' | 'adCosts' | 'entries';
  /** Days with a file */
  days: number;
  rows: number;
  bytes: number;
  firstDay: string | null;
  lastDay: string | null;
  /** When its manifest was last written; null: never */
  publishedAt: string | null;
  /** `s3://` URL */
  manifest: string;
}

export interface WarehouseTest {
  /** Whether a file could be written, read and deleted */
  ok: boolean;
  /** Otherwise what the storage says */
  error: string | null;
}

export interface Webhook {
  id: string;
  url: string;
  /** The topics to send; null sends all of them */
  events: string[] | null;
  /** The collections whose entries are sent, by ID or key; returned as IDs. null: all. Events that are not about entries are always sent */
  collectionIds: string[] | null;
  /** `thin`: `data` contains only what identifies the resource: `id`, `sequence` and, of entries, `collectionId` */
  payload: WebhookPayloadSize;
  /** The members of `data` to send, such as `value` or `session.campaign`, besides `id`, `sequence` and `collectionId`; null sends all */
  fields: WebhookFields;
  /** `resource`: the messages of one entry, lead, conversion or other resource are sent one after another in the order of their `sequence`, the next one once the one before is delivered or has failed for good */
  ordering: WebhookOrdering;
  /** Conditions on members of `data`: only messages that meet all of them are sent. `lt`, `lte`, `gt` and `gte` compare texts, or, with a number, also amounts of money as numbers; members that cannot be compared do not meet them */
  filters: WebhookFilters;
  /** Whether messages are also signed with Ed25519 (`v1a`) */
  ed25519: boolean;
  /** Verifies Ed25519 signatures: `whpk_` and 32 bytes in Base64 */
  publicKey: string | null;
  description: string | null;
  status: 'active' | 'disabled' | 'deleted';
  /** `requested`: by a PATCH; `gone`: the endpoint responded with 410; `failing`: every attempt of 5 days failed */
  disabledReason: 'requested' | 'gone' | 'failing' | null;
  /** The first failed attempt since the last successful one */
  failingSince: string | null;
  /** Until when the previous secret also signs */
  previousSecretUntil: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface WebhookAlert {
  /** The incident */
  id: string;
  alertId: string;
  name: string;
  figure: string;
  status: 'opened' | 'resolved';
  value: number;
  /** What is usual */
  expected: number | null;
  limit: number | null;
  /** One sentence */
  text: string;
  openedAt: string;
  resolvedAt: string | null;
  /** Number of changes of this resource so far. Of two payloads with the same `data.id`, the higher is newer. */
  sequence: number;
}

export interface WebhookArrival {
  id: string;
  at: string;
  /** The webhook whose signature is valid */
  webhookId: string | null;
  headers: Record<string, string>;
  /** Up to 65,536 characters */
  body: string;
  /** Of the whole body */
  bytes: number;
  /** `unknown`: no webhook of the account sends to this URL */
  signature: 'valid' | 'invalid' | 'missing' | 'unknown';
}

export interface WebhookAttempt {
  /** HTTP status of the response; null without a response */
  status: number | null;
  ms: number;
  /** Why the attempt failed: a code, optionally followed by `: ` and an explanation */
  error: string | null;
  /** The first 1,000 characters of the body of an unsuccessful response */
  response: string | null;
  at: string;
}

/** The collections whose entries are sent, by ID or key; returned as IDs. null: all. Events that are not about entries are always sent */
export type WebhookCollections = string[] | null;

export interface WebhookConversion {
  /** The `_id` of the result that reported it */
  id: string;
  /** The caller's own identifier of the conversion */
  eventId: string | null;
  event: string;
  /** Exact decimal number */
  value: string | null;
  currency: string | null;
  createdOn: string;
  receivedAt: string;
  /** `report`: reported as a conversion. `event`: an event with a value */
  origin: 'report' | 'event';
  /** Name and value of the identifier that it was matched by; null once it is erased */
  identifier: Record<string, string | number> | null;
  extra: Record<string, unknown> | null;
  /** When the imports that reported it were undone: it no longer counts. Otherwise null */
  withdrawnAt: string | null;
  /** The session the conversion is attributed to: landing page, source, campaign, click ids */
  session: SessionSummary | null;
  /** Number of changes of this resource so far. Of two payloads with the same `data.id`, the higher is newer. */
  sequence: number;
}

export interface WebhookCostSource {
  id: string;
  platform: 'google' | 'meta' | 'microsoft' | 'tiktok' | 'linkedin';
  name: string;
  destinationId: string | null;
  source: string;
  /** `live` (default): read each hour */
  mode: 'live' | 'off';
  /** The credentials that are no secrets */
  connection: Record<string, string>;
  /** `paused`: for `pauseReason`, until its credentials or `mode` are set again */
  status: 'active' | 'paused' | 'deleted';
  pauseReason: CostSourcePauseReason | null;
  /** What the platform responded to the latest failed request */
  error: string | null;
  failingSince: string | null;
  /** Of the ad account, once it was read */
  currency: string | null;
  /** In which its days begin, once it was read */
  timeZone: string | null;
  lastReadAt: string | null;
  /** null: it is off, or waits for credentials */
  nextReadAt: string | null;
  createdAt: string;
  updatedAt: string;
  /** Number of changes of this resource so far. Of two payloads with the same `data.id`, the higher is newer. */
  sequence: number;
}

export interface WebhookDelivery {
  /** The `webhook-id` header of its requests */
  id: string;
  type: string;
  status: 'pending' | 'delivered' | 'failed';
  /** Oldest first */
  attempts: WebhookAttempt[];
  nextAttemptAt: string | null;
  createdAt: string;
}

export interface WebhookDeliveryWithPayload extends WebhookDelivery {
  payload: Record<string, unknown>;
}

export interface WebhookDestination {
  id: string;
  platform: AdPlatform;
  name: string;
  mapping: MappingRule[];
  filter: DestinationFilter;
  /** Which sessions' conversions are sent. `required`: those in which the visitor granted `ad_user_data` and did not deny `ad_storage`; `unless_denied`: those in which neither was denied; `ignore`: all, where consent is not the legal basis */
  consent: DestinationConsent;
  /** `validate`: conversions are checked by the platform, or here if it has no validation, and not counted; `off`: nothing is sent or queued */
  mode: DestinationMode;
  startAt: string;
  sendAfter: number;
  value: 'current' | 'expected' | 'settled';
  trustPublicValues: boolean;
  /** The credentials that are no secrets: which account of the platform this is */
  connection: Record<string, string>;
  /** `paused`: for `pauseReason`. Conversions wait until it is resumed by new credentials or a `mode` */
  status: 'active' | 'paused' | 'deleted';
  pauseReason: DestinationPauseReason | null;
  /** The first failed request since the last successful one */
  failingSince: string | null;
  /** What the platform responded to the latest failed request */
  error: string | null;
  lastSentAt: string | null;
  createdAt: string;
  updatedAt: string;
  /** Number of changes of this resource so far. Of two payloads with the same `data.id`, the higher is newer. */
  sequence: number;
}

export interface WebhookEntry extends Entry {
  /** Only in `entry.published` and `entry.unpublished` of collections with a slug: the published slug */
  slug?: string | null | undefined;
  /** Only in `entry.published` and `entry.unpublished` of collections with localized fields: those that changed */
  locales?: string[] | undefined;
  /** The published slug in each of these locales, if slugs are localized */
  slugs?: Record<string, string | null> | undefined;
  /** Number of changes of this resource so far. Of two payloads with the same `data.id`, the higher is newer. */
  sequence: number;
}

export interface WebhookEnvelope {
  /** The `webhook-id` header: the same for every attempt, and for all endpoints that select the same payload */
  id: string;
  /** When it happened */
  timestamp: string;
}

/** The members of `data` to send, such as `value` or `session.campaign`, besides `id`, `sequence` and `collectionId`; null sends all */
export type WebhookFields = string[] | null;

export interface WebhookFilter {
  field: string;
  operator: 'eq' | 'ne' | 'in' | 'lt' | 'lte' | 'gt' | 'gte' | 'contains' | 'exists';
  /** A list for `in`; true or false for `exists`; a text or number for the others, and for `eq` and `ne` also a boolean or null */
  value: string | number | boolean | null | (string | number | boolean | null)[];
}

/** Conditions on members of `data`: only messages that meet all of them are sent. `lt`, `lte`, `gt` and `gte` compare texts, or, with a number, also amounts of money as numbers; members that cannot be compared do not meet them */
export type WebhookFilters = WebhookFilter[] | null;

export interface WebhookJob extends Job {
  /** Number of changes of this resource so far. Of two payloads with the same `data.id`, the higher is newer. */
  sequence: number;
}

export interface WebhookLead {
  id: string;
  email: string;
  firstSeenAt: string;
  lastSeenAt: string;
  firstSession: SessionSummary | null;
  latestSession: SessionSummary | null;
  /** Number of changes of this resource so far. Of two payloads with the same `data.id`, the higher is newer. */
  sequence: number;
}

/** `resource`: the messages of one entry, lead, conversion or other resource are sent one after another in the order of their `sequence`, the next one once the one before is delivered or has failed for good */
export type WebhookOrdering = 'none' | 'resource';

/** `thin`: `data` contains only what identifies the resource: `id`, `sequence` and, of entries, `collectionId` */
export type WebhookPayloadSize = 'full' | 'thin';

export interface WebhookRelease {
  id: string;
  /** null for a scheduled change of one entry */
  name: string | null;
  /** `open`: without a time; `scheduled`: waits for its time; `completed`: everything was published; `failed`: nothing was, `errors` contains the reasons */
  status: 'open' | 'scheduled' | 'completed' | 'failed' | 'canceled';
  at: string | null;
  /** How many entries it publishes and unpublishes */
  itemCount: number;
  /** The first item, or that of the entry by which the list is filtered. All of them: `GET …/releases/{releaseId}/items` */
  item: ReleaseItem | null;
  /** The faults of the attempt that failed, up to 100 */
  errors: ReleaseFault[] | null;
  /** Incremented by every change */
  version: number;
  createdAt: string;
  updatedAt: string;
  finishedAt: string | null;
  /** Number of changes of this resource so far. Of two payloads with the same `data.id`, the higher is newer. */
  sequence: number;
}

export interface WebhookTestEndpoint {
  url: string;
  keptHours: number;
  arrivals: WebhookArrival[];
}

export type WebhookTopic = 'event.recorded' | 'lead.created' | 'lead.updated' | 'conversion.reported' | 'conversion.restated' | 'conversion.matched' | 'entry.created' | 'entry.updated' | 'entry.deleted' | 'entry.published' | 'entry.unpublished' | 'release.completed' | 'release.failed' | 'job.completed' | 'job.failed' | 'destination.failing' | 'cost_source.failing' | 'alert.opened' | 'alert.resolved';

export interface WebhookWithSecret extends Webhook {
  /** The signing secret, `whsec_…`. Returned only here. */
  secret: string;
}

/** The types of each operation: `params` (path and query), `body`, `response`, and `item` of a paged list. */
export interface Operations {
  /**
   * Get the limits of this service.
   *
   * Everything that a request is measured against. Lengths are in characters.
   */
  getLimits: {
    params: undefined;
    body: undefined;
    response: Limits;
  };
  /**
   * Get the current session.
   *
   * The signed-in user, with the accounts and roles that the user has. Without a session, `user` is null.
   */
  getSession: {
    params: undefined;
    body: undefined;
    response: SessionState;
  };
  /**
   * Inspect a first-run link.
   *
   * Shows how long the link is valid, and the accounts that have no owner yet.
   */
  inspectFirstRun: {
    params: undefined;
    body: InspectFirstRunRequest;
    response: InspectFirstRunResult;
  };
  /**
   * Create the first user.
   *
   * The user owns a new account (`accountName`) or an existing one (`accountId`), and is signed in.
   */
  completeFirstRun: {
    params: undefined;
    body: CompleteFirstRunRequest;
    response: SessionState;
  };
  /**
   * Sign in.
   *
   * Starts a session and sets its cookie. 401 `credentials_invalid` does not reveal whether the email exists. After failures, 429 `too_many_attempts` with a growing `Retry-After`. With two-factor authentication, the right password without a `code` is 401 `two_factor_required`, and with a wrong one 401 `code_invalid`.
   */
  signIn: {
    params: undefined;
    body: SignInRequest;
    response: SessionState;
  };
  /**
   * Sign out.
   *
   * Ends the session and deletes its cookie. Without a session it has no effect.
   */
  signOut: {
    params: undefined;
    body: undefined;
    response: SignOutResult;
  };
  /**
   * End the view of an account as a role.
   *
   * That is, the one of this session: see `POST /v1/roles/{id}/view`.
   */
  endView: {
    params: undefined;
    body: undefined;
    response: EndViewResult;
  };
  /**
   * Set a password with a reset link.
   *
   * Ends all sessions of the user. Sign in with the new password.
   */
  resetPassword: {
    params: undefined;
    body: ResetPasswordRequest;
    response: ResetPasswordResult;
  };
  /**
   * Change your name or language.
   *
   * Changes only the members that are sent. The name is seen in all accounts of the user; `language` is that of the dashboard and of mails.
   */
  changeUser: {
    params: undefined;
    body: ChangeUserRequest;
    response: SessionState;
  };
  /**
   * Change your password.
   *
   * Ends all other sessions; this one continues with a new cookie.
   */
  changePassword: {
    params: undefined;
    body: ChangePasswordRequest;
    response: SessionState;
  };
  /**
   * List your sessions.
   *
   * Where you are signed in: the device and IP address of each session that has not ended.
   */
  listSessions: {
    params: undefined;
    body: undefined;
    response: ListSessionsResult;
  };
  /**
   * End one of your sessions.
   *
   * Whoever uses it has to sign in again. `POST /auth/sign-out` ends the current one.
   */
  endSession: {
    params: {
      sessionId: string;
    };
    body: undefined;
    response: EndSessionResult;
  };
  /**
   * End all your other sessions.
   *
   * Returns how many were ended. The session of the request stays.
   */
  endOtherSessions: {
    params: undefined;
    body: undefined;
    response: EndOtherSessionsResult;
  };
  /**
   * Get your second factor and passkeys.
   *
   * Also what has to be reviewed after a password reset (`reviews`).
   */
  getSecurity: {
    params: undefined;
    body: undefined;
    response: Security;
  };
  /**
   * Confirm that it is you.
   *
   * By the password (`currentPassword`) or a passkey (`credential`, with the options of `POST /auth/passkeys/sign-in/options`). Requests that answer 401 `confirmation_required` are then accepted for ten minutes.
   */
  confirmSession: {
    params: undefined;
    body: ConfirmSessionRequest | undefined;
    response: SessionState;
  };
  /**
   * Confirm what was there before a password reset.
   *
   * A passkey signs in again after that. What you do not know, delete: a passkey, the second factor, or revoke an API key.
   */
  confirmAccess: {
    params: undefined;
    body: ConfirmAccessRequest;
    response: Security;
  };
  /**
   * Start enabling two-factor authentication.
   *
   * Returns the secret for an authenticator app. It is used once a first code was confirmed.
   */
  startTwoFactor: {
    params: undefined;
    body: StartTwoFactorRequest | undefined;
    response: StartTwoFactorResult;
  };
  /**
   * Enable two-factor authentication.
   *
   * Sign-ins by password then need a code. Returns the recovery codes, once.
   */
  confirmTwoFactor: {
    params: undefined;
    body: ConfirmTwoFactorRequest;
    response: ConfirmTwoFactorResult;
  };
  /**
   * Disable two-factor authentication.
   *
   * Needs a code of the authenticator app, or a recovery code.
   */
  disableTwoFactor: {
    params: undefined;
    body: DisableTwoFactorRequest | undefined;
    response: Security;
  };
  /**
   * Replace your recovery codes.
   *
   * Needs a code. The previous ones become invalid. Without two-factor authentication: 400 `two_factor_disabled`.
   */
  replaceRecoveryCodes: {
    params: undefined;
    body: ReplaceRecoveryCodesRequest | undefined;
    response: ReplaceRecoveryCodesResult;
  };
  /**
   * Change your email.
   *
   * Where the service can send email, a link to the new address has to be opened. 400 `email_taken` for one of another user.
   */
  changeEmail: {
    params: undefined;
    body: ChangeEmailRequest;
    response: ChangeEmailResult;
  };
  /**
   * Confirm a new email.
   *
   * `token` comes from the link that was sent to the new email, which then replaces the old one. The link is valid once and for a day.
   */
  confirmEmail: {
    params: undefined;
    body: ConfirmEmailRequest;
    response: ConfirmEmailResult;
  };
  /**
   * Request a password reset link by email.
   *
   * The response is the same for an unknown email, and where the service cannot send email.
   */
  requestPasswordReset: {
    params: undefined;
    body: RequestPasswordResetRequest;
    response: RequestPasswordResetResult;
  };
  /**
   * Start creating a passkey.
   *
   * Returns what `navigator.credentials.create` takes. Valid once and for five minutes.
   */
  getPasskeyOptions: {
    params: undefined;
    body: GetPasskeyOptionsRequest | undefined;
    response: GetPasskeyOptionsResult;
  };
  /**
   * Create a passkey.
   *
   * `credential` is what `navigator.credentials.create` returned for the options of `POST /auth/passkeys/options`. The user is notified by email.
   */
  createPasskey: {
    params: undefined;
    body: CreatePasskeyRequest;
    response: Security;
  };
  /**
   * Delete a passkey.
   *
   * It no longer signs in or confirms anything. The user is notified by email.
   */
  deletePasskey: {
    params: {
      passkeyId: string;
    };
    body: undefined;
    response: Security;
  };
  /**
   * Start signing in with a passkey.
   *
   * Returns what `navigator.credentials.get` takes. Valid once and for five minutes.
   */
  getPasskeySignInOptions: {
    params: undefined;
    body: undefined;
    response: GetPasskeySignInOptionsResult;
  };
  /**
   * Sign in with a passkey.
   *
   * Starts a session and sets its cookie. 401 `passkey_unknown` for every reason.
   */
  signInByPasskey: {
    params: undefined;
    body: SignInByPasskeyRequest;
    response: SessionState;
  };
  /**
   * Get the account.
   *
   * The account that the token belongs to, with its time zone, currency and publishable key.
   */
  getAccount: {
    params: undefined;
    body: undefined;
    response: Account;
  };
  /**
   * Change the account.
   *
   * Its name, time zone, currency and exchange rates. Omitted members stay unchanged.
   */
  changeAccount: {
    params: undefined;
    body: ChangeAccountRequest;
    response: Account;
  };
  /**
   * Create another account.
   *
   * The user owns it. Requires that the user already owns an account.
   */
  createAccount: {
    params: undefined;
    body: CreateAccountRequest;
    response: SessionState;
  };
  /**
   * Delete the account.
   *
   * Its keys are refused and its members lose access at once; its data and files are erased within minutes. This cannot be undone: export what you need first.
   */
  deleteAccount: {
    params: undefined;
    body: DeleteAccountRequest;
    response: DeleteAccountResult;
  };
  /**
   * Leave the account.
   *
   * The last owner cannot leave: 400 `last_owner`.
   */
  leaveAccount: {
    params: undefined;
    body: undefined;
    response: LeaveAccountResult;
  };
  /**
   * List members.
   *
   * The users with access to the account, each with a role and area. Oldest first.
   */
  listMembers: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
    };
    body: undefined;
    response: ListMembersResult;
    item: Member;
  };
  /**
   * Change a member's role or area.
   *
   * The last owner must remain an owner: 400 `last_owner`. An owner cannot be limited: 400 `owner_limited`.
   */
  changeMember: {
    params: {
      userId: string;
    };
    body: ChangeMemberRequest;
    response: Member;
  };
  /**
   * Remove a member.
   *
   * Returns the removed member. The last owner cannot be removed: 400 `last_owner`.
   */
  removeMember: {
    params: {
      userId: string;
    };
    body: undefined;
    response: Member;
  };
  /**
   * Create a password reset link for a member.
   *
   * Valid once and for a day, or until the rights of the member grow. The link is sent to the member. Where the service sends no email, it is returned, but only for a member without other accounts who is no operator; otherwise 400 `reset_not_allowed`.
   */
  makeResetLink: {
    params: {
      userId: string;
    };
    body: undefined;
    response: MakeResetLinkResult;
  };
  /**
   * List invitations.
   *
   * Newest first.
   */
  listInvitations: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
    };
    body: undefined;
    response: ListInvitationsResult;
    item: Invitation;
  };
  /**
   * Create an invitation.
   *
   * Returns the link, once: repeating the request with the same `Idempotency-Key` is refused. Where the service sends email, the link of an invitation with an email is only sent to it.
   */
  createInvitation: {
    params: undefined;
    body: CreateInvitationRequest | undefined;
    response: CreatedInvitation;
  };
  /**
   * Revoke an invitation.
   *
   * Its link becomes invalid. An accepted invitation cannot be revoked: 400 `invitation_accepted`.
   */
  revokeInvitation: {
    params: {
      invitationId: string;
    };
    body: undefined;
    response: Invitation;
  };
  /**
   * Inspect an invitation link.
   *
   * Shows the account and role that the link invites to. The link stays valid.
   */
  inspectInvitation: {
    params: undefined;
    body: InspectInvitationRequest;
    response: InspectInvitationResult;
  };
  /**
   * Accept an invitation.
   *
   * A signed-in user sends only the token; other users also send email and password; a new user also sends a name.
   */
  acceptInvitation: {
    params: undefined;
    body: AcceptInvitationRequest;
    response: SessionState;
  };
  /**
   * Get the single sign-on of the account.
   *
   * Without one, `isConfigured` is false.
   */
  getSso: {
    params: undefined;
    body: undefined;
    response: Sso;
  };
  /**
   * Set up single sign-on.
   *
   * Replaces all settings, by OpenID Connect. Then prove the domains with `POST /v1/sso/check`. Another issuer needs the client secret again, and unlinks and signs out who signed in by the previous one.
   */
  putSso: {
    params: undefined;
    body: PutSsoRequest;
    response: Sso;
  };
  /**
   * Remove single sign-on.
   *
   * Signs out who signed in by it. They stay members, and set a password with a reset link.
   */
  deleteSso: {
    params: undefined;
    body: undefined;
    response: Sso;
  };
  /**
   * Check the provider and prove domains.
   *
   * Reads the discovery document of the provider, and looks up the DNS records of domains that are not proven.
   */
  checkSso: {
    params: undefined;
    body: undefined;
    response: SsoCheck;
  };
  /**
   * List the single sign-ons of a domain.
   *
   * Of the email that somebody wants to sign in with. It does not depend on whether there is such a user.
   */
  listSsoOfDomain: {
    params: {
      /** Of the email that signs in */
      domain: string;
    };
    body: undefined;
    response: ListSsoOfDomainResult;
  };
  /**
   * Sign in by single sign-on.
   *
   * Redirects the browser to the provider, which sends it back. With `confirm`, the provider asks for the password again, and the session counts as confirmed.
   */
  startSso: {
    params: {
      /** A path of the dashboard */
      returnTo?: string | undefined;
      /** Confirms the present session: the provider asks for the password again */
      confirm?: boolean | undefined;
      accountId: string;
    };
    body: undefined;
    response: string;
  };
  /**
   * Return from single sign-on.
   *
   * Where the provider sends the browser. What fails is explained by the page `/sso` of the dashboard.
   */
  finishSso: {
    params: {
      accountId: string;
    };
    body: undefined;
    response: string;
  };
  /**
   * List API keys.
   *
   * Newest first, including revoked keys.
   */
  listKeys: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      type?: 'secret' | 'publishable' | 'postback' | undefined;
      /** `true`: only revoked keys. `false`: only active keys */
      revoked?: boolean | undefined;
    };
    body: undefined;
    response: ListKeysResult;
    item: ApiKey;
  };
  /**
   * Create an API key.
   *
   * Returns the key itself, once. Repeating the request with the same `Idempotency-Key` is refused.
   */
  createKey: {
    params: undefined;
    body: CreateKeyRequest;
    response: CreatedApiKey;
  };
  /**
   * Rename an API key.
   *
   * The name is shown in lists and in the audit log. The token stays the same.
   */
  renameKey: {
    params: {
      keyId: string;
    };
    body: RenameKeyRequest;
    response: ApiKey;
  };
  /**
   * Revoke an API key.
   *
   * Every process refuses the key from the moment this returns. Revoking it again changes nothing.
   */
  revokeKey: {
    params: {
      keyId: string;
    };
    body: undefined;
    response: ApiKey;
  };
  /**
   * Rotate an API key.
   *
   * Creates a key with the same settings and returns it, once. The old key works for 24 more hours.
   */
  rotateKey: {
    params: {
      keyId: string;
    };
    body: undefined;
    response: CreatedApiKey;
  };
  /**
   * Revoke a leaked token.
   *
   * For whoever finds a secret token or a postback key, such as a secret scanner. Tokens are `hw_sk_` or `hw_pb_` and 38 letters and digits, of which the last six are a checksum: the CRC-32 of the rest in base 62.
   */
  revokeLeakedKey: {
    params: undefined;
    body: RevokeLeakedKeyRequest;
    response: RevokeLeakedKeyResult;
  };
  /**
   * List the audit log.
   *
   * Newest first. `before` and `after` contain what differs, shortened.
   */
  listChanges: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      /** Id of a user or a key */
      actorId?: string | undefined;
      action?: string | undefined;
      subjectId?: string | undefined;
      /** Changes made at this time or later */
      from?: string | undefined;
      /** Changes made before this time */
      to?: string | undefined;
    };
    body: undefined;
    response: ListChangesResult;
    item: AuditChange;
  };
  /**
   * List roles.
   *
   * The built-in roles, then those of the account, the oldest first.
   */
  listRoles: {
    params: undefined;
    body: undefined;
    response: ListRolesResult;
    item: Role;
  };
  /**
   * Create a role.
   *
   * For members, invitations and secret tokens. Nobody creates a role that may do more than they may: 400 `role_exceeds_own`.
   */
  createRole: {
    params: undefined;
    body: CreateRoleRequest;
    response: Role;
  };
  /**
   * Update a role.
   *
   * Changes only the members that are sent; `permissions` replaces all. It applies to everybody who has the role once this returns.
   */
  updateRole: {
    params: {
      id: string;
    };
    body: UpdateRoleRequest;
    response: Role;
  };
  /**
   * Delete a role.
   *
   * Returns the deleted role. One that a member, token or invitation has is refused: 400 `role_in_use`.
   */
  deleteRole: {
    params: {
      id: string;
    };
    body: undefined;
    response: Role;
  };
  /**
   * View the account as a role.
   *
   * Until `POST /auth/view/end` or the end of the session, it reads the account as a member with the role does. Whatever changes something is 403 `view_only`. The role may do no more than the user: 400 `role_exceeds_own`. A session by single sign-on views no role: 401 `sso_session`.
   */
  viewAsRole: {
    params: {
      id: string;
    };
    body: undefined;
    response: ViewAsRoleResult;
  };
  /**
   * List collections.
   *
   * Returns the active collections, oldest first.
   */
  listCollections: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
    };
    body: undefined;
    response: ListCollectionsResult;
    item: Collection;
  };
  /**
   * Create a collection.
   *
   * A collection defines the fields of its entries. IDs of fields that are omitted are generated.
   */
  createCollection: {
    params: undefined;
    body: CreateCollectionRequest;
    response: Collection;
  };
  /**
   * Count the entries of each collection.
   *
   * Active entries of active collections, counted up to 10,000 each.
   */
  countEntries: {
    params: undefined;
    body: undefined;
    response: CountEntriesResult;
  };
  /**
   * Get a collection.
   *
   * With all of its fields, including deleted ones. Instead of the ID, the path takes the key of the collection.
   */
  getCollection: {
    params: {
      /** `true` also returns a deleted resource */
      includeDeleted?: boolean | undefined;
      collectionId: string;
    };
    body: undefined;
    response: Collection;
  };
  /**
   * Update a collection.
   *
   * Changes only the members that are sent. Set `status` to delete or restore the collection together with its entries.
   */
  updateCollection: {
    params: {
      collectionId: string;
    };
    body: UpdateCollectionRequest;
    response: Collection;
  };
  /**
   * Delete a collection.
   *
   * Returns the collection with `status: "deleted"`. Restore it with `PATCH {"status": "active"}`. With `permanently=true`, a deleted collection is removed with its entries and their versions.
   */
  deleteCollection: {
    params: {
      /** `true` removes a deleted resource and its history. It cannot be restored. */
      permanently?: boolean | undefined;
      collectionId: string;
    };
    body: undefined;
    response: Collection;
  };
  /**
   * List components.
   *
   * Returns all components of the account, oldest first.
   */
  listComponents: {
    params: undefined;
    body: undefined;
    response: ListComponentsResult;
    item: Component;
  };
  /**
   * Create a component.
   *
   * Fields that groups (`componentId`) and blocks of several collections share.
   */
  createComponent: {
    params: undefined;
    body: CreateComponentRequest;
    response: Component;
  };
  /**
   * Get a component.
   *
   * A component is a list of fields that groups and blocks of several collections share.
   */
  getComponent: {
    params: {
      id: string;
    };
    body: undefined;
    response: Component;
  };
  /**
   * Update a component.
   *
   * Changes only the members that are sent, in every collection that has the component. A change by which values of entries are no longer returned is refused with `data_loss` and their number, unless `allowDataLoss` is sent.
   */
  updateComponent: {
    params: {
      id: string;
    };
    body: UpdateComponentRequest;
    response: Component;
  };
  /**
   * Delete a component.
   *
   * Refused with `component_in_use` while a collection, deleted ones included, or another component has it.
   */
  deleteComponent: {
    params: {
      id: string;
    };
    body: undefined;
    response: Component;
  };
  /**
   * Move an entry.
   *
   * Changes the `position` of an entry in a collection with a manual order, and in a tree its `parentId`. Applies to what is published at once, and makes no new version. No other entry is written.
   */
  moveEntry: {
    params: {
      collectionId: string;
      entryId: string;
    };
    body: MoveEntryRequest | undefined;
    response: Entry;
  };
  /**
   * List entries.
   *
   * Returns the active entries, sorted and filtered.
   *
   * Write filters as `filter[<fieldId>][<operator>]=<value>`. An entry must match all of them; the same filter can be repeated.
   *
   * | Operator | Types | |
   * |---|---|---|
   * | `eq`, `ne` | all except groups | `ne` includes entries without a value |
   * | `in` | all except groups | one of a list, `a,b`; write a comma or backslash in a value as `\,` or `\\` |
   * | `lt`, `lte`, `gt`, `gte` | text, number, date, timestamp | text in its sort order, ignoring case and accents |
   * | `contains` | text | a part of the text, ignoring case and accents |
   * | `exists` | all | `true` or `false`; an empty list is no value |
   *
   * A filter on a repeated field matches if any of its values does, `ne` if none is equal. Filter assets by their `assetId`.
   * Entries that are created or deleted between two pages neither repeat nor hide others.
   */
  listEntries: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      /** Of a tree: returns the entries at the top, each with those below it in `children` */
      tree?: boolean | undefined;
      /** With `tree`: how many levels are returned; 3 by default */
      depth?: number | undefined;
      /** For collections with publishing: `published` reads the published entries as they were published; `draft`, the default, reads all entries with their latest values. */
      state?: 'draft' | 'published' | undefined;
      /** Returns referenced entries instead of their IDs: paths of field IDs, such as `author,related.cover`, up to 3 references deep; write a field of a group as `seo.author`. With `state=published`, the published entries. A reference to an entry that cannot be returned remains an ID; public responses leave it out. */
      expand?: string | string[] | undefined;
      /** Returns the values of localized fields in this locale, or else in its fallbacks. Filters and search use the same values; sorting uses those of this locale alone, and entries without one come last. */
      locale?: string | undefined;
      /** `<fieldId>:asc` or `<fieldId>:desc`; also `createdAt` and `updatedAt`, unless a field has that ID. By default the collection's `defaultSort`, else oldest first. Entries without a value come last in both directions; of equal values the older entry comes first, with `desc` the newer. Text is sorted by its first 256 characters, ignoring case and accents. Repeated fields, groups and assets cannot be sorted by. */
      sort?: string | string[] | undefined;
      /** Conditions as JSON, which all have to hold together with `filter`: `{"and": […]}`, `{"or": […]}`, `{"not": …}`, or `{"<path>": {"<operator>": value}}`. A path leads through groups, blocks and references by dots. */
      where?: string | EntryWhere | undefined;
      /** The values to return, by path, such as `title,author.name`; `-body` leaves a value out. */
      select?: string | string[] | undefined;
      /** Also returns `total`, the number of all matching entries */
      count?: 'exact' | undefined;
      /** `true` also returns `explain`: how the entries were found, and by which indexes */
      explain?: boolean | undefined;
      /** Returns entries whose text fields, including nested ones, contain every word, also as a part of a longer word, ignoring case and accents. */
      q?: string | undefined;
      /** Conditions, which all have to hold: `filter[<path>][<operator>]=<value>`, such as `filter[price][gte]=10` or `filter[author.name][in]=ada,bob` */
      filter?: EntryFilter | undefined;
      collectionId: string;
    };
    body: undefined;
    response: ListEntriesResult;
    item: Entry;
  };
  /**
   * Create an entry.
   *
   * In a collection with publishing, the entry is a draft until it is published. References may contain new entries, which are created with it.
   */
  createEntry: {
    params: {
      collectionId: string;
    };
    body: CreateEntryRequest;
    response: Entry;
  };
  /**
   * Get an entry.
   *
   * Its `ETag` is the version of the entry; a change that sends it as `If-Match` is refused if the entry has changed since.
   */
  getEntry: {
    params: {
      /** `true` also returns a deleted resource */
      includeDeleted?: boolean | undefined;
      /** For collections with publishing: `published` reads the published entries as they were published; `draft`, the default, reads all entries with their latest values. */
      state?: 'draft' | 'published' | undefined;
      /** Returns referenced entries instead of their IDs: paths of field IDs, such as `author,related.cover`, up to 3 references deep; write a field of a group as `seo.author`. With `state=published`, the published entries. A reference to an entry that cannot be returned remains an ID; public responses leave it out. */
      expand?: string | string[] | undefined;
      /** Returns the values of localized fields in this locale, or else in its fallbacks. Filters and search use the same values; sorting uses those of this locale alone, and entries without one come last. */
      locale?: string | undefined;
      collectionId: string;
      entryId: string;
    };
    body: undefined;
    response: Entry;
  };
  /**
   * Update an entry.
   *
   * Changes and checks only the members that are sent. Set `status` to delete or restore the entry.
   */
  updateEntry: {
    params: {
      collectionId: string;
      entryId: string;
    };
    body: UpdateEntryRequest;
    response: Entry;
  };
  /**
   * Delete an entry.
   *
   * Returns the entry with `status: "deleted"`. Restore it with `PATCH {"status": "active"}`. With `permanently=true`, a deleted entry is removed with its versions.
   */
  deleteEntry: {
    params: {
      /** `true` removes a deleted resource and its history. It cannot be restored. */
      permanently?: boolean | undefined;
      collectionId: string;
      entryId: string;
    };
    body: undefined;
    response: Entry;
  };
  /**
   * Get the entry of a singleton.
   *
   * The entry is made with its default values when it is first read or written.
   */
  getSingleton: {
    params: {
      /** For collections with publishing: `published` reads the published entries as they were published; `draft`, the default, reads all entries with their latest values. */
      state?: 'draft' | 'published' | undefined;
      /** Returns referenced entries instead of their IDs: paths of field IDs, such as `author,related.cover`, up to 3 references deep; write a field of a group as `seo.author`. With `state=published`, the published entries. A reference to an entry that cannot be returned remains an ID; public responses leave it out. */
      expand?: string | string[] | undefined;
      /** Returns the values of localized fields in this locale, or else in its fallbacks. Filters and search use the same values; sorting uses those of this locale alone, and entries without one come last. */
      locale?: string | undefined;
      collectionId: string;
    };
    body: undefined;
    response: Entry;
  };
  /**
   * Update the entry of a singleton.
   *
   * As `PATCH …/entries/{entryId}`. The entry is made when it is first read or written.
   */
  updateSingleton: {
    params: {
      collectionId: string;
    };
    body: UpdateEntryRequest;
    response: Entry;
  };
  /**
   * Query entries.
   *
   * As `GET …/entries`, with the query in the body: conditions of any size, references expanded by queries of their own, and joins of entries that reference these.
   */
  queryEntries: {
    params: {
      collectionId: string;
    };
    body: EntriesQuery | undefined;
    response: QueryEntriesResult;
    item: Entry;
  };
  /**
   * Count, sum and group entries.
   *
   * Groups the entries that match by the values of paths, and returns measures of each group. An entry without a value belongs to the group null, and one with several values to the group of each. Sums and averages are exact.
   */
  aggregateEntries: {
    params: {
      collectionId: string;
    };
    body: AggregateQuery;
    response: Aggregates;
    item: {
      /** By path; null: no value */
      key: Record<string, unknown>;
      [name: string]: unknown;
    };
  };
  /**
   * Create or update an entry by a unique value.
   *
   * Updates the entry that has the value, or creates one that does. Of concurrent requests, one creates the entry and the others update it. With `If-Match`, only the version that it names is updated, and nothing created.
   */
  upsertEntry: {
    params: {
      collectionId: string;
      /** The ID of a unique field */
      fieldId: string;
      /** Its value */
      value: string;
    };
    body: UpsertEntryRequest;
    response: UpsertEntryResult;
  };
  /**
   * Duplicate an entry.
   *
   * Creates an entry with the current values. Values of unique fields are left out, and slugs are generated anew.
   */
  duplicateEntry: {
    params: {
      collectionId: string;
      entryId: string;
    };
    body: DuplicateEntryRequest | undefined;
    response: Entry;
  };
  /**
   * Change entries together.
   *
   * Runs operations on entries of any collections in order, all of them or none. An operation can name the entry of an earlier one by `@` and its `ref`. Faults name their operation, such as `/operations/3/values/title`.
   */
  batchEntries: {
    params: undefined;
    body: BatchEntriesRequest;
    response: BatchEntriesResult;
  };
  /**
   * Change all entries that match.
   *
   * Changes every entry that matches `where`, or none: a fault of one entry refuses all. Of more than 1,000 entries, a job changes those that it can, and its result has the same members.
   */
  updateEntries: {
    params: {
      collectionId: string;
    };
    body: ManyUpdate;
    response: ManyResult | Job;
  };
  /**
   * Delete all entries that match.
   *
   * Moves every entry that matches `where` to the trash, or none, as `update-many` changes them.
   */
  deleteEntries: {
    params: {
      collectionId: string;
    };
    body: ManyDelete;
    response: ManyResult | Job;
  };
  /**
   * Undo a change of several entries.
   *
   * Gives the entries of `update-many` their earlier values, and restores those of `delete-many`, within 30 days. Entries that have changed since are skipped. Of more than 1,000 entries, a job does it, and its result has the same members.
   */
  undoEntries: {
    params: {
      collectionId: string;
      undoId: string;
    };
    body: undefined;
    response: UndoResult | Job;
  };
  /**
   * List the versions of an entry.
   *
   * Returns the current version and the earlier ones, newest first: who changed which fields, and when. `GET /v1/limits` tells how many earlier versions are kept (`entryVersions`).
   */
  listEntryVersions: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      /** `true` also returns a deleted resource */
      includeDeleted?: boolean | undefined;
      collectionId: string;
      entryId: string;
    };
    body: undefined;
    response: ListEntryVersionsResult;
    item: EntryVersion;
  };
  /**
   * Get a version of an entry, with its values.
   *
   * 404 for a version that is no longer kept: see `GET …/entries/{entryId}/versions`.
   */
  getEntryVersion: {
    params: {
      /** `true` also returns a deleted resource */
      includeDeleted?: boolean | undefined;
      collectionId: string;
      entryId: string;
      version: string;
    };
    body: undefined;
    response: EntryVersionWithValues;
  };
  /**
   * Restore a version of an entry.
   *
   * Gives the entry the values of that version, as a new version. Fields that had no value then lose it; deleted fields stay as they are. A value that is no longer valid, such as a deleted option or file, or a missing value of a field that is required now, is an error; use `fields` to restore the other fields.
   */
  restoreEntryVersion: {
    params: {
      collectionId: string;
      entryId: string;
      version: string;
    };
    body: RestoreEntryVersionRequest | undefined;
    response: Entry;
  };
  /**
   * List deleted collections.
   *
   * Returns the deleted collections, most recently deleted first. Restore one with `PATCH {"status": "active"}`.
   */
  listDeletedCollections: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
    };
    body: undefined;
    response: ListDeletedCollectionsResult;
    item: TrashedCollection;
  };
  /**
   * List deleted entries.
   *
   * Returns the deleted entries of a collection, most recently deleted first, with who deleted them and when. Restore one with `PATCH {"status": "active"}`.
   */
  listDeletedEntries: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      collectionId: string;
    };
    body: undefined;
    response: ListDeletedEntriesResult;
    item: TrashedEntry;
  };
  /**
   * Publish an entry.
   *
   * Publishes the current version, whose values must follow every rule of their fields. Later changes are drafts until the entry is published again.
   */
  publishEntry: {
    params: {
      collectionId: string;
      entryId: string;
    };
    body: PublishEntryRequest | undefined;
    response: Entry;
  };
  /**
   * Unpublish an entry.
   *
   * The entry and its draft stay. Does nothing if the entry is not published.
   */
  unpublishEntry: {
    params: {
      collectionId: string;
      entryId: string;
    };
    body: UnpublishEntryRequest | undefined;
    response: Entry;
  };
  /**
   * Discard the draft of an entry.
   *
   * Gives the entry the values that are published, as a new version. The draft stays in the history.
   */
  discardEntryDraft: {
    params: {
      collectionId: string;
      entryId: string;
    };
    body: DiscardEntryDraftRequest | undefined;
    response: Entry;
  };
  /**
   * Publish entries.
   *
   * Publishes the current versions of entries of a collection at once: all of them, or none.
   */
  publishEntries: {
    params: {
      collectionId: string;
    };
    body: PublishEntriesRequest;
    response: PublishEntriesResult;
  };
  /**
   * Unpublish entries.
   *
   * Unpublishes entries of a collection at once: all of them, or none.
   */
  unpublishEntries: {
    params: {
      collectionId: string;
    };
    body: UnpublishEntriesRequest;
    response: UnpublishEntriesResult;
  };
  /**
   * List publish hooks.
   *
   * Oldest first.
   */
  listPublishHooks: {
    params: undefined;
    body: undefined;
    response: ListPublishHooksResult;
  };
  /**
   * Create a publish hook.
   *
   * Before entries are published, they are sent to the URL, signed according to Standard Webhooks. It answers within 5 seconds: `{"allow": true}`, or `{"allow": false, "reasons": [{"field": "title", "message": "Too long."}]}`, which the request that publishes is refused with. The response contains the signing secret, which is not shown again.
   */
  createPublishHook: {
    params: undefined;
    body: CreatePublishHookRequest;
    response: PublishHookWithSecret;
  };
  /**
   * Update a publish hook.
   *
   * Changes only the members that are sent. The signing secret stays the same.
   */
  updatePublishHook: {
    params: {
      hookId: string;
    };
    body: UpdatePublishHookRequest;
    response: PublishHook;
  };
  /**
   * Delete a publish hook.
   *
   * It is no longer asked.
   */
  deletePublishHook: {
    params: {
      hookId: string;
    };
    body: undefined;
    response: PublishHook;
  };
  /**
   * Test a publish hook.
   *
   * Sends a request of type `publish_hook.test` without entries and returns how it was answered.
   */
  testPublishHook: {
    params: {
      hookId: string;
    };
    body: undefined;
    response: PublishHookTest;
  };
  /**
   * List releases and scheduled changes.
   *
   * Newest first. With `from` or `to`, those that have a time, in its order.
   */
  listReleases: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      /** `pending`: open, scheduled or failed */
      status?: 'open' | 'scheduled' | 'completed' | 'failed' | 'canceled' | 'pending' | undefined;
      /** Only those with entries of this collection */
      collectionId?: string | undefined;
      /** Only those with this entry */
      entryId?: string | undefined;
      /** Due at this time or later */
      from?: string | undefined;
      /** Due before this time */
      to?: string | undefined;
    };
    body: undefined;
    response: ListReleasesResult;
    item: Release;
  };
  /**
   * Create a release.
   *
   * Names entries of any collections with publishing that are published and unpublished together: all of them, or none. With a time (`at`), a worker publishes it then. A scheduled change of one entry is a release with one item and without a name.
   */
  createRelease: {
    params: undefined;
    body: CreateReleaseRequest | undefined;
    response: Release;
  };
  /**
   * Get a release.
   *
   * With its first item only; `GET …/releases/{releaseId}/items` lists all of them.
   */
  getRelease: {
    params: {
      releaseId: string;
    };
    body: undefined;
    response: Release;
  };
  /**
   * Change a release.
   *
   * Changes only the members that are sent. `at: null` removes the time. A failed release with a new time is scheduled again.
   */
  updateRelease: {
    params: {
      releaseId: string;
    };
    body: UpdateReleaseRequest;
    response: Release;
  };
  /**
   * Cancel a release.
   *
   * Returns the release with `status: "canceled"`. Its entries do not change.
   */
  cancelRelease: {
    params: {
      releaseId: string;
    };
    body: undefined;
    response: Release;
  };
  /**
   * List the entries of a release.
   *
   * In the order in which they were sent, by which errors number them (`/items/0/values/title`).
   */
  listReleaseItems: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      releaseId: string;
    };
    body: undefined;
    response: ListReleaseItemsResult;
    item: ReleaseItem;
  };
  /**
   * Publish a release now.
   *
   * Publishes and unpublishes all entries of the release in one transaction. If one of them cannot be published, nothing is, and the response lists every error of every entry (`/items/0/values/title`).
   */
  publishRelease: {
    params: {
      releaseId: string;
    };
    body: Record<string, unknown> | null | undefined;
    response: Release;
  };
  /**
   * Preview an entry.
   *
   * Returns the collection's `previewUrl` with a token that reads the drafts of this public collection and of the entries they reference, without private fields, for 60 minutes.
   */
  createPreview: {
    params: {
      /** Returns the values of localized fields in this locale, or else in its fallbacks. Filters and search use the same values; sorting uses those of this locale alone, and entries without one come last. */
      locale?: string | undefined;
      /** ID of a release: the token reads all public content as it will be once this release is published */
      release?: string | undefined;
      /** The token reads all public content as it will be then, with what is scheduled until then */
      at?: string | undefined;
      collectionId: string;
      entryId: string;
    };
    body: undefined;
    response: EntryPreview;
  };
  /**
   * Get the review of an entry.
   *
   * Its state, who is responsible for it, and the versions that may be published.
   */
  getReview: {
    params: {
      collectionId: string;
      entryId: string;
    };
    body: undefined;
    response: Review;
  };
  /**
   * Change the review of an entry.
   *
   * Requests a review, approves the current version, or assigns the entry to a member. In a collection with `review`, only approved versions can be published, and only members with that role and API keys may approve.
   */
  updateReview: {
    params: {
      collectionId: string;
      entryId: string;
    };
    body: UpdateReviewRequest;
    response: Review;
  };
  /**
   * List the comments on an entry.
   *
   * Newest first.
   */
  listComments: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      collectionId: string;
      entryId: string;
    };
    body: undefined;
    response: ListCommentsResult;
    item: EntryComment;
  };
  /**
   * Comment on an entry.
   *
   * Comments are for those who edit the entry: public content does not contain them.
   */
  createComment: {
    params: {
      collectionId: string;
      entryId: string;
    };
    body: CreateCommentRequest;
    response: EntryComment;
  };
  /**
   * Delete a comment.
   *
   * Members delete their own comments and those of API keys, owners and API keys all.
   */
  deleteComment: {
    params: {
      collectionId: string;
      entryId: string;
      commentId: string;
    };
    body: undefined;
    response: EntryComment;
  };
  /**
   * Report that a user has an entry open.
   *
   * The dashboard does so every 15 seconds and when another field gets the focus. Returns the other users who did within 40 seconds. A request with an API key only reads.
   */
  recordPresence: {
    params: {
      /** The ID of the field that the user is editing */
      field?: string | undefined;
      collectionId: string;
      entryId: string;
    };
    body: undefined;
    response: Presence;
  };
  /**
   * Get your unsaved changes of an entry.
   *
   * What the same user or API key stored last and has not deleted; null without. Others do not see it.
   */
  getEntryDraft: {
    params: {
      collectionId: string;
      entryId: string;
    };
    body: undefined;
    response: EntryDraft;
  };
  /**
   * Store your unsaved changes of an entry.
   *
   * Replaces them. The entry stays as it is: no version, no webhook, no check of the values. The dashboard does so every 2 seconds while somebody types. They are deleted after 30 days.
   */
  saveEntryDraft: {
    params: {
      collectionId: string;
      entryId: string;
    };
    body: SaveEntryDraftRequest;
    response: EntryDraft;
  };
  /**
   * Delete your unsaved changes of an entry.
   *
   * Returns what was deleted.
   */
  deleteEntryDraft: {
    params: {
      /** Of the unsaved changes that were read. If others have been stored since: `version_conflict`, and nothing changes */
      updatedAt?: string | undefined;
      collectionId: string;
      entryId: string;
    };
    body: undefined;
    response: EntryDraft;
  };
  /**
   * List saved views of a collection.
   *
   * The shared ones and the caller's own, by name.
   */
  listEntryViews: {
    params: {
      collectionId: string;
    };
    body: undefined;
    response: ListEntryViewsResult;
  };
  /**
   * Save a view of a collection.
   *
   * Replaces the view of the same readers with the same name, in any case.
   */
  saveEntryView: {
    params: {
      collectionId: string;
    };
    body: SaveEntryViewRequest;
    response: EntryView;
  };
  /**
   * Delete a saved view of a collection.
   *
   * Everyone loses a shared view; other views can be deleted only by who saved them.
   */
  deleteEntryView: {
    params: {
      collectionId: string;
      viewId: string;
    };
    body: undefined;
    response: EntryView;
  };
  /**
   * List the entries that reference an entry.
   *
   * Returns the active entries whose latest or published version references the entry, oldest first.
   */
  listEntryUsages: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      /** `true` also returns a deleted resource */
      includeDeleted?: boolean | undefined;
      collectionId: string;
      entryId: string;
    };
    body: undefined;
    response: ListEntryUsagesResult;
    item: Usage;
  };
  /**
   * Get the titles of entries.
   *
   * Returns the titles of entries of any collections, to show references. Unknown IDs are left out.
   */
  getEntryTitles: {
    params: {
      /** IDs of entries, separated by commas */
      ids: string | string[];
    };
    body: undefined;
    response: GetEntryTitlesResult;
  };
  /**
   * Get the locales.
   *
   * The locales in which the account writes its content.
   */
  getLocales: {
    params: undefined;
    body: undefined;
    response: Locales;
  };
  /**
   * Set the locales.
   *
   * Replaces the list. The values of localized fields in a locale that is removed are kept, and return with it. With another default locale, reads without a locale return its values, others fall back to it, and values keep their names: those without a locale are in the `baseLocale` of the collection, which stays in the list.
   */
  setLocales: {
    params: undefined;
    body: SentLocales;
    response: Locales;
  };
  /**
   * Create an upload token for a browser.
   *
   * Lets whoever has the token upload one file, by `POST /v1/files/upload` or by tus, and nothing else: within its limits, from pages of `origin`, until it expires, or the API key or member that created it loses access. The ID of the file is known at once. Error codes: `folder_unknown`, `origin_invalid`, `too_many`. With the token, uploads are refused with `upload_token_expired`, `upload_token_used`, `origin_not_allowed` (401), `file_too_large` or `file_type_not_allowed`.
   */
  createUploadToken: {
    params: undefined;
    body: CreateUploadTokenRequest | undefined;
    response: UploadToken;
  };
  /**
   * Upload a file from a URL.
   *
   * Fetches the file and stores it as if it had been uploaded. Only public addresses are fetched, as for webhooks, and the same holds for redirects. Error codes: `url_invalid`, `url_credentials`, `url_not_public`, `url_fetch_failed`, `folder_unknown`, `file_missing`, `file_empty`, `file_type_unsupported`, `svg_refused`, `file_too_large`, `too_many_pixels`, `file_corrupt`, `multipart_malformed`, `too_many_parts`, `body_too_large`, `content_type_unsupported`, `request_timeout`.
   */
  uploadFileFromUrl: {
    params: undefined;
    body: UploadFileFromUrlRequest;
    response: AssetValue;
  };
  /**
   * List files.
   *
   * Newest first.
   */
  listFiles: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      /** Detected from the content of the file; `file` is any other type */
      type?: 'image' | 'video' | 'file' | undefined;
      /** Only files of this folder, without those of folders in it; `none`: outside of folders */
      folderId?: string | undefined;
      /** Part of the name, case-insensitive */
      name?: string | undefined;
      /** true: only files that no entry uses */
      unused?: boolean | undefined;
      /** true: only images without an alt text in the default locale */
      missingAlt?: boolean | undefined;
      /** Only files with this tag */
      tag?: string | undefined;
      /** true: files in the trash instead of the others */
      deleted?: boolean | undefined;
    };
    body: undefined;
    response: ListFilesResult;
    item: ListedFile;
  };
  /**
   * List the tags of files.
   *
   * Each with the number of files that have it, by name; at most 500. Files in the trash do not count.
   */
  listFileTags: {
    params: undefined;
    body: undefined;
    response: ListFileTagsResult;
  };
  /**
   * Get a file and the entries that use it.
   *
   * `usedBy` has up to 100 of these entries, `usedByCount` is their number.
   */
  getFile: {
    params: {
      assetId: string;
    };
    body: undefined;
    response: FileWithUses;
  };
  /**
   * Update the name, alt text, focal point or tags of a file, move it to the trash or restore it.
   *
   * Changes only the given members. Previous URLs keep working: the name in a URL is only for people. With `"status": "deleted"` the file moves to the trash, from where `"active"` restores it; entries keep it until it is deleted permanently.
   */
  updateFile: {
    params: {
      assetId: string;
    };
    body: UpdateFileRequest;
    response: StoredFile;
  };
  /**
   * Delete a file permanently.
   *
   * Fails with `file_in_use` while an active entry uses the file, unless `force=true`: then the entry loses the value.
   */
  deleteFile: {
    params: {
      /** true: delete the file even if an active entry uses it; the entry loses the value */
      force?: boolean | undefined;
      assetId: string;
    };
    body: undefined;
    response: DeletedFile;
  };
  /**
   * Delete unused files.
   *
   * Starts a job that deletes the files that no entry has used for some days; its `result` is `{files, bytes}`. `GET /v1/files?unused=true` lists the candidates. Deleted entries count as using their files, because they can be restored.
   */
  clearUnusedFiles: {
    params: undefined;
    body: ClearUnusedFilesRequest | undefined;
    response: Job;
  };
  /**
   * List folders of files.
   *
   * All of them, by name; each after the folder that contains it.
   */
  listFolders: {
    params: undefined;
    body: undefined;
    response: ListFoldersResult;
  };
  /**
   * Create a folder of files.
   *
   * Folders only sort files: moving a file does not change its URL.
   */
  createFolder: {
    params: undefined;
    body: CreateFolderRequest;
    response: Folder;
  };
  /**
   * Rename or move a folder of files.
   *
   * Its files and folders move with it. A folder cannot be moved into itself.
   */
  updateFolder: {
    params: {
      folderId: string;
    };
    body: UpdateFolderRequest;
    response: Folder;
  };
  /**
   * Delete an empty folder of files.
   *
   * A folder that contains files or folders is 400 `folder_not_empty`.
   */
  deleteFolder: {
    params: {
      folderId: string;
    };
    body: undefined;
    response: Folder;
  };
  /**
   * List leads.
   *
   * Newest first. With `q` of three characters or more, `sort` has no effect.
   */
  listLeads: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      /** Earliest `firstSeenAt`, inclusive */
      from?: string | undefined;
      /** Latest `firstSeenAt`, exclusive */
      to?: string | undefined;
      /** A part of an email or a name, in any case; fewer than three characters: the start of an email, sorted by email */
      q?: string | undefined;
      sort?: 'firstSeenAt:desc' | 'firstSeenAt:asc' | 'email:asc' | 'email:desc' | undefined;
      /** Whether to count all leads of the list */
      totals?: boolean | undefined;
    };
    body: undefined;
    response: ListLeadsResult;
    item: Lead;
  };
  /**
   * Get a lead.
   *
   * With the notes about it, and the latest value of each property of its events.
   */
  getLead: {
    params: {
      leadId: string;
    };
    body: undefined;
    response: LeadWithProperties;
  };
  /**
   * Write notes about a lead.
   *
   * Erasing the lead deletes them.
   */
  updateLead: {
    params: {
      leadId: string;
    };
    body: UpdateLeadRequest;
    response: LeadWithProperties;
  };
  /**
   * Erase a lead.
   *
   * Starts a job that removes all personal data of this email: the lead; the visitor id, click ids and URL queries of its sessions; the titles of its visits; the properties of its events except `value`, `currency` and `funnel_id`; the identifiers and `extra` of its conversions; and the files of all exports made before. Counts and sums remain. Repeating the request does no harm. A person who comes back becomes a new lead.
   */
  eraseLead: {
    params: undefined;
    body: EraseLeadRequest;
    response: Job;
  };
  /**
   * List sessions.
   *
   * Newest first, without bots and internal traffic unless `all` is true.
   */
  listTrackedSessions: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      /** Earliest `startedAt`, inclusive */
      from?: string | undefined;
      /** Latest `startedAt`, exclusive */
      to?: string | undefined;
      /** A hash, short hash, id, visitor id, click id, client id of an event or visit, or the start of an email up to at least its @ */
      q?: string | undefined;
      source?: string | undefined;
      medium?: string | undefined;
      campaign?: string | undefined;
      country?: string | undefined;
      device?: string | undefined;
      /** Sessions with this click id */
      platform?: 'gclid' | 'gbraid' | 'wbraid' | 'fbclid' | 'msclkid' | 'ttclid' | 'li_fat_id' | 'epik' | 'twclid' | 'sclid' | 'tblci' | 'ob_click_id' | 'rdt_cid' | 'aleid' | 'alart' | 'oppref' | undefined;
      leadId?: string | undefined;
      /** By pages or duration: `GET /v1/analytics/ranked-sessions` */
      sort?: 'startedAt:desc' | 'startedAt:asc' | undefined;
      /** Includes bots and internal traffic */
      all?: boolean | undefined;
    };
    body: undefined;
    response: ListTrackedSessionsResult;
    item: Session;
  };
  /**
   * Get a session.
   *
   * With its landing page, source, click IDs, device and lead. The path takes the ID, not the hash.
   */
  getTrackedSession: {
    params: {
      /** The session's id */
      sessionId: string;
    };
    body: undefined;
    response: Session;
  };
  /**
   * Erase a visitor without an email.
   *
   * Starts a job that removes all personal data of this visitor: the visitor id, click ids and URL queries of all sessions; the titles of visits; the properties of events except `value`, `currency` and `funnel_id`; the identifiers and `extra` of conversions; and the files of all exports made before. Counts and sums remain. A visitor who is a lead is 400 `visitor_is_lead`: erase the lead.
   */
  eraseVisitor: {
    params: undefined;
    body: EraseVisitorRequest;
    response: Job;
  };
  /**
   * Check the first-party ID from outside.
   *
   * Requests your own domain as a browser would, and says whether the first-party cookie passes through the proxy in front of the service, and if not, why. Nothing is recorded.
   */
  checkFirstParty: {
    params: undefined;
    body: CheckFirstPartyRequest;
    response: CheckFirstPartyResult;
  };
  /**
   * Get the tracking settings.
   *
   * Who may record visits and events, whose visits do not count, and how long they are stored.
   */
  getTrackingSettings: {
    params: undefined;
    body: undefined;
    response: TrackingSettings;
  };
  /**
   * Change the tracking settings.
   *
   * Omitted members stay unchanged; a list is replaced as a whole. Every process applies the change within 5 seconds.
   */
  changeTrackingSettings: {
    params: undefined;
    body: ChangeTrackingSettingsRequest;
    response: TrackingSettings;
  };
  /**
   * Create an import of conversions.
   *
   * What is reported as a part of it (`POST /v1/conversions/imports/{importId}/reports`) can be undone together.
   */
  createConversionImport: {
    params: undefined;
    body: CreateConversionImportRequest;
    response: ConversionImport;
  };
  /**
   * List imports of conversions.
   *
   * Newest first.
   */
  listConversionImports: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
    };
    body: undefined;
    response: ListConversionImportsResult;
    item: ConversionImport;
  };
  /**
   * Get an import of conversions.
   *
   * With the number of its rows by result and, once it is undone, what that changed.
   */
  getConversionImport: {
    params: {
      importId: string;
    };
    body: undefined;
    response: ConversionImport;
  };
  /**
   * Undo an import of conversions.
   *
   * A job withdraws its reports: conversions that only it reported no longer count, others have the values of their other reports again, and unmatched ones are deleted. Every report stays in the history of its conversion. Further reports of the import are 400 `import_undone`.
   */
  undoConversionImport: {
    params: {
      importId: string;
    };
    body: undefined;
    response: ConversionImport;
  };
  /**
   * List conversions.
   *
   * Newest first by `createdOn` unless sorted otherwise, each in its current state.
   */
  listConversions: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      /** Earliest `createdOn`, inclusive */
      from?: string | undefined;
      /** Latest `createdOn`, exclusive */
      to?: string | undefined;
      /** An eventId, id, session hash, short hash or id, click id, or the start of an email up to at least its @ */
      q?: string | undefined;
      event?: string | undefined;
      currency?: string | undefined;
      origin?: 'report' | 'event' | undefined;
      source?: string | undefined;
      campaign?: string | undefined;
      sessionId?: number | undefined;
      /** Values are compared whatever their currency; by value, all conversions of the period are read */
      sort?: 'createdOn:desc' | 'createdOn:asc' | 'value:desc' | 'value:asc' | undefined;
      /** Whether to count and sum up all conversions of the list */
      totals?: boolean | undefined;
    };
    body: undefined;
    response: ListConversionsResult;
    item: Conversion;
  };
  /**
   * List unmatched conversions.
   *
   * Newest first. A report is kept for 30 days and becomes a conversion when its session arrives.
   */
  listUnmatchedConversions: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      /** An eventId, id, session hash, short hash or id, click id, or the start of an email up to at least its @ */
      q?: string | undefined;
      /** Name of the identifier */
      identifier?: 'hash' | 'sessionHash' | 'sessionId' | 'visitHash' | 'shortHash' | 'shortSessionHash' | 'shortVisitHash' | 'gclid' | 'gbraid' | 'wbraid' | 'fbclid' | 'msclkid' | 'ttclid' | 'li_fat_id' | 'epik' | 'twclid' | 'sclid' | 'tblci' | 'ob_click_id' | 'rdt_cid' | 'aleid' | 'alart' | 'oppref' | undefined;
    };
    body: undefined;
    response: ListUnmatchedConversionsResult;
    item: UnmatchedConversion;
  };
  /**
   * Correct the identifier of an unmatched conversion.
   *
   * Matches it at once if a session has the identifier; a `sessionHash` or `sessionId` assigns it to that session.
   */
  correctUnmatchedConversion: {
    params: {
      conversionId: string;
    };
    body: CorrectUnmatchedConversionRequest;
    response: CorrectUnmatchedConversionResult;
  };
  /**
   * Delete an unmatched conversion.
   *
   * It no longer waits for its session. Reporting the conversion again creates a new one.
   */
  deleteUnmatchedConversion: {
    params: {
      conversionId: string;
    };
    body: undefined;
    response: DeleteUnmatchedConversionResult;
  };
  /**
   * Get a conversion with its reports.
   *
   * Reports are the history of the conversion: the latest one that was received decides its value.
   */
  getConversion: {
    params: {
      conversionId: string;
    };
    body: undefined;
    response: ConversionWithReports;
  };
  /**
   * List reconciliations.
   *
   * Newest first.
   */
  listReconciliations: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
    };
    body: undefined;
    response: ListReconciliationsResult;
    item: Reconciliation;
  };
  /**
   * Compare a statement with conversions.
   *
   * Takes what a payment provider or a network says it paid, as `multipart/form-data` with one file (CSV in UTF-8, or JSON), and starts a job that compares each of its orders with the conversion of the same `eventId`, or else of the same click ID. An order is the sum of its rows: a sale and its refunds.
   */
  createReconciliation: {
    params: {
      /** Who made the file: an itemized report of payouts or balances of Stripe, an activity download of PayPal, transactions of payouts of Shopify (CSV, or JSON as their APIs return it), or any other CSV such as the statement of a network */
      provider: 'stripe' | 'paypal' | 'shopify' | 'csv';
      /** `net`: after the fees of the provider */
      amount?: 'gross' | 'net' | undefined;
      /** By how much equal amounts may differ, in their currency */
      tolerance?: number | undefined;
      /** Likewise, as a part of the amount; the larger one counts */
      toleranceShare?: number | undefined;
      /** The first day of conversions that the file should have, in the time zone of the account; by default that of its first row */
      from?: string | undefined;
      /** The day after the last; by default that of its last row */
      to?: string | undefined;
      /** Only conversions with this event are missing there */
      event?: string | undefined;
      /** Only conversions of sessions with this source are missing there, such as `awin` */
      source?: string | undefined;
      /** `refuse`: nothing can be applied if a row of the file is invalid */
      faultyRows?: 'skip' | 'refuse' | undefined;
      /** `auto`: by the amount, or else by the others of the file; ambiguous ones such as 1,234 are invalid */
      decimalMark?: 'auto' | 'point' | 'comma' | undefined;
      /** Of dates such as 3/4/2026. `auto`: by the dates of the file; if all are ambiguous, their rows are invalid */
      dateOrder?: 'auto' | 'dayFirst' | 'monthFirst' | undefined;
      /** Of dates that name none, such as `Europe/Berlin`; by default that of the account */
      timeZone?: string | undefined;
      /** ISO 4217: of rows that name none */
      currency?: string | undefined;
      /** The column of the order or event ID, which is compared with `eventId` */
      identifierColumn?: string | undefined;
      /** The column of the amount */
      amountColumn?: string | undefined;
      /** The column of the currency */
      currencyColumn?: string | undefined;
      /** The column of the date */
      dateColumn?: string | undefined;
    };
    body: CreateReconciliationRequest;
    response: Reconciliation;
  };
  /**
   * Get a reconciliation.
   *
   * With the sums by outcome; its lines are at `GET …/reconciliations/{reconciliationId}/lines`. Poll it until `status` is `ready`.
   */
  getReconciliation: {
    params: {
      reconciliationId: string;
    };
    body: undefined;
    response: Reconciliation;
  };
  /**
   * Delete a reconciliation.
   *
   * What it applied stays.
   */
  deleteReconciliation: {
    params: {
      reconciliationId: string;
    };
    body: undefined;
    response: DeleteReconciliationResult;
  };
  /**
   * List the lines of a reconciliation.
   *
   * One for each order of the file, for each of its invalid rows, and for each conversion that it does not have.
   */
  listReconciliationLines: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      /** `missingHere`: the file has it and no conversion does. `missingThere`: a conversion of the period that the file does not have. `faulty`: an invalid row of the file */
      outcome?: 'equal' | 'different' | 'missingHere' | 'missingThere' | 'faulty' | undefined;
      reconciliationId: string;
    };
    body: undefined;
    response: ListReconciliationLinesResult;
    item: ReconciliationLine;
  };
  /**
   * Apply a reconciliation.
   *
   * A job restates and reports conversions as an import, so that they agree with the file. Conversions that have changed since they were compared are left alone.
   */
  applyReconciliation: {
    params: {
      reconciliationId: string;
    };
    body: {
      /** By default the first two. `different`: conversions are restated to the value of the file. `missingHere`: conversions are reported by their click ID. `missingThere`: conversions are restated to 0 */
      outcomes?: ('different' | 'missingHere' | 'missingThere')[] | undefined;
    } | null;
    response: Reconciliation;
  };
  /**
   * Undo what a reconciliation applied.
   *
   * A job withdraws its reports: conversions have the values of their other reports again.
   */
  undoReconciliation: {
    params: {
      reconciliationId: string;
    };
    body: undefined;
    response: Reconciliation;
  };
  /**
   * Get a job.
   *
   * Returns the status of a job and, once it is completed, its result. Poll about once a second.
   */
  getJob: {
    params: {
      /** The id of the job, as returned when it was started */
      id?: string | undefined;
      /** An alias of `id` */
      jobId?: string | undefined;
    };
    body: undefined;
    response: Job;
  };
  /**
   * List jobs.
   *
   * Newest first. A job is listed until 7 days after its end.
   */
  listJobs: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      /** Only jobs of this type */
      type?: string | undefined;
    };
    body: undefined;
    response: ListJobsResult;
    item: Job;
  };
  /**
   * Cancel a job.
   *
   * The job is canceled when this returns, and its work stops. A job that has finished returns 400 `job_finished`.
   */
  cancelJob: {
    params: {
      id: string;
    };
    body: Record<string, unknown> | null | undefined;
    response: Job;
  };
  /**
   * Start an analytics export.
   *
   * Starts a job that writes all current rows of a dataset to a file. Poll `GET /v1/jobs/get-by-id` for the download URL.
   * Each dataset has these columns, in this order:
   *
   * - `sessions`, filtered by `startedAt`: `id`, `sessionHash`, `shortSessionHash`, `visitorId`, `leadId`, `startedAt`, `lastSeenAt`, `landingUrl`, `referrer`, `source`, `medium`, `campaign`, `term`, `content`, `utmId`, `device`, `browser`, `os`, `country`, `region`, `isBot`, `isInternal`, `gclid`, `gbraid`, `wbraid`, `fbclid`, `msclkid`, `ttclid`, `li_fat_id`, `epik`, `twclid`, `sclid`, `tblci`, `ob_click_id`, `rdt_cid`, `aleid`, `alart`, `oppref`, `sessionId` (what `id` was called; until 28 November 2027)
   * - `visits`, filtered by `occurredAt`: `id`, `url`, `referrer`, `title`, `sessionId`, `sessionHash`, `visitorId`, `occurredAt`, `receivedAt`, `isBot`, `isInternal`, `source`, `medium`, `campaign`, `device`, `browser`, `os`, `country`, `region`, `visitId` (what `id` was called; until 28 November 2027)
   * - `events`, filtered by `occurredAt`: `id`, `clientEventId`, `event`, `properties`, `sessionId`, `sessionHash`, `leadId`, `occurredAt`, `receivedAt`, `isBot` (only if `fields` names it), `isInternal` (only if `fields` names it), `eventId` (what `id` was called; until 28 November 2027)
   * - `conversions`, filtered by `createdOn`: `id`, `eventId`, `event`, `value`, `currency`, `createdOn`, `receivedAt`, `origin`, `identifier`, `sessionId`, `sessionHash`, `extra`, `source`, `campaign`, `landingUrl`, `gclid`, `gbraid`, `wbraid`, `fbclid`, `msclkid`, `ttclid`, `li_fat_id`, `epik`, `twclid`, `sclid`, `tblci`, `ob_click_id`, `rdt_cid`, `aleid`, `alart`, `oppref`
   * - `leads`, filtered by `firstSeenAt`: `id`, `email`, `firstSessionId`, `firstSessionHash`, `latestSessionId`, `latestSessionHash`, `firstSeenAt`, `lastSeenAt`, `leadId` (what `id` was called; until 28 November 2027)
   * - `unmatched`, filtered by `receivedAt`: `id`, `eventId`, `event`, `value`, `currency`, `createdOn`, `receivedAt`, `identifier`, `extra`
   *
   * Formats: `csv` follows RFC 4180, with a header, in UTF-8. Null is an empty cell and an empty text is `""`. An apostrophe precedes
   * text that a spreadsheet would run as a formula, at the start of a cell and after `;` or a line break. `ndjson` has one JSON object per
   * line. `parquet` has typed columns with Snappy compression: times are timestamps in UTC, `value` is `DECIMAL(38, 9)`, rounded to 9 decimals, and JSON
   * is JSON. In the others, times are in UTC with milliseconds, and `value` is decimal text with all digits.
   *
   * `id` is the ID of the row itself, `sessionId` and `leadId` are those of its session and lead, and `eventId` is what the caller named a conversion.
   */
  startExport: {
    params: undefined;
    body: StartExportRequest;
    response: Job;
  };
  /**
   * Export entries.
   *
   * Starts a job that writes the entries of a listing to a file. Poll `GET /v1/jobs/get-by-id` for the download URL.
   *
   * `csv` follows RFC 4180, with a header, in UTF-8; `bom: true` lets Excel recognize that. The columns are `id`, the fields by their ids, `createdAt` and `updatedAt`. A group
   * that is not repeated has one column per field (`seo.title`). An asset is its id, followed by a column `….url` with its URL. If a field
   * has the name of a system column, such as `id`, that column is prefixed with `_`. Collections with publishing also have the columns
   * `publishedVersion` and `publishedAt`. A repeated field is a JSON array. An apostrophe
   * precedes text that a spreadsheet would run as a formula; an import removes it. Importing the file unchanged changes nothing.
   * `ndjson` has one entry per line.
   */
  exportEntries: {
    params: {
      collectionId: string;
    };
    body: ExportEntriesRequest;
    response: Job;
  };
  /**
   * List imports.
   *
   * Lists the imports of a collection, newest first.
   */
  listImports: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      collectionId: string;
    };
    body: undefined;
    response: ListImportsResult;
    item: Import;
  };
  /**
   * Upload a file of entries.
   *
   * Uploads a CSV whose first line names its columns. It must be UTF-8, with or without a byte order mark. Cells are separated by
   * commas, semicolons or tabs, as the first line shows, or as a line `sep=;` before it says. The response lists the columns and suggests a field for each. No entry is
   * written yet. Error codes: `file_missing`, `file_empty`, `file_too_large`, `encoding_unsupported`, `csv_malformed`, `csv_empty`,
   * `too_many_columns`, and those of every upload.
   */
  uploadImport: {
    params: {
      collectionId: string;
    };
    body: UploadImportRequest;
    response: Import;
  };
  /**
   * Get an import.
   *
   * Returns the status of an import. Counts grow while a stage runs. Poll it about once a second.
   */
  getImport: {
    params: {
      collectionId: string;
      importId: string;
    };
    body: undefined;
    response: Import;
  };
  /**
   * Start a dry run of an import.
   *
   * Starts a job that checks every row by the rules of `POST …/entries` and `PATCH …/entries/{entryId}` without writing anything. Once
   * `status` is `dry_run_completed`, `dryRun` counts what the import would do.
   *
   * | Type | Accepted cells |
   * |---|---|
   * | text, url | any text |
   * | number | `1234.5`, `1,234.50`, `1.234,50`, `12,5`, `1 234`; `1,234` and `1.234` can be `number_ambiguous` without `decimal` |
   * | boolean | true or false, yes or no, on or off, y or n, 1 or 0 |
   * | date | `2026-11-20`, `2026/11/20`, `20.11.2026`, `20 Nov 2026`, `Nov 20, 2026`, `20/11/2026`; `03/04/2026` can be `date_ambiguous` without `dateOrder` |
   * | timestamp | RFC 3339; a date as above and a time of day is `timestamp_ambiguous` without `timeZone` |
   * | select | the value or the label of an option |
   * | asset | an `assetId` |
   * | repeated | a JSON array, or values separated by the column's `separator` |
   *
   * A column is read in one way throughout. Without `decimal` or `dateOrder`, the cells that have only one reading decide how the others
   * are read: in a column with `99,90`, `1.234` is a thousand. If no cell decides it, or some contradict each other, the cells that have two
   * readings are `number_ambiguous` or `date_ambiguous`.
   *
   * An empty cell is no value. Without `idColumn` and `keyField`, every row creates an entry. With one of them, a row updates the entry with
   * that id or value. If several rows are for the same entry, the first is used and the others fail with `row_repeated`.
   */
  dryRunImport: {
    params: {
      collectionId: string;
      importId: string;
    };
    body: ImportMapping;
    response: Import;
  };
  /**
   * Start an import.
   *
   * Writes the valid rows of the last dry run. An import that stopped resumes after the last row it has written. To cancel it, call `POST /v1/jobs/{id}/cancel` with the id of its `job`.
   */
  startImport: {
    params: {
      collectionId: string;
      importId: string;
    };
    body: Record<string, unknown> | null | undefined;
    response: Import;
  };
  /**
   * Undo an import.
   *
   * Deletes the entries that the import created and restores those it updated. Entries that were changed or deleted since are left alone: they count as `skipped` and are listed in the results.
   */
  undoImport: {
    params: {
      collectionId: string;
      importId: string;
    };
    body: Record<string, unknown> | null | undefined;
    response: Import;
  };
  /**
   * Import what ads cost.
   *
   * Adds up to 1,000 costs, each of a day, source, campaign, ad group, ad and currency. A cost that was imported before is replaced, so that the figures of an ad platform can be imported again when they change; null removes it. If any cost is invalid, none is written, or with `onError=skip` the others are. Costs of a day and campaign that a cost source reads are `skipped`.
   */
  putAdCosts: {
    params: {
      /** What invalid rows do: `refuse`: nothing is written (400 with all of them); `skip`: the others are written */
      onError?: 'refuse' | 'skip' | undefined;
    };
    body: PutAdCostsRequest;
    response: AdCostsResult;
  };
  /**
   * List what ads cost.
   *
   * The latest days first.
   */
  listAdCosts: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      /** The first day */
      from?: string | undefined;
      /** The day after the last */
      to?: string | undefined;
      /** Only costs of this source */
      source?: string | undefined;
      /** Only costs of this campaign; empty: none */
      campaign?: string | undefined;
    };
    body: undefined;
    response: ListAdCostsResult;
    item: AdCost;
  };
  /**
   * List costs without sessions.
   *
   * Campaigns that cost something in a period and led to no session, with the campaigns of sessions that they may be. Reports have them in rows of their own.
   */
  listUnmatchedCosts: {
    params: {
      /** The first day */
      from: string;
      /** The day after the last */
      to: string;
    };
    body: undefined;
    response: UnmatchedCosts;
  };
  /**
   * Assign costs to campaigns of sessions.
   *
   * Says which campaign of an ad platform sessions with another campaign belong to, in the reports of all days. Sessions are joined with costs by the IDs in their landing URLs (`gad_campaignid`, `utm_id` and the like) and by names without that.
   */
  assignCosts: {
    params: undefined;
    body: AssignCostsRequest;
    response: CostAssignmentsResult;
  };
  /**
   * Get the cost per conversion and the return on ad spend.
   *
   * What ads cost by source or campaign, with the sessions, leads, conversions and revenue of the same source or campaign, of the clicks of the period by default. Sessions whose medium is `organic`, `referral`, `email` or `ai-assistant` do not count.
   */
  getAdPerformance: {
    params: {
      /** The first day */
      from: string;
      /** The day after the last */
      to: string;
      /** The zone in which the days of sessions and conversions start; by default that of the account */
      timeZone?: string | undefined;
      by?: 'source' | 'campaign' | undefined;
      /** Only this source */
      source?: string | undefined;
      /** What conversions and revenue belong to the period: those of its clicks, whenever they happen, so that cost and revenue speak of the same people; or those that happened in it */
      basis?: 'click' | 'conversion' | undefined;
      /** Responds as it would have at this time (RFC 3339, or a day: when it starts): by the reports, costs and rates that were known then */
      asKnownOn?: string | undefined;
    };
    body: undefined;
    response: AdPerformance;
  };
  /**
   * Import exchange rates of days.
   *
   * Reports by day of click convert revenue at the rate of the day of its sale, and cost at that of its own day; on a day without a rate that of up to ten days before counts. A rate that is sent again replaces the earlier one, which reports with an earlier `asKnownOn` still use.
   */
  putExchangeRates: {
    params: {
      /** What invalid rows do: `refuse`: nothing is written (400 with all of them); `skip`: the others are written */
      onError?: 'refuse' | 'skip' | undefined;
    };
    body: PutExchangeRatesRequest;
    response: ExchangeRatesResult;
  };
  /**
   * List exchange rates.
   *
   * The latest days first.
   */
  listExchangeRates: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      /** The first day */
      from?: string | undefined;
      /** The day after the last */
      to?: string | undefined;
    };
    body: undefined;
    response: ListExchangeRatesResult;
    item: ExchangeRate;
  };
  /**
   * Get the return on ad spend by the day of the click.
   *
   * Revenue counts for the day of the click that it is from, cost for the day it was spent, so both speak of the same people. What recent clicks will still earn is forecast from how earlier ones developed (Mack’s chain ladder on the age of each report in days), with an interval. Costs that name no ad group, ad, page or entry are shared by the sessions of their campaign and day.
   */
  getRoas: {
    params: {
      /** The first day of clicks in the time zone of the account, such as 2026-11-20, or the time at which it starts (RFC 3339): costs are known by day */
      from: string;
      /** The day after the last, in the format of `from` */
      to: string;
      /** What rows are made of; `entry`: the content entry of the landing page, by its ID */
      by?: 'source' | 'campaign' | 'adGroup' | 'ad' | 'landingPage' | 'entry' | undefined;
      /** Which click earned a conversion. `last`: the session that it was matched to. The others share it among the sessions of the same visitor and lead in the 30 days before the sale, as `GET /v1/analytics/attribution` does */
      model?: 'first' | 'last' | 'linear' | 'position' | 'timeDecay' | undefined;
      /** The clicks of one cohort; weeks start on Monday */
      interval?: 'day' | 'week' | 'month' | undefined;
      /** ISO 4217: what amounts are converted to; by default the currency of the account, or else of most of the cost */
      currency?: string | undefined;
      /** The full age in days, from 3d to 365d */
      horizon?: string | undefined;
      /** Responds as it would have at this time (RFC 3339, or a day: when it starts): by the reports, costs and rates that were known then */
      asKnownOn?: string | undefined;
      /** What share of intervals should hold */
      level?: number | undefined;
      /** Whether cohorts contain their revenue by age */
      curves?: boolean | undefined;
      /** The `source` of the row whose cohorts `curve` has, in any case */
      curveSource?: string | undefined;
      /** With `curveSource`: the `key` of the row; omitted: null */
      curveKey?: string | undefined;
    };
    body: undefined;
    response: Roas;
  };
  /**
   * Compare what ad platforms were told with what is true.
   *
   * For each destination, the conversions of a period by `createdOn`: what it accepted, what they are worth now, and why these differ, in money.
   */
  getDiscrepancies: {
    params: {
      /** The start: a day of `timeZone`, such as 2026-11-20, a time of it on a quarter of an hour, such as 2026-11-20T08:15, or an RFC 3339 time */
      from: string;
      /** The end, in the format of `from`; the period ends before it */
      to: string;
      /** `campaign`: a row for each campaign of each destination */
      by?: 'destination' | 'campaign' | undefined;
      /** ISO 4217; by default the currency of the account, or else of most conversions */
      currency?: string | undefined;
      /** Responds as it would have at this time (RFC 3339, or a day: when it starts): by the reports, costs and rates that were known then */
      asKnownOn?: string | undefined;
    };
    body: undefined;
    response: Discrepancies;
  };
  /**
   * Get the custom channel rules.
   *
   * In their order. A session belongs to the channel of the first rule that holds, otherwise to its default channel group.
   */
  getChannelRules: {
    params: undefined;
    body: undefined;
    response: ChannelRules;
  };
  /**
   * Replace the custom channel rules.
   *
   * Applies to all reports at once, also to sessions of the past. With `dryRun`, changes nothing and says how many sessions of the last 30 days each rule would take.
   */
  putChannelRules: {
    params: undefined;
    body: PutChannelRulesRequest;
    response: ChannelRules;
  };
  /**
   * Get the overview of a period.
   *
   * Visits, visitors, sessions, leads, conversions and revenue, in total and by interval, with the change against a comparison period. All numbers are exact.
   */
  getOverview: {
    params: {
      /** The start: a day of `timeZone`, such as 2026-11-20, a time of it on a quarter of an hour, such as 2026-11-20T08:15, or an RFC 3339 time */
      from: string;
      /** The end, in the format of `from`; the period ends before it */
      to: string;
      /** A name of the IANA time zone database; defaults to the time zone of the account */
      timeZone?: string | undefined;
      /** Includes traffic that is left out by default: `bots`, `internal` (from excluded IPs), or both, separated by a comma */
      include?: string | ('bots' | 'internal')[] | undefined;
      /** Only sessions with this `source`; repeat it for one of several values; empty: without a value */
      'filter[source]'?: FilterValues | undefined;
      /** Only sessions without this `source`; repeat it for none of several */
      'filter[source][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `source` that contains the text, in any case */
      'filter[source][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `source` that contains the text */
      'filter[source][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `medium`; repeat it for one of several values; empty: without a value */
      'filter[medium]'?: FilterValues | undefined;
      /** Only sessions without this `medium`; repeat it for none of several */
      'filter[medium][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `medium` that contains the text, in any case */
      'filter[medium][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `medium` that contains the text */
      'filter[medium][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `campaign`; repeat it for one of several values; empty: without a value */
      'filter[campaign]'?: FilterValues | undefined;
      /** Only sessions without this `campaign`; repeat it for none of several */
      'filter[campaign][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `campaign` that contains the text, in any case */
      'filter[campaign][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `campaign` that contains the text */
      'filter[campaign][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `landingPage`; repeat it for one of several values; empty: without a value */
      'filter[landingPage]'?: FilterValues | undefined;
      /** Only sessions without this `landingPage`; repeat it for none of several */
      'filter[landingPage][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `landingPage` that contains the text, in any case */
      'filter[landingPage][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `landingPage` that contains the text */
      'filter[landingPage][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `country`; repeat it for one of several values; empty: without a value */
      'filter[country]'?: FilterValues | undefined;
      /** Only sessions without this `country`; repeat it for none of several */
      'filter[country][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `country` that contains the text, in any case */
      'filter[country][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `country` that contains the text */
      'filter[country][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `device`; repeat it for one of several values; empty: without a value */
      'filter[device]'?: FilterValues | undefined;
      /** Only sessions without this `device`; repeat it for none of several */
      'filter[device][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `device` that contains the text, in any case */
      'filter[device][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `device` that contains the text */
      'filter[device][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `channel`; repeat it for one of several values; empty: without a value */
      'filter[channel]'?: FilterValues | undefined;
      /** Only sessions without this `channel`; repeat it for none of several */
      'filter[channel][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `channel` that contains the text, in any case */
      'filter[channel][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `channel` that contains the text */
      'filter[channel][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `term`; repeat it for one of several values; empty: without a value */
      'filter[term]'?: FilterValues | undefined;
      /** Only sessions without this `term`; repeat it for none of several */
      'filter[term][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `term` that contains the text, in any case */
      'filter[term][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `term` that contains the text */
      'filter[term][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `content`; repeat it for one of several values; empty: without a value */
      'filter[content]'?: FilterValues | undefined;
      /** Only sessions without this `content`; repeat it for none of several */
      'filter[content][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `content` that contains the text, in any case */
      'filter[content][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `content` that contains the text */
      'filter[content][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `referrer`; repeat it for one of several values; empty: without a value */
      'filter[referrer]'?: FilterValues | undefined;
      /** Only sessions without this `referrer`; repeat it for none of several */
      'filter[referrer][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `referrer` that contains the text, in any case */
      'filter[referrer][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `referrer` that contains the text */
      'filter[referrer][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `exitPage`; repeat it for one of several values; empty: without a value */
      'filter[exitPage]'?: FilterValues | undefined;
      /** Only sessions without this `exitPage`; repeat it for none of several */
      'filter[exitPage][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `exitPage` that contains the text, in any case */
      'filter[exitPage][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `exitPage` that contains the text */
      'filter[exitPage][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `browser`; repeat it for one of several values; empty: without a value */
      'filter[browser]'?: FilterValues | undefined;
      /** Only sessions without this `browser`; repeat it for none of several */
      'filter[browser][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `browser` that contains the text, in any case */
      'filter[browser][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `browser` that contains the text */
      'filter[browser][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `os`; repeat it for one of several values; empty: without a value */
      'filter[os]'?: FilterValues | undefined;
      /** Only sessions without this `os`; repeat it for none of several */
      'filter[os][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `os` that contains the text, in any case */
      'filter[os][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `os` that contains the text */
      'filter[os][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `region`; repeat it for one of several values; empty: without a value */
      'filter[region]'?: FilterValues | undefined;
      /** Only sessions without this `region`; repeat it for none of several */
      'filter[region][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `region` that contains the text, in any case */
      'filter[region][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `region` that contains the text */
      'filter[region][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `platform`; repeat it for one of several values; empty: without a value */
      'filter[platform]'?: FilterValues | undefined;
      /** Only sessions without this `platform`; repeat it for none of several */
      'filter[platform][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `platform` that contains the text, in any case */
      'filter[platform][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `platform` that contains the text */
      'filter[platform][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `page`; repeat it for one of several values; empty: without a value */
      'filter[page]'?: FilterValues | undefined;
      /** Only sessions without this `page`; repeat it for none of several */
      'filter[page][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `page` that contains the text, in any case */
      'filter[page][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `page` that contains the text */
      'filter[page][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `event`; repeat it for one of several values; empty: without a value */
      'filter[event]'?: FilterValues | undefined;
      /** Only sessions without this `event`; repeat it for none of several */
      'filter[event][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `event` that contains the text, in any case */
      'filter[event][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `event` that contains the text */
      'filter[event][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `funnel`; repeat it for one of several values; empty: without a value */
      'filter[funnel]'?: FilterValues | undefined;
      /** Only sessions without this `funnel`; repeat it for none of several */
      'filter[funnel][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `funnel` that contains the text, in any case */
      'filter[funnel][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `funnel` that contains the text */
      'filter[funnel][containsNot]'?: FilterTexts | undefined;
      /** Responds as it would have at this time (RFC 3339, or a day: when it starts): by the reports, costs and rates that were known then */
      asKnownOn?: string | undefined;
      /** The interval of `line`; weeks start on Monday */
      interval?: 'hour' | 'day' | 'week' | 'month' | undefined;
      /** Compares with the previous period of the same length, or with the same period a year before. A period that is not over is compared to the same part of the other one */
      compare?: 'previous' | 'year' | 'none' | undefined;
    };
    body: undefined;
    response: Overview;
  };
  /**
   * Get a breakdown by source, campaign, page or another dimension.
   *
   * A session counts for each of its values; by `platform`, `page`, `event` and `funnel` it can have several. By `page`, visits are those of the page itself.
   */
  getBreakdown: {
    params: {
      /** The start: a day of `timeZone`, such as 2026-11-20, a time of it on a quarter of an hour, such as 2026-11-20T08:15, or an RFC 3339 time */
      from: string;
      /** The end, in the format of `from`; the period ends before it */
      to: string;
      /** A name of the IANA time zone database; defaults to the time zone of the account */
      timeZone?: string | undefined;
      /** Includes traffic that is left out by default: `bots`, `internal` (from excluded IPs), or both, separated by a comma */
      include?: string | ('bots' | 'internal')[] | undefined;
      /** Only sessions with this `source`; repeat it for one of several values; empty: without a value */
      'filter[source]'?: FilterValues | undefined;
      /** Only sessions without this `source`; repeat it for none of several */
      'filter[source][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `source` that contains the text, in any case */
      'filter[source][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `source` that contains the text */
      'filter[source][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `medium`; repeat it for one of several values; empty: without a value */
      'filter[medium]'?: FilterValues | undefined;
      /** Only sessions without this `medium`; repeat it for none of several */
      'filter[medium][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `medium` that contains the text, in any case */
      'filter[medium][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `medium` that contains the text */
      'filter[medium][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `campaign`; repeat it for one of several values; empty: without a value */
      'filter[campaign]'?: FilterValues | undefined;
      /** Only sessions without this `campaign`; repeat it for none of several */
      'filter[campaign][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `campaign` that contains the text, in any case */
      'filter[campaign][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `campaign` that contains the text */
      'filter[campaign][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `landingPage`; repeat it for one of several values; empty: without a value */
      'filter[landingPage]'?: FilterValues | undefined;
      /** Only sessions without this `landingPage`; repeat it for none of several */
      'filter[landingPage][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `landingPage` that contains the text, in any case */
      'filter[landingPage][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `landingPage` that contains the text */
      'filter[landingPage][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `country`; repeat it for one of several values; empty: without a value */
      'filter[country]'?: FilterValues | undefined;
      /** Only sessions without this `country`; repeat it for none of several */
      'filter[country][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `country` that contains the text, in any case */
      'filter[country][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `country` that contains the text */
      'filter[country][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `device`; repeat it for one of several values; empty: without a value */
      'filter[device]'?: FilterValues | undefined;
      /** Only sessions without this `device`; repeat it for none of several */
      'filter[device][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `device` that contains the text, in any case */
      'filter[device][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `device` that contains the text */
      'filter[device][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `channel`; repeat it for one of several values; empty: without a value */
      'filter[channel]'?: FilterValues | undefined;
      /** Only sessions without this `channel`; repeat it for none of several */
      'filter[channel][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `channel` that contains the text, in any case */
      'filter[channel][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `channel` that contains the text */
      'filter[channel][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `term`; repeat it for one of several values; empty: without a value */
      'filter[term]'?: FilterValues | undefined;
      /** Only sessions without this `term`; repeat it for none of several */
      'filter[term][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `term` that contains the text, in any case */
      'filter[term][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `term` that contains the text */
      'filter[term][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `content`; repeat it for one of several values; empty: without a value */
      'filter[content]'?: FilterValues | undefined;
      /** Only sessions without this `content`; repeat it for none of several */
      'filter[content][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `content` that contains the text, in any case */
      'filter[content][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `content` that contains the text */
      'filter[content][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `referrer`; repeat it for one of several values; empty: without a value */
      'filter[referrer]'?: FilterValues | undefined;
      /** Only sessions without this `referrer`; repeat it for none of several */
      'filter[referrer][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `referrer` that contains the text, in any case */
      'filter[referrer][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `referrer` that contains the text */
      'filter[referrer][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `exitPage`; repeat it for one of several values; empty: without a value */
      'filter[exitPage]'?: FilterValues | undefined;
      /** Only sessions without this `exitPage`; repeat it for none of several */
      'filter[exitPage][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `exitPage` that contains the text, in any case */
      'filter[exitPage][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `exitPage` that contains the text */
      'filter[exitPage][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `browser`; repeat it for one of several values; empty: without a value */
      'filter[browser]'?: FilterValues | undefined;
      /** Only sessions without this `browser`; repeat it for none of several */
      'filter[browser][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `browser` that contains the text, in any case */
      'filter[browser][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `browser` that contains the text */
      'filter[browser][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `os`; repeat it for one of several values; empty: without a value */
      'filter[os]'?: FilterValues | undefined;
      /** Only sessions without this `os`; repeat it for none of several */
      'filter[os][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `os` that contains the text, in any case */
      'filter[os][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `os` that contains the text */
      'filter[os][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `region`; repeat it for one of several values; empty: without a value */
      'filter[region]'?: FilterValues | undefined;
      /** Only sessions without this `region`; repeat it for none of several */
      'filter[region][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `region` that contains the text, in any case */
      'filter[region][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `region` that contains the text */
      'filter[region][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `platform`; repeat it for one of several values; empty: without a value */
      'filter[platform]'?: FilterValues | undefined;
      /** Only sessions without this `platform`; repeat it for none of several */
      'filter[platform][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `platform` that contains the text, in any case */
      'filter[platform][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `platform` that contains the text */
      'filter[platform][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `page`; repeat it for one of several values; empty: without a value */
      'filter[page]'?: FilterValues | undefined;
      /** Only sessions without this `page`; repeat it for none of several */
      'filter[page][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `page` that contains the text, in any case */
      'filter[page][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `page` that contains the text */
      'filter[page][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `event`; repeat it for one of several values; empty: without a value */
      'filter[event]'?: FilterValues | undefined;
      /** Only sessions without this `event`; repeat it for none of several */
      'filter[event][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `event` that contains the text, in any case */
      'filter[event][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `event` that contains the text */
      'filter[event][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `funnel`; repeat it for one of several values; empty: without a value */
      'filter[funnel]'?: FilterValues | undefined;
      /** Only sessions without this `funnel`; repeat it for none of several */
      'filter[funnel][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `funnel` that contains the text, in any case */
      'filter[funnel][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `funnel` that contains the text */
      'filter[funnel][containsNot]'?: FilterTexts | undefined;
      /** Dimensions, separated by commas: `source`, `medium`, `campaign`, `landingPage`, `country`, `device`, `channel`, `term`, `content`, `referrer`, `exitPage`, `browser`, `os`, `region`, `platform`, `page`, `event`, `funnel` */
      by: string | ReportDimension[];
      /** The number of values of each dimension */
      limit?: number | undefined;
      /** Values are sorted by this number, descending */
      order?: 'visits' | 'visitors' | 'sessions' | 'leads' | 'conversions' | 'revenue' | 'events' | undefined;
      /** Responds as it would have at this time (RFC 3339, or a day: when it starts): by the reports, costs and rates that were known then */
      asKnownOn?: string | undefined;
      compare?: 'previous' | 'year' | 'none' | undefined;
    };
    body: undefined;
    response: Breakdown;
  };
  /**
   * Get a funnel.
   *
   * Counts how many sessions or visitors complete each step, and how long they take. The first step happens in the period, each other step after the previous one and within the window. A step is a page, an event with conditions on its properties, or any of several. Nothing is stored.
   */
  getFunnel: {
    params: undefined;
    body: GetFunnelRequest;
    response: Funnel;
  };
  /**
   * Break an event down by one of its properties.
   *
   * Counts the events of a name with a session that passes the filters, by the value of a property. Without `property`, it only lists the names of properties.
   */
  getEventProperties: {
    params: {
      /** The start: a day of `timeZone`, such as 2026-11-20, a time of it on a quarter of an hour, such as 2026-11-20T08:15, or an RFC 3339 time */
      from: string;
      /** The end, in the format of `from`; the period ends before it */
      to: string;
      /** A name of the IANA time zone database; defaults to the time zone of the account */
      timeZone?: string | undefined;
      /** Includes traffic that is left out by default: `bots`, `internal` (from excluded IPs), or both, separated by a comma */
      include?: string | ('bots' | 'internal')[] | undefined;
      /** Only sessions with this `source`; repeat it for one of several values; empty: without a value */
      'filter[source]'?: FilterValues | undefined;
      /** Only sessions without this `source`; repeat it for none of several */
      'filter[source][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `source` that contains the text, in any case */
      'filter[source][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `source` that contains the text */
      'filter[source][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `medium`; repeat it for one of several values; empty: without a value */
      'filter[medium]'?: FilterValues | undefined;
      /** Only sessions without this `medium`; repeat it for none of several */
      'filter[medium][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `medium` that contains the text, in any case */
      'filter[medium][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `medium` that contains the text */
      'filter[medium][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `campaign`; repeat it for one of several values; empty: without a value */
      'filter[campaign]'?: FilterValues | undefined;
      /** Only sessions without this `campaign`; repeat it for none of several */
      'filter[campaign][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `campaign` that contains the text, in any case */
      'filter[campaign][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `campaign` that contains the text */
      'filter[campaign][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `landingPage`; repeat it for one of several values; empty: without a value */
      'filter[landingPage]'?: FilterValues | undefined;
      /** Only sessions without this `landingPage`; repeat it for none of several */
      'filter[landingPage][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `landingPage` that contains the text, in any case */
      'filter[landingPage][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `landingPage` that contains the text */
      'filter[landingPage][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `country`; repeat it for one of several values; empty: without a value */
      'filter[country]'?: FilterValues | undefined;
      /** Only sessions without this `country`; repeat it for none of several */
      'filter[country][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `country` that contains the text, in any case */
      'filter[country][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `country` that contains the text */
      'filter[country][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `device`; repeat it for one of several values; empty: without a value */
      'filter[device]'?: FilterValues | undefined;
      /** Only sessions without this `device`; repeat it for none of several */
      'filter[device][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `device` that contains the text, in any case */
      'filter[device][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `device` that contains the text */
      'filter[device][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `channel`; repeat it for one of several values; empty: without a value */
      'filter[channel]'?: FilterValues | undefined;
      /** Only sessions without this `channel`; repeat it for none of several */
      'filter[channel][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `channel` that contains the text, in any case */
      'filter[channel][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `channel` that contains the text */
      'filter[channel][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `term`; repeat it for one of several values; empty: without a value */
      'filter[term]'?: FilterValues | undefined;
      /** Only sessions without this `term`; repeat it for none of several */
      'filter[term][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `term` that contains the text, in any case */
      'filter[term][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `term` that contains the text */
      'filter[term][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `content`; repeat it for one of several values; empty: without a value */
      'filter[content]'?: FilterValues | undefined;
      /** Only sessions without this `content`; repeat it for none of several */
      'filter[content][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `content` that contains the text, in any case */
      'filter[content][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `content` that contains the text */
      'filter[content][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `referrer`; repeat it for one of several values; empty: without a value */
      'filter[referrer]'?: FilterValues | undefined;
      /** Only sessions without this `referrer`; repeat it for none of several */
      'filter[referrer][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `referrer` that contains the text, in any case */
      'filter[referrer][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `referrer` that contains the text */
      'filter[referrer][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `exitPage`; repeat it for one of several values; empty: without a value */
      'filter[exitPage]'?: FilterValues | undefined;
      /** Only sessions without this `exitPage`; repeat it for none of several */
      'filter[exitPage][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `exitPage` that contains the text, in any case */
      'filter[exitPage][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `exitPage` that contains the text */
      'filter[exitPage][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `browser`; repeat it for one of several values; empty: without a value */
      'filter[browser]'?: FilterValues | undefined;
      /** Only sessions without this `browser`; repeat it for none of several */
      'filter[browser][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `browser` that contains the text, in any case */
      'filter[browser][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `browser` that contains the text */
      'filter[browser][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `os`; repeat it for one of several values; empty: without a value */
      'filter[os]'?: FilterValues | undefined;
      /** Only sessions without this `os`; repeat it for none of several */
      'filter[os][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `os` that contains the text, in any case */
      'filter[os][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `os` that contains the text */
      'filter[os][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `region`; repeat it for one of several values; empty: without a value */
      'filter[region]'?: FilterValues | undefined;
      /** Only sessions without this `region`; repeat it for none of several */
      'filter[region][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `region` that contains the text, in any case */
      'filter[region][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `region` that contains the text */
      'filter[region][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `platform`; repeat it for one of several values; empty: without a value */
      'filter[platform]'?: FilterValues | undefined;
      /** Only sessions without this `platform`; repeat it for none of several */
      'filter[platform][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `platform` that contains the text, in any case */
      'filter[platform][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `platform` that contains the text */
      'filter[platform][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `page`; repeat it for one of several values; empty: without a value */
      'filter[page]'?: FilterValues | undefined;
      /** Only sessions without this `page`; repeat it for none of several */
      'filter[page][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `page` that contains the text, in any case */
      'filter[page][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `page` that contains the text */
      'filter[page][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `event`; repeat it for one of several values; empty: without a value */
      'filter[event]'?: FilterValues | undefined;
      /** Only sessions without this `event`; repeat it for none of several */
      'filter[event][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `event` that contains the text, in any case */
      'filter[event][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `event` that contains the text */
      'filter[event][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `funnel`; repeat it for one of several values; empty: without a value */
      'filter[funnel]'?: FilterValues | undefined;
      /** Only sessions without this `funnel`; repeat it for none of several */
      'filter[funnel][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `funnel` that contains the text, in any case */
      'filter[funnel][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `funnel` that contains the text */
      'filter[funnel][containsNot]'?: FilterTexts | undefined;
      event: string;
      /** Whose values are counted */
      property?: string | undefined;
      /** Only values that contain this text, in any case */
      contains?: string | undefined;
      /** The number of values */
      limit?: number | undefined;
    };
    body: undefined;
    response: PropertyReport;
  };
  /**
   * List the sessions of a period by pages or duration.
   *
   * Only sessions that match the filters of reports. `GET /v1/sessions` lists them by time, with other filters.
   */
  listRankedSessions: {
    params: {
      /** The start: a day of `timeZone`, such as 2026-11-20, a time of it on a quarter of an hour, such as 2026-11-20T08:15, or an RFC 3339 time */
      from: string;
      /** The end, in the format of `from`; the period ends before it */
      to: string;
      /** A name of the IANA time zone database; defaults to the time zone of the account */
      timeZone?: string | undefined;
      /** Includes traffic that is left out by default: `bots`, `internal` (from excluded IPs), or both, separated by a comma */
      include?: string | ('bots' | 'internal')[] | undefined;
      /** Only sessions with this `source`; repeat it for one of several values; empty: without a value */
      'filter[source]'?: FilterValues | undefined;
      /** Only sessions without this `source`; repeat it for none of several */
      'filter[source][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `source` that contains the text, in any case */
      'filter[source][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `source` that contains the text */
      'filter[source][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `medium`; repeat it for one of several values; empty: without a value */
      'filter[medium]'?: FilterValues | undefined;
      /** Only sessions without this `medium`; repeat it for none of several */
      'filter[medium][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `medium` that contains the text, in any case */
      'filter[medium][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `medium` that contains the text */
      'filter[medium][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `campaign`; repeat it for one of several values; empty: without a value */
      'filter[campaign]'?: FilterValues | undefined;
      /** Only sessions without this `campaign`; repeat it for none of several */
      'filter[campaign][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `campaign` that contains the text, in any case */
      'filter[campaign][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `campaign` that contains the text */
      'filter[campaign][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `landingPage`; repeat it for one of several values; empty: without a value */
      'filter[landingPage]'?: FilterValues | undefined;
      /** Only sessions without this `landingPage`; repeat it for none of several */
      'filter[landingPage][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `landingPage` that contains the text, in any case */
      'filter[landingPage][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `landingPage` that contains the text */
      'filter[landingPage][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `country`; repeat it for one of several values; empty: without a value */
      'filter[country]'?: FilterValues | undefined;
      /** Only sessions without this `country`; repeat it for none of several */
      'filter[country][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `country` that contains the text, in any case */
      'filter[country][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `country` that contains the text */
      'filter[country][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `device`; repeat it for one of several values; empty: without a value */
      'filter[device]'?: FilterValues | undefined;
      /** Only sessions without this `device`; repeat it for none of several */
      'filter[device][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `device` that contains the text, in any case */
      'filter[device][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `device` that contains the text */
      'filter[device][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `channel`; repeat it for one of several values; empty: without a value */
      'filter[channel]'?: FilterValues | undefined;
      /** Only sessions without this `channel`; repeat it for none of several */
      'filter[channel][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `channel` that contains the text, in any case */
      'filter[channel][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `channel` that contains the text */
      'filter[channel][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `term`; repeat it for one of several values; empty: without a value */
      'filter[term]'?: FilterValues | undefined;
      /** Only sessions without this `term`; repeat it for none of several */
      'filter[term][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `term` that contains the text, in any case */
      'filter[term][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `term` that contains the text */
      'filter[term][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `content`; repeat it for one of several values; empty: without a value */
      'filter[content]'?: FilterValues | undefined;
      /** Only sessions without this `content`; repeat it for none of several */
      'filter[content][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `content` that contains the text, in any case */
      'filter[content][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `content` that contains the text */
      'filter[content][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `referrer`; repeat it for one of several values; empty: without a value */
      'filter[referrer]'?: FilterValues | undefined;
      /** Only sessions without this `referrer`; repeat it for none of several */
      'filter[referrer][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `referrer` that contains the text, in any case */
      'filter[referrer][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `referrer` that contains the text */
      'filter[referrer][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `exitPage`; repeat it for one of several values; empty: without a value */
      'filter[exitPage]'?: FilterValues | undefined;
      /** Only sessions without this `exitPage`; repeat it for none of several */
      'filter[exitPage][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `exitPage` that contains the text, in any case */
      'filter[exitPage][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `exitPage` that contains the text */
      'filter[exitPage][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `browser`; repeat it for one of several values; empty: without a value */
      'filter[browser]'?: FilterValues | undefined;
      /** Only sessions without this `browser`; repeat it for none of several */
      'filter[browser][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `browser` that contains the text, in any case */
      'filter[browser][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `browser` that contains the text */
      'filter[browser][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `os`; repeat it for one of several values; empty: without a value */
      'filter[os]'?: FilterValues | undefined;
      /** Only sessions without this `os`; repeat it for none of several */
      'filter[os][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `os` that contains the text, in any case */
      'filter[os][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `os` that contains the text */
      'filter[os][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `region`; repeat it for one of several values; empty: without a value */
      'filter[region]'?: FilterValues | undefined;
      /** Only sessions without this `region`; repeat it for none of several */
      'filter[region][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `region` that contains the text, in any case */
      'filter[region][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `region` that contains the text */
      'filter[region][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `platform`; repeat it for one of several values; empty: without a value */
      'filter[platform]'?: FilterValues | undefined;
      /** Only sessions without this `platform`; repeat it for none of several */
      'filter[platform][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `platform` that contains the text, in any case */
      'filter[platform][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `platform` that contains the text */
      'filter[platform][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `page`; repeat it for one of several values; empty: without a value */
      'filter[page]'?: FilterValues | undefined;
      /** Only sessions without this `page`; repeat it for none of several */
      'filter[page][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `page` that contains the text, in any case */
      'filter[page][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `page` that contains the text */
      'filter[page][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `event`; repeat it for one of several values; empty: without a value */
      'filter[event]'?: FilterValues | undefined;
      /** Only sessions without this `event`; repeat it for none of several */
      'filter[event][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `event` that contains the text, in any case */
      'filter[event][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `event` that contains the text */
      'filter[event][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `funnel`; repeat it for one of several values; empty: without a value */
      'filter[funnel]'?: FilterValues | undefined;
      /** Only sessions without this `funnel`; repeat it for none of several */
      'filter[funnel][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `funnel` that contains the text, in any case */
      'filter[funnel][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `funnel` that contains the text */
      'filter[funnel][containsNot]'?: FilterTexts | undefined;
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      /** By the number of visits, or by the whole seconds from the first to the last one */
      sort?: 'pages:desc' | 'pages:asc' | 'duration:desc' | 'duration:asc' | undefined;
    };
    body: undefined;
    response: ListRankedSessionsResult;
    item: Session;
  };
  /**
   * Attribute conversions to the sessions that led to them.
   *
   * Shares each conversion among the sessions of its visitor and lead by five models: first-touch, last-touch, linear, position-based (40 % first, 40 % last, 20 % between) and time decay (halves every seven days).
   */
  getAttribution: {
    params: {
      /** The start: a day of `timeZone`, such as 2026-11-20, a time of it on a quarter of an hour, such as 2026-11-20T08:15, or an RFC 3339 time */
      from: string;
      /** The end, in the format of `from`; the period ends before it */
      to: string;
      /** A name of the IANA time zone database; defaults to the time zone of the account */
      timeZone?: string | undefined;
      /** Includes traffic that is left out by default: `bots`, `internal` (from excluded IPs), or both, separated by a comma */
      include?: string | ('bots' | 'internal')[] | undefined;
      /** Only sessions with this `source`; repeat it for one of several values; empty: without a value */
      'filter[source]'?: FilterValues | undefined;
      /** Only sessions without this `source`; repeat it for none of several */
      'filter[source][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `source` that contains the text, in any case */
      'filter[source][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `source` that contains the text */
      'filter[source][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `medium`; repeat it for one of several values; empty: without a value */
      'filter[medium]'?: FilterValues | undefined;
      /** Only sessions without this `medium`; repeat it for none of several */
      'filter[medium][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `medium` that contains the text, in any case */
      'filter[medium][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `medium` that contains the text */
      'filter[medium][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `campaign`; repeat it for one of several values; empty: without a value */
      'filter[campaign]'?: FilterValues | undefined;
      /** Only sessions without this `campaign`; repeat it for none of several */
      'filter[campaign][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `campaign` that contains the text, in any case */
      'filter[campaign][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `campaign` that contains the text */
      'filter[campaign][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `landingPage`; repeat it for one of several values; empty: without a value */
      'filter[landingPage]'?: FilterValues | undefined;
      /** Only sessions without this `landingPage`; repeat it for none of several */
      'filter[landingPage][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `landingPage` that contains the text, in any case */
      'filter[landingPage][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `landingPage` that contains the text */
      'filter[landingPage][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `country`; repeat it for one of several values; empty: without a value */
      'filter[country]'?: FilterValues | undefined;
      /** Only sessions without this `country`; repeat it for none of several */
      'filter[country][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `country` that contains the text, in any case */
      'filter[country][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `country` that contains the text */
      'filter[country][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `device`; repeat it for one of several values; empty: without a value */
      'filter[device]'?: FilterValues | undefined;
      /** Only sessions without this `device`; repeat it for none of several */
      'filter[device][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `device` that contains the text, in any case */
      'filter[device][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `device` that contains the text */
      'filter[device][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `channel`; repeat it for one of several values; empty: without a value */
      'filter[channel]'?: FilterValues | undefined;
      /** Only sessions without this `channel`; repeat it for none of several */
      'filter[channel][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `channel` that contains the text, in any case */
      'filter[channel][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `channel` that contains the text */
      'filter[channel][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `term`; repeat it for one of several values; empty: without a value */
      'filter[term]'?: FilterValues | undefined;
      /** Only sessions without this `term`; repeat it for none of several */
      'filter[term][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `term` that contains the text, in any case */
      'filter[term][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `term` that contains the text */
      'filter[term][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `content`; repeat it for one of several values; empty: without a value */
      'filter[content]'?: FilterValues | undefined;
      /** Only sessions without this `content`; repeat it for none of several */
      'filter[content][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `content` that contains the text, in any case */
      'filter[content][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `content` that contains the text */
      'filter[content][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `referrer`; repeat it for one of several values; empty: without a value */
      'filter[referrer]'?: FilterValues | undefined;
      /** Only sessions without this `referrer`; repeat it for none of several */
      'filter[referrer][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `referrer` that contains the text, in any case */
      'filter[referrer][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `referrer` that contains the text */
      'filter[referrer][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `exitPage`; repeat it for one of several values; empty: without a value */
      'filter[exitPage]'?: FilterValues | undefined;
      /** Only sessions without this `exitPage`; repeat it for none of several */
      'filter[exitPage][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `exitPage` that contains the text, in any case */
      'filter[exitPage][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `exitPage` that contains the text */
      'filter[exitPage][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `browser`; repeat it for one of several values; empty: without a value */
      'filter[browser]'?: FilterValues | undefined;
      /** Only sessions without this `browser`; repeat it for none of several */
      'filter[browser][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `browser` that contains the text, in any case */
      'filter[browser][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `browser` that contains the text */
      'filter[browser][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `os`; repeat it for one of several values; empty: without a value */
      'filter[os]'?: FilterValues | undefined;
      /** Only sessions without this `os`; repeat it for none of several */
      'filter[os][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `os` that contains the text, in any case */
      'filter[os][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `os` that contains the text */
      'filter[os][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `region`; repeat it for one of several values; empty: without a value */
      'filter[region]'?: FilterValues | undefined;
      /** Only sessions without this `region`; repeat it for none of several */
      'filter[region][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `region` that contains the text, in any case */
      'filter[region][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `region` that contains the text */
      'filter[region][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `platform`; repeat it for one of several values; empty: without a value */
      'filter[platform]'?: FilterValues | undefined;
      /** Only sessions without this `platform`; repeat it for none of several */
      'filter[platform][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `platform` that contains the text, in any case */
      'filter[platform][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `platform` that contains the text */
      'filter[platform][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `page`; repeat it for one of several values; empty: without a value */
      'filter[page]'?: FilterValues | undefined;
      /** Only sessions without this `page`; repeat it for none of several */
      'filter[page][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `page` that contains the text, in any case */
      'filter[page][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `page` that contains the text */
      'filter[page][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `event`; repeat it for one of several values; empty: without a value */
      'filter[event]'?: FilterValues | undefined;
      /** Only sessions without this `event`; repeat it for none of several */
      'filter[event][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `event` that contains the text, in any case */
      'filter[event][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `event` that contains the text */
      'filter[event][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `funnel`; repeat it for one of several values; empty: without a value */
      'filter[funnel]'?: FilterValues | undefined;
      /** Only sessions without this `funnel`; repeat it for none of several */
      'filter[funnel][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `funnel` that contains the text, in any case */
      'filter[funnel][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `funnel` that contains the text */
      'filter[funnel][containsNot]'?: FilterTexts | undefined;
      by?: 'source' | 'medium' | 'campaign' | 'landingPage' | 'country' | 'device' | 'channel' | 'term' | 'content' | 'referrer' | 'exitPage' | 'browser' | 'os' | 'region' | 'platform' | undefined;
      /** Responds as it would have at this time (RFC 3339, or a day: when it starts): by the reports, costs and rates that were known then */
      asKnownOn?: string | undefined;
      /** The lookback window: how long before a conversion a session counts */
      windowDays?: number | undefined;
    };
    body: undefined;
    response: Attribution;
  };
  /**
   * Count unmatched conversions by identifier and reason.
   *
   * Shows why conversions were not matched, such as a click ID that no visit had.
   */
  getUnmatchedReport: {
    params: {
      /** The start: a day of `timeZone`, such as 2026-11-20, a time of it on a quarter of an hour, such as 2026-11-20T08:15, or an RFC 3339 time */
      from: string;
      /** The end, in the format of `from`; the period ends before it */
      to: string;
      /** A name of the IANA time zone database; defaults to the time zone of the account */
      timeZone?: string | undefined;
      /** Includes traffic that is left out by default: `bots`, `internal` (from excluded IPs), or both, separated by a comma */
      include?: string | ('bots' | 'internal')[] | undefined;
      /** Only sessions with this `source`; repeat it for one of several values; empty: without a value */
      'filter[source]'?: FilterValues | undefined;
      /** Only sessions without this `source`; repeat it for none of several */
      'filter[source][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `source` that contains the text, in any case */
      'filter[source][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `source` that contains the text */
      'filter[source][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `medium`; repeat it for one of several values; empty: without a value */
      'filter[medium]'?: FilterValues | undefined;
      /** Only sessions without this `medium`; repeat it for none of several */
      'filter[medium][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `medium` that contains the text, in any case */
      'filter[medium][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `medium` that contains the text */
      'filter[medium][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `campaign`; repeat it for one of several values; empty: without a value */
      'filter[campaign]'?: FilterValues | undefined;
      /** Only sessions without this `campaign`; repeat it for none of several */
      'filter[campaign][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `campaign` that contains the text, in any case */
      'filter[campaign][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `campaign` that contains the text */
      'filter[campaign][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `landingPage`; repeat it for one of several values; empty: without a value */
      'filter[landingPage]'?: FilterValues | undefined;
      /** Only sessions without this `landingPage`; repeat it for none of several */
      'filter[landingPage][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `landingPage` that contains the text, in any case */
      'filter[landingPage][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `landingPage` that contains the text */
      'filter[landingPage][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `country`; repeat it for one of several values; empty: without a value */
      'filter[country]'?: FilterValues | undefined;
      /** Only sessions without this `country`; repeat it for none of several */
      'filter[country][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `country` that contains the text, in any case */
      'filter[country][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `country` that contains the text */
      'filter[country][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `device`; repeat it for one of several values; empty: without a value */
      'filter[device]'?: FilterValues | undefined;
      /** Only sessions without this `device`; repeat it for none of several */
      'filter[device][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `device` that contains the text, in any case */
      'filter[device][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `device` that contains the text */
      'filter[device][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `channel`; repeat it for one of several values; empty: without a value */
      'filter[channel]'?: FilterValues | undefined;
      /** Only sessions without this `channel`; repeat it for none of several */
      'filter[channel][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `channel` that contains the text, in any case */
      'filter[channel][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `channel` that contains the text */
      'filter[channel][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `term`; repeat it for one of several values; empty: without a value */
      'filter[term]'?: FilterValues | undefined;
      /** Only sessions without this `term`; repeat it for none of several */
      'filter[term][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `term` that contains the text, in any case */
      'filter[term][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `term` that contains the text */
      'filter[term][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `content`; repeat it for one of several values; empty: without a value */
      'filter[content]'?: FilterValues | undefined;
      /** Only sessions without this `content`; repeat it for none of several */
      'filter[content][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `content` that contains the text, in any case */
      'filter[content][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `content` that contains the text */
      'filter[content][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `referrer`; repeat it for one of several values; empty: without a value */
      'filter[referrer]'?: FilterValues | undefined;
      /** Only sessions without this `referrer`; repeat it for none of several */
      'filter[referrer][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `referrer` that contains the text, in any case */
      'filter[referrer][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `referrer` that contains the text */
      'filter[referrer][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `exitPage`; repeat it for one of several values; empty: without a value */
      'filter[exitPage]'?: FilterValues | undefined;
      /** Only sessions without this `exitPage`; repeat it for none of several */
      'filter[exitPage][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `exitPage` that contains the text, in any case */
      'filter[exitPage][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `exitPage` that contains the text */
      'filter[exitPage][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `browser`; repeat it for one of several values; empty: without a value */
      'filter[browser]'?: FilterValues | undefined;
      /** Only sessions without this `browser`; repeat it for none of several */
      'filter[browser][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `browser` that contains the text, in any case */
      'filter[browser][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `browser` that contains the text */
      'filter[browser][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `os`; repeat it for one of several values; empty: without a value */
      'filter[os]'?: FilterValues | undefined;
      /** Only sessions without this `os`; repeat it for none of several */
      'filter[os][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `os` that contains the text, in any case */
      'filter[os][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `os` that contains the text */
      'filter[os][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `region`; repeat it for one of several values; empty: without a value */
      'filter[region]'?: FilterValues | undefined;
      /** Only sessions without this `region`; repeat it for none of several */
      'filter[region][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `region` that contains the text, in any case */
      'filter[region][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `region` that contains the text */
      'filter[region][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `platform`; repeat it for one of several values; empty: without a value */
      'filter[platform]'?: FilterValues | undefined;
      /** Only sessions without this `platform`; repeat it for none of several */
      'filter[platform][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `platform` that contains the text, in any case */
      'filter[platform][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `platform` that contains the text */
      'filter[platform][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `page`; repeat it for one of several values; empty: without a value */
      'filter[page]'?: FilterValues | undefined;
      /** Only sessions without this `page`; repeat it for none of several */
      'filter[page][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `page` that contains the text, in any case */
      'filter[page][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `page` that contains the text */
      'filter[page][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `event`; repeat it for one of several values; empty: without a value */
      'filter[event]'?: FilterValues | undefined;
      /** Only sessions without this `event`; repeat it for none of several */
      'filter[event][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `event` that contains the text, in any case */
      'filter[event][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `event` that contains the text */
      'filter[event][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `funnel`; repeat it for one of several values; empty: without a value */
      'filter[funnel]'?: FilterValues | undefined;
      /** Only sessions without this `funnel`; repeat it for none of several */
      'filter[funnel][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `funnel` that contains the text, in any case */
      'filter[funnel][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `funnel` that contains the text */
      'filter[funnel][containsNot]'?: FilterTexts | undefined;
    };
    body: undefined;
    response: UnmatchedReport;
  };
  /**
   * List shared links.
   *
   * Newest first; at most 100. Viewers do not see them.
   */
  listSharedLinks: {
    params: undefined;
    body: undefined;
    response: ListSharedLinksResult;
  };
  /**
   * Share a report by a link.
   *
   * Anyone with the link can read the overview, or a funnel, of a period with these filters, and nothing else of the account: no leads, sessions, conversions or files. Delete the link to revoke it.
   */
  createSharedLink: {
    params: undefined;
    body: CreateSharedLinkRequest;
    response: SharedLink;
  };
  /**
   * Change a shared link.
   *
   * Changes only the members that are sent. The URL of the link and the report that it shows stay the same.
   */
  updateSharedLink: {
    params: {
      linkId: string;
    };
    body: UpdateSharedLinkRequest;
    response: SharedLink;
  };
  /**
   * Revoke a shared link.
   *
   * The link stops working at once.
   */
  deleteSharedLink: {
    params: {
      linkId: string;
    };
    body: undefined;
    response: DeleteSharedLinkResult;
  };
  /**
   * Get what a link shares.
   *
   * 404 for a link that was revoked; 401 `password_required` until it is unlocked.
   */
  getSharedReport: {
    params: undefined;
    body: undefined;
    response: SharedReport;
  };
  /**
   * Unlock a shared report by its password.
   *
   * After failures, 429 `too_many_attempts` with a growing `Retry-After`.
   */
  unlockSharedReport: {
    params: undefined;
    body: UnlockSharedReportRequest;
    response: UnlockSharedReportResult;
  };
  /**
   * Get the overview that a link shares.
   *
   * Of an interactive link, the filters of the query apply besides those of the link.
   */
  getSharedOverview: {
    params: {
      /** The start: a day of `timeZone`, such as 2026-11-20, a time of it on a quarter of an hour, such as 2026-11-20T08:15, or an RFC 3339 time */
      from?: string | undefined;
      /** The end, in the format of `from`; the period ends before it */
      to?: string | undefined;
      /** Only sessions with this `source`; repeat it for one of several values; empty: without a value */
      'filter[source]'?: FilterValues | undefined;
      /** Only sessions without this `source`; repeat it for none of several */
      'filter[source][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `source` that contains the text, in any case */
      'filter[source][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `source` that contains the text */
      'filter[source][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `medium`; repeat it for one of several values; empty: without a value */
      'filter[medium]'?: FilterValues | undefined;
      /** Only sessions without this `medium`; repeat it for none of several */
      'filter[medium][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `medium` that contains the text, in any case */
      'filter[medium][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `medium` that contains the text */
      'filter[medium][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `campaign`; repeat it for one of several values; empty: without a value */
      'filter[campaign]'?: FilterValues | undefined;
      /** Only sessions without this `campaign`; repeat it for none of several */
      'filter[campaign][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `campaign` that contains the text, in any case */
      'filter[campaign][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `campaign` that contains the text */
      'filter[campaign][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `landingPage`; repeat it for one of several values; empty: without a value */
      'filter[landingPage]'?: FilterValues | undefined;
      /** Only sessions without this `landingPage`; repeat it for none of several */
      'filter[landingPage][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `landingPage` that contains the text, in any case */
      'filter[landingPage][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `landingPage` that contains the text */
      'filter[landingPage][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `country`; repeat it for one of several values; empty: without a value */
      'filter[country]'?: FilterValues | undefined;
      /** Only sessions without this `country`; repeat it for none of several */
      'filter[country][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `country` that contains the text, in any case */
      'filter[country][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `country` that contains the text */
      'filter[country][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `device`; repeat it for one of several values; empty: without a value */
      'filter[device]'?: FilterValues | undefined;
      /** Only sessions without this `device`; repeat it for none of several */
      'filter[device][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `device` that contains the text, in any case */
      'filter[device][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `device` that contains the text */
      'filter[device][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `channel`; repeat it for one of several values; empty: without a value */
      'filter[channel]'?: FilterValues | undefined;
      /** Only sessions without this `channel`; repeat it for none of several */
      'filter[channel][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `channel` that contains the text, in any case */
      'filter[channel][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `channel` that contains the text */
      'filter[channel][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `term`; repeat it for one of several values; empty: without a value */
      'filter[term]'?: FilterValues | undefined;
      /** Only sessions without this `term`; repeat it for none of several */
      'filter[term][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `term` that contains the text, in any case */
      'filter[term][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `term` that contains the text */
      'filter[term][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `content`; repeat it for one of several values; empty: without a value */
      'filter[content]'?: FilterValues | undefined;
      /** Only sessions without this `content`; repeat it for none of several */
      'filter[content][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `content` that contains the text, in any case */
      'filter[content][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `content` that contains the text */
      'filter[content][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `referrer`; repeat it for one of several values; empty: without a value */
      'filter[referrer]'?: FilterValues | undefined;
      /** Only sessions without this `referrer`; repeat it for none of several */
      'filter[referrer][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `referrer` that contains the text, in any case */
      'filter[referrer][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `referrer` that contains the text */
      'filter[referrer][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `exitPage`; repeat it for one of several values; empty: without a value */
      'filter[exitPage]'?: FilterValues | undefined;
      /** Only sessions without this `exitPage`; repeat it for none of several */
      'filter[exitPage][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `exitPage` that contains the text, in any case */
      'filter[exitPage][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `exitPage` that contains the text */
      'filter[exitPage][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `browser`; repeat it for one of several values; empty: without a value */
      'filter[browser]'?: FilterValues | undefined;
      /** Only sessions without this `browser`; repeat it for none of several */
      'filter[browser][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `browser` that contains the text, in any case */
      'filter[browser][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `browser` that contains the text */
      'filter[browser][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `os`; repeat it for one of several values; empty: without a value */
      'filter[os]'?: FilterValues | undefined;
      /** Only sessions without this `os`; repeat it for none of several */
      'filter[os][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `os` that contains the text, in any case */
      'filter[os][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `os` that contains the text */
      'filter[os][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `region`; repeat it for one of several values; empty: without a value */
      'filter[region]'?: FilterValues | undefined;
      /** Only sessions without this `region`; repeat it for none of several */
      'filter[region][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `region` that contains the text, in any case */
      'filter[region][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `region` that contains the text */
      'filter[region][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `platform`; repeat it for one of several values; empty: without a value */
      'filter[platform]'?: FilterValues | undefined;
      /** Only sessions without this `platform`; repeat it for none of several */
      'filter[platform][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `platform` that contains the text, in any case */
      'filter[platform][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `platform` that contains the text */
      'filter[platform][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `page`; repeat it for one of several values; empty: without a value */
      'filter[page]'?: FilterValues | undefined;
      /** Only sessions without this `page`; repeat it for none of several */
      'filter[page][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `page` that contains the text, in any case */
      'filter[page][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `page` that contains the text */
      'filter[page][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `event`; repeat it for one of several values; empty: without a value */
      'filter[event]'?: FilterValues | undefined;
      /** Only sessions without this `event`; repeat it for none of several */
      'filter[event][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `event` that contains the text, in any case */
      'filter[event][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `event` that contains the text */
      'filter[event][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `funnel`; repeat it for one of several values; empty: without a value */
      'filter[funnel]'?: FilterValues | undefined;
      /** Only sessions without this `funnel`; repeat it for none of several */
      'filter[funnel][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `funnel` that contains the text, in any case */
      'filter[funnel][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `funnel` that contains the text */
      'filter[funnel][containsNot]'?: FilterTexts | undefined;
      compare?: 'previous' | 'year' | 'none' | undefined;
      interval?: 'hour' | 'day' | 'week' | 'month' | undefined;
    };
    body: undefined;
    response: Overview;
  };
  /**
   * Get a breakdown of the overview that a link shares.
   *
   * As `GET /v1/analytics/breakdown`, for the period and filters of the link.
   */
  getSharedBreakdown: {
    params: {
      /** The start: a day of `timeZone`, such as 2026-11-20, a time of it on a quarter of an hour, such as 2026-11-20T08:15, or an RFC 3339 time */
      from?: string | undefined;
      /** The end, in the format of `from`; the period ends before it */
      to?: string | undefined;
      /** Only sessions with this `source`; repeat it for one of several values; empty: without a value */
      'filter[source]'?: FilterValues | undefined;
      /** Only sessions without this `source`; repeat it for none of several */
      'filter[source][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `source` that contains the text, in any case */
      'filter[source][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `source` that contains the text */
      'filter[source][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `medium`; repeat it for one of several values; empty: without a value */
      'filter[medium]'?: FilterValues | undefined;
      /** Only sessions without this `medium`; repeat it for none of several */
      'filter[medium][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `medium` that contains the text, in any case */
      'filter[medium][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `medium` that contains the text */
      'filter[medium][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `campaign`; repeat it for one of several values; empty: without a value */
      'filter[campaign]'?: FilterValues | undefined;
      /** Only sessions without this `campaign`; repeat it for none of several */
      'filter[campaign][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `campaign` that contains the text, in any case */
      'filter[campaign][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `campaign` that contains the text */
      'filter[campaign][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `landingPage`; repeat it for one of several values; empty: without a value */
      'filter[landingPage]'?: FilterValues | undefined;
      /** Only sessions without this `landingPage`; repeat it for none of several */
      'filter[landingPage][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `landingPage` that contains the text, in any case */
      'filter[landingPage][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `landingPage` that contains the text */
      'filter[landingPage][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `country`; repeat it for one of several values; empty: without a value */
      'filter[country]'?: FilterValues | undefined;
      /** Only sessions without this `country`; repeat it for none of several */
      'filter[country][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `country` that contains the text, in any case */
      'filter[country][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `country` that contains the text */
      'filter[country][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `device`; repeat it for one of several values; empty: without a value */
      'filter[device]'?: FilterValues | undefined;
      /** Only sessions without this `device`; repeat it for none of several */
      'filter[device][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `device` that contains the text, in any case */
      'filter[device][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `device` that contains the text */
      'filter[device][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `channel`; repeat it for one of several values; empty: without a value */
      'filter[channel]'?: FilterValues | undefined;
      /** Only sessions without this `channel`; repeat it for none of several */
      'filter[channel][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `channel` that contains the text, in any case */
      'filter[channel][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `channel` that contains the text */
      'filter[channel][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `term`; repeat it for one of several values; empty: without a value */
      'filter[term]'?: FilterValues | undefined;
      /** Only sessions without this `term`; repeat it for none of several */
      'filter[term][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `term` that contains the text, in any case */
      'filter[term][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `term` that contains the text */
      'filter[term][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `content`; repeat it for one of several values; empty: without a value */
      'filter[content]'?: FilterValues | undefined;
      /** Only sessions without this `content`; repeat it for none of several */
      'filter[content][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `content` that contains the text, in any case */
      'filter[content][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `content` that contains the text */
      'filter[content][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `referrer`; repeat it for one of several values; empty: without a value */
      'filter[referrer]'?: FilterValues | undefined;
      /** Only sessions without this `referrer`; repeat it for none of several */
      'filter[referrer][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `referrer` that contains the text, in any case */
      'filter[referrer][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `referrer` that contains the text */
      'filter[referrer][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `exitPage`; repeat it for one of several values; empty: without a value */
      'filter[exitPage]'?: FilterValues | undefined;
      /** Only sessions without this `exitPage`; repeat it for none of several */
      'filter[exitPage][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `exitPage` that contains the text, in any case */
      'filter[exitPage][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `exitPage` that contains the text */
      'filter[exitPage][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `browser`; repeat it for one of several values; empty: without a value */
      'filter[browser]'?: FilterValues | undefined;
      /** Only sessions without this `browser`; repeat it for none of several */
      'filter[browser][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `browser` that contains the text, in any case */
      'filter[browser][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `browser` that contains the text */
      'filter[browser][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `os`; repeat it for one of several values; empty: without a value */
      'filter[os]'?: FilterValues | undefined;
      /** Only sessions without this `os`; repeat it for none of several */
      'filter[os][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `os` that contains the text, in any case */
      'filter[os][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `os` that contains the text */
      'filter[os][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `region`; repeat it for one of several values; empty: without a value */
      'filter[region]'?: FilterValues | undefined;
      /** Only sessions without this `region`; repeat it for none of several */
      'filter[region][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `region` that contains the text, in any case */
      'filter[region][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `region` that contains the text */
      'filter[region][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `platform`; repeat it for one of several values; empty: without a value */
      'filter[platform]'?: FilterValues | undefined;
      /** Only sessions without this `platform`; repeat it for none of several */
      'filter[platform][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `platform` that contains the text, in any case */
      'filter[platform][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `platform` that contains the text */
      'filter[platform][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `page`; repeat it for one of several values; empty: without a value */
      'filter[page]'?: FilterValues | undefined;
      /** Only sessions without this `page`; repeat it for none of several */
      'filter[page][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `page` that contains the text, in any case */
      'filter[page][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `page` that contains the text */
      'filter[page][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `event`; repeat it for one of several values; empty: without a value */
      'filter[event]'?: FilterValues | undefined;
      /** Only sessions without this `event`; repeat it for none of several */
      'filter[event][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `event` that contains the text, in any case */
      'filter[event][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `event` that contains the text */
      'filter[event][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `funnel`; repeat it for one of several values; empty: without a value */
      'filter[funnel]'?: FilterValues | undefined;
      /** Only sessions without this `funnel`; repeat it for none of several */
      'filter[funnel][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `funnel` that contains the text, in any case */
      'filter[funnel][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `funnel` that contains the text */
      'filter[funnel][containsNot]'?: FilterTexts | undefined;
      /** Dimensions, separated by commas: `source`, `medium`, `campaign`, `landingPage`, `country`, `device`, `channel`, `term`, `content`, `referrer`, `exitPage`, `browser`, `os`, `region`, `platform`, `page`, `event`, `funnel` */
      by: string | ReportDimension[];
      /** The number of values of each dimension */
      limit?: number | undefined;
      /** Values are sorted by this number, descending */
      order?: 'visits' | 'visitors' | 'sessions' | 'leads' | 'conversions' | 'revenue' | 'events' | undefined;
    };
    body: undefined;
    response: Breakdown;
  };
  /**
   * List the annotations of the overview that a link shares.
   *
   * Those of the period. A link without annotations is 400 `not_shared`.
   */
  listSharedAnnotations: {
    params: {
      /** The start: a day of `timeZone`, such as 2026-11-20, a time of it on a quarter of an hour, such as 2026-11-20T08:15, or an RFC 3339 time */
      from?: string | undefined;
      /** The end, in the format of `from`; the period ends before it */
      to?: string | undefined;
    };
    body: undefined;
    response: ListSharedAnnotationsResult;
  };
  /**
   * Get the funnel that a link shares.
   *
   * As `POST /v1/analytics/funnel`, with the steps of the link. A link to the overview is 400 `not_shared`.
   */
  getSharedFunnel: {
    params: {
      /** The start: a day of `timeZone`, such as 2026-11-20, a time of it on a quarter of an hour, such as 2026-11-20T08:15, or an RFC 3339 time */
      from?: string | undefined;
      /** The end, in the format of `from`; the period ends before it */
      to?: string | undefined;
      /** Only sessions with this `source`; repeat it for one of several values; empty: without a value */
      'filter[source]'?: FilterValues | undefined;
      /** Only sessions without this `source`; repeat it for none of several */
      'filter[source][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `source` that contains the text, in any case */
      'filter[source][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `source` that contains the text */
      'filter[source][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `medium`; repeat it for one of several values; empty: without a value */
      'filter[medium]'?: FilterValues | undefined;
      /** Only sessions without this `medium`; repeat it for none of several */
      'filter[medium][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `medium` that contains the text, in any case */
      'filter[medium][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `medium` that contains the text */
      'filter[medium][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `campaign`; repeat it for one of several values; empty: without a value */
      'filter[campaign]'?: FilterValues | undefined;
      /** Only sessions without this `campaign`; repeat it for none of several */
      'filter[campaign][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `campaign` that contains the text, in any case */
      'filter[campaign][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `campaign` that contains the text */
      'filter[campaign][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `landingPage`; repeat it for one of several values; empty: without a value */
      'filter[landingPage]'?: FilterValues | undefined;
      /** Only sessions without this `landingPage`; repeat it for none of several */
      'filter[landingPage][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `landingPage` that contains the text, in any case */
      'filter[landingPage][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `landingPage` that contains the text */
      'filter[landingPage][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `country`; repeat it for one of several values; empty: without a value */
      'filter[country]'?: FilterValues | undefined;
      /** Only sessions without this `country`; repeat it for none of several */
      'filter[country][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `country` that contains the text, in any case */
      'filter[country][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `country` that contains the text */
      'filter[country][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `device`; repeat it for one of several values; empty: without a value */
      'filter[device]'?: FilterValues | undefined;
      /** Only sessions without this `device`; repeat it for none of several */
      'filter[device][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `device` that contains the text, in any case */
      'filter[device][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `device` that contains the text */
      'filter[device][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `channel`; repeat it for one of several values; empty: without a value */
      'filter[channel]'?: FilterValues | undefined;
      /** Only sessions without this `channel`; repeat it for none of several */
      'filter[channel][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `channel` that contains the text, in any case */
      'filter[channel][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `channel` that contains the text */
      'filter[channel][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `term`; repeat it for one of several values; empty: without a value */
      'filter[term]'?: FilterValues | undefined;
      /** Only sessions without this `term`; repeat it for none of several */
      'filter[term][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `term` that contains the text, in any case */
      'filter[term][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `term` that contains the text */
      'filter[term][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `content`; repeat it for one of several values; empty: without a value */
      'filter[content]'?: FilterValues | undefined;
      /** Only sessions without this `content`; repeat it for none of several */
      'filter[content][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `content` that contains the text, in any case */
      'filter[content][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `content` that contains the text */
      'filter[content][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `referrer`; repeat it for one of several values; empty: without a value */
      'filter[referrer]'?: FilterValues | undefined;
      /** Only sessions without this `referrer`; repeat it for none of several */
      'filter[referrer][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `referrer` that contains the text, in any case */
      'filter[referrer][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `referrer` that contains the text */
      'filter[referrer][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `exitPage`; repeat it for one of several values; empty: without a value */
      'filter[exitPage]'?: FilterValues | undefined;
      /** Only sessions without this `exitPage`; repeat it for none of several */
      'filter[exitPage][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `exitPage` that contains the text, in any case */
      'filter[exitPage][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `exitPage` that contains the text */
      'filter[exitPage][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `browser`; repeat it for one of several values; empty: without a value */
      'filter[browser]'?: FilterValues | undefined;
      /** Only sessions without this `browser`; repeat it for none of several */
      'filter[browser][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `browser` that contains the text, in any case */
      'filter[browser][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `browser` that contains the text */
      'filter[browser][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `os`; repeat it for one of several values; empty: without a value */
      'filter[os]'?: FilterValues | undefined;
      /** Only sessions without this `os`; repeat it for none of several */
      'filter[os][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `os` that contains the text, in any case */
      'filter[os][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `os` that contains the text */
      'filter[os][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `region`; repeat it for one of several values; empty: without a value */
      'filter[region]'?: FilterValues | undefined;
      /** Only sessions without this `region`; repeat it for none of several */
      'filter[region][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `region` that contains the text, in any case */
      'filter[region][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `region` that contains the text */
      'filter[region][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `platform`; repeat it for one of several values; empty: without a value */
      'filter[platform]'?: FilterValues | undefined;
      /** Only sessions without this `platform`; repeat it for none of several */
      'filter[platform][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `platform` that contains the text, in any case */
      'filter[platform][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `platform` that contains the text */
      'filter[platform][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `page`; repeat it for one of several values; empty: without a value */
      'filter[page]'?: FilterValues | undefined;
      /** Only sessions without this `page`; repeat it for none of several */
      'filter[page][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `page` that contains the text, in any case */
      'filter[page][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `page` that contains the text */
      'filter[page][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `event`; repeat it for one of several values; empty: without a value */
      'filter[event]'?: FilterValues | undefined;
      /** Only sessions without this `event`; repeat it for none of several */
      'filter[event][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `event` that contains the text, in any case */
      'filter[event][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `event` that contains the text */
      'filter[event][containsNot]'?: FilterTexts | undefined;
      /** Only sessions with this `funnel`; repeat it for one of several values; empty: without a value */
      'filter[funnel]'?: FilterValues | undefined;
      /** Only sessions without this `funnel`; repeat it for none of several */
      'filter[funnel][isNot]'?: FilterValues | undefined;
      /** Only sessions with a `funnel` that contains the text, in any case */
      'filter[funnel][contains]'?: FilterTexts | undefined;
      /** Only sessions without a `funnel` that contains the text */
      'filter[funnel][containsNot]'?: FilterTexts | undefined;
    };
    body: undefined;
    response: Funnel;
  };
  /**
   * Get the timeline of a session or a lead.
   *
   * Sessions, visits, events and conversions, oldest first. A conversion is listed when it happened, each later report of it when it was received.
   */
  getTimeline: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      /** The session; or send `leadId` */
      sessionId?: number | undefined;
      /** The lead, with all of its sessions */
      leadId?: string | undefined;
    };
    body: undefined;
    response: Timeline;
    item: TimelineItem;
  };
  /**
   * Get the conversions and revenue of leads.
   *
   * Complements a list of leads: up to 100 of them in one request.
   */
  getLeadValues: {
    params: {
      /** Repeat it for up to 100 leads */
      leadId: string | string[];
    };
    body: undefined;
    response: GetLeadValuesResult;
  };
  /**
   * Get the number of pages and the duration of sessions.
   *
   * Complements a list of sessions: up to 100 of them in one request.
   */
  getSessionVisits: {
    params: {
      /** Repeat it for up to 100 sessions */
      sessionId: string | string[];
    };
    body: undefined;
    response: GetSessionVisitsResult;
  };
  /**
   * Get the current visitors and the latest activity.
   *
   * May be polled every few seconds; recognize new items by their id.
   */
  getLive: {
    params: undefined;
    body: undefined;
    response: Live;
  };
  /**
   * List saved views of a screen.
   *
   * By name; at most 100.
   */
  listSavedViews: {
    params: {
      screen: 'overview' | 'funnels';
    };
    body: undefined;
    response: ListSavedViewsResult;
  };
  /**
   * Save a view.
   *
   * Replaces the view of the screen with the same name, in any case. Every member of the account can use it.
   */
  saveView: {
    params: undefined;
    body: SaveViewRequest;
    response: SavedView;
  };
  /**
   * Delete a saved view.
   *
   * Everyone in the account loses it. The data that it shows stays.
   */
  deleteSavedView: {
    params: {
      viewId: string;
    };
    body: undefined;
    response: DeleteSavedViewResult;
  };
  /**
   * List annotations.
   *
   * Returns the annotations of a period, or all of them without `from` and `to`: at most 1000, ordered by time.
   */
  listAnnotations: {
    params: {
      /** The start: a day of `timeZone`, such as 2026-11-20, a time of it on a quarter of an hour, such as 2026-11-20T08:15, or an RFC 3339 time */
      from?: string | undefined;
      /** The end, in the format of `from`; the period ends before it */
      to?: string | undefined;
      /** A name of the IANA time zone database; defaults to the time zone of the account */
      timeZone?: string | undefined;
    };
    body: undefined;
    response: ListAnnotationsResult;
  };
  /**
   * Annotate a day or a time.
   *
   * Every member of the account sees it on the chart of the overview.
   */
  createAnnotation: {
    params: undefined;
    body: CreateAnnotationRequest;
    response: Annotation;
  };
  /**
   * Change an annotation.
   *
   * Changes only the members that are sent.
   */
  updateAnnotation: {
    params: {
      annotationId: string;
    };
    body: UpdateAnnotationRequest;
    response: Annotation;
  };
  /**
   * Delete an annotation.
   *
   * Charts no longer show it. The audit log keeps its text.
   */
  deleteAnnotation: {
    params: {
      annotationId: string;
    };
    body: undefined;
    response: DeleteAnnotationResult;
  };
  /**
   * List alerts.
   *
   * Newest first, with the state of each.
   */
  listAlerts: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
    };
    body: undefined;
    response: ListAlertsResult;
    item: Alert;
  };
  /**
   * Create an alert.
   *
   * A rule on a figure, which is evaluated every few minutes. An incident raises one notice when it opens and one when it is resolved.
   */
  createAlert: {
    params: undefined;
    body: CreateAlertRequest | undefined;
    response: Alert;
  };
  /**
   * Get an alert.
   *
   * With its figure at the last evaluation, and its incident if one is open.
   */
  getAlert: {
    params: {
      alertId: string;
    };
    body: undefined;
    response: Alert;
  };
  /**
   * Change an alert.
   *
   * Changes only the members that are sent. The rule is evaluated afresh, and an open incident is closed without a notice.
   */
  updateAlert: {
    params: {
      alertId: string;
    };
    body: UpdateAlertRequest;
    response: Alert;
  };
  /**
   * Delete an alert.
   *
   * Also deletes its incidents. No notice is sent of one that is open.
   */
  deleteAlert: {
    params: {
      alertId: string;
    };
    body: undefined;
    response: DeleteAlertResult;
  };
  /**
   * List the incidents of an alert.
   *
   * Newest first.
   */
  listAlertIncidents: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      alertId: string;
    };
    body: undefined;
    response: ListAlertIncidentsResult;
    item: AlertIncident;
  };
  /**
   * List experiments.
   *
   * Newest first.
   */
  listExperiments: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      status?: 'draft' | 'running' | 'stopped' | 'shipped' | undefined;
    };
    body: undefined;
    response: ListExperimentsResult;
    item: Experiment;
  };
  /**
   * Create an experiment.
   *
   * It is a draft until it is started.
   */
  createExperiment: {
    params: undefined;
    body: CreateExperimentRequest;
    response: Experiment;
  };
  /**
   * Get an experiment.
   *
   * With its variants and state; `GET …/experiments/{experimentId}/results` has the results.
   */
  getExperiment: {
    params: {
      experimentId: string;
    };
    body: undefined;
    response: Experiment;
  };
  /**
   * Change an experiment.
   *
   * Changes only the members that are sent. Once it has started, only `name` and `hypothesis` change, and `coverage` while it is running.
   */
  updateExperiment: {
    params: {
      experimentId: string;
    };
    body: UpdateExperimentRequest;
    response: Experiment;
  };
  /**
   * Start an experiment.
   *
   * From then on its exposures count, and what they are decided by does not change.
   */
  startExperiment: {
    params: {
      experimentId: string;
    };
    body: Record<string, unknown> | null | undefined;
    response: Experiment;
  };
  /**
   * Stop an experiment.
   *
   * No visitor is added. Those it has continue to settle, and its results stay.
   */
  stopExperiment: {
    params: {
      experimentId: string;
    };
    body: Record<string, unknown> | null | undefined;
    response: Experiment;
  };
  /**
   * Ship a variant.
   *
   * Ends the experiment. What the variant replaces becomes a release, which is published at once unless `publish` is false. To undo it, publish the version before from the history of the entries.
   */
  shipExperiment: {
    params: {
      experimentId: string;
    };
    body: ShipExperimentRequest;
    response: Experiment;
  };
  /**
   * Get the variant of a visitor.
   *
   * A pure function of the experiment and the visitor. It records nothing: a visitor counts with the first `experiment_exposure` event.
   */
  getAssignment: {
    params: {
      visitorId: string;
      experimentId: string;
    };
    body: undefined;
    response: ExperimentAssignment;
  };
  /**
   * Get how many visitors an experiment needs.
   *
   * By what the visitors of four weeks did who match the audience: how many visitors, and days, find a difference with the risk of a false decision of 5 % over all looks.
   */
  getExperimentPower: {
    params: {
      /** 0.05: a difference of 5 %. By default several */
      lift?: number | undefined;
      /** With which probability it is found */
      power?: number | undefined;
      experimentId: string;
    };
    body: undefined;
    response: ExperimentPower;
  };
  /**
   * Get the results of an experiment.
   *
   * Only settled visitors decide: those whose window and settling time are over, so that refunds are known. Intervals hold at all looks at once. Bots, own visits and erased persons are left out of every variant.
   */
  getExperimentResults: {
    params: {
      /** Also divides visitors by this, of the session of their first exposure */
      segment?: 'source' | 'medium' | 'campaign' | 'device' | 'browser' | 'os' | 'country' | 'region' | undefined;
      /** Responds as it would have at this time (RFC 3339, or a day: when it starts): by the exposures and reports that were known then */
      asKnownOn?: string | undefined;
      experimentId: string;
    };
    body: undefined;
    response: ExperimentResults;
  };
  /**
   * Create a webhook.
   *
   * Sends everything that happens from now on to the URL, signed according to Standard Webhooks. The response contains the signing secret, which is not shown again.
   */
  createWebhook: {
    params: undefined;
    body: CreateWebhookRequest;
    response: WebhookWithSecret;
  };
  /**
   * List webhooks.
   *
   * Oldest first.
   */
  listWebhooks: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
    };
    body: undefined;
    response: ListWebhooksResult;
    item: Webhook;
  };
  /**
   * Get a webhook.
   *
   * Also tells why it is disabled and since when it fails. The signing secret is not shown again.
   */
  getWebhook: {
    params: {
      id: string;
    };
    body: undefined;
    response: Webhook;
  };
  /**
   * Update a webhook.
   *
   * Updates the members that are sent. A disabled webhook receives nothing: its pending deliveries fail and can be replayed later; what happens while it is disabled is never sent to it.
   */
  updateWebhook: {
    params: {
      id: string;
    };
    body: UpdateWebhookRequest;
    response: Webhook;
  };
  /**
   * Delete a webhook.
   *
   * Nothing more is sent to it, and its deliveries can no longer be read.
   */
  deleteWebhook: {
    params: {
      id: string;
    };
    body: undefined;
    response: Webhook;
  };
  /**
   * Rotate a webhook's secret.
   *
   * Returns a new secret, which is not shown again. The previous secret also signs for 24 hours.
   */
  rotateWebhookSecret: {
    params: {
      id: string;
    };
    body: Record<string, unknown> | null | undefined;
    response: WebhookWithSecret;
  };
  /**
   * Test a webhook.
   *
   * Sends a `webhook.test`, whatever the webhook subscribes to.
   */
  testWebhook: {
    params: {
      id: string;
    };
    body: Record<string, unknown> | null | undefined;
    response: WebhookDelivery;
  };
  /**
   * List deliveries.
   *
   * Those of the last 30 days, newest first.
   */
  listWebhookDeliveries: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      status?: 'pending' | 'delivered' | 'failed' | undefined;
      type?: 'event.recorded' | 'lead.created' | 'lead.updated' | 'conversion.reported' | 'conversion.restated' | 'conversion.matched' | 'entry.created' | 'entry.updated' | 'entry.deleted' | 'entry.published' | 'entry.unpublished' | 'release.completed' | 'release.failed' | 'job.completed' | 'job.failed' | 'destination.failing' | 'cost_source.failing' | 'alert.opened' | 'alert.resolved' | 'webhook.test' | undefined;
      id: string;
    };
    body: undefined;
    response: ListWebhookDeliveriesResult;
    item: WebhookDelivery;
  };
  /**
   * Get a delivery with its payload.
   *
   * With each attempt and the response of the endpoint. Deliveries are stored for 30 days.
   */
  getWebhookDelivery: {
    params: {
      id: string;
      deliveryId: string;
    };
    body: undefined;
    response: WebhookDeliveryWithPayload;
  };
  /**
   * Replay deliveries.
   *
   * Starts a job that sends one delivery again (`deliveryId`), or all of a period with a status, under the same ids. Deliveries are stored for 30 days.
   */
  replayWebhook: {
    params: {
      id: string;
    };
    body: ReplayWebhookRequest | undefined;
    response: Job;
  };
  /**
   * Get the test endpoint.
   *
   * A URL of this service that keeps what arrives there for 24 hours, the last 50 requests, the newest first. Create a webhook with it to see what an endpoint receives.
   */
  getWebhookTestEndpoint: {
    params: undefined;
    body: undefined;
    response: WebhookTestEndpoint;
  };
  /**
   * Clear the test endpoint.
   *
   * Deletes what arrived. The URL stays the same.
   */
  clearWebhookTestEndpoint: {
    params: undefined;
    body: undefined;
    response: ClearWebhookTestEndpointResult;
  };
  /**
   * List the platforms that conversions can be sent to.
   *
   * With the credentials that each needs and what it can do.
   */
  listDestinationPlatforms: {
    params: undefined;
    body: undefined;
    response: ListDestinationPlatformsResult;
  };
  /**
   * Create a destination.
   *
   * Sends conversions to an ad platform: those that are reported from now on, with their later changes. The credentials are stored encrypted and never returned. Every conversion's fate is in the destination's deliveries.
   */
  createDestination: {
    params: undefined;
    body: CreateDestinationRequest;
    response: Destination;
  };
  /**
   * List destinations.
   *
   * Oldest first.
   */
  listDestinations: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
    };
    body: undefined;
    response: ListDestinationsResult;
    item: Destination;
  };
  /**
   * Get a destination with its counts.
   *
   * Counts are conversions by delivery status. Secrets are never returned.
   */
  getDestination: {
    params: {
      id: string;
    };
    body: undefined;
    response: DestinationWithCounts;
  };
  /**
   * Update a destination.
   *
   * Updates the members that are sent, and of `credentials` those that are sent. New credentials or a `mode` resume a paused destination. What is reported while the mode is `off` is not queued; it can be replayed as `unqueued`.
   */
  updateDestination: {
    params: {
      id: string;
    };
    body: UpdateDestinationRequest;
    response: Destination;
  };
  /**
   * Delete a destination.
   *
   * Nothing more is sent to it, and its deliveries can no longer be read.
   */
  deleteDestination: {
    params: {
      id: string;
    };
    body: undefined;
    response: Destination;
  };
  /**
   * List a destination's deliveries.
   *
   * One for each conversion with its latest state, the latest change first.
   */
  listDestinationDeliveries: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      status?: 'queued' | 'sent' | 'adjusted' | 'retracted' | 'skipped' | 'rejected' | 'not_adjustable' | 'uncertain' | undefined;
      id: string;
    };
    body: undefined;
    response: ListDestinationDeliveriesResult;
    item: DestinationDelivery;
  };
  /**
   * List what became of a conversion at each destination.
   *
   * With the status of each delivery and what the platform responded. Destinations that it was not queued for are not listed.
   */
  listConversionDeliveries: {
    params: {
      conversionId: string;
    };
    body: undefined;
    response: ListConversionDeliveriesResult;
  };
  /**
   * Show the request for a conversion.
   *
   * Sends nothing. Returns the exact request with its secrets masked, or why there is none.
   */
  dryRunDestination: {
    params: {
      id: string;
    };
    body: DryRunDestinationRequest;
    response: DestinationDryRun;
  };
  /**
   * Test a destination's credentials.
   *
   * No conversion is counted: the platform validates a sample, or a request that only reads.
   */
  testDestination: {
    params: {
      id: string;
    };
    body: Record<string, unknown> | null | undefined;
    response: DestinationTest;
  };
  /**
   * Send conversions again.
   *
   * Starts a job that queues one conversion (`conversionId`), or all of a period with certain statuses. What the platform already has unchanged is not sent again.
   */
  replayDestination: {
    params: {
      id: string;
    };
    body: ReplayDestinationRequest | undefined;
    response: Job;
  };
  /**
   * List the platforms whose costs can be read.
   *
   * With the credentials that each needs.
   */
  listCostPlatforms: {
    params: undefined;
    body: undefined;
    response: ListCostPlatformsResult;
  };
  /**
   * Create a cost source.
   *
   * Reads what ads cost from an account of an ad platform: each hour the last 30 days, by campaign, ad group and ad, in the currency of the account. Costs of its days and campaigns that were imported by hand are replaced. The credentials are stored encrypted and never returned.
   */
  createCostSource: {
    params: undefined;
    body: CreateCostSourceRequest;
    response: CostSource;
  };
  /**
   * List cost sources.
   *
   * Oldest first.
   */
  listCostSources: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
    };
    body: undefined;
    response: ListCostSourcesResult;
    item: CostSource;
  };
  /**
   * Get a cost source.
   *
   * With what was read last, when it is read next, and why it is paused. Secrets are never returned.
   */
  getCostSource: {
    params: {
      costSourceId: string;
    };
    body: undefined;
    response: CostSource;
  };
  /**
   * Update a cost source.
   *
   * Updates the members that are sent, and of `credentials` those that are sent. New credentials or a `mode` resume a paused source, which is then read at once.
   */
  updateCostSource: {
    params: {
      costSourceId: string;
    };
    body: UpdateCostSourceRequest;
    response: CostSource;
  };
  /**
   * Delete a cost source.
   *
   * Nothing more is read. What was read stays, unless `deleteCosts` is true.
   */
  deleteCostSource: {
    params: {
      /** Whether the costs that it read are removed, too, by a job */
      deleteCosts?: boolean | undefined;
      costSourceId: string;
    };
    body: undefined;
    response: CostSource;
  };
  /**
   * Read a cost source now.
   *
   * Starts a job that reads its costs, or with `dryRun` shows what would be read and stored: `result` has the period, the currency, the totals, the campaigns, and how many costs that were imported by hand are replaced.
   */
  refreshCostSource: {
    params: {
      costSourceId: string;
    };
    body: {
      /** The first day to read, at most 365 days ago; by default 30 days ago */
      from?: string | null | undefined;
      /** Reads, and stores nothing: the result shows what would be stored */
      dryRun?: boolean | null | undefined;
    } | null;
    response: Job;
  };
  /**
   * Create a warehouse.
   *
   * Exports every dataset as Parquet to a bucket of S3 or a compatible service, by day (UTC), and every half an hour the days that changed. The secret is stored encrypted and never returned.
   */
  createWarehouse: {
    params: undefined;
    body: CreateWarehouseRequest;
    response: Warehouse;
  };
  /**
   * List warehouses.
   *
   * Oldest first, each with what there is in its bucket.
   */
  listWarehouses: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
    };
    body: undefined;
    response: ListWarehousesResult;
    item: Warehouse;
  };
  /**
   * Get a warehouse.
   *
   * With what there is in the bucket, and the state of the export. The secret is never returned.
   */
  getWarehouse: {
    params: {
      warehouseId: string;
    };
    body: undefined;
    response: Warehouse;
  };
  /**
   * Update a warehouse.
   *
   * Updates the members that are sent. What decides where the secret is used (`endpoint`, `region`, `bucket`, `pathStyle`, `accessKeyId`) requires `secretAccessKey` again. Another endpoint, bucket or prefix receives everything anew; files of the one before stay there. It is exported at once.
   */
  updateWarehouse: {
    params: {
      warehouseId: string;
    };
    body: UpdateWarehouseRequest;
    response: Warehouse;
  };
  /**
   * Delete a warehouse.
   *
   * Nothing more is exported, and nothing is erased from the files that are in the bucket.
   */
  deleteWarehouse: {
    params: {
      warehouseId: string;
    };
    body: undefined;
    response: Warehouse;
  };
  /**
   * Test the connection to a bucket.
   *
   * Writes, reads and deletes a file.
   */
  testWarehouse: {
    params: {
      warehouseId: string;
    };
    body: undefined;
    response: WarehouseTest;
  };
  /**
   * Export to a warehouse now.
   *
   * Starts a job that writes the days that changed. With `from`, `to` or `datasets`, these days are written again even if they did not change, such as after files were deleted from the bucket.
   */
  exportWarehouse: {
    params: {
      warehouseId: string;
    };
    body: {
      /** First day that is written again, even if it did not change */
      from?: string | null | undefined;
      /** Last day that is written again */
      to?: string | null | undefined;
      datasets?: WarehouseDatasets | undefined;
    } | null;
    response: Job;
  };
  /**
   * List rejected requests.
   *
   * Newest first: requests with a key that were answered with an error, and invalid items of conversion batches, of the last seven days. Of many, a sample is stored.
   */
  listRejectedRequests: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      /** Only errors with this code */
      code?: string | undefined;
    };
    body: undefined;
    response: ListRejectedRequestsResult;
    item: RejectedRequest;
  };
  /**
   * Delete all rejected requests.
   *
   * Also their bodies, which may contain personal data. Otherwise they are deleted after seven days.
   */
  deleteRejectedRequests: {
    params: undefined;
    body: undefined;
    response: DeleteRejectedRequestsResult;
  };
  /**
   * Get the schema.
   *
   * What describes the account apart from its data: collections, components, locales, roles, and webhooks without their secrets, in the form that `PUT` takes. What is absent has its default.
   */
  getSchema: {
    params: {
      /** Without effect: reading changes nothing */
      dryRun?: boolean | undefined;
    };
    body: undefined;
    response: Schema;
  };
  /**
   * Replace the schema.
   *
   * Makes the schema what is sent, in one transaction: what it does not have is deleted, and sections that are not sent stay. What has the same ID is the same, whatever its name or key. With `dryRun=true`, returns the changes without making them. Changes that lose data need `allowDataLoss`.
   */
  putSchema: {
    params: {
      /** Returns the changes and their faults without making them */
      dryRun?: boolean | undefined;
      /** As the member of the body */
      allowDataLoss?: boolean | undefined;
    };
    body: SentSchema;
    response: SchemaPush;
  };
  /**
   * Undo a push.
   *
   * Restores what a push of the last 30 days changed or deleted, unless that was changed since (`schema_changed`). Values of what the push had added are lost, which needs `allowDataLoss`.
   */
  undoSchema: {
    params: {
      /** Returns the changes and their faults without making them */
      dryRun?: boolean | undefined;
      /** As the member of the body */
      allowDataLoss?: boolean | undefined;
      undoId: string;
    };
    body: SchemaUndo | undefined;
    response: SchemaPush;
  };
  /**
   * Plan changes of entries.
   *
   * Stores what would change, by field, and changes nothing. The plan waits for `POST /v1/plans/{planId}/apply`.
   */
  planEntryChanges: {
    params: undefined;
    body: EntryChanges;
    response: Plan;
  };
  /**
   * Plan a change of all entries that match.
   *
   * As the plan of single entries, for the entries that match now, up to 1,000.
   */
  planBulkChange: {
    params: undefined;
    body: BulkChange;
    response: Plan;
  };
  /**
   * Plan reports of conversions.
   *
   * Stores which conversions the reports would create or restate, and by how much their value changes.
   */
  planConversions: {
    params: undefined;
    body: ConversionReports;
    response: Plan;
  };
  /**
   * Plan a change of the schema.
   *
   * Stores the changes that `PUT /v1/schema` would make, and what they would lose.
   */
  planSchema: {
    params: undefined;
    body: SchemaChanges;
    response: Plan;
  };
  /**
   * List plans.
   *
   * Newest first, for 90 days. A role of the account sees the plans that were made with it.
   */
  listPlans: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      status?: 'waiting' | 'applying' | 'applied' | 'undone' | 'dismissed' | 'stale' | undefined;
    };
    body: undefined;
    response: ListPlansResult;
    item: Plan;
  };
  /**
   * Get a plan.
   *
   * With a preview of its changes, and who decided about it. Callers with a limited role get only their own plans.
   */
  getPlan: {
    params: {
      planId: string;
    };
    body: undefined;
    response: Plan;
  };
  /**
   * Apply a plan.
   *
   * Carries out exactly what was planned, with the rights of the caller, if nothing that it depends on has changed since. Otherwise nothing changes, the plan is `stale`, and the response 400 `plan_stale`.
   */
  applyPlan: {
    params: {
      planId: string;
    };
    body: undefined;
    response: Plan;
  };
  /**
   * Undo a plan.
   *
   * Takes back what a plan changed, unless that was changed since.
   */
  undoPlan: {
    params: {
      planId: string;
    };
    body: undefined;
    response: Plan;
  };
  /**
   * Dismiss a plan.
   *
   * It is not applied, and stays in the list.
   */
  dismissPlan: {
    params: {
      planId: string;
    };
    body: undefined;
    response: Plan;
  };
  /**
   * Describe an agent that asks for a token.
   *
   * For the page that asks an owner for consent. Nothing is created.
   */
  checkAgent: {
    params: undefined;
    body: CheckAgentRequest;
    response: AgentClient;
  };
  /**
   * Connect an agent.
   *
   * Creates an API key whose token the agent receives for the code in `redirectTo`. Nobody else sees the token.
   */
  connectAgent: {
    params: undefined;
    body: ConnectAgentRequest;
    response: AgentConnection;
  };
  /**
   * Execute a SQL statement.
   *
   * Executes one `SELECT` of PostgreSQL over the views of the account, and streams its rows:
   *
   * - `sessions` (Sessions of visitors): `session_hash`, `visitor_id`, `lead_id`, `started_at`, `last_seen_at`, `landing_url`, `referrer`, `source`, `medium`, `campaign`, `channel`, `term`, `content`, `utm_id`, `click_ids`, `device`, `browser`, `os`, `country`, `region`, `is_bot`, `is_internal`
   * - `visits` (Page views): `visit_id`, `session_hash`, `visitor_id`, `url`, `title`, `referrer`, `occurred_at`, `received_at`, `is_bot`, `is_internal`, `source`, `medium`, `campaign`, `channel`, `device`, `country`
   * - `events` (Events of pages and servers): `event_id`, `client_event_id`, `event`, `properties`, `session_hash`, `lead_id`, `occurred_at`, `received_at`, `is_bot`, `is_internal`, `source`, `medium`, `campaign`, `channel`
   * - `leads` (Persons who left an email): `lead_id`, `email`, `name`, `notes`, `first_seen_at`, `last_seen_at`
   * - `conversions` (Attributed conversions, as they are now): `conversion_id`, `event_id`, `event`, `value`, `currency`, `created_on`, `received_at`, `identifier`, `extra`, `origin`, `version`, `updated_at`, `session_hash`, `lead_id`, `clicked_at`, `landing_url`, `source`, `medium`, `campaign`, `channel`
   * - `conversion_revisions` (Every report of a conversion): `conversion_id`, `version`, `event`, `value`, `currency`, `created_on`, `known_at`, `received_at`, `origin`, `is_withdrawn`
   * - `increments` (What each report added to or took from the revenue, some seconds after it arrived): `conversion_id`, `number`, `known_at`, `sale_at`, `clicked_at`, `value`, `currency`, `conversions`, `is_refund`, `session_hash`, `source`, `medium`, `campaign`, `landing_page`, `is_bot`, `is_internal`
   * - `unmatched_conversions` (Reports for which no session was found yet): `conversion_id`, `event_id`, `event`, `value`, `currency`, `created_on`, `received_at`, `identifier`, `extra`
   * - `ad_costs` (Costs of ads by day): `day`, `source`, `campaign`, `ad_group`, `ad`, `campaign_id`, `ad_group_id`, `ad_id`, `currency`, `cost`, `clicks`, `impressions`, `updated_at`
   * - `destinations` (Ad platforms that receive conversions): `destination_id`, `platform`, `name`, `mode`, `paused_at`, `last_sent_at`, `created_at`
   * - `destination_deliveries` (What became of each conversion at each destination): `destination_id`, `conversion_id`, `status`, `reason`, `version`, `created_at`, `updated_at`
   * - `collections` (Collections of content): `collection_id`, `key`, `name`, `is_public`, `created_at`, `updated_at`
   * - `entries` (Entries of all collections, as editors see them): `entry_id`, `collection_id`, `collection_key`, `values`, `version`, `published_at`, `created_at`, `updated_at`
   * - `published_entries` (What is published of entries of collections with publishing): `entry_id`, `collection_id`, `collection_key`, `values`, `version`, `created_at`, `updated_at`
   * - `files` (Files of the library): `file_id`, `type`, `media_type`, `name`, `bytes`, `width`, `height`, `duration_seconds`, `alt`, `tags`, `created_at`
   * - `experiments` (Experiments; exposures are `events` with the name `experiment_exposure`): `experiment_id`, `key`, `status`, `definition`, `shipped_variant`, `created_at`, `started_at`, `stopped_at`
   *
   * The [guide](/guide/sql) describes the columns. The rows are there once they are complete up to 1 MiB; a response that breaks off later has no last
   * chunk. `ndjson` has one JSON object per line: integers are numbers up to 2^53, decimals are strings. `csv` is as in exports.
   * `arrow` is the streaming format of Apache Arrow: decimals are texts, and times have microseconds.
   */
  runSql: {
    params: undefined;
    body: SqlRequest;
    response: Blob;
  };
  /**
   * List what has waited for too long.
   *
   * Queues in which something of the account has waited for more than 15 minutes past its due time, the oldest first. Operators of the service also see those of the installation, such as backups.
   */
  listQueueAlarms: {
    params: undefined;
    body: undefined;
    response: ListQueueAlarmsResult;
  };
  /**
   * List backups.
   *
   * The newest 100, newest first, with the settings of backups and the times to which the database can be restored.
   */
  listBackups: {
    params: undefined;
    body: undefined;
    response: Backups;
  };
  /**
   * Check a backup.
   *
   * Reads the backup and its files in the background; `check` of the backup has the result.
   */
  checkBackup: {
    params: {
      name: string;
    };
    body: undefined;
    response: Backup;
  };
  /**
   * List cells.
   *
   * Cells with their size, load and lag, and the accounts on their way between them.
   */
  listCells: {
    params: undefined;
    body: undefined;
    response: Cells;
  };
  /**
   * Open or close a cell for new accounts.
   *
   * New accounts are created in cells that are open. The accounts of a closed cell stay and work.
   */
  changeCell: {
    params: {
      cell: string;
    };
    body: ChangeCellRequest;
    response: Cells;
  };
  /**
   * List the largest accounts of a cell.
   *
   * The 50 with the most visits and events, with `q` among those that match it.
   */
  listAccountsOfCell: {
    params: {
      /** Part of the name, or the ID */
      q?: string | undefined;
      cell: string;
    };
    body: undefined;
    response: CellAccounts;
  };
  /**
   * Move an account to another cell.
   *
   * It is moved in the background while it is used; `GET /operator/cells` has the state.
   */
  moveAccount: {
    params: undefined;
    body: MoveAccountRequest;
    response: CellMove;
  };
  /**
   * Cancel a move of an account.
   *
   * Deletes the copy in the background. A move that has switched cannot be canceled.
   */
  cancelMove: {
    params: {
      account: string;
    };
    body: undefined;
    response: CellMove;
  };
  /**
   * Follow what is published.
   *
   * Returns what was published and unpublished in public collections, in the order of commits and without gaps, up to 1,000 changes at a time, for 30 days. An entry in several locales has a change for each. A collection that becomes public or stops being so, or is deleted, has a change for each of its published entries. With `Accept: text/event-stream` the response is a stream of events (`publish`, `unpublish`), whose IDs are cursors, and `Last-Event-ID` stands for `since`.
   */
  listPublicChanges: {
    params: {
      /** A cursor: returns what comes after it. `now` returns no change and the cursor of the last one. By default from the oldest change that is kept. A cursor of more than 30 days ago is refused with `cursor_expired`. */
      since?: string | undefined;
      /** IDs or keys of collections, separated by commas. By default all */
      collections?: string | string[] | undefined;
    };
    body: undefined;
    response: PublicChanges;
  };
  /**
   * Get the published entry of a path.
   *
   * Returns the entry whose `url` is the path, in the locale of the path, or where an entry that had the path is now. Paths are those of the `urlPattern` of public collections.
   */
  resolvePath: {
    params: {
      /** The path of a page, such as `/de/blog/hello` */
      path: string;
      /** Returns referenced entries instead of their IDs: paths of field IDs, such as `author,related.cover`, up to 3 references deep; write a field of a group as `seo.author`. With `state=published`, the published entries. A reference to an entry that cannot be returned remains an ID; public responses leave it out. */
      expand?: string | string[] | undefined;
      /** How values of the format `richtext` are returned: as JSON trees (`json`, the default), HTML or Markdown */
      richtext?: 'json' | 'html' | 'markdown' | undefined;
      /** Which variant of an experiment is shown: `headline:new`, several after commas. Its entries have the members `experiment` and `variant`. An experiment that is not running, or a variant that it does not have, changes nothing. */
      variant?: string | string[] | undefined;
      /** Shows the variants that this visitor is assigned to, in a response that is not cached. Pages that are cached send `variant`. */
      visitorId?: string | undefined;
    };
    body: undefined;
    response: ResolvedPath;
  };
  /**
   * List redirects.
   *
   * Paths that published entries had before their slugs changed, and those that they have now.
   */
  listRedirects: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
    };
    body: undefined;
    response: RedirectPage;
    item: {
      from: string;
      to: string;
      /** 301 */
      status: number;
    };
  };
  /**
   * Get the sitemap.
   *
   * The URLs of all published entries as XML, with their translations; of more than 50,000 an index of several parts.
   */
  getSitemap: {
    params: {
      /** The origin of the site, such as `https://shop.example`; else that of the service */
      site?: string | undefined;
      /** Of a part: the ID of the collection */
      collection?: string | undefined;
      /** Of a part: which one */
      page?: number | undefined;
    };
    body: undefined;
    response: Blob;
  };
  /**
   * Query by GraphQL.
   *
   * Reads what everyone can read, by a schema that is made of the public collections: names are those of keys and field IDs. Only a secret token may introspect it. A query that fails as a whole is 400, with the errors of GraphQL. [GraphiQL](/docs/graphiql) writes queries in the browser.
   */
  queryGraphql: {
    params: undefined;
    body: GraphqlRequest | undefined;
    response: GraphqlResult;
  };
  /**
   * Query by GraphQL, cacheable.
   *
   * As `POST /v1/graphql`, with an `ETag` and cache tags. Send `extensions` with the hash of a persisted query to keep URLs short.
   */
  getGraphql: {
    params: {
      /** The document; omitted for a persisted query */
      query?: string | undefined;
      operationName?: string | undefined;
      /** As JSON */
      variables?: string | undefined;
      /** As JSON: `{"persistedQuery": {"version": 1, "sha256Hash": "…"}}` */
      extensions?: string | undefined;
    };
    body: undefined;
    response: GraphqlResult;
  };
  /**
   * List published entries.
   *
   * Returns the published entries of a public collection, without private fields, sorted and filtered as by `GET /v1/cms/collections/{collectionId}/entries`. Images have a `srcset`. References to entries that are not public are left out.
   */
  listPublicEntries: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
      /** `<fieldId>:asc` or `<fieldId>:desc`; also `createdAt` and `updatedAt`, unless a field has that ID. By default the collection's `defaultSort`, else oldest first. Entries without a value come last in both directions; of equal values the older entry comes first, with `desc` the newer. Text is sorted by its first 256 characters, ignoring case and accents. Repeated fields, groups and assets cannot be sorted by. */
      sort?: string | string[] | undefined;
      /** Returns entries whose text fields, including nested ones, contain every word, also as a part of a longer word, ignoring case and accents. */
      q?: string | undefined;
      /** Conditions as JSON, which all have to hold together with `filter`: `{"and": […]}`, `{"or": […]}`, `{"not": …}`, or `{"<path>": {"<operator>": value}}`. A path leads through groups, blocks and references by dots. */
      where?: string | EntryWhere | undefined;
      /** The values to return, by path, such as `title,author.name`; `-body` leaves a value out. */
      select?: string | string[] | undefined;
      /** Also returns `total`, the number of all matching entries */
      count?: 'exact' | undefined;
      /** Returns referenced entries instead of their IDs: paths of field IDs, such as `author,related.cover`, up to 3 references deep; write a field of a group as `seo.author`. With `state=published`, the published entries. A reference to an entry that cannot be returned remains an ID; public responses leave it out. */
      expand?: string | string[] | undefined;
      /** The locale of localized fields, by default the default one. Values that are not published in it are those of its fallbacks. */
      locale?: string | undefined;
      /** How values of the format `richtext` are returned: as JSON trees (`json`, the default), HTML or Markdown */
      richtext?: 'json' | 'html' | 'markdown' | undefined;
      /** Which variant of an experiment is shown: `headline:new`, several after commas. Its entries have the members `experiment` and `variant`. An experiment that is not running, or a variant that it does not have, changes nothing. */
      variant?: string | string[] | undefined;
      /** Shows the variants that this visitor is assigned to, in a response that is not cached. Pages that are cached send `variant`. */
      visitorId?: string | undefined;
      /** A token of a preview: returns entries of its collection with their latest values, published or not, and what is published of other collections; or, of a preview of a release or time, public content as it will be. Never cached */
      preview?: string | undefined;
      /** With `preview`: `true` ends texts by invisible characters that say from which entry and field they come, for click to edit. Not slugs, URLs, selects, numbers or dates */
      origins?: boolean | undefined;
      /** With a secret API token: what was public at this time, of the last 30 days. Fields, and which collections are public, are those of now. Never cached */
      at?: string | undefined;
      /** Conditions, which all have to hold: `filter[<path>][<operator>]=<value>`, such as `filter[price][gte]=10` or `filter[author.name][in]=ada,bob` */
      filter?: EntryFilter | undefined;
      collectionId: string;
    };
    body: undefined;
    response: ListPublicEntriesResult;
    item: PublicEntry;
  };
  /**
   * Query published entries.
   *
   * As `GET /v1/content/{collectionId}`, with the query in the body, and with joins.
   */
  queryPublicEntries: {
    params: {
      /** With a secret API token: what was public at this time, of the last 30 days. Fields, and which collections are public, are those of now. Never cached */
      at?: string | undefined;
      collectionId: string;
    };
    body: PublicEntriesQuery | undefined;
    response: QueryPublicEntriesResult;
    item: PublicEntry;
  };
  /**
   * Count, sum and group published entries.
   *
   * As `POST /v1/cms/collections/{collectionId}/entries/aggregate`, of what everyone can read.
   */
  aggregatePublicEntries: {
    params: {
      /** With a secret API token: what was public at this time, of the last 30 days. Fields, and which collections are public, are those of now. Never cached */
      at?: string | undefined;
      collectionId: string;
    };
    body: PublicAggregateQuery;
    response: Aggregates;
    item: {
      /** By path; null: no value */
      key: Record<string, unknown>;
      [name: string]: unknown;
    };
  };
  /**
   * Get the published entry of a singleton.
   *
   * As `GET /v1/content/{collectionId}/{entryId}`. Of a collection that is no singleton, the entry with the slug `entry`.
   */
  getPublicSingleton: {
    params: {
      /** Returns referenced entries instead of their IDs: paths of field IDs, such as `author,related.cover`, up to 3 references deep; write a field of a group as `seo.author`. With `state=published`, the published entries. A reference to an entry that cannot be returned remains an ID; public responses leave it out. */
      expand?: string | string[] | undefined;
      /** The locale of localized fields, by default the default one. Values that are not published in it are those of its fallbacks. */
      locale?: string | undefined;
      /** How values of the format `richtext` are returned: as JSON trees (`json`, the default), HTML or Markdown */
      richtext?: 'json' | 'html' | 'markdown' | undefined;
      /** Which variant of an experiment is shown: `headline:new`, several after commas. Its entries have the members `experiment` and `variant`. An experiment that is not running, or a variant that it does not have, changes nothing. */
      variant?: string | string[] | undefined;
      /** Shows the variants that this visitor is assigned to, in a response that is not cached. Pages that are cached send `variant`. */
      visitorId?: string | undefined;
      /** A token of a preview: returns entries of its collection with their latest values, published or not, and what is published of other collections; or, of a preview of a release or time, public content as it will be. Never cached */
      preview?: string | undefined;
      /** With `preview`: `true` ends texts by invisible characters that say from which entry and field they come, for click to edit. Not slugs, URLs, selects, numbers or dates */
      origins?: boolean | undefined;
      /** With a secret API token: what was public at this time, of the last 30 days. Fields, and which collections are public, are those of now. Never cached */
      at?: string | undefined;
      collectionId: string;
    };
    body: undefined;
    response: PublicEntry;
  };
  /**
   * Get a published entry.
   *
   * Returns a published entry of a public collection, without private fields, by its ID or slug. By a slug that the entry had before, the response tells its slug in `redirectTo`.
   */
  getPublicEntry: {
    params: {
      /** Returns referenced entries instead of their IDs: paths of field IDs, such as `author,related.cover`, up to 3 references deep; write a field of a group as `seo.author`. With `state=published`, the published entries. A reference to an entry that cannot be returned remains an ID; public responses leave it out. */
      expand?: string | string[] | undefined;
      /** The locale of localized fields, by default the default one. Values that are not published in it are those of its fallbacks. */
      locale?: string | undefined;
      /** How values of the format `richtext` are returned: as JSON trees (`json`, the default), HTML or Markdown */
      richtext?: 'json' | 'html' | 'markdown' | undefined;
      /** Which variant of an experiment is shown: `headline:new`, several after commas. Its entries have the members `experiment` and `variant`. An experiment that is not running, or a variant that it does not have, changes nothing. */
      variant?: string | string[] | undefined;
      /** Shows the variants that this visitor is assigned to, in a response that is not cached. Pages that are cached send `variant`. */
      visitorId?: string | undefined;
      /** A token of a preview: returns entries of its collection with their latest values, published or not, and what is published of other collections; or, of a preview of a release or time, public content as it will be. Never cached */
      preview?: string | undefined;
      /** With `preview`: `true` ends texts by invisible characters that say from which entry and field they come, for click to edit. Not slugs, URLs, selects, numbers or dates */
      origins?: boolean | undefined;
      /** With a secret API token: what was public at this time, of the last 30 days. Fields, and which collections are public, are those of now. Never cached */
      at?: string | undefined;
      collectionId: string;
      /** The ID of the entry, or its slug */
      entryId: string;
    };
    body: undefined;
    response: PublicEntry;
  };
  /**
   * Upload a file.
   *
   * Accepts JPEG, PNG, GIF, WebP, AVIF, SVG, MP4, MOV and WebM, detected from the content, and any other type as `file`. `GET /v1/limits` returns the size limits. Stores the first file part named `file`. With an `Idempotency-Key`, retrying the same file under the same name stores it once. Browsers send an upload token (`POST /v1/files/upload-tokens`), which decides about `folderId` and `private`. Error codes: `file_missing`, `file_empty`, `file_type_unsupported`, `svg_refused`, `file_too_large`, `too_many_pixels`, `file_corrupt`, `multipart_malformed`, `too_many_parts`, `body_too_large`, `content_type_unsupported`, `request_timeout`.
   */
  uploadFile: {
    params: undefined;
    body: UploadFileRequest;
    response: AssetValue;
  };
  /**
   * Replace the content of a file.
   *
   * Accepts the same body as an upload. Entries keep using the file, which gets a new URL, because the content of a URL never changes; the previous URL redirects to it. Name, alt text and focal point stay. An image can only be replaced by an image, a video by a video and another file by such a file (`file_type_changed`). Error codes: `file_missing`, `file_empty`, `file_type_unsupported`, `svg_refused`, `file_too_large`, `too_many_pixels`, `file_corrupt`, `multipart_malformed`, `too_many_parts`, `body_too_large`, `content_type_unsupported`, `request_timeout`.
   */
  replaceFile: {
    params: {
      assetId: string;
    };
    body: ReplaceFileRequest;
    response: StoredFile;
  };
  /**
   * Record a page visit.
   *
   * Without `sessionHash` the service finds the session of `visitorId` or starts one. A session ends after 30 minutes without activity or after 24 hours; a new click id or campaign starts a new one. JSON sent as `text/plain` is accepted, too.
   */
  recordVisit: {
    params: undefined;
    body: RecordVisitRequest;
    response: RecordVisitResult;
  };
  /**
   * Record a custom event.
   *
   * `properties.email` creates or updates a lead. A numeric `properties.value` counts as a conversion of origin `event`. An event is never rejected because of a property that it cannot use. A form body (`application/x-www-form-urlencoded`) is accepted, too, with properties as `properties[name]`. JSON sent as `text/plain` is accepted, too.
   */
  recordEvent: {
    params: undefined;
    body: RecordEventRequest;
    response: RecordEventResult;
  };
  /**
   * Record visits and events together.
   *
   * Used by the page script. Each item has its own result: an invalid item has `success: false` and the reason, and the others are recorded. Visits are recorded before events. `visitId` of a visit and `id` of an event make a retry harmless. JSON sent as `text/plain` is accepted, too.
   */
  recordBatch: {
    params: undefined;
    body: RecordBatchRequest;
    response: RecordBatchResult;
  };
  /**
   * Report one conversion or a batch.
   *
   * An object returns one result, an array returns an array of results in the same order. Reporting the same `eventId` again restates that conversion. Check the `status` of each result: the HTTP status is 200 even if an item is unmatched or, in an array, invalid. A form body (`application/x-www-form-urlencoded`) with the parameters of the postback is accepted, too.
   */
  reportConversion: {
    params: undefined;
    body: ConversionItem | ConversionItem[];
    response: ConversionResult | ConversionResult[];
  };
  /**
   * Report one conversion by URL (postback).
   *
   * For platforms that can only call a URL, which has exactly one identifier: empty ones do not count. Instead of the token it accepts a postback key in `key`, which is valid for this operation only.
   */
  reportConversionByQuery: {
    params: {
      hash?: string | number | null | undefined;
      sessionHash?: string | number | null | undefined;
      sessionId?: string | number | null | undefined;
      visitHash?: string | number | null | undefined;
      shortHash?: string | number | null | undefined;
      shortSessionHash?: string | number | null | undefined;
      shortVisitHash?: string | number | null | undefined;
      gclid?: string | number | null | undefined;
      gbraid?: string | number | null | undefined;
      wbraid?: string | number | null | undefined;
      fbclid?: string | number | null | undefined;
      msclkid?: string | number | null | undefined;
      ttclid?: string | number | null | undefined;
      li_fat_id?: string | number | null | undefined;
      epik?: string | number | null | undefined;
      twclid?: string | number | null | undefined;
      sclid?: string | number | null | undefined;
      tblci?: string | number | null | undefined;
      ob_click_id?: string | number | null | undefined;
      rdt_cid?: string | number | null | undefined;
      aleid?: string | number | null | undefined;
      alart?: string | number | null | undefined;
      oppref?: string | number | null | undefined;
      /** Name of the event */
      event?: string | undefined;
      /** When the conversion happened: ISO 8601, or epoch seconds or milliseconds. A value that is unreadable or more than an hour ahead is replaced by the time of arrival, and `reason` says so. */
      createdOn?: unknown | undefined;
      /** The caller's own identifier of the conversion: reporting it again restates the conversion */
      eventId?: string | null | undefined;
      /** Amount: a number or numeric string up to 10^18. An empty string is invalid; 0 is a value. */
      value?: number | string | null | undefined;
      /** Three-letter ISO 4217 code, in any case */
      currency?: string | null | undefined;
    };
    body: undefined;
    response: ConversionResult;
  };
  /**
   * Report a batch of conversions as a part of an import.
   *
   * As `POST /v1/analytics/report-conversion` with an array. A row counts as known since its `knownAt`, or else since its `createdOn`. `POST /v1/conversions/imports/{importId}/undo` undoes all reports of the import. An import that was undone is 400 `import_undone`.
   */
  reportImportedConversions: {
    params: {
      importId: string;
    };
    body: ImportedConversionItem[];
    response: ConversionResult[];
  };
  /**
   * Preview the report of one conversion or a batch.
   *
   * Takes the body of a report and returns the results that it would have, with the effect of each item. Nothing is recorded or pushed.
   */
  dryRunConversion: {
    params: undefined;
    body: ConversionItem | ConversionItem[];
    response: DryRunResult | DryRunResult[];
  };
  /**
   * List what visitors are assigned by.
   *
   * The running experiments, and shipped ones with a holdout, with what `assign` needs of them. For pages and servers.
   */
  listRunningExperiments: {
    params: undefined;
    body: undefined;
    response: RunningExperiments;
  };
}

/** What webhooks send, by topic. With `fields` or as a thin payload, `data` has only what was chosen. */
export interface WebhookMessages {
  /** An event was recorded */
  'event.recorded': WebhookEnvelope & ({
    type: 'event.recorded';
    data: {
      /** The `event_id` of the response that recorded it */
      id: string;
      /** The client's own `event_id` */
      clientEventId: string | null;
      event: string;
      properties: Record<string, unknown>;
      lead: {
        id: string;
        email: string;
      } | null;
      isBot: boolean;
      isInternal: boolean;
      occurredAt: string;
      receivedAt: string;
      session: SessionSummary | null;
      /** Number of changes of this resource so far. Of two payloads with the same `data.id`, the higher is newer. */
      sequence: number;
    };
  });
  /** A visitor was identified by email for the first time */
  'lead.created': WebhookEnvelope & {
    type: 'lead.created';
    data: WebhookLead;
  };
  /** A lead was seen again */
  'lead.updated': WebhookEnvelope & {
    type: 'lead.updated';
    data: WebhookLead;
  };
  /** A conversion was reported and attributed to a session */
  'conversion.reported': WebhookEnvelope & {
    type: 'conversion.reported';
    data: WebhookConversion;
  };
  /** A conversion was reported again; the payload has its new state */
  'conversion.restated': WebhookEnvelope & {
    type: 'conversion.restated';
    data: WebhookConversion;
  };
  /** A conversion that was reported as unmatched was matched to a session */
  'conversion.matched': WebhookEnvelope & {
    type: 'conversion.matched';
    data: WebhookConversion;
  };
  /** An entry was created */
  'entry.created': WebhookEnvelope & {
    type: 'entry.created';
    data: WebhookEntry;
  };
  /** An entry was changed or restored */
  'entry.updated': WebhookEnvelope & {
    type: 'entry.updated';
    data: WebhookEntry;
  };
  /** An entry was deleted */
  'entry.deleted': WebhookEnvelope & {
    type: 'entry.deleted';
    data: WebhookEntry;
  };
  /** A version of an entry (`publishedVersion`) was published; the payload has its values */
  'entry.published': WebhookEnvelope & {
    type: 'entry.published';
    data: WebhookEntry;
  };
  /** An entry is not published any more, also because it was deleted */
  'entry.unpublished': WebhookEnvelope & {
    type: 'entry.unpublished';
    data: WebhookEntry;
  };
  /** A release or a scheduled change was published */
  'release.completed': WebhookEnvelope & {
    type: 'release.completed';
    data: WebhookRelease;
  };
  /** A release or a scheduled change could not be published at its scheduled time; none of its entries was */
  'release.failed': WebhookEnvelope & {
    type: 'release.failed';
    data: WebhookRelease;
  };
  /** A job was completed */
  'job.completed': WebhookEnvelope & {
    type: 'job.completed';
    data: WebhookJob;
  };
  /** A job failed */
  'job.failed': WebhookEnvelope & {
    type: 'job.failed';
    data: WebhookJob;
  };
  /** A platform refuses a destination: it is paused, or every request of 10 minutes has failed */
  'destination.failing': WebhookEnvelope & {
    type: 'destination.failing';
    data: WebhookDestination;
  };
  /** What ads cost cannot be read: the platform refuses the source, or has failed for three hours */
  'cost_source.failing': WebhookEnvelope & {
    type: 'cost_source.failing';
    data: WebhookCostSource;
  };
  /** An alert with the channel `webhook` opened an incident */
  'alert.opened': WebhookEnvelope & {
    type: 'alert.opened';
    data: WebhookAlert;
  };
  /** The incident of an alert with the channel `webhook` is resolved */
  'alert.resolved': WebhookEnvelope & {
    type: 'alert.resolved';
    data: WebhookAlert;
  };
  /** The webhook was tested */
  'webhook.test': WebhookEnvelope & {
    type: 'webhook.test';
    data: {
      /** The webhook's id */
      id: string;
      message: string;
      /** Number of changes of this resource so far. Of two payloads with the same `data.id`, the higher is newer. */
      sequence: number;
    };
  };
}
export type WebhookMessage = WebhookMessages[keyof WebhookMessages];

/** A line of an export as `ndjson`, with all columns, by dataset. */
export interface ExportRows {
  sessions: { id: number; sessionHash: string | null; shortSessionHash: string | null; visitorId: string | null; leadId: string | null; startedAt: string | null; lastSeenAt: string | null; landingUrl: string | null; referrer: string | null; source: string | null; medium: string | null; campaign: string | null; term: string | null; content: string | null; utmId: string | null; device: string | null; browser: string | null; os: string | null; country: string | null; region: string | null; isBot: boolean | null; isInternal: boolean | null; gclid: string | null; gbraid: string | null; wbraid: string | null; fbclid: string | null; msclkid: string | null; ttclid: string | null; li_fat_id: string | null; epik: string | null; twclid: string | null; sclid: string | null; tblci: string | null; ob_click_id: string | null; rdt_cid: string | null; aleid: string | null; alart: string | null; oppref: string | null; sessionId: number | null };
  visits: { id: string; url: string | null; referrer: string | null; title: string | null; sessionId: number | null; sessionHash: string | null; visitorId: string | null; occurredAt: string | null; receivedAt: string | null; isBot: boolean | null; isInternal: boolean | null; source: string | null; medium: string | null; campaign: string | null; device: string | null; browser: string | null; os: string | null; country: string | null; region: string | null; visitId: string | null };
  events: { id: string; clientEventId: string | null; event: string | null; properties: unknown; sessionId: number | null; sessionHash: string | null; leadId: string | null; occurredAt: string | null; receivedAt: string | null; isBot?: boolean | null; isInternal?: boolean | null; eventId: string | null };
  conversions: { id: string; eventId: string | null; event: string | null; value: string | null; currency: string | null; createdOn: string | null; receivedAt: string | null; origin: string | null; identifier: unknown; sessionId: number | null; sessionHash: string | null; extra: unknown; source: string | null; campaign: string | null; landingUrl: string | null; gclid: string | null; gbraid: string | null; wbraid: string | null; fbclid: string | null; msclkid: string | null; ttclid: string | null; li_fat_id: string | null; epik: string | null; twclid: string | null; sclid: string | null; tblci: string | null; ob_click_id: string | null; rdt_cid: string | null; aleid: string | null; alart: string | null; oppref: string | null };
  leads: { id: string; email: string | null; firstSessionId: number | null; firstSessionHash: string | null; latestSessionId: number | null; latestSessionHash: string | null; firstSeenAt: string | null; lastSeenAt: string | null; leadId: string | null };
  unmatched: { id: string; eventId: string | null; event: string | null; value: string | null; currency: string | null; createdOn: string | null; receivedAt: string | null; identifier: unknown; extra: unknown };
}

/** The TypeScript types of the values of each field type; see collection-types.ts. */
export const FIELD_TYPES: Record<FieldType, { read: string; write: string }> = {
  "text": {
    "read": "string",
    "write": "string"
  },
  "number": {
    "read": "number",
    "write": "number"
  },
  "boolean": {
    "read": "boolean",
    "write": "boolean"
  },
  "date": {
    "read": "string",
    "write": "string"
  },
  "timestamp": {
    "read": "string",
    "write": "string"
  },
  "url": {
    "read": "string",
    "write": "string"
  },
  "asset": {
    "read": "AssetValue",
    "write": "Pick<AssetValue, 'assetId'>"
  },
  "select": {
    "read": "$options",
    "write": "$activeOptions"
  },
  "group": {
    "read": "$fields",
    "write": "$fields"
  }
};

/** The same for each format of text. */
export const TEXT_FORMATS: Record<TextFormat, { read: string; write: string }> = {
  "slug": {
    "read": "string",
    "write": "string"
  },
  "markdown": {
    "read": "string",
    "write": "string"
  },
  "richtext": {
    "read": "RichText",
    "write": "RichText | { markdown: string } | { html: string }"
  },
  "email": {
    "read": "string",
    "write": "string"
  },
  "color": {
    "read": "string",
    "write": "string"
  },
  "json": {
    "read": "unknown",
    "write": "unknown"
  },
  "reference": {
    "read": "$references",
    "write": "string"
  },
  "time": {
    "read": "string",
    "write": "string"
  },
  "point": {
    "read": "{ lat: number; lng: number }",
    "write": "{ lat: number; lng: number }"
  },
  "integer": {
    "read": "number | string",
    "write": "number | string"
  },
  "decimal": {
    "read": "string",
    "write": "string | number"
  },
  "blocks": {
    "read": "$blocks",
    "write": "$blocks"
  }
};

/** The HTTP request of each operation. */
export const OPERATIONS = {
  getLimits: {"method":"GET","path":"/v1/limits"},
  getSession: {"method":"GET","path":"/auth/session"},
  inspectFirstRun: {"method":"POST","path":"/auth/first-run/inspect","body":"json"},
  completeFirstRun: {"method":"POST","path":"/auth/first-run","body":"json"},
  signIn: {"method":"POST","path":"/auth/sign-in","body":"json"},
  signOut: {"method":"POST","path":"/auth/sign-out"},
  endView: {"method":"POST","path":"/auth/view/end"},
  resetPassword: {"method":"POST","path":"/auth/reset-password","body":"json"},
  changeUser: {"method":"PATCH","path":"/auth/user","body":"json"},
  changePassword: {"method":"POST","path":"/auth/password","body":"json"},
  listSessions: {"method":"GET","path":"/auth/sessions"},
  endSession: {"method":"DELETE","path":"/auth/sessions/{sessionId}","params":true},
  endOtherSessions: {"method":"POST","path":"/auth/sessions/end-others"},
  getSecurity: {"method":"GET","path":"/auth/security"},
  confirmSession: {"method":"POST","path":"/auth/confirm","body":"json"},
  confirmAccess: {"method":"POST","path":"/auth/security/reviews","body":"json"},
  startTwoFactor: {"method":"POST","path":"/auth/two-factor","body":"json"},
  confirmTwoFactor: {"method":"POST","path":"/auth/two-factor/confirm","body":"json"},
  disableTwoFactor: {"method":"POST","path":"/auth/two-factor/disable","body":"json"},
  replaceRecoveryCodes: {"method":"POST","path":"/auth/two-factor/recovery-codes","body":"json"},
  changeEmail: {"method":"POST","path":"/auth/email","body":"json"},
  confirmEmail: {"method":"POST","path":"/auth/email/confirm","body":"json"},
  requestPasswordReset: {"method":"POST","path":"/auth/forgotten-password","body":"json"},
  getPasskeyOptions: {"method":"POST","path":"/auth/passkeys/options","body":"json"},
  createPasskey: {"method":"POST","path":"/auth/passkeys","body":"json"},
  deletePasskey: {"method":"DELETE","path":"/auth/passkeys/{passkeyId}","params":true},
  getPasskeySignInOptions: {"method":"POST","path":"/auth/passkeys/sign-in/options"},
  signInByPasskey: {"method":"POST","path":"/auth/passkeys/sign-in","body":"json"},
  getAccount: {"method":"GET","path":"/v1/account"},
  changeAccount: {"method":"PATCH","path":"/v1/account","body":"json"},
  createAccount: {"method":"POST","path":"/auth/accounts","body":"json"},
  deleteAccount: {"method":"POST","path":"/v1/account/delete","body":"json"},
  leaveAccount: {"method":"POST","path":"/v1/account/leave"},
  listMembers: {"method":"GET","path":"/v1/members","params":true,"pages":"members"},
  changeMember: {"method":"PATCH","path":"/v1/members/{userId}","params":true,"body":"json"},
  removeMember: {"method":"DELETE","path":"/v1/members/{userId}","params":true},
  makeResetLink: {"method":"POST","path":"/v1/members/{userId}/reset-link","params":true},
  listInvitations: {"method":"GET","path":"/v1/invitations","params":true,"pages":"invitations"},
  createInvitation: {"method":"POST","path":"/v1/invitations","body":"json","idempotencyKey":true},
  revokeInvitation: {"method":"DELETE","path":"/v1/invitations/{invitationId}","params":true},
  inspectInvitation: {"method":"POST","path":"/auth/invitations/inspect","body":"json"},
  acceptInvitation: {"method":"POST","path":"/auth/invitations/accept","body":"json"},
  getSso: {"method":"GET","path":"/v1/sso"},
  putSso: {"method":"PUT","path":"/v1/sso","body":"json"},
  deleteSso: {"method":"DELETE","path":"/v1/sso"},
  checkSso: {"method":"POST","path":"/v1/sso/check"},
  listSsoOfDomain: {"method":"GET","path":"/auth/sso","params":true},
  startSso: {"method":"GET","path":"/auth/sso/{accountId}/start","params":true},
  finishSso: {"method":"GET","path":"/auth/sso/{accountId}/callback","params":true},
  listKeys: {"method":"GET","path":"/v1/keys","params":true,"pages":"keys"},
  createKey: {"method":"POST","path":"/v1/keys","body":"json","idempotencyKey":true},
  renameKey: {"method":"PATCH","path":"/v1/keys/{keyId}","params":true,"body":"json"},
  revokeKey: {"method":"DELETE","path":"/v1/keys/{keyId}","params":true},
  rotateKey: {"method":"POST","path":"/v1/keys/{keyId}/rotate","params":true,"idempotencyKey":true},
  revokeLeakedKey: {"method":"POST","path":"/v1/keys/revoke-leaked","body":"json"},
  listChanges: {"method":"GET","path":"/v1/audit","params":true,"pages":"changes"},
  listRoles: {"method":"GET","path":"/v1/roles","pages":"roles"},
  createRole: {"method":"POST","path":"/v1/roles","body":"json","idempotencyKey":true},
  updateRole: {"method":"PATCH","path":"/v1/roles/{id}","params":true,"body":"json"},
  deleteRole: {"method":"DELETE","path":"/v1/roles/{id}","params":true},
  viewAsRole: {"method":"POST","path":"/v1/roles/{id}/view","params":true},
  listCollections: {"method":"GET","path":"/v1/cms/collections","params":true,"pages":"collections"},
  createCollection: {"method":"POST","path":"/v1/cms/collections","body":"json","idempotencyKey":true},
  countEntries: {"method":"GET","path":"/v1/cms/entry-counts"},
  getCollection: {"method":"GET","path":"/v1/cms/collections/{collectionId}","params":true},
  updateCollection: {"method":"PATCH","path":"/v1/cms/collections/{collectionId}","params":true,"body":"json"},
  deleteCollection: {"method":"DELETE","path":"/v1/cms/collections/{collectionId}","params":true},
  listComponents: {"method":"GET","path":"/v1/cms/components","pages":"components"},
  createComponent: {"method":"POST","path":"/v1/cms/components","body":"json","idempotencyKey":true},
  getComponent: {"method":"GET","path":"/v1/cms/components/{id}","params":true},
  updateComponent: {"method":"PATCH","path":"/v1/cms/components/{id}","params":true,"body":"json"},
  deleteComponent: {"method":"DELETE","path":"/v1/cms/components/{id}","params":true},
  moveEntry: {"method":"POST","path":"/v1/cms/collections/{collectionId}/entries/{entryId}/move","params":true,"body":"json"},
  listEntries: {"method":"GET","path":"/v1/cms/collections/{collectionId}/entries","params":true,"pages":"entries"},
  createEntry: {"method":"POST","path":"/v1/cms/collections/{collectionId}/entries","params":true,"body":"json","idempotencyKey":true},
  getEntry: {"method":"GET","path":"/v1/cms/collections/{collectionId}/entries/{entryId}","params":true},
  updateEntry: {"method":"PATCH","path":"/v1/cms/collections/{collectionId}/entries/{entryId}","params":true,"body":"json"},
  deleteEntry: {"method":"DELETE","path":"/v1/cms/collections/{collectionId}/entries/{entryId}","params":true},
  getSingleton: {"method":"GET","path":"/v1/cms/collections/{collectionId}/entry","params":true},
  updateSingleton: {"method":"PATCH","path":"/v1/cms/collections/{collectionId}/entry","params":true,"body":"json"},
  queryEntries: {"method":"POST","path":"/v1/cms/collections/{collectionId}/entries/query","params":true,"body":"json","pages":"entries"},
  aggregateEntries: {"method":"POST","path":"/v1/cms/collections/{collectionId}/entries/aggregate","params":true,"body":"json","pages":"groups"},
  upsertEntry: {"method":"PUT","path":"/v1/cms/collections/{collectionId}/entries/by/{fieldId}/{value}","params":true,"body":"json","idempotencyKey":true},
  duplicateEntry: {"method":"POST","path":"/v1/cms/collections/{collectionId}/entries/{entryId}/duplicate","params":true,"body":"json","idempotencyKey":true},
  batchEntries: {"method":"POST","path":"/v1/cms/batch","body":"json","idempotencyKey":true},
  updateEntries: {"method":"POST","path":"/v1/cms/collections/{collectionId}/entries/update-many","params":true,"body":"json","idempotencyKey":true},
  deleteEntries: {"method":"POST","path":"/v1/cms/collections/{collectionId}/entries/delete-many","params":true,"body":"json","idempotencyKey":true},
  undoEntries: {"method":"POST","path":"/v1/cms/collections/{collectionId}/undo/{undoId}","params":true,"idempotencyKey":true},
  listEntryVersions: {"method":"GET","path":"/v1/cms/collections/{collectionId}/entries/{entryId}/versions","params":true,"pages":"versions"},
  getEntryVersion: {"method":"GET","path":"/v1/cms/collections/{collectionId}/entries/{entryId}/versions/{version}","params":true},
  restoreEntryVersion: {"method":"POST","path":"/v1/cms/collections/{collectionId}/entries/{entryId}/versions/{version}/restore","params":true,"body":"json","idempotencyKey":true},
  listDeletedCollections: {"method":"GET","path":"/v1/cms/trash","params":true,"pages":"collections"},
  listDeletedEntries: {"method":"GET","path":"/v1/cms/collections/{collectionId}/trash","params":true,"pages":"entries"},
  publishEntry: {"method":"POST","path":"/v1/cms/collections/{collectionId}/entries/{entryId}/publish","params":true,"body":"json","idempotencyKey":true},
  unpublishEntry: {"method":"POST","path":"/v1/cms/collections/{collectionId}/entries/{entryId}/unpublish","params":true,"body":"json","idempotencyKey":true},
  discardEntryDraft: {"method":"POST","path":"/v1/cms/collections/{collectionId}/entries/{entryId}/discard-draft","params":true,"body":"json","idempotencyKey":true},
  publishEntries: {"method":"POST","path":"/v1/cms/collections/{collectionId}/publish","params":true,"body":"json","idempotencyKey":true},
  unpublishEntries: {"method":"POST","path":"/v1/cms/collections/{collectionId}/unpublish","params":true,"body":"json","idempotencyKey":true},
  listPublishHooks: {"method":"GET","path":"/v1/publish-hooks"},
  createPublishHook: {"method":"POST","path":"/v1/publish-hooks","body":"json","idempotencyKey":true},
  updatePublishHook: {"method":"PATCH","path":"/v1/publish-hooks/{hookId}","params":true,"body":"json"},
  deletePublishHook: {"method":"DELETE","path":"/v1/publish-hooks/{hookId}","params":true},
  testPublishHook: {"method":"POST","path":"/v1/publish-hooks/{hookId}/test","params":true},
  listReleases: {"method":"GET","path":"/v1/cms/releases","params":true,"pages":"releases"},
  createRelease: {"method":"POST","path":"/v1/cms/releases","body":"json","idempotencyKey":true},
  getRelease: {"method":"GET","path":"/v1/cms/releases/{releaseId}","params":true},
  updateRelease: {"method":"PATCH","path":"/v1/cms/releases/{releaseId}","params":true,"body":"json"},
  cancelRelease: {"method":"DELETE","path":"/v1/cms/releases/{releaseId}","params":true},
  listReleaseItems: {"method":"GET","path":"/v1/cms/releases/{releaseId}/items","params":true,"pages":"items"},
  publishRelease: {"method":"POST","path":"/v1/cms/releases/{releaseId}/publish","params":true,"body":"json","idempotencyKey":true},
  createPreview: {"method":"POST","path":"/v1/cms/collections/{collectionId}/entries/{entryId}/preview","params":true},
  getReview: {"method":"GET","path":"/v1/cms/collections/{collectionId}/entries/{entryId}/review","params":true},
  updateReview: {"method":"PUT","path":"/v1/cms/collections/{collectionId}/entries/{entryId}/review","params":true,"body":"json"},
  listComments: {"method":"GET","path":"/v1/cms/collections/{collectionId}/entries/{entryId}/comments","params":true,"pages":"comments"},
  createComment: {"method":"POST","path":"/v1/cms/collections/{collectionId}/entries/{entryId}/comments","params":true,"body":"json","idempotencyKey":true},
  deleteComment: {"method":"DELETE","path":"/v1/cms/collections/{collectionId}/entries/{entryId}/comments/{commentId}","params":true},
  recordPresence: {"method":"POST","path":"/v1/cms/collections/{collectionId}/entries/{entryId}/presence","params":true},
  getEntryDraft: {"method":"GET","path":"/v1/cms/collections/{collectionId}/entries/{entryId}/draft","params":true},
  saveEntryDraft: {"method":"PUT","path":"/v1/cms/collections/{collectionId}/entries/{entryId}/draft","params":true,"body":"json"},
  deleteEntryDraft: {"method":"DELETE","path":"/v1/cms/collections/{collectionId}/entries/{entryId}/draft","params":true},
  listEntryViews: {"method":"GET","path":"/v1/cms/collections/{collectionId}/views","params":true},
  saveEntryView: {"method":"PUT","path":"/v1/cms/collections/{collectionId}/views","params":true,"body":"json"},
  deleteEntryView: {"method":"DELETE","path":"/v1/cms/collections/{collectionId}/views/{viewId}","params":true},
  listEntryUsages: {"method":"GET","path":"/v1/cms/collections/{collectionId}/entries/{entryId}/usages","params":true,"pages":"usages"},
  getEntryTitles: {"method":"GET","path":"/v1/cms/entry-titles","params":true},
  getLocales: {"method":"GET","path":"/v1/cms/locales"},
  setLocales: {"method":"PUT","path":"/v1/cms/locales","body":"json"},
  createUploadToken: {"method":"POST","path":"/v1/files/upload-tokens","body":"json","idempotencyKey":true},
  uploadFileFromUrl: {"method":"POST","path":"/v1/files/upload-from-url","body":"json","idempotencyKey":true},
  listFiles: {"method":"GET","path":"/v1/files","params":true,"pages":"files"},
  listFileTags: {"method":"GET","path":"/v1/files/tags"},
  getFile: {"method":"GET","path":"/v1/files/{assetId}","params":true},
  updateFile: {"method":"PATCH","path":"/v1/files/{assetId}","params":true,"body":"json"},
  deleteFile: {"method":"DELETE","path":"/v1/files/{assetId}","params":true},
  clearUnusedFiles: {"method":"POST","path":"/v1/files/clear-unused","body":"json","idempotencyKey":true},
  listFolders: {"method":"GET","path":"/v1/folders"},
  createFolder: {"method":"POST","path":"/v1/folders","body":"json","idempotencyKey":true},
  updateFolder: {"method":"PATCH","path":"/v1/folders/{folderId}","params":true,"body":"json"},
  deleteFolder: {"method":"DELETE","path":"/v1/folders/{folderId}","params":true},
  listLeads: {"method":"GET","path":"/v1/leads","params":true,"pages":"leads"},
  getLead: {"method":"GET","path":"/v1/leads/{leadId}","params":true},
  updateLead: {"method":"PATCH","path":"/v1/leads/{leadId}","params":true,"body":"json"},
  eraseLead: {"method":"POST","path":"/v1/leads/erase","body":"json","idempotencyKey":true},
  listTrackedSessions: {"method":"GET","path":"/v1/sessions","params":true,"pages":"sessions"},
  getTrackedSession: {"method":"GET","path":"/v1/sessions/{sessionId}","params":true},
  eraseVisitor: {"method":"POST","path":"/v1/visitors/erase","body":"json","idempotencyKey":true},
  checkFirstParty: {"method":"POST","path":"/v1/tracking/check-first-party","body":"json"},
  getTrackingSettings: {"method":"GET","path":"/v1/tracking/settings"},
  changeTrackingSettings: {"method":"PATCH","path":"/v1/tracking/settings","body":"json"},
  createConversionImport: {"method":"POST","path":"/v1/conversions/imports","body":"json","idempotencyKey":true},
  listConversionImports: {"method":"GET","path":"/v1/conversions/imports","params":true,"pages":"imports"},
  getConversionImport: {"method":"GET","path":"/v1/conversions/imports/{importId}","params":true},
  undoConversionImport: {"method":"POST","path":"/v1/conversions/imports/{importId}/undo","params":true},
  listConversions: {"method":"GET","path":"/v1/conversions","params":true,"pages":"conversions"},
  listUnmatchedConversions: {"method":"GET","path":"/v1/conversions/unmatched","params":true,"pages":"conversions"},
  correctUnmatchedConversion: {"method":"PATCH","path":"/v1/conversions/unmatched/{conversionId}","params":true,"body":"json"},
  deleteUnmatchedConversion: {"method":"DELETE","path":"/v1/conversions/unmatched/{conversionId}","params":true},
  getConversion: {"method":"GET","path":"/v1/conversions/{conversionId}","params":true},
  listReconciliations: {"method":"GET","path":"/v1/reconciliations","params":true,"pages":"reconciliations"},
  createReconciliation: {"method":"POST","path":"/v1/reconciliations","params":true,"body":"form"},
  getReconciliation: {"method":"GET","path":"/v1/reconciliations/{reconciliationId}","params":true},
  deleteReconciliation: {"method":"DELETE","path":"/v1/reconciliations/{reconciliationId}","params":true},
  listReconciliationLines: {"method":"GET","path":"/v1/reconciliations/{reconciliationId}/lines","params":true,"pages":"lines"},
  applyReconciliation: {"method":"POST","path":"/v1/reconciliations/{reconciliationId}/apply","params":true,"body":"json"},
  undoReconciliation: {"method":"POST","path":"/v1/reconciliations/{reconciliationId}/undo","params":true},
  getJob: {"method":"GET","path":"/v1/jobs/get-by-id","params":true},
  listJobs: {"method":"GET","path":"/v1/jobs","params":true,"pages":"jobs"},
  cancelJob: {"method":"POST","path":"/v1/jobs/{id}/cancel","params":true,"body":"json"},
  startExport: {"method":"POST","path":"/v1/analytics/export","body":"json","idempotencyKey":true},
  exportEntries: {"method":"POST","path":"/v1/cms/collections/{collectionId}/export","params":true,"body":"json","idempotencyKey":true},
  listImports: {"method":"GET","path":"/v1/cms/collections/{collectionId}/imports","params":true,"pages":"imports"},
  uploadImport: {"method":"POST","path":"/v1/cms/collections/{collectionId}/imports","params":true,"body":"form"},
  getImport: {"method":"GET","path":"/v1/cms/collections/{collectionId}/imports/{importId}","params":true},
  dryRunImport: {"method":"POST","path":"/v1/cms/collections/{collectionId}/imports/{importId}/dry-run","params":true,"body":"json"},
  startImport: {"method":"POST","path":"/v1/cms/collections/{collectionId}/imports/{importId}/start","params":true,"body":"json"},
  undoImport: {"method":"POST","path":"/v1/cms/collections/{collectionId}/imports/{importId}/undo","params":true,"body":"json"},
  putAdCosts: {"method":"PUT","path":"/v1/analytics/ad-costs","params":true,"body":"json"},
  listAdCosts: {"method":"GET","path":"/v1/analytics/ad-costs","params":true,"pages":"costs"},
  listUnmatchedCosts: {"method":"GET","path":"/v1/analytics/ad-costs/unmatched","params":true},
  assignCosts: {"method":"PUT","path":"/v1/analytics/ad-costs/assignments","body":"json"},
  getAdPerformance: {"method":"GET","path":"/v1/analytics/ad-performance","params":true},
  putExchangeRates: {"method":"PUT","path":"/v1/analytics/exchange-rates","params":true,"body":"json"},
  listExchangeRates: {"method":"GET","path":"/v1/analytics/exchange-rates","params":true,"pages":"rates"},
  getRoas: {"method":"GET","path":"/v1/analytics/roas","params":true},
  getDiscrepancies: {"method":"GET","path":"/v1/analytics/discrepancies","params":true},
  getChannelRules: {"method":"GET","path":"/v1/analytics/channel-rules"},
  putChannelRules: {"method":"PUT","path":"/v1/analytics/channel-rules","body":"json"},
  getOverview: {"method":"GET","path":"/v1/analytics/overview","params":true},
  getBreakdown: {"method":"GET","path":"/v1/analytics/breakdown","params":true},
  getFunnel: {"method":"POST","path":"/v1/analytics/funnel","body":"json"},
  getEventProperties: {"method":"GET","path":"/v1/analytics/event-properties","params":true},
  listRankedSessions: {"method":"GET","path":"/v1/analytics/ranked-sessions","params":true,"pages":"sessions"},
  getAttribution: {"method":"GET","path":"/v1/analytics/attribution","params":true},
  getUnmatchedReport: {"method":"GET","path":"/v1/analytics/unmatched","params":true},
  listSharedLinks: {"method":"GET","path":"/v1/analytics/shared-links"},
  createSharedLink: {"method":"POST","path":"/v1/analytics/shared-links","body":"json","idempotencyKey":true},
  updateSharedLink: {"method":"PATCH","path":"/v1/analytics/shared-links/{linkId}","params":true,"body":"json"},
  deleteSharedLink: {"method":"DELETE","path":"/v1/analytics/shared-links/{linkId}","params":true},
  getSharedReport: {"method":"GET","path":"/shared/report"},
  unlockSharedReport: {"method":"POST","path":"/shared/unlock","body":"json"},
  getSharedOverview: {"method":"GET","path":"/shared/overview","params":true},
  getSharedBreakdown: {"method":"GET","path":"/shared/breakdown","params":true},
  listSharedAnnotations: {"method":"GET","path":"/shared/annotations","params":true},
  getSharedFunnel: {"method":"GET","path":"/shared/funnel","params":true},
  getTimeline: {"method":"GET","path":"/v1/analytics/timeline","params":true,"pages":"items"},
  getLeadValues: {"method":"GET","path":"/v1/analytics/lead-values","params":true},
  getSessionVisits: {"method":"GET","path":"/v1/analytics/session-visits","params":true},
  getLive: {"method":"GET","path":"/v1/analytics/live"},
  listSavedViews: {"method":"GET","path":"/v1/analytics/views","params":true},
  saveView: {"method":"PUT","path":"/v1/analytics/views","body":"json"},
  deleteSavedView: {"method":"DELETE","path":"/v1/analytics/views/{viewId}","params":true},
  listAnnotations: {"method":"GET","path":"/v1/analytics/annotations","params":true},
  createAnnotation: {"method":"POST","path":"/v1/analytics/annotations","body":"json","idempotencyKey":true},
  updateAnnotation: {"method":"PATCH","path":"/v1/analytics/annotations/{annotationId}","params":true,"body":"json"},
  deleteAnnotation: {"method":"DELETE","path":"/v1/analytics/annotations/{annotationId}","params":true},
  listAlerts: {"method":"GET","path":"/v1/alerts","params":true,"pages":"alerts"},
  createAlert: {"method":"POST","path":"/v1/alerts","body":"json","idempotencyKey":true},
  getAlert: {"method":"GET","path":"/v1/alerts/{alertId}","params":true},
  updateAlert: {"method":"PATCH","path":"/v1/alerts/{alertId}","params":true,"body":"json"},
  deleteAlert: {"method":"DELETE","path":"/v1/alerts/{alertId}","params":true},
  listAlertIncidents: {"method":"GET","path":"/v1/alerts/{alertId}/incidents","params":true,"pages":"incidents"},
  listExperiments: {"method":"GET","path":"/v1/experiments","params":true,"pages":"experiments"},
  createExperiment: {"method":"POST","path":"/v1/experiments","body":"json","idempotencyKey":true},
  getExperiment: {"method":"GET","path":"/v1/experiments/{experimentId}","params":true},
  updateExperiment: {"method":"PATCH","path":"/v1/experiments/{experimentId}","params":true,"body":"json"},
  startExperiment: {"method":"POST","path":"/v1/experiments/{experimentId}/start","params":true,"body":"json","idempotencyKey":true},
  stopExperiment: {"method":"POST","path":"/v1/experiments/{experimentId}/stop","params":true,"body":"json","idempotencyKey":true},
  shipExperiment: {"method":"POST","path":"/v1/experiments/{experimentId}/ship","params":true,"body":"json","idempotencyKey":true},
  getAssignment: {"method":"GET","path":"/v1/experiments/{experimentId}/assignment","params":true},
  getExperimentPower: {"method":"GET","path":"/v1/experiments/{experimentId}/power","params":true},
  getExperimentResults: {"method":"GET","path":"/v1/experiments/{experimentId}/results","params":true},
  createWebhook: {"method":"POST","path":"/v1/webhooks","body":"json","idempotencyKey":true},
  listWebhooks: {"method":"GET","path":"/v1/webhooks","params":true,"pages":"webhooks"},
  getWebhook: {"method":"GET","path":"/v1/webhooks/{id}","params":true},
  updateWebhook: {"method":"PATCH","path":"/v1/webhooks/{id}","params":true,"body":"json"},
  deleteWebhook: {"method":"DELETE","path":"/v1/webhooks/{id}","params":true},
  rotateWebhookSecret: {"method":"POST","path":"/v1/webhooks/{id}/rotate-secret","params":true,"body":"json","idempotencyKey":true},
  testWebhook: {"method":"POST","path":"/v1/webhooks/{id}/test","params":true,"body":"json"},
  listWebhookDeliveries: {"method":"GET","path":"/v1/webhooks/{id}/deliveries","params":true,"pages":"deliveries"},
  getWebhookDelivery: {"method":"GET","path":"/v1/webhooks/{id}/deliveries/{deliveryId}","params":true},
  replayWebhook: {"method":"POST","path":"/v1/webhooks/{id}/replay","params":true,"body":"json","idempotencyKey":true},
  getWebhookTestEndpoint: {"method":"GET","path":"/v1/webhooks/test-endpoint"},
  clearWebhookTestEndpoint: {"method":"DELETE","path":"/v1/webhooks/test-endpoint"},
  listDestinationPlatforms: {"method":"GET","path":"/v1/destinations/platforms"},
  createDestination: {"method":"POST","path":"/v1/destinations","body":"json","idempotencyKey":true},
  listDestinations: {"method":"GET","path":"/v1/destinations","params":true,"pages":"destinations"},
  getDestination: {"method":"GET","path":"/v1/destinations/{id}","params":true},
  updateDestination: {"method":"PATCH","path":"/v1/destinations/{id}","params":true,"body":"json"},
  deleteDestination: {"method":"DELETE","path":"/v1/destinations/{id}","params":true},
  listDestinationDeliveries: {"method":"GET","path":"/v1/destinations/{id}/deliveries","params":true,"pages":"deliveries"},
  listConversionDeliveries: {"method":"GET","path":"/v1/conversions/{conversionId}/deliveries","params":true},
  dryRunDestination: {"method":"POST","path":"/v1/destinations/{id}/dry-run","params":true,"body":"json"},
  testDestination: {"method":"POST","path":"/v1/destinations/{id}/test","params":true,"body":"json"},
  replayDestination: {"method":"POST","path":"/v1/destinations/{id}/replay","params":true,"body":"json","idempotencyKey":true},
  listCostPlatforms: {"method":"GET","path":"/v1/analytics/cost-sources/platforms"},
  createCostSource: {"method":"POST","path":"/v1/analytics/cost-sources","body":"json","idempotencyKey":true},
  listCostSources: {"method":"GET","path":"/v1/analytics/cost-sources","params":true,"pages":"costSources"},
  getCostSource: {"method":"GET","path":"/v1/analytics/cost-sources/{costSourceId}","params":true},
  updateCostSource: {"method":"PATCH","path":"/v1/analytics/cost-sources/{costSourceId}","params":true,"body":"json"},
  deleteCostSource: {"method":"DELETE","path":"/v1/analytics/cost-sources/{costSourceId}","params":true},
  refreshCostSource: {"method":"POST","path":"/v1/analytics/cost-sources/{costSourceId}/refresh","params":true,"body":"json"},
  createWarehouse: {"method":"POST","path":"/v1/warehouses","body":"json","idempotencyKey":true},
  listWarehouses: {"method":"GET","path":"/v1/warehouses","params":true,"pages":"warehouses"},
  getWarehouse: {"method":"GET","path":"/v1/warehouses/{warehouseId}","params":true},
  updateWarehouse: {"method":"PATCH","path":"/v1/warehouses/{warehouseId}","params":true,"body":"json"},
  deleteWarehouse: {"method":"DELETE","path":"/v1/warehouses/{warehouseId}","params":true},
  testWarehouse: {"method":"POST","path":"/v1/warehouses/{warehouseId}/test","params":true},
  exportWarehouse: {"method":"POST","path":"/v1/warehouses/{warehouseId}/export","params":true,"body":"json","idempotencyKey":true},
  listRejectedRequests: {"method":"GET","path":"/v1/rejected-requests","params":true,"pages":"requests"},
  deleteRejectedRequests: {"method":"DELETE","path":"/v1/rejected-requests"},
  getSchema: {"method":"GET","path":"/v1/schema","params":true},
  putSchema: {"method":"PUT","path":"/v1/schema","params":true,"body":"json"},
  undoSchema: {"method":"POST","path":"/v1/schema/undo/{undoId}","params":true,"body":"json"},
  planEntryChanges: {"method":"POST","path":"/v1/plans/entry-changes","body":"json"},
  planBulkChange: {"method":"POST","path":"/v1/plans/bulk-changes","body":"json"},
  planConversions: {"method":"POST","path":"/v1/plans/conversions","body":"json"},
  planSchema: {"method":"POST","path":"/v1/plans/schema","body":"json"},
  listPlans: {"method":"GET","path":"/v1/plans","params":true,"pages":"plans"},
  getPlan: {"method":"GET","path":"/v1/plans/{planId}","params":true},
  applyPlan: {"method":"POST","path":"/v1/plans/{planId}/apply","params":true},
  undoPlan: {"method":"POST","path":"/v1/plans/{planId}/undo","params":true},
  dismissPlan: {"method":"POST","path":"/v1/plans/{planId}/dismiss","params":true},
  checkAgent: {"method":"POST","path":"/v1/keys/agents/check","body":"json"},
  connectAgent: {"method":"POST","path":"/v1/keys/agents","body":"json"},
  runSql: {"method":"POST","path":"/v1/sql","body":"json"},
  listQueueAlarms: {"method":"GET","path":"/v1/queue-alarms"},
  listBackups: {"method":"GET","path":"/operator/backups"},
  checkBackup: {"method":"POST","path":"/operator/backups/{name}/check","params":true},
  listCells: {"method":"GET","path":"/operator/cells"},
  changeCell: {"method":"PATCH","path":"/operator/cells/{cell}","params":true,"body":"json"},
  listAccountsOfCell: {"method":"GET","path":"/operator/cells/{cell}/accounts","params":true},
  moveAccount: {"method":"POST","path":"/operator/moves","body":"json"},
  cancelMove: {"method":"POST","path":"/operator/moves/{account}/cancel","params":true},
  listPublicChanges: {"method":"GET","path":"/v1/content/changes","params":true},
  resolvePath: {"method":"GET","path":"/v1/content/resolve","params":true},
  listRedirects: {"method":"GET","path":"/v1/content/redirects","params":true,"pages":"redirects"},
  getSitemap: {"method":"GET","path":"/v1/content/sitemap.xml","params":true},
  queryGraphql: {"method":"POST","path":"/v1/graphql","body":"json"},
  getGraphql: {"method":"GET","path":"/v1/graphql","params":true},
  listPublicEntries: {"method":"GET","path":"/v1/content/{collectionId}","params":true,"pages":"entries"},
  queryPublicEntries: {"method":"POST","path":"/v1/content/{collectionId}/query","params":true,"body":"json","pages":"entries"},
  aggregatePublicEntries: {"method":"POST","path":"/v1/content/{collectionId}/aggregate","params":true,"body":"json","pages":"groups"},
  getPublicSingleton: {"method":"GET","path":"/v1/content/{collectionId}/entry","params":true},
  getPublicEntry: {"method":"GET","path":"/v1/content/{collectionId}/{entryId}","params":true},
  uploadFile: {"method":"POST","path":"/v1/files/upload","body":"form","idempotencyKey":true},
  replaceFile: {"method":"POST","path":"/v1/files/{assetId}/replace","params":true,"body":"form","idempotencyKey":true},
  recordVisit: {"method":"POST","path":"/v1/visits","body":"json","idempotencyKey":true,"open":true},
  recordEvent: {"method":"POST","path":"/v1/events","body":"json","idempotencyKey":true,"open":true},
  recordBatch: {"method":"POST","path":"/v1/batch","body":"json","idempotencyKey":true,"open":true},
  reportConversion: {"method":"POST","path":"/v1/analytics/report-conversion","body":"json","idempotencyKey":true},
  reportConversionByQuery: {"method":"GET","path":"/v1/analytics/report-conversion","params":true,"hasEffect":true},
  reportImportedConversions: {"method":"POST","path":"/v1/conversions/imports/{importId}/reports","params":true,"body":"json","idempotencyKey":true},
  dryRunConversion: {"method":"POST","path":"/v1/analytics/report-conversion/dry-run","body":"json"},
  listRunningExperiments: {"method":"GET","path":"/v1/experiments/running"},
} as const;
