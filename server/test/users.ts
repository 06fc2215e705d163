import { randomBytes } from 'node:crypto';
import type { Role } from '../src/accounts/index.ts';
import { newUuid, publicId } from '../src/shared/ids.ts';
import { createUser } from '../src/users/create-user.ts';
import { insertMember } from '../src/users/members/queries.ts';
import { hashSecret } from '../src/users/one-time-links.ts';
import { hashPassword } from '../src/users/sign-in/password.ts';
import { insertSession } from '../src/users/sign-in/queries.ts';
import type { Account, ServiceUnderTest, TestUser } from './service-under-test.ts';

export type { TestUser };

export const PASSWORD = 'correct horse battery';
let hash: Promise<string> | undefined;

/** The headers that the dashboard sends. */
export function dashboardHeaders({ cookie, account }: Pick<TestUser, 'cookie' | 'account'>): Record<string, string> {
  return {
    cookie,
    origin: 'http://headwater.test',
    'sec-fetch-site': 'same-origin',
    ...(account && { 'x-headwater-account': account.id }),
  };
}

let count = 0;

/** Creates a user with a session as a member of the account. Links and passwords have their own tests. */
export async function createTestUser(
  { control, clock }: Pick<ServiceUnderTest, 'control' | 'clock'>,
  account: Account | undefined,
  role: Role = 'owner',
  name = `user-${++count}`,
): Promise<TestUser> {
  hash ??= hashPassword(PASSWORD, { address: '127.0.0.1' });
  const email = `${name}@users.example`;
  const uuid = await createUser(control, { email, name, hash: await hash, isConfirmed: true }, clock.now);
  if (uuid === undefined) throw new Error(`there is a user ${email}`);
  if (account) {
    await insertMember(control, {
      account_id: account.uuid,
      user_id: uuid,
      role,
      role_id: null,
      area: null,
      now: new Date(clock.now),
    });
  }
  return { userId: publicId('usr', uuid), uuid, email, account, ...(await newSession({ control, clock }, uuid)) };
}

/** Creates a session of a user, like a sign-in. @param confirmedAt when the user last proved who they are */
export async function newSession(
  { control, clock }: Pick<ServiceUnderTest, 'control' | 'clock'>,
  userUuid: string,
  confirmedAt = clock.now,
) {
  const token = randomBytes(24).toString('base64url');
  const id = newUuid(clock.now);
  await insertSession(control, {
    id,
    user_id: userUuid,
    token_hash: hashSecret(token),
    now: new Date(clock.now),
    confirmed_at: new Date(confirmedAt),
    expires_at: new Date(clock.now + 30 * 86_400_000),
    address: '203.0.113.9',
    user_agent: 'a test',
    account_id: null,
  });
  return { sessionId: publicId('uss', id), cookie: `headwater=${token}.signature` };
}
