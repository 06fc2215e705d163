import { invalid } from '../../shared/errors.ts';
import { keysetPage } from '../../shared/http/keyset-page.ts';
import { FIRST_ID, parseId, publicId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { PageTokens } from '../../shared/page-token.ts';
import type { Database } from '../../shared/postgres/database.ts';
import type { SchemaView } from '../collections/collection.ts';
import { type Collection, isActive, type NestedField } from '../collections/collection.ts';
import type { Values } from '../entries/check-values.ts';
import { useEntry } from '../entries/get-entry.ts';
import type { EntryPath } from '../entries/update-entry.ts';
import { typeOf } from '../field-types/index.ts';
import { LIMITS } from '../limits.ts';
import { readableOfAny } from '../roles/permitted.ts';
import type { EntryTitle, Usage } from './contract.ts';
import { findTitledEntries, findUsages, type UsageRow } from './queries.ts';

/**
 * The active entries that reference an entry, in their latest version or in the published one, oldest first.
 * @throws ApiError 404 if the entry is deleted, unless `includeDeleted`
 */
export function listUsages(
  db: Database,
  cache: SchemaView,
  tokens: PageTokens,
  accountId: string,
  path: EntryPath,
  query: { pageSize?: number; pageToken?: string; includeDeleted?: boolean },
): Promise<{ usages: Usage[]; nextPageToken: string | null }> {
  return useEntry(db, cache, accountId, path, query.includeDeleted ?? false, async (collection, { id }) => {
    const scope = { account_id: accountId, collection_id: collection.id, key: publicId('ent', id) };
    const { rows, nextPageToken } = await keysetPage<UsageRow, string>({
      tokens,
      scope: [accountId, 'usages', id],
      query,
      read: (after = FIRST_ID, limit) => findUsages(db, { ...scope, after, limit }),
      positionOf: ({ entry_id }) => entry_id,
    });
    const named = rows.map((row) => ({ ...row, id: row.entry_id }));
    const readableRows = await readableOfAny(db, accountId, cache, named);
    const collections = await collectionsOf(db, cache, accountId, readableRows);
    const ids = readableRows.map(({ entry_id }) => entry_id);
    const found = ids.length === 0 ? [] : await findTitledEntries(db, { account_id: accountId, ids });
    const values = new Map(found.map((row) => [row.id, readJson(row.values) as Values]));
    const usages = readableRows.flatMap(({ entry_id, collection_id, field_keys }): Usage[] => {
      const using = collections.get(collection_id);
      if (!using) return [];
      const title = titleOf(using, values.get(entry_id) ?? {});
      const fields = fieldPaths(using, new Set(field_keys.map(Number)));
      if (fields.length === 0 && cache.access) return [];
      return [{ entryId: publicId('ent', entry_id), collectionId: using.publicId, title, fields }];
    });
    return { usages, nextPageToken };
  });
}

/** The titles of entries of any collection, deleted ones included; those that do not exist are left out. */
export async function getEntryTitles(
  db: Database,
  cache: SchemaView,
  accountId: string,
  sent: string,
): Promise<EntryTitle[]> {
  const texts = [...new Set(sent.split(','))];
  if (texts.length > LIMITS.titledEntries) {
    const detail = `The titles of at most ${LIMITS.titledEntries} entries can be read at once.`;
    throw invalid([{ pointer: '?ids', code: 'too_many', detail }]);
  }
  const ids = texts.flatMap((id) => parseId('ent', id.trim()) ?? []);
  const found = ids.length === 0 ? [] : await findTitledEntries(db, { account_id: accountId, ids });
  const rows = await readableOfAny(db, accountId, cache, found);
  const collections = await collectionsOf(db, cache, accountId, rows);
  return rows.flatMap((row): EntryTitle[] => {
    const collection = collections.get(row.collection_id);
    if (!collection) return [];
    return [
      {
        id: publicId('ent', row.id),
        collectionId: collection.publicId,
        title: titleOf(collection, readJson(row.values)),
        status: row.status,
        isPublished: !collection.publishing || row.published_version != null,
      },
    ];
  });
}

/** As they are cached: a title may follow a changed display field a little later. */
async function collectionsOf(
  db: Database,
  cache: SchemaView,
  accountId: string,
  rows: readonly { collection_id: string }[],
): Promise<Map<string, Collection>> {
  const ids = [...new Set(rows.map(({ collection_id }) => publicId('col', collection_id)))];
  const collections = await cache.loadCurrent(db, accountId, ids, false);
  return new Map(collections.map((collection) => [collection.id, collection]));
}

/** An entry that is only translated has the title of its first translation. */
function titleOf({ row, fields, byId }: Collection, values: Values): string | null {
  const display = row.display_field_id === null ? undefined : byId.get(row.display_field_id);
  const field = display ?? fields.find((each) => isActive(each) && each.type === 'text' && each.format === undefined);
  const named = fields.filter((each) => each === field || (each.translationOf === field?.id && isActive(each)));
  const found = named.find(({ id }) => Object.hasOwn(values, id));
  const value = found && [values[found.id]].flat()[0];
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, LIMITS.labelLength) : null;
}

function fieldPaths({ fields }: { fields: readonly NestedField[] }, keys: ReadonlySet<number>, at = ''): string[] {
  const isUsed = ({ key, publishedKey = key }: { key: number; publishedKey?: number }) =>
    keys.has(key) || keys.has(publishedKey);
  return fields.flatMap((field) => {
    const path = at + field.id;
    if ('hidden' in field) return [];
    if (typeOf(field).structure !== 'fields') return isUsed(field) ? path : [];
    const inBlocks = (field.blocks ?? []).flatMap((block) => fieldPaths(block, keys, `${path}.${block.id}.`));
    return [...inBlocks, ...fieldPaths({ fields: field.fields ?? [] }, keys, `${path}.`)];
  });
}
