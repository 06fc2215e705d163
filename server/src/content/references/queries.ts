import { statement } from '../../shared/postgres/statement.ts';
import type { EntryJsonRow } from '../entries/entry-json.ts';

/** An entry that is referenced. */
export interface TargetRow extends EntryJsonRow {
  collection_id: string;
  collection_version: number;
  /** JSON text; null unless the entry is expanded. */
  values: string | null;
}

/** The IDs of entries, and of those whose values are needed. */
const targets = { account_id: 'uuid', ids: 'uuid[]', expanded: 'uuid[]' } as const;

const valuesOf = (source: string) => `case when e.id = any(:expanded) then ${source}::text end as "values"`;
const COLLECTION = `join collections c on c.account_id = :account_id and c.id = e.collection_id and c.status = 'active'`;

/** The latest versions of active entries. */
export const findDraftTargets = statement('content.find_draft_targets', targets).returns<TargetRow>(
  `select e.id, e.collection_id, e.status, e.version, e.updated_at::text as updated_at, e.published_version,
     e.published_at::text as published_at, e.published_locales, c.version as collection_version, ${valuesOf('e."values"')}
   from entries e ${COLLECTION}
   where e.account_id = :account_id and e.id = any(:ids) and e.status = 'active'`,
);

/** What is published of entries; of collections without drafts, the entries themselves. */
export const findPublishedTargets = statement('content.find_published_targets', targets).returns<TargetRow>(
  `select e.id, e.collection_id, e.status, coalesce(p.version, e.version) as version,
     coalesce(p.updated_at, e.updated_at)::text as updated_at, p.version as published_version,
     p.updated_at::text as published_at, p.locales as published_locales, c.version as collection_version,
     ${valuesOf('coalesce(p."values", e."values")')}
   from entries e ${COLLECTION}
   left join published_entries p on p.account_id = :account_id and p.id = e.id
   where e.account_id = :account_id and e.id = any(:ids) and e.status = 'active'
     and (p.id is not null or not c.publishing)`,
);

/** What everyone can read. */
export const findPublicTargets = statement('content.find_public_targets', targets).returns<TargetRow>(
  `select e.id, e.collection_id, e.status, e.version, e.updated_at::text as updated_at,
     e.locales as published_locales,
     c.version as collection_version, ${valuesOf('e."values"')}
   from published_entries e ${COLLECTION} and c.public and c.publishing
   where e.account_id = :account_id and e.id = any(:ids)`,
);

/** The latest versions of entries of public collections, for previews. */
export const findPreviewTargets = statement('content.find_preview_targets', targets).returns<TargetRow>(
  `select e.id, e.collection_id, e.status, e.version, e.updated_at::text as updated_at,
     e.published_at::text as published_at, c.version as collection_version, ${valuesOf('e."values"')}
   from entries e ${COLLECTION} and c.public and c.publishing
   where e.account_id = :account_id and e.id = any(:ids) and e.status = 'active'`,
);

/** Entries of any status, for their titles. */
export const findTitledEntries = statement('content.find_titled_entries', {
  account_id: 'uuid',
  ids: 'uuid[]',
}).returns<TargetRow & { values: string }>(
  `select e.id, e.collection_id, e.status, e.version, e.updated_at::text as updated_at, e.published_version,
     e.published_at::text as published_at, c.version as collection_version, e."values"::text as "values"
   from entries e ${COLLECTION}
   where e.account_id = :account_id and e.id = any(:ids)`,
);

export interface UsageRow {
  entry_id: string;
  collection_id: string;
  field_keys: string[];
}

/** The entries that reference an entry, by ID, after a position, and by which fields. */
export const findUsages = statement('content.find_usages', {
  account_id: 'uuid',
  collection_id: 'uuid',
  key: 'text',
  after: 'uuid',
  limit: 'integer',
}).returns<UsageRow>(
  `select i.entry_id, r.collection_id, array_agg(i.field_key::text order by i.field_key) as field_keys
   from reference_fields r
   join collections c on c.account_id = :account_id and c.id = r.collection_id and c.status = 'active'
   join entry_index i on i.account_id = :account_id and i.field_key = r.field_key and i.sort_key = :key
     and i.entry_id > :after
   where r.account_id = :account_id and r.target_id = :collection_id
   group by i.entry_id, r.collection_id order by i.entry_id limit :limit`,
);
