import { controlStatement } from '../shared/postgres/statement.ts';

export interface UserRow {
  id: string;
  email: string;
  name: string;
  /** Hash. */
  password: string;
  /** Whether sign-ins by password ask for a code. */
  has_second_factor: boolean;
  /** Null: they have not proved to receive mail there. */
  email_confirmed_at: Date | null;
  is_operator: boolean;
  /** Chosen for the dashboard and mails; null: that of the browser. */
  language: string | null;
  mail_language: string;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = 'id, email, email_confirmed_at, name, password, is_operator, created_at, updated_at';
const SELECTED = `${COLUMNS}, language, coalesce(language, browser_language, 'en') as mail_language, exists (
  select from user_authenticators second where second.user_id = users.id and confirmed_at is not null) as has_second_factor`;
const USER = { user_id: 'uuid' } as const;

/** Returns no row if another user has the email. */
export const insertUser = controlStatement('users.insert', {
  id: 'uuid',
  email: 'text',
  email_confirmed_at: 'timestamptz?',
  name: 'text',
  password: 'text',
  now: 'timestamptz',
}).returns<{ id: string }>(
  `insert into users (${COLUMNS}) values (:id, :email, :email_confirmed_at, :name, :password, false, :now, :now)
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

export const changeUser = controlStatement('users.change', {
  ...USER,
  name: 'text?',
  sets_language: 'boolean',
  language: 'text?',
  now: 'timestamptz',
}).runs(
  `update users set name = coalesce(:name, name), language = case when :sets_language then :language else language end,
     updated_at = :now
   where id = :user_id`,
);

/** The language of mails to who has not chosen one. */
export const setBrowserLanguage = controlStatement('users.set_browser_language', {
  ...USER,
  browser_language: 'text',
}).runs(
  'update users set browser_language = :browser_language where id = :user_id and browser_language is distinct from :browser_language',
);

/** Returns no row if another user has the email. */
export const setEmail = controlStatement('users.set_email', {
  ...USER,
  email: 'text',
  email_confirmed_at: 'timestamptz?',
  now: 'timestamptz',
}).returns<{
  id: string;
}>(
  `update users set email = :email, email_confirmed_at = :email_confirmed_at, updated_at = :now
   where id = :user_id and not exists (select from users other where other.email = :email and other.id <> :user_id)
   returning id`,
);

export const setEmailConfirmed = controlStatement('users.confirm_email', { ...USER, now: 'timestamptz' }).runs(
  'update users set email_confirmed_at = coalesce(email_confirmed_at, :now) where id = :user_id',
);

export const setPassword = controlStatement('users.set_password', {
  ...USER,
  password: 'text',
  now: 'timestamptz',
}).runs('update users set password = :password, updated_at = :now where id = :user_id');

/** Held by transactions that create or use a reset link and by those that extend the user's rights, so that each sees the other. */
export const lockUser = controlStatement('users.lock', USER).runs(
  'select id from users where id = :user_id for update',
);
