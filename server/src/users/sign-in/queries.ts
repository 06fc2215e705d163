import type { Area, Role } from '../../accounts/index.ts';
import { controlStatement } from '../../shared/postgres/statement.ts';

export interface SessionRow {
  id: string;
  user_id: string;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  address: string;
  user_agent: string;
}

const COLUMNS = 'id, user_id, created_at, last_seen_at, expires_at, address, user_agent';
const SESSION = { user_id: 'uuid', id: 'uuid' } as const;
/** A session has ended if it was not used since `idle_since`. */
const VALIDITY = { now: 'timestamptz', idle_since: 'timestamptz' } as const;

export const insertSession = controlStatement('users.insert_session', {
  ...SESSION,
  token_hash: 'bytea',
  now: 'timestamptz',
  expires_at: 'timestamptz',
  address: 'text',
  user_agent: 'text',
}).runs(
  `insert into user_sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at, address, user_agent)
   values (:id, :user_id, :token_hash, :now, :now, :expires_at, :address, :user_agent)`,
);

/** The session of a token, with the user's role in an account and the account's cell. */
export const findSessionByToken = controlStatement('users.find_session_by_token', {
  token_hash: 'bytea',
  account_id: 'uuid?',
  ...VALIDITY,
}).returns<{
  id: string;
  user_id: string;
  role: Role | null;
  area: Area | null;
  cell: string | null;
  last_seen_at: Date;
}>(
  `select session.id, session.user_id, session.last_seen_at, member.role, member.area, account.cell
   from user_sessions session
     left join members member on member.account_id = :account_id and member.user_id = session.user_id
     left join accounts account on account.id = member.account_id
   where session.token_hash = :token_hash and session.expires_at > :now and session.last_seen_at > :idle_since`,
);

export const findSession = controlStatement('users.find_session', SESSION).returns<SessionRow>(
  `select ${COLUMNS} from user_sessions where user_id = :user_id and id = :id`,
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
