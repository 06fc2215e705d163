import { type Area, type Role, roleInsufficient } from '../../accounts/index.ts';
import { type Author, audit } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest, notFound } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import type { Member } from '../contract.ts';
import { lockUser } from '../queries.ts';
import { createResetLink } from '../sign-in/change-password.ts';
import { deleteMember, findMember, listAccountsNotOwnedBy, lockOwners, type MemberRow, updateRole } from './queries.ts';

export function serializeMember(row: MemberRow): Member {
  return {
    userId: publicId('usr', row.user_id),
    email: row.email,
    name: row.name,
    role: row.role,
    area: row.area,
    joinedAt: isoTime(row.joined_at),
    lastSeenAt: row.last_seen_at && isoTime(row.last_seen_at),
  };
}

/** Refuses an owner who is limited to an area. @throws ApiError 400 `owner_limited` */
export function checkArea(role: Role, area: Area | null): void {
  if (role !== 'owner' || area === null) return;
  throw badRequest('owner_limited', 'An owner has access to the whole account. Choose another role.');
}

/** @throws ApiError 404; 400 `last_owner` if the account would have no owner, `owner_limited` */
export function changeMember(
  { control, clock }: Deps,
  author: Author,
  publicUserId: string,
  sent: { role?: Role | undefined; area?: Area | null | undefined },
): Promise<Member> {
  return control.transaction(async (tx) => {
    const losesOwnership = sent.role !== undefined && sent.role !== 'owner';
    const member = await lockMember(tx, author, publicUserId, losesOwnership);
    const { role = member.role } = sent;
    const { area = role === 'owner' ? null : member.area } = sent;
    checkArea(role, area);
    await updateRole(tx, { account_id: author.accountId, user_id: member.user_id, role, area });
    const subject = ['member', publicUserId] as const;
    const before = { role: member.role, area: member.area };
    const change = { action: 'member.changed', subject, before, after: { role, area } };
    if (member.role !== role || member.area !== area) await audit(tx, author, change, clock());
    return serializeMember({ ...member, role, area });
  });
}

/** Removes a user from the account. Also used by users to leave. @throws ApiError 404; 400 `last_owner` */
export function removeMember({ control, clock }: Deps, author: Author, publicUserId: string): Promise<Member> {
  return control.transaction(async (tx) => {
    const member = await lockMember(tx, author, publicUserId, true);
    await deleteMember(tx, { account_id: author.accountId, user_id: member.user_id });
    const { email, role } = member;
    const action = member.user_id === author.id ? 'member.left' : 'member.removed';
    await audit(tx, author, { action, subject: ['member', publicUserId], before: { email, role } }, clock());
    return serializeMember(member);
  });
}

/**
 * Creates a link that sets a member's password. Whoever has the link can act as the user in all of their accounts, so only
 * an owner of all these accounts may create it.
 * @throws ApiError 404; 400 `reset_not_allowed`
 */
export function resetMember({ control, clock, publicUrl }: Deps, author: Author, publicUserId: string) {
  return control.transaction(async (tx) => {
    const { user_id } = await lockMember(tx, author, publicUserId, false);
    await lockUser(tx, { user_id });
    const others = await listAccountsNotOwnedBy(tx, { user_id, owner_id: author.id });
    if (others.length > 0) {
      const detail =
        'This user is a member of accounts that you do not own. Ask the operator to run `headwater users reset-link`.';
      throw badRequest('reset_not_allowed', detail);
    }
    await audit(tx, author, { action: 'member.reset_link_made', subject: ['member', publicUserId] }, clock());
    return createResetLink(tx, publicUrl(), user_id, clock());
  });
}

/** Reads a member, and locks the account's owners until the commit. */
async function lockMember(
  tx: ControlTx,
  { accountId: account_id, id: authorId }: Author,
  publicUserId: string,
  losesOwnership: boolean,
): Promise<MemberRow> {
  const owners = await lockOwners(tx, { account_id });
  const user_id = parseId('usr', publicUserId);
  const [member] = user_id === undefined ? [] : await findMember(tx, { account_id, user_id });
  if (!member) throw notFound('member');
  const isOwner = owners.some((owner) => owner.user_id === authorId);
  // The author may have lost the role since the request was authorized.
  if (!isOwner && member.user_id !== authorId) throw roleInsufficient('owner');
  if (losesOwnership && owners.length === 1 && owners[0]?.user_id === member.user_id) {
    throw badRequest('last_owner', 'An account needs an owner. Make another member an owner first.');
  }
  return member;
}
