import { statement } from '../../shared/postgres/statement.ts';
import type { Status } from '../collections/collection.ts';
import type { AuthorColumns } from '../entries/queries.ts';

export interface VersionRow extends AuthorColumns {
  version: number;
  status: Status;
  /** null: the entry's creation. */
  change: 'changed' | 'deleted' | 'restored' | null;
  changed_fields: string[] | null;
  restored_from: number | null;
  created_at: Date;
  is_current: boolean;
}

const COLUMNS = 'version, status, change, changed_fields, restored_from, author_type, author_id';

/** Versions of an entry before a version, newest first. The current one is the entry's own row. */
export const listVersions = statement('content.list_versions', {
  account_id: 'uuid',
  id: 'uuid',
  before: 'integer',
  limit: 'integer',
}).returns<VersionRow>(
  `select ${COLUMNS}, updated_at as created_at, true as is_current
   from entries where account_id = :account_id and id = :id and version < :before
   union all
   (select ${COLUMNS}, created_at, false
    from entry_versions where account_id = :account_id and entry_id = :id and version < :before
    order by version desc limit :limit)
   order by version desc limit :limit`,
);

export const findVersion = statement('content.find_version', {
  account_id: 'uuid',
  id: 'uuid',
  version: 'integer',
}).returns<VersionRow & { values: string }>(
  `select ${COLUMNS}, updated_at as created_at, true as is_current, "values"::text as "values"
   from entries where account_id = :account_id and id = :id and version = :version
   union all
   select ${COLUMNS}, created_at, false, "values"::text
   from entry_versions where account_id = :account_id and entry_id = :id and version = :version`,
);
