import { statement } from '../../shared/postgres/statement.ts';

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
