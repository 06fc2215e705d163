import type { Role } from '../../accounts/index.ts';
import { controlStatement } from '../../shared/postgres/statement.ts';

/** Who has the role, or can get it by an invitation or single sign-on. @param public_id the same role */
export const countUses = controlStatement('users.count_role_uses', {
  account_id: 'uuid',
  role_id: 'uuid',
  public_id: 'text',
}).returns<{
  members: number;
  keys: number;
  invitations: number;
  has_sso: boolean;
}>(
  `select
     (select count(*) from members where account_id = :account_id and role_id = :role_id)::integer as members,
     (select count(*) from api_keys where account_id = :account_id and role_id = :role_id and revoked_at is null
        and (expires_at is null or expires_at > now()))::integer as keys,
     (select count(*) from invitations where account_id = :account_id and role_id = :role_id and revoked_at is null
        and accepted_at is null and expires_at > now())::integer as invitations,
     exists (select from sso_connections where account_id = :account_id and (default_role_id = :public_id
       or role_mappings @> jsonb_build_array(jsonb_build_object('roleId', :public_id::text)))) as has_sso`,
);

/** How many have each role of an account: built-in ones by their key, own ones by ID. */
export const countAllUses = controlStatement('users.count_all_role_uses', { account_id: 'uuid' }).returns<{
  role: Role;
  role_id: string | null;
  members: number;
  keys: number;
  invitations: number;
}>(
  `select role, role_id, (count(*) filter (where type = 'member'))::integer as members,
     (count(*) filter (where type = 'key'))::integer as keys,
     (count(*) filter (where type = 'invitation'))::integer as invitations
   from (
     select role, role_id, 'member' as type from members where account_id = :account_id
     union all
     select role, role_id, 'key' from api_keys where account_id = :account_id and role is not null and revoked_at is null
       and (expires_at is null or expires_at > now())
     union all
     select role, role_id, 'invitation' from invitations where account_id = :account_id and revoked_at is null
       and accepted_at is null and expires_at > now()) holder
   group by role, role_id`,
);

/** What ended no longer needs its role. A token stays ended. */
export const detachEndedKeys = controlStatement('users.detach_ended_keys', {
  account_id: 'uuid',
  role_id: 'uuid',
}).runs(
  `update api_keys set role = 'viewer', role_id = null, revoked_at = coalesce(revoked_at, now())
   where account_id = :account_id and role_id = :role_id`,
);

export const detachEndedInvitations = controlStatement('users.detach_ended_invitations', {
  account_id: 'uuid',
  role_id: 'uuid',
}).runs(
  `update invitations set role = 'viewer', role_id = null, revoked_at = case when accepted_at is null then coalesce(revoked_at, now()) end
   where account_id = :account_id and role_id = :role_id`,
);
