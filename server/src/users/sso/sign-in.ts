import { Value } from 'typebox/value';
import { assignedRole, roleIdOf } from '../../accounts/index.ts';
import { audit } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { ApiError } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { Email } from '../contract.ts';
import { createUser, normalizeEmail } from '../create-user.ts';
import { LIMITS } from '../limits.ts';
import { joinAccount } from '../members/accounts.ts';
import { giveRole } from '../members/members.ts';
import { findMember, lockOwners } from '../members/queries.ts';
import { findUser, findUserByEmail, type UserRow } from '../queries.ts';
import type { Claims } from './provider.ts';
import {
  type ConnectionRow,
  findConnection,
  findIdentity,
  linkIdentity,
  listDomains,
  lockConnection,
  useInvitationOf,
} from './queries.ts';

/** Why somebody is not signed in. The dashboard explains each. */
export type Refusal =
  | 'denied'
  | 'domain_not_allowed'
  | 'email_unconfirmed'
  | 'email_unverified'
  | 'expired'
  | 'not_member'
  | 'operator'
  | 'other_identity'
  | 'other_user'
  | 'no_role'
  | 'unavailable';

export class Refused extends Error {
  readonly reason: Refusal;

  constructor(reason: Refusal) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * The user whom the provider of an account vouches for, as a member with the role that it maps to. A provider is in the hands of the
 * owners of its account, so it is believed only about emails of domains that the account has proved to control, never about operators,
 * and nobody becomes a member whom neither an owner invited nor the provider brought in as a new user.
 * @throws Refused
 */
export async function memberOf(
  deps: Deps,
  tx: ControlTx,
  connection: Pick<ConnectionRow, 'account_id' | 'version'>,
  claims: Claims,
  address: string,
): Promise<string> {
  const { account_id } = connection;
  const now = deps.clock();
  await lockConnection(tx, { account_id });
  const [row] = await findConnection(tx, { account_id });
  if (row?.version !== connection.version) throw new Refused('expired');
  const email = normalizeEmail(claims.email ?? '');
  if (!claims.isEmailVerified || !Value.Check(Email, email)) throw new Refused('email_unverified');
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const domains = await listDomains(tx, { account_id });
  if (!domains.some((each) => each.domain === domain && each.proven_at)) throw new Refused('domain_not_allowed');

  const identity = { account_id, issuer: row.issuer, subject: claims.subject };
  const [linked] = await findIdentity(tx, identity);
  const [known] = linked ? await findUser(tx, { user_id: linked.user_id }) : await findUserByEmail(tx, { email });
  if (known?.is_operator) throw new Refused('operator');
  // Somebody may have entered it who does not receive its mail.
  if (known && !linked && !known.email_confirmed_at) throw new Refused('email_unconfirmed');

  const user_id = known?.id ?? (await createMember(tx, claims.name, email, now));
  const link = { ...identity, user_id, now: new Date(now) };
  await giveMappedRole(deps, tx, row, claims.roles, { user_id, known, email, address });
  if (!linked && !(await linkIdentity(tx, link))[0]) throw new Refused('other_identity');
  return user_id;
}

/** A user without a password: nothing hashes to the text in its place. */
async function createMember(tx: ControlTx, name: string | undefined, email: string, now: number): Promise<string> {
  const called = name?.replaceAll('\0', '').trim().slice(0, LIMITS.nameLength).toWellFormed() || email;
  const user_id = await createUser(tx, { email, name: called, hash: 'none', isConfirmed: true }, now);
  if (user_id === undefined) throw new Refused('expired');
  return user_id;
}

async function giveMappedRole(
  deps: Deps,
  tx: ControlTx,
  row: ConnectionRow,
  values: readonly string[],
  { user_id, known, email, address }: { user_id: string; known: UserRow | undefined; email: string; address: string },
): Promise<void> {
  const { account_id } = row;
  const now = deps.clock();
  // As in `lockMember`: of two transactions that take the role of an owner away, one waits.
  const owners = await lockOwners(tx, { account_id });
  const [member] = await findMember(tx, { account_id, user_id });
  const keeps = member && row.role_mappings.length === 0;
  const mapped = row.role_mappings.find(({ value }) => values.includes(value))?.roleId ?? row.default_role_id;
  if (keeps) return;
  if (mapped === null) throw new Refused('no_role');
  const assigned = await assignedRole(tx, account_id, undefined, { roleId: mapped }).catch((error: unknown) => {
    if (error instanceof ApiError) throw new Refused('no_role');
    throw error;
  });
  if (!assigned) throw new Refused('no_role');
  const author = { accountId: account_id, type: 'user', id: user_id, address } as const;
  if (member) {
    const { role, role_id } = assigned;
    const isLastOwner = owners.length === 1 && owners[0]?.user_id === user_id;
    if ((role === member.role && role_id === member.role_id) || isLastOwner) return;
    const area = role === 'owner' ? null : member.area;
    await giveRole(tx, author, member, { ...assigned, area, by: 'sso' }, now);
    return;
  }
  const [invited] = known ? await useInvitationOf(tx, { account_id, user_id, email, now: new Date(now) }) : [];
  if (known && !invited) throw new Refused('not_member');
  await joinAccount(tx, account_id, user_id, { ...assigned, area: null }, now);
  const subject = ['member', publicId('usr', user_id)] as const;
  const after = { role: roleIdOf(assigned), area: null, by: 'sso' };
  await audit(tx, author, { action: 'member.joined', subject, after }, now);
}
