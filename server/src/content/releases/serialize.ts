import { parseId, publicId, uuidTime } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { nameAuthors } from '../../users/index.ts';
import type { Release, ReleaseItem } from './contract.ts';
import type { ReleaseRow, TitledItemRow } from './queries.ts';

/** A release without the name of its author, which is in the control database. */
export function serializeRelease(row: ReleaseRow): Release {
  const { author_type: type, author_id } = row;
  return {
    id: publicId('rel', row.id),
    name: row.name,
    status: row.status,
    at: row.at && isoTime(row.at),
    itemCount: row.item_count,
    item: row.item && serializeItem(row.item),
    errors: row.faults,
    version: row.version,
    by: type && { type, id: author_id && publicId(type === 'key' ? 'key' : 'usr', author_id), name: null },
    createdAt: isoTime(uuidTime(row.id)),
    updatedAt: isoTime(row.updated_at),
    finishedAt: row.finished_at && isoTime(row.finished_at),
  };
}

export const serializeItem = ({
  collection_id,
  entry_id,
  action,
  version,
  locales,
  title,
}: TitledItemRow): ReleaseItem => ({
  collectionId: publicId('col', collection_id),
  entryId: publicId('ent', entry_id),
  action,
  version,
  ...(locales && { locales }),
  title,
});

/** Adds the names of authors. Not in a transaction, which would wait for a second connection while it holds one. */
export async function withNames(control: ControlTx, accountId: string, releases: Release[]): Promise<Release[]> {
  const authors = releases.map(({ by }) => {
    const author_id = by?.id ? (parseId(by.type === 'key' ? 'key' : 'usr', by.id) ?? null) : null;
    return { author_type: by?.type ?? null, author_id };
  });
  const named = await nameAuthors(control, accountId, authors);
  return releases.map((release, i) => ({ ...release, by: named[i] ?? null }));
}
