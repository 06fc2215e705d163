import { areSubscribed } from '../../shared/outbox.ts';
import { type RowOf, rows, statement } from '../../shared/postgres/statement.ts';

const CONVERSIONS = rows({
  account_id: 'uuid',
  id: 'uuid',
  event_id: 'text?',
  sent_event: 'text?',
  value: 'numeric?',
  currency: 'text?',
  sent_created_on: 'timestamptz?',
  received_at: 'timestamptz',
  origin: 'text',
  /** False for an event with a publishable key. */
  is_trusted: 'boolean',
  identifier: 'jsonb?',
  session_number: 'bigint?',
  extra: 'jsonb?',
  identifier_digest: 'uuid?',
  /** How many reports the row stands for. */
  version: 'integer',
});
export type ConversionRow = RowOf<typeof CONVERSIONS>;

const INSERT = `insert into conversions as c (${CONVERSIONS.list}, updated_at)
   select w.*, :now from :conversions as w`;

/** In the order of event ids, so that two batches cannot deadlock. */
const IN_ORDER = `order by w.account_id, w.event_id collate "C"
   on conflict (account_id, event_id) where event_id is not null`;

interface WrittenRow {
  account_id: string;
  event_id: string | null;
  id: string;
  /** How many reports the conversion has had. */
  version: number;
}

/** The reported value, or else the current one unless only a page has made the conversion. */
const reported = (member: string) => `coalesce(excluded.${member}, case when c.is_trusted then c.${member} end)`;

/**
 * Creates conversions, or restates those whose event id exists, which keep their id and the session that was found first.
 * Replaces everything but the id of a conversion that only a page has made, because anyone may use a publishable key. Takes
 * at most one row for each event id.
 */
export const upsertConversions = statement('conversions.upsert', {
  conversions: CONVERSIONS,
  now: 'timestamptz',
}).returns<WrittenRow>(
  `${INSERT} ${IN_ORDER} do update set
     sent_event = ${reported('sent_event')},
     value = ${reported('value')},
     currency = ${reported('currency')},
     sent_created_on = ${reported('sent_created_on')},
     extra = ${reported('extra')},
     received_at = case when c.is_trusted then c.received_at else excluded.received_at end,
     origin = case when c.origin = 'report' then c.origin else excluded.origin end,
     identifier = case when c.is_trusted and c.session_number is not null then c.identifier
       else ${reported('identifier')} end,
     identifier_digest = case when c.is_trusted and c.session_number is not null then c.identifier_digest
       else ${reported('identifier_digest')} end,
     session_number = case when c.is_trusted then coalesce(c.session_number, excluded.session_number)
       else excluded.session_number end,
     is_trusted = true,
     withdrawn_at = null,
     version = c.version + excluded.version,
     updated_at = excluded.updated_at
   returning account_id, event_id, id, version`,
);

/** @param order and what happens to conversions whose event id exists */
const insertWithRevisions = (name: string, order: string) =>
  statement(name, { conversions: CONVERSIONS, now: 'timestamptz' }).runs(
    `with created as (
     ${INSERT} ${order}
     returning *),
   pushed as (
     insert into outbox (account_id, topic, resources, sequences, at)
     select account_id, 'conversion.reported', array_agg(id), array_agg(version), max(updated_at)
     from created where ${areSubscribed('created.account_id', ['conversion.reported'])} group by account_id)
   insert into conversion_revisions (account_id, conversion_id, arrival, event, value, currency, created_on, extra,
     identifier, origin, received_at)
   select account_id, id, 0, sent_event, value, currency, sent_created_on, extra, identifier, origin, received_at
   from created`,
  );

/** Creates conversions without an event id, with their revision. */
export const insertConversions = insertWithRevisions('conversions.insert', '');

/**
 * Creates conversions with their revision and leaves those whose event id exists unchanged; their rows are not returned.
 * Arrival 0 places the revision before every report of the same conversion, whenever that report finds its session.
 */
export const insertIfAbsent = insertWithRevisions('conversions.insert_if_absent', `${IN_ORDER} do nothing`);

/** Of conversions that a report changes. */
export const TOPICS = ['conversion.reported', 'conversion.restated', 'conversion.matched'] as const;

const REPORTS = rows({
  account_id: 'uuid',
  id: 'uuid',
  event_id: 'text?',
  event: 'text?',
  value: 'numeric?',
  currency: 'text?',
  created_on: 'timestamptz?',
  received_at: 'timestamptz',
  origin: 'text',
  identifier: 'jsonb?',
  extra: 'jsonb?',
  /** Set if the report is unmatched: what to match it by. */
  digest: 'uuid?',
  /** Of an unmatched report without an event id. */
  fingerprint: 'uuid?',
  /** Null: the next number. */
  known_arrival: 'bigint?',
  /** The version to which the report brought its conversion. */
  version: 'integer',
  /** The webhook topic. */
  topic: 'text',
  import_id: 'uuid?',
  /** Null: when it was received, or what its import implies. */
  known_at: 'timestamptz?',
});
export type ReportRow = RowOf<typeof REPORTS>;

/**
 * Stores every report in order: as a revision of the conversion `id`, or as the unmatched report `id` if it has a digest. An
 * unmatched report that is stored already, by its fingerprint, is not stored again.
 * Runs while the conversions' rows are locked, because only then do arrival numbers reflect the order of their changes.
 */
export const storeReports = statement('conversions.store_reports', { reports: REPORTS, now: 'timestamptz' }).runs(
  `with arrived as materialized (
     select w.*, coalesce(w.known_arrival, nextval('conversion_arrival_seq')) as arrival from :reports as w),
   unmatched as (
     insert into unmatched_conversions (account_id, id, digest, fingerprint, identifier, event_id, sent_event, value,
       currency, sent_created_on, received_at, extra, arrival, import_id, known_at)
     select account_id, id, digest, fingerprint, identifier, event_id, event, value, currency, created_on, received_at,
       extra, arrival, import_id, known_at
     from arrived where digest is not null
     on conflict (account_id, fingerprint) where fingerprint is not null do nothing),
   pushed as (
     insert into outbox (account_id, topic, resources, sequences, at)
     select account_id, topic, array_agg(id order by arrival), array_agg(version order by arrival), :now
     from arrived where digest is null and ${areSubscribed('arrived.account_id', TOPICS, 'arrived.topic')}
     group by account_id, topic)
   insert into conversion_revisions (account_id, conversion_id, arrival, event, value, currency, created_on, extra,
     identifier, origin, received_at, version, import_id, known_at)
   select account_id, id, arrival, event, value, currency, created_on, extra, identifier, origin, received_at, version,
     import_id, known_at
   from arrived where digest is null`,
);

/**
 * Finds the event ids whose conversion was matched by the identifier with this digest. The conversion keeps the digest when
 * its session is deleted, and a stub (see `erasedStub`) when its person is erased.
 */
export const findOwnIdentifiers = statement('conversions.find_own_identifiers', {
  account_id: 'uuid',
  reports: rows({ event_id: 'text', digest: 'uuid', stub: 'uuid' }),
}).returns<{ event_id: string; digest: string; is_erased: boolean }>(
  `select w.event_id, w.digest, c.is_erased from :reports as w
   join lateral (
     select coalesce(w.stub = any(c.erased_stubs), false) as is_erased from conversions c
     where c.account_id = :account_id and c.event_id = w.event_id
       and (c.identifier_digest = w.digest or w.stub = any(c.erased_stubs)) and c.session_number is not null
     limit 1) c on true`,
);

export const findByEventIds = statement('conversions.find_by_event_ids', {
  account_id: 'uuid',
  event_ids: 'text[]',
}).returns<{ event_id: string; id: string; session_number: number | null }>(
  `select c.event_id, c.id, c.session_number from unnest(:event_ids) as w (event_id)
   join lateral (
     select * from reported_conversions c where c.account_id = :account_id and c.event_id = w.event_id limit 1) c on true`,
);
