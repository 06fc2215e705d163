import { badRequest, invalid } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { collectionIdsOf } from '../collections/collection-keys.ts';
import { CHANGES_DAYS, type PublicChange, type PublicChanges } from './contract.ts';
import {
  assignSequences,
  type ChangeRow,
  deleteExpiredChanges,
  type FeedRow,
  findExpiredFeeds,
  findFeeds,
  findFollowable,
  listChanges,
  lockFeed,
} from './queries.ts';

// Changes get their cursors when they are read: a transaction that assigned one itself would let every other one of the account that
// publishes wait for its end. What a reader numbers is committed, and only one reader numbers at a time, so that a cursor never
// becomes visible after a higher one.

/** A transaction takes about 50 ms. */
const BATCH = 5_000;
const PAGE = 1_000;

/** What a reader has asked for. */
export interface Following {
  accountId: string;
  /** The last change that it knows. */
  after: number;
  /** UUIDs; null: all. */
  collections: string[] | null;
}

/** Gives every change that is committed its cursor. */
async function assign(db: Database, account_id: string): Promise<void> {
  for (let isFull = true; isFull; ) {
    isFull = await db.transaction(async (tx) => {
      await lockFeed(tx, { account_id });
      const [assigned] = await assignSequences(tx, { account_id, limit: BATCH });
      return assigned?.count === BATCH;
    });
  }
}

/** How far the feeds of accounts are. All that was committed before has its cursor. */
export async function currentFeeds(db: Database, accounts: string[]): Promise<FeedRow[]> {
  const found = await findFeeds(db, { accounts });
  const waiting = found.filter(({ is_waiting }) => is_waiting).map(({ account_id }) => account_id);
  if (waiting.length === 0) return found;
  await Promise.all(waiting.map((account) => assign(db, account)));
  return findFeeds(db, { accounts });
}

/** @throws ApiError 400 `cursor_invalid`, `cursor_expired`, `collection_unknown` */
export async function startFollowing(
  db: Database,
  accountId: string,
  sent: { since?: string | undefined; collections?: string | undefined },
): Promise<Following> {
  const [feed] = await currentFeeds(db, [accountId]);
  const { last = 0, expired = 0 } = feed ?? {};
  const collections = await namedCollections(db, accountId, sent.collections);
  const { since = String(expired) } = sent;
  if (since === 'now') return { accountId, after: last, collections };
  const after = Number(since);
  if (!/^\d{1,15}$/.test(since)) {
    const detail = 'The cursor is unreadable. Send one of a response as it is, or leave `since` out.';
    throw invalid([{ pointer: '?since', code: 'cursor_invalid', detail }]);
  }
  if (after < expired || after > last) throw cursorExpired();
  return { accountId, after, collections };
}

async function namedCollections(db: Database, account_id: string, sent: string | undefined): Promise<string[] | null> {
  if (sent === undefined || sent === '') return null;
  const names = sent.split(',');
  const named = (await collectionIdsOf(db, account_id, names)).map((name) => ({ name, id: parseId('col', name) }));
  const ids = named.flatMap(({ id }) => id ?? []);
  const found = new Set((await findFollowable(db, { account_id, ids })).map(({ id }) => id));
  const unknown = named.find(({ id }) => id === undefined || !found.has(id));
  if (unknown) {
    const detail = `There is no public collection with the ID or key "${unknown.name.slice(0, 70)}".`;
    throw invalid([{ pointer: '?collections', code: 'collection_unknown', detail }]);
  }
  return ids;
}

const cursorExpired = () =>
  badRequest(
    'cursor_expired',
    `Changes after this cursor are not kept any more, as it is older than ${CHANGES_DAYS} days or from before a restored backup. ` +
      'Get the current cursor with `since=now`, read the content anew, and continue from that cursor.',
  );

/** The next changes, and how far they reach. @throws ApiError 400 `cursor_expired` */
export async function nextChanges(
  db: Database,
  { accountId, after, collections }: Following,
): Promise<{ page: PublicChanges; last: number; hasMore: boolean }> {
  const [feed] = await currentFeeds(db, [accountId]);
  const { last = 0 } = feed ?? {};
  const rows = await listChanges(db, { account_id: accountId, after, last, collections, limit: PAGE });
  // Read afterwards: what expired in between is missing in the rows.
  const [now] = await findFeeds(db, { accounts: [accountId] });
  if (after < (now?.expired ?? 0)) throw cursorExpired();
  const hasMore = rows.length === PAGE;
  const reached = hasMore ? (rows.at(-1)?.sequence ?? last) : Math.max(last, after);
  return { page: { changes: rows.map(serializeChange), cursor: String(reached) }, last: reached, hasMore };
}

function serializeChange({ sequence, type, locale, slug, ...row }: ChangeRow): PublicChange {
  return {
    cursor: String(sequence),
    type,
    collection: publicId('col', row.collection_id),
    entryId: publicId('ent', row.entry_id),
    locale,
    slug,
    previousSlug: row.previous_slug,
    at: isoTime(row.at),
  };
}

/** Deletes the changes from before a time, in all accounts. */
export async function expireChanges(db: Database, before: number, signal: AbortSignal): Promise<void> {
  const time = new Date(before);
  for (let found = 1; found > 0 && !signal.aborted; ) {
    const accounts = await findExpiredFeeds(db, { before: time, limit: BATCH });
    found = 0;
    for (const { account_id } of accounts) {
      await assign(db, account_id);
      found += await db.transaction(async (tx) => {
        await lockFeed(tx, { account_id });
        const [deleted] = await deleteExpiredChanges(tx, { account_id, before: time, limit: BATCH });
        return deleted?.count ?? 0;
      });
    }
  }
}
