import { publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { findNames } from './audit-queries.ts';

/** Who made a change, as a row has it. */
export interface AuthorColumns {
  author_kind: 'user' | 'key' | 'command' | null;
  /** UUID. */
  author_id: string | null;
}

/** As it is answered; the name is null where it is not known any more. */
export interface NamedAuthor {
  kind: 'user' | 'key' | 'command';
  id: string | null;
  name: string | null;
}

/** Those who made the changes of `rows`, in their order; null where that is not known. */
export async function nameAuthors(
  tx: Tx,
  accountId: string,
  rows: readonly AuthorColumns[],
): Promise<(NamedAuthor | null)[]> {
  const ids = [...new Set(rows.flatMap(({ author_id }) => author_id ?? []))];
  const found = ids.length === 0 ? [] : await findNames(tx, accountId, ids);
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return rows.map(({ author_kind: kind, author_id: id }) => {
    if (kind === null) return null;
    return { kind, id: id && publicId(kind === 'key' ? 'key' : 'usr', id), name: names.get(id ?? '') ?? null };
  });
}
