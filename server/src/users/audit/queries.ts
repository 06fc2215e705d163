import type { AuthorType } from '../../shared/audit.ts';
import { plannedStatement, statement } from '../../shared/postgres/statement.ts';

export interface ChangeRow {
  id: string;
  actor_type: AuthorType;
  actor_id: string | null;
  actor_name: string | null;
  action: string;
  subject_type: string;
  subject_id: string;
  address: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** Newest first. A filter that is null does not apply; each call is planned, so that it uses the index of its filters. */
export const listChanges = plannedStatement({
  account_id: 'uuid',
  from: 'uuid',
  before: 'uuid',
  to: 'uuid',
  actor_id: 'uuid?',
  action: 'text?',
  subject_id: 'text?',
  limit: 'integer',
}).returns<ChangeRow>(
  `select change.id, actor_type, actor_id, action, subject_type, subject_id, address, before, after,
     coalesce(users.name, key.name) as actor_name
   from audit_log change
     left join users on actor_type = 'user' and users.id = actor_id
     left join api_keys key on actor_type = 'key' and key.id = actor_id
   where change.account_id = :account_id and change.id >= :from and change.id < least(:before, :to)
     and (:actor_id is null or actor_id = :actor_id) and (:action is null or action = :action)
     and (:subject_id is null or subject_id = :subject_id)
   order by change.id desc limit :limit`,
);

/** Names of users and of the account's keys. */
export const findNames = statement('users.find_names', { account_id: 'uuid', ids: 'uuid[]' }).returns<{
  id: string;
  name: string;
}>(
  `select id, name from users where id = any(:ids)
   union all
   select id, name from api_keys where account_id = :account_id and id = any(:ids)`,
);
