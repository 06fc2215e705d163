import type pg from 'pg';
import { parseId } from '../src/shared/ids.ts';

/** SQL for a UUIDv7 `n` milliseconds after the start of 2026, so that ids are in the order of `n`. */
const UUID7 = `(lpad(to_hex(1767225600000 + n), 12, '0') || '7' || substr(md5(n::text), 1, 3)
  || '8' || substr(md5(n::text), 4, 15))::uuid`;

/** The UUID of an account's public id. */
export function uuidOf(accountId: string): string {
  const uuid = parseId('acc', accountId);
  if (uuid === undefined) throw new Error(`${accountId} is not the id of an account`);
  return uuid;
}

/** Sessions with a gclid each, `click-1` to `click-<count>`. Their numbers are above those of the service. */
export async function seedSessions(sql: pg.Client, account: string, count: number): Promise<void> {
  await sql.query(
    `insert into sessions (account_id, number, hash, short_hash, visitor_id, started_at, last_seen_at, landing_url, click_ids)
     select $1, 1000000000 + n, substr(md5(n::text), 1, 22), upper(substr(md5('s' || n), 1, 12)), 'visitor-' || n,
       now() - interval '1 day', now() - interval '1 day', 'https://shop.example/?gclid=click-' || n,
       jsonb_build_object('gclid', 'click-' || n)
     from generate_series(1, $2::bigint) n`,
    [account, count],
  );
  await sql.query(
    `insert into click_ids (account_id, digest, session_number, seen_at)
     select $1, encode(substring(sha256(convert_to(E'gclid\\nclick-' || n, 'UTF8')) for 16), 'hex')::uuid, 1000000000 + n,
       now() - interval '1 day'
     from generate_series(1, $2::bigint) n`,
    [account, count],
  );
  await sql.query('vacuum analyze sessions, click_ids');
}

/** Events of some days since the start of 2026, which aggregation has seen. */
export async function seedEvents(sql: pg.Client, account: string, count: number, days = 1): Promise<void> {
  const at = `to_timestamp(1767225600 + (n - 1) * ${days * 86_400}::float8 / $2::bigint)`;
  await sql.query(
    `insert into events (account_id, id, event, properties, session_number, is_bot, occurred_at, received_at, inserted_xid)
     select $1, ${UUID7}, 'quiz_answered',
       jsonb_build_object('funnel_id', 'summer-sale', 'step', n % 7, 'answer', 'The "second" one, =really', 'locale', 'de-DE'),
       1000000000 + n % 100000, false, ${at}, ${at}, 0
     from generate_series(1, $2::bigint) n`,
    [account, count],
  );
  await sql.query('vacuum analyze events');
}
