import type { Tx } from '../shared/postgres/database.ts';
import { CLICK_ID_NAMES } from './click-ids.ts';
import { clickIdDigest, identify } from './identifier.ts';
import { findSessionsOfLeads, searchSessions as search, searchLeads } from './list-queries.ts';

const MOST = 1_000;
const MOST_LEADS = 100;

/**
 * Numbers of the sessions that a person may mean by what he has in hand: a hash, a short hash, a number, a visitor's id, a
 * click id of any platform, the id that a page or a server gave an event or a visit, or the beginning of an e-mail.
 */
export async function searchSessions(tx: Tx, accountId: string, text: string): Promise<number[]> {
  const wanted = text.trim();
  if (wanted.includes('@')) {
    const [from, to] = beginningWith(wanted.toLowerCase());
    const leads = await searchLeads(tx, accountId, from, to, null, MOST_LEADS, null, null);
    const rows = await findSessionsOfLeads(
      tx,
      accountId,
      leads.map(({ id }) => id),
      MOST,
    );
    return rows.map(({ number }) => number);
  }
  const named = identify('hash', wanted);
  const short = identify('shortHash', wanted);
  const rows = await search(
    tx,
    accountId,
    wanted,
    named?.lookUp === 'number' ? named.value : null,
    short?.value ?? null,
    wanted,
    CLICK_ID_NAMES.map((name) => clickIdDigest(name, wanted)),
    wanted,
    MOST,
  );
  return rows.map(({ number }) => number);
}

/** What comes first of all texts that begin with this one, and what comes after all of them, byte by byte. */
export function beginningWith(text: string): [string, string] {
  return [text, `${text}\u{10ffff}`];
}
