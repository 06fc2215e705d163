import { type Role, roleInsufficient } from '../accounts/index.ts';
import { type Author, audit } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { badRequest, notFound } from '../shared/errors.ts';
import { parseId, publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { makeResetLink } from './change-password.ts';
import type { Member } from './contract.ts';
import {
  changeRole,
  deleteMember,
  findMember,
  listAccountsBeyond,
  lockOwners,
  lockUser,
  type MemberRow,
} from './queries.ts';

export function memberAnswer(row: MemberRow): Member {
  return {
    userId: publicId('usr', row.user_id),
    email: row.email,
    name: row.name,
    role: row.role,
    joinedAt: isoTime(row.joined_at),
    lastSeenAt: row.last_seen_at && isoTime(row.last_seen_at),
  };
}

/** @throws ApiError 404; 400 `last_owner` where nobody would own the account any more */
export function changeMember({ db, clock }: Deps, author: Author, publicUserId: string, role: Role): Promise<Member> {
  return db.transaction(async (tx) => {
    const member = await held(tx, author, publicUserId, role !== 'owner');
    await changeRole(tx, author.accountId, member.user_id, role);
    const subject = ['member', publicUserId] as const;
    const change = { action: 'member.changed', subject, before: { role: member.role }, after: { role } };
    if (member.role !== role) await audit(tx, author, change, clock());
    return memberAnswer({ ...member, role });
  });
}

/** Takes a user out of the account; a user may leave by it. @throws ApiError 404; 400 `last_owner` */
export function removeMember({ db, clock }: Deps, author: Author, publicUserId: string): Promise<Member> {
  return db.transaction(async (tx) => {
    const member = await held(tx, author, publicUserId, true);
    await deleteMember(tx, author.accountId, member.user_id);
    const { email, role } = member;
    const action = member.user_id === author.id ? 'member.left' : 'member.removed';
    await audit(tx, author, { action, subject: ['member', publicUserId], before: { email, role } }, clock());
    return memberAnswer(member);
  });
}

/**
 * A link by which a member sets a password anew. A user is one in all accounts: only who owns all of theirs may make it,
 * since whoever has the link can be that user.
 * @throws ApiError 404; 400 `reset_not_allowed`
 */
export function resetMember({ db, clock, publicUrl }: Deps, author: Author, publicUserId: string) {
  return db.transaction(async (tx) => {
    const member = await held(tx, author, publicUserId, false);
    await lockUser(tx, member.user_id);
    const beyond = await listAccountsBeyond(tx, member.user_id, author.id);
    if (beyond.length > 0) {
      const detail = 'This user is in accounts that you do not own: `headwater users reset-link` makes the link.';
      throw badRequest('reset_not_allowed', detail);
    }
    await audit(tx, author, { action: 'member.reset_link_made', subject: ['member', publicUserId] }, clock());
    return makeResetLink(tx, publicUrl(), member.user_id, clock());
  });
}

/** The member, with the account's owners held until the commit. `loses`: whether it is to be an owner no more. */
async function held(tx: Tx, author: Author, publicUserId: string, loses: boolean): Promise<MemberRow> {
  const owners = await lockOwners(tx, author.accountId);
  const id = parseId('usr', publicUserId);
  const [member] = id === undefined ? [] : await findMember(tx, author.accountId, id);
  if (!member) throw notFound('member');
  const isOwner = owners.some(({ user_id }) => user_id === author.id);
  // Whoever asks may have lost the role since the request began.
  if (!isOwner && member.user_id !== author.id) throw roleInsufficient('owner');
  if (loses && owners.length === 1 && owners[0]?.user_id === member.user_id) {
    throw badRequest('last_owner', 'An account has an owner: make somebody else one first.');
  }
  return member;
}
