import pg from 'pg';
import { copyRows } from '../../shared/postgres/driver/copy-rows.ts';
import { statement } from '../../shared/postgres/statement.ts';
import type { SINGLE_VALUED } from '../dimensions.ts';
import { exitPageOf, funnelOf, pageOf, sessionTexts, textOf } from '../sql-expressions.ts';

// The engine's statements that read tables of tracking.

const SESSIONS = { account_id: 'uuid', numbers: 'bigint[]' } as const;

/** A session with the texts of its dimensions. */
export interface SessionRow extends Record<(typeof SINGLE_VALUED)[keyof typeof SINGLE_VALUED], string | null> {
  number: number;
  /** The session was deleted; its visits and events may remain. */
  is_deleted: boolean;
  visitor_high: number;
  visitor_low: number;
  started_at: Date;
  is_bot: boolean;
  is_internal: boolean;
  platforms: string[];
}

const digestPart = (from: number) => `coalesce(('x' || substr(md5(visitor_id), ${from}, 8))::bit(32)::int, 0)`;

export const findSessions = statement('analytics.find_sessions', SESSIONS).returns<SessionRow>(
  `select n.number, s.number is null as is_deleted, ${digestPart(1)} as visitor_high, ${digestPart(9)} as visitor_low,
     coalesce(started_at, 'epoch') as started_at, coalesce(is_bot, false) as is_bot,
     coalesce(is_internal, false) as is_internal, array(select jsonb_object_keys(click_ids)) as platforms,
     ${sessionTexts('s')},
     case when s.number is not null then ${exitPageOf(':account_id', 'n.number')} end as exit_page
   from unnest(:numbers) n (number)
   left join lateral (select * from sessions s where s.account_id = :account_id and s.number = n.number limit 1) s on true
   order by n.number`,
);

/** A visit (`name` is its page) or an event. */
export interface ItemRow {
  /** Of its session. */
  number: number;
  at: Date;
  is_bot: boolean;
  is_internal: boolean;
  name: string | null;
  funnel: string | null;
}

export const findVisits = statement('analytics.find_visits', SESSIONS).returns<ItemRow>(
  `select session_number as number, occurred_at as at, is_bot, is_internal, ${textOf(pageOf('url'))} as name, null as funnel
   from unnest(:numbers) n (number)
   join lateral (
     select * from visits v where v.account_id = :account_id and v.session_number = n.number offset 0) v on true
   order by session_number, occurred_at, id`,
);

export const findEvents = statement('analytics.find_events', SESSIONS).returns<ItemRow>(
  `select session_number as number, occurred_at as at, is_bot, is_internal, event as name, ${funnelOf('e')} as funnel
   from unnest(:numbers) n (number)
   join lateral (
     select * from events e where e.account_id = :account_id and e.session_number = n.number offset 0) e on true
   order by session_number, occurred_at, id`,
);

/** Session numbers in a segment that have a session, visits or events. */
export const findSessionNumbers = statement('analytics.find_session_numbers', {
  account_id: 'uuid',
  segment: 'bigint',
}).returns<{ number: number }>(
  ['sessions', 'visits', 'events']
    .map((table) => {
      const column = table === 'sessions' ? 'number' : 'session_number';
      return `select ${column} as number from ${table}
        where account_id = :account_id and ${column} >= :segment * 1024 and ${column} < (:segment + 1) * 1024`;
    })
    .join(' union '),
);

export const findLeadsOfSessions = statement('analytics.find_leads_of_sessions', SESSIONS).returns<{
  number: number;
  lead_id: string | null;
}>('select number, lead_id from sessions where account_id = :account_id and number = any(:numbers)');

/** Reads the sessions of each lead of an account, also those that have another lead now. `onLead` must copy what it keeps. */
export async function readLeadSessions(
  client: pg.ClientBase,
  accountId: string,
  onLead: (lead: Buffer, sessions: readonly number[]) => void,
): Promise<void> {
  const lead = Buffer.alloc(16);
  const sessions: number[] = [];
  const sql = `select lead_id, session_number from lead_sessions where account_id = ${pg.escapeLiteral(accountId)} order by lead_id`;
  await copyRows(client, sql, 2, ({ bytes, starts }) => {
    const [leadAt = 0, numberAt = 0] = starts;
    if (lead.compare(bytes, leadAt, leadAt + 16) !== 0) {
      onLead(lead, sessions);
      bytes.copy(lead, 0, leadAt, leadAt + 16);
      sessions.length = 0;
    }
    sessions.push(Number(bytes.readBigInt64BE(numberAt)));
  });
  onLead(lead, sessions);
}
