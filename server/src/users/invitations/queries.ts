import type { Area, Role } from '../../accounts/index.ts';
import { controlStatement } from '../../shared/postgres/statement.ts';

export interface InvitationRow {
  account_id: string;
  id: string;
  role: Role;
  role_id: string | null;
  area: Area | null;
  email: string | null;
  /** Only who receives mail at the email has the link. */
  is_mailed: boolean;
  created_at: Date;
  expires_at: Date;
  accepted_at: Date | null;
  accepted_by: string | null;
  revoked_at: Date | null;
  inviter_id: string | null;
  inviter_name: string | null;
}

const COLUMNS = `invitation.account_id, invitation.id, invitation.role, invitation.role_id, invitation.area, invitation.email, invitation.is_mailed, invitation.created_at,
     invitation.expires_at, invitation.accepted_at, invitation.accepted_by, invitation.revoked_at, invitation.invited_by as inviter_id,
     inviter.name as inviter_name`;
const FROM = 'invitations invitation left join users inviter on inviter.id = invitation.invited_by';
const INVITATION = { account_id: 'uuid', id: 'uuid' } as const;

export const insertInvitation = controlStatement('users.insert_invitation', {
  ...INVITATION,
  hash: 'bytea',
  role: 'text',
  role_id: 'uuid?',
  area: 'text?',
  email: 'text?',
  is_mailed: 'boolean',
  invited_by: 'uuid?',
  now: 'timestamptz',
  expires_at: 'timestamptz',
}).runs(
  `insert into invitations (account_id, id, hash, role, role_id, area, email, is_mailed, invited_by, created_at, expires_at)
   values (:account_id, :id, :hash, :role, :role_id, :area, :email, :is_mailed, :invited_by, :now, :expires_at)`,
);

/** Newest first. */
export const listInvitations = controlStatement('users.list_invitations', {
  account_id: 'uuid',
  before: 'uuid',
  limit: 'integer',
}).returns<InvitationRow>(
  `select ${COLUMNS} from ${FROM} where invitation.account_id = :account_id and invitation.id < :before
   order by invitation.id desc limit :limit`,
);

export const findInvitation = controlStatement('users.find_invitation', INVITATION).returns<InvitationRow>(
  `select ${COLUMNS} from ${FROM} where invitation.account_id = :account_id and invitation.id = :id`,
);

/** The invitation of a link if it is open or was accepted since a time. The account is not known yet. */
export const findInvitationByHash = controlStatement('users.find_invitation_by_hash', {
  hash: 'bytea',
  now: 'timestamptz',
  accepted_since: 'timestamptz',
}).returns<InvitationRow & { account_name: string; role_name: string | null }>(
  `select ${COLUMNS}, account.name as account_name, own_role.name as role_name
   from ${FROM} join accounts account on account.id = invitation.account_id
     left join roles own_role on own_role.account_id = invitation.account_id and own_role.id = invitation.role_id
   where invitation.hash = :hash and invitation.expires_at > :now
     and (invitation.accepted_at is null or invitation.accepted_at > :accepted_since) and invitation.revoked_at is null`,
);

/** Of two concurrent acceptances, only one gets the row. */
export const markAccepted = controlStatement('users.accept_invitation', {
  ...INVITATION,
  user_id: 'uuid',
  now: 'timestamptz',
}).returns<{ id: string }>(
  `update invitations set accepted_at = :now, accepted_by = :user_id
   where account_id = :account_id and id = :id and accepted_at is null and revoked_at is null and expires_at > :now
   returning id`,
);

/** Returns no row if the invitation was accepted. */
export const markRevoked = controlStatement('users.revoke_invitation', { ...INVITATION, now: 'timestamptz' }).returns<{
  id: string;
}>(
  `update invitations set revoked_at = coalesce(revoked_at, :now)
   where account_id = :account_id and id = :id and accepted_at is null
   returning id`,
);

/** Revokes the open invitations that a user created in an account, whose links they know. */
export const revokeInvitationsOf = controlStatement('users.revoke_invitations_of', {
  account_id: 'uuid',
  invited_by: 'uuid',
  now: 'timestamptz',
}).runs(
  `update invitations set revoked_at = :now
   where account_id = :account_id and invited_by = :invited_by and accepted_at is null and revoked_at is null`,
);
