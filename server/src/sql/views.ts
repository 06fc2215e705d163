import type { Feature } from '../accounts/index.ts';

/** A column of a view: its type in PostgreSQL, its expression over the tables of the view, and what it is. */
type Column = readonly [name: string, type: string, sql: string, about: string];

export interface SqlView {
  about: string;
  /** What a role of the account needs to read it, beside SQL itself: all entries, or a feature. */
  needs: 'everything' | Exclude<Feature, 'members'>;
  /** The tables. The rows of the account of `t` are selected. */
  from: string;
  where?: string;
  columns: readonly Column[];
}

const SESSION = 'left join sessions s on s.account_id = t.account_id and s.number = t.session_number';
const COLLECTION = 'join collections c on c.account_id = t.account_id and c.id = t.collection_id';

const ORIGIN = (of: string): Column[] => [
  ['source', 'text', `${of}.source`, 'Source of the session (`utm_source`, or what the referrer says)'],
  ['medium', 'text', `${of}.medium`, 'Medium of the session'],
  ['campaign', 'text', `${of}.campaign`, 'Campaign of the session'],
  [
    'channel',
    'text',
    `channel_of(${of}.source, ${of}.medium, ${of}.campaign)`,
    'Default channel group of the session; the custom channel rules of reports do not apply',
  ],
];
const sessionHash = (of: string): Column => [
  'session_hash',
  'text',
  `${of}.hash`,
  '`sessionHash` of the session: joins the views',
];
const isBot: Column = ['is_bot', 'boolean', 't.is_bot', 'Whether a bot made it'];
const isInternal: Column = ['is_internal', 'boolean', 't.is_internal', 'Whether it came from an excluded address'];
const occurredAt: Column = ['occurred_at', 'timestamptz', 't.occurred_at', 'When it happened'];
const receivedAt: Column = ['received_at', 'timestamptz', 't.received_at', 'When it arrived'];
const createdAt: Column = ['created_at', 'timestamptz', 't.created_at', 'When it was created'];
const updatedAt: Column = ['updated_at', 'timestamptz', 't.updated_at', 'When it was last changed'];

const CONVERSION: Column[] = [
  ['event_id', 'text', 't.event_id', '`eventId` of the report, such as the number of an order'],
  ['event', 'text', 't.event', 'Kind of conversion'],
  ['value', 'numeric', 't.value', 'Value'],
  ['currency', 'text', 't.currency', 'Currency of the value'],
  ['created_on', 'timestamptz', 't.created_on', 'When the conversion happened'],
  receivedAt,
  ['identifier', 'jsonb', 't.identifier', 'What the report named to find the session'],
  ['extra', 'jsonb', 't.extra', 'Further members of the report'],
];

/**
 * The views that statements read, of one account each. What is not named here cannot be read: secrets, internal keys, and numbers of sessions,
 * which count over all accounts. docs/sql.md is generated from this table.
 */
export const VIEWS = {
  sessions: {
    about: 'Sessions of visitors',
    needs: 'analytics',
    from: 'from sessions t',
    columns: [
      sessionHash('t'),
      ['visitor_id', 'text', 't.visitor_id', 'The visitor'],
      ['lead_id', 'uuid', 't.lead_id', 'The lead that the visitor became'],
      ['started_at', 'timestamptz', 't.started_at', 'Start'],
      ['last_seen_at', 'timestamptz', 't.last_seen_at', 'Last visit or event'],
      ['landing_url', 'text', 't.landing_url', 'First page'],
      ['referrer', 'text', 't.referrer', 'The page that led here'],
      ...ORIGIN('t'),
      ['term', 'text', 't.term', '`utm_term`'],
      ['content', 'text', 't.content', '`utm_content`'],
      ['utm_id', 'text', 't.utm_id', '`utm_id`'],
      ['click_ids', 'jsonb', 't.click_ids', 'Click IDs of ad platforms by name, such as `gclid`'],
      ['device', 'text', 't.device', '`desktop`, `mobile` or `tablet`'],
      ['browser', 'text', 't.browser', 'Browser'],
      ['os', 'text', 't.os', 'Operating system'],
      ['country', 'text', 't.country', 'Country, as two letters'],
      ['region', 'text', 't.region', 'Region'],
      isBot,
      isInternal,
    ],
  },
  visits: {
    about: 'Page views',
    needs: 'analytics',
    from: `from visits t ${SESSION}`,
    columns: [
      ['visit_id', 'uuid', 't.id', 'ID: `vis_…`'],
      sessionHash('s'),
      ['visitor_id', 'text', 't.visitor_id', 'The visitor'],
      ['url', 'text', 't.url', 'Page'],
      ['title', 'text', 't.title', 'Title of the page'],
      ['referrer', 'text', 't.referrer', 'The page before'],
      occurredAt,
      receivedAt,
      isBot,
      isInternal,
      ...ORIGIN('s'),
      ['device', 'text', 's.device', 'Device of the session'],
      ['country', 'text', 's.country', 'Country of the session'],
    ],
  },
  events: {
    about: 'Events of pages and servers',
    needs: 'analytics',
    from: `from events t ${SESSION}`,
    columns: [
      ['event_id', 'uuid', 't.id', 'ID: `evt_…`'],
      ['client_event_id', 'text', 't.client_event_id', 'ID that the sender chose'],
      ['event', 'text', 't.event', 'Name'],
      ['properties', 'jsonb', 't.properties', 'Properties'],
      sessionHash('s'),
      ['lead_id', 'uuid', 't.lead_id', 'The lead'],
      occurredAt,
      receivedAt,
      isBot,
      isInternal,
      ...ORIGIN('s'),
    ],
  },
  leads: {
    about: 'Persons who left an email',
    needs: 'analytics',
    from: 'from leads t',
    columns: [
      ['lead_id', 'uuid', 't.id', 'ID: `led_…`'],
      ['email', 'text', 't.email', 'Email'],
      ['name', 'text', 't.name', 'Name'],
      ['notes', 'text', 't.notes', 'Notes'],
      ['first_seen_at', 'timestamptz', 't.first_seen_at', 'First event or visit'],
      ['last_seen_at', 'timestamptz', 't.last_seen_at', 'Last event or visit'],
    ],
  },
  conversions: {
    about: 'Attributed conversions, as they are now',
    needs: 'conversions',
    from: `from reported_conversions t ${SESSION}`,
    columns: [
      ['conversion_id', 'uuid', 't.id', 'ID: `cnv_…`'],
      ...CONVERSION,
      ['origin', 'text', 't.origin', '`report`, or `event` with a value'],
      ['version', 'integer', 't.version', 'Counts the reports'],
      updatedAt,
      sessionHash('s'),
      ['lead_id', 'uuid', 's.lead_id', 'The lead of the session'],
      ['clicked_at', 'timestamptz', 's.started_at', 'Start of the session'],
      ['landing_url', 'text', 's.landing_url', 'First page of the session'],
      ...ORIGIN('s'),
    ],
  },
  conversion_revisions: {
    about: 'Every report of a conversion',
    needs: 'conversions',
    from: 'from conversion_revisions t',
    columns: [
      ['conversion_id', 'uuid', 't.conversion_id', 'The conversion'],
      ['version', 'integer', 't.version', 'Of the conversion after this report'],
      ['event', 'text', 't.event', 'Kind of conversion, as sent'],
      ['value', 'numeric', 't.value', 'Value, as sent'],
      ['currency', 'text', 't.currency', 'Currency, as sent'],
      ['created_on', 'timestamptz', 't.created_on', 'When the conversion happened, as sent'],
      ['known_at', 'timestamptz', 'coalesce(t.known_at, t.received_at)', 'From when on it was known'],
      receivedAt,
      ['origin', 'text', 't.origin', '`report`, or `event` with a value'],
      ['is_withdrawn', 'boolean', 't.withdrawn_version is not null', 'Whether its import was undone'],
    ],
  },
  increments: {
    about: 'What each report added to or took from the revenue, some seconds after it arrived',
    needs: 'conversions',
    from: `from analytics_increments t ${SESSION}`,
    columns: [
      ['conversion_id', 'uuid', 't.conversion_id', 'The conversion'],
      ['number', 'integer', 't.number', 'Counts the increments of a conversion'],
      ['known_at', 'timestamptz', 't.known_at', 'From when on it was known'],
      ['sale_at', 'timestamptz', 't.sale_at', 'When the conversion happened'],
      ['clicked_at', 'timestamptz', 't.clicked_at', 'Start of the session'],
      ['value', 'numeric', 't.value', 'Revenue added; negative: taken away'],
      ['currency', 'text', 't.currency', 'Currency of the value'],
      ['conversions', 'smallint', 't.conversions', 'Conversions added; -1: one less'],
      ['is_refund', 'boolean', 't.is_refund', 'Whether it is a refund'],
      sessionHash('s'),
      ['source', 'text', 't.source', 'Source of the session'],
      ['medium', 'text', 't.medium', 'Medium of the session'],
      ['campaign', 'text', 't.campaign', 'Campaign of the session'],
      ['landing_page', 'text', 't.landing_page', 'Path of the first page'],
      isBot,
      isInternal,
    ],
  },
  unmatched_conversions: {
    about: 'Reports for which no session was found yet',
    needs: 'conversions',
    from: 'from unmatched_conversions t',
    columns: [['conversion_id', 'uuid', 't.id', 'ID: `cnv_…`'], ...CONVERSION],
  },
  ad_costs: {
    about: 'Costs of ads by day',
    needs: 'analytics',
    from: 'from ad_costs t',
    columns: [
      ['day', 'date', 't.day', 'Day of the costs'],
      ['source', 'text', 't.source', 'Source'],
      ['campaign', 'text', 't.campaign', 'Campaign'],
      ['ad_group', 'text', 't.ad_group', 'Ad group; empty: of the whole campaign'],
      ['ad', 'text', 't.ad', 'Ad; empty: of the whole ad group'],
      ['campaign_id', 'text', 't.campaign_id', 'ID of the campaign at the platform; empty: unknown'],
      ['ad_group_id', 'text', 't.ad_group_id', 'ID of the ad group at the platform; empty: unknown'],
      ['ad_id', 'text', 't.ad_id', 'ID of the ad at the platform; empty: unknown'],
      ['currency', 'text', 't.currency', 'Currency of the cost'],
      ['cost', 'numeric', 't.cost', 'Cost'],
      ['clicks', 'bigint', 't.clicks', 'Clicks'],
      ['impressions', 'bigint', 't.impressions', 'Impressions'],
      updatedAt,
    ],
  },
  destinations: {
    about: 'Ad platforms that receive conversions',
    needs: 'destinations',
    from: 'from destinations t',
    columns: [
      ['destination_id', 'uuid', 't.id', 'ID: `dst_…`'],
      ['platform', 'text', 't.platform', 'Platform'],
      ['name', 'text', 't.name', 'Name'],
      ['mode', 'text', 't.mode', '`live`, `validate` or `off`'],
      ['paused_at', 'timestamptz', 't.paused_at', 'Since when nothing is sent'],
      ['last_sent_at', 'timestamptz', 't.last_sent_at', 'When something was last sent'],
      createdAt,
    ],
  },
  destination_deliveries: {
    about: 'What became of each conversion at each destination',
    needs: 'destinations',
    from: 'from destination_deliveries t',
    columns: [
      ['destination_id', 'uuid', 't.destination_id', 'The destination'],
      ['conversion_id', 'uuid', 't.conversion_id', 'The conversion'],
      ['status', 'text', 't.status', 'What became of it, such as `sent` or `rejected`'],
      ['reason', 'text', 't.reason', 'Why it was not sent, or refused'],
      ['version', 'integer', 't.version', 'Version of the conversion that was sent'],
      createdAt,
      updatedAt,
    ],
  },
  collections: {
    about: 'Collections of content',
    needs: 'everything',
    from: 'from collections t',
    where: "t.status = 'active'",
    columns: [
      ['collection_id', 'uuid', 't.id', 'ID: `col_…`'],
      ['key', 'text', 't.key', 'Key'],
      ['name', 'text', 't.name', 'Name'],
      ['is_public', 'boolean', 't.public', 'Whether everyone can read what is published'],
      createdAt,
      updatedAt,
    ],
  },
  entries: {
    about: 'Entries of all collections, as editors see them',
    needs: 'everything',
    from: `from entries t ${COLLECTION}`,
    where: "t.status = 'active' and c.status = 'active'",
    columns: [
      ['entry_id', 'uuid', 't.id', 'ID: `ent_…`'],
      ['collection_id', 'uuid', 't.collection_id', 'The collection'],
      ['collection_key', 'text', 'c.key', 'Key of the collection'],
      ['values', 'jsonb', 't."values"::jsonb', 'Values by the IDs of fields'],
      ['version', 'integer', 't.version', 'Version'],
      ['published_at', 'timestamptz', 't.published_at', 'When it was last published'],
      createdAt,
      updatedAt,
    ],
  },
  published_entries: {
    about: 'What is published of entries of collections with publishing',
    needs: 'everything',
    from: `from published_entries t ${COLLECTION}`,
    where: "c.status = 'active'",
    columns: [
      ['entry_id', 'uuid', 't.id', 'ID: `ent_…`'],
      ['collection_id', 'uuid', 't.collection_id', 'The collection'],
      ['collection_key', 'text', 'c.key', 'Key of the collection'],
      ['values', 'jsonb', 't."values"::jsonb', 'Values by the IDs of fields'],
      ['version', 'integer', 't.version', 'Version that is published'],
      createdAt,
      updatedAt,
    ],
  },
  files: {
    about: 'Files of the library',
    needs: 'files',
    from: 'from assets t',
    where: 't.deleted_at is null',
    columns: [
      ['file_id', 'uuid', 't.id', 'ID: `ast_…`'],
      ['type', 'text', 't.type', '`image`, `video` or `file`'],
      ['media_type', 'text', 't.media_type', 'Media type'],
      ['name', 'text', 't.name', 'Name'],
      ['bytes', 'bigint', 't.bytes', 'Size'],
      ['width', 'integer', 't.width', 'Width in pixels'],
      ['height', 'integer', 't.height', 'Height in pixels'],
      ['duration_seconds', 'double precision', 't.duration_seconds', 'Length of a video'],
      ['alt', 'text', 't.alt', 'Alternative text'],
      ['tags', 'jsonb', 't.tags', 'Tags'],
      createdAt,
    ],
  },
  experiments: {
    about: 'Experiments; exposures are `events` with the name `experiment_exposure`',
    needs: 'analytics',
    from: 'from experiments t',
    columns: [
      ['experiment_id', 'uuid', 't.id', 'ID: `exp_…`'],
      ['key', 'text', 't.key', 'Key'],
      ['status', 'text', 't.status', '`draft`, `running`, `stopped` or `shipped`'],
      ['definition', 'jsonb', 't.definition', 'Variants, metric and further settings'],
      ['shipped_variant', 'text', 't.shipped_variant', 'The variant that was shipped'],
      createdAt,
      ['started_at', 'timestamptz', 't.started_at', 'Start'],
      ['stopped_at', 'timestamptz', 't.stopped_at', 'End'],
    ],
  },
} as const satisfies Record<string, SqlView>;

export type ViewName = keyof typeof VIEWS;
export const VIEW_NAMES = Object.keys(VIEWS) as ViewName[];
export const isView = (name: string): name is ViewName => Object.hasOwn(VIEWS, name);
