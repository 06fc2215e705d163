import { type Area, ROLE_COLUMNS, type Role, type RoleColumns } from '../../accounts/index.ts';
import { controlStatement } from '../../shared/postgres/statement.ts';
import { requiresSso } from '../sso/requirement.ts';

export interface SessionRow {
  id: string;
  user_id: string;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  confirmed_at: Date;
  address: string;
  user_agent: string;
  /** The only account that it opens, whose provider has vouched for the user; null: all of them. */
  account_id: string | null;
}

const COLUMNS = 'id, user_id, created_at, last_seen_at, expires_at, confirmed_at, address, user_agent, account_id';
const SESSION = { user_id: 'uuid', id: 'uuid' } as const;
/** The account that a session views as a role, if it does. */
export interface ViewColumns {
  view_account_id: string | null;
  view_role: Role | null;
  view_role_id: string | null;
}
const VIEW_COLUMNS = 'session.view_account_id, session.view_role, session.view_role_id';

/** A session has ended if it was not used since `idle_since`. */
const VALIDITY = { now: 'timestamptz', idle_since: 'timestamptz' } as const;

export const insertSession = controlStatement('users.insert_session', {
  ...SESSION,
  token_hash: 'bytea',
  now: 'timestamptz',
  confirmed_at: 'timestamptz',
  expires_at: 'timestamptz',
  address: 'text',
  user_agent: 'text',
  account_id: 'uuid?',
}).runs(
  `insert into user_sessions (id, user_id, token_hash, created_at, last_seen_at, confirmed_at, expires_at, address, user_agent, account_id)
   values (:id, :user_id, :token_hash, :now, :now, :confirmed_at, :expires_at, :address, :user_agent, :account_id)`,
);

/** The session of a token, with the user's role in an account and the account's cell. */
export const findSessionByToken = controlStatement('users.find_session_by_token', {
  token_hash: 'bytea',
  account_id: 'uuid?',
  ...VALIDITY,
}).returns<
  RoleColumns & {
    id: string;
    user_id: string;
    role: Role | null;
    area: Area | null;
    cell: string | null;
    email: string | null;
    last_seen_at: Date;
    confirmed_at: Date;
    limited_to: string | null;
    sso_required: boolean;
    is_viewing: boolean;
  } & ViewColumns
>(
  `select session.id, session.user_id, session.last_seen_at, session.confirmed_at, session.account_id as limited_to,
     member.role, member.area, account.cell,
     session.account_id is null and member.account_id is not null and exists (
       select from users person where person.id = session.user_id and ${requiresSso('member.account_id', 'person')}) as sso_required,
     ${ROLE_COLUMNS}, (select email from users where id = session.user_id and (own_role.id is not null or session.view_role_id is not null) and email_confirmed_at is not null) as email
     , ${VIEW_COLUMNS}, exists (select from members where account_id = session.view_account_id and user_id = session.user_id) as is_viewing
   from user_sessions session
     left join members member on member.account_id = :account_id and member.user_id = session.user_id
       and coalesce(session.account_id, member.account_id) = member.account_id
     left join roles own_role on own_role.account_id = member.account_id and own_role.id = member.role_id
     left join accounts account on account.id = member.account_id
   where session.token_hash = :token_hash and session.expires_at > :now and session.last_seen_at > :idle_since`,
);

export const findSession = controlStatement('users.find_session', SESSION).returns<SessionRow & ViewColumns>(
  `select ${COLUMNS}, ${VIEW_COLUMNS} from user_sessions session where user_id = :user_id and id = :id`,
);

export const confirmSession = controlStatement('users.confirm_session', { ...SESSION, now: 'timestamptz' }).runs(
  'update user_sessions set confirmed_at = :now where user_id = :user_id and id = :id',
);

/** Views an account as a role; nulls end that. */
export const setView = controlStatement('users.set_view', {
  ...SESSION,
  view_account_id: 'uuid?',
  view_role: 'text?',
  view_role_id: 'uuid?',
}).runs(
  `update user_sessions set view_account_id = :view_account_id, view_role = :view_role, view_role_id = :view_role_id
   where user_id = :user_id and id = :id`,
);

export const touchSession = controlStatement('users.touch_session', {
  id: 'uuid',
  now: 'timestamptz',
  address: 'text',
}).runs('update user_sessions set last_seen_at = greatest(last_seen_at, :now), address = :address where id = :id');

/** A user's sessions, the most recently used first. */
export const listSessions = controlStatement('users.list_sessions', {
  user_id: 'uuid',
  ...VALIDITY,
}).returns<SessionRow>(
  `select ${COLUMNS} from user_sessions
   where user_id = :user_id and expires_at > :now and last_seen_at > :idle_since
   order by last_seen_at desc, id desc limit 1000`,
);

export const endSession = controlStatement('users.end_session', SESSION).returns<{ id: string }>(
  'delete from user_sessions where user_id = :user_id and id = :id returning id',
);

/** Ends all sessions of a user except one; null ends them all. */
export const endOtherSessions = controlStatement('users.end_other_sessions', {
  user_id: 'uuid',
  except: 'uuid?',
}).returns<{
  id: string;
}>('delete from user_sessions where user_id = :user_id and id is distinct from :except returning id');

export const endSessionByToken = controlStatement('users.end_session_by_token', { token_hash: 'bytea' }).runs(
  'delete from user_sessions where token_hash = :token_hash',
);

export const deleteExpiredSessions = controlStatement('users.delete_expired_sessions', VALIDITY).runs(
  'delete from user_sessions where expires_at <= :now or last_seen_at <= :idle_since',
);
