import { controlStatement } from '../../shared/postgres/statement.ts';

const USER = { user_id: 'uuid' } as const;

interface AuthenticatorRow {
  /** Sealed. */
  secret: Buffer;
  confirmed_at: Date | null;
  last_step: number;
}

export const findAuthenticator = controlStatement('users.find_authenticator', USER).returns<AuthenticatorRow>(
  'select secret, confirmed_at, last_step from user_authenticators where user_id = :user_id',
);

/** Replaces an authenticator that was not confirmed. Returns no row if there is a confirmed one. */
export const putAuthenticator = controlStatement('users.put_authenticator', { ...USER, secret: 'bytea' }).returns<{
  user_id: string;
}>(
  `insert into user_authenticators as known (user_id, secret, last_step) values (:user_id, :secret, 0)
   on conflict (user_id) do update set secret = excluded.secret, last_step = 0 where known.confirmed_at is null
   returning user_id`,
);

/** Uses the code of a time step. Returns no row if a code of this step or a later one was used before. */
export const useStep = controlStatement('users.use_step', { ...USER, step: 'bigint', now: 'timestamptz' }).returns<{
  user_id: string;
}>(
  `update user_authenticators set last_step = :step, confirmed_at = coalesce(confirmed_at, :now)
   where user_id = :user_id and last_step < :step returning user_id`,
);

export const deleteUnconfirmedAuthenticator = controlStatement('users.delete_unconfirmed_authenticator', USER).runs(
  'delete from user_authenticators where user_id = :user_id and confirmed_at is null',
);

export const deleteAuthenticator = controlStatement('users.delete_authenticator', USER).returns<{ user_id: string }>(
  `with codes as (delete from user_recovery_codes where user_id = :user_id)
   delete from user_authenticators where user_id = :user_id returning user_id`,
);

/** Replaces all recovery codes. */
export const replaceRecoveryCodes = controlStatement('users.replace_recovery_codes', {
  ...USER,
  hashes: 'bytea[]',
}).runs(
  `with deleted as (delete from user_recovery_codes where user_id = :user_id and hash <> all(:hashes))
   insert into user_recovery_codes (user_id, hash) select :user_id, hash from unnest(:hashes) as hash`,
);

export const useRecoveryCode = controlStatement('users.use_recovery_code', { ...USER, hash: 'bytea' }).returns<{
  user_id: string;
}>('delete from user_recovery_codes where user_id = :user_id and hash = :hash returning user_id');

export const countRecoveryCodes = controlStatement('users.count_recovery_codes', USER).returns<{ count: number }>(
  'select count(*) from user_recovery_codes where user_id = :user_id',
);

interface PasskeyRow {
  id: string;
  user_id: string;
  credential_id: Buffer;
  public_key: Buffer;
  counter: number;
  transports: string[];
  name: string;
  created_at: Date;
  last_used_at: Date | null;
  /** The password was reset since it was last confirmed: it cannot sign in. */
  needs_review: boolean;
}

const PASSKEY = `id, user_id, credential_id, public_key, counter, transports, name, created_at, last_used_at,
  exists (select from user_reviews review
    where review.user_id = passkey.user_id and review.type = 'passkey' and review.subject_id = passkey.id) as needs_review`;

export const listPasskeys = controlStatement('users.list_passkeys', USER).returns<PasskeyRow>(
  `select ${PASSKEY} from user_passkeys passkey where user_id = :user_id order by id limit 100`,
);

export const findPasskey = controlStatement('users.find_passkey', { credential_id: 'bytea' }).returns<PasskeyRow>(
  `select ${PASSKEY} from user_passkeys passkey where credential_id = :credential_id`,
);

/** Returns no row if the credential is registered already. */
export const insertPasskey = controlStatement('users.insert_passkey', {
  id: 'uuid',
  ...USER,
  credential_id: 'bytea',
  public_key: 'bytea',
  counter: 'bigint',
  transports: 'text[]',
  name: 'text',
  now: 'timestamptz',
}).returns<{ id: string }>(
  `insert into user_passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
   values (:id, :user_id, :credential_id, :public_key, :counter, :transports, :name, :now)
   on conflict (credential_id) do nothing returning id`,
);

export const touchPasskey = controlStatement('users.touch_passkey', {
  id: 'uuid',
  counter: 'bigint',
  now: 'timestamptz',
}).runs('update user_passkeys set counter = :counter, last_used_at = :now where id = :id');

export const deletePasskey = controlStatement('users.delete_passkey', { ...USER, id: 'uuid' }).returns<{
  name: string;
}>('delete from user_passkeys where user_id = :user_id and id = :id returning name');
