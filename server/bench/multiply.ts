import type pg from 'pg';
import { decodeSegment, encodeSegment, PARTS, type Part } from '../src/analytics/engine/segment.ts';

/** Which tables refer to the sessions of segments. */
const OUTCOMES = ['analytics_conversions', 'analytics_leads'];

/**
 * Gives an account the aggregated data of another one several times, with other visitors and other sessions: what reports read of
 * an account that many times as large. Its sessions, visits and events themselves do not exist.
 */
export async function multiplyReports(sql: pg.Client, from: string, to: string, times: number): Promise<void> {
  await sql.query('begin; set local synchronous_commit = off');
  await sql.query('insert into analytics_names select $2, id, name from analytics_names where account_id = $1', [
    from,
    to,
  ]);
  await sql.query('insert into analytics_lists select $2, key, list from analytics_lists where account_id = $1', [
    from,
    to,
  ]);
  const { rows } = await sql.query<{ segment: string }>(
    'select segment from analytics_segments where account_id = $1',
    [from],
  );
  for (const { segment } of rows) {
    const { rows: read } = await sql.query<Record<Part, Buffer>>(
      `select ${PARTS.join(', ')} from analytics_segments where account_id = $1 and segment = $2`,
      [from, segment],
    );
    const columns = read[0] && decodeSegment(read[0]);
    if (!columns) continue;
    for (let i = 0; i < times; i++) {
      const visitorHigh = columns.visitorHigh.map((half) => half ^ i);
      const { visitors } = encodeSegment({ ...columns, visitorHigh });
      await sql.query(
        `insert into analytics_segments (account_id, segment, version, first_at, last_at, first_event_at, last_event_at, ${PARTS.join(', ')})
         select $3, $4, nextval('analytics_version_seq'), first_at, last_at, first_event_at, last_event_at,
           ${PARTS.map((part) => (part === 'visitors' ? '$5' : part)).join(', ')}
         from analytics_segments where account_id = $1 and segment = $2`,
        [from, segment, to, Number(segment) * times + i, visitors],
      );
    }
  }
  for (const table of OUTCOMES) await multiplyOutcomes(sql, table, from, to, times);
  await sql.query('commit');
  await sql.query(`vacuum (analyze) analytics_segments, ${OUTCOMES.join(', ')}`);
}

async function multiplyOutcomes(sql: pg.Client, table: string, from: string, to: string, times: number): Promise<void> {
  const { rows } = await sql.query<{ column: string }>(
    `select column_name as column from information_schema.columns where table_name = $1 and table_schema = current_schema()
     order by ordinal_position`,
    [table],
  );
  const others: Record<string, string> = {
    account_id: '$2',
    id: '(left(id::text, 35) || to_hex(i))::uuid',
    session_number: '(session_number / 1024 * $3::integer + i) * 1024 + session_number % 1024',
  };
  await sql.query(
    `insert into ${table} (${rows.map(({ column }) => column)})
     select ${rows.map(({ column }) => others[column] ?? column)}
     from ${table}, generate_series(0, $3::integer - 1) i where account_id = $1 order by at on conflict do nothing`,
    [from, to, times],
  );
}
