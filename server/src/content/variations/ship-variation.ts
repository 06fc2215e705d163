import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { STALE } from '../collections/stale.ts';
import { acceptValues } from '../entries/accept-values.ts';
import { checkChangedValues, type Values, writableValue } from '../entries/check-values.ts';
import { changeable, lockEntry } from '../entries/update-entry.ts';
import type { CachedWriteContext } from '../entries/write-context.ts';
import { updateEntries } from '../entries/write-entries.ts';
import { publishedLocalesOf } from '../locales/published-locales.ts';
import { findReturnedPublished } from '../publishing/queries.ts';
import type { SentItem } from '../releases/contract.ts';
import { createRelease, publishNow } from '../releases/manage-releases.ts';
import { requireAction } from '../roles/permitted.ts';

/** The values that an entry gets for everybody. */
export interface ShippedEntry {
  collectionId: string;
  entryId: string;
  values: Values;
}

export interface Shipped {
  /** Public ID. */
  releaseId: string;
  /** What the changed fields of each entry had before, by its ID. */
  before: Record<string, Values>;
}

/**
 * Writes values as new versions of entries, and a release of these versions. What is published changes in these values alone: drafts keep what
 * else was edited, with the values as well.
 * @throws ApiError 400 with every fault, or as `createRelease` and `publishNow`
 */
export async function shipVariation(
  tx: Tx,
  context: CachedWriteContext,
  { name, isPublished, entries }: { name: string; isPublished: boolean; entries: readonly ShippedEntry[] },
): Promise<Shipped> {
  const items: SentItem[] = [];
  const before: Record<string, Values> = {};
  for (const entry of entries) {
    const shipped = await shipEntry(tx, context, entry);
    items.push(shipped.item);
    before[entry.entryId] = shipped.before;
  }
  const { id } = await createRelease(tx, context, { name, items });
  if (isPublished) await publishNow(tx, context, id);
  return { releaseId: id, before };
}

async function shipEntry(
  tx: Tx,
  context: CachedWriteContext,
  { collectionId, entryId, values }: ShippedEntry,
): Promise<{ item: SentItem; before: Values }> {
  const { accountId } = context.author;
  return context.cache.use(tx, accountId, collectionId, async (collection) => {
    const draft = changeable(await lockEntry(tx, accountId, collection, entryId), {});
    if (draft.collection_version !== collection.version) return STALE;
    await requireAction(tx, accountId, collection, 'update', [draft.id]);
    const key = { account_id: accountId, collection_id: collection.id, id: draft.id };
    const [published] = await findReturnedPublished(tx, key);
    const drafted: Values = readJson(draft.values);
    const shown: Values = published ? readJson(published.values) : drafted;

    const write = async (onto: Values) => {
      const locked = changeable(await lockEntry(tx, accountId, collection, entryId), {});
      const changed = await acceptValues(tx, accountId, checkChangedValues(collection, values, onto));
      const update = { before: locked, values: changed, status: locked.status };
      const [written] = await updateEntries(tx, context, collection, [update]);
      return written;
    };
    const shipped = await write(shown);
    const isEdited = published !== undefined && Number(published.version) !== draft.version;
    if (!shipped || (isEdited && !(await write(drafted)))) return STALE;

    const fields = Object.keys(values).flatMap((id) => collection.byId.get(id) ?? []);
    const locales =
      collection.locales && published
        ? {
            locales: Object.keys(
              publishedLocalesOf(collection.locales, { ...published, published_version: published.version }),
            ),
          }
        : {};
    return {
      item: { collectionId, entryId, version: shipped.version, ...locales },
      before: Object.fromEntries(fields.map((field) => [field.id, writableValue(field, shown) ?? null])),
    };
  });
}
