import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { testDatabase, testService } from '../../../test/harness.ts';
import { createTestUser, PASSWORD } from '../../../test/users.ts';
import { ConfigError } from '../config.ts';
import { SecretBox } from '../secret-box.ts';
import { giveUpLost, openInstance, readInstance, rewrap } from './instance.ts';
import { MasterKeys } from './master-keys.ts';
import { resealSecrets } from './reseal.ts';
import { SecretUnreadable, Vault } from './vault.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-keys-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const newFile = () => join(folder, randomUUID());
const keysIn = (secretKeyFile: string) => new MasterKeys({ secretKey: undefined, secretKeyFile });
const placeOf = (accountId: string, id = 'one') => ({ accountId, kind: 'test', id });

/** A database as of a new installation, whose master key is in a file of its own. */
async function newInstallation() {
  const db = await testDatabase();
  await db.query('update instance set secret = $1, wrapped_secret = null, master_key = null', [randomBytes(32)]);
  const file = newFile();
  const keys = keysIn(file);
  return { db, file, keys, ...(await openInstance(db, keys)) };
}

test('the first start creates a master key in a file that nobody else can read, and the database does not contain it', async () => {
  const { db, file, keys, secret } = await newInstallation();
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  assert.equal(key.length, 32);
  const { rows } = await db.query('select instance::text as text from instance');
  for (const each of [key, secret]) assert.ok(!rows[0].text.includes(each.toString('hex')));
  assert.deepEqual((await openInstance(db, keysIn(file))).secret, secret);
  assert.equal(keysIn(file).newest, keys.newest);
});

test('a process with another master key, or none, is refused in one sentence', async () => {
  const { db, keys } = await newInstallation();
  const [other, none] = [newFile(), newFile()];
  writeFileSync(other, randomBytes(32).toString('hex'));
  for (const file of [other, none]) {
    await assert.rejects(openInstance(db, keysIn(file)), (error: Error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, new RegExp(`^the database is encrypted with the master key ${keys.newest}, [^\n]+$`));
      assert.ok(error.message.includes(file));
      return true;
    });
  }
  assert.equal(keysIn(none).newest, undefined, 'no key was made');
  assert.throws(() => new MasterKeys({ secretKey: 'too short', secretKeyFile: '' }), /32 random bytes/);
});

test('a secret can be opened only as what it is, and each account has a key of its own', async () => {
  const { db, keys } = await newInstallation();
  const [vault, account, other] = [new Vault(keys), randomUUID(), randomUUID()];
  const sealed = await vault.seal(db, placeOf(account), Buffer.from('secret'));
  await vault.seal(db, placeOf(other), Buffer.from('of another'));
  assert.equal((await vault.open(db, placeOf(account), sealed)).toString(), 'secret');
  for (const place of [placeOf(other), placeOf(account, 'two'), { ...placeOf(account), kind: 'other' }]) {
    await assert.rejects(vault.open(db, place, sealed), SecretUnreadable);
  }
  const { rows } = await db.query('select wrapped from data_keys');
  assert.equal(rows.length, 2);
  // Not even the wrapped key of another account.
  await db.query('update data_keys set wrapped = (select wrapped from data_keys where account_id = $1)', [other]);
  await assert.rejects(new Vault(keys).open(db, placeOf(account), sealed), SecretUnreadable);
});

test('a data key whose transaction failed is never used again', async () => {
  const { db, keys } = await newInstallation();
  const [vault, account] = [new Vault(keys), randomUUID()];
  const failed = db.transaction(async (tx) => {
    await vault.open(tx, placeOf(account), await vault.seal(tx, placeOf(account), Buffer.from('lost')));
    throw new Error('fails');
  });
  await assert.rejects(failed, /fails/);
  const sealed = await vault.seal(db, placeOf(account), Buffer.from('kept'));
  assert.equal((await vault.open(db, placeOf(account), sealed)).toString(), 'kept');
  assert.equal((await new Vault(keys).open(db, placeOf(account), sealed)).toString(), 'kept');
});

test('secrets that are written at the same time get one data key', async () => {
  const { db, keys } = await newInstallation();
  const account = randomUUID();
  const sealed = await Promise.all(
    Array.from({ length: 20 }, (_, i) => new Vault(keys).seal(db, placeOf(account), Buffer.from(String(i)))),
  );
  for (const [i, each] of sealed.entries()) {
    assert.equal((await new Vault(keys).open(db, placeOf(account), each)).toString(), String(i));
  }
});

test('while master keys are rotated, processes write and read on, and afterwards nothing needs the old key', async () => {
  const { db, file, keys, secret } = await newInstallation();
  const accounts = Array.from({ length: 700 }, () => randomUUID());
  const running = new Vault(keysIn(file));
  const sealed = new Map<string, Buffer>();
  for (const account of accounts) sealed.set(account, await running.seal(db, placeOf(account), Buffer.from(account)));
  let isDone = false;
  const writing = (async () => {
    let count = 0;
    for (; !isDone || count < 50; count++) {
      const account = randomUUID();
      sealed.set(account, await running.seal(db, placeOf(account), Buffer.from(account)));
      const known = accounts[count % accounts.length] as string;
      await new Vault(running.keys).open(db, placeOf(known), sealed.get(known) as Buffer);
    }
  })();
  const before = keys.newest;
  const added = keys.add();
  assert.notEqual(added, before);
  assert.ok((await rewrap(db, keys)) >= 700);
  isDone = true;
  await writing;
  assert.equal(await rewrap(db, keys), 0, 'nothing was written with the old key meanwhile');
  writeFileSync(file, readFileSync(file, 'utf8').split('\n')[0] as string);
  const fresh = keysIn(file);
  assert.equal(fresh.has(before as string), false);
  assert.deepEqual((await readInstance(db, fresh)).secret, secret);
  for (const [account, value] of sealed) {
    assert.equal((await new Vault(fresh).open(db, placeOf(account), value)).toString(), account);
  }
});

test('what a lost master key has encrypted is given up on request, and IDs of sessions stay the same', async () => {
  const { db, keys, sessionKey, secret } = await newInstallation();
  const account = randomUUID();
  const sealed = await new Vault(keys).seal(db, placeOf(account), Buffer.from('lost'));
  const other = keysIn(newFile());
  assert.equal(await db.transaction((tx) => giveUpLost(tx, keys)), undefined, 'the key is known');
  assert.deepEqual(await db.transaction((tx) => giveUpLost(tx, other)), { masterKey: keys.newest, accounts: 1 });
  const instance = await openInstance(db, other);
  assert.deepEqual(instance.sessionKey, sessionKey);
  assert.notDeepEqual(instance.secret, secret);
  const vault = new Vault(other);
  await assert.rejects(vault.open(db, placeOf(account), sealed), SecretUnreadable);
  const again = await vault.seal(db, placeOf(account), Buffer.from('entered again'));
  assert.equal((await vault.open(db, placeOf(account), again)).toString(), 'entered again');
});

test('secrets of a version before data keys are encrypted again once, also after an interruption', async () => {
  const { db, keys, secret } = await newInstallation();
  await db.query('update instance set seals_version = 0');
  await db.query('create table things (account_id uuid, id uuid, secret bytea)');
  const box = new SecretBox(secret, 'things');
  const ids = Array.from({ length: 450 }, () => randomUUID());
  for (const id of ids) {
    await db.query('insert into things values ($1, $2, $3)', [randomUUID(), id, box.seal(Buffer.from(id), id)]);
  }
  const foreign = randomUUID();
  await db.query('insert into things values ($1, $1, $2)', [foreign, randomBytes(60)]);
  const column = { table: 'things', column: 'secret', kind: 'thing', purpose: 'things', contextOf: (id: string) => id };
  const vault = new Vault(keys);
  const warned: unknown[] = [];
  const log = { warn: (value: unknown) => warned.push(value) } as never;
  let sealedOnes = 0;
  // Stops within the third page.
  const stopping = Object.assign(new Vault(keys), {
    seal: (...args: Parameters<Vault['seal']>) => {
      if (++sealedOnes > 410) throw new Error('killed');
      return vault.seal(...args);
    },
  });
  await assert.rejects(resealSecrets(db, { vault: stopping, secret, log }, [column]), /killed/);
  await resealSecrets(db, { vault, secret, log }, [column]);
  const { rows } = await db.query('select * from things where id <> $1', [foreign]);
  assert.equal(rows.length, 450);
  for (const { account_id: accountId, id, secret: sealed } of rows) {
    assert.equal((await vault.open(db, { accountId, kind: 'thing', id }, sealed)).toString(), id);
  }
  assert.deepEqual((warned as { id: string }[]).at(-1)?.id, foreign);
  const { rows: instances } = await db.query('select seals_version from instance');
  assert.equal(instances[0].seals_version, 1);
});

test('a dump of every table contains no secret in clear', async () => {
  const service = await testService({ SMTP_URL: 'smtp://127.0.0.1:9', SMTP_FROM: 'headwater@shop.example' });
  const account = await service.newAccount();
  const owner = await createTestUser(service, account, 'owner');
  const call = async (request: string, body?: unknown) => {
    const answer = await service.call(request, { as: account, body });
    assert.equal(answer.status, 200, `${request} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const webhook = await call('POST /v1/webhooks', { url: 'https://hooks.shop.example/' });
  const rotated = await call(`POST /v1/webhooks/${webhook.id}/rotate-secret`);
  const signing = `whsec_${randomBytes(32).toString('base64')}`;
  const credentials = { url: 'https://ads.shop.example/', secret: signing, authorization: 'Bearer authorization-1' };
  const settings = { name: 'x', mapping: [{ event: '*', target: 'purchase' }], consent: 'ignore', mode: 'off' };
  await call('POST /v1/destinations', { ...settings, platform: 'http', credentials });
  const key = await service.call('POST /v1/keys', {
    by: owner,
    body: { name: 'k', type: 'secret' },
    headers: { 'idempotency-key': 'dump-1' },
  });
  const link = await service.call('POST /v1/analytics/shared-links', {
    by: owner,
    body: { name: 'l', period: { preset: 'day' }, password: 'password-of-link-1' },
  });
  const factor = await service.call('POST /auth/two-factor', { by: owner, body: { currentPassword: PASSWORD } });
  const { rows: tables } = await service.control.query(
    `select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  );
  let dump = '';
  for (const db of new Set([service.db, service.control])) {
    for (const { name } of tables) {
      const { rows } = await db.query(`select t::text as text from ${name} t`).catch(() => ({ rows: [] }));
      dump += rows.map(({ text }) => text).join('\n');
    }
  }
  const secrets: (string | Buffer)[] = [
    service.secret,
    account.token,
    PASSWORD,
    owner.cookie.slice('headwater='.length).split('.', 1).join(),
    Buffer.from(webhook.secret.slice(6), 'base64'),
    Buffer.from(rotated.secret.slice(6), 'base64'),
    signing,
    Buffer.from(signing.slice(6), 'base64'),
    'authorization-1',
    'password-of-link-1',
    key.body.token,
    new URL(link.body.url).hash.slice(1),
    factor.body.secret,
  ];
  for (const [i, secret] of secrets.entries()) {
    const bytes = Buffer.from(secret);
    for (const form of [bytes.toString('latin1'), bytes.toString('hex'), bytes.toString('base64')]) {
      assert.ok(!dump.includes(form), `secret ${i} is in the database`);
    }
  }
});
