import { assignedRole, type Caller, findAccount, roleIdOf } from '../../accounts/index.ts';
import { queueMails, sendsMail } from '../../mail/index.ts';
import { type Author, audit } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest, invalid, notFound } from '../../shared/errors.ts';
import { newUuid, parseId, publicId } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { DAY } from '../../shared/units.ts';
import type { Invitation, NewInvitation } from '../contract.ts';
import { normalizeEmail } from '../create-user.ts';
import { invitationMail } from '../mails.ts';
import { checkArea } from '../members/members.ts';
import { createSecret, linkTo } from '../one-time-links.ts';
import { findUser, findUserByEmail } from '../queries.ts';
import { findInvitation, type InvitationRow, insertInvitation, markRevoked } from './queries.ts';

const DEFAULT_DAYS = 7;

export function serializeInvitation(row: InvitationRow, now: number): Invitation {
  return {
    id: publicId('inv', row.id),
    role: row.role,
    roleId: roleIdOf(row),
    area: row.area,
    email: row.email,
    status: statusOf(row, now),
    invitedBy: row.inviter_id === null ? null : { id: publicId('usr', row.inviter_id), name: row.inviter_name ?? '' },
    createdAt: isoTime(row.created_at),
    expiresAt: isoTime(row.expires_at),
  };
}

function statusOf(row: InvitationRow, now: number): Invitation['status'] {
  if (row.accepted_at) return 'accepted';
  if (row.revoked_at) return 'revoked';
  return row.expires_at.getTime() <= now ? 'expired' : 'pending';
}

/** Creates an invitation. Its `url` is shown once, or sent to its email. */
export async function createInvitation(
  tx: ControlTx,
  deps: Pick<Deps, 'config' | 'secret' | 'clock'>,
  author: Author,
  caller: Caller | undefined,
  { area = null, email: address = null, expiresInDays = DEFAULT_DAYS, ...sent }: NewInvitation,
  publicUrl: string,
  now: number,
): Promise<Invitation & { url: string | null; emailed: boolean }> {
  const assigned = await assignedRole(tx, author.accountId, caller, sent);
  if (!assigned) throw invalid([{ pointer: '/roleId', code: 'required', detail: 'Name the role by `roleId`.' }]);
  const { role, role_id } = assigned;
  checkArea(role, area);
  const { secret, hash } = createSecret();
  const key = { account_id: author.accountId, id: newUuid(now) };
  const email = address === null ? null : normalizeEmail(address);
  const invited_by = author.type === 'user' ? author.id : null;
  const expires_at = new Date(now + expiresInDays * DAY);
  const isSent = email !== null && sendsMail(deps);
  const created = { ...key, hash, role, role_id, area, email, is_mailed: isSent, invited_by };
  await insertInvitation(tx, { ...created, now: new Date(now), expires_at });
  const subject = ['invitation', publicId('inv', key.id)] as const;
  const after = { role: roleIdOf(assigned), area, email, expiresAt: isoTime(expires_at) };
  await audit(tx, author, { action: 'invitation.created', subject, after }, now);
  const [row] = await findInvitation(tx, key);
  if (!row) throw new Error('the new invitation was not found');
  const url = linkTo(publicUrl, 'invitation', secret);
  if (isSent) {
    const [account] = await findAccount(tx, { id: author.accountId });
    const [invited] = await findUserByEmail(tx, { email });
    const [inviter] = row.inviter_id === null ? [] : await findUser(tx, { user_id: row.inviter_id });
    const to = { email, mail_language: invited?.mail_language ?? inviter?.mail_language ?? 'en' };
    await queueMails(tx, deps, [invitationMail(to, account?.name ?? '', row.inviter_name, url, expiresInDays)]);
  }
  // A user who saw the link could accept it as somebody who has never read the mail. The operator can do that anyway.
  return { ...serializeInvitation(row, now), url: isSent && author.type === 'user' ? null : url, emailed: isSent };
}

/** Invalidates an invitation's link. Idempotent. @throws ApiError 404; 400 `invitation_accepted` */
export function revokeInvitation({ control, clock }: Deps, author: Author, invitationId: string): Promise<Invitation> {
  return control.transaction(async (tx) => {
    const now = clock();
    const id = parseId('inv', invitationId);
    if (id === undefined) throw notFound('invitation');
    const key = { account_id: author.accountId, id };
    const [before] = await findInvitation(tx, key);
    if (!before) throw notFound('invitation');
    const [revoked] = await markRevoked(tx, { ...key, now: new Date(now) });
    if (!revoked) {
      const detail = 'The invitation has already been accepted. Remove the member instead.';
      throw badRequest('invitation_accepted', detail);
    }
    const { role, email } = before;
    const subject = ['invitation', invitationId] as const;
    const change = { action: 'invitation.revoked', subject, before: { role, email } };
    if (before.revoked_at === null) await audit(tx, author, change, now);
    return serializeInvitation({ ...before, revoked_at: new Date(now) }, now);
  });
}
