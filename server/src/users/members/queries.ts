import { type Area, ROLE_COLUMNS, type Role, type RoleColumns } from '../../accounts/index.ts';
import { controlStatement } from '../../shared/postgres/statement.ts';
import { requiresSso } from '../sso/requirement.ts';

export interface MemberRow {
  user_id: string;
  email: string;
  name: string;
  role: Role;
  role_id: string | null;
  area: Area | null;
  joined_at: Date;
  last_seen_at: Date | null;
}

const MEMBER = { account_id: 'uuid', user_id: 'uuid' } as const;

const SELECT_MEMBER = `select member.user_id as id, member.user_id, users.email, users.name, member.role, member.role_id, member.area, member.joined_at,
     (select max(last_seen_at) from user_sessions where user_id = member.user_id) as last_seen_at
   from members member join users on users.id = member.user_id`;

export const listMembers = controlStatement('users.list_members', {
  account_id: 'uuid',
  after: 'uuid',
  limit: 'integer',
}).returns<MemberRow & { id: string }>(
  `${SELECT_MEMBER} where member.account_id = :account_id and member.user_id > :after
   order by member.user_id limit :limit`,
);

export const findMember = controlStatement('users.find_member', MEMBER).returns<MemberRow & { id: string }>(
  `${SELECT_MEMBER} where member.account_id = :account_id and member.user_id = :user_id`,
);

/** Returns no row if the user is already a member. */
export const insertMember = controlStatement('users.insert_member', {
  ...MEMBER,
  role: 'text',
  role_id: 'uuid?',
  area: 'text?',
  now: 'timestamptz',
}).returns<{ role: Role }>(
  `insert into members (account_id, user_id, role, role_id, area, joined_at)
   values (:account_id, :user_id, :role, :role_id, :area, :now)
   on conflict (account_id, user_id) do nothing returning role`,
);

export const updateRole = controlStatement('users.update_role', {
  ...MEMBER,
  role: 'text',
  role_id: 'uuid?',
  area: 'text?',
}).runs(
  'update members set role = :role, role_id = :role_id, area = :area where account_id = :account_id and user_id = :user_id',
);

export const deleteMember = controlStatement('users.delete_member', MEMBER).runs(
  'delete from members where account_id = :account_id and user_id = :user_id',
);

/** Held while an owner is removed, so that two transactions do not remove the last two. */
export const lockOwners = controlStatement('users.lock_owners', { account_id: 'uuid' }).returns<{ user_id: string }>(
  `select user_id from members where account_id = :account_id and role = 'owner' order by user_id for update`,
);

export const listMemberships = controlStatement('users.list_memberships', { user_id: 'uuid' }).returns<
  RoleColumns & {
    id: string;
    name: string;
    role: Role;
    role_name: string | null;
    area: Area | null;
    time_zone: string | null;
    currency: string | null;
    requires_sso: boolean;
  }
>(
  `select account.id, account.name, account.time_zone, account.currency, member.role, member.area, ${ROLE_COLUMNS},
     own_role.name as role_name, ${requiresSso('member.account_id', 'person')} as requires_sso
   from members member join accounts account on account.id = member.account_id
     join users person on person.id = member.user_id
     left join roles own_role on own_role.account_id = member.account_id and own_role.id = member.role_id
   where member.user_id = :user_id order by account.id`,
);

export const ownsAnyAccount = controlStatement('users.owns_any_account', { user_id: 'uuid' }).returns<{
  owns: boolean;
}>("select exists (select from members where user_id = :user_id and role = 'owner') as owns");

/** Accounts without members. */
export const listUnownedAccounts = controlStatement('users.list_unowned_accounts', {}).returns<{
  id: string;
  name: string;
}>(
  `select id, name from accounts where deleted_at is null and not exists (select from members where account_id = accounts.id)
   order by id limit 100`,
);

export const deleteMembersOf = controlStatement('users.delete_members_of', { account_id: 'uuid' }).runs(
  'delete from members where account_id = :account_id',
);

/** Deletes the links that the owners of an account were given for the passwords of others. */
export const deleteLinksOfOwners = controlStatement('users.delete_links_of_owners', { account_id: 'uuid' }).runs(
  `delete from user_links where used_at is null and created_by in (
     select user_id from members where account_id = :account_id and role = 'owner')`,
);

export const deleteInvitationsOf = controlStatement('users.delete_invitations_of', { account_id: 'uuid' }).runs(
  'delete from invitations where account_id = :account_id',
);
