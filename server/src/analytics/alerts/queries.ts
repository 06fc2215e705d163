import { rows, statement } from '../../shared/postgres/statement.ts';
import type { AlertDefinition } from './contract.ts';
import type { AlertState } from './evaluate.ts';

/** What the last evaluation found. */
export interface Checked {
  status: AlertState['status'] | 'failed';
  breaches: number;
  current: number | null;
  expected: number | null;
  limit: number | null;
}

export interface IncidentRow {
  id: string;
  rule_id: string;
  opened_at: Date;
  resolved_at: Date | null;
  value: number;
  expected: number | null;
  limit_value: number | null;
  text: string;
}

export interface RuleRow {
  account_id: string;
  id: string;
  definition: AlertDefinition;
  checked: Checked | null;
  checked_at: Date | null;
  incident_id: string | null;
  created_at: Date;
  updated_at: Date;
}

const ONE = { account_id: 'uuid', id: 'uuid' } as const;
const COLUMNS = 'account_id, id, definition, checked, checked_at, incident_id, created_at, updated_at';

export const insertRule = statement('analytics.insert_alert', {
  ...ONE,
  definition: 'jsonb',
  is_enabled: 'boolean',
  now: 'timestamptz',
}).returns<RuleRow>(
  `insert into alert_rules (account_id, id, definition, is_enabled, next_at, created_at, updated_at)
   values (:account_id, :id, :definition, :is_enabled, :now, :now, :now) returning ${COLUMNS}`,
);

export const findRule = statement('analytics.find_alert', ONE).returns<RuleRow>(
  `select ${COLUMNS} from alert_rules where account_id = :account_id and id = :id`,
);

export const lockRule = statement('analytics.lock_alert', ONE).returns<RuleRow>(
  `select ${COLUMNS} from alert_rules where account_id = :account_id and id = :id for update`,
);

/** Newest first. */
export const listRules = statement('analytics.list_alerts', {
  account_id: 'uuid',
  before: 'uuid',
  limit: 'integer',
}).returns<RuleRow>(
  `select ${COLUMNS} from alert_rules where account_id = :account_id and id < :before order by id desc limit :limit`,
);

export const countRules = statement('analytics.count_alerts', { account_id: 'uuid' }).returns<{ count: number }>(
  'select count(*)::int as count from alert_rules where account_id = :account_id',
);

/** A changed rule is evaluated afresh. */
export const updateRule = statement('analytics.update_alert', {
  ...ONE,
  definition: 'jsonb',
  is_enabled: 'boolean',
  now: 'timestamptz',
}).returns<RuleRow>(
  `update alert_rules set definition = :definition, is_enabled = :is_enabled, checked = null, checked_at = null, incident_id = null,
     next_at = :now, updated_at = :now
   where account_id = :account_id and id = :id returning ${COLUMNS}`,
);

export const deleteRule = statement('analytics.delete_alert', ONE).returns<RuleRow>(
  `delete from alert_rules where account_id = :account_id and id = :id returning ${COLUMNS}`,
);

export const deleteIncidents = statement('analytics.delete_alert_incidents', ONE).runs(
  'delete from alert_incidents where account_id = :account_id and rule_id = :id',
);

/** The next due rule of each of a few accounts, so that no account waits for the rules of another. */
export const claimRules = statement('analytics.claim_alerts', {
  now: 'timestamptz',
  next_at: 'timestamptz',
  limit: 'integer',
}).returns<RuleRow>(
  `with due as (
     select distinct on (account_id) account_id, id, next_at from (
       select account_id, id, next_at from alert_rules where is_enabled and next_at <= :now order by next_at limit 500) d
     order by account_id, next_at),
   claimed as (
     select r.account_id, r.id from alert_rules r join due d using (account_id, id)
     where r.is_enabled and r.next_at <= :now order by d.next_at limit :limit for update of r skip locked)
   update alert_rules r set next_at = :next_at from claimed c
   where r.account_id = c.account_id and r.id = c.id
   returning r.account_id, r.id, r.definition, r.checked, r.checked_at, r.incident_id, r.created_at, r.updated_at`,
);

export const saveChecked = statement('analytics.save_checked_alert', {
  ...ONE,
  checked: 'jsonb',
  incident_id: 'uuid?',
  next_at: 'timestamptz',
  now: 'timestamptz',
}).runs(
  `update alert_rules set checked = :checked, checked_at = :now, incident_id = :incident_id, next_at = :next_at
   where account_id = :account_id and id = :id`,
);

const INCIDENT = 'id, rule_id, opened_at, resolved_at, value, expected, limit_value, text';

export const insertIncident = statement('analytics.insert_alert_incident', {
  ...ONE,
  rule_id: 'uuid',
  now: 'timestamptz',
  value: 'double precision',
  expected: 'double precision?',
  limit_value: 'double precision?',
  text: 'text',
}).runs(
  `insert into alert_incidents (account_id, id, rule_id, opened_at, value, expected, limit_value, text)
   values (:account_id, :id, :rule_id, :now, :value, :expected, :limit_value, :text)`,
);

export const resolveIncident = statement('analytics.resolve_alert_incident', { ...ONE, now: 'timestamptz' }).runs(
  'update alert_incidents set resolved_at = :now where account_id = :account_id and id = :id and resolved_at is null',
);

export const findIncidents = statement('analytics.find_alert_incidents', {
  account_id: 'uuid',
  ids: 'uuid[]',
}).returns<IncidentRow>(`select ${INCIDENT} from alert_incidents where account_id = :account_id and id = any(:ids)`);

/** Newest first. */
export const listIncidents = statement('analytics.list_alert_incidents', {
  ...ONE,
  before: 'uuid',
  limit: 'integer',
}).returns<IncidentRow>(
  `select ${INCIDENT} from alert_incidents
   where account_id = :account_id and rule_id = :id and id < :before order by id desc limit :limit`,
);

export interface NoticeRow {
  account_id: string;
  id: string;
  url: string;
  body: string;
  attempts: number;
}

export const insertNotices = statement('analytics.insert_alert_notices', {
  account_id: 'uuid',
  notices: rows({ id: 'uuid', url: 'text', body: 'text' }),
  now: 'timestamptz',
}).runs(
  `insert into alert_notices (account_id, id, url, body, due_at)
   select :account_id, id, url, body, :now from :notices as n`,
);

/** Leases notices that are due; an attempt that ends with its process is repeated after the lease. */
export const claimNotices = statement('analytics.claim_alert_notices', {
  now: 'timestamptz',
  until: 'timestamptz',
  limit: 'integer',
}).returns<NoticeRow>(
  `update alert_notices n set due_at = :until, attempts = attempts + 1 from (
     select account_id, id from alert_notices where due_at <= :now order by due_at limit :limit for update skip locked) d
   where n.account_id = d.account_id and n.id = d.id returning n.account_id, n.id, n.url, n.body, n.attempts`,
);

export const deferNotice = statement('analytics.defer_alert_notice', { ...ONE, due_at: 'timestamptz' }).runs(
  'update alert_notices set due_at = :due_at where account_id = :account_id and id = :id',
);

export const deleteNotice = statement('analytics.delete_alert_notice', ONE).runs(
  'delete from alert_notices where account_id = :account_id and id = :id',
);

/** What the sales of windows brought, as it was known at a time of each. */
interface WindowRevenue {
  number: number;
  currency: string | null;
  /** Since 1970. */
  sale_day: number;
  /** Values times 10,000. */
  units: number;
  conversions: number;
}

export const sumWindows = statement('analytics.sum_windows', {
  account_id: 'uuid',
  windows: rows({ number: 'integer', since: 'timestamptz', until: 'timestamptz', known_at: 'timestamptz' }),
  source: 'text?',
  time_zone: 'text',
}).returns<WindowRevenue>(
  `select w.number, i.currency, i.sale_day, i.units, i.conversions from :windows as w
   cross join lateral (
     select currency, (sale_at at time zone :time_zone)::date - '1970-01-01'::date as sale_day,
       round(sum(value) * 10000)::bigint as units, sum(conversions)::int as conversions
     from analytics_increments i
     where i.account_id = :account_id and i.sale_at >= w.since and i.sale_at < w.until and i.known_at <= w.known_at
       and not i.is_bot and not i.is_internal and (:source is null or lower(i.source) = lower(:source))
     group by 1, 2) i`,
);

export const findFirstSale = statement('analytics.find_first_sale', { account_id: 'uuid' }).returns<{ at: Date }>(
  'select sale_at as at from analytics_increments where account_id = :account_id order by sale_at limit 1',
);

export const sumCostsOfDays = statement('analytics.sum_costs_of_days', {
  account_id: 'uuid',
  from: 'text',
  to: 'text',
  source: 'text?',
}).returns<{ day: number; currency: string; cost: number }>(
  `select day - '1970-01-01'::date as day, currency, sum(cost)::float8 as cost from ad_costs
   where account_id = :account_id and day >= :from::date and day < :to::date
     and (:source is null or lower(source) = lower(:source))
   group by 1, 2`,
);

/** When the first cost is of. */
export const findFirstCost = statement('analytics.find_first_cost', { account_id: 'uuid' }).returns<{ day: number }>(
  `select day - '1970-01-01'::date as day from ad_costs where account_id = :account_id order by day limit 1`,
);

/** Accounts with rules that were to be evaluated before a time, or notices that were to be sent. */
export const findOverdueAlerts = statement('analytics.find_overdue_alerts', {
  before: 'timestamptz',
  limit: 'integer',
}).returns<{ account_id: string; since: Date }>(
  `select account_id, min(at) as since from (
     select account_id, next_at as at from alert_rules where is_enabled and next_at < :before
     union all
     select account_id, due_at from alert_notices where due_at < :before) w
   group by account_id order by since limit :limit`,
);
