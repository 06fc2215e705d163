import { statement } from '../../shared/postgres/statement.ts';
import type { ReturnedPublishedRow } from '../publishing/queries.ts';

/** What responses about a public collection depend on. No row for a collection that is not public. */
export const findDeliveryStates = statement('content.find_delivery_states', {
  account_id: 'uuid',
  ids: 'uuid[]',
}).returns<{ id: string; version: string; changes: string }>(
  `select c.id, c.version::text as version, coalesce(p.changes, 0)::text as changes
   from collections c
   left join published_changes p on p.account_id = c.account_id and p.collection_id = c.id
   where c.account_id = :account_id and c.id = any(:ids) and c.status = 'active' and c.public and c.publishing`,
);

/** A published entry by its slug, or by one that it had before and no other entry has now. */
export const findPublishedBySlug = statement('content.find_published_by_slug', {
  account_id: 'uuid',
  collection_id: 'uuid',
  field_key: 'bigint',
  slug: 'text',
}).returns<ReturnedPublishedRow & { is_current: boolean }>(
  `with holder as (
     select entry_id, true as is_current from entry_keys
     where account_id = :account_id and field_key = :field_key and sort_key = :slug
     union all
     select entry_id, false from old_slugs
     where account_id = :account_id and field_key = :field_key and slug = :slug
   )
   select p.id, p."values"::text as "values", p.status, p.version, p.updated_at::text as updated_at, p.locales as published_locales,
     c.version as collection_version, h.is_current
   from holder h
   join published_entries p on p.account_id = :account_id and p.id = h.entry_id
   join collections c on c.account_id = :account_id and c.id = p.collection_id
   where p.collection_id = :collection_id and c.status = 'active'
   order by h.is_current desc limit 1`,
);
