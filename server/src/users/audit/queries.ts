import type { AuthorType } from '../../shared/audit.ts';
import { controlStatement, type ParametersOf, plannedStatement } from '../../shared/postgres/statement.ts';

export interface ChangeRow {
  id: string;
  actor_type: AuthorType;
  actor_id: string | null;
  action: string;
  subject_type: string;
  subject_id: string;
  address: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

const FILTER = {
  account_id: 'uuid',
  from: 'uuid',
  before: 'uuid',
  to: 'uuid',
  actor_id: 'uuid?',
  action: 'text?',
  subject_id: 'text?',
  /** Types of subjects that are left out. */
  excluded: 'text[]?',
  limit: 'integer',
} as const;

export type ChangeFilter = ParametersOf<typeof FILTER>;

/** Newest first. A filter that is null does not apply; each call is planned, so that it uses the index of its filters. */
export const listChanges = plannedStatement(FILTER).returns<ChangeRow>(
  `select id, actor_type, actor_id, action, subject_type, subject_id, address, before, after from audit_log
   where account_id = :account_id and id >= :from and id < least(:before, :to)
     and (:actor_id is null or actor_id = :actor_id) and (:action is null or action = :action)
     and (:subject_id is null or subject_id = :subject_id) and (:excluded is null or subject_type <> all(:excluded))
   order by id desc limit :limit`,
);

/** Names of users and of the account's keys. */
export const findNames = controlStatement('users.find_names', { account_id: 'uuid', ids: 'uuid[]' }).returns<{
  id: string;
  name: string;
}>(
  `select id, name from users where id = any(:ids)
   union all
   select id, name from api_keys where account_id = :account_id and id = any(:ids)`,
);
