import type { IdKind } from '../shared/ids.ts';
import { CLICK_ID_NAMES } from '../tracking/index.ts';

/** How a column's value comes from the database, in COPY's binary format, and so how each file format writes it. */
export type ColumnKind =
  /** uuid, shown as a public id of this prefix */
  | { kind: 'id'; prefix: IdKind }
  /** text; a formula in it is defused in CSV */
  | { kind: 'text' }
  /** text of a numeric: plain digits, exact, never a formula */
  | { kind: 'decimal' }
  /** jsonb */
  | { kind: 'json' }
  /** timestamptz in whole milliseconds */
  | { kind: 'time' }
  /** bigint */
  | { kind: 'integer' }
  | { kind: 'boolean' };

export type Column = ColumnKind & {
  name: string;
  sql: string;
  /** Only where `fields` names it: the columns of a dataset stay as they were promised. */
  onRequest?: true;
};

/** Where a dataset's rows are. The table is `t` in all that follows it. */
export interface Source {
  table: string;
  /** Unique in the account, in about the order of arrival, and no row ever changes its own. */
  key: string;
  /** What comes before every key. */
  beforeAll: string;
  /** What `from` and `to` are held against. */
  time: string;
  /** Sessions whose columns stand beside a row's own: under which name, and which column has their number. */
  sessions: { as: string; number: string }[];
}

export interface Dataset {
  source: Source;
  columns: Column[];
}

const column = (shape: ColumnKind) => (name: string, sql: string) => ({ ...shape, name, sql });
const id = (name: string, sql: string, prefix: IdKind) => column({ kind: 'id', prefix })(name, sql);
const text = column({ kind: 'text' });
const json = column({ kind: 'json' });
const time = column({ kind: 'time' });
const integer = column({ kind: 'integer' });
const boolean = column({ kind: 'boolean' });
const decimal = (name: string, sql: string) => column({ kind: 'decimal' })(name, `${sql}::text`);

const clickIds = (session: string) => CLICK_ID_NAMES.map((name) => text(name, `${session}.click_ids ->> '${name}'`));

const byId = { key: 'id', beforeAll: '00000000-0000-0000-0000-000000000000' };
const byNumber = { key: 'number', beforeAll: '-1' };

/** What can be exported: each column once, in the order of the file. */
export const DATASETS = {
  sessions: {
    source: { table: 'sessions', ...byNumber, time: 'started_at', sessions: [] },
    columns: [
      integer('sessionId', 't.number'),
      text('sessionHash', 't.hash'),
      text('shortSessionHash', 't.short_hash'),
      text('visitorId', 't.visitor_id'),
      id('leadId', 't.lead_id', 'led'),
      time('startedAt', 't.started_at'),
      time('lastSeenAt', 't.last_seen_at'),
      text('landingUrl', 't.landing_url'),
      text('referrer', 't.referrer'),
      text('source', 't.source'),
      text('medium', 't.medium'),
      text('campaign', 't.campaign'),
      text('term', 't.term'),
      text('content', 't.content'),
      text('utmId', 't.utm_id'),
      text('device', 't.device'),
      text('browser', 't.browser'),
      text('os', 't.os'),
      text('country', 't.country'),
      boolean('isBot', 't.is_bot'),
      boolean('isInternal', 't.is_internal'),
      ...clickIds('t'),
    ],
  },
  visits: {
    source: { table: 'visits', ...byId, time: 'occurred_at', sessions: [{ as: 's', number: 'session_number' }] },
    columns: [
      id('visitId', 't.id', 'vis'),
      text('url', 't.url'),
      text('referrer', 't.referrer'),
      text('title', 't.title'),
      integer('sessionId', 't.session_number'),
      text('sessionHash', 's.hash'),
      text('visitorId', 't.visitor_id'),
      time('occurredAt', 't.occurred_at'),
      time('receivedAt', 't.received_at'),
      boolean('isBot', 't.is_bot'),
      boolean('isInternal', 't.is_internal'),
      text('source', 's.source'),
      text('medium', 's.medium'),
      text('campaign', 's.campaign'),
      text('device', 's.device'),
      text('browser', 's.browser'),
      text('os', 's.os'),
      text('country', 's.country'),
    ],
  },
  events: {
    source: { table: 'events', ...byId, time: 'occurred_at', sessions: [{ as: 's', number: 'session_number' }] },
    columns: [
      id('eventId', 't.id', 'evt'),
      text('clientEventId', 't.client_event_id'),
      text('event', 't.event'),
      json('properties', 't.properties'),
      integer('sessionId', 't.session_number'),
      text('sessionHash', 's.hash'),
      id('leadId', 't.lead_id', 'led'),
      time('occurredAt', 't.occurred_at'),
      time('receivedAt', 't.received_at'),
      { ...boolean('isBot', 't.is_bot'), onRequest: true },
      { ...boolean('isInternal', 't.is_internal'), onRequest: true },
    ],
  },
  conversions: {
    source: { table: 'conversions', ...byId, time: 'created_on', sessions: [{ as: 's', number: 'session_number' }] },
    columns: [
      id('id', 't.id', 'cnv'),
      text('eventId', 't.event_id'),
      text('event', 't.event'),
      decimal('value', 't.value'),
      text('currency', 't.currency'),
      time('createdOn', 't.created_on'),
      time('receivedAt', 't.received_at'),
      text('origin', 't.origin'),
      json('identifier', 't.identifier'),
      integer('sessionId', 't.session_number'),
      text('sessionHash', 's.hash'),
      json('extra', 't.extra'),
      text('source', 's.source'),
      text('campaign', 's.campaign'),
      text('landingUrl', 's.landing_url'),
      ...clickIds('s'),
    ],
  },
  leads: {
    source: {
      table: 'leads_with_sessions',
      ...byId,
      time: 'first_seen_at',
      sessions: [
        { as: 'first', number: 'first_session' },
        { as: 'latest', number: 'latest_session' },
      ],
    },
    columns: [
      id('leadId', 't.id', 'led'),
      text('email', 't.email'),
      integer('firstSessionId', 't.first_session'),
      text('firstSessionHash', 'first.hash'),
      integer('latestSessionId', 't.latest_session'),
      text('latestSessionHash', 'latest.hash'),
      time('firstSeenAt', 't.first_seen_at'),
      time('lastSeenAt', 't.last_seen_at'),
    ],
  },
  unmatched: {
    source: { table: 'unmatched_conversions', ...byId, time: 'received_at', sessions: [] },
    columns: [
      id('id', 't.id', 'cnv'),
      text('eventId', 't.event_id'),
      text('event', 't.event'),
      decimal('value', 't.value'),
      text('currency', 't.currency'),
      time('createdOn', 't.created_on'),
      time('receivedAt', 't.received_at'),
      json('identifier', 't.identifier'),
      json('extra', 't.extra'),
    ],
  },
} satisfies Record<string, Dataset>;

export type DatasetName = keyof typeof DATASETS;
