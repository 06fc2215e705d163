import { controlStatement } from '../../shared/postgres/statement.ts';
import type { RoleMapping } from './contract.ts';

export interface ConnectionRow {
  account_id: string;
  issuer: string;
  client_id: string;
  client_secret: Buffer;
  name: string;
  scopes: string[];
  role_claim: string;
  role_mappings: RoleMapping[];
  default_role_id: string | null;
  is_required: boolean;
  version: number;
  updated_at: Date;
}

const ACCOUNT = { account_id: 'uuid' } as const;
const COLUMNS =
  'account_id, issuer, client_id, client_secret, name, scopes, role_claim, role_mappings, default_role_id, is_required, version, updated_at';

export const findConnection = controlStatement('users.find_sso', ACCOUNT).returns<ConnectionRow>(
  `select ${COLUMNS} from sso_connections where account_id = :account_id`,
);

/** One change of the connection, or sign-in by it, at a time. */
export const lockConnection = controlStatement('users.lock_sso', ACCOUNT).runs(
  'select pg_advisory_xact_lock(hashtextextended(:account_id::text, 22))',
);

export const saveConnection = controlStatement('users.save_sso', {
  ...ACCOUNT,
  issuer: 'text',
  client_id: 'text',
  client_secret: 'bytea',
  name: 'text',
  scopes: 'text[]',
  role_claim: 'text',
  role_mappings: 'jsonb',
  default_role_id: 'text?',
  is_required: 'boolean',
  now: 'timestamptz',
}).returns<ConnectionRow>(
  `insert into sso_connections (account_id, issuer, client_id, client_secret, name, scopes, role_claim, role_mappings,
     default_role_id, is_required, created_at, updated_at)
   values (:account_id, :issuer, :client_id, :client_secret, :name, :scopes, :role_claim, :role_mappings,
     :default_role_id, :is_required, :now, :now)
   on conflict (account_id) do update set issuer = excluded.issuer, client_id = excluded.client_id,
     client_secret = excluded.client_secret, name = excluded.name, scopes = excluded.scopes,
     role_claim = excluded.role_claim, role_mappings = excluded.role_mappings, default_role_id = excluded.default_role_id,
     is_required = excluded.is_required, version = sso_connections.version + 1, updated_at = excluded.updated_at
   returning ${COLUMNS}`,
);

export const deleteConnection = controlStatement('users.delete_sso', ACCOUNT).returns<{ account_id: string }>(
  'delete from sso_connections where account_id = :account_id returning account_id',
);

export const setOptional = controlStatement('users.set_sso_optional', { ...ACCOUNT, now: 'timestamptz' }).returns<{
  account_id: string;
}>(
  `update sso_connections set is_required = false, version = version + 1, updated_at = :now
   where account_id = :account_id returning account_id`,
);

export interface DomainRow {
  domain: string;
  proven_at: Date | null;
}

export const listDomains = controlStatement('users.list_sso_domains', ACCOUNT).returns<DomainRow>(
  'select domain, proven_at from sso_domains where account_id = :account_id order by domain',
);

/** Those that stay remain proven. */
export const replaceDomains = controlStatement('users.replace_sso_domains', { ...ACCOUNT, domains: 'text[]' }).runs(
  `with removed as (delete from sso_domains where account_id = :account_id and domain <> all(:domains))
   insert into sso_domains (account_id, domain) select :account_id, unnest(:domains::text[]) on conflict do nothing`,
);

export const setProven = controlStatement('users.set_sso_domains_proven', {
  ...ACCOUNT,
  domains: 'text[]',
  now: 'timestamptz',
}).returns<{ domain: string }>(
  `update sso_domains set proven_at = :now where account_id = :account_id and domain = any(:domains) and proven_at is null
   returning domain`,
);

/** Accounts whose provider signs in who has an email of the domain. */
export const listConnectionsOf = controlStatement('users.list_sso_of_domain', { domain: 'text' }).returns<{
  account_id: string;
  name: string;
}>(
  `select sso.account_id, sso.name from sso_domains known join sso_connections sso on sso.account_id = known.account_id
   where known.domain = :domain and known.proven_at is not null order by sso.account_id limit 20`,
);

export const findIdentity = controlStatement('users.find_sso_identity', {
  ...ACCOUNT,
  issuer: 'text',
  subject: 'text',
}).returns<{ user_id: string }>(
  'select user_id from sso_identities where account_id = :account_id and issuer = :issuer and subject = :subject',
);

/** Returns no row if the member is somebody else at the provider. */
export const linkIdentity = controlStatement('users.link_sso_identity', {
  ...ACCOUNT,
  user_id: 'uuid',
  issuer: 'text',
  subject: 'text',
  now: 'timestamptz',
}).returns<{ user_id: string }>(
  `insert into sso_identities (account_id, user_id, issuer, subject, created_at)
   values (:account_id, :user_id, :issuer, :subject, :now) on conflict do nothing returning user_id`,
);

export const deleteIdentities = controlStatement('users.delete_sso_identities', ACCOUNT).runs(
  'delete from sso_identities where account_id = :account_id',
);

/** Ends the sessions that the provider of an account has vouched for, but for one. */
export const endSsoSessions = controlStatement('users.end_sso_sessions', { ...ACCOUNT, except: 'uuid?' }).runs(
  'delete from user_sessions where account_id = :account_id and id is distinct from :except',
);

/** An open invitation of the account for an email: an owner wants its user as a member. */
export const useInvitationOf = controlStatement('users.use_invitation_of_email', {
  ...ACCOUNT,
  user_id: 'uuid',
  email: 'text',
  now: 'timestamptz',
}).returns<{ id: string }>(
  `update invitations set accepted_at = :now, accepted_by = :user_id
   where (account_id, id) in (select account_id, id from invitations where account_id = :account_id and email = :email
     and accepted_at is null and revoked_at is null and expires_at > :now order by id desc limit 1 for update)
   returning id`,
);
