import { controlStatement } from '../shared/postgres/statement.ts';

export interface UserRow {
  id: string;
  email: string;
  name: string;
  /** Hash. */
  password: string;
  /** Whether sign-ins by password ask for a code. */
  has_second_factor: boolean;
  is_operator: boolean;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = 'id, email, name, password, is_operator, created_at, updated_at';
const SELECTED = `${COLUMNS}, exists (
  select from user_authenticators second where second.user_id = users.id and confirmed_at is not null) as has_second_factor`;
const USER = { user_id: 'uuid' } as const;

/** Returns no row if another user has the email. */
export const insertUser = controlStatement('users.insert', {
  id: 'uuid',
  email: 'text',
  name: 'text',
  password: 'text',
  now: 'timestamptz',
}).returns<{ id: string }>(
  `insert into users (${COLUMNS}) values (:id, :email, :name, :password, false, :now, :now)
   on conflict (email) do nothing returning id`,
);

export const findUserByEmail = controlStatement('users.find_by_email', { email: 'text' }).returns<UserRow>(
  `select ${SELECTED} from users where email = :email`,
);

export const findUser = controlStatement('users.find', USER).returns<UserRow>(
  `select ${SELECTED} from users where id = :user_id`,
);

export const listUsers = controlStatement('users.list', {}).returns<UserRow>(
  `select ${SELECTED} from users order by id`,
);

export const hasUsers = controlStatement('users.has_users', {}).returns<{ any: boolean }>(
  'select exists (select from users) as any',
);

/** Serializes first runs across processes. The number is arbitrary. */
export const lockFirstRun = controlStatement('users.lock_first_run', {}).runs(
  'select pg_advisory_xact_lock(7205611394118)',
);

export const setOperator = controlStatement('users.set_operator', { ...USER, is_operator: 'boolean' }).runs(
  'update users set is_operator = :is_operator where id = :user_id',
);

export const renameUser = controlStatement('users.rename', { ...USER, name: 'text', now: 'timestamptz' }).runs(
  'update users set name = :name, updated_at = :now where id = :user_id',
);

/** Returns no row if another user has the email. */
export const setEmail = controlStatement('users.set_email', { ...USER, email: 'text', now: 'timestamptz' }).returns<{
  id: string;
}>(
  `update users set email = :email, updated_at = :now
   where id = :user_id and not exists (select from users other where other.email = :email and other.id <> :user_id)
   returning id`,
);

export const setPassword = controlStatement('users.set_password', {
  ...USER,
  password: 'text',
  now: 'timestamptz',
}).runs('update users set password = :password, updated_at = :now where id = :user_id');

/** Held by transactions that create a reset link and by those that add the user to an account, so that each sees the other. */
export const lockUser = controlStatement('users.lock', USER).runs(
  'select id from users where id = :user_id for update',
);
