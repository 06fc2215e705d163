import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { Collection } from '../collections/collection.ts';
import type { CollectionLocales } from '../locales/contract.ts';
import { type Publication, publicationOf, publishedLocalesOf, withoutLocales } from '../locales/published-locales.ts';
import { findPublishedRows } from './queries.ts';
import { asEntry, type PublishableRow } from './write-published.ts';

/** An entry, and the locales to publish or unpublish; all by default. */
export interface LocalizedRow extends PublishableRow {
  locales?: readonly string[] | undefined;
}

/** Entries as they will be published: in the chosen locales with these values, in the others as they are published now. */
export async function choosePublished(
  tx: Tx,
  account_id: string,
  collection: Collection,
  entries: readonly LocalizedRow[],
): Promise<readonly PublishableRow[]> {
  const { locales: account } = collection;
  if (account === null) return entries;
  const published = await publishedNow(tx, account_id, entries);
  return entries.map((entry): PublishableRow => {
    const version = { version: entry.version, values: readJson(entry.values) };
    return rowOf(account, entry, publicationOf(collection, account, version, published.get(entry.id), entry.locales));
  });
}

/**
 * Divides entries into those that are unpublished as a whole, those of which some locales remain, as they will then be published,
 * and those of which nothing changes.
 */
export async function chooseUnpublished(
  tx: Tx,
  account_id: string,
  collection: Collection,
  entries: readonly LocalizedRow[],
): Promise<{ whole: LocalizedRow[]; partial: PublishableRow[]; unchanged: LocalizedRow[] }> {
  const chosen = { whole: [] as LocalizedRow[], partial: [] as PublishableRow[], unchanged: [] as LocalizedRow[] };
  const { locales: account } = collection;
  const isChoosing = account !== null && entries.some(({ locales }) => locales !== undefined);
  const published = isChoosing ? await publishedNow(tx, account_id, entries) : undefined;
  for (const entry of entries) {
    const { locales } = entry;
    const now = published?.get(entry.id);
    if (entry.published_version == null) chosen.unchanged.push(entry);
    else if (account === null || locales === undefined || !now) chosen.whole.push(entry);
    else if (Object.keys(publishedLocalesOf(account, now.row)).every((each) => locales.includes(each))) {
      chosen.whole.push(entry);
    } else {
      const publication = withoutLocales(collection, account, now, locales);
      if (publication.changed.length === 0) chosen.unchanged.push(entry);
      else chosen.partial.push({ ...rowOf(account, entry, publication), values_before: now.values });
    }
  }
  return chosen;
}

async function publishedNow(tx: Tx, account_id: string, entries: readonly LocalizedRow[]) {
  const ids = entries.flatMap(({ id, published_version }) => (published_version == null ? [] : id));
  const rows = ids.length === 0 ? [] : await findPublishedRows(tx, { account_id, ids });
  return new Map(rows.map((row) => [row.id, { values: readJson(row.values), row: asEntry(row) }]));
}

/** The version of the entry is the published one of its default locale, or the last one. */
function rowOf(account: CollectionLocales, entry: LocalizedRow, publication: Publication) {
  const { values, locales, changed, changesShared } = publication;
  return {
    ...entry,
    values: JSON.stringify(values),
    version: locales[account.default ?? ''] ?? Math.max(...Object.values(locales)),
    current_version: entry.current_version ?? entry.version,
    published_locales: locales,
    changed_locales: changed,
    changes_shared: changesShared,
  };
}
