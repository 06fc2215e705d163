import { findAccount, insertAccount, roleInsufficient, type SignedIn } from '../../accounts/index.ts';
import { type Author, audit } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { notFound } from '../../shared/errors.ts';
import { newUuid, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import type { Account } from '../contract.ts';
import { deleteLinks } from '../one-time-links.ts';
import { lockUser } from '../queries.ts';
import { insertMember, ownsAnyAccount, renameAccount } from './queries.ts';

interface AccountRow {
  id: string;
  name: string;
  created_at: Date;
}

function serializeAccount({ id, name, created_at }: AccountRow): Account {
  return { id: publicId('acc', id), name, createdAt: isoTime(created_at) };
}

export async function readAccount({ db }: Deps, accountId: string): Promise<Account> {
  const [row] = await findAccount(db, { id: accountId });
  if (!row) throw notFound('account');
  return serializeAccount(row);
}

export function changeAccount({ db, clock }: Deps, author: Author, name: string): Promise<Account> {
  return db.transaction(async (tx) => {
    const [row] = await renameAccount(tx, { account_id: author.accountId, name });
    if (!row) throw notFound('account');
    const subject = ['account', publicId('acc', row.id)] as const;
    const change = { action: 'account.changed', subject, before: { name: row.old_name }, after: { name } };
    await audit(tx, author, change, clock());
    return serializeAccount(row);
  });
}

/** Creates another account, owned by a user who already owns one. @throws ApiError 400 `role_insufficient` */
export async function addAccount({ db, clock }: Deps, { userId }: SignedIn, name: string, address: string) {
  const [row] = await ownsAnyAccount(db, { user_id: userId });
  if (!row?.owns) throw roleInsufficient('owner');
  const now = clock();
  const accountId = newUuid(now);
  await db.transaction(async (tx) => {
    await insertAccount(tx, { id: accountId, name, created_at: new Date(now) });
    await joinAccount(tx, accountId, userId, 'owner', now);
    const subject = ['account', publicId('acc', accountId)] as const;
    const author = { accountId, type: 'user', id: userId, address } as const;
    await audit(tx, author, { action: 'account.created', subject, after: { name } }, now);
  });
}

/**
 * Makes a user a member. Returns false if they already are. Deletes the user's reset links: whoever created one owned all
 * of the user's accounts, which is no longer true.
 */
export async function joinAccount(tx: Tx, account_id: string, user_id: string, role: string, now: number) {
  await lockUser(tx, { user_id });
  await deleteLinks(tx, { type: 'reset', user_id });
  const [member] = await insertMember(tx, { account_id, user_id, role, now: new Date(now) });
  return member !== undefined;
}
