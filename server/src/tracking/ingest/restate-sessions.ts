import type { ClickIds } from '../../shared/click-ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { rows, statement } from '../../shared/postgres/statement.ts';
import { ERASED } from '../erasure/queries.ts';
import type { StartedSession } from '../hooks.ts';
import { clickIdDigests } from '../identifiers.ts';
import { announceIdentified } from './announce-identified.ts';
import { compareStarts, type SessionStart, START_COLUMNS } from './session-start.ts';

export interface Restatement extends SessionStart {
  /** When its click IDs count as seen. */
  seen_at: number;
  is_trusted: boolean;
}

/**
 * Gives sessions an earlier start, with all that is kept by it: click IDs, the order of the sessions of a lead, and what lists find. Reports follow, as
 * the sessions have a new visit. Rows are locked before they are compared, so that of several visits the earliest wins, whatever the order of their
 * transactions. Erased sessions stay as they are.
 * Subscribers learn of those that got a click ID or another source.
 * @param starts at most one of each session
 * @returns the sessions that were restated
 */
export async function restateSessions(tx: Tx, starts: readonly Restatement[], now: number): Promise<StartedSession[]> {
  const byNumber = new Map(starts.map((start) => [start.number, start]));
  const found = await lockSessions(tx, { sessions: starts.toSorted((a, b) => a.number - b.number) });
  const restated = found.flatMap((row) => {
    const start = byNumber.get(row.number);
    const isErased = row.visitor_id.startsWith(ERASED);
    const old = { ...row, started_at: row.started_at.getTime() };
    return start && !isErased && compareStarts(start, old) < 0 ? { start, old } : [];
  });
  if (restated.length === 0) return [];
  const clickIds = restated.map(({ start, old }) => {
    const of = { account_id: start.account_id, session_number: start.number };
    const [before, now] = [clickIdDigests(old.click_ids), clickIdDigests(start.click_ids)];
    return {
      dropped: before.filter((digest) => !now.includes(digest)).map((digest) => ({ ...of, digest })),
      current: now.map((digest) => ({ ...of, digest, seen_at: start.seen_at, is_new: !before.includes(digest) })),
    };
  });
  await writeStarts(tx, {
    starts: restated.map(({ start, old }) => ({
      ...start,
      click_ids: JSON.stringify(start.click_ids),
      // By a visit of a server no session is one of a bot, and then reports clear the flags of its other visits, too.
      is_bot: start.is_trusted ? old.is_bot : start.is_bot,
      lead_id: old.lead_id,
      old_started_at: old.started_at,
    })),
    dropped: clickIds.flatMap(({ dropped }) => dropped),
    current: clickIds.flatMap(({ current }) => current),
    identified: restated.flatMap(({ start, old }, i) => {
      const isNew = start.source !== old.source || clickIds[i]?.current.some(({ is_new }) => is_new);
      return isNew ? { account_id: start.account_id, number: start.number } : [];
    }),
    now: new Date(now),
  });
  return restated.map(({ start }) => ({ accountId: start.account_id, digests: clickIdDigests(start.click_ids) }));
}

interface LockedRow extends Omit<SessionStart, 'account_id' | 'started_at'> {
  visitor_id: string;
  started_at: Date;
  click_ids: ClickIds;
  lead_id: string | null;
}

const RESTATED = ['started_at', ...Object.keys(START_COLUMNS)];

const lockSessions = statement('tracking.lock_sessions', {
  sessions: rows({ account_id: 'uuid', number: 'bigint' }),
}).returns<LockedRow>(
  `select s.number, s.visitor_id, ${RESTATED.map((name) => `s.${name}`).join(', ')}, s.lead_id
   from :sessions as w
   join lateral (
     select * from sessions s where s.account_id = w.account_id and s.number = w.number limit 1 for no key update) s on true`,
);

const ofClickId = 'c.account_id = w.account_id and c.digest = w.digest and c.session_number = w.session_number';

/** Of the same click ID the earlier time stays: it decides which of several sessions has it. */
const writeStarts = statement('tracking.write_starts', {
  starts: rows({
    account_id: 'uuid',
    number: 'bigint',
    started_at: 'timestamptz',
    ...START_COLUMNS,
    lead_id: 'uuid?',
    old_started_at: 'timestamptz',
  }),
  dropped: rows({ account_id: 'uuid', digest: 'uuid', session_number: 'bigint' }),
  current: rows({
    account_id: 'uuid',
    digest: 'uuid',
    session_number: 'bigint',
    seen_at: 'timestamptz',
    is_new: 'boolean',
  }),
  identified: rows({ account_id: 'uuid', number: 'bigint' }),
  now: 'timestamptz',
}).runs(
  `with restated as (
     update sessions s set ${RESTATED.map((name) => `${name} = w.${name}`).join(', ')}
     from :starts as w where s.account_id = w.account_id and s.number = w.number),
   linked_leads as (
     update lead_sessions t set started_at = w.started_at
     from :starts as w
     where t.account_id = w.account_id and t.lead_id = w.lead_id and t.started_at = w.old_started_at and t.session_number = w.number),
   dropped_click_ids as (delete from click_ids c using :dropped as w where ${ofClickId}),
   earlier_click_ids as (
     update click_ids c set seen_at = w.seen_at from :current as w where ${ofClickId} and not w.is_new and w.seen_at < c.seen_at),
   new_click_ids as (
     insert into click_ids (account_id, digest, session_number, seen_at)
     select account_id, digest, session_number, seen_at from :current as w where is_new),
   announced as (
     ${announceIdentified(':identified as w where true')})
   insert into late_sessions (account_id, started_at, session_number)
   select account_id, started_at, number from :starts as w on conflict do nothing`,
);
