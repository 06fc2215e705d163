import type { Role } from '../accounts/index.ts';
import { statement } from '../shared/postgres/database.ts';

export interface UserRow {
  id: string;
  email: string;
  name: string;
  password: string;
  created_at: Date;
  updated_at: Date;
}

export const insertUser = statement<{ id: string }>(
  'users.insert',
  `insert into users (id, email, name, password, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)
   on conflict (email) do nothing returning id`,
);

export const findUserByEmail = statement<UserRow>(
  'users.find_by_email',
  'select id, email, name, password, created_at, updated_at from users where email = $1',
);

export const findUser = statement<UserRow>(
  'users.find',
  'select id, email, name, password, created_at, updated_at from users where id = $1',
);

export const listUsers = statement<UserRow>(
  'users.list',
  'select id, email, name, created_at, updated_at from users order by id',
);

export const isAnyUser = statement<{ any: boolean }>('users.any', 'select exists (select from users) as any');

export const renameUser = statement('users.rename', 'update users set name = $2, updated_at = $3 where id = $1');

export const setPassword = statement(
  'users.set_password',
  'update users set password = $2, updated_at = $3 where id = $1',
);

/** The first user is made by one transaction at a time, on any number of processes. Any number that nobody else locks. */
export const lockFirstRun = statement('users.lock_first_run', 'select pg_advisory_xact_lock(7205611394118)');

export interface SessionRow {
  id: string;
  user_id: string;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  address: string;
  user_agent: string;
}

export const insertSession = statement<SessionRow>(
  'users.insert_session',
  `insert into user_sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at, address, user_agent)
   values ($1, $2, $3, $4, $4, $5, $6, $7) returning id`,
);

/** Whose a session is, with the role in an account; `seenAfter` is where a session ends that nobody uses. */
export const findSession = statement<{
  id: string;
  user_id: string;
  role: Role | null;
  last_seen_at: Date;
}>(
  'users.find_session',
  `select session.id, session.user_id, session.last_seen_at, member.role
   from user_sessions session
     left join members member on member.account_id = $2 and member.user_id = session.user_id
   where session.token_hash = $1 and session.expires_at > $3 and session.last_seen_at > $4`,
);

export const touchSession = statement(
  'users.touch_session',
  'update user_sessions set last_seen_at = greatest(last_seen_at, $2), address = $3 where id = $1',
);

export const listSessions = statement<SessionRow>(
  'users.list_sessions',
  `select id, user_id, created_at, last_seen_at, expires_at, address, user_agent from user_sessions
   where user_id = $1 and expires_at > $2 and last_seen_at > $3 order by last_seen_at desc, id desc limit 1000`,
);

export const endSession = statement<{ id: string }>(
  'users.end_session',
  'delete from user_sessions where user_id = $1 and id = $2 returning id',
);

/** All of a user's sessions but one; null keeps none. */
export const endOtherSessions = statement<{ id: string }>(
  'users.end_other_sessions',
  'delete from user_sessions where user_id = $1 and id is distinct from $2 returning id',
);

export const endSessionByToken = statement(
  'users.end_session_by_token',
  'delete from user_sessions where token_hash = $1',
);

export const forgetSessions = statement(
  'users.forget_sessions',
  'delete from user_sessions where expires_at <= $1 or last_seen_at <= $2',
);

export const insertLink = statement(
  'users.insert_link',
  'insert into user_links (hash, kind, user_id, expires_at) values ($1, $2, $3, $4)',
);

export const findLink = statement<{ user_id: string | null; expires_at: Date }>(
  'users.find_link',
  'select user_id, expires_at from user_links where hash = $1 and kind = $2 and expires_at > $3',
);

/** Takes the link away: of two who use it at once one alone gets the row. */
export const takeLink = statement<{ user_id: string | null }>(
  'users.take_link',
  'delete from user_links where hash = $1 and kind = $2 and expires_at > $3 returning user_id',
);

export const forgetLinks = statement('users.forget_links', 'delete from user_links where expires_at <= $1');

/** Held by whoever makes a reset link and by whoever takes the user into another account: the one sees the other. */
export const lockUser = statement('users.lock', 'select id from users where id = $1 for update');

/** Other links of the kind: the first run's once it is done, a user's own once the password was reset. */
export const dropLinks = statement(
  'users.drop_links',
  'delete from user_links where kind = $1 and user_id is not distinct from $2',
);

export const insertMember = statement<{ role: Role }>(
  'users.insert_member',
  `insert into members (account_id, user_id, role, joined_at) values ($1, $2, $3, $4)
   on conflict (account_id, user_id) do nothing returning role`,
);

export interface MembershipRow {
  id: string;
  name: string;
  role: Role;
}

export const listMemberships = statement<MembershipRow>(
  'users.list_memberships',
  `select account.id, account.name, member.role from members member join accounts account on account.id = member.account_id
   where member.user_id = $1 order by account.id`,
);

export const listUnowned = statement<{ id: string; name: string }>(
  'users.list_unowned',
  `select id, name from accounts where not exists (select from members where account_id = accounts.id)
   order by id limit 100`,
);

export interface MemberRow {
  user_id: string;
  email: string;
  name: string;
  role: Role;
  joined_at: Date;
  last_seen_at: Date | null;
}

const MEMBER = `member.user_id, person.email, person.name, member.role, member.joined_at,
     (select max(last_seen_at) from user_sessions where user_id = member.user_id) as last_seen_at`;

export const listMembers = statement<MemberRow & { id: string }>(
  'users.list_members',
  `select member.user_id as id, ${MEMBER} from members member join users person on person.id = member.user_id
   where member.account_id = $1 and member.user_id > $2 order by member.user_id limit $3`,
);

export const findMember = statement<MemberRow>(
  'users.find_member',
  `select ${MEMBER} from members member join users person on person.id = member.user_id
   where member.account_id = $1 and member.user_id = $2`,
);

/** Held by whoever takes an owner away, so that two of them do not take the last two away at once. */
export const lockOwners = statement<{ user_id: string }>(
  'users.lock_owners',
  "select user_id from members where account_id = $1 and role = 'owner' order by user_id for update",
);

export const changeRole = statement(
  'users.change_role',
  'update members set role = $3 where account_id = $1 and user_id = $2',
);

export const deleteMember = statement(
  'users.delete_member',
  'delete from members where account_id = $1 and user_id = $2',
);

/** Accounts of a user that another does not own. */
export const listAccountsBeyond = statement<{ account_id: string }>(
  'users.list_accounts_beyond',
  `select account_id from members theirs where user_id = $1 and not exists (
     select from members own where own.account_id = theirs.account_id and own.user_id = $2 and own.role = 'owner')`,
);

export const ownsAny = statement<{ owns: boolean }>(
  'users.owns_any',
  "select exists (select from members where user_id = $1 and role = 'owner') as owns",
);

export const renameAccount = statement<{ id: string; name: string; created_at: Date; old_name: string }>(
  'users.rename_account',
  `with before as (select id, name from accounts where id = $1 for update)
   update accounts set name = $2 from before where accounts.id = before.id
   returning accounts.id, accounts.name, accounts.created_at, before.name as old_name`,
);

export const findOwnSession = statement<SessionRow>(
  'users.find_own_session',
  'select id, user_id, created_at, last_seen_at, expires_at, address, user_agent from user_sessions where user_id = $1 and id = $2',
);
