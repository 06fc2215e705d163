import type { Tx } from '../../shared/postgres/database.ts';
import { findEvents, findSessions, findVisits, type ItemRow, type SessionRow } from './source-queries.ts';

/** Sessions with their visits and events; each list is ordered by session number. */
export interface Rows {
  sessions: SessionRow[];
  visits: ItemRow[];
  events: ItemRow[];
}

/** Reads sessions from the tables of tracking. Of a deleted session the remaining visits and events are returned. */
export async function readSessions(tx: Tx, accountId: string, numbers: readonly number[]): Promise<Rows> {
  if (numbers.length === 0) return { sessions: [], visits: [], events: [] };
  const ids = { account_id: accountId, numbers };
  const sessions = await findSessions(tx, ids);
  const visits = await findVisits(tx, ids);
  const events = await findEvents(tx, ids);
  const active = new Set([...visits, ...events].map(({ number }) => number));
  return { sessions: sessions.filter(({ number, is_deleted }) => !is_deleted || active.has(number)), visits, events };
}
