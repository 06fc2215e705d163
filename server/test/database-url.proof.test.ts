// Slow: services and commands that share a database.
/** An external PostgreSQL, named by DATABASE_URL and shared by several services. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { databaseUrl, emptyDatabase } from './empty-database.ts';
import { command, commandJson, startService } from './service-process.ts';

const limits = async (url: string, token: string) =>
  (await fetch(`${url}/v1/limits`, { headers: { 'x-api-key': `Bearer ${token}` } })).status;

test('services that start at the same time on an empty database share one schema and one secret', async () => {
  const DATABASE_URL = await emptyDatabase();
  const services = await Promise.all(Array.from({ length: 3 }, () => startService({ DATABASE_URL })));
  const { token } = await commandJson(['accounts', 'create', 'Shared'], { DATABASE_URL });
  for (const { url } of services) assert.equal(await limits(url, token), 200);
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  const { rows } = await client.query(
    'select count(*)::int as secrets, count(secret)::int as clear, count(wrapped_secret)::int as wrapped from instance',
  );
  assert.deepEqual(rows, [{ secrets: 1, clear: 0, wrapped: 1 }]);
  await client.end();

  // Each service rejects a revoked key as soon as the command has returned.
  for (let round = 0; round < 3; round++) {
    const { accounts } = await commandJson(['accounts', 'list'], { DATABASE_URL });
    const args = ['tokens', 'create', '--account', accounts[0].id, '--name', 'x'];
    const key = await commandJson(args, { DATABASE_URL });
    for (const { url } of services) assert.equal(await limits(url, key.token), 200);
    await commandJson(['tokens', 'revoke', key.id], { DATABASE_URL });
    for (const { url } of services) assert.equal(await limits(url, key.token), 401);
  }

  // One that stops does not affect the others.
  services[0]?.kill('SIGTERM');
  assert.equal((await services[0]?.ended)?.code, 0);
  for (const { url } of services.slice(1)) assert.equal(await limits(url, token), 200);
  for (const each of services.slice(1)) each.kill('SIGTERM');
  for (const each of services.slice(1)) assert.equal((await each.ended).code, 0);
});

test('a service starts although the database answers none of its workers', async () => {
  const DATABASE_URL = await emptyDatabase();
  await commandJson(['accounts', 'create', 'Shop'], { DATABASE_URL });
  const client = new pg.Client({ connectionString: DATABASE_URL });
  client.on('error', () => {});
  await client.connect();
  await client.query('begin; lock table jobs, assets, orphaned_blobs, webhook_queue, releases, unmatched_conversions');
  const service = await startService({ DATABASE_URL, DATABASE_POOL: '4' });
  await client.end();
  service.kill('SIGTERM');
  assert.equal((await service.ended).code, 0);
});

test('an unusable database is reported in one line, without the password', async () => {
  const refused = async (DATABASE_URL: string, reason: RegExp) => {
    const { code, stdout, stderr } = await command(['accounts', 'list'], { DATABASE_URL });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^headwater: DATABASE_URL cannot be used: [^\n]+\n$/);
    assert.match(stderr, reason);
    assert.doesNotMatch(stderr, /ignored/);
  };
  await refused(databaseUrl('no_such_database'), /does not exist/);
  await refused(databaseUrl('postgres').replace(/\/\/[^:]+:/, '//nobody:'), /authentication failed for user "nobody"/i);

  const newer = await emptyDatabase();
  await commandJson(['accounts', 'list'], { DATABASE_URL: newer });
  const client = new pg.Client({ connectionString: newer });
  await client.connect();
  await client.query("insert into migrations (name, checksum) values ('999999-later.sql', '')");
  await refused(newer, /newer version of the service \(999999-later\.sql\)/);
  await client.query("delete from migrations where name like '9%'");
  await client.query("update migrations set checksum = 'x' where name like '000001%'");
  await refused(newer, /000001-shared\.sql was changed since/);
  await client.end();
});
