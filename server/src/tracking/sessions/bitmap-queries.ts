import { plannedStatement, statement } from '../../shared/postgres/statement.ts';

const BITS = 1024;
const NO_BITS = `repeat('0', ${BITS})::bit(${BITS})`;

/** The key of a filter and its value. */
const keyOf = (filter: string, value: string) =>
  `('x' || left(md5(${filter} || chr(10) || ${value}), 16))::bit(64)::bigint`;

/** The row that each block has: sessions that are neither bots nor internal traffic. */
const VISIBLE = 0;

const ACCOUNT = { account_id: 'uuid' } as const;

/** Until the end of the transaction only one writes the bitmaps of the account, and each statement sees what the others wrote. */
export const lockSessionBitmaps = statement('tracking.lock_session_bitmaps', ACCOUNT).runs(
  "select pg_advisory_xact_lock(hashtextextended('session bitmaps ' || (:account_id)::text, 0))",
);

export const findAccountsWithLateSessions = statement('tracking.find_accounts_with_late_sessions', {}).returns<{
  account_id: string;
}>('select distinct account_id from late_sessions');

/** Where the blocks of an account end; null: there are none. */
export const findBlocksEnd = statement('tracking.find_blocks_end', ACCOUNT).returns<{ until: Date | null }>(
  `select max(until) as until from session_bitmaps where account_id = :account_id and value = ${VISIBLE}`,
);

/** Of an account without blocks all sessions are in none. */
export const deleteLateSessions = statement('tracking.delete_late_sessions', ACCOUNT).runs(
  'delete from late_sessions where account_id = :account_id',
);

/** So that each step over an import of a million old sessions takes as long as the one before. */
const LATE_AT_ONCE = 20_000;

/** The start (null: of everything) and end of blocks, the oldest first, in whose time the oldest late sessions started. */
export const findBlocksWithLateSessions = statement('tracking.find_blocks_with_late_sessions', {
  ...ACCOUNT,
  limit: 'integer',
}).returns<{ since: Date | null; until: Date }>(
  `select (select max(until) from session_bitmaps b
       where b.account_id = :account_id and b.value = ${VISIBLE} and b.until < found.until) as since, found.until
   from (
     select distinct (select min(until) from session_bitmaps b
       where b.account_id = :account_id and b.value = ${VISIBLE} and b.until > l.started_at) as until
     from (
       select started_at from late_sessions where account_id = :account_id order by started_at limit ${LATE_AT_ONCE}) l) found
   where found.until is not null order by found.until limit :limit`,
);

/**
 * Where to end after about `rows` further sessions that started before `settled`; no row if there are fewer. Sessions that started at the same
 * time are not separated.
 */
export const findNextEnd = statement('tracking.find_next_end', {
  ...ACCOUNT,
  since: 'timestamptz?',
  settled: 'timestamptz',
  rows: 'integer',
}).returns<{ until: Date }>(
  `select s.started_at as until from sessions s
   where s.account_id = :account_id and s.started_at < :settled
     and s.started_at > (
       select started_at from sessions f
       where f.account_id = :account_id and f.started_at >= coalesce(:since, '-infinity'::timestamptz)
       order by started_at limit 1)
   order by s.started_at offset :rows limit 1`,
);

export const deleteBitmaps = statement('tracking.delete_session_bitmaps', {
  ...ACCOUNT,
  since: 'timestamptz?',
  until: 'timestamptz',
}).runs(
  `delete from session_bitmaps
   where account_id = :account_id and until > coalesce(:since, '-infinity'::timestamptz) and until <= :until`,
);

/**
 * Writes the blocks of a period. One snapshot sees its sessions and which of them are late, which they no longer are.
 * Sessions that started at the same time are in one block, and beyond 1,024 they share bits.
 * @param has_rest whether the last block is written, which may be small
 */
export const writeBitmaps = statement('tracking.write_session_bitmaps', {
  ...ACCOUNT,
  since: 'timestamptz?',
  until: 'timestamptz',
  has_rest: 'boolean',
}).returns<{ late: number; rows: number }>(
  `with ordered as materialized (
     select *, set_bit(${NO_BITS}, ((row_number() over (order by started_at, number) - 1) % ${BITS})::integer, 1) as bitmap,
       (rank() over (order by started_at) - 1) / ${BITS} as block
     from (
       select account_id, number, started_at, source, medium, campaign, country, device, click_ids,
         not is_bot and not is_internal as is_visible
       from sessions
       where account_id = :account_id and started_at >= coalesce(:since, '-infinity'::timestamptz) and started_at < :until) s),
   blocks as materialized (
     select block, coalesce(lead(min(started_at)) over (order by block), case when :has_rest then :until end) as until
     from ordered group by block),
   taken as (
     delete from late_sessions
     where account_id = :account_id and started_at >= coalesce(:since, '-infinity'::timestamptz)
       and started_at < (select max(until) from blocks)
     returning 1),
   bits as (
     select o.account_id, b.until, v.filter, v.value,
       bit_or(case when v.filter is null and not o.is_visible then ${NO_BITS} else o.bitmap end) as bitmap
     from ordered o
     join blocks b on b.block = o.block and b.until is not null
     cross join lateral (
       values (null, null), ('source', o.source), ('medium', o.medium), ('campaign', o.campaign), ('country', o.country),
         ('device', o.device)
       union all
       select 'platform', jsonb_object_keys(o.click_ids)) v (filter, value)
     where v.filter is null or v.value is not null
     group by o.account_id, b.until, v.filter, v.value),
   written as (
     insert into session_bitmaps (account_id, value, until, bitmap)
     select account_id, case when filter is null then ${VISIBLE} else ${keyOf('filter', 'value')} end, until, bitmap
     from bits order by 1, 2, 3
     returning 1)
   select (select count(*) from taken)::integer as late, (select count(*) from written)::integer as rows`,
);

/** Deletes the blocks before the first session that is left. */
export const deleteOldBitmaps = statement('tracking.delete_old_session_bitmaps', ACCOUNT).runs(
  `delete from session_bitmaps
   where account_id = :account_id and until <= (
     select coalesce(min(started_at), 'infinity') from sessions where account_id = :account_id)`,
);

interface SessionBlock {
  /** Where all blocks end; null: there are none. */
  blocks_end: Date | null;
  /** Sessions that no block may have. */
  late: string[];
  /** null: the time before all other blocks. */
  since: Date | null;
  /** null: no block was found. */
  until: Date | null;
  /** Whether this block and those before it have `limit` sessions. */
  is_full: boolean | null;
}

const LOW = "greatest(:from, :low, '-infinity')";
const HIGH = "least(:to, :high, 'infinity')";

const findBlocks = (direction: 'asc' | 'desc') =>
  plannedStatement({
    ...ACCOUNT,
    filters: 'text[]',
    values: 'text[]',
    all: 'boolean',
    from: 'timestamptz?',
    to: 'timestamptz?',
    low: 'timestamptz?',
    high: 'timestamptz?',
    limit: 'integer',
  }).returns<SessionBlock>(
    `with edge as materialized (
       select (select max(until) from session_bitmaps where account_id = :account_id and value = ${VISIBLE}) as blocks_end),
     wanted as materialized (
       select ${keyOf('w.filter', 'w.value')} as value from unnest(:filters, :values) w (filter, value)
       union all select ${VISIBLE} where not :all),
     passing as materialized (
       select until, bit_count(bit_and(bitmap)) as sessions from session_bitmaps
       where account_id = :account_id and value = any(array(select value from wanted))
         and until > ${LOW}
         and until <= coalesce((
           select min(until) from session_bitmaps where account_id = :account_id and value = ${VISIBLE} and until >= ${HIGH}),
           'infinity')
       group by until
       having count(*) = (select count(*) from wanted) and bit_and(bitmap) <> ${NO_BITS}),
     found as materialized (
       select until, total >= :limit as is_full
       from (select until, sessions, sum(sessions) over (order by until ${direction} rows unbounded preceding) as total from passing) p
       where total - sessions < :limit)
     select blocks_end, array(
         select session_number from late_sessions l
         where l.account_id = :account_id and l.started_at < blocks_end
           and l.started_at >= ${LOW} and l.started_at < ${HIGH}) as late,
       (select max(until) from session_bitmaps b
        where b.account_id = :account_id and b.value = ${VISIBLE} and b.until < found.until) as since, found.until, found.is_full
     from edge left join found on true order by found.until ${direction}`,
  );

/**
 * The first blocks in the order of a list, from `low` until before `high`, in which sessions pass all filters: as many as have `limit` of them; one
 * row if there is none. Some of these sessions may be out of this time, or deleted since. Late sessions are in no block.
 */
export const findNewestBlocks = findBlocks('desc');
export const findOldestBlocks = findBlocks('asc');
