import type { Tx } from '../../shared/postgres/database.ts';
import { rows, statement } from '../../shared/postgres/statement.ts';
import { readLanding } from '../ingest/landing.ts';
import { restateSessions } from '../ingest/restate-sessions.ts';
import { isCompatible } from '../ingest/session-rules.ts';
import type { SessionStart } from '../ingest/session-start.ts';
import { sourceOf } from '../ingest/source-medium.ts';

/** Sessions that one transaction looks at. */
const STEP = 5_000;

/**
 * Looks at the next sessions that an earlier version recorded, and restates those that start with another visit than their earliest. No session loses a click
 * ID or a campaign: with an earlier visit without, it would have been two. Device and country stay, as visits do not have them.
 * @returns the account and the numbers of the sessions that changed; undefined when nothing is left
 */
export async function checkStarts(tx: Tx, now: number): Promise<{ accountId: string; numbers: number[] } | undefined> {
  const [check] = await takeStartCheck(tx);
  if (!check) return undefined;
  const { account_id } = check;
  const found = await findEarlierVisits(tx, { ...check, limit: STEP });
  const starts = found.flatMap(({ landing_url, url, referrer, occurred_at, received_at, is_trusted, ...session }) => {
    if (url === null || occurred_at === null || received_at === null || is_trusted === null) return [];
    const landing = readLanding(url);
    if (!isCompatible(landing, readLanding(landing_url))) return [];
    return {
      ...session,
      ...sourceOf({ url, referrer, landing }),
      account_id,
      started_at: occurred_at.getTime(),
      landing_url: url,
      referrer,
      campaign: landing.campaign ?? landing.adCampaignId,
      term: landing.term,
      content: landing.content,
      utm_id: landing.utmId,
      click_ids: landing.clickIds,
      is_trusted,
      seen_at: (is_trusted ? occurred_at : received_at).getTime(),
    };
  });
  await restateSessions(tx, starts, now);
  const next = found.length === STEP ? (found.at(-1)?.number ?? null) : null;
  await updateStartCheck(tx, { checks: [{ account_id, after: next }] });
  return { accountId: account_id, numbers: starts.map(({ number }) => number) };
}

const takeStartCheck = statement('tracking.take_start_check', {}).returns<{ account_id: string; after: number }>(
  'select account_id, after from session_start_checks order by account_id limit 1 for update skip locked',
);

/** Continues after a session number, or ends the check. */
const updateStartCheck = statement('tracking.update_start_check', {
  checks: rows({ account_id: 'uuid', after: 'bigint?' }),
}).runs(
  `with done as (
     delete from session_start_checks c using :checks as w where c.account_id = w.account_id and w.after is null)
   update session_start_checks c set after = w.after from :checks as w
   where c.account_id = w.account_id and w.after is not null`,
);

type KeptRow = Pick<
  SessionStart,
  'number' | 'landing_url' | 'device' | 'browser' | 'os' | 'country' | 'region' | 'is_bot' | 'is_internal'
>;

/** Sessions in the order of their numbers, each with its earliest visit if that lies before the start. */
const findEarlierVisits = statement('tracking.find_earlier_visits', {
  account_id: 'uuid',
  after: 'bigint',
  limit: 'integer',
}).returns<
  KeptRow & {
    url: string | null;
    referrer: string | null;
    occurred_at: Date | null;
    received_at: Date | null;
    is_trusted: boolean | null;
  }
>(
  `select s.number, s.landing_url, s.device, s.browser, s.os, s.country, s.region, s.is_bot, s.is_internal,
     v.url, v.referrer, v.occurred_at, v.received_at, v.is_trusted
   from (select * from sessions where account_id = :account_id and number > :after order by number limit :limit) s
   left join lateral (
     select * from visits v
     where v.account_id = :account_id and v.session_number = s.number and v.occurred_at < s.started_at
     order by v.occurred_at, v.id limit 1) v on true
   order by s.number`,
);
