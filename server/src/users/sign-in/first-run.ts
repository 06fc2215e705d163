import type { FastifyRequest } from 'fastify';
import { chooseDefaults, findAccount, insertAccount } from '../../accounts/index.ts';
import { audit } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { invalid, notFound, refuse } from '../../shared/errors.ts';
import { newUuid, parseId, publicId } from '../../shared/ids.ts';
import type { ControlDatabase, ControlTx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { DAY } from '../../shared/units.ts';
import type { FirstRunBody } from '../contract.ts';
import { createUser, normalizeEmail } from '../create-user.ts';
import { createWebsiteKey, defaultsOf } from '../members/accounts.ts';
import { insertMember, listUnownedAccounts } from '../members/queries.ts';
import {
  createSecret,
  deleteLinks,
  findLink,
  findUsedLink,
  hashSecret,
  insertLink,
  linkInvalid,
  linkTo,
  REPEAT_MS,
  useLink,
} from '../one-time-links.ts';
import { findUser, hasUsers, lockFirstRun, setOperator, type UserRow } from '../queries.ts';
import { attempt } from './attempt-limits.ts';
import { hashPassword, isPassword } from './password.ts';
import { weakness } from './password-strength.ts';
import type { SignIns, StartedSession } from './sign-in.ts';

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
    created_by: null,
    expires_at: new Date(now + DAY),
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
 * @throws ApiError 400 `link_invalid`, `account_choice_invalid`, `password_weak`; 404 for an unknown account
 */
export async function completeFirstRun(
  deps: Deps,
  signIns: SignIns,
  request: FastifyRequest,
  body: FirstRunBody,
): Promise<StartedSession> {
  const { control, clock } = deps;
  const { ip: address } = request;
  if ((body.accountName === undefined) === (body.accountId === undefined)) {
    const detail = 'Send either accountName, for a new account, or accountId, for an existing one.';
    throw invalid([{ pointer: '', code: 'account_choice_invalid', detail }]);
  }
  const now = clock();
  const link = { hash: hashSecret(body.token), type: 'first_run', now: new Date(now) };
  const [known] = await findLink(control, link);
  if (!known) {
    const user = await findCreated(deps, link, body.password, address);
    if (user?.email !== normalizeEmail(body.email)) throw linkInvalid();
    return control.transaction((tx) => signIns.start(tx, request, user.id));
  }
  refuse(await weakness(body.password, '/password', [body.email, body.name, body.accountName ?? '']));
  const hash = await hashPassword(body.password, { address });
  return control.transaction(async (tx) => {
    await lockFirstRun(tx);
    const [row] = await hasUsers(tx);
    // The email counts as confirmed: whoever has the link operates the service.
    const user_id = row?.any ? undefined : await createUser(tx, { ...body, hash, isConfirmed: true }, now);
    const [used] = user_id === undefined ? [] : await useLink(tx, { ...link, used_by: user_id });
    if (user_id === undefined || !used) throw linkInvalid();
    await setOperator(tx, { user_id, is_operator: true });
    const accountId = await chooseAccount(tx, body, now);
    await insertMember(tx, {
      account_id: accountId,
      user_id,
      role: 'owner',
      role_id: null,
      area: null,
      now: new Date(now),
    });
    await deleteLinks(tx, { type: 'first_run', user_id: null });
    const subject = ['member', publicId('usr', user_id)] as const;
    const author = { accountId, type: 'user', id: user_id, address } as const;
    await audit(tx, author, { action: 'member.joined', subject, after: { role: 'owner' } }, now);
    if (body.accountId === undefined) await createWebsiteKey(tx, author, now);
    return signIns.start(tx, request, user_id);
  });
}

/**
 * The first user, if this request has the same link and password as the one that created them: its response was lost.
 * @throws ApiError 429
 */
async function findCreated(
  deps: Deps,
  { hash, now }: { hash: Buffer; now: Date },
  password: string,
  address: string,
): Promise<UserRow | undefined> {
  const since = new Date(now.getTime() - REPEAT_MS);
  const [used] = await findUsedLink(deps.control, { hash, type: 'first_run', since });
  const [user] = used ? await findUser(deps.control, { user_id: used.used_by }) : [];
  if (!user) return undefined;
  return attempt(deps, { email: user.email, ip: address }, async () =>
    (await isPassword(password, user.password, { address })) ? user : undefined,
  );
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
