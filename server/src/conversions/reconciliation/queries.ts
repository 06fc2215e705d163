import { type RowOf, rows, statement } from '../../shared/postgres/statement.ts';
import type { Outcome, ReconciliationQuery, Summary } from './contract.ts';

export type Settings = ReconciliationQuery;
export type Outcomes = Record<Exclude<Outcome, 'faulty'>, Summary>;

/** What comparing found. */
export interface Result {
  rows: number;
  ignored: number;
  faulty: number;
  from: string | null;
  to: string | null;
  outcomes: Outcomes;
}

export interface ReconciliationRow {
  id: string;
  name: string;
  settings: Settings;
  result: Result | null;
  error: { code: string; detail: string } | null;
  job_id: string | null;
  import_id: string | null;
  is_applied: boolean;
  undone_at: Date | null;
  undo_finished_at: Date | null;
  created_at: Date;
  expires_at: Date;
}

const ONE = { account_id: 'uuid', id: 'uuid' } as const;
const SELECT = `select r.id, r.name, r.settings, r.result, r.error, r.job_id, r.import_id, r.is_applied, i.undone_at, i.undo_finished_at,
    r.created_at, r.expires_at
  from reconciliations r left join conversion_imports i on i.account_id = r.account_id and i.id = r.import_id`;

export const insertReconciliation = statement('conversions.insert_reconciliation', {
  ...ONE,
  name: 'text',
  settings: 'jsonb',
  now: 'timestamptz',
  expires_at: 'timestamptz',
}).runs(
  `insert into reconciliations (account_id, id, name, settings, created_at, expires_at)
   values (:account_id, :id, :name, :settings, :now, :expires_at)`,
);

export const countReconciliations = statement('conversions.count_reconciliations', { account_id: 'uuid' }).returns<{
  count: number;
}>('select count(*)::int as count from reconciliations where account_id = :account_id');

export const insertReconciliationPart = statement('conversions.insert_reconciliation_part', {
  ...ONE,
  number: 'integer',
  bytes: 'bytea',
}).runs(
  'insert into reconciliation_parts (account_id, reconciliation_id, number, bytes) values (:account_id, :id, :number, :bytes)',
);

export const findReconciliationPart = statement('conversions.find_reconciliation_part', {
  ...ONE,
  number: 'integer',
}).returns<{ bytes: Buffer }>(
  'select bytes from reconciliation_parts where account_id = :account_id and reconciliation_id = :id and number = :number',
);

export const deleteReconciliationParts = statement('conversions.delete_reconciliation_parts', ONE).runs(
  'delete from reconciliation_parts where account_id = :account_id and reconciliation_id = :id',
);

export const findReconciliation = statement('conversions.find_reconciliation', ONE).returns<ReconciliationRow>(
  `${SELECT} where r.account_id = :account_id and r.id = :id`,
);

export const lockReconciliation = statement('conversions.lock_reconciliation', ONE).returns<ReconciliationRow>(
  `${SELECT} where r.account_id = :account_id and r.id = :id for update of r`,
);

/** Newest first. */
export const listReconciliations = statement('conversions.list_reconciliations', {
  account_id: 'uuid',
  before: 'uuid',
  limit: 'integer',
}).returns<ReconciliationRow>(
  `${SELECT} where r.account_id = :account_id and r.id < :before order by r.id desc limit :limit`,
);

export const updateReconciliation = statement('conversions.update_reconciliation', {
  ...ONE,
  result: 'jsonb?',
  error: 'jsonb?',
  job_id: 'uuid?',
  import_id: 'uuid?',
  is_applied: 'boolean',
}).runs(
  `update reconciliations set result = :result, error = :error, job_id = :job_id, import_id = :import_id, is_applied = :is_applied
   where account_id = :account_id and id = :id`,
);

export const setApplied = statement('conversions.set_reconciliation_applied', ONE).runs(
  'update reconciliations set is_applied = true where account_id = :account_id and id = :id',
);

export const deleteReconciliationRow = statement('conversions.delete_reconciliation', ONE).returns<{ name: string }>(
  'delete from reconciliations where account_id = :account_id and id = :id returning name',
);

export const deleteLines = statement('conversions.delete_reconciliation_lines', ONE).runs(
  'delete from reconciliation_lines where account_id = :account_id and reconciliation_id = :id',
);

export const findExpiredReconciliations = statement('conversions.find_expired_reconciliations', {
  now: 'timestamptz',
}).returns<{ account_id: string; id: string }>(
  'select account_id, id from reconciliations where expires_at <= :now order by expires_at limit 20',
);

export interface LineRow {
  number: number;
  outcome: Outcome;
  reason: string | null;
  detail: string | null;
  identifier: string | null;
  click: { name: string; value: string } | null;
  rows: number[];
  there: string | null;
  here: string | null;
  currency: string | null;
  here_currency: string | null;
  conversion_id: string | null;
  version: number | null;
  at: Date | null;
  can_apply: boolean;
  applied_at: Date | null;
}

const LINES = rows({
  number: 'integer',
  outcome: 'text',
  reason: 'text?',
  detail: 'text?',
  identifier: 'text?',
  click: 'jsonb?',
  /** Numbers, separated by commas. */
  rows: 'text',
  there: 'numeric?',
  here: 'numeric?',
  currency: 'text?',
  here_currency: 'text?',
  conversion_id: 'uuid?',
  version: 'integer?',
  at: 'timestamptz?',
  can_apply: 'boolean',
});
export type NewLine = RowOf<typeof LINES>;

export const insertLines = statement('conversions.insert_reconciliation_lines', { ...ONE, lines: LINES }).runs(
  `insert into reconciliation_lines (account_id, reconciliation_id, number, outcome, reason, detail, identifier, click, rows, there, here,
     currency, here_currency, conversion_id, version, at, can_apply)
   select :account_id, :id, number, outcome, reason, detail, identifier, click, ('{' || rows || '}')::integer[], there, here, currency,
     here_currency, conversion_id, version, at, can_apply
   from :lines as l`,
);

const LINE = `number, outcome, reason, detail, identifier, click, rows, there::text, here::text, currency, here_currency, conversion_id,
  version, at, can_apply, applied_at`;

const PAGE = { ...ONE, after: 'integer', limit: 'integer' } as const;

export const listLines = statement('conversions.list_reconciliation_lines', PAGE).returns<LineRow>(
  `select ${LINE} from reconciliation_lines
   where account_id = :account_id and reconciliation_id = :id and number > :after order by number limit :limit`,
);

export const listLinesOf = statement('conversions.list_reconciliation_lines_of_outcome', {
  ...PAGE,
  outcome: 'text',
}).returns<LineRow>(
  `select ${LINE} from reconciliation_lines
   where account_id = :account_id and reconciliation_id = :id and outcome = :outcome and number > :after
   order by number limit :limit`,
);

/** Lines to apply after a number, in order. */
export const findAppliable = statement('conversions.find_appliable_lines', {
  ...PAGE,
  outcomes: 'text[]',
}).returns<LineRow>(
  `select ${LINE} from reconciliation_lines
   where account_id = :account_id and reconciliation_id = :id and outcome = any(:outcomes) and number > :after and can_apply
     and applied_at is null
   order by number limit :limit`,
);

/** Lines of conversions that changed since they were compared are not applied any more. */
export const markApplied = statement('conversions.mark_lines_applied', {
  ...ONE,
  now: 'timestamptz',
  applied: 'integer[]',
  changed: 'integer[]',
}).runs(
  `update reconciliation_lines set
     applied_at = case when number = any(:applied) then :now end,
     click = null,
     can_apply = number = any(:applied),
     reason = case when number = any(:changed) then 'changed' else reason end
   where account_id = :account_id and reconciliation_id = :id and number = any(:applied || :changed)`,
);

/** A conversion that a statement is compared with. */
export interface FoundConversion {
  id: string;
  event_id: string | null;
  value: string | null;
  currency: string | null;
  version: number;
  session_number: number | null;
  created_on: Date;
  /** The largest value that it has had. */
  highest: string | null;
}

const FOUND = `c.id, c.event_id, c.value::text, c.currency, c.version, c.session_number, c.created_on,
  case when c.version = 1 then c.value::text else
    (select max(r.value)::text from conversion_revisions r
     where r.account_id = c.account_id and r.conversion_id = c.id and r.withdrawn_version is null) end as highest`;

export const findByIdentifiers = statement('conversions.find_by_identifiers', {
  account_id: 'uuid',
  event_ids: 'text[]',
}).returns<FoundConversion>(
  `select ${FOUND} from unnest(:event_ids) as w (event_id)
   join lateral (
     select * from reported_conversions c where c.account_id = :account_id and c.event_id = w.event_id limit 1) c on true`,
);

export const findOfSessions = statement('conversions.find_of_sessions', {
  account_id: 'uuid',
  sessions: 'bigint[]',
}).returns<FoundConversion>(
  `select ${FOUND} from unnest(:sessions) as w (number)
   join lateral (
     select * from reported_conversions c where c.account_id = :account_id and c.session_number = w.number offset 0) c on true`,
);

/** Event IDs that were reported, but whose session is unknown. */
export const findUnmatchedIdentifiers = statement('conversions.find_unmatched_identifiers', {
  account_id: 'uuid',
  after: 'uuid',
  limit: 'integer',
}).returns<{ id: string; event_id: string | null }>(
  `select id, event_id from unmatched_conversions where account_id = :account_id and id > :after order by id limit :limit`,
);

/** Conversions of a period after a position, in order of time. */
export const findOfPeriod = statement('conversions.find_of_period', {
  account_id: 'uuid',
  from: 'timestamptz',
  to: 'timestamptz',
  after: 'timestamptz',
  after_id: 'uuid',
  event: 'text?',
  source: 'text?',
  limit: 'integer',
}).returns<FoundConversion & { counts: boolean }>(
  `select ${FOUND},
     c.value <> 0 and (:event is null or c.event = :event) and (:source is null or exists (
       select from sessions s where s.account_id = c.account_id and s.number = c.session_number and lower(s.source) = lower(:source))) as counts
   from reported_conversions c
   where c.account_id = :account_id and c.created_on >= :from and c.created_on < :to and (c.created_on, c.id) > (:after, :after_id)
   order by c.created_on, c.id limit :limit`,
);

/** What is needed to restate conversions. */
export interface RestatedConversion {
  id: string;
  event_id: string | null;
  version: number;
  session_number: number | null;
  identifier_digest: string | null;
  /** What only a page has reported is replaced by the next report as a whole. */
  is_trusted: boolean;
  event: string;
  currency: string | null;
  created_on: Date;
}

/** In the order in which reports lock them. */
export const lockRestated = statement('conversions.lock_restated', {
  account_id: 'uuid',
  ids: 'uuid[]',
}).returns<RestatedConversion>(
  `select id, event_id, version, session_number, identifier_digest, is_trusted, event, currency, created_on from conversions
   where account_id = :account_id and id = any(:ids) and withdrawn_at is null order by event_id collate "C" for update`,
);
