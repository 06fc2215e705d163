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
  /** A decimal number */
  cost: string;
  clicks: number | null;
  impressions: number | null;
  updatedAt: string;
}

export interface AdCostsResult {
  /** Costs that were added or replaced */
  written: number;
  /** Costs that were removed */
  removed: number;
}

export interface AdPerformance {
  from: string;
  to: string;
  by: string;
  /** Everything recorded until then is counted */
  asOf: string;
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
  /** Cost divided by conversions, to two decimals */
  costPerConversion: Money[];
  /** Revenue divided by cost in each currency that has a cost */
  returnOnAdSpend: {
    currency: string;
    /** 2 is revenue of twice the cost */
    value: number;
  }[];
  /** In the currency of the account, by its exchange rates; null if it has no currency */
  converted: ConvertedCosts | null;
}

export interface AdPerformanceRow {
  value: string | null;
  /** By currency */
  cost: Money[];
  clicks: number;
  impressions: number;
  sessions: number;
  leads: number;
  conversions: number;
  /** By currency */
  revenue: Money[];
  /** Cost divided by conversions, to two decimals */
  costPerConversion: Money[];
  /** Revenue divided by cost in each currency that has a cost */
  returnOnAdSpend: {
    currency: string;
    /** 2 is revenue of twice the cost */
    value: number;
  }[];
  /** In the currency of the account, by its exchange rates; null if it has no currency */
  converted: ConvertedCosts | null;
}

export interface Annotation {
  id: string;
  /** A day, such as 2026-11-20, or an RFC 3339 time. A day is in the time zone of the report */
  at: string;
  text: string;
  /** The time, or when the day starts in `timeZone` */
  startsAt: string;
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
}

export interface AssetValue {
  assetId: string;
  /** URL of the file; works without a token */
  url: string;
  /** Detected from the content of the file */
  type?: 'image' | 'video' | undefined;
  /** File name as uploaded */
  name?: string | undefined;
  /** Pixels as displayed, rotation applied */
  width?: number | undefined;
  /** Pixels as displayed, rotation applied */
  height?: number | undefined;
}

export interface Attribution {
  from: string;
  to: string;
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
  /** The sum in the currency of the account, by its exchange rates; null if it has no currency */
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
    finishedAt: string | null;
    isValid: boolean | null;
    /** Tables and files that are missing or damaged, at most 100 */
    damaged: string[];
  } | null;
}

export interface Backups {
  location: string | null;
  everyHours: number;
  keep: number;
  /** The newest 100, newest first */
  backups: Backup[];
  continuous: {
    everySeconds: number;
    days: number;
    /** The times to which the database can be restored, oldest first */
    ranges: {
      from: string;
      until: string;
    }[];
  } | null;
}

export interface Breakdown {
  from: string;
  to: string;
  timeZone: string;
  asOf: string;
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

export interface BreakdownRow {
  /** null: without a value */
  value: string | null;
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
  /** The sum in the currency of the account, by its exchange rates; null if it has no currency */
  convertedRevenue: ConvertedRevenue | null;
  /** By `event` and `funnel` only */
  events?: number | undefined;
  previous?: {
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
    /** The sum in the currency of the account, by its exchange rates; null if it has no currency */
    convertedRevenue: ConvertedRevenue | null;
    events?: number | undefined;
  } | undefined;
}

export interface Cell {
  /** The first database is `main` */
  name: string;
  /** Whether new accounts are created there */
  isOpen: boolean;
  accounts: number;
  createdAt: string;
  status: 'ok' | 'unavailable';
  bytes: number | null;
  recordedPerSecond: number | null;
  lagSeconds: number | null;
  queued: number | null;
  connections: number | null;
  responseMs: number | null;
}

export interface CellAccounts {
  /** The 50 with the most visits and events, then by age */
  accounts: ({
    id: string;
    name: string;
    createdAt: string;
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
  error: string | null;
  startedAt: string;
}

export interface Cells {
  cells: Cell[];
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
  currentPassword: string;
}

export interface ChangeEmailResponse {
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
  role?: 'owner' | 'editor' | 'viewer' | undefined;
  /** The only part of the account that the member may use: collections and files, or reports, sessions, leads and conversions; null: all of it. Owners cannot be limited */
  area?: 'content' | 'analytics' | null | undefined;
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
}

export interface ChangeTrackingSettingsResponse {
  /** Origins of the pages that may use the publishable key, such as `https://shop.example`, or `https://*.shop.example` for every subdomain. If empty, every origin may. Requests from servers, without an `Origin` header, are not restricted */
  allowedOrigins: string[];
  /** IPv4 and IPv6 addresses and CIDR ranges whose visits and events are recorded as internal traffic and excluded from reports, like those of bots */
  excludedAddresses: string[];
  /** How many days sessions, visits, events and leads are stored; null for no limit. Conversions remain, without their identifiers */
  retentionDays: number | null;
  /** Null until the settings are first changed */
  updatedAt: string | null;
}

export interface ChangeUserRequest {
  name: string;
}

export interface ClearUnusedFilesRequest {
  /** Only files unused for at least this long; default: 30 */
  unusedForDays?: number | undefined;
}

export interface Collection {
  id: string;
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
  /** Absent unless versions must be approved before they are published: the role of who may approve */
  review?: 'editor' | 'owner' | undefined;
  createdAt: string;
  updatedAt: string;
}

export interface Comment {
  id: string;
  text: string;
  by: Author | null;
  createdAt: string;
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

export interface ConfirmEmailRequest {
  /** The part of the link after `#` */
  token: string;
}

export interface ConfirmEmailResponse {
  success: boolean;
}

export interface ConfirmTwoFactorRequest {
  code: string;
}

export interface ConfirmTwoFactorResponse {
  /** Each works once instead of a code. Shown once */
  recoveryCodes: string[];
}

/** What the visitor consented to, as in Google consent mode. Recorded for the session; the latest choice counts. Without one, destinations decide by their consent policy */
export interface Consent {
  ad_storage?: 'granted' | 'denied' | undefined;
  ad_user_data?: 'granted' | 'denied' | undefined;
  ad_personalization?: 'granted' | 'denied' | undefined;
  /** The TC string of the IAB's framework; fills in what is omitted */
  tcf?: string | undefined;
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
  updatedAt: string;
}

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
  hash?: string | number | null | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  sessionHash?: string | number | null | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  sessionId?: string | number | null | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  visitHash?: string | number | null | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  shortHash?: string | number | null | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  shortSessionHash?: string | number | null | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  shortVisitHash?: string | number | null | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  gclid?: string | number | null | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  gbraid?: string | number | null | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  wbraid?: string | number | null | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  fbclid?: string | number | null | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  msclkid?: string | number | null | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  ttclid?: string | number | null | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  li_fat_id?: string | number | null | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  epik?: string | number | null | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  twclid?: string | number | null | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  sclid?: string | number | null | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  tblci?: string | number | null | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  ob_click_id?: string | number | null | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  rdt_cid?: string | number | null | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  aleid?: string | number | null | undefined;
  /** Each item has exactly one identifier; null and empty strings do not count. */
  alart?: string | number | null | undefined;
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
  /** Use `value`, which wins when both are sent. */
  conversion?: {
    /** Amount: a number or numeric string up to 10^18. An empty string is invalid; 0 is a value. */
    value?: number | string | null | undefined;
  } | null | undefined;
  /** Any metadata, up to 32 KiB of JSON */
  extra?: Record<string, unknown> | null | undefined;
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

export interface ConversionWithReports {
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
  updatedAt: string;
  /** Every report of the conversion in the order of arrival; null is what a report did not contain */
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

export interface CorrectUnmatchedConversionResponse {
  /** Whether a session has the identifier: it is a conversion now */
  matched: boolean;
}

export interface CountEntriesResponse {
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
  description?: string | null | undefined;
  displayFieldId?: string | null | undefined;
  defaultSort?: DefaultSort | null | undefined;
  /** Whether entries are drafts until they are published; `false` by default. Required and unique fields then apply to what is published. It can only be turned off while no entry is published. */
  publishing?: boolean | undefined;
  /** Whether everyone with a publishable key can read what is published, except private fields; `false` by default. Only with `publishing`. */
  public?: boolean | undefined;
  previewUrl?: string | null | undefined;
  /** Whether a version must be approved before it is published, and the least role of who may approve; null, the default: not. Among users, only owners can change it. */
  review?: 'editor' | 'owner' | null | undefined;
  fields?: ({
    /** Unique within its list; generated if it is omitted */
    id?: string | undefined;
    label: string;
    type: FieldType;
    /** `false` by default */
    required?: boolean | undefined;
    status?: 'active' | 'deleted' | undefined;
    options?: ({
      value: string;
      label: string;
      status?: 'active' | 'deleted' | undefined;
    })[] | null | undefined;
    format?: TextFormat | null | undefined;
    slugSource?: string | null | undefined;
    /** Of the format `reference`: the collections whose entries can be referenced */
    collectionIds?: string[] | undefined;
    /** Of the format `reference`: whether an entry can be deleted while it is referenced. `keep`, the default, keeps the references, which apply again when the entry is restored; `refuse` returns `entry_referenced` */
    onDelete?: 'keep' | 'refuse' | undefined;
    helpText?: string | null | undefined;
    validation?: FieldValidation | null | undefined;
    /** Whether the value is an array; `false` by default */
    repeated?: boolean | undefined;
    /** The value of entries that are created without one. Not for the types `asset` and `group` */
    defaultValue?: unknown | undefined;
    /** Whether no two active entries may have the same value; `false` by default. For the types `text`, `number`, `date`, `timestamp`, `url` and `select`, unless the field is repeated */
    unique?: boolean | undefined;
    /** Whether public responses omit the field; `false` by default */
    private?: boolean | undefined;
    /** Whether values differ by locale; `false` by default. Existing values are those of the default locale. Values in other locales are kept, but not returned, while it is off. */
    localized?: boolean | undefined;
    fields?: ({
      /** Unique within its list; generated if it is omitted */
      id?: string | undefined;
      label: string;
      type: FieldType;
      /** `false` by default */
      required?: boolean | undefined;
      status?: 'active' | 'deleted' | undefined;
      options?: ({
        value: string;
        label: string;
        status?: 'active' | 'deleted' | undefined;
      })[] | null | undefined;
      format?: TextFormat | null | undefined;
      slugSource?: string | null | undefined;
      /** Of the format `reference`: the collections whose entries can be referenced */
      collectionIds?: string[] | undefined;
      /** Of the format `reference`: whether an entry can be deleted while it is referenced. `keep`, the default, keeps the references, which apply again when the entry is restored; `refuse` returns `entry_referenced` */
      onDelete?: 'keep' | 'refuse' | undefined;
      helpText?: string | null | undefined;
      validation?: FieldValidation | null | undefined;
    })[] | null | undefined;
  })[] | undefined;
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

export interface CreateConversionImportRequest {
  /** Such as the name of the file */
  name: string;
}

export interface CreateDestinationRequest {
  platform: 'google' | 'meta' | 'microsoft' | 'tiktok' | 'linkedin' | 'pinterest' | 'snapchat' | 'reddit' | 'x' | 'taboola' | 'outbrain' | 'http';
  name: string;
  credentials: DestinationCredentials;
  mapping: NewMappingRule[];
  filter?: NewDestinationFilter | null | undefined;
  /** Which sessions' conversions are sent. `required`: those in which the visitor granted `ad_user_data` and did not deny `ad_storage`; `unless_denied`: those in which neither was denied; `ignore`: all, where consent is not the legal basis */
  consent: 'required' | 'unless_denied' | 'ignore';
  /** `validate`: conversions are checked by the platform, or here if it has no validation, and not counted; `off`: nothing is sent or queued */
  mode: 'live' | 'validate' | 'off';
  startAt?: string | null | undefined;
  sendAfter?: number | null | undefined;
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
  role: 'owner' | 'editor' | 'viewer';
  /** The only part of the account that the member may use: collections and files, or reports, sessions, leads and conversions; null: all of it. Owners cannot be limited */
  area?: 'content' | 'analytics' | null | undefined;
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
}

export interface CreatePasskeyRequest {
  name: string;
  credential: PasskeyCredential;
}

export interface CreateReleaseRequest {
  name?: string | null | undefined;
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

export interface CreateSharedLinkRequest {
  name: string;
  /** Whether readers can choose another period and add filters */
  isInteractive?: boolean | undefined;
  /** Whether readers see the annotations of the account, without their authors */
  hasAnnotations?: boolean | undefined;
  /** What readers must enter first; null: nothing */
  password?: string | null | undefined;
  period: {
    /** Relative to the current day of the time zone of the account */
    preset: 'day' | 'week' | 'month' | 'quarter' | 'year' | 'yesterday' | 'weekToDate' | 'monthToDate' | 'lastMonth' | 'yearToDate' | 'all';
  } | ReportPeriod;
  compare?: 'previous' | 'year' | 'none' | undefined;
  filters?: ReportFilters | undefined;
  /** The report is this funnel; without one it is the overview */
  funnel?: FunnelDefinition | null | undefined;
}

export interface CreateWebhookRequest {
  /** Ignored in requests */
  id?: unknown | undefined;
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
  events?: ('event.recorded' | 'lead.created' | 'lead.updated' | 'conversion.reported' | 'conversion.restated' | 'conversion.matched' | 'entry.created' | 'entry.updated' | 'entry.deleted' | 'entry.published' | 'entry.unpublished' | 'release.completed' | 'release.failed' | 'job.completed' | 'job.failed' | 'destination.failing')[] | null | undefined;
  /** The collections whose entries are sent; null: all. Events that are not about entries are always sent */
  collectionIds?: string[] | null | undefined;
  description?: string | null | undefined;
}

export interface CreatedApiKey {
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
  /** The key itself. Shown only once */
  token: string;
}

export interface CreatedInvitation {
  id: string;
  role: 'owner' | 'editor' | 'viewer';
  /** The only part of the account that the member may use: collections and files, or reports, sessions, leads and conversions; null: all of it. Owners cannot be limited */
  area: 'content' | 'analytics' | null;
  email: string | null;
  status: 'pending' | 'accepted' | 'revoked' | 'expired';
  invitedBy: {
    id: string;
    name: string;
  } | null;
  createdAt: string;
  expiresAt: string;
  /** The link for the invited person. Shown once. */
  url: string;
  /** The link is also sent to the email */
  emailed: boolean;
}

export interface DefaultSort {
  fieldId: string;
  direction: 'asc' | 'desc';
}

export interface DeleteAccountRequest {
  /** The name of the account, to confirm that it is meant */
  name: string;
  currentPassword: string;
}

export interface DeleteAccountResponse {
  success: boolean;
}

export interface DeleteAnnotationResponse {
  success: boolean;
}

export interface DeleteRejectedRequestsResponse {
  success: boolean;
}

export interface DeleteSavedViewResponse {
  success: boolean;
}

export interface DeleteSharedLinkResponse {
  success: boolean;
}

export interface DeleteUnmatchedConversionResponse {
  success: boolean;
}

export interface DeletedFile {
  assetId: string;
  deleted: boolean;
}

export interface Destination {
  id: string;
  platform: 'google' | 'meta' | 'microsoft' | 'tiktok' | 'linkedin' | 'pinterest' | 'snapchat' | 'reddit' | 'x' | 'taboola' | 'outbrain' | 'http';
  name: string;
  mapping: MappingRule[];
  filter: DestinationFilter;
  /** Which sessions' conversions are sent. `required`: those in which the visitor granted `ad_user_data` and did not deny `ad_storage`; `unless_denied`: those in which neither was denied; `ignore`: all, where consent is not the legal basis */
  consent: 'required' | 'unless_denied' | 'ignore';
  /** `validate`: conversions are checked by the platform, or here if it has no validation, and not counted; `off`: nothing is sent or queued */
  mode: 'live' | 'validate' | 'off';
  startAt: string;
  sendAfter: number;
  /** The credentials that are no secrets: which account of the platform this is */
  connection: Record<string, string>;
  /** `paused`: the platform refuses the credentials. Conversions wait until they are replaced, or the mode is set again */
  status: 'active' | 'paused' | 'deleted';
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

/** Never returned. By platform: google: `customerId`, `loginCustomerId?`, `clientId?`, `clientSecret?`, `refreshToken?`, `serviceAccountEmail?`, `privateKey?`; meta: `pixelId`, `accessToken`, `testEventCode?`; microsoft: `clientId`, `clientSecret?`, `refreshToken`, `developerToken`, `customerId`, `accountId`; tiktok: `pixelId`, `accessToken`, `testEventCode?`; linkedin: `accessToken`, `clientId?`, `clientSecret?`, `refreshToken?`; pinterest: `adAccountId`, `accessToken`; snapchat: `pixelId`, `accessToken`; reddit: `pixelId`, `accessToken`, `testId?`; x: `pixelId`, `consumerKey`, `consumerSecret`, `accessToken`, `accessTokenSecret`; taboola: `accountId`; outbrain: none; http: `url`, `secret`, `authorization?`, `template?`. See `GET /v1/destinations/platforms` */
export type DestinationCredentials = Record<string, string>;

export interface DestinationDelivery {
  destinationId: string;
  destinationName: string;
  platform: 'google' | 'meta' | 'microsoft' | 'tiktok' | 'linkedin' | 'pinterest' | 'snapchat' | 'reddit' | 'x' | 'taboola' | 'outbrain' | 'http';
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

export interface DestinationPlatform {
  platform: 'google' | 'meta' | 'microsoft' | 'tiktok' | 'linkedin' | 'pinterest' | 'snapchat' | 'reddit' | 'x' | 'taboola' | 'outbrain' | 'http';
  name: string;
  credentials: {
    name: string;
    label: string;
    /** Where to find it */
    description: string;
    isSecret: boolean;
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
  /** The click ids that the platform accepts */
  clickIds: ('gclid' | 'gbraid' | 'wbraid' | 'fbclid' | 'msclkid' | 'ttclid' | 'li_fat_id' | 'epik' | 'twclid' | 'sclid' | 'tblci' | 'ob_click_id' | 'rdt_cid' | 'aleid' | 'alart')[];
  /** Whether it also matches by the SHA-256 of the lead's email */
  usesEmail: boolean;
  /** Whether it also matches by IP address and user agent */
  usesClient: boolean;
  /** Older conversions are refused */
  maxAgeDays: number;
  /** How a changed value reaches the platform; `none`: it does not, so use `sendAfter` */
  adjustment: 'overwrite' | 'restate' | 'none';
  /** Who checks conversions in mode `validate` */
  validation: 'platform' | 'local';
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

export interface DestinationWithCounts {
  id: string;
  platform: 'google' | 'meta' | 'microsoft' | 'tiktok' | 'linkedin' | 'pinterest' | 'snapchat' | 'reddit' | 'x' | 'taboola' | 'outbrain' | 'http';
  name: string;
  mapping: MappingRule[];
  filter: DestinationFilter;
  /** Which sessions' conversions are sent. `required`: those in which the visitor granted `ad_user_data` and did not deny `ad_storage`; `unless_denied`: those in which neither was denied; `ignore`: all, where consent is not the legal basis */
  consent: 'required' | 'unless_denied' | 'ignore';
  /** `validate`: conversions are checked by the platform, or here if it has no validation, and not counted; `off`: nothing is sent or queued */
  mode: 'live' | 'validate' | 'off';
  startAt: string;
  sendAfter: number;
  /** The credentials that are no secrets: which account of the platform this is */
  connection: Record<string, string>;
  /** `paused`: the platform refuses the credentials. Conversions wait until they are replaced, or the mode is set again */
  status: 'active' | 'paused' | 'deleted';
  /** The first failed request since the last successful one */
  failingSince: string | null;
  /** What the platform responded to the latest failed request */
  error: string | null;
  lastSentAt: string | null;
  createdAt: string;
  updatedAt: string;
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
  currentPassword: string;
}

export interface DiscardEntryDraftRequest {
  /** The version that was read. If it is not the current one: `version_conflict` */
  version?: number | undefined;
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

export interface EndOtherSessionsResponse {
  /** Number of sessions that were ended */
  ended: number;
}

export interface EndSessionResponse {
  success: boolean;
}

export interface Entry {
  id: string;
  collectionId: string;
  /** By field ID. A field without a value is absent. Values in another locale than the default one are those of `<fieldId>@<locale>`. */
  values: Record<string, unknown>;
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

export interface EntryVersionWithValues {
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
  /** By field ID, without fields that are deleted now */
  values: Record<string, unknown>;
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

export interface ExportEntriesRequest {
  format: 'csv' | 'ndjson';
  /** Fields to export (`price`, `seo.title`), in this order; default all */
  fields?: string[] | undefined;
  /** As in `GET …/entries`: the latest versions (`draft`), or what is published */
  state?: 'draft' | 'published' | undefined;
  /** As in `GET …/entries` */
  sort?: string | undefined;
  /** As in `GET …/entries` */
  q?: string | undefined;
  /** As in `GET …/entries`, by field and operator: `{"price": {"gte": "10"}}`; all values of a list must match */
  filter?: Record<string, Record<string, string | string[]>> | undefined;
}

export interface Field {
  id: string;
  label: string;
  type: FieldType;
  required: boolean;
  status: 'active' | 'deleted';
  options: Option[] | null;
  format?: TextFormat | undefined;
  /** Of the format `slug`: the field from which the slug of an entry without one is generated */
  slugSource?: string | undefined;
  /** Of the format `reference`: the collections whose entries can be referenced */
  collectionIds?: string[] | undefined;
  /** Of the format `reference`: `refuse` if a referenced entry cannot be deleted, else absent */
  onDelete?: 'refuse' | undefined;
  /** Absent if there is none */
  helpText?: string | undefined;
  validation?: FieldValidation | undefined;
  repeated: boolean;
  fields: NestedField[] | null;
  /** The value of entries that are created without one. Not for the types `asset` and `group` */
  defaultValue?: unknown | undefined;
  /** Absent unless public responses omit the field */
  private?: boolean | undefined;
  /** Absent unless no two entries may have the same value */
  unique?: boolean | undefined;
  /** Absent unless values differ by locale: that of `de` is the value of `<fieldId>@de` */
  localized?: boolean | undefined;
}

/** The values of a field: `text` a string of up to 100,000 characters; `number` a finite number; numeric strings are accepted; `boolean` `true` or `false`, also as a string; `date` a date, `YYYY-MM-DD`; `timestamp` an RFC 3339 timestamp, in UTC if it has no offset, returned in UTC with milliseconds; `url` an absolute http or https URL of up to 4,096 characters; `asset` an object with the `assetId` of an uploaded file; responses contain the whole asset; `select` the value of one of the field’s active options; `group` an object with the values of its nested fields by their IDs */
export type FieldType = 'text' | 'number' | 'boolean' | 'date' | 'timestamp' | 'url' | 'asset' | 'select' | 'group';

/** Rules for values that are written from now on, each value of a repeated field. `min` and `max` for the types `number`, `date` and `timestamp`; the others for `text` and `url` */
export interface FieldValidation {
  min?: number | string | undefined;
  max?: number | string | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  /** A regular expression in the syntax of RE2 that the whole value has to match */
  pattern?: string | undefined;
}

export interface File {
  assetId: string;
  /** URL of the file; works without a token */
  url: string;
  /** Detected from the content of the file */
  type: 'image' | 'video';
  name: string;
  /** Pixels as displayed, rotation applied */
  width: number;
  /** Pixels as displayed, rotation applied */
  height: number;
  /** For example `image/jpeg` */
  mediaType: string;
  /** Size as stored and served */
  bytes: number;
  alt: string | null;
  focalPoint: FocalPoint | null;
  /** Whether an image has more than one frame */
  animated: boolean;
  duration: number | null;
  codec: string | null;
  thumbhash: string | null;
  posterUrl: string | null;
  createdAt: string;
  updatedAt: string;
  unusedSince: string | null;
  tags: string[];
  /** `deleted`: in the trash; its URL still works */
  status: 'active' | 'deleted';
}

export interface FileWithUses {
  assetId: string;
  /** URL of the file; works without a token */
  url: string;
  /** Detected from the content of the file */
  type: 'image' | 'video';
  name: string;
  /** Pixels as displayed, rotation applied */
  width: number;
  /** Pixels as displayed, rotation applied */
  height: number;
  /** For example `image/jpeg` */
  mediaType: string;
  /** Size as stored and served */
  bytes: number;
  alt: string | null;
  focalPoint: FocalPoint | null;
  /** Whether an image has more than one frame */
  animated: boolean;
  duration: number | null;
  codec: string | null;
  thumbhash: string | null;
  posterUrl: string | null;
  createdAt: string;
  updatedAt: string;
  unusedSince: string | null;
  tags: string[];
  /** `deleted`: in the trash; its URL still works */
  status: 'active' | 'deleted';
  usedByCount: number;
  /** Entries that use the file, at most 100 */
  usedBy: ({
    collectionId: string;
    entryId: string;
    /** Status of the entry */
    status: 'active' | 'deleted';
  })[];
}

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
  by?: 'session' | 'visitor' | undefined;
  /** The time from the first step within which the others must happen */
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

export interface GetEntryTitlesResponse {
  titles: EntryTitle[];
}

export interface GetFunnelRequest {
  /** The start: a day of `timeZone`, such as 2026-11-20, a time of it on a quarter of an hour, such as 2026-11-20T08:15, or an RFC 3339 time */
  from: string;
  /** The end, in the format of `from`; the period ends before it */
  to: string;
  /** A name of the IANA time zone database; defaults to the time zone of the account */
  timeZone?: string | undefined;
  by?: 'session' | 'visitor' | undefined;
  /** The time from the first step within which the others must happen */
  windowMinutes?: number | undefined;
  steps: (FunnelEvent | FunnelPage | FunnelAlternatives)[];
  /** Also counts by this dimension of the session in which the first step happened */
  breakdownBy?: 'source' | 'medium' | 'campaign' | 'landingPage' | 'country' | 'device' | 'channel' | 'term' | 'content' | 'referrer' | 'exitPage' | 'browser' | 'os' | 'region' | undefined;
  /** Includes traffic that is left out by default: `bots`, `internal` (from excluded IPs), or both, separated by a comma */
  include?: string | undefined;
  filters?: ReportFilters | undefined;
  /** Compares with the previous period of the same length, or with the same period a year before. A period that is not over is compared to the same part of the other one */
  compare?: 'previous' | 'year' | 'none' | undefined;
}

export interface GetLeadValuesResponse {
  /** In the order of the query, without leads that do not exist or have no conversion */
  leads: LeadValue[];
}

export interface GetPasskeyOptionsRequest {
  currentPassword: string;
}

export interface GetPasskeyOptionsResponse {
  /** Options for `navigator.credentials`, in the JSON form of WebAuthn level 3 */
  options: Record<string, unknown>;
}

export interface GetPasskeySignInOptionsResponse {
  /** Options for `navigator.credentials`, in the JSON form of WebAuthn level 3 */
  options: Record<string, unknown>;
}

export interface GetSessionVisitsResponse {
  sessions: SessionVisit[];
}

export interface GetTrackingSettingsResponse {
  /** Origins of the pages that may use the publishable key, such as `https://shop.example`, or `https://*.shop.example` for every subdomain. If empty, every origin may. Requests from servers, without an `Origin` header, are not restricted */
  allowedOrigins: string[];
  /** IPv4 and IPv6 addresses and CIDR ranges whose visits and events are recorded as internal traffic and excluded from reports, like those of bots */
  excludedAddresses: string[];
  /** How many days sessions, visits, events and leads are stored; null for no limit. Conversions remain, without their identifiers */
  retentionDays: number | null;
  /** Null until the settings are first changed */
  updatedAt: string | null;
}

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
    field: string | null;
    code: string;
    detail: string;
    /** The letter of the column in a spreadsheet */
    column?: string | undefined;
    /** What the cell contains, shortened */
    value?: string | undefined;
  })[];
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
  idColumn?: number | null | undefined;
  keyField?: string | null | undefined;
  /** What an empty cell does to the value of an entry; default `clear` */
  emptyCells?: 'clear' | 'keep' | undefined;
  /** The decimal separator; without it, an ambiguous number such as `1,234` is an error */
  decimal?: '.' | ',' | null | undefined;
  /** The order of dates; without it, an ambiguous date such as `03/04/2026` is an error */
  dateOrder?: 'dmy' | 'mdy' | null | undefined;
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
  resultsUrl: string | null;
}

export interface InspectFirstRunRequest {
  /** The part of the link after `#` */
  token: string;
}

export interface InspectFirstRunResponse {
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

export interface InspectInvitationResponse {
  account: {
    name: string;
  };
  role: 'owner' | 'editor' | 'viewer';
  email: string | null;
  expiresAt: string;
}

export interface Invitation {
  id: string;
  role: 'owner' | 'editor' | 'viewer';
  /** The only part of the account that the member may use: collections and files, or reports, sessions, leads and conversions; null: all of it. Owners cannot be limited */
  area: 'content' | 'analytics' | null;
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
  /** What the job does: `export`, `export_entries`, `dry_run_import`, `import_entries`, `undo_import`, `undo_conversion_import`, `erase_lead`, `erase_visitor`, `replay_webhook`, `replay_destination`, `clear_destination` or `clear-unused-files` */
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

export interface LeadWithProperties {
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
  /** Written by members of the account */
  notes: string | null;
  /** The latest value of each property of its latest events, such as a name or a phone number */
  properties: Record<string, string | number | boolean>;
}

export interface LeaveAccountResponse {
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
    /** Fields of a collection or of a group, including deleted ones */
    fields: number;
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
    /** Value of a text field */
    textLength: number;
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
    /** How long an unmatched report is stored */
    unmatchedDays: number;
  };
  files: {
    /** Tags of a file */
    tags: number;
    /** Tag of a file */
    tagLength: number;
    /** Name of a file; a longer one is cut when it is uploaded */
    nameLength: number;
    /** Alternative text of a file */
    altLength: number;
  };
  webhooks: {
    /** Webhooks of an account */
    webhooks: number;
    /** URL of a webhook */
    urlLength: number;
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
    /** Annotations of an account */
    annotations: number;
    /** Characters of an annotation */
    annotationLength: number;
  };
  exports: {
    /** `fields` of an export */
    fields: number;
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
  };
}

export interface ListAdCostsResponse {
  costs: AdCost[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListAnnotationsResponse {
  annotations: Annotation[];
}

export interface ListChangesResponse {
  changes: AuditChange[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListCollectionsResponse {
  collections: Collection[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListCommentsResponse {
  comments: Comment[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListConversionDeliveriesResponse {
  deliveries: DestinationDelivery[];
}

export interface ListConversionImportsResponse {
  imports: ConversionImport[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListConversionsResponse {
  conversions: Conversion[];
  /** null when there is no further page */
  nextPageToken: string | null;
  totals?: {
    conversions: number;
    /** By currency */
    revenue: ({
      currency: string | null;
      /** A decimal number */
      value: string;
    })[];
  } | undefined;
}

export interface ListDeletedCollectionsResponse {
  collections: TrashedCollection[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListDeletedEntriesResponse {
  entries: TrashedEntry[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListDestinationDeliveriesResponse {
  deliveries: DestinationDelivery[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListDestinationPlatformsResponse {
  platforms: DestinationPlatform[];
}

export interface ListDestinationsResponse {
  destinations: Destination[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListEntriesResponse {
  entries: Entry[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListEntryUsagesResponse {
  usages: Usage[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListEntryVersionsResponse {
  versions: EntryVersion[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListFileTagsResponse {
  /** At most 500 */
  tags: {
    tag: string;
    files: number;
  }[];
}

export interface ListFilesResponse {
  files: ListedFile[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListImportsResponse {
  imports: Import[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListInvitationsResponse {
  invitations: Invitation[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListJobsResponse {
  jobs: Job[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListKeysResponse {
  keys: ApiKey[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListLeadsResponse {
  leads: Lead[];
  /** null when there is no further page */
  nextPageToken: string | null;
  totals?: {
    leads: number;
  } | undefined;
}

export interface ListMembersResponse {
  members: Member[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListPublicEntriesResponse {
  entries: PublicEntry[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListRankedSessionsResponse {
  sessions: Session[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListRejectedRequestsResponse {
  requests: RejectedRequest[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListReleaseItemsResponse {
  items: ReleaseItem[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListReleasesResponse {
  releases: Release[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListSavedViewsResponse {
  views: SavedView[];
}

export interface ListSessionsResponse {
  sessions: UserSession[];
}

export interface ListSharedAnnotationsResponse {
  annotations: SharedAnnotation[];
}

export interface ListSharedLinksResponse {
  links: SharedLink[];
}

export interface ListTrackedSessionsResponse {
  sessions: Session[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListUnmatchedConversionsResponse {
  conversions: UnmatchedConversion[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListWebhookDeliveriesResponse {
  deliveries: WebhookDelivery[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListWebhooksResponse {
  webhooks: Webhook[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListedFile {
  assetId: string;
  /** URL of the file; works without a token */
  url: string;
  /** Detected from the content of the file */
  type: 'image' | 'video';
  name: string;
  /** Pixels as displayed, rotation applied */
  width: number;
  /** Pixels as displayed, rotation applied */
  height: number;
  /** For example `image/jpeg` */
  mediaType: string;
  /** Size as stored and served */
  bytes: number;
  alt: string | null;
  focalPoint: FocalPoint | null;
  /** Whether an image has more than one frame */
  animated: boolean;
  duration: number | null;
  codec: string | null;
  thumbhash: string | null;
  posterUrl: string | null;
  createdAt: string;
  updatedAt: string;
  unusedSince: string | null;
  tags: string[];
  /** `deleted`: in the trash; its URL still works */
  status: 'active' | 'deleted';
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

export interface Locale {
  /** A BCP 47 tag, such as `de` or `pt-BR` */
  locale: string;
  /** The locale whose value is returned if there is none in this one; null for the default locale */
  fallback: string | null;
}

export interface Locales {
  /** The locale of the values that have no locale in their name; null: there is none */
  default: string | null;
  /** In order, including the default one */
  locales: Locale[];
}

export interface MakeResetLinkResponse {
  /** Shown once */
  url: string;
  expiresAt: string;
}

export interface MappingRule {
  event: string;
  target: string;
  value: 'send' | 'omit' | 'fixed';
  amount: string | null;
  currency: string | null;
}

export interface Member {
  userId: string;
  email: string;
  name: string;
  role: 'owner' | 'editor' | 'viewer';
  /** The only part of the account that the member may use: collections and files, or reports, sessions, leads and conversions; null: all of it. Owners cannot be limited */
  area: 'content' | 'analytics' | null;
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

export interface NestedField {
  id: string;
  label: string;
  type: FieldType;
  required: boolean;
  status: 'active' | 'deleted';
  options: Option[] | null;
  format?: TextFormat | undefined;
  /** Of the format `slug`: the field from which the slug of an entry without one is generated */
  slugSource?: string | undefined;
  /** Of the format `reference`: the collections whose entries can be referenced */
  collectionIds?: string[] | undefined;
  /** Of the format `reference`: `refuse` if a referenced entry cannot be deleted, else absent */
  onDelete?: 'refuse' | undefined;
  /** Absent if there is none */
  helpText?: string | undefined;
  validation?: FieldValidation | undefined;
}

/** Which conversions are sent; by default all */
export interface NewDestinationFilter {
  events?: string[] | null | undefined;
  /** The session's source */
  sources?: string[] | null | undefined;
  /** Compared with the conversion's value in its own currency */
  minimumValue?: number | string | null | undefined;
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
  /** The sum in the currency of the account, by its exchange rates; null if it has no currency */
  convertedRevenue: ConvertedRevenue | null;
}

export interface Option {
  value: string;
  label: string;
  status: 'active' | 'deleted';
}

export interface Overview {
  from: string;
  to: string;
  timeZone: string;
  interval: 'hour' | 'day' | 'week' | 'month';
  /** Everything recorded until then is counted */
  asOf: string;
  current: Numbers;
  previous: {
    from: string;
    to: string;
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
    /** The sum in the currency of the account, by its exchange rates; null if it has no currency */
    convertedRevenue: ConvertedRevenue | null;
  } | null;
  /** The change from `previous` to `current` */
  change: {
    /** 0.25 is an increase by a quarter; null without previous data */
    visits: number | null;
    /** 0.25 is an increase by a quarter; null without previous data */
    visitors: number | null;
    /** 0.25 is an increase by a quarter; null without previous data */
    sessions: number | null;
    /** 0.25 is an increase by a quarter; null without previous data */
    bounceRate: number | null;
    /** 0.25 is an increase by a quarter; null without previous data */
    visitsPerSession: number | null;
    /** 0.25 is an increase by a quarter; null without previous data */
    sessionDuration: number | null;
    /** 0.25 is an increase by a quarter; null without previous data */
    leads: number | null;
    /** 0.25 is an increase by a quarter; null without previous data */
    conversions: number | null;
    /** 0.25 is an increase by a quarter; null without previous data */
    conversionRate: number | null;
    revenue: ({
      currency: string | null;
      /** 0.25 is an increase by a quarter; null without previous data */
      change: number | null;
    })[];
    /** 0.25 is an increase by a quarter; null without previous data */
    convertedRevenue: number | null;
  } | null;
  /** The numbers of each interval */
  line: OverviewPoint[];
  previousLine: OverviewPoint[] | null;
}

export interface OverviewPoint {
  at: string;
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
  /** The sum in the currency of the account, by its exchange rates; null if it has no currency */
  convertedRevenue: ConvertedRevenue | null;
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

export interface Person {
  id: string;
  /** null if the user was deleted */
  name: string | null;
}

export interface Presence {
  /** The other users who have the entry open */
  users: Person[];
}

export interface Preview {
  /** The collection's `previewUrl` for this entry */
  url: string;
  /** Reads drafts with the parameter `preview` of public content, together with a publishable key */
  token: string;
  expiresAt: string;
}

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

export interface PublicEntry {
  id: string;
  /** By field ID, without private fields. An image has a `srcset` of smaller variants. */
  values: Record<string, unknown>;
  /** null only in a preview of an entry that is not published */
  publishedAt: string | null;
  createdAt: string;
  /** Only in collections with localized fields: those that are published */
  locales?: string[] | undefined;
  /** Only if the entry was read by an earlier slug: its current slug, to which a page should redirect */
  redirectTo?: string | undefined;
}

export interface PublishEntriesRequest {
  entryIds: string[];
  /** Only these locales, in a collection with localized fields; by default all in which the entry has a value, and the default locale. Values that are not localized belong to the default locale, which is published first. */
  locales?: string[] | undefined;
}

export interface PublishEntriesResponse {
  /** In the order of the request */
  entries: Entry[];
}

export interface PublishEntryRequest {
  /** The version that was read. If it is not the current one: `version_conflict` */
  version?: number | undefined;
  /** Only these locales, in a collection with localized fields; by default all in which the entry has a value, and the default locale. Values that are not localized belong to the default locale, which is published first. */
  locales?: string[] | undefined;
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
    /** A number from 0, or its decimal digits. null removes what was imported */
    cost: number | string | null;
    /** Clicks as counted by the ad platform */
    clicks?: number | null | undefined;
    /** Impressions as counted by the ad platform */
    impressions?: number | null | undefined;
  })[];
}

export interface RecordBatchRequest {
  /** A publishable API key, or, from a server, a secret API token */
  api_key: string;
  /** The sender's clock when it sends, RFC 3339: corrects `occurredAt` by the clock's error */
  sentAt?: string | undefined;
  items: ({
    visit: {
      /** The client's own id of the visit; makes a retry harmless */
      visitId?: string | undefined;
      /** URL of the page, with its query */
      url: string;
      /** As in document.referrer */
      referrer?: string | undefined;
      title?: string | undefined;
      /** Identifies the visitor across sessions; generated if omitted */
      visitorId?: string | undefined;
      /** The session that the visit belongs to; if omitted, the service finds or starts the visitor's session */
      sessionHash?: string | undefined;
      /** When it happened, RFC 3339; by default when the request arrives */
      occurredAt?: string | undefined;
      consent?: Consent | undefined;
    };
  } | {
    event: {
      /** Name of the event */
      event: string;
      /** The client's own id of the event; makes a retry harmless. It is also the `eventId` of the conversion if the event has a value. Ids of publishable keys and of secret tokens are separate */
      id?: string | undefined;
      /** When it happened, RFC 3339; by default when the request arrives */
      occurredAt?: string | undefined;
      properties?: EventProperties | undefined;
    };
  })[];
}

export interface RecordBatchResponse {
  success: boolean;
  /** One for each item, in the same order */
  results: ({
    success: boolean;
    /** The session's id: a number that cannot be guessed */
    sessionId: number;
    sessionHash: string;
    /** First 12 Crockford base32 characters of the SHA-256 of sessionHash */
    shortSessionHash: string;
    visitorId: string;
  } | {
    success: boolean;
    /** Identifier of the recorded event */
    event_id: string;
  } | {
    success: false;
    /** Code of the first fault */
    error: string;
    /** Every fault */
    reason: string;
  })[];
}

export interface RecordEventRequest {
  /** A publishable API key, or, from a server, a secret API token */
  api_key: string;
  /** Name of the event */
  event: string;
  /** The client's own id of the event; makes a retry harmless. It is also the `eventId` of the conversion if the event has a value. Ids of publishable keys and of secret tokens are separate */
  id?: string | undefined;
  /** When it happened, RFC 3339; by default when the request arrives */
  occurredAt?: string | undefined;
  properties?: EventProperties | undefined;
  /** The sender's clock when it sends, RFC 3339: corrects `occurredAt` by the clock's error */
  sentAt?: string | undefined;
}

export interface RecordEventResponse {
  success: boolean;
  /** Identifier of the recorded event */
  event_id: string;
}

export interface RecordVisitRequest {
  /** A publishable API key, or, from a server, a secret API token */
  api_key: string;
  /** The client's own id of the visit; makes a retry harmless */
  visitId?: string | undefined;
  /** URL of the page, with its query */
  url: string;
  /** As in document.referrer */
  referrer?: string | undefined;
  title?: string | undefined;
  /** Identifies the visitor across sessions; generated if omitted */
  visitorId?: string | undefined;
  /** The session that the visit belongs to; if omitted, the service finds or starts the visitor's session */
  sessionHash?: string | undefined;
  /** When it happened, RFC 3339; by default when the request arrives */
  occurredAt?: string | undefined;
  consent?: Consent | undefined;
  /** The sender's clock when it sends, RFC 3339: corrects `occurredAt` by the clock's error */
  sentAt?: string | undefined;
}

export interface RecordVisitResponse {
  success: boolean;
  /** The session's id: a number that cannot be guessed */
  sessionId: number;
  sessionHash: string;
  /** First 12 Crockford base32 characters of the SHA-256 of sessionHash */
  shortSessionHash: string;
  visitorId: string;
}

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
  /** Only these locales, in a collection with localized fields; by default all in which the entry has a value, and the default locale. Values that are not localized belong to the default locale, which is published first. */
  locales?: string[] | undefined;
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
  name: string;
}

export interface ReplaceFileRequest {
  /** The file */
  file: Blob;
}

export interface ReplaceRecoveryCodesRequest {
  currentPassword: string;
}

export interface ReplaceRecoveryCodesResponse {
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

/** For each dimension the accepted values (null: without a value), or operators with values, all of which must pass */
export interface ReportFilters {
  source?: (string | null)[] | FilterOperators | undefined;
  medium?: (string | null)[] | FilterOperators | undefined;
  campaign?: (string | null)[] | FilterOperators | undefined;
  landingPage?: (string | null)[] | FilterOperators | undefined;
  country?: (string | null)[] | FilterOperators | undefined;
  device?: (string | null)[] | FilterOperators | undefined;
  channel?: (string | null)[] | FilterOperators | undefined;
  term?: (string | null)[] | FilterOperators | undefined;
  content?: (string | null)[] | FilterOperators | undefined;
  referrer?: (string | null)[] | FilterOperators | undefined;
  exitPage?: (string | null)[] | FilterOperators | undefined;
  browser?: (string | null)[] | FilterOperators | undefined;
  os?: (string | null)[] | FilterOperators | undefined;
  region?: (string | null)[] | FilterOperators | undefined;
  platform?: (string | null)[] | FilterOperators | undefined;
  page?: (string | null)[] | FilterOperators | undefined;
  event?: (string | null)[] | FilterOperators | undefined;
  funnel?: (string | null)[] | FilterOperators | undefined;
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

export interface RequestPasswordResetResponse {
  success: boolean;
}

export interface ResetPasswordRequest {
  /** The part of the link after `#` */
  token: string;
  newPassword: string;
}

export interface ResetPasswordResponse {
  success: boolean;
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
    /** Operates the service, whatever the accounts */
    isOperator: boolean;
  } | null;
  session: {
    id: string;
    createdAt: string;
    expiresAt: string;
  } | null;
  accounts: ({
    id: string;
    name: string;
    role: 'owner' | 'editor' | 'viewer';
    /** The only part of the account that the member may use: collections and files, or reports, sessions, leads and conversions; null: all of it. Owners cannot be limited */
    area: 'content' | 'analytics' | null;
    /** IANA name */
    timeZone: string;
    currency: string | null;
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

export interface SetLocalesRequest {
  default: string | null;
  locales: ({
    /** A BCP 47 tag, such as `de` or `pt-BR` */
    locale: string;
    /** The default locale if omitted or null */
    fallback?: string | null | undefined;
  })[];
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
  period: {
    /** Relative to the current day of the time zone of the account */
    preset: 'day' | 'week' | 'month' | 'quarter' | 'year' | 'yesterday' | 'weekToDate' | 'monthToDate' | 'lastMonth' | 'yearToDate' | 'all';
  } | ReportPeriod;
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

export interface SignInByPasskeyRequest {
  credential: PasskeyCredential;
}

export interface SignInRequest {
  email: string;
  password: string;
  /** Of an authenticator app, or a recovery code: required where the response is 401 `two_factor_required` */
  code?: string | undefined;
}

export interface SignOutResponse {
  success: boolean;
}

export interface StartExportRequest {
  dataset: 'sessions' | 'visits' | 'events' | 'conversions' | 'leads' | 'unmatched';
  format: 'csv' | 'ndjson' | 'parquet';
  /** Start of the range, inclusive: an RFC 3339 time, or a date, which starts at midnight in the time zone of the account */
  from?: string | undefined;
  /** End of the range, exclusive: an RFC 3339 time, or a date, which starts at midnight in the time zone of the account */
  to?: string | undefined;
  /** Names of the columns to export, in this order; defaults to all that are not marked above */
  fields?: string[] | undefined;
}

export interface StartTwoFactorRequest {
  currentPassword: string;
}

export interface StartTwoFactorResponse {
  /** In base32, to be typed into an authenticator app */
  secret: string;
  /** `otpauth://…`, to be shown as a QR code */
  url: string;
}

/** The format of the values of a `text` field: `slug` a part of a URL of up to 200 characters: the letters a to z, digits and hyphens; `markdown` a text in Markdown; `richtext` a formatted text as a JSON tree, `{type: "doc", content: […]}`; it can also be written as `{markdown}` or `{html}`; `email` an email address; `color` a color, `#rrggbb` or `#rrggbbaa`; `#rgb` is accepted as well; `json` any JSON value of up to 100,000 bytes and 20 levels; `reference` the ID of an entry of one of the collections in `collectionIds`; `expand` returns the entry in its place */
export type TextFormat = 'slug' | 'markdown' | 'richtext' | 'email' | 'color' | 'json' | 'reference';

export interface Timeline {
  session: Session | null;
  lead: Lead | null;
  items: TimelineItem[];
  /** null when there is no further page */
  nextPageToken: string | null;
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

export interface TrashedCollection {
  id: string;
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
  /** Absent unless versions must be approved before they are published: the role of who may approve */
  review?: 'editor' | 'owner' | undefined;
  createdAt: string;
  updatedAt: string;
  deletedAt: string;
  /** Active entries that a restore brings back, counted up to 1,000 */
  entryCount: number;
}

export interface TrashedEntry {
  id: string;
  collectionId: string;
  /** By field ID. A field without a value is absent. Values in another locale than the default one are those of `<fieldId>@<locale>`. */
  values: Record<string, unknown>;
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
  deletedAt: string;
  deletedBy: Author | null;
}

export interface UnlockSharedReportRequest {
  password: string;
}

export interface UnlockSharedReportResponse {
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
  /** Only these locales, in a collection with localized fields; by default all in which the entry has a value, and the default locale. Values that are not localized belong to the default locale, which is published first. */
  locales?: string[] | undefined;
}

export interface UnpublishEntriesResponse {
  /** In the order of the request */
  entries: Entry[];
}

export interface UnpublishEntryRequest {
  /** The version that was read. If it is not the current one: `version_conflict` */
  version?: number | undefined;
  /** Only these locales, in a collection with localized fields; by default all in which the entry has a value, and the default locale. Values that are not localized belong to the default locale, which is published first. */
  locales?: string[] | undefined;
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
  description?: string | null | undefined;
  displayFieldId?: string | null | undefined;
  defaultSort?: DefaultSort | null | undefined;
  /** Whether entries are drafts until they are published; `false` by default. Required and unique fields then apply to what is published. It can only be turned off while no entry is published. */
  publishing?: boolean | undefined;
  /** Whether everyone with a publishable key can read what is published, except private fields; `false` by default. Only with `publishing`. */
  public?: boolean | undefined;
  previewUrl?: string | null | undefined;
  /** Whether a version must be approved before it is published, and the least role of who may approve; null, the default: not. Among users, only owners can change it. */
  review?: 'editor' | 'owner' | null | undefined;
  /** Matched by ID. Fields that are not sent stay as they are and follow those that are. A field with an unknown or no ID is new. Set `status` to delete or restore a field. */
  fields?: ({
    /** Unique within its list; generated if it is omitted */
    id?: string | undefined;
    label?: string | undefined;
    type?: FieldType | undefined;
    /** `false` by default */
    required?: boolean | undefined;
    status?: 'active' | 'deleted' | undefined;
    options?: ({
      value: string;
      label?: string | undefined;
      status?: 'active' | 'deleted' | undefined;
    })[] | null | undefined;
    format?: TextFormat | null | undefined;
    slugSource?: string | null | undefined;
    /** Of the format `reference`: the collections whose entries can be referenced */
    collectionIds?: string[] | undefined;
    /** Of the format `reference`: whether an entry can be deleted while it is referenced. `keep`, the default, keeps the references, which apply again when the entry is restored; `refuse` returns `entry_referenced` */
    onDelete?: 'keep' | 'refuse' | undefined;
    helpText?: string | null | undefined;
    validation?: FieldValidation | null | undefined;
    /** Whether the value is an array; `false` by default */
    repeated?: boolean | undefined;
    /** The value of entries that are created without one. Not for the types `asset` and `group` */
    defaultValue?: unknown | undefined;
    /** Whether no two active entries may have the same value; `false` by default. For the types `text`, `number`, `date`, `timestamp`, `url` and `select`, unless the field is repeated */
    unique?: boolean | undefined;
    /** Whether public responses omit the field; `false` by default */
    private?: boolean | undefined;
    /** Whether values differ by locale; `false` by default. Existing values are those of the default locale. Values in other locales are kept, but not returned, while it is off. */
    localized?: boolean | undefined;
    fields?: ({
      /** Unique within its list; generated if it is omitted */
      id?: string | undefined;
      label?: string | undefined;
      type?: FieldType | undefined;
      /** `false` by default */
      required?: boolean | undefined;
      status?: 'active' | 'deleted' | undefined;
      options?: ({
        value: string;
        label?: string | undefined;
        status?: 'active' | 'deleted' | undefined;
      })[] | null | undefined;
      format?: TextFormat | null | undefined;
      slugSource?: string | null | undefined;
      /** Of the format `reference`: the collections whose entries can be referenced */
      collectionIds?: string[] | undefined;
      /** Of the format `reference`: whether an entry can be deleted while it is referenced. `keep`, the default, keeps the references, which apply again when the entry is restored; `refuse` returns `entry_referenced` */
      onDelete?: 'keep' | 'refuse' | undefined;
      helpText?: string | null | undefined;
      validation?: FieldValidation | null | undefined;
    })[] | null | undefined;
  })[] | undefined;
  status?: 'active' | 'deleted' | undefined;
  /** Ignored in requests */
  id?: unknown | undefined;
  /** Ignored in requests */
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
}

export interface UpdateDestinationRequest {
  /** Ignored, so that a response can be sent back */
  id?: unknown | undefined;
  /** Ignored, so that a response can be sent back */
  counts?: unknown | undefined;
  /** Ignored, so that a response can be sent back */
  connection?: unknown | undefined;
  /** Ignored, so that a response can be sent back */
  status?: unknown | undefined;
  /** Ignored, so that a response can be sent back */
  failingSince?: unknown | undefined;
  /** Ignored, so that a response can be sent back */
  error?: unknown | undefined;
  /** Ignored, so that a response can be sent back */
  lastSentAt?: unknown | undefined;
  /** Ignored, so that a response can be sent back */
  createdAt?: unknown | undefined;
  /** Ignored, so that a response can be sent back */
  updatedAt?: unknown | undefined;
  /** Cannot be changed */
  platform?: 'google' | 'meta' | 'microsoft' | 'tiktok' | 'linkedin' | 'pinterest' | 'snapchat' | 'reddit' | 'x' | 'taboola' | 'outbrain' | 'http' | undefined;
  name?: string | undefined;
  credentials?: DestinationCredentials | undefined;
  mapping?: NewMappingRule[] | undefined;
  filter?: NewDestinationFilter | null | undefined;
  /** Which sessions' conversions are sent. `required`: those in which the visitor granted `ad_user_data` and did not deny `ad_storage`; `unless_denied`: those in which neither was denied; `ignore`: all, where consent is not the legal basis */
  consent?: 'required' | 'unless_denied' | 'ignore' | undefined;
  /** `validate`: conversions are checked by the platform, or here if it has no validation, and not counted; `off`: nothing is sent or queued */
  mode?: 'live' | 'validate' | 'off' | undefined;
  /** Conversions dated before are not sent. By default when the destination is created */
  startAt?: string | undefined;
  /** Seconds from the report of a conversion until it is sent, with the value that it has by then. For platforms that cannot change a value later */
  sendAfter?: number | undefined;
}

export interface UpdateEntryRequest {
  /** Merged by field ID. `null` clears a field, and a group is replaced as a whole. */
  values?: Record<string, unknown> | undefined;
  /** The version that was read. If it is not the current one: `version_conflict` */
  version?: number | undefined;
  status?: 'active' | 'deleted' | undefined;
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
  createdAt?: unknown | undefined;
  /** Ignored in requests */
  updatedAt?: unknown | undefined;
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
  thumbhash?: unknown | undefined;
  /** Ignored in requests */
  posterUrl?: unknown | undefined;
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
  focalPoint?: FocalPoint | null | undefined;
  /** Replaces all tags */
  tags?: string[] | undefined;
  /** `deleted`: in the trash; its URL still works */
  status?: 'active' | 'deleted' | undefined;
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

export interface UpdateReleaseRequest {
  name?: string | null | undefined;
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

export interface UpdateWebhookRequest {
  /** Ignored in requests */
  id?: unknown | undefined;
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
  events?: ('event.recorded' | 'lead.created' | 'lead.updated' | 'conversion.reported' | 'conversion.restated' | 'conversion.matched' | 'entry.created' | 'entry.updated' | 'entry.deleted' | 'entry.published' | 'entry.unpublished' | 'release.completed' | 'release.failed' | 'job.completed' | 'job.failed' | 'destination.failing')[] | null | undefined;
  /** The collections whose entries are sent; null: all. Events that are not about entries are always sent */
  collectionIds?: string[] | null | undefined;
  description?: string | null | undefined;
  status?: 'active' | 'disabled' | undefined;
}

export interface UploadFileRequest {
  /** The file */
  file: Blob;
}

export interface UploadImportRequest {
  /** The CSV file */
  file: Blob;
}

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
  device: string | null;
}

export interface Webhook {
  id: string;
  url: string;
  /** The topics to send; null sends all of them */
  events: string[] | null;
  /** The collections whose entries are sent; null: all. Events that are not about entries are always sent */
  collectionIds: string[] | null;
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

export interface WebhookDeliveryWithPayload {
  /** The `webhook-id` header of its requests */
  id: string;
  type: string;
  status: 'pending' | 'delivered' | 'failed';
  /** Oldest first */
  attempts: WebhookAttempt[];
  nextAttemptAt: string | null;
  createdAt: string;
  payload: Record<string, unknown>;
}

export interface WebhookDestination {
  id: string;
  platform: 'google' | 'meta' | 'microsoft' | 'tiktok' | 'linkedin' | 'pinterest' | 'snapchat' | 'reddit' | 'x' | 'taboola' | 'outbrain' | 'http';
  name: string;
  mapping: MappingRule[];
  filter: DestinationFilter;
  /** Which sessions' conversions are sent. `required`: those in which the visitor granted `ad_user_data` and did not deny `ad_storage`; `unless_denied`: those in which neither was denied; `ignore`: all, where consent is not the legal basis */
  consent: 'required' | 'unless_denied' | 'ignore';
  /** `validate`: conversions are checked by the platform, or here if it has no validation, and not counted; `off`: nothing is sent or queued */
  mode: 'live' | 'validate' | 'off';
  startAt: string;
  sendAfter: number;
  /** The credentials that are no secrets: which account of the platform this is */
  connection: Record<string, string>;
  /** `paused`: the platform refuses the credentials. Conversions wait until they are replaced, or the mode is set again */
  status: 'active' | 'paused' | 'deleted';
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

export interface WebhookEntry {
  id: string;
  collectionId: string;
  /** By field ID. A field without a value is absent. Values in another locale than the default one are those of `<fieldId>@<locale>`. */
  values: Record<string, unknown>;
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
  /** Only in `entry.published` and `entry.unpublished` of collections with a slug: the published slug */
  slug?: string | null | undefined;
  /** Only in `entry.published` and `entry.unpublished` of collections with localized fields: those that changed */
  locales?: string[] | undefined;
  /** The published slug in each of these locales, if slugs are localized */
  slugs?: Record<string, string | null> | undefined;
  /** Number of changes of this resource so far. Of two payloads with the same `data.id`, the higher is newer. */
  sequence: number;
}

export interface WebhookJob {
  id: string;
  /** What the job does: `export`, `export_entries`, `dry_run_import`, `import_entries`, `undo_import`, `undo_conversion_import`, `erase_lead`, `erase_visitor`, `replay_webhook`, `replay_destination`, `clear_destination` or `clear-unused-files` */
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

export interface WebhookWithSecret {
  id: string;
  url: string;
  /** The topics to send; null sends all of them */
  events: string[] | null;
  /** The collections whose entries are sent; null: all. Events that are not about entries are always sent */
  collectionIds: string[] | null;
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
  /** Get the current session */
  getSession: {
    params: undefined;
    body: undefined;
    response: SessionState;
  };
  /** Inspect a first-run link */
  inspectFirstRun: {
    params: undefined;
    body: InspectFirstRunRequest;
    response: InspectFirstRunResponse;
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
  /** Sign out */
  signOut: {
    params: undefined;
    body: undefined;
    response: SignOutResponse;
  };
  /**
   * Set a password with a reset link.
   *
   * Ends all sessions of the user. Sign in with the new password.
   */
  resetPassword: {
    params: undefined;
    body: ResetPasswordRequest;
    response: ResetPasswordResponse;
  };
  /** Change your name */
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
  /** List your sessions */
  listSessions: {
    params: undefined;
    body: undefined;
    response: ListSessionsResponse;
  };
  /** End one of your sessions */
  endSession: {
    params: {
      sessionId: string;
    };
    body: undefined;
    response: EndSessionResponse;
  };
  /** End all your other sessions */
  endOtherSessions: {
    params: undefined;
    body: undefined;
    response: EndOtherSessionsResponse;
  };
  /** Get your second factor and passkeys */
  getSecurity: {
    params: undefined;
    body: undefined;
    response: Security;
  };
  /**
   * Start enabling two-factor authentication.
   *
   * Returns the secret for an authenticator app. It is used once a first code was confirmed.
   */
  startTwoFactor: {
    params: undefined;
    body: StartTwoFactorRequest;
    response: StartTwoFactorResponse;
  };
  /**
   * Enable two-factor authentication.
   *
   * Sign-ins by password then need a code. Returns the recovery codes, once.
   */
  confirmTwoFactor: {
    params: undefined;
    body: ConfirmTwoFactorRequest;
    response: ConfirmTwoFactorResponse;
  };
  /** Disable two-factor authentication */
  disableTwoFactor: {
    params: undefined;
    body: DisableTwoFactorRequest;
    response: Security;
  };
  /**
   * Replace your recovery codes.
   *
   * The previous ones become invalid. Without two-factor authentication: 400 `two_factor_disabled`.
   */
  replaceRecoveryCodes: {
    params: undefined;
    body: ReplaceRecoveryCodesRequest;
    response: ReplaceRecoveryCodesResponse;
  };
  /**
   * Change your email.
   *
   * Where the service can send email, a link to the new address has to be opened. 400 `email_taken` for one of another user.
   */
  changeEmail: {
    params: undefined;
    body: ChangeEmailRequest;
    response: ChangeEmailResponse;
  };
  /** Confirm a new email */
  confirmEmail: {
    params: undefined;
    body: ConfirmEmailRequest;
    response: ConfirmEmailResponse;
  };
  /**
   * Request a password reset link by email.
   *
   * The response is the same for an unknown email, and where the service cannot send email.
   */
  requestPasswordReset: {
    params: undefined;
    body: RequestPasswordResetRequest;
    response: RequestPasswordResetResponse;
  };
  /**
   * Start creating a passkey.
   *
   * Returns what `navigator.credentials.create` takes. Valid once and for five minutes.
   */
  getPasskeyOptions: {
    params: undefined;
    body: GetPasskeyOptionsRequest;
    response: GetPasskeyOptionsResponse;
  };
  /** Create a passkey */
  createPasskey: {
    params: undefined;
    body: CreatePasskeyRequest;
    response: Security;
  };
  /** Delete a passkey */
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
    response: GetPasskeySignInOptionsResponse;
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
  /** Get the account */
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
    response: DeleteAccountResponse;
  };
  /**
   * Leave the account.
   *
   * The last owner cannot leave: 400 `last_owner`.
   */
  leaveAccount: {
    params: undefined;
    body: undefined;
    response: LeaveAccountResponse;
  };
  /** List members */
  listMembers: {
    params: {
      /** Items per page, 50 by default */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page */
      pageToken?: string | undefined;
    };
    body: undefined;
    response: ListMembersResponse;
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
   * Valid once and for a day. Only for users all of whose accounts you own; otherwise 400 `reset_not_allowed`.
   */
  makeResetLink: {
    params: {
      userId: string;
    };
    body: undefined;
    response: MakeResetLinkResponse;
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
    response: ListInvitationsResponse;
    item: Invitation;
  };
  /**
   * Create an invitation.
   *
   * Returns the link, once: repeating the request with the same `Idempotency-Key` is refused.
   */
  createInvitation: {
    params: undefined;
    body: CreateInvitationRequest;
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
  /** Inspect an invitation link */
  inspectInvitation: {
    params: undefined;
    body: InspectInvitationRequest;
    response: InspectInvitationResponse;
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
    response: ListKeysResponse;
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
  /** Rename an API key */
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
    response: ListChangesResponse;
    item: AuditChange;
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
    response: ListCollectionsResponse;
    item: Collection;
  };
  /** Create a collection */
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
    response: CountEntriesResponse;
  };
  /** Get a collection */
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
      /** For collections with publishing: `published` reads the published entries as they were published; `draft`, the default, reads all entries with their latest values. */
      state?: 'draft' | 'published' | undefined;
      /** Returns referenced entries instead of their IDs: paths of field IDs, such as `author,related.cover`, up to 3 references deep; write a field of a group as `seo.author`. With `state=published`, the published entries. A reference to an entry that cannot be returned remains an ID; public responses leave it out. */
      expand?: string | undefined;
      /** Returns the values of localized fields in this locale, or else in its fallbacks. Filters and search use the same values; sorting uses those of this locale alone, and entries without one come last. */
      locale?: string | undefined;
      /** `<fieldId>:asc` or `<fieldId>:desc`; also `createdAt` and `updatedAt`, unless a field has that ID. By default the collection's `defaultSort`, else oldest first. Entries without a value come last in both directions; of equal values the older entry comes first, with `desc` the newer. Text is sorted by its first 256 characters, ignoring case and accents. Repeated fields, groups and assets cannot be sorted by. */
      sort?: string | undefined;
      /** Returns entries whose text fields, including nested ones, contain every word, also as a part of a longer word, ignoring case and accents. */
      q?: string | undefined;
      collectionId: string;
    };
    body: undefined;
    response: ListEntriesResponse;
    item: Entry;
  };
  /** Create an entry */
  createEntry: {
    params: {
      collectionId: string;
    };
    body: CreateEntryRequest;
    response: Entry;
  };
  /** Get an entry */
  getEntry: {
    params: {
      /** `true` also returns a deleted resource */
      includeDeleted?: boolean | undefined;
      /** For collections with publishing: `published` reads the published entries as they were published; `draft`, the default, reads all entries with their latest values. */
      state?: 'draft' | 'published' | undefined;
      /** Returns referenced entries instead of their IDs: paths of field IDs, such as `author,related.cover`, up to 3 references deep; write a field of a group as `seo.author`. With `state=published`, the published entries. A reference to an entry that cannot be returned remains an ID; public responses leave it out. */
      expand?: string | undefined;
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
    response: ListEntryVersionsResponse;
    item: EntryVersion;
  };
  /** Get a version of an entry, with its values */
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
    body: RestoreEntryVersionRequest;
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
    response: ListDeletedCollectionsResponse;
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
    response: ListDeletedEntriesResponse;
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
    body: PublishEntryRequest;
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
    body: UnpublishEntryRequest;
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
    body: DiscardEntryDraftRequest;
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
    response: PublishEntriesResponse;
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
    response: UnpublishEntriesResponse;
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
    response: ListReleasesResponse;
    item: Release;
  };
  /**
   * Create a release.
   *
   * Names entries of any collections with publishing that are published and unpublished together: all of them, or none. With a time (`at`), a worker publishes it then. A scheduled change of one entry is a release with one item and without a name.
   */
  createRelease: {
    params: undefined;
    body: CreateReleaseRequest;
    response: Release;
  };
  /** Get a release */
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
    response: ListReleaseItemsResponse;
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
    body: Record<string, unknown> | null;
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
      collectionId: string;
      entryId: string;
    };
    body: undefined;
    response: Preview;
  };
  /** Get the review of an entry */
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
    response: ListCommentsResponse;
    item: Comment;
  };
  /** Comment on an entry */
  createComment: {
    params: {
      collectionId: string;
      entryId: string;
    };
    body: CreateCommentRequest;
    response: Comment;
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
    response: Comment;
  };
  /**
   * Report that a user has an entry open.
   *
   * The dashboard does so every 15 seconds. Returns the other users who did within 40 seconds. A request with an API key only reads.
   */
  recordPresence: {
    params: {
      collectionId: string;
      entryId: string;
    };
    body: undefined;
    response: Presence;
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
    response: ListEntryUsagesResponse;
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
      ids: string;
    };
    body: undefined;
    response: GetEntryTitlesResponse;
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
   * Replaces the list. The values of localized fields in a locale that is removed are kept, and return with it. The default locale cannot change while a collection has localized fields.
   */
  setLocales: {
    params: undefined;
    body: SetLocalesRequest;
    response: Locales;
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
      type?: 'image' | 'video' | undefined;
      /** Part of the name, case-insensitive */
      name?: string | undefined;
      /** true: only files that no entry uses */
      unused?: boolean | undefined;
      /** Only files with this tag */
      tag?: string | undefined;
      /** true: files in the trash instead of the others */
      deleted?: boolean | undefined;
    };
    body: undefined;
    response: ListFilesResponse;
    item: ListedFile;
  };
  /** List the tags of files */
  listFileTags: {
    params: undefined;
    body: undefined;
    response: ListFileTagsResponse;
  };
  /** Get a file and the entries that use it */
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
    response: File;
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
    body: ClearUnusedFilesRequest;
    response: Job;
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
    response: ListLeadsResponse;
    item: Lead;
  };
  /** Get a lead */
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
      platform?: 'gclid' | 'gbraid' | 'wbraid' | 'fbclid' | 'msclkid' | 'ttclid' | 'li_fat_id' | 'epik' | 'twclid' | 'sclid' | 'tblci' | 'ob_click_id' | 'rdt_cid' | 'aleid' | 'alart' | undefined;
      leadId?: string | undefined;
      /** By pages or duration: `GET /v1/analytics/ranked-sessions` */
      sort?: 'startedAt:desc' | 'startedAt:asc' | undefined;
      /** Includes bots and internal traffic */
      all?: boolean | undefined;
    };
    body: undefined;
    response: ListTrackedSessionsResponse;
    item: Session;
  };
  /** Get a session */
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
  /** Get the tracking settings */
  getTrackingSettings: {
    params: undefined;
    body: undefined;
    response: GetTrackingSettingsResponse;
  };
  /**
   * Change the tracking settings.
   *
   * Omitted members stay unchanged; a list is replaced as a whole. Every process applies the change within 5 seconds.
   */
  changeTrackingSettings: {
    params: undefined;
    body: ChangeTrackingSettingsRequest;
    response: ChangeTrackingSettingsResponse;
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
    response: ListConversionImportsResponse;
    item: ConversionImport;
  };
  /** Get an import of conversions */
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
    response: ListConversionsResponse;
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
      identifier?: 'hash' | 'sessionHash' | 'sessionId' | 'visitHash' | 'shortHash' | 'shortSessionHash' | 'shortVisitHash' | 'gclid' | 'gbraid' | 'wbraid' | 'fbclid' | 'msclkid' | 'ttclid' | 'li_fat_id' | 'epik' | 'twclid' | 'sclid' | 'tblci' | 'ob_click_id' | 'rdt_cid' | 'aleid' | 'alart' | undefined;
    };
    body: undefined;
    response: ListUnmatchedConversionsResponse;
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
    response: CorrectUnmatchedConversionResponse;
  };
  /** Delete an unmatched conversion */
  deleteUnmatchedConversion: {
    params: {
      conversionId: string;
    };
    body: undefined;
    response: DeleteUnmatchedConversionResponse;
  };
  /** Get a conversion with all of its reports */
  getConversion: {
    params: {
      conversionId: string;
    };
    body: undefined;
    response: ConversionWithReports;
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
    response: ListJobsResponse;
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
    body: Record<string, unknown> | null;
    response: Job;
  };
  /**
   * Start an analytics export.
   *
   * Starts a job that writes all current rows of a dataset to a file. Poll `GET /v1/jobs/get-by-id` for the download URL.
   * Each dataset has these columns, in this order:
   *
   * - `sessions`, filtered by `startedAt`: `sessionId`, `sessionHash`, `shortSessionHash`, `visitorId`, `leadId`, `startedAt`, `lastSeenAt`, `landingUrl`, `referrer`, `source`, `medium`, `campaign`, `term`, `content`, `utmId`, `device`, `browser`, `os`, `country`, `region`, `isBot`, `isInternal`, `gclid`, `gbraid`, `wbraid`, `fbclid`, `msclkid`, `ttclid`, `li_fat_id`, `epik`, `twclid`, `sclid`, `tblci`, `ob_click_id`, `rdt_cid`, `aleid`, `alart`
   * - `visits`, filtered by `occurredAt`: `visitId`, `url`, `referrer`, `title`, `sessionId`, `sessionHash`, `visitorId`, `occurredAt`, `receivedAt`, `isBot`, `isInternal`, `source`, `medium`, `campaign`, `device`, `browser`, `os`, `country`, `region`
   * - `events`, filtered by `occurredAt`: `eventId`, `clientEventId`, `event`, `properties`, `sessionId`, `sessionHash`, `leadId`, `occurredAt`, `receivedAt`, `isBot` (only if `fields` names it), `isInternal` (only if `fields` names it)
   * - `conversions`, filtered by `createdOn`: `id`, `eventId`, `event`, `value`, `currency`, `createdOn`, `receivedAt`, `origin`, `identifier`, `sessionId`, `sessionHash`, `extra`, `source`, `campaign`, `landingUrl`, `gclid`, `gbraid`, `wbraid`, `fbclid`, `msclkid`, `ttclid`, `li_fat_id`, `epik`, `twclid`, `sclid`, `tblci`, `ob_click_id`, `rdt_cid`, `aleid`, `alart`
   * - `leads`, filtered by `firstSeenAt`: `leadId`, `email`, `firstSessionId`, `firstSessionHash`, `latestSessionId`, `latestSessionHash`, `firstSeenAt`, `lastSeenAt`
   * - `unmatched`, filtered by `receivedAt`: `id`, `eventId`, `event`, `value`, `currency`, `createdOn`, `receivedAt`, `identifier`, `extra`
   *
   * Formats: `csv` follows RFC 4180, with a header, in UTF-8. Null is an empty cell and an empty text is `""`. An apostrophe precedes
   * text that a spreadsheet would run as a formula, at the start of a cell and after `;` or a line break. `ndjson` has one JSON object per
   * line. `parquet` has typed columns with Snappy compression. Times are in UTC with milliseconds. `value` is decimal text.
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
   * `csv` follows RFC 4180, with a header, in UTF-8. The columns are `id`, the fields by their ids, `createdAt` and `updatedAt`. A group
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
    response: ListImportsResponse;
    item: Import;
  };
  /**
   * Upload a file of entries.
   *
   * Uploads a CSV whose first line names its columns. It must be UTF-8, with or without a byte order mark. Cells are separated by
   * commas, semicolons or tabs, as the first line shows. The response lists the columns and suggests a field for each. No entry is
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
   * | number | `1234.5`, `1,234.50`, `1.234,50`, `12,5`, `1 234`; `1,234` is `number_ambiguous` without `decimal` |
   * | boolean | true or false, yes or no, on or off, y or n, 1 or 0 |
   * | date | `2026-11-20`, `2026/11/20`, `20.11.2026`, `20 Nov 2026`, `Nov 20, 2026`, `20/11/2026`; `03/04/2026` is `date_ambiguous` without `dateOrder` |
   * | timestamp | RFC 3339; a date as above and a time of day is `timestamp_ambiguous` without `timeZone` |
   * | select | the value or the label of an option |
   * | asset | an `assetId` |
   * | repeated | a JSON array, or values separated by the column's `separator` |
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
    body: Record<string, unknown> | null;
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
    body: Record<string, unknown> | null;
    response: Import;
  };
  /**
   * Import what ads cost.
   *
   * Adds up to 1,000 costs, each of a day, source, campaign and currency. A cost that was imported before is replaced, so that the figures of an ad platform can be imported again when they change; null removes it. If any cost is invalid, none is written.
   */
  putAdCosts: {
    params: undefined;
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
    response: ListAdCostsResponse;
    item: AdCost;
  };
  /**
   * Get the cost per conversion and the return on ad spend.
   *
   * What ads cost by source or campaign, with the sessions, leads, conversions and revenue of the same source or campaign. Sessions whose medium is `organic`, `referral` or `email` do not count.
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
    };
    body: undefined;
    response: AdPerformance;
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
      include?: string | undefined;
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
      include?: string | undefined;
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
      by: string;
      /** The number of values of each dimension */
      limit?: number | undefined;
      /** Values are sorted by this number, descending */
      order?: 'visits' | 'visitors' | 'sessions' | 'leads' | 'conversions' | 'revenue' | 'events' | undefined;
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
      include?: string | undefined;
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
  /** List the sessions of a period by pages or duration */
  listRankedSessions: {
    params: {
      /** The start: a day of `timeZone`, such as 2026-11-20, a time of it on a quarter of an hour, such as 2026-11-20T08:15, or an RFC 3339 time */
      from: string;
      /** The end, in the format of `from`; the period ends before it */
      to: string;
      /** A name of the IANA time zone database; defaults to the time zone of the account */
      timeZone?: string | undefined;
      /** Includes traffic that is left out by default: `bots`, `internal` (from excluded IPs), or both, separated by a comma */
      include?: string | undefined;
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
    response: ListRankedSessionsResponse;
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
      include?: string | undefined;
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
      /** The lookback window: how long before a conversion a session counts */
      windowDays?: number | undefined;
    };
    body: undefined;
    response: Attribution;
  };
  /** Count unmatched conversions by identifier and reason */
  getUnmatchedReport: {
    params: {
      /** The start: a day of `timeZone`, such as 2026-11-20, a time of it on a quarter of an hour, such as 2026-11-20T08:15, or an RFC 3339 time */
      from: string;
      /** The end, in the format of `from`; the period ends before it */
      to: string;
      /** A name of the IANA time zone database; defaults to the time zone of the account */
      timeZone?: string | undefined;
      /** Includes traffic that is left out by default: `bots`, `internal` (from excluded IPs), or both, separated by a comma */
      include?: string | undefined;
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
    response: ListSharedLinksResponse;
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
  /** Change a shared link */
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
    response: DeleteSharedLinkResponse;
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
    response: UnlockSharedReportResponse;
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
  /** Get a breakdown of the overview that a link shares */
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
      by: string;
      /** The number of values of each dimension */
      limit?: number | undefined;
      /** Values are sorted by this number, descending */
      order?: 'visits' | 'visitors' | 'sessions' | 'leads' | 'conversions' | 'revenue' | 'events' | undefined;
    };
    body: undefined;
    response: Breakdown;
  };
  /** List the annotations of the overview that a link shares */
  listSharedAnnotations: {
    params: {
      /** The start: a day of `timeZone`, such as 2026-11-20, a time of it on a quarter of an hour, such as 2026-11-20T08:15, or an RFC 3339 time */
      from?: string | undefined;
      /** The end, in the format of `from`; the period ends before it */
      to?: string | undefined;
    };
    body: undefined;
    response: ListSharedAnnotationsResponse;
  };
  /** Get the funnel that a link shares */
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
  /** Get the conversions and revenue of leads */
  getLeadValues: {
    params: {
      /** Repeat it for up to 100 leads */
      leadId: string | string[];
    };
    body: undefined;
    response: GetLeadValuesResponse;
  };
  /** Get the number of pages and the duration of sessions */
  getSessionVisits: {
    params: {
      /** Repeat it for up to 100 sessions */
      sessionId: string | string[];
    };
    body: undefined;
    response: GetSessionVisitsResponse;
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
    response: ListSavedViewsResponse;
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
  /** Delete a saved view */
  deleteSavedView: {
    params: {
      viewId: string;
    };
    body: undefined;
    response: DeleteSavedViewResponse;
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
    response: ListAnnotationsResponse;
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
  /** Change an annotation */
  updateAnnotation: {
    params: {
      annotationId: string;
    };
    body: UpdateAnnotationRequest;
    response: Annotation;
  };
  /** Delete an annotation */
  deleteAnnotation: {
    params: {
      annotationId: string;
    };
    body: undefined;
    response: DeleteAnnotationResponse;
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
    response: ListWebhooksResponse;
    item: Webhook;
  };
  /** Get a webhook */
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
    body: Record<string, unknown> | null;
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
    body: Record<string, unknown> | null;
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
      type?: 'event.recorded' | 'lead.created' | 'lead.updated' | 'conversion.reported' | 'conversion.restated' | 'conversion.matched' | 'entry.created' | 'entry.updated' | 'entry.deleted' | 'entry.published' | 'entry.unpublished' | 'release.completed' | 'release.failed' | 'job.completed' | 'job.failed' | 'destination.failing' | 'webhook.test' | undefined;
      id: string;
    };
    body: undefined;
    response: ListWebhookDeliveriesResponse;
    item: WebhookDelivery;
  };
  /** Get a delivery with its payload */
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
    body: ReplayWebhookRequest;
    response: Job;
  };
  /**
   * List the platforms that conversions can be sent to.
   *
   * With the credentials that each needs and what it can do.
   */
  listDestinationPlatforms: {
    params: undefined;
    body: undefined;
    response: ListDestinationPlatformsResponse;
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
    response: ListDestinationsResponse;
    item: Destination;
  };
  /** Get a destination with its counts */
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
    response: ListDestinationDeliveriesResponse;
    item: DestinationDelivery;
  };
  /** List what became of a conversion at each destination */
  listConversionDeliveries: {
    params: {
      conversionId: string;
    };
    body: undefined;
    response: ListConversionDeliveriesResponse;
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
    body: Record<string, unknown> | null;
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
    body: ReplayDestinationRequest;
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
    response: ListRejectedRequestsResponse;
    item: RejectedRequest;
  };
  /** Delete all rejected requests */
  deleteRejectedRequests: {
    params: undefined;
    body: undefined;
    response: DeleteRejectedRequestsResponse;
  };
  /** List backups */
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
  /** Open or close a cell for new accounts */
  changeCell: {
    params: {
      cell: string;
    };
    body: ChangeCellRequest;
    response: Cells;
  };
  /** List the largest accounts of a cell */
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
      sort?: string | undefined;
      /** Returns entries whose text fields, including nested ones, contain every word, also as a part of a longer word, ignoring case and accents. */
      q?: string | undefined;
      /** Returns referenced entries instead of their IDs: paths of field IDs, such as `author,related.cover`, up to 3 references deep; write a field of a group as `seo.author`. With `state=published`, the published entries. A reference to an entry that cannot be returned remains an ID; public responses leave it out. */
      expand?: string | undefined;
      /** The locale of localized fields, by default the default one. Values that are not published in it are those of its fallbacks. */
      locale?: string | undefined;
      /** How values of the format `richtext` are returned: as JSON trees (`json`, the default), HTML or Markdown */
      richtext?: 'json' | 'html' | 'markdown' | undefined;
      /** A token of a preview: returns entries of its collection with their latest values, published or not, and what is published of other collections. Never cached */
      preview?: string | undefined;
      collectionId: string;
    };
    body: undefined;
    response: ListPublicEntriesResponse;
    item: PublicEntry;
  };
  /**
   * Get a published entry.
   *
   * Returns a published entry of a public collection, without private fields, by its ID or slug. By a slug that the entry had before, the response tells its slug in `redirectTo`.
   */
  getPublicEntry: {
    params: {
      /** Returns referenced entries instead of their IDs: paths of field IDs, such as `author,related.cover`, up to 3 references deep; write a field of a group as `seo.author`. With `state=published`, the published entries. A reference to an entry that cannot be returned remains an ID; public responses leave it out. */
      expand?: string | undefined;
      /** The locale of localized fields, by default the default one. Values that are not published in it are those of its fallbacks. */
      locale?: string | undefined;
      /** How values of the format `richtext` are returned: as JSON trees (`json`, the default), HTML or Markdown */
      richtext?: 'json' | 'html' | 'markdown' | undefined;
      /** A token of a preview: returns entries of its collection with their latest values, published or not, and what is published of other collections. Never cached */
      preview?: string | undefined;
      collectionId: string;
      /** The ID of the entry, or its slug */
      entryId: string;
    };
    body: undefined;
    response: PublicEntry;
  };
  /**
   * Upload an image or a video.
   *
   * Accepts JPEG, PNG, GIF, WebP, AVIF, SVG, MP4, MOV and WebM. The type is detected from the content; `GET /v1/limits` returns the size limits. Stores the first file part named `file` and ignores the rest. With an `Idempotency-Key`, retrying the same file under the same name stores it once. Error codes: `file_missing`, `file_empty`, `file_type_unsupported`, `svg_refused`, `file_too_large`, `too_many_pixels`, `file_corrupt`, `multipart_malformed`, `too_many_parts`, `body_too_large`, `content_type_unsupported`, `request_timeout`.
   */
  uploadFile: {
    params: undefined;
    body: UploadFileRequest;
    response: AssetValue;
  };
  /**
   * Replace the content of a file.
   *
   * Accepts the same body as an upload. Entries keep using the file, which gets a new URL, because the content of a URL never changes; the previous URL redirects to it. Name, alt text and focal point stay. An image can only be replaced by an image and a video by a video (`file_type_changed`). Error codes: `file_missing`, `file_empty`, `file_type_unsupported`, `svg_refused`, `file_too_large`, `too_many_pixels`, `file_corrupt`, `multipart_malformed`, `too_many_parts`, `body_too_large`, `content_type_unsupported`, `request_timeout`.
   */
  replaceFile: {
    params: {
      assetId: string;
    };
    body: ReplaceFileRequest;
    response: File;
  };
  /**
   * Record a page visit.
   *
   * Without `sessionHash` the service finds the session of `visitorId` or starts one. A session ends after 30 minutes without activity or after 24 hours; a new click id or campaign starts a new one. JSON sent as `text/plain` is accepted, too.
   */
  recordVisit: {
    params: undefined;
    body: RecordVisitRequest;
    response: RecordVisitResponse;
  };
  /**
   * Record a custom event.
   *
   * `properties.email` creates or updates a lead. A numeric `properties.value` counts as a conversion of origin `event`. An event is never rejected because of a property that it cannot use. A form body (`application/x-www-form-urlencoded`) is accepted, too, with properties as `properties[name]`. JSON sent as `text/plain` is accepted, too.
   */
  recordEvent: {
    params: undefined;
    body: RecordEventRequest;
    response: RecordEventResponse;
  };
  /**
   * Record visits and events together.
   *
   * Used by the page script. Each item has its own result: an invalid item has `success: false` and the reason, and the others are recorded. Visits are recorded before events. `visitId` of a visit and `id` of an event make a retry harmless. JSON sent as `text/plain` is accepted, too.
   */
  recordBatch: {
    params: undefined;
    body: RecordBatchRequest;
    response: RecordBatchResponse;
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
   * For platforms that can only call a URL. Instead of the token it accepts a postback key in `key`, which is valid for this operation only.
   */
  reportConversionByQuery: {
    params: {
      /** Each item has exactly one identifier; null and empty strings do not count. */
      hash?: string | number | null | undefined;
      /** Each item has exactly one identifier; null and empty strings do not count. */
      sessionHash?: string | number | null | undefined;
      /** Each item has exactly one identifier; null and empty strings do not count. */
      sessionId?: string | number | null | undefined;
      /** Each item has exactly one identifier; null and empty strings do not count. */
      visitHash?: string | number | null | undefined;
      /** Each item has exactly one identifier; null and empty strings do not count. */
      shortHash?: string | number | null | undefined;
      /** Each item has exactly one identifier; null and empty strings do not count. */
      shortSessionHash?: string | number | null | undefined;
      /** Each item has exactly one identifier; null and empty strings do not count. */
      shortVisitHash?: string | number | null | undefined;
      /** Each item has exactly one identifier; null and empty strings do not count. */
      gclid?: string | number | null | undefined;
      /** Each item has exactly one identifier; null and empty strings do not count. */
      gbraid?: string | number | null | undefined;
      /** Each item has exactly one identifier; null and empty strings do not count. */
      wbraid?: string | number | null | undefined;
      /** Each item has exactly one identifier; null and empty strings do not count. */
      fbclid?: string | number | null | undefined;
      /** Each item has exactly one identifier; null and empty strings do not count. */
      msclkid?: string | number | null | undefined;
      /** Each item has exactly one identifier; null and empty strings do not count. */
      ttclid?: string | number | null | undefined;
      /** Each item has exactly one identifier; null and empty strings do not count. */
      li_fat_id?: string | number | null | undefined;
      /** Each item has exactly one identifier; null and empty strings do not count. */
      epik?: string | number | null | undefined;
      /** Each item has exactly one identifier; null and empty strings do not count. */
      twclid?: string | number | null | undefined;
      /** Each item has exactly one identifier; null and empty strings do not count. */
      sclid?: string | number | null | undefined;
      /** Each item has exactly one identifier; null and empty strings do not count. */
      tblci?: string | number | null | undefined;
      /** Each item has exactly one identifier; null and empty strings do not count. */
      ob_click_id?: string | number | null | undefined;
      /** Each item has exactly one identifier; null and empty strings do not count. */
      rdt_cid?: string | number | null | undefined;
      /** Each item has exactly one identifier; null and empty strings do not count. */
      aleid?: string | number | null | undefined;
      /** Each item has exactly one identifier; null and empty strings do not count. */
      alart?: string | number | null | undefined;
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
   * As `POST /v1/analytics/report-conversion` with an array. `POST /v1/conversions/imports/{importId}/undo` undoes all reports of the import. An import that was undone is 400 `import_undone`.
   */
  reportImportedConversions: {
    params: {
      importId: string;
    };
    body: ConversionItem[];
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
  resetPassword: {"method":"POST","path":"/auth/reset-password","body":"json"},
  changeUser: {"method":"PATCH","path":"/auth/user","body":"json"},
  changePassword: {"method":"POST","path":"/auth/password","body":"json"},
  listSessions: {"method":"GET","path":"/auth/sessions"},
  endSession: {"method":"DELETE","path":"/auth/sessions/{sessionId}","params":true},
  endOtherSessions: {"method":"POST","path":"/auth/sessions/end-others"},
  getSecurity: {"method":"GET","path":"/auth/security"},
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
  listKeys: {"method":"GET","path":"/v1/keys","params":true,"pages":"keys"},
  createKey: {"method":"POST","path":"/v1/keys","body":"json","idempotencyKey":true},
  renameKey: {"method":"PATCH","path":"/v1/keys/{keyId}","params":true,"body":"json"},
  revokeKey: {"method":"DELETE","path":"/v1/keys/{keyId}","params":true},
  listChanges: {"method":"GET","path":"/v1/audit","params":true,"pages":"changes"},
  listCollections: {"method":"GET","path":"/v1/cms/collections","params":true,"pages":"collections"},
  createCollection: {"method":"POST","path":"/v1/cms/collections","body":"json","idempotencyKey":true},
  countEntries: {"method":"GET","path":"/v1/cms/entry-counts"},
  getCollection: {"method":"GET","path":"/v1/cms/collections/{collectionId}","params":true},
  updateCollection: {"method":"PATCH","path":"/v1/cms/collections/{collectionId}","params":true,"body":"json"},
  deleteCollection: {"method":"DELETE","path":"/v1/cms/collections/{collectionId}","params":true},
  listEntries: {"method":"GET","path":"/v1/cms/collections/{collectionId}/entries","params":true,"pages":"entries"},
  createEntry: {"method":"POST","path":"/v1/cms/collections/{collectionId}/entries","params":true,"body":"json","idempotencyKey":true},
  getEntry: {"method":"GET","path":"/v1/cms/collections/{collectionId}/entries/{entryId}","params":true},
  updateEntry: {"method":"PATCH","path":"/v1/cms/collections/{collectionId}/entries/{entryId}","params":true,"body":"json"},
  deleteEntry: {"method":"DELETE","path":"/v1/cms/collections/{collectionId}/entries/{entryId}","params":true},
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
  listEntryUsages: {"method":"GET","path":"/v1/cms/collections/{collectionId}/entries/{entryId}/usages","params":true,"pages":"usages"},
  getEntryTitles: {"method":"GET","path":"/v1/cms/entry-titles","params":true},
  getLocales: {"method":"GET","path":"/v1/cms/locales"},
  setLocales: {"method":"PUT","path":"/v1/cms/locales","body":"json"},
  listFiles: {"method":"GET","path":"/v1/files","params":true,"pages":"files"},
  listFileTags: {"method":"GET","path":"/v1/files/tags"},
  getFile: {"method":"GET","path":"/v1/files/{assetId}","params":true},
  updateFile: {"method":"PATCH","path":"/v1/files/{assetId}","params":true,"body":"json"},
  deleteFile: {"method":"DELETE","path":"/v1/files/{assetId}","params":true},
  clearUnusedFiles: {"method":"POST","path":"/v1/files/clear-unused","body":"json"},
  listLeads: {"method":"GET","path":"/v1/leads","params":true,"pages":"leads"},
  getLead: {"method":"GET","path":"/v1/leads/{leadId}","params":true},
  updateLead: {"method":"PATCH","path":"/v1/leads/{leadId}","params":true,"body":"json"},
  eraseLead: {"method":"POST","path":"/v1/leads/erase","body":"json","idempotencyKey":true},
  listTrackedSessions: {"method":"GET","path":"/v1/sessions","params":true,"pages":"sessions"},
  getTrackedSession: {"method":"GET","path":"/v1/sessions/{sessionId}","params":true},
  eraseVisitor: {"method":"POST","path":"/v1/visitors/erase","body":"json","idempotencyKey":true},
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
  putAdCosts: {"method":"PUT","path":"/v1/analytics/ad-costs","body":"json"},
  listAdCosts: {"method":"GET","path":"/v1/analytics/ad-costs","params":true,"pages":"costs"},
  getAdPerformance: {"method":"GET","path":"/v1/analytics/ad-performance","params":true},
  getOverview: {"method":"GET","path":"/v1/analytics/overview","params":true},
  getBreakdown: {"method":"GET","path":"/v1/analytics/breakdown","params":true},
  getFunnel: {"method":"POST","path":"/v1/analytics/funnel","body":"json"},
  getEventProperties: {"method":"GET","path":"/v1/analytics/event-properties","params":true},
  listRankedSessions: {"method":"GET","path":"/v1/analytics/ranked-sessions","params":true,"pages":"sessions"},
  getAttribution: {"method":"GET","path":"/v1/analytics/attribution","params":true},
  getUnmatchedReport: {"method":"GET","path":"/v1/analytics/unmatched","params":true},
  listSharedLinks: {"method":"GET","path":"/v1/analytics/shared-links"},
  createSharedLink: {"method":"POST","path":"/v1/analytics/shared-links","body":"json"},
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
  createAnnotation: {"method":"POST","path":"/v1/analytics/annotations","body":"json"},
  updateAnnotation: {"method":"PATCH","path":"/v1/analytics/annotations/{annotationId}","params":true,"body":"json"},
  deleteAnnotation: {"method":"DELETE","path":"/v1/analytics/annotations/{annotationId}","params":true},
  createWebhook: {"method":"POST","path":"/v1/webhooks","body":"json"},
  listWebhooks: {"method":"GET","path":"/v1/webhooks","params":true,"pages":"webhooks"},
  getWebhook: {"method":"GET","path":"/v1/webhooks/{id}","params":true},
  updateWebhook: {"method":"PATCH","path":"/v1/webhooks/{id}","params":true,"body":"json"},
  deleteWebhook: {"method":"DELETE","path":"/v1/webhooks/{id}","params":true},
  rotateWebhookSecret: {"method":"POST","path":"/v1/webhooks/{id}/rotate-secret","params":true,"body":"json"},
  testWebhook: {"method":"POST","path":"/v1/webhooks/{id}/test","params":true,"body":"json"},
  listWebhookDeliveries: {"method":"GET","path":"/v1/webhooks/{id}/deliveries","params":true,"pages":"deliveries"},
  getWebhookDelivery: {"method":"GET","path":"/v1/webhooks/{id}/deliveries/{deliveryId}","params":true},
  replayWebhook: {"method":"POST","path":"/v1/webhooks/{id}/replay","params":true,"body":"json"},
  listDestinationPlatforms: {"method":"GET","path":"/v1/destinations/platforms"},
  createDestination: {"method":"POST","path":"/v1/destinations","body":"json"},
  listDestinations: {"method":"GET","path":"/v1/destinations","params":true,"pages":"destinations"},
  getDestination: {"method":"GET","path":"/v1/destinations/{id}","params":true},
  updateDestination: {"method":"PATCH","path":"/v1/destinations/{id}","params":true,"body":"json"},
  deleteDestination: {"method":"DELETE","path":"/v1/destinations/{id}","params":true},
  listDestinationDeliveries: {"method":"GET","path":"/v1/destinations/{id}/deliveries","params":true,"pages":"deliveries"},
  listConversionDeliveries: {"method":"GET","path":"/v1/conversions/{conversionId}/deliveries","params":true},
  dryRunDestination: {"method":"POST","path":"/v1/destinations/{id}/dry-run","params":true,"body":"json"},
  testDestination: {"method":"POST","path":"/v1/destinations/{id}/test","params":true,"body":"json"},
  replayDestination: {"method":"POST","path":"/v1/destinations/{id}/replay","params":true,"body":"json"},
  listRejectedRequests: {"method":"GET","path":"/v1/rejected-requests","params":true,"pages":"requests"},
  deleteRejectedRequests: {"method":"DELETE","path":"/v1/rejected-requests"},
  listBackups: {"method":"GET","path":"/operator/backups"},
  checkBackup: {"method":"POST","path":"/operator/backups/{name}/check","params":true},
  listCells: {"method":"GET","path":"/operator/cells"},
  changeCell: {"method":"PATCH","path":"/operator/cells/{cell}","params":true,"body":"json"},
  listAccountsOfCell: {"method":"GET","path":"/operator/cells/{cell}/accounts","params":true},
  moveAccount: {"method":"POST","path":"/operator/moves","body":"json"},
  cancelMove: {"method":"POST","path":"/operator/moves/{account}/cancel","params":true},
  listPublicEntries: {"method":"GET","path":"/v1/content/{collectionId}","params":true,"pages":"entries"},
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
} as const;
