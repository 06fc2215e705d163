import { notGranted, type RoleAccess, readsEverything } from '../../accounts/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest, type Fault, invalid } from '../../shared/errors.ts';
import { type Database, type Tx, within } from '../../shared/postgres/database.ts';
import { parseTimestamp } from '../../shared/time.ts';
import { DAY } from '../../shared/units.ts';
import { CHANGES_DAYS } from '../changes/contract.ts';
import type { Collection, SchemaView } from '../collections/collection.ts';
import { everyField } from '../collections/field.ts';
import { isPublic } from '../delivery/public-view.ts';
import { findEntries } from '../entries/queries.ts';
import { deletePublished, writePublished } from '../publishing/write-published.ts';
import { rolledBack } from '../writes/rolled-back.ts';
import { findFormer, findPublishedSince } from './former.ts';

/** How many entries are published or hidden at most for a read, of which something else is public now. */
const MAX_CHANGES = 2_000;

/** Who reads. */
interface PastCaller {
  type: string;
  accountId: string;
  access?: RoleAccess | undefined;
}

/**
 * The time of a read of the past in milliseconds.
 * @throws ApiError 400 `secret_token_required`, `role_insufficient`, `preview_conflict`, `time_future`, `time_not_kept`
 */
export function pastTime({ clock }: Pick<Deps, 'clock'>, caller: PastCaller, at: string, preview?: string): number {
  const refused = (code: string, detail: string) => invalid([{ pointer: '?at', code, detail } satisfies Fault]);
  if (caller.type !== 'secret') {
    throw refused(
      'secret_token_required',
      'Only a secret API token reads what was public before: it may be public no more.',
    );
  }
  if (!readsEverything(caller.access)) throw notGranted('the past of public content is for those who read everything');
  if (preview !== undefined) throw refused('preview_conflict', 'Send a preview token or `at`, not both.');
  const time = parseTimestamp(at) ?? Date.parse(at);
  if (time > clock()) {
    throw refused(
      'time_future',
      'The time is in the future. What will be public is read by a preview: `POST …/preview?at=`.',
    );
  }
  if (time < clock() - CHANGES_DAYS * DAY) {
    throw refused('time_not_kept', `What was public is kept for ${CHANGES_DAYS} days. Send a later time.`);
  }
  return time;
}

/**
 * Reads public content as it was: publishes what was public then in a transaction, reads, and rolls back, so that filters, orders,
 * references and URLs are exactly those of then. Fields, and which collections are public, are those of now.
 * @param collections all whose entries the read names (public IDs), apart from those that they reference
 * @throws ApiError 400 `query_too_expensive`
 */
export function readPast<Result>(
  { db, publicUrl }: Deps,
  cache: SchemaView,
  accountId: string,
  collections: readonly string[],
  at: number,
  read: (db: Database) => Promise<Result>,
): Promise<Result> {
  return rolledBack((shown) =>
    db.transaction(async (tx) => {
      const reached = await reachedFrom(tx, cache, accountId, collections);
      await publishFormer(tx, accountId, reached, at, publicUrl());
      shown(await read(within(db, tx)));
    }),
  );
}

/** Public collections to which references lead from these. */
async function reachedFrom(tx: Tx, cache: SchemaView, accountId: string, publicIds: readonly string[]) {
  const all = new Map<string, Collection>();
  const known = new Set(publicIds);
  for (let next = [...known]; next.length > 0; ) {
    const loaded = await cache.loadCurrent(tx, accountId, next, false);
    next = [];
    for (const collection of loaded) {
      all.set(collection.id, collection);
      for (const id of everyField(collection.fields).flatMap(({ collectionIds }) => collectionIds ?? [])) {
        if (known.has(id)) continue;
        known.add(id);
        next.push(id);
      }
    }
  }
  return [...all.values()].filter(isPublic);
}

async function publishFormer(
  tx: Tx,
  account_id: string,
  collections: readonly Collection[],
  at: number,
  publicUrl: string,
): Promise<void> {
  const limit = MAX_CHANGES + 1;
  const query = { account_id, collections: collections.map(({ id }) => id), at: new Date(at), limit };
  const later = await findPublishedSince(tx, query);
  const former = await findFormer(tx, query);
  if (new Set([...later, ...former].map(({ id }) => id)).size > MAX_CHANGES) {
    const detail =
      `More than ${MAX_CHANGES.toLocaleString('en')} entries of this collection and of those that it references were published or unpublished ` +
      'since this time. Send a later time, or read their versions.';
    throw badRequest('query_too_expensive', detail);
  }
  const author = { accountId: account_id, type: 'command', id: null, address: null } as const;
  for (const collection of collections) {
    const own = (row: { collection_id: string }) => row.collection_id === collection.id;
    const [hidden, shown] = [later.filter(own), former.filter(own)];
    const ids = [...new Set([...hidden, ...shown].map(({ id }) => id))];
    if (ids.length === 0) continue;
    const entries = new Map((await findEntries(tx, account_id, collection, ids)).map((row) => [row.id, row]));
    const context = { author, now: 0, publicUrl };
    const removed = hidden.flatMap(({ id }) => entries.get(id) ?? []);
    if (removed.length > 0) await deletePublished(tx, context, collection, removed);
    const published = shown.flatMap(({ id, values, version, locales, published_at }) => {
      const entry = entries.get(id);
      const then = { values, version, published_version: null, published_at, published_locales: locales };
      return entry ? [{ ...entry, ...then, current_version: entry.version }] : [];
    });
    if (published.length > 0) await writePublished(tx, context, collection, published);
  }
}
