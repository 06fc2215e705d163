// Written by npm run sdk, out of openapi.json. Not to be edited.

export interface AcceptInvitationRequest {
  /** What stands behind the `#` of the link */
  token: string;
  /** Upper and lower case are the same */
  email?: string | undefined;
  password?: string | undefined;
  name?: string | undefined;
}

export interface Account {
  id: string;
  name: string;
  createdAt: string;
}

export interface ApiKey {
  id: string;
  accountId: string;
  kind: 'secret' | 'publishable' | 'postback';
  name: string;
  /** The last four characters */
  hint: string;
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

export interface AssetValue {
  assetId: string;
  /** Address of the stored file; works without a token */
  url: string;
  /** Detected from the bytes of the file */
  type?: 'image' | 'video' | undefined;
  /** As the file was called when it was sent */
  name?: string | undefined;
  /** Pixels as shown, rotation applied */
  width?: number | undefined;
  /** Pixels as shown, rotation applied */
  height?: number | undefined;
}

export interface Attribution {
  from: string;
  to: string;
  by: string;
  windowDays: number;
  /** Of the period */
  conversions: number;
  /** Those with a session within the window */
  attributed: number;
  /** The most by `linear` come first */
  rows: ({
    value: string | null;
    first: {
      /** Parts of them add up */
      conversions: number;
      revenue: Money[];
    };
    last: {
      /** Parts of them add up */
      conversions: number;
      revenue: Money[];
    };
    linear: {
      /** Parts of them add up */
      conversions: number;
      revenue: Money[];
    };
    position: {
      /** Parts of them add up */
      conversions: number;
      revenue: Money[];
    };
    timeDecay: {
      /** Parts of them add up */
      conversions: number;
      revenue: Money[];
    };
  })[];
}

export interface AuditChange {
  id: string;
  at: string;
  actor: {
    kind: 'user' | 'key' | 'command';
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

export type Author = {
  kind: 'user' | 'key' | 'command';
  id: string | null;
  /** null: not known any more */
  name: string | null;
} | null;

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
      /** Whether there are other values */
      more: boolean;
    }>;
}

export interface BreakdownRow {
  /** null: none */
  value: string | null;
  visits: number;
  /** Different visitors with a visit */
  visitors: number;
  /** Sessions that began */
  sessions: number;
  /** Leads that were first seen */
  leads: number;
  /** Conversions by `createdOn` */
  conversions: number;
  /** Conversions by sessions; null without sessions */
  conversionRate: number | null;
  /** By currency */
  revenue: Money[];
  /** By `event` and `funnel`: how many there were */
  events?: number | undefined;
  previous?: {
    visits: number;
    /** Different visitors with a visit */
    visitors: number;
    /** Sessions that began */
    sessions: number;
    /** Leads that were first seen */
    leads: number;
    /** Conversions by `createdOn` */
    conversions: number;
    /** Conversions by sessions; null without sessions */
    conversionRate: number | null;
    /** By currency */
    revenue: Money[];
    events?: number | undefined;
  } | undefined;
}

export interface ChangeAccountRequest {
  name: string;
}

export interface ChangeMemberRequest {
  role: 'owner' | 'editor' | 'viewer';
}

export interface ChangePasswordRequest {
  currentPassword: string;
  newPassword: string;
}

export interface ChangeTrackingSettingsRequest {
  /** Origins of the pages that may record with the publishable key, such as `https://shop.example`; `https://*.shop.example` for every host below. Empty: any. A request without an `Origin` header, from a server, is not asked */
  allowedOrigins?: string[] | undefined;
  /** Addresses and CIDR ranges, of IPv4 and IPv6, whose visits and events are recorded and marked as internal, and then not counted, like those of bots */
  excludedAddresses?: string[] | undefined;
  /** How many days sessions, visits, events and leads are kept; null: for ever. Conversions stay, without their identifiers */
  retentionDays?: number | null | undefined;
}

export interface ChangeTrackingSettingsResponse {
  /** Origins of the pages that may record with the publishable key, such as `https://shop.example`; `https://*.shop.example` for every host below. Empty: any. A request without an `Origin` header, from a server, is not asked */
  allowedOrigins: string[];
  /** Addresses and CIDR ranges, of IPv4 and IPv6, whose visits and events are recorded and marked as internal, and then not counted, like those of bots */
  excludedAddresses: string[];
  /** How many days sessions, visits, events and leads are kept; null: for ever. Conversions stay, without their identifiers */
  retentionDays: number | null;
  /** Null as long as nothing was changed */
  updatedAt: string | null;
}

export interface ChangeUserRequest {
  name: string;
}

export interface ClearUnusedFilesRequest {
  /** Those unused for less stay; 30 unless sent */
  unusedForDays?: number | undefined;
}

export interface Collection {
  id: string;
  name: string;
  description: string | null;
  /** In their order, deleted ones included */
  fields: Field[];
  displayFieldId: string | null;
  defaultSort: {
    fieldId: string;
    direction: 'asc' | 'desc';
  } | null;
  status: 'active' | 'deleted';
  /** ISO 8601, UTC, with milliseconds */
  createdAt: string;
  /** ISO 8601, UTC, with milliseconds */
  updatedAt: string;
}

export interface CompleteFirstRunRequest {
  /** What stands behind the `#` of the link */
  token: string;
  /** Upper and lower case are the same */
  email: string;
  password: string;
  name: string;
  accountName?: string | undefined;
  /** Instead of a name: an account that there is */
  accountId?: string | undefined;
}

export interface Conversion {
  id: string;
  eventId: string | null;
  event: string;
  /** A decimal number */
  value: string | null;
  currency: string | null;
  createdOn: string;
  receivedAt: string;
  origin: 'report' | 'event';
  /** Name and value; null once it is forgotten */
  identifier: Record<string, string | number> | null;
  extra: Record<string, unknown> | null;
  sessionId: number | null;
  sessionHash: string | null;
  /** Of the session, like those that follow */
  source: string | null;
  medium: string | null;
  campaign: string | null;
  lead: {
    id: string;
    email: string;
  } | null;
  /** How often it was reported again */
  restatements: number;
  updatedAt: string;
}

export interface ConversionItem {
  /** One identifier is needed, and only one; null and an empty string are none. */
  hash?: string | number | null | undefined;
  /** One identifier is needed, and only one; null and an empty string are none. */
  sessionHash?: string | number | null | undefined;
  /** One identifier is needed, and only one; null and an empty string are none. */
  sessionId?: string | number | null | undefined;
  /** One identifier is needed, and only one; null and an empty string are none. */
  visitHash?: string | number | null | undefined;
  /** One identifier is needed, and only one; null and an empty string are none. */
  shortHash?: string | null | undefined;
  /** One identifier is needed, and only one; null and an empty string are none. */
  shortSessionHash?: string | null | undefined;
  /** One identifier is needed, and only one; null and an empty string are none. */
  shortVisitHash?: string | null | undefined;
  /** One identifier is needed, and only one; null and an empty string are none. */
  gclid?: string | null | undefined;
  /** One identifier is needed, and only one; null and an empty string are none. */
  gbraid?: string | null | undefined;
  /** One identifier is needed, and only one; null and an empty string are none. */
  wbraid?: string | null | undefined;
  /** One identifier is needed, and only one; null and an empty string are none. */
  fbclid?: string | null | undefined;
  /** One identifier is needed, and only one; null and an empty string are none. */
  msclkid?: string | null | undefined;
  /** One identifier is needed, and only one; null and an empty string are none. */
  ttclid?: string | null | undefined;
  /** One identifier is needed, and only one; null and an empty string are none. */
  li_fat_id?: string | null | undefined;
  /** One identifier is needed, and only one; null and an empty string are none. */
  epik?: string | null | undefined;
  /** One identifier is needed, and only one; null and an empty string are none. */
  twclid?: string | null | undefined;
  /** One identifier is needed, and only one; null and an empty string are none. */
  sclid?: string | null | undefined;
  /** One identifier is needed, and only one; null and an empty string are none. */
  tblci?: string | null | undefined;
  /** One identifier is needed, and only one; null and an empty string are none. */
  ob_click_id?: string | null | undefined;
  /** One identifier is needed, and only one; null and an empty string are none. */
  rdt_cid?: string | null | undefined;
  /** One identifier is needed, and only one; null and an empty string are none. */
  aleid?: string | null | undefined;
  /** One identifier is needed, and only one; null and an empty string are none. */
  alart?: string | null | undefined;
  /** Name of the event */
  event?: string | undefined;
  /** When it happened: ISO 8601, epoch seconds or milliseconds. What cannot be read, or lies over an hour ahead, gives way to the time of arrival, and `reason` says so. */
  createdOn?: unknown | undefined;
  /** The caller's own identifier of the conversion: reporting it again restates that conversion */
  eventId?: string | null | undefined;
  /** Amount: a number or a numeric string up to 10^18. An empty string is refused; 0 is a value. */
  value?: number | string | null | undefined;
  /** Three-letter code of ISO 4217, in any case */
  currency?: string | null | undefined;
  /** Use `value`, which wins where both are sent. */
  conversion?: {
    /** Amount: a number or a numeric string up to 10^18. An empty string is refused; 0 is a value. */
    value?: number | string | null | undefined;
  } | null | undefined;
  /** Any metadata, to 32 KiB of JSON */
  extra?: Record<string, unknown> | null | undefined;
}

export interface ConversionResult {
  /** The conversion; the same however often it is restated */
  _id?: string | undefined;
  reported: boolean;
  /** `unmatched`: no session has this identifier; the report is kept 30 days and takes effect by itself if one comes. `failed`: see `error`. */
  status: 'reported' | 'unmatched' | 'failed';
  /** Stable code of what is wrong with the item */
  error?: string | undefined;
  /** What is wrong with the item, or what was put right in it */
  reason?: string | undefined;
}

export interface ConversionWithReports {
  id: string;
  eventId: string | null;
  event: string;
  /** A decimal number */
  value: string | null;
  currency: string | null;
  createdOn: string;
  receivedAt: string;
  origin: 'report' | 'event';
  /** Name and value; null once it is forgotten */
  identifier: Record<string, string | number> | null;
  extra: Record<string, unknown> | null;
  sessionId: number | null;
  sessionHash: string | null;
  /** Of the session, like those that follow */
  source: string | null;
  medium: string | null;
  campaign: string | null;
  lead: {
    id: string;
    email: string;
  } | null;
  /** How often it was reported again */
  restatements: number;
  updatedAt: string;
  /** In the order of their arrival; null is what one did not name */
  reports: ({
    event: string | null;
    value: string | null;
    currency: string | null;
    createdOn: string | null;
    receivedAt: string;
    origin: 'report' | 'event';
    identifier: Record<string, unknown> | null;
    extra: Record<string, unknown> | null;
  })[];
}

export interface CreateAccountRequest {
  name: string;
}

export interface CreateCollectionRequest {
  name: string;
  description?: string | null | undefined;
  /** An active field */
  displayFieldId?: string | null | undefined;
  defaultSort?: {
    fieldId: string;
    direction: 'asc' | 'desc';
  } | null | undefined;
  fields?: ({
    /** Unique in its list; made by the service where none is sent */
    id?: string | undefined;
    label: string;
    type: 'text' | 'number' | 'boolean' | 'date' | 'timestamp' | 'url' | 'asset' | 'select' | 'group';
    /** false unless sent */
    required?: boolean | undefined;
    /** The value is an array; false unless sent */
    repeated?: boolean | undefined;
    /** Only and always with the type `select` */
    options?: {
      value: string;
      label: string;
    }[] | null | undefined;
    /** Only and always with the type `group` */
    fields?: ({
      /** Unique in its list; made by the service where none is sent */
      id?: string | undefined;
      label: string;
      type: 'text' | 'number' | 'boolean' | 'date' | 'timestamp' | 'url' | 'asset' | 'select' | 'group';
      /** false unless sent */
      required?: boolean | undefined;
      /** Only and always with the type `select` */
      options?: {
        value: string;
        label: string;
      }[] | null | undefined;
    })[] | null | undefined;
  })[] | undefined;
}

export interface CreateEntryRequest {
  /** By field id. null is no value. Every required field is needed. */
  values: Record<string, unknown>;
}

export interface CreateInvitationRequest {
  role: 'owner' | 'editor' | 'viewer';
  /** Upper and lower case are the same */
  email?: string | undefined;
  /** 7 unless sent */
  expiresInDays?: number | undefined;
}

export interface CreateKeyRequest {
  name: string;
  kind: 'secret' | 'publishable' | 'postback';
}

export interface CreateWebhookRequest {
  /** http or https, reached from the public internet, without user and password */
  url: string;
  /** What is pushed to it; null: everything */
  events?: ('event.recorded' | 'lead.created' | 'lead.updated' | 'conversion.reported' | 'conversion.restated' | 'conversion.matched' | 'entry.created' | 'entry.updated' | 'entry.deleted' | 'job.completed' | 'job.failed')[] | null | undefined;
  description?: string | null | undefined;
}

export interface DeletedFile {
  assetId: string;
  deleted: boolean;
}

export interface EndOtherSessionsResponse {
  /** How many sessions were ended */
  ended: number;
}

export interface EndSessionResponse {
  success: boolean;
}

export interface Entry {
  id: string;
  collectionId: string;
  /** By field id; a field without a value is absent */
  values: Record<string, unknown>;
  status: 'active' | 'deleted';
  /** Counts the changes */
  version: number;
  /** ISO 8601, UTC, with milliseconds */
  createdAt: string;
  /** ISO 8601, UTC, with milliseconds */
  updatedAt: string;
}

export interface EntryVersion {
  version: number;
  /** Whether it is what the entry has now */
  current: boolean;
  /** What made it */
  change: 'created' | 'changed' | 'deleted' | 'restored';
  /** By id; null for the creation */
  changedFields: string[] | null;
  /** The version that it brought back */
  restoredFrom: number | null;
  status: 'active' | 'deleted';
  /** ISO 8601, UTC, with milliseconds */
  at: string;
  by: Author;
}

export interface EntryVersionWithValues {
  version: number;
  /** Whether it is what the entry has now */
  current: boolean;
  /** What made it */
  change: 'created' | 'changed' | 'deleted' | 'restored';
  /** By id; null for the creation */
  changedFields: string[] | null;
  /** The version that it brought back */
  restoredFrom: number | null;
  status: 'active' | 'deleted';
  /** ISO 8601, UTC, with milliseconds */
  at: string;
  by: Author;
  /** By field id, as they would be answered today: without those of deleted fields */
  values: Record<string, unknown>;
}

export interface EraseLeadRequest {
  /** In any case */
  email: string;
}

export interface ExportEntriesRequest {
  format: 'csv' | 'ndjson';
  /** These fields alone (`price`, `seo.title`), in this order, behind the id; else all */
  fields?: string[] | undefined;
  /** As the listing takes it */
  sort?: string | undefined;
  /** As the listing takes it */
  q?: string | undefined;
  /** As the listing takes it, by field and operator: `{"price": {"gte": "10"}}`; a list must hold as a whole */
  filter?: Record<string, Record<string, string | string[]>> | undefined;
}

export interface Field {
  id: string;
  label: string;
  type: 'text' | 'number' | 'boolean' | 'date' | 'timestamp' | 'url' | 'asset' | 'select' | 'group';
  required: boolean;
  status: 'active' | 'deleted';
  options: Option[] | null;
  repeated: boolean;
  fields: NestedField[] | null;
}

export interface File {
  assetId: string;
  /** Address of the stored file; works without a token */
  url: string;
  type: 'image' | 'video';
  name: string;
  /** Pixels as shown, rotation applied */
  width: number;
  /** Pixels as shown, rotation applied */
  height: number;
  /** Such as `image/jpeg` */
  mediaType: string;
  /** As stored and served */
  bytes: number;
  /** What to say of it to who does not see it */
  alt: string | null;
  /** As parts of width and height from the upper left; crops keep it in view */
  focalPoint: {
    x: number;
    y: number;
  } | null;
  /** A picture of more than one frame */
  animated: boolean;
  /** Seconds, of a film that says it */
  duration: number | null;
  /** Of a film, such as `avc`, `hevc`, `vp9`, `av1` */
  codec: string | null;
  /** A blurred picture in some 25 bytes (thumbhash), base64 */
  thumbhash: string | null;
  /** A picture of a film, where one could be had */
  posterUrl: string | null;
  /** ISO 8601, UTC, with milliseconds */
  createdAt: string;
  /** ISO 8601, UTC, with milliseconds */
  updatedAt: string;
  /** ISO 8601, UTC, with milliseconds */
  unusedSince: string | null;
}

export interface FileWithUses {
  assetId: string;
  /** Address of the stored file; works without a token */
  url: string;
  type: 'image' | 'video';
  name: string;
  /** Pixels as shown, rotation applied */
  width: number;
  /** Pixels as shown, rotation applied */
  height: number;
  /** Such as `image/jpeg` */
  mediaType: string;
  /** As stored and served */
  bytes: number;
  /** What to say of it to who does not see it */
  alt: string | null;
  /** As parts of width and height from the upper left; crops keep it in view */
  focalPoint: {
    x: number;
    y: number;
  } | null;
  /** A picture of more than one frame */
  animated: boolean;
  /** Seconds, of a film that says it */
  duration: number | null;
  /** Of a film, such as `avc`, `hevc`, `vp9`, `av1` */
  codec: string | null;
  /** A blurred picture in some 25 bytes (thumbhash), base64 */
  thumbhash: string | null;
  /** A picture of a film, where one could be had */
  posterUrl: string | null;
  /** ISO 8601, UTC, with milliseconds */
  createdAt: string;
  /** ISO 8601, UTC, with milliseconds */
  updatedAt: string;
  /** ISO 8601, UTC, with milliseconds */
  unusedSince: string | null;
  usedByCount: number;
  /** Entries that name the file, at most 100 */
  usedBy: ({
    collectionId: string;
    entryId: string;
    /** Of the entry */
    status: 'active' | 'deleted';
  })[];
}

export interface Funnel {
  from: string;
  to: string;
  asOf: string;
  steps: ({
    event?: string | undefined;
    page?: string | undefined;
    /** Sessions or visitors that came as far */
    count: number;
    /** Those of the step before that did not */
    dropped: number;
    ofPrevious: number | null;
    ofFirst: number | null;
  })[];
}

export interface GetFunnelRequest {
  /** A day of `timeZone`, such as 2026-11-20, or an RFC 3339 time on a quarter of an hour. It is in */
  from: string;
  /** As `from`. It is out */
  to: string;
  /** A name of the IANA time zone database */
  timeZone?: string | undefined;
  by?: 'session' | 'visitor' | undefined;
  /** How long after its first step a try may take */
  windowMinutes?: number | undefined;
  /** What is counted besides: `bots`, `internal` (traffic of excluded addresses), or both, parted by a comma */
  include?: string | undefined;
  /** By dimension, the values of which a session has one; null: none */
  filters?: {
    source?: (string | null)[] | undefined;
    medium?: (string | null)[] | undefined;
    campaign?: (string | null)[] | undefined;
    landingPage?: (string | null)[] | undefined;
    country?: (string | null)[] | undefined;
    device?: (string | null)[] | undefined;
    platform?: (string | null)[] | undefined;
    page?: (string | null)[] | undefined;
    event?: (string | null)[] | undefined;
    funnel?: (string | null)[] | undefined;
  } | undefined;
  steps: ({
    event: string;
  } | {
    /** `/pricing` on any host, or `shop.example/pricing`; `*` at the end stands for anything */
    page: string;
  })[];
}

export interface GetTrackingSettingsResponse {
  /** Origins of the pages that may record with the publishable key, such as `https://shop.example`; `https://*.shop.example` for every host below. Empty: any. A request without an `Origin` header, from a server, is not asked */
  allowedOrigins: string[];
  /** Addresses and CIDR ranges, of IPv4 and IPv6, whose visits and events are recorded and marked as internal, and then not counted, like those of bots */
  excludedAddresses: string[];
  /** How many days sessions, visits, events and leads are kept; null: for ever. Conversions stay, without their identifiers */
  retentionDays: number | null;
  /** Null as long as nothing was changed */
  updatedAt: string | null;
}

export interface Import {
  id: string;
  collectionId: string;
  /** The file's name */
  name: string;
  bytes: number;
  /** `stopped`: the step was cancelled or failed, see `job`; it can be started again where it stopped */
  status: 'uploaded' | 'rehearsing' | 'rehearsed' | 'importing' | 'imported' | 'undoing' | 'undone' | 'stopped';
  /** What was asked for last */
  step: 'upload' | 'rehearsal' | 'import' | 'undo';
  columns: ({
    /** Its heading */
    name: string;
    /** Of the first rows */
    samples: string[];
    /** `_id`, the id of the entry, or the field that its heading names; null: none does */
    proposed: string | null;
  })[];
  plan: ImportPlan | null;
  rehearsal: ImportCounts | null;
  imported: ImportCounts | null;
  undone: UndoCounts | null;
  /** That does, or did, the step; forgotten 7 days after its end */
  job: Job | null;
  createdAt: string;
  /** When the file, and what undoing needs, is forgotten */
  expiresAt: string;
}

export interface ImportCounts {
  /** Looked at so far; empty lines do not count */
  rows: number;
  /** New entries */
  created: number;
  /** Entries that are otherwise than before */
  changed: number;
  /** Entries that are as the row says */
  unchanged: number;
  /** Rows with a fault, which are left out */
  refused: number;
  /** The first 100 */
  faults: ({
    /** As a spreadsheet counts: the header is row 1 */
    row: number;
    /** Which field; null: the row as a whole */
    field: string | null;
    code: string;
    detail: string;
  })[];
  /** A CSV with a line for each row; needs no token. null while the step is under way */
  resultsUrl: string | null;
}

export interface ImportPlan {
  /** Where each column of the file belongs, in the file's order; null: it is left out */
  columns: ({
    /** A field's id, or `group.field` of a group that is not repeated */
    field: string;
    /** What parts the values of a repeated field, where the cell is no JSON array */
    separator?: string | undefined;
  } | null)[];
  /** The column, from 0, that has the ids of entries to change */
  idColumn?: number | null | undefined;
  /** A field by whose value a row finds the entry to change, instead of by an id; none has it: a new one */
  keyField?: string | null | undefined;
  /** What an empty cell does to the value of an entry that is changed; `clear` unless sent */
  emptyCells?: 'clear' | 'keep' | undefined;
  /** What parts a whole number from its fraction; unless it is said, `1,234` is a fault */
  decimal?: '.' | ',' | null | undefined;
  /** What `03/04/2026` means; unless it is said, it is a fault */
  dateOrder?: 'dmy' | 'mdy' | null | undefined;
  /** Of times without an offset, such as `Europe/Berlin`; unless it is said, they are a fault */
  timeZone?: string | null | undefined;
}

export interface InspectFirstRunRequest {
  /** What stands behind the `#` of the link */
  token: string;
}

export interface InspectFirstRunResponse {
  /** Accounts that the `headwater` command made and nobody is a member of */
  accounts: {
    id: string;
    name: string;
  }[];
  expiresAt: string;
}

export interface InspectInvitationRequest {
  /** What stands behind the `#` of the link */
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
  /** What the job does: `export`, `export_entries`, `rehearse_import`, `import_entries`, `undo_import`, `erase_lead` or `clear-unused-files` */
  type: string;
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  /** Never goes back */
  progress: number;
  /** What was asked for */
  params: Record<string, unknown>;
  /** What a completed job made, else null. An export's: `{url, format, rows, bytes, sha256}`; the `url` needs no token and is good until `expiresAt`. Where a lead was erased since, the file is gone: `{url: null, expired: true, …}`. Of `erase_lead`: `{erased}`, whether there was such a lead */
  result: Record<string, unknown> | null;
  /** Why the job failed, else null */
  error: {
    /** Stable, snake_case */
    code: string;
    detail: string;
  } | null;
  createdAt: string;
  /** When it began to run; null while it is queued */
  startedAt: string | null;
  /** When it was completed, failed or was cancelled */
  finishedAt: string | null;
  /** When a finished job, and what it made, is forgotten: 7 days after its end */
  expiresAt: string | null;
}

export interface Lead {
  id: string;
  email: string;
  firstSeenAt: string;
  lastSeenAt: string;
  firstSessionId: number | null;
  latestSessionId: number | null;
  /** Of the first session, like those that follow */
  source: string | null;
  medium: string | null;
  campaign: string | null;
  country: string | null;
}

export interface LeaveAccountResponse {
  success: boolean;
}

export interface Limits {
  /** Largest JSON body */
  bodyBytes: number;
  /** Largest JSON body of a conversion report */
  conversionBodyBytes: number;
  /** Deepest nesting of a JSON body */
  bodyDepth: number;
  conversionsPerBatch: number;
  /** Largest page of a listing */
  pageSize: number;
  /** How many earlier versions of an entry are kept */
  entryVersions: number;
  imageBytes: number;
  imagePixels: number;
  videoBytes: number;
  /** Largest file of entries */
  importBytes: number;
  /** Most rows of such a file */
  importRows: number;
  /** Widths and heights in which a picture can be asked for: `?w=` and `?h=` on its address */
  pictureSizes: number[];
  rates: Record<string, {
      perSecond: number;
      burst: number;
    }> | null;
}

export interface ListChangesResponse {
  changes: AuditChange[];
  nextPageToken: string | null;
}

export interface ListCollectionsResponse {
  collections: Collection[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListConversionsResponse {
  conversions: Conversion[];
  /** null when there is no further page */
  nextPageToken: string | null;
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

export interface ListEntriesResponse {
  entries: Entry[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListEntryVersionsResponse {
  versions: EntryVersion[];
  /** null when there is no further page */
  nextPageToken: string | null;
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
  nextPageToken: string | null;
}

export interface ListJobsResponse {
  jobs: Job[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListKeysResponse {
  keys: ApiKey[];
  nextPageToken: string | null;
}

export interface ListLeadsResponse {
  leads: Lead[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface ListMembersResponse {
  members: Member[];
  nextPageToken: string | null;
}

export interface ListSessionsResponse {
  sessions: UserSession[];
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
  nextPageToken: string | null;
}

export interface ListWebhooksResponse {
  webhooks: Webhook[];
  nextPageToken: string | null;
}

export interface ListedFile {
  assetId: string;
  /** Address of the stored file; works without a token */
  url: string;
  type: 'image' | 'video';
  name: string;
  /** Pixels as shown, rotation applied */
  width: number;
  /** Pixels as shown, rotation applied */
  height: number;
  /** Such as `image/jpeg` */
  mediaType: string;
  /** As stored and served */
  bytes: number;
  /** What to say of it to who does not see it */
  alt: string | null;
  /** As parts of width and height from the upper left; crops keep it in view */
  focalPoint: {
    x: number;
    y: number;
  } | null;
  /** A picture of more than one frame */
  animated: boolean;
  /** Seconds, of a film that says it */
  duration: number | null;
  /** Of a film, such as `avc`, `hevc`, `vp9`, `av1` */
  codec: string | null;
  /** A blurred picture in some 25 bytes (thumbhash), base64 */
  thumbhash: string | null;
  /** A picture of a film, where one could be had */
  posterUrl: string | null;
  /** ISO 8601, UTC, with milliseconds */
  createdAt: string;
  /** ISO 8601, UTC, with milliseconds */
  updatedAt: string;
  /** ISO 8601, UTC, with milliseconds */
  unusedSince: string | null;
  /** Entries that name it, deleted ones included, counted to 1,000 */
  usedByCount: number;
}

export interface Live {
  at: string;
  /** Of the last five minutes, without bots and internal traffic */
  visitors: number;
  /** Newest first */
  latest: ({
    kind: 'visit' | 'event';
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

export interface MadeApiKey {
  id: string;
  accountId: string;
  kind: 'secret' | 'publishable' | 'postback';
  name: string;
  /** The last four characters */
  hint: string;
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
  /** The key itself; shown once */
  token: string;
}

export interface MadeInvitation {
  id: string;
  role: 'owner' | 'editor' | 'viewer';
  email: string | null;
  status: 'pending' | 'accepted' | 'revoked' | 'expired';
  invitedBy: {
    id: string;
    name: string;
  } | null;
  createdAt: string;
  expiresAt: string;
  /** The link for who is invited; shown once */
  url: string;
}

export interface MakeResetLinkResponse {
  /** Shown once */
  url: string;
  expiresAt: string;
}

export interface Member {
  userId: string;
  email: string;
  name: string;
  role: 'owner' | 'editor' | 'viewer';
  joinedAt: string;
  lastSeenAt: string | null;
}

export interface Money {
  /** ISO 4217; null where the conversions named none */
  currency: string | null;
  /** A decimal number */
  value: string;
}

export interface NestedField {
  id: string;
  label: string;
  type: 'text' | 'number' | 'boolean' | 'date' | 'timestamp' | 'url' | 'asset' | 'select' | 'group';
  required: boolean;
  status: 'active' | 'deleted';
  options: Option[] | null;
}

export interface Numbers {
  visits: number;
  /** Different visitors with a visit */
  visitors: number;
  /** Sessions that began */
  sessions: number;
  /** Leads that were first seen */
  leads: number;
  /** Conversions by `createdOn` */
  conversions: number;
  /** Conversions by sessions; null without sessions */
  conversionRate: number | null;
  /** By currency */
  revenue: Money[];
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
  /** What was recorded until then is counted */
  asOf: string;
  current: Numbers;
  previous: {
    from: string;
    to: string;
    visits: number;
    /** Different visitors with a visit */
    visitors: number;
    /** Sessions that began */
    sessions: number;
    /** Leads that were first seen */
    leads: number;
    /** Conversions by `createdOn` */
    conversions: number;
    /** Conversions by sessions; null without sessions */
    conversionRate: number | null;
    /** By currency */
    revenue: Money[];
  } | null;
  /** Of `current` against `previous` */
  change: {
    /** 0.25 is a quarter more; null where there was none before */
    visits: number | null;
    /** 0.25 is a quarter more; null where there was none before */
    visitors: number | null;
    /** 0.25 is a quarter more; null where there was none before */
    sessions: number | null;
    /** 0.25 is a quarter more; null where there was none before */
    leads: number | null;
    /** 0.25 is a quarter more; null where there was none before */
    conversions: number | null;
    /** 0.25 is a quarter more; null where there was none before */
    conversionRate: number | null;
    revenue: ({
      currency: string | null;
      /** 0.25 is a quarter more; null where there was none before */
      change: number | null;
    })[];
  } | null;
  line: ({
    at: string;
    visits: number;
    /** Different visitors with a visit */
    visitors: number;
    /** Sessions that began */
    sessions: number;
    /** Leads that were first seen */
    leads: number;
    /** Conversions by `createdOn` */
    conversions: number;
    /** Conversions by sessions; null without sessions */
    conversionRate: number | null;
    /** By currency */
    revenue: Money[];
  })[];
  previousLine: ({
    at: string;
    visits: number;
    /** Different visitors with a visit */
    visitors: number;
    /** Sessions that began */
    sessions: number;
    /** Leads that were first seen */
    leads: number;
    /** Conversions by `createdOn` */
    conversions: number;
    /** Conversions by sessions; null without sessions */
    conversionRate: number | null;
    /** By currency */
    revenue: Money[];
  })[] | null;
}

export interface Problem {
  /** A URI that names the kind of error; it ends in `code` */
  type: string;
  title: string;
  status: number;
  detail: string;
  /** Stable, snake_case */
  code: string;
  /** Also in the `x-request-id` header and in the log */
  requestId: string;
  /** Every fault of the request */
  errors: {
    /** JSON Pointer into the body; `?name` for a query parameter */
    pointer: string;
    code: string;
    detail: string;
  }[];
}

export interface RecordBatchRequest {
  /** A publishable API key, or, from a server, a secret API token */
  api_key: string;
  /** The sender's clock as it sends, RFC 3339: corrects `timestamp` by its error */
  sentAt?: string | undefined;
  items: ({
    visit: {
      /** The page's own id of the visit: makes a retry harmless */
      visitId?: string | undefined;
      /** Address of the page, with its query */
      url: string;
      /** As in document.referrer */
      referrer?: string | undefined;
      title?: string | undefined;
      /** Names the visitor over its sessions; made by the service where none is given */
      visitorId?: string | undefined;
      /** The session the visit belongs to; without it the service decides, by visitorId */
      sessionHash?: string | undefined;
      /** When the page was visited, RFC 3339; the time of arrival where it is not given */
      timestamp?: string | undefined;
    };
  } | {
    event: {
      /** Name of the event */
      event: string;
      /** Any metadata, to 32 KiB of JSON, 255 keys and depth 5. A session identifier under its name in the conversion report ties the event to its session. */
      properties?: {
        /** The user's e-mail: makes or updates a lead */
        email?: string | undefined;
        funnel_id?: string | undefined;
        /** Monetary value: the event counts as a conversion */
        value?: number | undefined;
        /** The caller's own id: makes a retry harmless */
        event_id?: string | undefined;
        /** When it happened, RFC 3339 */
        timestamp?: string | undefined;
        [name: string]: unknown;
      } | undefined;
    };
  })[];
}

export interface RecordBatchResponse {
  success: boolean;
  /** One for each item, in the same order */
  results: ({
    success: boolean;
    /** The session's number */
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
  /** Any metadata, to 32 KiB of JSON, 255 keys and depth 5. A session identifier under its name in the conversion report ties the event to its session. */
  properties?: {
    /** The user's e-mail: makes or updates a lead */
    email?: string | undefined;
    funnel_id?: string | undefined;
    /** Monetary value: the event counts as a conversion */
    value?: number | undefined;
    /** The caller's own id: makes a retry harmless */
    event_id?: string | undefined;
    /** When it happened, RFC 3339 */
    timestamp?: string | undefined;
    [name: string]: unknown;
  } | undefined;
}

export interface RecordEventResponse {
  success: boolean;
  /** Identifier of the recorded event */
  event_id: string;
}

export interface RecordVisitRequest {
  /** A publishable API key, or, from a server, a secret API token */
  api_key: string;
  /** The page's own id of the visit: makes a retry harmless */
  visitId?: string | undefined;
  /** Address of the page, with its query */
  url: string;
  /** As in document.referrer */
  referrer?: string | undefined;
  title?: string | undefined;
  /** Names the visitor over its sessions; made by the service where none is given */
  visitorId?: string | undefined;
  /** The session the visit belongs to; without it the service decides, by visitorId */
  sessionHash?: string | undefined;
  /** When the page was visited, RFC 3339; the time of arrival where it is not given */
  timestamp?: string | undefined;
  /** The sender's clock as it sends, RFC 3339: corrects `timestamp` by its error */
  sentAt?: string | undefined;
}

export interface RecordVisitResponse {
  success: boolean;
  /** The session's number */
  sessionId: number;
  sessionHash: string;
  /** First 12 Crockford base32 characters of the SHA-256 of sessionHash */
  shortSessionHash: string;
  visitorId: string;
}

export interface RehearsalResult {
  /** The conversion that would be restated, if it is there already */
  _id?: string | undefined;
  reported: boolean;
  /** `unmatched`: no session has this identifier; the report is kept 30 days and takes effect by itself if one comes. `failed`: see `error`. */
  status: 'reported' | 'unmatched' | 'failed';
  /** Stable code of what is wrong with the item */
  error?: string | undefined;
  /** What is wrong with the item, or what was put right in it */
  reason?: string | undefined;
  /** `create`: it would be a new conversion. `restate`: it would restate one. `wait`: it is unmatched, and would be kept. `none`: it would fail. */
  effect: 'create' | 'restate' | 'wait' | 'none';
  /** The session that it is found to belong to, or that its conversion belongs to already */
  sessionId: number | null;
  /** Where in the array, from 0, the item stands that it would restate */
  restatesItem?: number | undefined;
}

export interface RenameKeyRequest {
  name: string;
}

export interface ReplaceFileRequest {
  /** The file */
  file: Blob;
}

export interface ReplayWebhookRequest {
  /** This one, whatever became of it */
  deliveryId?: string | undefined;
  /** All that ended so; `failed` unless sent */
  status?: 'failed' | 'delivered' | undefined;
  /** Created at this time or later */
  from?: string | undefined;
  /** Created before this time */
  to?: string | undefined;
}

export interface ResetPasswordRequest {
  /** What stands behind the `#` of the link */
  token: string;
  newPassword: string;
}

export interface ResetPasswordResponse {
  success: boolean;
}

export interface RestoreEntryVersionRequest {
  /** The current version, as it is known: another one is `version_conflict` */
  version?: number | undefined;
  /** Only these come back, by id; all unless sent */
  fields?: string[] | undefined;
}

export interface Session {
  id: number;
  hash: string;
  shortHash: string;
  visitorId: string;
  lead: {
    id: string;
    email: string;
  } | null;
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
  /** By kind, as in a conversion report */
  clickIds: Record<string, string>;
  device: string | null;
  browser: string | null;
  os: string | null;
  country: string | null;
  isBot: boolean;
  isInternal: boolean;
}

export interface SessionState {
  /** There is no user yet: the link of the first run makes one */
  isFirstRun: boolean;
  user: {
    id: string;
    email: string;
    name: string;
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
  })[];
}

export interface SignInRequest {
  email: string;
  password: string;
}

export interface SignOutResponse {
  success: boolean;
}

export interface StartExportRequest {
  dataset: 'sessions' | 'visits' | 'events' | 'conversions' | 'leads' | 'unmatched';
  format: 'csv' | 'ndjson' | 'parquet';
  /** The first moment that is in: RFC 3339, or a date, which begins at midnight UTC */
  from?: string | undefined;
  /** The first moment that is out, written likewise */
  to?: string | undefined;
  /** These columns alone, in this order; else all that do not wait to be named */
  fields?: string[] | undefined;
}

export interface Timeline {
  session: Session | null;
  lead: Lead | null;
  items: TimelineItem[];
  /** null when there is no further page */
  nextPageToken: string | null;
}

export interface TimelineItem {
  kind: 'session' | 'visit' | 'event' | 'conversion' | 'restatement';
  at: string;
  /** Of the visit, the event or the conversion */
  id: string | null;
  sessionId: number | null;
  session?: Session | undefined;
  url?: string | null | undefined;
  title?: string | null | undefined;
  referrer?: string | null | undefined;
  event?: string | null | undefined;
  /** Of an event; `extra` of a conversion */
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
  /** In their order, deleted ones included */
  fields: Field[];
  displayFieldId: string | null;
  defaultSort: {
    fieldId: string;
    direction: 'asc' | 'desc';
  } | null;
  status: 'active' | 'deleted';
  /** ISO 8601, UTC, with milliseconds */
  createdAt: string;
  /** ISO 8601, UTC, with milliseconds */
  updatedAt: string;
  /** ISO 8601, UTC, with milliseconds */
  deletedAt: string;
  /** How many active entries come back with it, counted no further than 1,000 */
  entryCount: number;
}

export interface TrashedEntry {
  id: string;
  collectionId: string;
  /** By field id; a field without a value is absent */
  values: Record<string, unknown>;
  status: 'active' | 'deleted';
  /** Counts the changes */
  version: number;
  /** ISO 8601, UTC, with milliseconds */
  createdAt: string;
  /** ISO 8601, UTC, with milliseconds */
  updatedAt: string;
  /** ISO 8601, UTC, with milliseconds */
  deletedAt: string;
  deletedBy: Author;
}

export interface UndoCounts {
  /** Looked at so far */
  entries: number;
  /** That the import had created */
  deleted: number;
  /** That it had changed */
  restored: number;
  /** Changed by somebody else since: left as they are */
  kept: number;
  /** A CSV with a line for each row; needs no token. null while the step is under way */
  resultsUrl: string | null;
}

export interface UnmatchedConversion {
  id: string;
  eventId: string | null;
  event: string;
  /** A decimal number */
  value: string | null;
  currency: string | null;
  createdOn: string;
  receivedAt: string;
  /** Empty once it is erased */
  identifier: Record<string, string | number>;
  extra: Record<string, unknown> | null;
  /** When it is given up */
  expiresAt: string;
}

export interface UnmatchedReport {
  from: string;
  to: string;
  total: number;
  identifiers: ({
    /** Its name in the report; null where it was erased */
    identifier: string | null;
    count: number;
    oldestAt: string;
    latestAt: string;
    reasons: ({
      /** `platform_never_seen`: none of the latest sessions came with a click id of this kind; `malformed`: it has not the form of a hash; `erased`: its person was erased; `not_seen`: no session has it */
      reason: 'platform_never_seen' | 'malformed' | 'erased' | 'not_seen';
      count: number;
    })[];
  })[];
}

export interface UpdateCollectionRequest {
  name?: string | undefined;
  description?: string | null | undefined;
  /** An active field */
  displayFieldId?: string | null | undefined;
  defaultSort?: {
    fieldId: string;
    direction: 'asc' | 'desc';
  } | null | undefined;
  /** Matched by id; those not named stay as they are, behind those sent. A field comes by an id that is not known yet, or none, and goes or comes back by its `status`. */
  fields?: ({
    /** Unique in its list; made by the service where none is sent */
    id?: string | undefined;
    label?: string | undefined;
    type?: 'text' | 'number' | 'boolean' | 'date' | 'timestamp' | 'url' | 'asset' | 'select' | 'group' | undefined;
    required?: boolean | undefined;
    status?: 'active' | 'deleted' | undefined;
    /** Only and always with the type `select` */
    options?: ({
      value: string;
      label?: string | undefined;
      status?: 'active' | 'deleted' | undefined;
    })[] | null | undefined;
    /** The value is an array; false unless sent */
    repeated?: boolean | undefined;
    /** Only and always with the type `group` */
    fields?: ({
      /** Unique in its list; made by the service where none is sent */
      id?: string | undefined;
      label?: string | undefined;
      type?: 'text' | 'number' | 'boolean' | 'date' | 'timestamp' | 'url' | 'asset' | 'select' | 'group' | undefined;
      required?: boolean | undefined;
      status?: 'active' | 'deleted' | undefined;
      /** Only and always with the type `select` */
      options?: ({
        value: string;
        label?: string | undefined;
        status?: 'active' | 'deleted' | undefined;
      })[] | null | undefined;
    })[] | null | undefined;
  })[] | undefined;
  status?: 'active' | 'deleted' | undefined;
}

export interface UpdateEntryRequest {
  /** Merged by field id. null takes a value away; a group is replaced as a whole. */
  values?: Record<string, unknown> | undefined;
  /** The version that the change is meant for: another one is `version_conflict` */
  version?: number | undefined;
  status?: 'active' | 'deleted' | undefined;
}

export interface UpdateFileRequest {
  name?: string | undefined;
  alt?: string | null | undefined;
  /** As parts of width and height from the upper left; crops keep it in view */
  focalPoint?: {
    x: number;
    y: number;
  } | null | undefined;
}

export interface UpdateWebhookRequest {
  /** http or https, reached from the public internet, without user and password */
  url?: string | undefined;
  /** What is pushed to it; null: everything */
  events?: ('event.recorded' | 'lead.created' | 'lead.updated' | 'conversion.reported' | 'conversion.restated' | 'conversion.matched' | 'entry.created' | 'entry.updated' | 'entry.deleted' | 'job.completed' | 'job.failed')[] | null | undefined;
  description?: string | null | undefined;
  status?: 'active' | 'disabled' | undefined;
}

export interface UploadFileRequest {
  /** The file */
  file: Blob;
}

export interface UploadImportRequest {
  /** The CSV */
  file: Blob;
}

export interface UserSession {
  id: string;
  isCurrent: boolean;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
  address: string;
  device: string | null;
}

export interface Webhook {
  id: string;
  url: string;
  /** What is pushed to it; null: everything */
  events: string[] | null;
  description: string | null;
  status: 'active' | 'disabled' | 'deleted';
  /** `requested`: by a PATCH; `gone`: it answered 410; `failing`: 5 days of nothing but failures */
  disabledReason: 'requested' | 'gone' | 'failing' | null;
  /** The first failed attempt since the latest that succeeded */
  failingSince: string | null;
  /** Until when the secret before this one signs as well */
  previousSecretUntil: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface WebhookDelivery {
  /** The `webhook-id` that the endpoint sees */
  id: string;
  type: string;
  status: 'pending' | 'delivered' | 'failed';
  /** Oldest first */
  attempts: ({
    /** Of the answer; null where none came */
    status: number | null;
    ms: number;
    /** Why it failed: a code, perhaps with `: ` and a sentence */
    error: string | null;
    /** How the body of an answer begins that is no success, at most 1,000 characters */
    answer: string | null;
    at: string;
  })[];
  nextAttemptAt: string | null;
  createdAt: string;
}

export interface WebhookDeliveryWithPayload {
  /** The `webhook-id` that the endpoint sees */
  id: string;
  type: string;
  status: 'pending' | 'delivered' | 'failed';
  /** Oldest first */
  attempts: ({
    /** Of the answer; null where none came */
    status: number | null;
    ms: number;
    /** Why it failed: a code, perhaps with `: ` and a sentence */
    error: string | null;
    /** How the body of an answer begins that is no success, at most 1,000 characters */
    answer: string | null;
    at: string;
  })[];
  nextAttemptAt: string | null;
  createdAt: string;
  payload: Record<string, unknown>;
}

export interface WebhookSession {
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
  /** By their names in the conversion report */
  clickIds: Record<string, string>;
  device: string | null;
  browser: string | null;
  os: string | null;
  country: string | null;
  isBot: boolean;
  isInternal: boolean;
}

export interface WebhookWithSecret {
  id: string;
  url: string;
  /** What is pushed to it; null: everything */
  events: string[] | null;
  description: string | null;
  status: 'active' | 'disabled' | 'deleted';
  /** `requested`: by a PATCH; `gone`: it answered 410; `failing`: 5 days of nothing but failures */
  disabledReason: 'requested' | 'gone' | 'failing' | null;
  /** The first failed attempt since the latest that succeeded */
  failingSince: string | null;
  /** Until when the secret before this one signs as well */
  previousSecretUntil: string | null;
  createdAt: string;
  updatedAt: string;
  /** `whsec_…`, which payloads are signed with; answered this once */
  secret: string;
}

/** What goes into each operation (`params`: path and query, `body`) and what comes out; `item` is one of a listing's. */
export interface Operations {
  /** The limits of this service */
  getLimits: {
    params: undefined;
    body: undefined;
    answer: Limits;
  };
  /** Who is signed in */
  getSession: {
    params: undefined;
    body: undefined;
    answer: SessionState;
  };
  /** What the link of the first run offers */
  inspectFirstRun: {
    params: undefined;
    body: InspectFirstRunRequest;
    answer: InspectFirstRunResponse;
  };
  /**
   * Make the first user.
   *
   * Who owns a new account, `accountName`, or one that there is, `accountId`; and signs in.
   */
  completeFirstRun: {
    params: undefined;
    body: CompleteFirstRunRequest;
    answer: SessionState;
  };
  /**
   * Sign in.
   *
   * Sets the cookie of a new session. 401 `credentials_invalid` tells nothing of which was wrong; 429 `too_many_attempts` after failures, with a pause that grows.
   */
  signIn: {
    params: undefined;
    body: SignInRequest;
    answer: SessionState;
  };
  /** Sign out */
  signOut: {
    params: undefined;
    body: undefined;
    answer: SignOutResponse;
  };
  /** Change one’s own name */
  changeUser: {
    params: undefined;
    body: ChangeUserRequest;
    answer: SessionState;
  };
  /**
   * Change one’s own password.
   *
   * Every other session ends; this one goes on under a new cookie.
   */
  changePassword: {
    params: undefined;
    body: ChangePasswordRequest;
    answer: SessionState;
  };
  /** List one’s own sessions */
  listSessions: {
    params: undefined;
    body: undefined;
    answer: ListSessionsResponse;
  };
  /** End one of one’s own sessions */
  endSession: {
    params: {
      sessionId: string;
    };
    body: undefined;
    answer: EndSessionResponse;
  };
  /** End all of one’s own sessions but this one */
  endOtherSessions: {
    params: undefined;
    body: undefined;
    answer: EndOtherSessionsResponse;
  };
  /**
   * Make a further account.
   *
   * Its owner is who makes it; for who owns an account already.
   */
  createAccount: {
    params: undefined;
    body: CreateAccountRequest;
    answer: SessionState;
  };
  /** What an invitation’s link offers */
  inspectInvitation: {
    params: undefined;
    body: InspectInvitationRequest;
    answer: InspectInvitationResponse;
  };
  /**
   * Accept an invitation.
   *
   * Whoever is signed in sends the link’s token alone. Whoever has a user sends e-mail and password as well, a new user a name, too.
   */
  acceptInvitation: {
    params: undefined;
    body: AcceptInvitationRequest;
    answer: SessionState;
  };
  /**
   * Set a password by a reset link.
   *
   * Every session of the user ends; sign in with the new password.
   */
  resetPassword: {
    params: undefined;
    body: ResetPasswordRequest;
    answer: ResetPasswordResponse;
  };
  /** Get the account */
  getAccount: {
    params: undefined;
    body: undefined;
    answer: Account;
  };
  /** Change the account’s name */
  changeAccount: {
    params: undefined;
    body: ChangeAccountRequest;
    answer: Account;
  };
  /**
   * Leave the account.
   *
   * Its last owner cannot: 400 `last_owner`.
   */
  leaveAccount: {
    params: undefined;
    body: undefined;
    answer: LeaveAccountResponse;
  };
  /** List members */
  listMembers: {
    params: {
      /** 50 unless sent */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the page before, unchanged; empty is the first page */
      pageToken?: string | undefined;
    };
    body: undefined;
    answer: ListMembersResponse;
    item: Member;
  };
  /**
   * Change a member’s role.
   *
   * The last owner stays one: 400 `last_owner`.
   */
  changeMember: {
    params: {
      userId: string;
    };
    body: ChangeMemberRequest;
    answer: Member;
  };
  /**
   * Remove a member.
   *
   * Answers it as it was. The last owner stays: 400 `last_owner`.
   */
  removeMember: {
    params: {
      userId: string;
    };
    body: undefined;
    answer: Member;
  };
  /**
   * Make a link by which a member sets a password anew.
   *
   * Good once and for a day. Only for a user all of whose accounts you own, else 400 `reset_not_allowed`.
   */
  makeResetLink: {
    params: {
      userId: string;
    };
    body: undefined;
    answer: MakeResetLinkResponse;
  };
  /**
   * List invitations.
   *
   * The newest first.
   */
  listInvitations: {
    params: {
      /** 50 unless sent */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the page before, unchanged; empty is the first page */
      pageToken?: string | undefined;
    };
    body: undefined;
    answer: ListInvitationsResponse;
    item: Invitation;
  };
  /**
   * Invite somebody.
   *
   * Answers the link, once: a repetition with the same `Idempotency-Key` is refused.
   */
  createInvitation: {
    params: undefined;
    body: CreateInvitationRequest;
    answer: MadeInvitation;
  };
  /**
   * Revoke an invitation.
   *
   * Its link is good no more. One that was accepted is 400 `invitation_accepted`.
   */
  revokeInvitation: {
    params: {
      invitationId: string;
    };
    body: undefined;
    answer: Invitation;
  };
  /**
   * List who changed what.
   *
   * The newest first. `before` and `after` hold what differs, shortened.
   */
  listChanges: {
    params: {
      /** 50 unless sent */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the page before, unchanged; empty is the first page */
      pageToken?: string | undefined;
      /** Of a user or a key */
      actorId?: string | undefined;
      action?: string | undefined;
      subjectId?: string | undefined;
      from?: string | undefined;
      /** No longer in it */
      to?: string | undefined;
    };
    body: undefined;
    answer: ListChangesResponse;
    item: AuditChange;
  };
  /**
   * List API keys.
   *
   * The newest first, those that were revoked as well.
   */
  listKeys: {
    params: {
      /** 50 unless sent */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the page before, unchanged; empty is the first page */
      pageToken?: string | undefined;
      kind?: 'secret' | 'publishable' | 'postback' | undefined;
      /** Only those that are revoked, or only those that are not */
      revoked?: boolean | undefined;
    };
    body: undefined;
    answer: ListKeysResponse;
    item: ApiKey;
  };
  /**
   * Make an API key.
   *
   * Answers the key itself, once: a repetition with the same `Idempotency-Key` is refused.
   */
  createKey: {
    params: undefined;
    body: CreateKeyRequest;
    answer: MadeApiKey;
  };
  /** Rename an API key */
  renameKey: {
    params: {
      keyId: string;
    };
    body: RenameKeyRequest;
    answer: ApiKey;
  };
  /**
   * Revoke an API key.
   *
   * When this is answered, every process refuses it. Again is harmless.
   */
  revokeKey: {
    params: {
      keyId: string;
    };
    body: undefined;
    answer: ApiKey;
  };
  /**
   * List collections.
   *
   * The active collections, oldest first.
   */
  listCollections: {
    params: {
      /** 50 unless sent */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the page before, unchanged; empty is the first page */
      pageToken?: string | undefined;
    };
    body: undefined;
    answer: ListCollectionsResponse;
    item: Collection;
  };
  /** Create a collection */
  createCollection: {
    params: undefined;
    body: CreateCollectionRequest;
    answer: Collection;
  };
  /** Get a collection */
  getCollection: {
    params: {
      /** true: a deleted one is answered, too */
      includeDeleted?: boolean | undefined;
      collectionId: string;
    };
    body: undefined;
    answer: Collection;
  };
  /**
   * Update a collection.
   *
   * Changes what is sent. `status` deletes and restores; a restored collection has its entries again.
   */
  updateCollection: {
    params: {
      collectionId: string;
    };
    body: UpdateCollectionRequest;
    answer: Collection;
  };
  /**
   * Delete a collection.
   *
   * Answers it with `status: "deleted"`. `PATCH {"status": "active"}` brings it back. With `permanently=true` one that is deleted is removed for good, with its entries and their versions.
   */
  deleteCollection: {
    params: {
      /** true: what is deleted already is removed for good, with all that is kept of it */
      permanently?: boolean | undefined;
      collectionId: string;
    };
    body: undefined;
    answer: Collection;
  };
  /**
   * List entries.
   *
   * The active entries, sorted and filtered.
   *
   * Filters are written `filter[<fieldId>][<operator>]=<value>`; all of them must hold, also one that is repeated.
   *
   * | Operator | Types | |
   * |---|---|---|
   * | `eq`, `ne` | all but groups | `ne` lets entries without a value through |
   * | `in` | all but groups | one of a list, `a,b`; a comma or backslash in a value is written `\,` or `\\` |
   * | `lt`, `lte`, `gt`, `gte` | text, number, date, timestamp | text in its order of sorting, without case and accents |
   * | `contains` | text | a part of the text, whatever case and accents |
   * | `exists` | all | `true` or `false`; an empty list is no value |
   *
   * A filter on a repeated field holds where any of its values fulfils it, `ne` where none is equal. Assets go by `assetId`.
   * Entries that come or go between two pages neither repeat nor hide others.
   */
  listEntries: {
    params: {
      /** 50 unless sent */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the page before, unchanged; empty is the first page */
      pageToken?: string | undefined;
      /** `<fieldId>:asc` or `:desc`; also `createdAt` and `updatedAt` (a field of that id goes first). The collection's `defaultSort` unless sent, else oldest first. Entries without a value come last both ways; of equals the older comes first, with `desc` the newer. Text sorts without case and accents by its first 256 characters. Repeated fields, groups and assets do not sort. */
      sort?: string | undefined;
      /** Entries in whose text fields, those in groups included, every word occurs, as a part of a word too, whatever case and accents. */
      q?: string | undefined;
      collectionId: string;
    };
    body: undefined;
    answer: ListEntriesResponse;
    item: Entry;
  };
  /** Create an entry */
  createEntry: {
    params: {
      collectionId: string;
    };
    body: CreateEntryRequest;
    answer: Entry;
  };
  /** Get an entry */
  getEntry: {
    params: {
      /** true: a deleted one is answered, too */
      includeDeleted?: boolean | undefined;
      collectionId: string;
      entryId: string;
    };
    body: undefined;
    answer: Entry;
  };
  /**
   * Update an entry.
   *
   * Changes what is sent; checks what is sent, and nothing else. `status` deletes and restores.
   */
  updateEntry: {
    params: {
      collectionId: string;
      entryId: string;
    };
    body: UpdateEntryRequest;
    answer: Entry;
  };
  /**
   * Delete an entry.
   *
   * Answers it with `status: "deleted"`. `PATCH {"status": "active"}` brings it back. With `permanently=true` one that is deleted is removed for good, with its versions.
   */
  deleteEntry: {
    params: {
      /** true: what is deleted already is removed for good, with all that is kept of it */
      permanently?: boolean | undefined;
      collectionId: string;
      entryId: string;
    };
    body: undefined;
    answer: Entry;
  };
  /**
   * List the versions of an entry.
   *
   * The newest first, which is the current one: who made it, when, and of which fields. As many earlier ones are kept as `entryVersions` of `GET /v1/limits` tells.
   */
  listEntryVersions: {
    params: {
      /** 50 unless sent */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the page before, unchanged; empty is the first page */
      pageToken?: string | undefined;
      /** true: a deleted one is answered, too */
      includeDeleted?: boolean | undefined;
      collectionId: string;
      entryId: string;
    };
    body: undefined;
    answer: ListEntryVersionsResponse;
    item: EntryVersion;
  };
  /** Get a version of an entry, with its values */
  getEntryVersion: {
    params: {
      /** true: a deleted one is answered, too */
      includeDeleted?: boolean | undefined;
      collectionId: string;
      entryId: string;
      version: string;
    };
    body: undefined;
    answer: EntryVersionWithValues;
  };
  /**
   * Go back to a version of an entry.
   *
   * Gives the entry the values of that version, as a new version; a field without a value then loses it. What is no longer valid (an option or a file that was deleted, a value that is required now) is a fault at its field; `fields` brings back others without it. Fields that were deleted stay as they are.
   */
  restoreEntryVersion: {
    params: {
      collectionId: string;
      entryId: string;
      version: string;
    };
    body: RestoreEntryVersionRequest;
    answer: Entry;
  };
  /**
   * List deleted collections.
   *
   * The last deleted first.
   */
  listDeletedCollections: {
    params: {
      /** 50 unless sent */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the page before, unchanged; empty is the first page */
      pageToken?: string | undefined;
    };
    body: undefined;
    answer: ListDeletedCollectionsResponse;
    item: TrashedCollection;
  };
  /**
   * List deleted entries.
   *
   * The last deleted first, with who deleted them and when.
   */
  listDeletedEntries: {
    params: {
      /** 50 unless sent */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the page before, unchanged; empty is the first page */
      pageToken?: string | undefined;
      collectionId: string;
    };
    body: undefined;
    answer: ListDeletedEntriesResponse;
    item: TrashedEntry;
  };
  /**
   * List files.
   *
   * The newest first.
   */
  listFiles: {
    params: {
      /** 50 unless sent */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the page before, unchanged; empty is the first page */
      pageToken?: string | undefined;
      type?: 'image' | 'video' | undefined;
      /** A part of the name, whatever case */
      name?: string | undefined;
      /** true: only those that no entry names */
      unused?: boolean | undefined;
    };
    body: undefined;
    answer: ListFilesResponse;
    item: ListedFile;
  };
  /** Get a file, and where it is used */
  getFile: {
    params: {
      assetId: string;
    };
    body: undefined;
    answer: FileWithUses;
  };
  /**
   * Change the name, alternative text or focal point of a file.
   *
   * Changes what is sent. The old address stays good: its last part is for people alone.
   */
  updateFile: {
    params: {
      assetId: string;
    };
    body: UpdateFileRequest;
    answer: File;
  };
  /**
   * Delete a file.
   *
   * For good. Refused with `file_in_use` while an active entry names it, unless `force=true`: then the entry has no value there any more.
   */
  deleteFile: {
    params: {
      /** true: also where an entry uses it; its value is gone then */
      force?: boolean | undefined;
      assetId: string;
    };
    body: undefined;
    answer: DeletedFile;
  };
  /**
   * Delete the files that no entry has named for some days.
   *
   * Starts a job; its `result` is `{files, bytes}`. `GET /v1/files?unused=true` lists what it may delete. A deleted entry still names its files, for it can be restored.
   */
  clearUnusedFiles: {
    params: undefined;
    body: ClearUnusedFilesRequest;
    answer: Job;
  };
  /**
   * Erase a lead.
   *
   * Answers a job, which removes all that is personal of this e-mail: the lead; of its sessions the visitor's id, click ids and the queries of addresses; titles of its visits; the properties of its events but `value`, `currency` and `funnel_id`; identifiers and `extra` of its conversions; the files of all exports made before. Counts and sums stay. Doing it again does no harm; who comes back is a new lead.
   */
  eraseLead: {
    params: undefined;
    body: EraseLeadRequest;
    answer: Job;
  };
  /**
   * List sessions.
   *
   * Newest first, without bots and internal traffic unless `all` is sent.
   */
  listTrackedSessions: {
    params: {
      /** 50 unless sent */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the page before, unchanged; empty is the first page */
      pageToken?: string | undefined;
      /** It is in */
      from?: string | undefined;
      /** It is out */
      to?: string | undefined;
      /** What one has in hand: a hash, a short hash, a number, a visitor’s id, a click id, the id given to an event or a visit, or the beginning of an e-mail with its @ */
      q?: string | undefined;
      source?: string | undefined;
      medium?: string | undefined;
      campaign?: string | undefined;
      country?: string | undefined;
      device?: string | undefined;
      /** Those with a click id of this kind */
      platform?: 'gclid' | 'gbraid' | 'wbraid' | 'fbclid' | 'msclkid' | 'ttclid' | 'li_fat_id' | 'epik' | 'twclid' | 'sclid' | 'tblci' | 'ob_click_id' | 'rdt_cid' | 'aleid' | 'alart' | undefined;
      leadId?: string | undefined;
      /** Also bots and internal traffic */
      all?: boolean | undefined;
    };
    body: undefined;
    answer: ListTrackedSessionsResponse;
    item: Session;
  };
  /** Get a session */
  getTrackedSession: {
    params: {
      /** Its number */
      sessionId: string;
    };
    body: undefined;
    answer: Session;
  };
  /**
   * List leads.
   *
   * Newest first; with `q`, by e-mail.
   */
  listLeads: {
    params: {
      /** 50 unless sent */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the page before, unchanged; empty is the first page */
      pageToken?: string | undefined;
      /** Of `firstSeenAt`. It is in */
      from?: string | undefined;
      /** It is out */
      to?: string | undefined;
      /** An e-mail or its beginning, in any case; then ordered by e-mail */
      q?: string | undefined;
    };
    body: undefined;
    answer: ListLeadsResponse;
    item: Lead;
  };
  /** Get a lead */
  getLead: {
    params: {
      leadId: string;
    };
    body: undefined;
    answer: Lead;
  };
  /** Get the settings of tracking */
  getTrackingSettings: {
    params: undefined;
    body: undefined;
    answer: GetTrackingSettingsResponse;
  };
  /**
   * Change the settings of tracking.
   *
   * What is not named stays as it is; a list is replaced as a whole. Every process follows within 5 seconds.
   */
  changeTrackingSettings: {
    params: undefined;
    body: ChangeTrackingSettingsRequest;
    answer: ChangeTrackingSettingsResponse;
  };
  /**
   * Report one conversion or a batch.
   *
   * One object in, one result out; an array in, an array out, in the same order. Reporting the same `eventId` again restates that conversion. Check the `status` of each result: an item that finds no session, or in an array has a fault, does not change the HTTP status.
   */
  reportConversion: {
    params: undefined;
    body: ConversionItem | ConversionItem[];
    answer: ConversionResult | ConversionResult[];
  };
  /**
   * Report one conversion by a URL.
   *
   * For platforms that can only call a URL. The token may be replaced by a postback key in `key`, which is good for this alone.
   */
  reportConversionByQuery: {
    params: {
      /** One identifier is needed, and only one; null and an empty string are none. */
      hash?: string | number | null | undefined;
      /** One identifier is needed, and only one; null and an empty string are none. */
      sessionHash?: string | number | null | undefined;
      /** One identifier is needed, and only one; null and an empty string are none. */
      sessionId?: string | number | null | undefined;
      /** One identifier is needed, and only one; null and an empty string are none. */
      visitHash?: string | number | null | undefined;
      /** One identifier is needed, and only one; null and an empty string are none. */
      shortHash?: string | null | undefined;
      /** One identifier is needed, and only one; null and an empty string are none. */
      shortSessionHash?: string | null | undefined;
      /** One identifier is needed, and only one; null and an empty string are none. */
      shortVisitHash?: string | null | undefined;
      /** One identifier is needed, and only one; null and an empty string are none. */
      gclid?: string | null | undefined;
      /** One identifier is needed, and only one; null and an empty string are none. */
      gbraid?: string | null | undefined;
      /** One identifier is needed, and only one; null and an empty string are none. */
      wbraid?: string | null | undefined;
      /** One identifier is needed, and only one; null and an empty string are none. */
      fbclid?: string | null | undefined;
      /** One identifier is needed, and only one; null and an empty string are none. */
      msclkid?: string | null | undefined;
      /** One identifier is needed, and only one; null and an empty string are none. */
      ttclid?: string | null | undefined;
      /** One identifier is needed, and only one; null and an empty string are none. */
      li_fat_id?: string | null | undefined;
      /** One identifier is needed, and only one; null and an empty string are none. */
      epik?: string | null | undefined;
      /** One identifier is needed, and only one; null and an empty string are none. */
      twclid?: string | null | undefined;
      /** One identifier is needed, and only one; null and an empty string are none. */
      sclid?: string | null | undefined;
      /** One identifier is needed, and only one; null and an empty string are none. */
      tblci?: string | null | undefined;
      /** One identifier is needed, and only one; null and an empty string are none. */
      ob_click_id?: string | null | undefined;
      /** One identifier is needed, and only one; null and an empty string are none. */
      rdt_cid?: string | null | undefined;
      /** One identifier is needed, and only one; null and an empty string are none. */
      aleid?: string | null | undefined;
      /** One identifier is needed, and only one; null and an empty string are none. */
      alart?: string | null | undefined;
      /** Name of the event */
      event?: string | undefined;
      /** When it happened: ISO 8601, epoch seconds or milliseconds. What cannot be read, or lies over an hour ahead, gives way to the time of arrival, and `reason` says so. */
      createdOn?: unknown | undefined;
      /** The caller's own identifier of the conversion: reporting it again restates that conversion */
      eventId?: string | null | undefined;
      /** Amount: a number or a numeric string up to 10^18. An empty string is refused; 0 is a value. */
      value?: number | string | null | undefined;
      /** Three-letter code of ISO 4217, in any case */
      currency?: string | null | undefined;
    };
    body: undefined;
    answer: ConversionResult;
  };
  /**
   * Rehearse the report of one conversion or a batch.
   *
   * Takes what the report takes and answers what it would answer, and for each item what it would do. Nothing is recorded, kept or pushed.
   */
  rehearseConversion: {
    params: undefined;
    body: ConversionItem | ConversionItem[];
    answer: RehearsalResult | RehearsalResult[];
  };
  /**
   * List conversions.
   *
   * Newest first, by `createdOn`, each as it stands after its restatements.
   */
  listConversions: {
    params: {
      /** 50 unless sent */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the page before, unchanged; empty is the first page */
      pageToken?: string | undefined;
      /** Of `createdOn`. It is in */
      from?: string | undefined;
      /** It is out */
      to?: string | undefined;
      /** What one has in hand: an eventId, an id, a session’s hash, short hash or number, a click id, or the beginning of an e-mail with its @ */
      q?: string | undefined;
      event?: string | undefined;
      currency?: string | undefined;
      origin?: 'report' | 'event' | undefined;
      source?: string | undefined;
      campaign?: string | undefined;
      sessionId?: number | undefined;
    };
    body: undefined;
    answer: ListConversionsResponse;
    item: Conversion;
  };
  /**
   * List reports that found no session.
   *
   * Newest first. They are kept 30 days and become conversions by themselves if their session comes.
   */
  listUnmatchedConversions: {
    params: {
      /** 50 unless sent */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the page before, unchanged; empty is the first page */
      pageToken?: string | undefined;
      /** What one has in hand: an eventId, an id, a session’s hash, short hash or number, a click id, or the beginning of an e-mail with its @ */
      q?: string | undefined;
      /** Its name */
      identifier?: 'hash' | 'sessionHash' | 'sessionId' | 'visitHash' | 'shortHash' | 'shortSessionHash' | 'shortVisitHash' | 'gclid' | 'gbraid' | 'wbraid' | 'fbclid' | 'msclkid' | 'ttclid' | 'li_fat_id' | 'epik' | 'twclid' | 'sclid' | 'tblci' | 'ob_click_id' | 'rdt_cid' | 'aleid' | 'alart' | undefined;
    };
    body: undefined;
    answer: ListUnmatchedConversionsResponse;
    item: UnmatchedConversion;
  };
  /** Get a conversion with every report of it */
  getConversion: {
    params: {
      conversionId: string;
    };
    body: undefined;
    answer: ConversionWithReports;
  };
  /**
   * Get a job.
   *
   * Where the job stands, and, once it is completed, what it made. Ask again every second or so.
   */
  getJob: {
    params: {
      /** The job's id, as it was answered when the job was started */
      id: string;
    };
    body: undefined;
    answer: Job;
  };
  /**
   * List jobs.
   *
   * Newest first; a job is listed as long as it can be had, 7 days after its end.
   */
  listJobs: {
    params: {
      /** Jobs of this type alone */
      type?: string | undefined;
      /** 50 unless sent */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the page before, unchanged; empty is the first page */
      pageToken?: string | undefined;
    };
    body: undefined;
    answer: ListJobsResponse;
    item: Job;
  };
  /**
   * Cancel a job.
   *
   * The job is cancelled when this is answered, and its work stops. One that has finished before is 400 `job_finished`.
   */
  cancelJob: {
    params: {
      id: string;
    };
    body: Record<string, unknown> | null;
    answer: Job;
  };
  /**
   * Start an analytics export.
   *
   * Answers a job, which writes every row of a dataset that is there now to a file; see `GET /v1/jobs/get-by-id`.
   * The columns of each dataset, in the order of the file:
   *
   * - `sessions`, dated by `startedAt`: `sessionId`, `sessionHash`, `shortSessionHash`, `visitorId`, `leadId`, `startedAt`, `lastSeenAt`, `landingUrl`, `referrer`, `source`, `medium`, `campaign`, `term`, `content`, `utmId`, `device`, `browser`, `os`, `country`, `isBot`, `isInternal`, `gclid`, `gbraid`, `wbraid`, `fbclid`, `msclkid`, `ttclid`, `li_fat_id`, `epik`, `twclid`, `sclid`, `tblci`, `ob_click_id`, `rdt_cid`, `aleid`, `alart`
   * - `visits`, dated by `occurredAt`: `visitId`, `url`, `referrer`, `title`, `sessionId`, `sessionHash`, `visitorId`, `occurredAt`, `receivedAt`, `isBot`, `isInternal`, `source`, `medium`, `campaign`, `device`, `browser`, `os`, `country`
   * - `events`, dated by `occurredAt`: `eventId`, `clientEventId`, `event`, `properties`, `sessionId`, `sessionHash`, `leadId`, `occurredAt`, `receivedAt`, `isBot` (where `fields` names it), `isInternal` (where `fields` names it)
   * - `conversions`, dated by `createdOn`: `id`, `eventId`, `event`, `value`, `currency`, `createdOn`, `receivedAt`, `origin`, `identifier`, `sessionId`, `sessionHash`, `extra`, `source`, `campaign`, `landingUrl`, `gclid`, `gbraid`, `wbraid`, `fbclid`, `msclkid`, `ttclid`, `li_fat_id`, `epik`, `twclid`, `sclid`, `tblci`, `ob_click_id`, `rdt_cid`, `aleid`, `alart`
   * - `leads`, dated by `firstSeenAt`: `leadId`, `email`, `firstSessionId`, `firstSessionHash`, `latestSessionId`, `latestSessionHash`, `firstSeenAt`, `lastSeenAt`
   * - `unmatched`, dated by `receivedAt`: `id`, `eventId`, `event`, `value`, `currency`, `createdOn`, `receivedAt`, `identifier`, `extra`
   *
   * `csv`: RFC 4180 with a header, UTF-8; null is an empty cell, an empty text is `""`; a text that a spreadsheet would take for a formula
   * begins with an apostrophe. `ndjson`: an object a line. `parquet`: typed columns, Snappy. Times are UTC with milliseconds; `value` is decimal text.
   */
  startExport: {
    params: undefined;
    body: StartExportRequest;
    answer: Job;
  };
  /**
   * Export entries.
   *
   * Answers a job, which writes the entries of a listing to a file; see `GET /v1/jobs/get-by-id`, whose `result` is that of
   * an analytics export.
   *
   * `csv`: RFC 4180 with a header, UTF-8. Columns: `id`, the fields by their ids (of a group that is not repeated a column for each of its
   * fields, `seo.title`; of an asset its id, and in a second column `….url` its address), `createdAt`, `updatedAt`; the three are called
   * `_id` and so on where a field has that id. A repeated field is a JSON array. A text that a spreadsheet would take for a formula begins
   * with an apostrophe, which an import takes away again. Imported as it is, the file changes nothing. `ndjson`: an entry a line.
   */
  exportEntries: {
    params: {
      collectionId: string;
    };
    body: ExportEntriesRequest;
    answer: Job;
  };
  /**
   * List imports.
   *
   * Of a collection, the newest first.
   */
  listImports: {
    params: {
      /** 50 unless sent */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the page before, unchanged; empty is the first page */
      pageToken?: string | undefined;
      collectionId: string;
    };
    body: undefined;
    answer: ListImportsResponse;
    item: Import;
  };
  /**
   * Upload a file of entries.
   *
   * Takes a CSV whose first line names its columns: UTF-8, with or without a byte order mark, cells parted by comma, semicolon or
   * tab (told by the first line), lines ended by any line break. Answers what its columns are, and which fields they seem to be: nothing is
   * written yet. Refused with `file_missing`, `file_empty`, `file_too_large`, `encoding_unsupported` (UTF-16, and what is no UTF-8),
   * `csv_malformed`, `csv_empty`, `too_many_columns`, and what any upload is refused with.
   */
  uploadImport: {
    params: {
      collectionId: string;
    };
    body: UploadImportRequest;
    answer: Import;
  };
  /**
   * Get an import.
   *
   * Where it stands; while a step is under way its counts grow. Ask again every second or so.
   */
  getImport: {
    params: {
      collectionId: string;
      importId: string;
    };
    body: undefined;
    answer: Import;
  };
  /**
   * Rehearse an import.
   *
   * Starts a job that judges every row as the import will, by the rules of `POST …/entries` and `PATCH …/entries/{entryId}`, and writes
   * nothing; once `status` is `rehearsed`, `rehearsal` counts what would become of the rows.
   *
   * | Type | A cell |
   * |---|---|
   * | text, url | as it is |
   * | number | `1234.5`, `1,234.50`, `1.234,50`, `12,5`, `1 234`; `1,234` is `number_ambiguous` unless `decimal` is sent |
   * | boolean | true or false, yes or no, on or off, y or n, 1 or 0 |
   * | date | `2026-11-20`, `2026/11/20`, `20.11.2026`, `20 Nov 2026`, `Nov 20, 2026`, `20/11/2026`; `03/04/2026` is `date_ambiguous` unless `dateOrder` is sent |
   * | timestamp | RFC 3339; without an offset, a day as above and a time of day, it is `timestamp_ambiguous` unless `timeZone` is sent |
   * | select | an option's value, or its label |
   * | asset | an `assetId` |
   * | repeated | a JSON array, or values parted by the column's `separator` |
   *
   * An empty cell is no value. Without `idColumn` and `keyField` every row makes an entry; with one of them a row changes the entry of that id,
   * or of that value, and of two rows for one entry the second is refused (`row_repeated`).
   */
  rehearseImport: {
    params: {
      collectionId: string;
      importId: string;
    };
    body: ImportPlan;
    answer: Import;
  };
  /**
   * Start an import.
   *
   * Writes what was rehearsed; rows that are refused are left out. One that stopped goes on behind the last row it has written. Cancelled by `POST /v1/jobs/{id}/cancel` with the id of its `job`.
   */
  startImport: {
    params: {
      collectionId: string;
      importId: string;
    };
    body: Record<string, unknown> | null;
    answer: Import;
  };
  /**
   * Undo an import.
   *
   * Deletes what the import has created and puts back what it has changed, but for entries that somebody has changed or deleted since: they are counted as `kept`, and told of in the results.
   */
  undoImport: {
    params: {
      collectionId: string;
      importId: string;
    };
    body: Record<string, unknown> | null;
    answer: Import;
  };
  /**
   * Get the numbers of a period.
   *
   * Visits, visitors, sessions, leads, conversions and revenue, exactly, with their change against the period before and their line.
   */
  getOverview: {
    params: {
      /** A day of `timeZone`, such as 2026-11-20, or an RFC 3339 time on a quarter of an hour. It is in */
      from: string;
      /** As `from`. It is out */
      to: string;
      /** A name of the IANA time zone database */
      timeZone?: string | undefined;
      /** What is counted besides: `bots`, `internal` (traffic of excluded addresses), or both, parted by a comma */
      include?: string | undefined;
      /** Only what belongs to sessions with this `source`; given several times: with one of these. Empty: with none */
      'filter[source]'?: string | string[] | undefined;
      /** Only what belongs to sessions with this `medium`; given several times: with one of these. Empty: with none */
      'filter[medium]'?: string | string[] | undefined;
      /** Only what belongs to sessions with this `campaign`; given several times: with one of these. Empty: with none */
      'filter[campaign]'?: string | string[] | undefined;
      /** Only what belongs to sessions with this `landingPage`; given several times: with one of these. Empty: with none */
      'filter[landingPage]'?: string | string[] | undefined;
      /** Only what belongs to sessions with this `country`; given several times: with one of these. Empty: with none */
      'filter[country]'?: string | string[] | undefined;
      /** Only what belongs to sessions with this `device`; given several times: with one of these. Empty: with none */
      'filter[device]'?: string | string[] | undefined;
      /** Only what belongs to sessions with this `platform`; given several times: with one of these. Empty: with none */
      'filter[platform]'?: string | string[] | undefined;
      /** Only what belongs to sessions with this `page`; given several times: with one of these. Empty: with none */
      'filter[page]'?: string | string[] | undefined;
      /** Only what belongs to sessions with this `event`; given several times: with one of these. Empty: with none */
      'filter[event]'?: string | string[] | undefined;
      /** Only what belongs to sessions with this `funnel`; given several times: with one of these. Empty: with none */
      'filter[funnel]'?: string | string[] | undefined;
      /** Of the line: weeks begin on Monday */
      interval?: 'hour' | 'day' | 'week' | 'month' | undefined;
      /** With the period of the same length before, or the same one a year before */
      compare?: 'previous' | 'year' | 'none' | undefined;
    };
    body: undefined;
    answer: Overview;
  };
  /**
   * Get the numbers of a period by source, campaign, page, ….
   *
   * A session counts for each value it has: of `platform`, `page`, `event` and `funnel` that may be several. By `page`, visits are those of the page itself.
   */
  getBreakdown: {
    params: {
      /** A day of `timeZone`, such as 2026-11-20, or an RFC 3339 time on a quarter of an hour. It is in */
      from: string;
      /** As `from`. It is out */
      to: string;
      /** A name of the IANA time zone database */
      timeZone?: string | undefined;
      /** What is counted besides: `bots`, `internal` (traffic of excluded addresses), or both, parted by a comma */
      include?: string | undefined;
      /** Only what belongs to sessions with this `source`; given several times: with one of these. Empty: with none */
      'filter[source]'?: string | string[] | undefined;
      /** Only what belongs to sessions with this `medium`; given several times: with one of these. Empty: with none */
      'filter[medium]'?: string | string[] | undefined;
      /** Only what belongs to sessions with this `campaign`; given several times: with one of these. Empty: with none */
      'filter[campaign]'?: string | string[] | undefined;
      /** Only what belongs to sessions with this `landingPage`; given several times: with one of these. Empty: with none */
      'filter[landingPage]'?: string | string[] | undefined;
      /** Only what belongs to sessions with this `country`; given several times: with one of these. Empty: with none */
      'filter[country]'?: string | string[] | undefined;
      /** Only what belongs to sessions with this `device`; given several times: with one of these. Empty: with none */
      'filter[device]'?: string | string[] | undefined;
      /** Only what belongs to sessions with this `platform`; given several times: with one of these. Empty: with none */
      'filter[platform]'?: string | string[] | undefined;
      /** Only what belongs to sessions with this `page`; given several times: with one of these. Empty: with none */
      'filter[page]'?: string | string[] | undefined;
      /** Only what belongs to sessions with this `event`; given several times: with one of these. Empty: with none */
      'filter[event]'?: string | string[] | undefined;
      /** Only what belongs to sessions with this `funnel`; given several times: with one of these. Empty: with none */
      'filter[funnel]'?: string | string[] | undefined;
      /** Dimensions, parted by commas: `source`, `medium`, `campaign`, `landingPage`, `country`, `device`, `platform`, `page`, `event`, `funnel` */
      by: string;
      /** Values of each dimension */
      limit?: number | undefined;
      /** The most come first */
      order?: 'visits' | 'visitors' | 'sessions' | 'leads' | 'conversions' | 'revenue' | 'events' | undefined;
      compare?: 'previous' | 'year' | 'none' | undefined;
    };
    body: undefined;
    answer: Breakdown;
  };
  /**
   * Count how far sessions or visitors come in a funnel.
   *
   * The first step lies in the period, the others after the one before and within the window. Nothing is recorded by it.
   */
  getFunnel: {
    params: undefined;
    body: GetFunnelRequest;
    answer: Funnel;
  };
  /**
   * Get the whole path of a session or a lead.
   *
   * From the ad click to every restatement, oldest first. A conversion stands where it happened, each later report of it where it arrived.
   */
  getTimeline: {
    params: {
      /** 50 unless sent */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the page before, unchanged; empty is the first page */
      pageToken?: string | undefined;
      /** Of a session; either this or `leadId` */
      sessionId?: number | undefined;
      /** Of a lead: of all its sessions */
      leadId?: string | undefined;
    };
    body: undefined;
    answer: Timeline;
    item: TimelineItem;
  };
  /**
   * Get who is there and what was done last.
   *
   * Cheap: ask again every few seconds, and tell what is new by its id.
   */
  getLive: {
    params: undefined;
    body: undefined;
    answer: Live;
  };
  /**
   * Share conversions out among what led to them.
   *
   * By first, last, linear, position (40 % the first, 40 % the last, 20 % those between) and time decay (half of it for every seven days before), among the sessions of the conversion’s visitor and lead.
   */
  getAttribution: {
    params: {
      /** A day of `timeZone`, such as 2026-11-20, or an RFC 3339 time on a quarter of an hour. It is in */
      from: string;
      /** As `from`. It is out */
      to: string;
      /** A name of the IANA time zone database */
      timeZone?: string | undefined;
      by?: 'source' | 'medium' | 'campaign' | 'landingPage' | 'country' | 'device' | 'platform' | undefined;
      /** How long before a conversion a session counts */
      windowDays?: number | undefined;
      include?: string | undefined;
    };
    body: undefined;
    answer: Attribution;
  };
  /** Count reports that found no session, by identifier and reason */
  getUnmatchedReport: {
    params: {
      /** A day of `timeZone`, such as 2026-11-20, or an RFC 3339 time on a quarter of an hour. It is in */
      from: string;
      /** As `from`. It is out */
      to: string;
      /** A name of the IANA time zone database */
      timeZone?: string | undefined;
    };
    body: undefined;
    answer: UnmatchedReport;
  };
  /**
   * Create a webhook.
   *
   * What happens from now on is pushed to the URL, signed as Standard Webhooks say. The secret is answered this once.
   */
  createWebhook: {
    params: undefined;
    body: CreateWebhookRequest;
    answer: WebhookWithSecret;
  };
  /**
   * List webhooks.
   *
   * Oldest first.
   */
  listWebhooks: {
    params: {
      /** 50 unless sent */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the page before, unchanged; empty is the first page */
      pageToken?: string | undefined;
    };
    body: undefined;
    answer: ListWebhooksResponse;
    item: Webhook;
  };
  /** Get a webhook */
  getWebhook: {
    params: {
      id: string;
    };
    body: undefined;
    answer: Webhook;
  };
  /**
   * Update a webhook.
   *
   * Changes what is sent. A disabled one takes nothing: what was pending ends as failed and may be replayed, what happens meanwhile is not pushed to it.
   */
  updateWebhook: {
    params: {
      id: string;
    };
    body: UpdateWebhookRequest;
    answer: Webhook;
  };
  /**
   * Delete a webhook.
   *
   * Nothing more is sent to it, and its deliveries are shown no more.
   */
  deleteWebhook: {
    params: {
      id: string;
    };
    body: undefined;
    answer: Webhook;
  };
  /**
   * Rotate a webhook's secret.
   *
   * Answers a new secret, once. For 24 h the one before it signs as well.
   */
  rotateWebhookSecret: {
    params: {
      id: string;
    };
    body: Record<string, unknown> | null;
    answer: WebhookWithSecret;
  };
  /**
   * Test a webhook.
   *
   * Pushes a `webhook.test` to it, whatever it subscribes to.
   */
  testWebhook: {
    params: {
      id: string;
    };
    body: Record<string, unknown> | null;
    answer: WebhookDelivery;
  };
  /**
   * Replay deliveries.
   *
   * Answers a job that sends one delivery again (`deliveryId`), or all of a time that ended in a status, under the ids they have. 30 days are kept.
   */
  replayWebhook: {
    params: {
      id: string;
    };
    body: ReplayWebhookRequest;
    answer: Job;
  };
  /**
   * List deliveries.
   *
   * Those of the last 30 days, newest first.
   */
  listWebhookDeliveries: {
    params: {
      /** 50 unless sent */
      pageSize?: number | undefined;
      /** The `nextPageToken` of the page before, unchanged; empty is the first page */
      pageToken?: string | undefined;
      status?: 'pending' | 'delivered' | 'failed' | undefined;
      type?: 'event.recorded' | 'lead.created' | 'lead.updated' | 'conversion.reported' | 'conversion.restated' | 'conversion.matched' | 'entry.created' | 'entry.updated' | 'entry.deleted' | 'job.completed' | 'job.failed' | 'webhook.test' | undefined;
      id: string;
    };
    body: undefined;
    answer: ListWebhookDeliveriesResponse;
    item: WebhookDelivery;
  };
  /**
   * Get a delivery.
   *
   * With its payload.
   */
  getWebhookDelivery: {
    params: {
      id: string;
      deliveryId: string;
    };
    body: undefined;
    answer: WebhookDeliveryWithPayload;
  };
  /**
   * Upload an image or a video.
   *
   * Takes JPEG, PNG, GIF, WebP, AVIF, SVG, MP4, MOV and WebM, told by their bytes; see `GET /v1/limits` for how large. The first file part named `file` is stored, the rest is not read. With an `Idempotency-Key` the same file under the same name is stored once. Refused with `file_missing`, `file_empty`, `file_type_unsupported`, `svg_refused`, `file_too_large`, `too_many_pixels`, `file_corrupt`, `multipart_malformed`, `too_many_parts`, `body_too_large`, `content_type_unsupported` or `request_timeout`.
   */
  uploadFile: {
    params: undefined;
    body: UploadFileRequest;
    answer: AssetValue;
  };
  /**
   * Give a file other bytes.
   *
   * Takes what an upload takes. Entries go on naming the file, which answers a new address: every address stands for its bytes for ever. The address it had leads there by a redirect. Name, alternative text and focal point stay. An image stays an image and a video a video, else `file_kind_changed`. Refused also with `file_missing`, `file_empty`, `file_type_unsupported`, `svg_refused`, `file_too_large`, `too_many_pixels`, `file_corrupt`, `multipart_malformed`, `too_many_parts`, `body_too_large`, `content_type_unsupported` or `request_timeout`.
   */
  replaceFile: {
    params: {
      assetId: string;
    };
    body: ReplaceFileRequest;
    answer: File;
  };
  /**
   * Record a page visit.
   *
   * Without `sessionHash` the service decides which session the visit belongs to, by `visitorId`: a session ends after 30 minutes idle or 24 hours, and a new click id or campaign begins one. Also takes `text/plain` with JSON in it.
   */
  recordVisit: {
    params: undefined;
    body: RecordVisitRequest;
    answer: RecordVisitResponse;
  };
  /**
   * Record a custom event.
   *
   * An event with `properties.email` makes or updates a lead; one with a numeric `properties.value` counts as a conversion of origin `event`. Also takes `text/plain` with JSON in it.
   */
  recordEvent: {
    params: undefined;
    body: RecordEventRequest;
    answer: RecordEventResponse;
  };
  /**
   * Record visits and events together.
   *
   * What the page script sends. Each item is answered by itself: one that is refused has `success: false` and says why, the others are recorded. Visits are recorded before events. `visitId` and `properties.event_id` make a retry harmless. Also takes `text/plain` with JSON in it.
   */
  recordBatch: {
    params: undefined;
    body: RecordBatchRequest;
    answer: RecordBatchResponse;
  };
}

/** How each operation is called. */
export const OPERATIONS = {
  getLimits: {"method":"GET","path":"/v1/limits"},
  getSession: {"method":"GET","path":"/auth/session"},
  inspectFirstRun: {"method":"POST","path":"/auth/first-run/inspect","body":"json"},
  completeFirstRun: {"method":"POST","path":"/auth/first-run","body":"json"},
  signIn: {"method":"POST","path":"/auth/sign-in","body":"json"},
  signOut: {"method":"POST","path":"/auth/sign-out"},
  changeUser: {"method":"PATCH","path":"/auth/user","body":"json"},
  changePassword: {"method":"POST","path":"/auth/password","body":"json"},
  listSessions: {"method":"GET","path":"/auth/sessions"},
  endSession: {"method":"DELETE","path":"/auth/sessions/{sessionId}","params":true},
  endOtherSessions: {"method":"POST","path":"/auth/sessions/end-others"},
  createAccount: {"method":"POST","path":"/auth/accounts","body":"json"},
  inspectInvitation: {"method":"POST","path":"/auth/invitations/inspect","body":"json"},
  acceptInvitation: {"method":"POST","path":"/auth/invitations/accept","body":"json"},
  resetPassword: {"method":"POST","path":"/auth/reset-password","body":"json"},
  getAccount: {"method":"GET","path":"/v1/account"},
  changeAccount: {"method":"PATCH","path":"/v1/account","body":"json"},
  leaveAccount: {"method":"POST","path":"/v1/account/leave"},
  listMembers: {"method":"GET","path":"/v1/members","params":true,"pages":"members"},
  changeMember: {"method":"PATCH","path":"/v1/members/{userId}","params":true,"body":"json"},
  removeMember: {"method":"DELETE","path":"/v1/members/{userId}","params":true},
  makeResetLink: {"method":"POST","path":"/v1/members/{userId}/reset-link","params":true},
  listInvitations: {"method":"GET","path":"/v1/invitations","params":true,"pages":"invitations"},
  createInvitation: {"method":"POST","path":"/v1/invitations","body":"json","idempotencyKey":true},
  revokeInvitation: {"method":"DELETE","path":"/v1/invitations/{invitationId}","params":true},
  listChanges: {"method":"GET","path":"/v1/audit","params":true,"pages":"changes"},
  listKeys: {"method":"GET","path":"/v1/keys","params":true,"pages":"keys"},
  createKey: {"method":"POST","path":"/v1/keys","body":"json","idempotencyKey":true},
  renameKey: {"method":"PATCH","path":"/v1/keys/{keyId}","params":true,"body":"json"},
  revokeKey: {"method":"DELETE","path":"/v1/keys/{keyId}","params":true},
  listCollections: {"method":"GET","path":"/v1/cms/collections","params":true,"pages":"collections"},
  createCollection: {"method":"POST","path":"/v1/cms/collections","body":"json","idempotencyKey":true},
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
  listFiles: {"method":"GET","path":"/v1/files","params":true,"pages":"files"},
  getFile: {"method":"GET","path":"/v1/files/{assetId}","params":true},
  updateFile: {"method":"PATCH","path":"/v1/files/{assetId}","params":true,"body":"json"},
  deleteFile: {"method":"DELETE","path":"/v1/files/{assetId}","params":true},
  clearUnusedFiles: {"method":"POST","path":"/v1/files/clear-unused","body":"json"},
  eraseLead: {"method":"POST","path":"/v1/leads/erase","body":"json","idempotencyKey":true},
  listTrackedSessions: {"method":"GET","path":"/v1/sessions","params":true,"pages":"sessions"},
  getTrackedSession: {"method":"GET","path":"/v1/sessions/{sessionId}","params":true},
  listLeads: {"method":"GET","path":"/v1/leads","params":true,"pages":"leads"},
  getLead: {"method":"GET","path":"/v1/leads/{leadId}","params":true},
  getTrackingSettings: {"method":"GET","path":"/v1/tracking/settings"},
  changeTrackingSettings: {"method":"PATCH","path":"/v1/tracking/settings","body":"json"},
  reportConversion: {"method":"POST","path":"/v1/analytics/report-conversion","body":"json","idempotencyKey":true},
  reportConversionByQuery: {"method":"GET","path":"/v1/analytics/report-conversion","params":true,"acts":true},
  rehearseConversion: {"method":"POST","path":"/v1/analytics/report-conversion/rehearse","body":"json"},
  listConversions: {"method":"GET","path":"/v1/conversions","params":true,"pages":"conversions"},
  listUnmatchedConversions: {"method":"GET","path":"/v1/conversions/unmatched","params":true,"pages":"conversions"},
  getConversion: {"method":"GET","path":"/v1/conversions/{conversionId}","params":true},
  getJob: {"method":"GET","path":"/v1/jobs/get-by-id","params":true},
  listJobs: {"method":"GET","path":"/v1/jobs","params":true,"pages":"jobs"},
  cancelJob: {"method":"POST","path":"/v1/jobs/{id}/cancel","params":true,"body":"json"},
  startExport: {"method":"POST","path":"/v1/analytics/export","body":"json","idempotencyKey":true},
  exportEntries: {"method":"POST","path":"/v1/cms/collections/{collectionId}/export","params":true,"body":"json","idempotencyKey":true},
  listImports: {"method":"GET","path":"/v1/cms/collections/{collectionId}/imports","params":true,"pages":"imports"},
  uploadImport: {"method":"POST","path":"/v1/cms/collections/{collectionId}/imports","params":true,"body":"form"},
  getImport: {"method":"GET","path":"/v1/cms/collections/{collectionId}/imports/{importId}","params":true},
  rehearseImport: {"method":"POST","path":"/v1/cms/collections/{collectionId}/imports/{importId}/rehearse","params":true,"body":"json"},
  startImport: {"method":"POST","path":"/v1/cms/collections/{collectionId}/imports/{importId}/start","params":true,"body":"json"},
  undoImport: {"method":"POST","path":"/v1/cms/collections/{collectionId}/imports/{importId}/undo","params":true,"body":"json"},
  getOverview: {"method":"GET","path":"/v1/analytics/overview","params":true},
  getBreakdown: {"method":"GET","path":"/v1/analytics/breakdown","params":true},
  getFunnel: {"method":"POST","path":"/v1/analytics/funnel","body":"json"},
  getTimeline: {"method":"GET","path":"/v1/analytics/timeline","params":true,"pages":"items"},
  getLive: {"method":"GET","path":"/v1/analytics/live"},
  getAttribution: {"method":"GET","path":"/v1/analytics/attribution","params":true},
  getUnmatchedReport: {"method":"GET","path":"/v1/analytics/unmatched","params":true},
  createWebhook: {"method":"POST","path":"/v1/webhooks","body":"json"},
  listWebhooks: {"method":"GET","path":"/v1/webhooks","params":true,"pages":"webhooks"},
  getWebhook: {"method":"GET","path":"/v1/webhooks/{id}","params":true},
  updateWebhook: {"method":"PATCH","path":"/v1/webhooks/{id}","params":true,"body":"json"},
  deleteWebhook: {"method":"DELETE","path":"/v1/webhooks/{id}","params":true},
  rotateWebhookSecret: {"method":"POST","path":"/v1/webhooks/{id}/rotate-secret","params":true,"body":"json"},
  testWebhook: {"method":"POST","path":"/v1/webhooks/{id}/test","params":true,"body":"json"},
  replayWebhook: {"method":"POST","path":"/v1/webhooks/{id}/replay","params":true,"body":"json"},
  listWebhookDeliveries: {"method":"GET","path":"/v1/webhooks/{id}/deliveries","params":true,"pages":"deliveries"},
  getWebhookDelivery: {"method":"GET","path":"/v1/webhooks/{id}/deliveries/{deliveryId}","params":true},
  uploadFile: {"method":"POST","path":"/v1/files/upload","body":"form","idempotencyKey":true},
  replaceFile: {"method":"POST","path":"/v1/files/{assetId}/replace","params":true,"body":"form","idempotencyKey":true},
  recordVisit: {"method":"POST","path":"/v1/visits","body":"json","idempotencyKey":true,"open":true},
  recordEvent: {"method":"POST","path":"/v1/events","body":"json","idempotencyKey":true,"open":true},
  recordBatch: {"method":"POST","path":"/v1/batch","body":"json","idempotencyKey":true,"open":true},
} as const;
