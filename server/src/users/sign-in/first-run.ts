import { chooseDefaults, findAccount, insertAccount } from '../../accounts/index.ts';
import { audit } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { invalid, notFound } from '../../shared/errors.ts';
import { newUuid, parseId, publicId } from '../../shared/ids.ts';
import type { ControlDatabase, ControlTx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import type { FirstRunBody } from '../contract.ts';
import { createUser } from '../create-user.ts';
import { createWebsiteKey, defaultsOf } from '../members/accounts.ts';
import { insertMember, listUnownedAccounts } from '../members/queries.ts';
import {
  createSecret,
  DAY_MS,
  deleteLinks,
  findLink,
  hashSecret,
  insertLink,
  linkInvalid,
  linkTo,
  useLink,
} from '../one-time-links.ts';
import { hasUsers, lockFirstRun, setOperator } from '../queries.ts';
import { hashPassword } from './password.ts';

/** Creates a link that creates the first user, valid once and for a day; undefined if there are users. */
export async function createFirstRunLink(
  control: ControlDatabase,
  publicUrl: string,
  now: number,
): Promise<string | undefined> {
  const [row] = await hasUsers(control);
  if (row?.any) return undefined;
  const { secret, hash } = createSecret();
  await insertLink(control, {
    hash,
    type: 'first_run',
    user_id: null,
    email: null,
    expires_at: new Date(now + DAY_MS),
  });
  return linkTo(publicUrl, 'first-run', secret);
}

/** @throws ApiError 400 `link_invalid` */
export async function inspectFirstRun({ control, clock }: Deps, token: string) {
  const [link] = await findLink(control, { hash: hashSecret(token), type: 'first_run', now: new Date(clock()) });
  if (!link) throw linkInvalid();
  const accounts = await listUnownedAccounts(control);
  return {
    accounts: accounts.map(({ id, name }) => ({ id: publicId('acc', id), name })),
    expiresAt: isoTime(link.expires_at),
  };
}

/**
 * Creates the first user, who operates the service and owns a new or an existing account. Of concurrent requests, with whatever links and on
 * whatever processes, only one succeeds.
 * @throws ApiError 400 `link_invalid`, `account_choice_invalid`; 404 for an unknown account
 */
export async function completeFirstRun({ control, clock }: Deps, body: FirstRunBody, address: string): Promise<void> {
  if ((body.accountName === undefined) === (body.accountId === undefined)) {
    const detail = 'Send either accountName, for a new account, or accountId, for an existing one.';
    throw invalid([{ pointer: '', code: 'account_choice_invalid', detail }]);
  }
  const now = clock();
  const link = { hash: hashSecret(body.token), type: 'first_run', now: new Date(now) };
  const [known] = await findLink(control, link);
  if (!known) throw linkInvalid();
  const hash = await hashPassword(body.password);
  await control.transaction(async (tx) => {
    await lockFirstRun(tx);
    const [used] = await useLink(tx, link);
    const [row] = await hasUsers(tx);
    if (!used || row?.any) throw linkInvalid();
    const user_id = await createUser(tx, { ...body, hash }, now);
    if (user_id === undefined) throw linkInvalid();
    await setOperator(tx, { user_id, is_operator: true });
    const accountId = await chooseAccount(tx, body, now);
    await insertMember(tx, { account_id: accountId, user_id, role: 'owner', area: null, now: new Date(now) });
    await deleteLinks(tx, { type: 'first_run', user_id: null });
    const subject = ['member', publicId('usr', user_id)] as const;
    const author = { accountId, type: 'user', id: user_id, address } as const;
    await audit(tx, author, { action: 'member.joined', subject, after: { role: 'owner' } }, now);
    if (body.accountId === undefined) await createWebsiteKey(tx, author, now);
  });
}

async function chooseAccount(tx: ControlTx, body: FirstRunBody, now: number): Promise<string> {
  const { accountId, accountName = '' } = body;
  if (accountId === undefined) {
    const id = newUuid(now);
    await insertAccount(tx, {
      id,
      name: accountName.trim(),
      ...defaultsOf(body),
      cell: null,
      created_at: new Date(now),
    });
    return id;
  }
  const id = parseId('acc', accountId);
  const [row] = id === undefined ? [] : await findAccount(tx, { id });
  if (!row) throw notFound('account');
  await chooseDefaults(tx, { id: row.id, ...defaultsOf(body) });
  return row.id;
}
