import { audit } from '../../shared/audit.ts';
import { type Fault, invalid, refuse } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import { writeOutbox } from '../../shared/outbox.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { STALE } from '../collections/stale.ts';
import type { CachedWriteContext } from '../entries/write-context.ts';
import { LIMITS } from '../limits.ts';
import { chosenLocales } from '../locales/published-locales.ts';
import { changeEntries } from '../publishing/publish-entries.ts';
import { byCollection } from './by-collection.ts';
import { checkSize } from './check-size.ts';
import type { Release } from './contract.ts';
import { findItems, findPinned, findReleases, finishRelease, measureRelease, type ReleaseRow } from './queries.ts';
import { pinName } from './resolve-items.ts';
import { serializeRelease } from './serialize.ts';

/**
 * Publishes everything of a release that the transaction has locked, in one transaction: readers see all of it or
 * nothing.
 * @throws ApiError 400 with every fault of every entry; the transaction must then be rolled back
 */
export async function publishRelease(tx: Tx, context: CachedWriteContext, release: ReleaseRow): Promise<Release> {
  const key = { account_id: release.account_id, id: release.id };
  const found = await findItems(tx, key);
  if (found.length === 0) {
    const detail = 'The release has no entries. Add some first.';
    throw invalid([{ pointer: '/items', code: 'release_empty', detail }]);
  }
  checkSize(await measureRelease(tx, key));
  const pinned = new Map((await findPinned(tx, key)).map((row) => [pinName(row), row]));
  const items = found.map((item, position) => ({
    id: item.entry_id,
    collectionId: publicId('col', item.collection_id),
    action: item.action,
    sentLocales: item.locales ?? undefined,
    position,
    pinned: pinned.get(pinName(item)),
    pointer: `/items/${position}`,
  }));
  const faults: Fault[] = [];
  await byCollection(tx, context, items, faults, async (collection, some) => {
    const chosen = some.map(({ sentLocales, ...item }) => ({
      ...item,
      locales: chosenLocales(collection, sentLocales, `${item.pointer}/locales`),
    }));
    const changed = await changeEntries(tx, context, collection, chosen);
    return changed === STALE ? STALE : undefined;
  });
  refuse(faults);
  return finish(tx, context, release, 'completed', null);
}

/** Ends a locked release and notifies subscribers. */
export async function finish(
  tx: Tx,
  { author, now }: Pick<CachedWriteContext, 'author' | 'now'>,
  release: ReleaseRow,
  status: 'completed' | 'failed',
  faults: Fault[] | null,
): Promise<Release> {
  const { account_id, id } = release;
  const kept = faults && JSON.stringify(faults.slice(0, LIMITS.releaseErrors));
  await finishRelease(tx, { account_id, id, status, faults: kept, now });
  const [row] = await findReleases(tx, { account_id, ids: [id] });
  if (!row) throw new Error('a locked release disappeared');
  const after = serializeRelease(row);
  const change = { resourceId: id, sequence: after.version, data: { ...after, by: undefined } };
  await writeOutbox(tx, account_id, `release.${status}`, [change], now);
  const audited = { name: after.name, entries: after.itemCount, code: faults?.[0]?.code };
  await audit(tx, author, { action: `release.${status}`, subject: ['release', after.id], after: audited }, now);
  return after;
}
