import { CLICK_ID_NAMES } from '../../shared/click-ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { SessionIds } from '../../shared/session-ids.ts';
import { clickIdDigest, normalizeShortHash, parseSessionId } from '../identifiers.ts';
import { prefixRange } from '../leads/list-leads.ts';
import { listLeadsByEmail } from '../leads/queries.ts';
import { findSessionsOfLeads, searchSessions as search } from './queries.ts';

const MAX_SESSIONS = 1_000;
const MAX_LEADS = 100;

/**
 * The numbers of the sessions that a search text may refer to: a hash, short hash, id, visitor id, click id of any
 * platform, client id of an event or visit, or the start of an email.
 */
export async function searchSessions(tx: Tx, ids: SessionIds, accountId: string, q: string): Promise<number[]> {
  const text = q.trim();
  const account = { account_id: accountId };
  if (text.includes('@')) {
    const range = prefixRange(text.toLowerCase());
    const leads = await listLeadsByEmail(tx, {
      ...account,
      ...range,
      from: null,
      to: null,
      after: '',
      limit: MAX_LEADS,
    });
    const found = await findSessionsOfLeads(tx, { ...account, leads: leads.map(({ id }) => id), limit: MAX_SESSIONS });
    return found.map(({ number }) => number);
  }
  const id = parseSessionId(text);
  const found = await search(tx, {
    ...account,
    text,
    number: id === undefined ? null : ids.numberOf(id),
    short_hash: normalizeShortHash(text),
    click_ids: CLICK_ID_NAMES.map((name) => clickIdDigest(name, text)),
    limit: MAX_SESSIONS,
  });
  return found.map(({ number }) => number);
}
