import type { Role } from '../accounts/index.ts';
import { statement } from '../shared/postgres/database.ts';

export interface InvitationRow {
  account_id: string;
  id: string;
  role: Role;
  email: string | null;
  created_at: Date;
  expires_at: Date;
  accepted_at: Date | null;
  revoked_at: Date | null;
  inviter_id: string | null;
  inviter_name: string | null;
}

const COLUMNS = `invitation.account_id, invitation.id, invitation.role, invitation.email, invitation.created_at,
     invitation.expires_at, invitation.accepted_at, invitation.revoked_at, invitation.invited_by as inviter_id,
     inviter.name as inviter_name`;
const FROM = 'invitations invitation left join users inviter on inviter.id = invitation.invited_by';

export const insertInvitation = statement(
  'users.insert_invitation',
  `insert into invitations (account_id, id, hash, role, email, invited_by, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

/** The newest first, from before an id. */
export const listInvitations = statement<InvitationRow>(
  'users.list_invitations',
  `select ${COLUMNS} from ${FROM} where invitation.account_id = $1 and invitation.id < $2
   order by invitation.id desc limit $3`,
);

export const findInvitation = statement<InvitationRow>(
  'users.find_invitation',
  `select ${COLUMNS} from ${FROM} where invitation.account_id = $1 and invitation.id = $2`,
);

/** The one query that has no account: it finds it. */
export const findInvitationByHash = statement<InvitationRow & { account_name: string }>(
  'users.find_invitation_by_hash',
  `select ${COLUMNS}, account.name as account_name
   from ${FROM} join accounts account on account.id = invitation.account_id
   where invitation.hash = $1 and invitation.expires_at > $2
     and invitation.accepted_at is null and invitation.revoked_at is null`,
);

/** Of two who accept it at once one alone gets the row. */
export const acceptInvitation = statement<{ id: string }>(
  'users.accept_invitation',
  `update invitations set accepted_at = $3, accepted_by = $4
   where account_id = $1 and id = $2 and accepted_at is null and revoked_at is null and expires_at > $3
   returning id`,
);

export const revokeInvitation = statement<{ id: string }>(
  'users.revoke_invitation',
  `update invitations set revoked_at = coalesce(revoked_at, $3) where account_id = $1 and id = $2 and accepted_at is null
   returning id`,
);
