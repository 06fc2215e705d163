import { statement } from '../shared/postgres/database.ts';
import type { Status } from './collection.ts';

export type Change = 'created' | 'changed' | 'deleted' | 'restored';

export interface VersionRow {
  version: number;
  status: Status;
  /** null: the entry's creation. */
  change: Exclude<Change, 'created'> | null;
  changed_fields: string[] | null;
  restored_from: number | null;
  author_kind: 'user' | 'key' | 'command' | null;
  author_id: string | null;
  made_at: Date;
  is_current: boolean;
}

const MADE = 'status, change, changed_fields, restored_from, author_kind, author_id';

/** Versions of an entry, the newest first, from before the version $3. */
export const listVersions = statement<VersionRow>(
  'content.list_versions',
  `select version, ${MADE}, updated_at as made_at, true as is_current
   from entries where account_id = $1 and id = $2 and version < $3
   union all
   (select version, ${MADE}, made_at, false
    from entry_versions where account_id = $1 and entry_id = $2 and version < $3
    order by version desc limit $4)
   order by version desc limit $4`,
);

export const findVersion = statement<VersionRow & { values: string }>(
  'content.find_version',
  `select version, ${MADE}, updated_at as made_at, true as is_current, "values"::text as "values"
   from entries where account_id = $1 and id = $2 and version = $3
   union all
   select version, ${MADE}, made_at, false, "values"::text
   from entry_versions where account_id = $1 and entry_id = $2 and version = $3`,
);
