import { type Author, audit } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { badRequest, notFound } from '../shared/errors.ts';
import { newUuid, parseId, publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import type { Invitation, NewInvitation } from './contract.ts';
import { findInvitation, type InvitationRow, insertInvitation, revokeInvitation } from './invitation-queries.ts';
import { linkTo, makeSecret } from './one-time-link.ts';
import { plainEmail } from './sign-in.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 7;

export function invitationAnswer(row: InvitationRow, now: number): Invitation {
  return {
    id: publicId('inv', row.id),
    role: row.role,
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

/** Makes an invitation; its `url` is shown this once. */
export async function createInvitation(
  tx: Tx,
  author: Author,
  { role, email, expiresInDays = DEFAULT_DAYS }: NewInvitation,
  publicUrl: string,
  now: number,
): Promise<Invitation & { url: string }> {
  const { secret, hash } = makeSecret();
  const id = newUuid(now);
  const expiresAt = new Date(now + expiresInDays * DAY_MS);
  const plain = email === undefined ? null : plainEmail(email);
  const inviter = author.kind === 'user' ? author.id : null;
  await insertInvitation(tx, author.accountId, id, hash, role, plain, inviter, new Date(now), expiresAt);
  const subject = ['invitation', publicId('inv', id)] as const;
  const after = { role, email: plain, expiresAt: isoTime(expiresAt) };
  await audit(tx, author, { action: 'invitation.created', subject, after }, now);
  const [row] = await findInvitation(tx, author.accountId, id);
  if (!row) throw new Error('an invitation was inserted and not found');
  return { ...invitationAnswer(row, now), url: linkTo(publicUrl, 'invitation', secret) };
}

/** Its link is good no more. Again is harmless. @throws ApiError 404; 400 `invitation_accepted` */
export function revoke({ db, clock }: Deps, author: Author, invitationId: string): Promise<Invitation> {
  return db.transaction(async (tx) => {
    const now = clock();
    const id = parseId('inv', invitationId);
    const [before] = id === undefined ? [] : await findInvitation(tx, author.accountId, id);
    if (!before) throw notFound('invitation');
    const [revoked] = await revokeInvitation(tx, author.accountId, before.id, new Date(now));
    if (!revoked) throw badRequest('invitation_accepted', 'The invitation was accepted: remove the member instead.');
    const { role, email } = before;
    const subject = ['invitation', invitationId] as const;
    const change = { action: 'invitation.revoked', subject, before: { role, email } };
    if (before.revoked_at === null) await audit(tx, author, change, now);
    return invitationAnswer({ ...before, revoked_at: new Date(now) }, now);
  });
}
