import type { AuthorType } from '../../shared/audit.ts';
import { publicId } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { findNames } from './queries.ts';

/** The author of a change, as other modules store it. */
export interface AuthorColumns {
  author_type: AuthorType | null;
  /** UUID. */
  author_id: string | null;
}

/** The author as the API returns it. The name is null if the user or the key no longer exists. */
export interface NamedAuthor {
  type: AuthorType;
  id: string | null;
  name: string | null;
}

function serializeAuthor(type: AuthorType, id: string | null, name: string | null): NamedAuthor {
  return { type, id: id && publicId(type === 'key' ? 'key' : 'usr', id), name };
}

/** The authors of `rows`, in their order; null where the author is unknown. */
export async function nameAuthors(
  tx: ControlTx,
  account_id: string,
  rows: readonly AuthorColumns[],
): Promise<(NamedAuthor | null)[]> {
  const ids = [...new Set(rows.flatMap(({ author_id }) => author_id ?? []))];
  const found = ids.length === 0 ? [] : await findNames(tx, { account_id, ids });
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return rows.map(({ author_type, author_id }) =>
    author_type === null ? null : serializeAuthor(author_type, author_id, names.get(author_id ?? '') ?? null),
  );
}
