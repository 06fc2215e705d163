import { type Action, readsEverything } from '../../accounts/index.ts';
import { notFound } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import type { Database, Tx } from '../../shared/postgres/database.ts';
import type { SchemaView } from '../collections/collection.ts';
import { getEntryTitles } from '../references/usages.ts';
import { readableOfAny, requireAction } from '../roles/permitted.ts';
import type { Release } from './contract.ts';
import { findItems, type ReleaseRow } from './queries.ts';

/** Whether a role reads every entry of a release: otherwise it does not exist for it. */
async function isVisible(tx: Tx, schema: SchemaView, { account_id, id }: ReleaseRow): Promise<boolean> {
  if (readsEverything(schema.access)) return true;
  const items = (await findItems(tx, { account_id, id })).map((item) => ({ ...item, id: item.entry_id }));
  // One without entries is for those who could fill it.
  if (items.length === 0) return schema.access?.permissions.some(({ actions }) => actions.includes('publish')) === true;
  return (await readableOfAny(tx, account_id, schema, items)).length === items.length;
}

export async function visibleReleases(tx: Tx, schema: SchemaView, rows: readonly ReleaseRow[]): Promise<ReleaseRow[]> {
  const visible: ReleaseRow[] = [];
  for (const row of rows) if (await isVisible(tx, schema, row)) visible.push(row);
  return visible;
}

/** @throws ApiError 404; 400 `role_insufficient`, `condition_not_met` if the role may not do the action to every entry */
export async function requireRelease(tx: Tx, schema: SchemaView, row: ReleaseRow, action: Action): Promise<void> {
  if (!schema.access) return;
  if (!(await isVisible(tx, schema, row))) throw notFound('release');
  const items = Map.groupBy(
    await findItems(tx, { account_id: row.account_id, id: row.id }),
    (item) => item.collection_id,
  );
  const ids = [...items.keys()].map((id) => publicId('col', id));
  for (const collection of await schema.loadCurrent(tx, row.account_id, ids, false)) {
    const entries = (items.get(collection.id) ?? []).map(({ entry_id }) => entry_id);
    await requireAction(tx, row.account_id, collection, action, entries);
  }
}

/** Releases without what a role may not read: titles of hidden fields, and the faults of these. */
export async function forReader(
  db: Database,
  schema: SchemaView,
  accountId: string,
  releases: readonly Release[],
): Promise<Release[]> {
  if (!schema.access) return [...releases];
  const titles = await titlesOf(
    db,
    schema,
    accountId,
    releases.flatMap(({ item }) => item?.entryId ?? []),
  );
  return releases.map((release) => ({
    ...release,
    ...(release.item && { item: { ...release.item, title: titles.get(release.item.entryId) ?? null } }),
    errors:
      release.errors?.map(({ pointer, code }) => ({
        pointer: pointer.split('/').slice(0, 3).join('/'),
        code,
        detail: 'This entry could not be published.',
      })) ?? null,
  }));
}

/** The titles of entries, as a role reads them. */
export async function titlesOf(
  db: Database,
  schema: SchemaView,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  const titles = new Map<string, string | null>();
  for (let at = 0; at < ids.length; at += CHUNK) {
    const some = await getEntryTitles(db, schema, accountId, ids.slice(at, at + CHUNK).join(','));
    for (const { id, title } of some) titles.set(id, title);
  }
  return titles;
}

const CHUNK = 50;
