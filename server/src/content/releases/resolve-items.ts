import { type Fault, refuse } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { type Collection, isActive } from '../collections/collection.ts';
import { STALE } from '../collections/stale.ts';
import { checkPublishedValues } from '../entries/check-values.ts';
import { lockEntries } from '../entries/queries.ts';
import type { CachedWriteContext } from '../entries/write-context.ts';
import { chosenLocales, presentLocales } from '../locales/published-locales.ts';
import { publishedOf } from '../publishing/published-of.ts';
import { requireAction } from '../roles/permitted.ts';
import { byCollection } from './by-collection.ts';
import { checkSize } from './check-size.ts';
import type { SentItem } from './contract.ts';
import { findVersionValues, measureItems } from './queries.ts';

/** An item as it is stored. */
export interface ResolvedItem {
  entry_id: string;
  collection_id: string;
  position: number;
  action: 'publish' | 'unpublish';
  version: number | null;
  /** JSON text. */
  values: string | null;
  /** A JSON array; null: all. */
  locales: string | null;
}

/** The values of versions by `entry version`, as JSON text. */
type PinnedValues = ReadonlyMap<string, string>;
export const pinName = ({ entry_id, version }: { entry_id: string; version: number | null }) =>
  `${entry_id} ${version}`;

/**
 * Finds the entries and versions that the items of a release name.
 * @param kept versions that the release has already, which may be too old for the history of their entry
 * @param isScheduled whether the values must be ones that can be published
 * @throws ApiError 400 `release_too_large`, or with every fault of every item
 */
export async function resolveItems(
  tx: Tx,
  context: CachedWriteContext,
  sent: readonly SentItem[],
  kept: PinnedValues,
  isScheduled: boolean,
): Promise<ResolvedItem[]> {
  const faults: Fault[] = [];
  const seen = new Set<string>();
  const located = sent.flatMap((item, position) => {
    const pointer = `/items/${position}`;
    const detail = 'The release already contains this entry. Send each entry once.';
    if (seen.has(item.entryId)) faults.push({ pointer: `${pointer}/entryId`, code: 'entry_repeated', detail });
    seen.add(item.entryId);
    return { ...item, position, pointer, id: parseId('ent', item.entryId) };
  });
  const { accountId: account_id } = context.author;
  const measured = located.flatMap(({ id, version = null }) => (id === undefined ? [] : { entry_id: id, version }));
  checkSize(await measureItems(tx, { account_id, items: measured }));
  const resolved: ResolvedItem[] = [];
  await byCollection(tx, context, located, faults, async (collection, items) => {
    publishedOf(collection, '');
    const ids = items.flatMap(({ id }) => id ?? []);
    // Locked until the items are stored, so that deleting an entry permanently finds its values in the release, too.
    const found = await lockEntries(tx, account_id, collection, ids);
    if (found[0] && found[0].collection_version !== collection.version) return STALE;
    await requireAction(
      tx,
      account_id,
      collection,
      'publish',
      found.map(({ id }) => id),
    );
    const entries = new Map(found.filter(isActive).map((entry) => [entry.id, entry]));
    const rows = items.flatMap(({ id = '', position, action = 'publish', version, locales: sent }) => {
      const locales = chosenLocales(collection, sent, `/items/${position}/locales`);
      const entry = entries.get(id);
      const detail = 'There is no entry with this ID in this collection.';
      if (!entry) faults.push({ pointer: `/items/${position}/entryId`, code: 'entry_unknown', detail });
      const pinned = action === 'unpublish' || version === null ? null : (version ?? entry?.version ?? null);
      return entry ? { entry_id: id, collection_id: collection.id, position, action, version: pinned, locales } : [];
    });
    const versions = rows.flatMap(({ entry_id, version }) => (version === null ? [] : { entry_id, version }));
    const stored = await findVersionValues(tx, { account_id, versions });
    const known = new Map([...kept, ...stored.map((row) => [pinName(row), row.values] as const)]);
    for (const row of rows) {
      const values = row.version === null ? null : (known.get(pinName(row)) ?? null);
      if (row.version !== null && values === null) faults.push(versionUnknown(row));
      else if (isScheduled && values !== null) faults.push(...valueFaults(collection, row, values));
      resolved.push({ ...row, values, locales: row.locales ? JSON.stringify(row.locales) : null });
    }
    return undefined;
  });
  refuse(faults);
  return resolved;
}

function versionUnknown({
  entry_id,
  position,
  version,
}: {
  entry_id: string;
  position: number;
  version: number | null;
}) {
  const detail = `The entry ${publicId('ent', entry_id)} has no version ${version}, or it is no longer kept.`;
  return { pointer: `/items/${position}/version`, code: 'version_unknown', detail };
}

function valueFaults(
  collection: Collection,
  { position, locales }: { position: number; locales: string[] | undefined },
  text: string,
): Fault[] {
  const values = readJson(text);
  const chosen = collection.locales ? (locales ?? presentLocales(collection, collection.locales, values)) : undefined;
  const { faults } = checkPublishedValues(collection, values, chosen);
  return faults.map((fault) => ({ ...fault, pointer: `/items/${position}${fault.pointer}` }));
}
