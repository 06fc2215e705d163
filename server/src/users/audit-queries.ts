import { statement } from '../shared/postgres/database.ts';

export interface ChangeRow {
  id: string;
  actor_kind: 'user' | 'key' | 'command';
  actor_id: string | null;
  actor_name: string | null;
  action: string;
  subject_type: string;
  subject_id: string;
  address: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** The newest first, from before an id and an end. What is null filters nothing; planned for each call, so that each filter has its index. */
export const listChanges = statement<ChangeRow>(
  'users.list_changes',
  `select change.id, actor_kind, actor_id, action, subject_type, subject_id, address, before, after,
     coalesce(person.name, key.name) as actor_name
   from audit_log change
     left join users person on actor_kind = 'user' and person.id = actor_id
     left join api_keys key on actor_kind = 'key' and key.id = actor_id
   where change.account_id = $1 and change.id < least($2::uuid, $3::uuid) and change.id >= $4
     and ($6::uuid is null or actor_id = $6) and ($7::text is null or action = $7)
     and ($8::text is null or subject_id = $8)
   order by change.id desc limit $5`,
);

/** Names of users, and of the account's keys. */
export const findNames = statement<{ id: string; name: string }>(
  'users.find_names',
  `select id, name from users where id = any($2::uuid[])
   union all
   select id, name from api_keys where account_id = $1 and id = any($2::uuid[])`,
);
