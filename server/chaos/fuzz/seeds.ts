/** A valid request of each operation: of the table of routes, or, where those need what earlier requests answered, made by such requests. */
import assert from 'node:assert/strict';
import { DAY } from '../../src/shared/units.ts';
import { createSecret, insertLink } from '../../src/users/one-time-links.ts';
import { SoftwarePasskey } from '../../src/users/security/test-passkey.ts';
import { codeOf, fromBase32 } from '../../src/users/security/totp.ts';
import type { Furnished } from '../../test/furnished-account.ts';
import type { ServiceUnderTest } from '../../test/harness.ts';
import { type GoodRequest, ROUTES } from '../../test/route-table.ts';
import { createTestUser, newSession, PASSWORD, type TestUser } from '../../test/users.ts';
import type { Operation } from './operations.ts';

/** `headers` are sent with every variation of the request. */
export interface Seed extends GoodRequest {
  /** Whose session it needs; undefined: that of any member. */
  by?: TestUser;
}

export interface Situation {
  service: ServiceUnderTest;
  mine: Furnished;
  /** A user who operates the service. */
  operator: TestUser;
}

const ORIGIN = 'http://headwater.test';
const STEP_MS = 30_000;

export async function seedOf({ name }: Operation, at: Situation): Promise<Seed | undefined> {
  return (await SEEDS[name]?.(at)) ?? ROUTES[name]?.good(at.mine);
}

const SEEDS: Record<string, (at: Situation) => Promise<Seed> | Seed> = {
  'GET /auth/session': () => ({}),
  // A sign-in ends the session that its browser had.
  'POST /auth/sign-in': async (at) => {
    const by = await newUser(at);
    return { by, body: { email: by.email, password: PASSWORD } };
  },
  'POST /auth/sign-out': async (at) => ({ by: await newUser(at) }),
  'POST /auth/forgotten-password': ({ mine }) => ({ body: { email: mine.owner.email } }),
  'POST /auth/reset-password': async (at) => ({
    body: { token: await newLink(at, 'reset', await newUser(at)), newPassword: 'another battery' },
  }),
  'POST /auth/security/reviews': async (at) => {
    const by = await newUser(at);
    const token = await newLink(at, 'reset', by);
    await ask(at, 'POST /auth/reset-password', { body: { token, newPassword: 'another battery' } });
    const body = { email: by.email, password: 'another battery' };
    const { headers } = await ask(at, 'POST /auth/sign-in', { body });
    const cookie = String([headers['set-cookie']].flat()[0]).split(';', 1)[0] ?? '';
    const signedIn = { ...by, cookie };
    const { reviews } = (await ask(at, 'GET /auth/security', { by: signedIn })).body;
    return { by: signedIn, body: { type: reviews[0]?.type, id: reviews[0]?.id } };
  },
  'POST /auth/two-factor/confirm': async (at) => {
    const by = await newUser(at);
    return { by, body: { code: await firstCode(at, by) } };
  },
  'POST /auth/two-factor/recovery-codes': async (at) => {
    const by = await newUser(at);
    const body = { code: await firstCode(at, by) };
    const { recoveryCodes } = (await ask(at, 'POST /auth/two-factor/confirm', { by, body })).body;
    return { by, body: { code: recoveryCodes[0] } };
  },
  'POST /auth/email': async (at) => {
    const by = await newUser(at);
    return { by, body: { currentPassword: PASSWORD, email: `new-${by.uuid}@users.example` } };
  },
  'POST /auth/email/confirm': async (at) => ({ body: { token: await newLink(at, 'email', await newUser(at)) } }),
  'POST /auth/passkeys': async (at) => {
    const by = await newUser(at);
    return { by, body: { name: 'Laptop', credential: (await newPasskey(at, by)).credential } };
  },
  'DELETE /auth/passkeys/:passkeyId': async (at) => {
    const by = await newUser(at);
    const { passkeys } = (await addPasskey(at, by)).body;
    return { by, params: { passkeyId: passkeys[0].id } };
  },
  'POST /auth/passkeys/sign-in/options': () => ({ body: {} }),
  'POST /auth/passkeys/sign-in': async (at) => {
    const by = await newUser(at);
    const { passkey } = await addPasskey(at, by);
    const { options } = (await ask(at, 'POST /auth/passkeys/sign-in/options', { body: {} })).body;
    return { by, body: { credential: passkey.get(options) } };
  },
  'DELETE /auth/sessions/:sessionId': async (at) => {
    const by = await newUser(at);
    return { by, params: { sessionId: (await newSession(at.service, by.uuid)).sessionId } };
  },
  'POST /v1/account/leave': async (at) => ({ by: await newUser(at) }),
  // From then on, the session only reads.
  'POST /v1/roles/:id/view': async (at) => ({ by: await newUser(at), params: { id: at.mine.roleId } }),
  'POST /v1/plans/:planId/apply': async (at) => ({ params: { planId: await newPlan(at) } }),
  'POST /v1/plans/:planId/dismiss': async (at) => ({ params: { planId: await newPlan(at) } }),
  // The last of many still waits.
  'POST /v1/jobs/:id/cancel': async (at) => {
    const exports = Array.from({ length: 20 }, () =>
      ask(at, 'POST /v1/analytics/export', { as: at.mine, body: { dataset: 'events', format: 'csv' } }),
    );
    return { params: { id: (await Promise.all(exports)).at(-1)?.body.id } };
  },
  'POST /auth/invitations/inspect': async (at) => ({ body: { token: await invite(at) } }),
  'POST /auth/invitations/accept': async (at) => ({ by: await newUser(at, false), body: { token: await invite(at) } }),
  'POST /v1/keys/revoke-leaked': async (at) => {
    const body = { name: 'Leaked', type: 'secret' };
    return { body: { token: (await ask(at, 'POST /v1/keys', { by: at.mine.owner, body })).body.token } };
  },
  'GET /shared/report': async (at) => ({ headers: await share(at) }),
  'POST /shared/unlock': async (at) => ({
    headers: await share(at, { password: 'a shared word' }),
    body: { password: 'a shared word' },
  }),
  'GET /shared/overview': async (at) => ({ headers: await share(at) }),
  'GET /shared/breakdown': async (at) => ({ headers: await share(at), query: 'by=source,page' }),
  'GET /shared/annotations': async (at) => ({ headers: await share(at, { hasAnnotations: true }) }),
  'GET /shared/funnel': async (at) => ({
    headers: await share(at, { funnel: { by: 'visitor', steps: [{ page: '/' }, { event: 'signup' }] } }),
  }),
  'GET /operator/backups': ({ operator }) => ({ by: operator }),
  'GET /operator/cells': ({ operator }) => ({ by: operator }),
  'PATCH /operator/cells/:cell': ({ operator }) => ({ by: operator, params: { cell: 'main' }, body: { isOpen: true } }),
  'GET /operator/cells/:cell/accounts': ({ operator }) => ({ by: operator, params: { cell: 'main' } }),
};

let count = 0;

/** A user of no other request. */
const newUser = ({ service, mine }: Situation, isMember = true) =>
  createTestUser(service, isMember ? mine : undefined, 'owner', `${mine.marker}-seed-${++count}`);

async function newPlan(at: Situation): Promise<string> {
  const request = 'POST /v1/plans/entry-changes';
  const { body } = await ask(at, request, { as: at.mine, body: ROUTES[request]?.good(at.mine).body });
  return body.id;
}

async function ask({ service }: Situation, request: string, options: Parameters<ServiceUnderTest['call']>[1]) {
  const page = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' };
  const answer = await service.call(request, { headers: page, ...options });
  assert.equal(answer.status, 200, `${request}: ${JSON.stringify(answer.body)}`);
  return answer;
}

async function newLink({ service }: Situation, type: 'reset' | 'email', user: TestUser): Promise<string> {
  const { secret, hash } = createSecret();
  await insertLink(service.control, {
    hash,
    type,
    user_id: user.uuid,
    email: type === 'email' ? `confirmed-${user.email}` : null,
    created_by: null,
    expires_at: new Date(Date.now() + DAY),
  });
  return secret;
}

async function firstCode(at: Situation, by: TestUser): Promise<string> {
  const { secret } = (await ask(at, 'POST /auth/two-factor', { by, body: { currentPassword: PASSWORD } })).body;
  return codeOf(fromBase32(secret), Math.floor(Date.now() / STEP_MS));
}

async function newPasskey(at: Situation, by: TestUser) {
  const passkey = new SoftwarePasskey(ORIGIN);
  const { options } = (await ask(at, 'POST /auth/passkeys/options', { by, body: { currentPassword: PASSWORD } })).body;
  return { passkey, credential: passkey.create(options) };
}

async function addPasskey(at: Situation, by: TestUser) {
  const { passkey, credential } = await newPasskey(at, by);
  const { body } = await ask(at, 'POST /auth/passkeys', { by, body: { name: 'Laptop', credential } });
  return { passkey, body };
}

/** The token of a link: the part after `#`. */
const tokenOf = (url: string) => new URL(url).hash.slice(1);

async function invite(at: Situation): Promise<string> {
  const body = { role: 'editor' };
  return tokenOf((await ask(at, 'POST /v1/invitations', { by: at.mine.owner, body })).body.url);
}

async function share(at: Situation, more: object = {}): Promise<Record<string, string>> {
  const body = { name: at.mine.marker, period: { preset: 'month' }, ...more };
  const { url } = (await ask(at, 'POST /v1/analytics/shared-links', { as: at.mine, body })).body;
  return { 'x-shared-link': tokenOf(url) };
}
