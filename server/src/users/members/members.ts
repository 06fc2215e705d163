import {
  type Area,
  assignedRole,
  type Caller,
  type Role,
  refuseHigher,
  roleIdOf,
  roleInsufficient,
} from '../../accounts/index.ts';
import { queueMails, sendsMail } from '../../mail/index.ts';
import { type Author, audit } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest, notFound } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import type { Member } from '../contract.ts';
import { revokeInvitationsOf } from '../invitations/queries.ts';
import { resetMail } from '../mails.ts';
import { deleteLinks, deleteLinksOfCreator } from '../one-time-links.ts';
import { findUser, lockUser } from '../queries.ts';
import { createResetLink } from '../sign-in/change-password.ts';
import { refuseOtherThanSso } from '../sso/requirement.ts';
import { deleteMember, findMember, listMemberships, lockOwners, type MemberRow, updateRole } from './queries.ts';

export function serializeMember(row: MemberRow): Member {
  return {
    userId: publicId('usr', row.user_id),
    email: row.email,
    name: row.name,
    role: row.role,
    roleId: roleIdOf(row),
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
  caller: Caller,
  publicUserId: string,
  sent: { role?: Role | undefined; roleId?: string | undefined; area?: Area | null | undefined },
): Promise<Member> {
  return control.transaction(async (tx) => {
    const assigned = await assignedRole(tx, author.accountId, caller, sent);
    const losesOwnership = assigned !== undefined && assigned.role !== 'owner';
    const member = await lockMember(tx, author, caller, publicUserId, losesOwnership);
    await refuseHigher(tx, author.accountId, caller, member);
    const { role, role_id } = assigned ?? member;
    const { area = role === 'owner' ? null : member.area } = sent;
    checkArea(role, area);
    const after = { role, role_id, area };
    await giveRole(tx, author, member, after, clock());
    return serializeMember({ ...member, ...after });
  });
}

/** @param by what decides it, if not the author */
export async function giveRole(
  tx: ControlTx,
  author: Author,
  member: MemberRow,
  { by, ...after }: Pick<MemberRow, 'role' | 'role_id' | 'area'> & { by?: 'sso' },
  now: number,
): Promise<void> {
  const { user_id } = member;
  await lockUser(tx, { user_id });
  await updateRole(tx, { account_id: author.accountId, user_id, ...after });
  await dropLinks(tx, author.accountId, member, after.role === 'owner', now);
  const state = (of: Pick<MemberRow, 'role' | 'role_id' | 'area'>) => ({ role: roleIdOf(of), area: of.area });
  const states = { before: state(member), after: { ...state(after), ...(by && { by }) } };
  const change = { action: 'member.changed', subject: ['member', publicId('usr', user_id)] as const, ...states };
  const isChanged = member.role !== after.role || member.role_id !== after.role_id || member.area !== after.area;
  if (isChanged) await audit(tx, author, change, now);
}

/** Removes a user from the account. Also used by users to leave. @throws ApiError 404; 400 `last_owner` */
export function removeMember(
  { control, clock }: Deps,
  author: Author,
  caller: Caller,
  publicUserId: string,
): Promise<Member> {
  return control.transaction(async (tx) => {
    const member = await lockMember(tx, author, caller, publicUserId, true);
    if (member.user_id !== author.id) await refuseHigher(tx, author.accountId, caller, member);
    await lockUser(tx, { user_id: member.user_id });
    await deleteMember(tx, { account_id: author.accountId, user_id: member.user_id });
    await dropLinks(tx, author.accountId, member, false, clock());
    const { email, role } = member;
    const action = member.user_id === author.id ? 'member.left' : 'member.removed';
    await audit(tx, author, { action, subject: ['member', publicUserId], before: { email, role } }, clock());
    return serializeMember(member);
  });
}

/**
 * Drops the links that would let somebody act beyond their rights when those of a member change: a link for their password may
 * do more or belongs to somebody who left, and a former owner must not use links that they were given.
 */
async function dropLinks(
  tx: ControlTx,
  account_id: string,
  { user_id, role }: MemberRow,
  isOwner: boolean,
  now: number,
): Promise<void> {
  await deleteLinks(tx, { type: 'reset', user_id });
  if (isOwner || (role !== 'owner' && role !== 'custom')) return;
  await deleteLinksOfCreator(tx, { created_by: user_id });
  await revokeInvitationsOf(tx, { account_id, invited_by: user_id, now: new Date(now) });
}

/**
 * Helps a member who forgot the password. The link is sent to the member's confirmed email. Where the service sends no mail, the
 * owner is given it, but only for a member who can do nothing that the owner cannot: no other account, no operator.
 * @throws ApiError 404; 400 `reset_not_allowed`; 401 `sso_required`
 */
export function resetMember(deps: Deps, author: Author, caller: Caller, publicUserId: string) {
  const { control, clock, publicUrl } = deps;
  return control.transaction(async (tx) => {
    const member = await lockMember(tx, author, caller, publicUserId, false);
    await refuseHigher(tx, author.accountId, caller, member);
    const { user_id } = member;
    await refuseOtherThanSso(tx, user_id);
    await lockUser(tx, { user_id });
    const [user] = await findUser(tx, { user_id });
    if (!user) throw notFound('member');
    const emailed = sendsMail(deps);
    if (emailed && user.email_confirmed_at === null) {
      throw resetNotAllowed('The member has not confirmed their email.');
    }
    if (!emailed) {
      const accounts = await listMemberships(tx, { user_id });
      if (user.is_operator) throw resetNotAllowed('The member operates the service.');
      if (accounts.length > 1) throw resetNotAllowed('The member has other accounts.');
    }
    const link = await createResetLink(tx, publicUrl(), user_id, clock(), author.id);
    if (emailed) await queueMails(tx, deps, [resetMail(user, link.url)]);
    await audit(tx, author, { action: 'member.reset_link_made', subject: ['member', publicUserId] }, clock());
    return { ...link, url: emailed ? null : link.url, emailed };
  });
}

function resetNotAllowed(reason: string) {
  const detail = `${reason} They use "Forgot password?" if the service sends email, or the operator runs \`headwater users reset-link\`.`;
  return badRequest('reset_not_allowed', detail);
}

/** Reads a member, and locks the account's owners until the commit. */
async function lockMember(
  tx: ControlTx,
  { accountId: account_id, id: authorId }: Author,
  { access }: Caller,
  publicUserId: string,
  losesOwnership: boolean,
): Promise<MemberRow> {
  const owners = await lockOwners(tx, { account_id });
  const user_id = parseId('usr', publicUserId);
  const [member] = user_id === undefined ? [] : await findMember(tx, { account_id, user_id });
  if (!member) throw notFound('member');
  const isOwner = owners.some((owner) => owner.user_id === authorId);
  // The author may have lost the role since the request was authorized.
  if (!isOwner && member.user_id !== authorId) {
    const [own] = access && authorId ? await findMember(tx, { account_id, user_id: authorId }) : [];
    if (!own || own.role_id !== access?.roleId) throw roleInsufficient('owner');
  }
  if (losesOwnership && owners.length === 1 && owners[0]?.user_id === member.user_id) {
    throw badRequest('last_owner', 'An account needs an owner. Make another member an owner first.');
  }
  return member;
}
