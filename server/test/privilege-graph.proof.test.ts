// Slow: every route by nine credentials, with what each changed in the database.
/**
 * The privilege graph: for every route and credential, what the answer, its mails and its changes let their holder do never exceeds
 * what they could do before. Secrets are found by their form in any member of any response, and resolved in the database.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKey } from '../src/accounts/index.ts';
import { hashKey } from '../src/accounts/key-format.ts';
import { mailBox } from '../src/mail/queue-mails.ts';
import { hasMember } from '../src/shared/http/has-member.ts';
import { setOperatorByCommand } from '../src/users/index.ts';
import { createSecret, hashSecret, insertLink } from '../src/users/one-time-links.ts';
import { type Furnished, furnish } from './furnished-account.ts';
import { type Account, type Answer, type TestService, testService } from './harness.ts';
import { LOCAL_FETCHES } from './image-server.ts';
import { type GoodRequest, isRead, OPEN, pathOf, ROUTES } from './route-table.ts';
import { unlessOverloaded } from './until.ts';
import { createTestUser, newSession, PASSWORD, type TestUser } from './users.ts';

/** Who makes a request. */
interface Holder {
  name: string;
  user?: TestUser;
  /** The type of its key, and its account. */
  key?: { type: 'publishable' | 'postback' | 'secret'; text: string; account: Account };
}

/** Good requests of routes that are not in the table, because they belong to no account. */
const PERSONAL: Record<string, (mine: Furnished, service: TestService) => GoodRequest | Promise<GoodRequest>> = {
  'GET /auth/session': () => ({}),
  'POST /v1/keys/revoke-leaked': () => ({ body: { token: 'none' } }),
  'POST /auth/sign-in': ({ colleague }) => ({ body: { email: colleague.email, password: PASSWORD } }),
  'POST /auth/sign-out': () => ({}),
  'POST /auth/first-run/inspect': () => ({ body: { token: 'none' } }),
  'POST /auth/first-run': () => ({
    body: { token: 'none', email: 'eve@users.example', password: PASSWORD, name: 'Eve', accountName: 'Own' },
  }),
  'POST /auth/invitations/inspect': async (mine, service) => ({ body: { token: await invitation(mine, service) } }),
  'POST /auth/invitations/accept': async (mine, service) => ({
    body: { token: await invitation(mine, service), email: newEmail(), password: PASSWORD, name: 'New' },
  }),
  'POST /auth/reset-password': async ({ colleague }, service) => ({
    body: { token: await link(service, 'reset', colleague), newPassword: PASSWORD },
  }),
  'POST /auth/email': () => ({ body: { email: newEmail() } }),
  'POST /auth/email/confirm': async ({ colleague }, service) => ({
    body: { token: await link(service, 'email', colleague) },
  }),
  'POST /auth/forgotten-password': ({ colleague }) => ({ body: { email: colleague.email } }),
  'POST /auth/two-factor/confirm': () => ({ body: { code: '000000' } }),
  'POST /auth/two-factor/recovery-codes': () => ({ body: {} }),
  'POST /auth/security/reviews': () => ({ body: { type: 'passkey', id: 'pky_01m85w24gser7t1aaaaaaaaaaa' } }),
  'POST /auth/passkeys': () => ({ body: { name: 'x', credential: CREDENTIAL } }),
  'DELETE /auth/passkeys/:passkeyId': () => ({ params: { passkeyId: 'none' } }),
  'POST /auth/passkeys/sign-in/options': () => ({}),
  'GET /auth/sso': () => ({ query: 'domain=shop.example' }),
  // The provider of the account does not answer: see sso.test.ts for what it could say.
  'GET /auth/sso/:accountId/start': ({ id }) => ({ params: { accountId: id } }),
  'GET /auth/sso/:accountId/callback': ({ id }) => ({ params: { accountId: id }, query: 'code=x&state=y' }),
  'POST /auth/passkeys/sign-in': () => ({ body: { credential: CREDENTIAL } }),
};
/** They cannot succeed here, for lack of a code, a passkey or an installation without users: they must answer nobody. */
const REFUSED =
  /first-run|two-factor\/(confirm|recovery)|security\/reviews|\/auth\/passkeys(\/sign-in|\/:passkeyId)?$|\/auth\/sso\/:/;
/** What they need was deleted or finished by another route of the account before. */
const SPENT = new Set([
  'POST /v1/cms/collections/:collectionId/entries/:entryId/versions/:version/restore',
  'POST /v1/cms/collections/:collectionId/entries/:entryId/discard-draft',
  'POST /v1/webhooks/:id/test',
  'POST /v1/webhooks/:id/replay',
  'POST /v1/destinations/:id/replay',
  'POST /v1/analytics/cost-sources/:costSourceId/refresh',
  'POST /v1/warehouses/:warehouseId/test',
  'POST /v1/warehouses/:warehouseId/export',
  'POST /v1/conversions/imports/:importId/reports',
  'DELETE /auth/sessions/:sessionId',
  'DELETE /v1/cms/collections/:collectionId/entries/:entryId',
  'DELETE /v1/cms/collections/:collectionId/entries/:entryId/draft',
  'DELETE /v1/cms/collections/:collectionId/views/:viewId',
  'DELETE /v1/cms/releases/:releaseId',
  'POST /v1/account/delete',
  'POST /v1/plans/:planId/apply',
  'POST /v1/plans/:planId/dismiss',
]);
const CREDENTIAL = { id: 'x', rawId: 'x', type: 'public-key', response: {} };

let count = 0;
const newEmail = () => `new-${++count}@users.example`;

async function invitation(mine: Furnished, service: TestService): Promise<string> {
  const made = await service.call('POST /v1/invitations', { by: mine.owner, body: { role: 'viewer' } });
  return made.body.url.split('#')[1];
}

async function link({ control, clock }: TestService, type: 'reset' | 'email', { uuid, email }: TestUser) {
  const { secret, hash } = createSecret();
  const expires_at = new Date(clock.now + 86_400_000);
  const of = { user_id: uuid, email: type === 'email' ? email : null, created_by: null };
  await insertLink(control, { hash, type, ...of, expires_at });
  return secret;
}

/** What is in the database, as far as it lets somebody do something. */
async function rights({ control }: TestService) {
  const { rows } = await control.query<{ what: string; a: string; b: string; c: string }>(
    `select 'role' as what, account_id::text as a, user_id::text as b, role as c from members
     union all select 'operator', id::text, '', '' from users where is_operator
     union all select 'key', id::text, account_id::text, '' from api_keys where type <> 'publishable'
     union all select 'account', id::text, '', '' from accounts`,
  );
  const of = (what: string) => rows.filter((row) => row.what === what);
  return {
    accounts: new Set(of('account').map(({ a }) => a)),
    operators: new Set(of('operator').map(({ a }) => a)),
    keys: new Map(of('key').map(({ a, b }) => [a, b])),
    roles: new Map(of('role').map(({ a, b, c }) => [`${a} ${b}`, c])),
  };
}
type Rights = Awaited<ReturnType<typeof rights>>;

const RANK = ['viewer', 'editor', 'owner'];
const owns = ({ user }: Holder, account: string, { roles }: Rights) =>
  user !== undefined && roles.get(`${account} ${user.uuid}`) === 'owner';

/** What changed beyond the holder's rights. */
function excessOf(holder: Holder, before: Rights, after: Rights, invited: boolean): string[] {
  const isMine = (account: string) => owns(holder, account, before) || !before.accounts.has(account);
  const excess: string[] = [];
  for (const [key, role] of after.roles) {
    const [account = ''] = key.split(' ');
    const grew = RANK.indexOf(role) > RANK.indexOf(before.roles.get(key) ?? '');
    // Whoever has an invitation was given that role by an owner.
    if (grew && !isMine(account) && !(invited && role === 'viewer')) excess.push(`the role ${role}`);
  }
  for (const id of after.operators) if (!before.operators.has(id)) excess.push('an operator');
  for (const [id, account] of after.keys) if (!before.keys.has(id) && !isMine(account)) excess.push('a key');
  return excess;
}

const SECRET =
  /hw_(?:sk|pb|pk)_\w{38}|hw_up_[\w-]{54}|whsec_[\w+/=-]+|\/(?:invitation|reset-password|first-run|confirm-email)#[\w-]+/g;
const RECOVERY = /"[0-9a-f]{6}-[0-9a-f]{6}"|otpauth:/;

/** What the secrets of a response let the holder do that they could not do. */
async function leaks(service: TestService, holder: Holder, request: GoodRequest, answer: Answer, before: Rights) {
  const { control } = service;
  const text = JSON.stringify(answer.body);
  const sent = JSON.stringify(request.body ?? '');
  const found: string[] = [];
  const accountOf = async (sql: string, hash: Buffer) => (await control.query(sql, [hash])).rows[0];
  for (const secret of new Set(text.match(SECRET) ?? [])) {
    if (secret.startsWith('whsec_')) {
      if (holder.key?.type !== 'secret' && !holder.user) found.push('a webhook secret');
      continue;
    }
    if (secret.startsWith('hw_up_')) {
      const { rows } = await service.db.query<{ account_id: string }>(
        'select account_id from upload_tokens where hash = $1',
        [hashKey(secret)],
      );
      const account = rows[0]?.account_id;
      const role = before.roles.get(`${account} ${holder.user?.uuid}`) ?? 'viewer';
      const mayUpload = holder.key?.type === 'secret' ? holder.key.account.uuid === account : role !== 'viewer';
      if (!mayUpload) found.push('an upload token');
      continue;
    }
    if (secret.startsWith('hw_')) {
      const key = await accountOf('select account_id, type from api_keys where hash = $1', hashKey(secret));
      const isPublic = key?.type === 'publishable';
      const isMember =
        before.roles.has(`${key?.account_id} ${holder.user?.uuid}`) || holder.key?.account.uuid === key?.account_id;
      const mayHave = isPublic ? isMember : owns(holder, key?.account_id, before);
      if (!mayHave && before.accounts.has(key?.account_id)) found.push(`a ${key?.type} key`);
      continue;
    }
    const [page = '', token = ''] = secret.slice(1).split('#');
    const hash = hashSecret(token);
    if (page === 'invitation') {
      const row = await accountOf('select account_id from invitations where hash = $1', hash);
      if (!owns(holder, row?.account_id, before)) found.push('an invitation');
    } else if (page === 'reset-password') {
      const row = await accountOf('select user_id from user_links where hash = $1', hash);
      const accounts = [...before.roles.keys()].filter((key) => key.endsWith(row?.user_id));
      const [only = ''] = accounts;
      const isLesser = accounts.length === 1 && !before.operators.has(row?.user_id);
      if (!isLesser || !owns(holder, only.split(' ')[0] ?? '', before)) found.push('a link for another password');
    } else found.push(`a link of ${page}`);
  }
  if (RECOVERY.test(text) && !holder.user) found.push('a second factor');
  for (const cookie of [answer.headers['set-cookie']].flat()) {
    const token = /^headwater=([\w-]+)/.exec(String(cookie))?.[1];
    const row = token
      ? await accountOf(
          'select s.user_id, u.email from user_sessions s join users u on u.id = s.user_id where token_hash = $1',
          hashSecret(token),
        )
      : undefined;
    // Whoever sends email and password is that user.
    const proved = row && (row.user_id === holder.user?.uuid || (sent.includes(row.email) && sent.includes(PASSWORD)));
    if (row && !proved) found.push('a session of somebody else');
  }
  return found;
}

/** Mails go to whom their link is for. */
async function misdirected({ control, secret }: TestService): Promise<string[]> {
  const { rows } = await control.query('delete from mails returning id, sealed');
  const found: string[] = [];
  for (const { id, sealed } of rows) {
    const { to, text } = JSON.parse(mailBox(secret).open(sealed, id).toString());
    const [, page, token = ''] = /\/([\w-]+)#([\w-]{43})/.exec(text) ?? [];
    if (page === undefined) continue;
    const sql =
      page === 'invitation'
        ? 'select email, true as confirmed from invitations where hash = $1'
        : `select coalesce(l.email, u.email) as email, l.email is not null or u.email_confirmed_at is not null as confirmed
           from user_links l join users u on u.id = l.user_id where hash = $1`;
    const row = (await control.query(sql, [hashSecret(token)])).rows[0];
    if (row && (row.email !== to || !row.confirmed)) found.push(`a mail with ${page} to ${to}`);
  }
  return found;
}

/** The session is new, which is enough; hashing passwords is most of what this test costs. */
function withoutPassword(request: GoodRequest, name: string): GoodRequest {
  if (/auth\/(password|confirm)$/.test(name) || !hasMember('currentPassword')(request.body)) return request;
  return { ...request, body: { ...(request.body as object), currentPassword: undefined } };
}

async function holdersOf(service: TestService, mine: Furnished, other: Account): Promise<Holder[]> {
  const postback = await createKey(service.control, mine.id, 'postback', 'x');
  const key = (type: 'publishable' | 'postback' | 'secret', text: string) => ({ type, text, account: mine });
  const operator = await createTestUser(service, mine, 'viewer');
  await setOperatorByCommand(service.control, operator.email, true);
  return [
    { name: 'anonymous' },
    { name: 'publishable key', key: key('publishable', mine.apiKey) },
    { name: 'postback key', key: key('postback', postback.token) },
    { name: "another account's owner", user: { ...(await createTestUser(service, other)), account: mine } },
    { name: 'viewer', user: await createTestUser(service, mine, 'viewer') },
    { name: 'operator', user: operator },
    { name: 'editor', user: await createTestUser(service, mine, 'editor') },
    { name: 'secret token', key: key('secret', mine.token) },
    { name: 'owner', user: await createTestUser(service, mine, 'owner') },
  ];
}

function send(service: TestService, name: string, access: string | undefined, good: GoodRequest, holder: Holder) {
  const { key, user } = holder;
  const isIngest = access === 'ingest' && good.body !== undefined && !Array.isArray(good.body);
  return unlessOverloaded(() =>
    service.call(pathOf(name, good), {
      ...(user && { by: user }),
      ...(key && !isIngest && { as: key.text }),
      body: isIngest && key ? { ...(good.body as object), api_key: key.text } : good.body,
      headers: { ...(!user && { origin: 'http://headwater.test' }), ...good.headers, ...(key && { origin: '' }) },
    }),
  );
}

const MAIL = { SMTP_URL: 'smtp://127.0.0.1:1', SMTP_FROM: 'hw@shop.example' };

for (const sendsMail of [false, true]) {
  const service = await testService({ ...LOCAL_FETCHES, ...(sendsMail && MAIL) });
  const routes = service.app.knownRoutes.flatMap(({ method, url, config }) =>
    [method].flat().map((each) => ({ name: `${each} ${url}`, url, access: config?.access })),
  );

  test(`no answer gives its holder more than they had, ${sendsMail ? 'with' : 'without'} mail`, async () => {
    const mine = await furnish(service, `graph-${sendsMail}`);
    const other = await service.newAccount('Other');
    const holders = await holdersOf(service, mine, other);
    let current = await rights(service);
    const faults: string[] = [];
    const unanswered: string[] = [];
    const missing: string[] = [];
    // What ends or deletes what others need comes last.
    const LAST = [/^DELETE/, /leave$/, /auth\/password$/, /account\/delete$/];
    const rank = (name: string) => (isRead(name) ? -2 : LAST.findIndex((pattern) => pattern.test(name)));
    const sorted = routes
      .filter(({ name }) => !/^(OPTIONS|HEAD) /.test(name))
      .sort((a, b) => rank(a.name) - rank(b.name));
    for (const { name, url, access } of sorted) {
      const good = ROUTES[name]?.good ?? PERSONAL[name];
      if (!good) {
        // Pages and assets, and what the token in the URL alone opens, have tests of their own.
        if (!OPEN.some((pattern) => pattern.test(url)) || url.startsWith('/auth/')) missing.push(name);
        continue;
      }
      // With mail, only what users do differs.
      if (sendsMail && !/\/auth\/|members|invitations/.test(url)) continue;
      let isAnswered = false;
      for (const known of holders) {
        const request = withoutPassword(await good(mine, service), name);
        // Earlier requests may have ended the session.
        const session = known.user && !isRead(name) ? await newSession(service, known.user.uuid) : {};
        const holder = known.user ? { ...known, user: { ...known.user, ...session } } : known;
        const answer = await send(service, name, access, request, holder);
        isAnswered ||= answer.status === 200;
        const before = current;
        const all = await leaks(service, holder, request, answer, before);
        if (!isRead(name)) {
          current = await rights(service);
          all.push(...excessOf(holder, before, current, name === 'POST /auth/invitations/accept'));
          if (sendsMail) all.push(...(await misdirected(service)));
        }
        if (all.length > 0) faults.push(`${name} by ${holder.name}: ${all.join(', ')}`);
      }
      if (!isAnswered && !REFUSED.test(url)) unanswered.push(name);
    }
    assert.deepEqual(missing, [], 'add these to server/test/route-table.ts, or to PERSONAL');
    assert.deepEqual(faults, []);
    assert.deepEqual(
      unanswered.filter((name) => !SPENT.has(name)),
      [],
      'nobody got an answer of these',
    );
  });
}

test('the graph notices secrets of others, wherever they are in an answer', async () => {
  const service = await testService();
  const [mine, other] = [await service.newAccount(), await service.newAccount()];
  const owner: Holder = { name: 'owner', user: await createTestUser(service, mine) };
  const before = await rights(service);
  const check = (body: unknown, headers: Answer['headers'] = {}) =>
    leaks(service, owner, {}, { status: 200, headers, body }, before);
  assert.deepEqual(await check({ deep: [{ note: `token ${other.token}` }] }), ['a secret key']);
  assert.deepEqual(await check({ token: mine.token }), []);
  const operator = await createTestUser(service, mine);
  await setOperatorByCommand(service.control, operator.email, true);
  const grown = await rights(service);
  assert.deepEqual(excessOf(owner, before, grown, false), ['an operator']);
  const url = `http://headwater.test/reset-password#${await link(service, 'reset', operator)}`;
  const forOperator = await leaks(service, owner, {}, { status: 200, headers: {}, body: { url } }, grown);
  assert.deepEqual(forOperator, ['a link for another password']);
  const cookie = { 'set-cookie': operator.cookie };
  assert.deepEqual(await check({}, cookie), ['a session of somebody else']);
});
