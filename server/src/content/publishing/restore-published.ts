import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { statement } from '../../shared/postgres/statement.ts';
import type { Collection } from '../collections/collection.ts';
import type { Entry } from '../entries/contract.ts';
import type { WritableEntryRow } from '../entries/queries.ts';
import type { WriteContext } from '../entries/write-context.ts';
import type { PublishedLocales } from '../locales/published-locales.ts';
import { findPublishedRows, movePublished } from './queries.ts';
import { writePublished } from './write-published.ts';

/** Stores what is published of entries that are about to be deleted. */
export const keepPublished = statement('content.keep_published', { account_id: 'uuid', ids: 'uuid[]' }).runs(
  `insert into deleted_publications as d (account_id, entry_id, "values", version, locales)
   select account_id, id, "values", version, locales from published_entries
   where account_id = :account_id and id = any(:ids)
   on conflict (account_id, entry_id) do update
     set "values" = excluded."values", version = excluded.version, locales = excluded.locales`,
);

const takeKept = statement('content.take_kept_published', { account_id: 'uuid', ids: 'uuid[]' }).returns<{
  id: string;
  values: string;
  version: number;
  locales: PublishedLocales | null;
}>(
  `delete from deleted_publications where account_id = :account_id and entry_id = any(:ids)
   returning entry_id as id, "values"::text as "values", version, locales`,
);

/** The version that an entry has after it was restored unchanged is approved if the one before its deletion was. */
const keepApproval = statement('content.keep_approval', {
  account_id: 'uuid',
  id: 'uuid',
  was: 'integer',
  version: 'integer',
}).runs(
  `update entry_reviews set approved_versions = array_append(approved_versions, :version)
   where account_id = :account_id and entry_id = :id and :was = any(approved_versions)
     and not :version = any(approved_versions)`,
);

/** An entry that was restored from the trash. */
interface RestoredEntry {
  before: WritableEntryRow;
  /** As JSON text. */
  values: string;
  version: number;
  entry: Entry;
}

/**
 * Publishes again what was published of entries when they were deleted, in the transaction that restores them. Returns the
 * entries as they are then.
 * @param mayPublish if not, the entries are drafts from now on
 * @throws ApiError 400 `value_taken` if another published entry has taken a unique value
 */
export async function restorePublished(
  tx: Tx,
  context: Pick<WriteContext, 'author' | 'now' | 'publicUrl'>,
  collection: Collection,
  restored: readonly RestoredEntry[],
  mayPublish: boolean,
): Promise<Map<string, Entry>> {
  const account_id = context.author.accountId;
  const byId = new Map(restored.map((each) => [each.before.id, each]));
  for (const { before, values, version } of restored) {
    const was = before.version - 1;
    if (isSame(values, before.values)) await keepApproval(tx, { account_id, id: before.id, was, version });
  }
  const kept = await takeKept(tx, { account_id, ids: [...byId.keys()] });
  const rows = (mayPublish ? kept : []).flatMap(({ id, values, version, locales }) => {
    const each = byId.get(id);
    if (each === undefined) return [];
    // What was published without changes is so again.
    const isCurrent = version === each.before.version - 1 && isSame(values, each.values);
    const published = isCurrent ? each.version : version;
    const published_locales = locales && isCurrent ? allAt(locales, published) : locales;
    const row = { ...each.before, status: 'active' as const, published_version: null, published_locales };
    return [{ ...row, values, version: published, current_version: each.version }];
  });
  if (rows.length === 0) return new Map();
  const published = await writePublished(tx, context, collection, rows);
  return new Map(
    published.map((entry, i) => {
      const { id = '' } = rows[i] ?? {};
      const restoredEntry = byId.get(id)?.entry ?? entry;
      const { publishedVersion, publishedAt, publishedLocales } = entry;
      const state = {
        publishedVersion: publishedVersion ?? null,
        publishedAt: publishedAt ?? null,
        ...(publishedLocales && { publishedLocales }),
      };
      return [id, { ...restoredEntry, ...state }];
    }),
  );
}

const isSame = (values: string, others: string) =>
  JSON.stringify(readJson(values)) === JSON.stringify(readJson(others));

const allAt = (locales: PublishedLocales, version: number): PublishedLocales =>
  Object.fromEntries(Object.keys(locales).map((locale) => [locale, version]));

/**
 * After a version was restored that is the published one: the new version, if it has its values, is published. Returns the
 * published version and locales.
 */
export async function followPublished(
  tx: Tx,
  account_id: string,
  { id, published_version, published_locales }: WritableEntryRow,
  restoredFrom: number,
  { version, values }: { version: number; values: string },
): Promise<{ published_version: number; published_locales: PublishedLocales | null } | undefined> {
  const locales = published_locales ?? null;
  const isPublished =
    published_version === restoredFrom &&
    (locales === null || Object.values(locales).every((each) => each === restoredFrom));
  if (!isPublished) return undefined;
  const [published] = await findPublishedRows(tx, { account_id, ids: [id] });
  if (published === undefined || !isSame(published.values, values)) return undefined;
  const moved = locales && allAt(locales, version);
  await movePublished(tx, { account_id, id, version, locales: moved && JSON.stringify(moved) });
  return { published_version: version, published_locales: moved };
}
