import { findAccount, insertAccount } from '../accounts/index.ts';
import { audit } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { invalid, notFound } from '../shared/errors.ts';
import { newUuid, parseId, publicId } from '../shared/ids.ts';
import type { Database, Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import type { FirstRunBody } from './contract.ts';
import { createUser } from './create-user.ts';
import { hashSecret, linkInvalid, linkTo, makeSecret } from './one-time-link.ts';
import { hashPassword } from './password.ts';
import {
  dropLinks,
  findLink,
  insertLink,
  insertMember,
  isAnyUser,
  listUnowned,
  lockFirstRun,
  takeLink,
} from './queries.ts';

const LINK_MS = 86_400_000;

/** A link that makes the first user, good once and for a day; undefined where there is a user. */
export async function makeFirstRunLink(db: Database, publicUrl: string, now: number): Promise<string | undefined> {
  const [row] = await isAnyUser(db);
  if (row?.any) return undefined;
  const { secret, hash } = makeSecret();
  await insertLink(db, hash, 'first_run', null, new Date(now + LINK_MS));
  return linkTo(publicUrl, 'first-run', secret);
}

/** @throws ApiError 400 `link_invalid` */
export async function inspectFirstRun({ db, clock }: Deps, token: string) {
  const [link] = await findLink(db, hashSecret(token), 'first_run', new Date(clock()));
  if (!link) throw linkInvalid();
  const accounts = await listUnowned(db);
  return {
    accounts: accounts.map(({ id, name }) => ({ id: publicId('acc', id), name })),
    expiresAt: isoTime(link.expires_at),
  };
}

/**
 * Makes the first user, who owns a new account or one that there is. Of several who try, by whatever links on whatever
 * processes, one alone does.
 * @throws ApiError 400 `link_invalid`, `account_choice_invalid`; 404 for an account that is not
 */
export async function completeFirstRun({ db, clock }: Deps, body: FirstRunBody, address: string): Promise<void> {
  if ((body.accountName === undefined) === (body.accountId === undefined)) {
    const detail = 'Either a new account is named, or one that there is: accountName or accountId.';
    throw invalid([{ pointer: '', code: 'account_choice_invalid', detail }]);
  }
  const now = clock();
  const link = hashSecret(body.token);
  const [known] = await findLink(db, link, 'first_run', new Date(now));
  if (!known) throw linkInvalid();
  const hash = await hashPassword(body.password);
  await db.transaction(async (tx) => {
    await lockFirstRun(tx);
    const [used] = await takeLink(tx, link, 'first_run', new Date(now));
    const [row] = await isAnyUser(tx);
    if (!used || row?.any) throw linkInvalid();
    const userId = await createUser(tx, { ...body, hash }, now);
    if (userId === undefined) throw linkInvalid();
    const accountId = await ownAccount(tx, body, now);
    await insertMember(tx, accountId, userId, 'owner', new Date(now));
    await dropLinks(tx, 'first_run', null);
    const subject = ['member', publicId('usr', userId)] as const;
    const author = { accountId, kind: 'user', id: userId, address } as const;
    await audit(tx, author, { action: 'member.joined', subject, after: { role: 'owner' } }, now);
  });
}

async function ownAccount(tx: Tx, { accountId, accountName = '' }: FirstRunBody, now: number): Promise<string> {
  if (accountId === undefined) {
    const id = newUuid(now);
    await insertAccount(tx, id, accountName.trim(), new Date(now));
    return id;
  }
  const id = parseId('acc', accountId);
  const [row] = id === undefined ? [] : await findAccount(tx, id);
  if (!row) throw notFound('account');
  return row.id;
}
