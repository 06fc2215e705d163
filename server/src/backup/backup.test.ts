// Slow: whole backups, each restored into a database of its own.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { emptyDatabase } from '../../test/empty-database.ts';
import { furnish } from '../../test/furnished-account.ts';
import { testService } from '../../test/harness.ts';
import { S3_CREDENTIALS, startS3Server } from '../../test/s3-server.ts';
import { upload } from '../files/test-support.ts';
import { noiseImage, videoFixture } from '../media/test-media.ts';
import { type Config, readConfig } from '../shared/config.ts';
import { createLog } from '../shared/log.ts';
import { BACKUP_LOCK } from '../shared/postgres/backup-lock.ts';
import type { Database } from '../shared/postgres/database.ts';
import { NO_INSTANCE, openStore } from '../shared/postgres/open-store.ts';
import { createBackupKey } from './encryption.ts';
import { applyRetention, openRepository } from './repository.ts';
import { restoreBackup } from './restore-backup.ts';
import { type BackupSource, findSource } from './source.ts';
import { verifyBackup } from './verify-backup.ts';
import { type BackupPlan, writeBackup } from './write-backup.ts';

// Backups of several cells: server/test/backup.proof.test.ts.
const service = await testService({}, { apart: false });
const account = await furnish(service, 'backup');
const png = await noiseImage(640, 480).png().toBuffer();
await upload(service, account, png);
const video = await upload(service, account, videoFixture('vp8.webm'));
await service.app.inject(`${new URL(video.body.url).pathname}?poster=true`);
await service.call('POST /v1/events', { body: { api_key: account.apiKey, event: 'odd \\N\t\n text', properties: {} } });

const folder = mkdtempSync(join(tmpdir(), 'headwater-backup-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;
const newPath = () => join(folder, String(++made));

const plan = (target: string, more: Partial<BackupPlan> = {}): BackupPlan => ({
  cells: [{ cell: 'main', connection: service.db.connection }],
  storageUrl: undefined,
  dataDir: service.dataDir,
  target,
  recipient: undefined,
  secret: service.secret,
  keep: undefined,
  unlessYoungerThanMs: undefined,
  ...more,
});

async function backUp(target: string, more: Partial<BackupPlan> = {}) {
  const result = await writeBackup(plan(target, more));
  assert.ok(result);
  return result;
}

const restoreInto = (db: Database, config: Config, source: BackupSource, identity?: string) =>
  restoreBackup({ source, identity, storage: config, connect: () => db.connect('test') });

/** Restores into an empty database and storage. */
async function restore(location: string, identity?: string) {
  const config = readConfig({ DATABASE_URL: await emptyDatabase(), DATA_DIR: newPath() });
  const store = await openStore(config, 'command', createLog('silent'), async () => NO_INSTANCE);
  after(() => store.close());
  const source = await findSource(location, undefined, config.dataDir);
  return { db: store.db, config, result: await restoreInto(store.db, config, source, identity) };
}

/** A digest of the rows of every table, without what a restore changes and what the service writes at intervals. */
async function digests(db: Database): Promise<Record<string, string>> {
  const { rows } = await db.query(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition and relname not in ('file_variants', 'migrations')`,
  );
  const found: Record<string, string> = {};
  for (const { name } of rows) {
    const { rows: content } = await db.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(row, '' order by row)), '') as digest
       from (select (to_jsonb(t) - 'inserted_xid' - 'snapshot' - 'last_used_at')::text as row from "${name}" t) rows`,
    );
    found[name] = content[0].digest;
  }
  return found;
}

async function schemaOf(db: Database): Promise<unknown> {
  const { rows } = await db.query(
    `select tablename, regexp_replace(indexname, '_day\\d+.*', ''), regexp_replace(indexdef, '_day\\d+\\w*', '', 'g') as definition
     from pg_indexes where schemaname = 'public' order by 1, 2, 3`,
  );
  return rows;
}

async function filesIn(root: string): Promise<Record<string, Buffer>> {
  const entries = await readdir(join(root, 'files'), { withFileTypes: true, recursive: true });
  const stored = entries.filter((entry) => entry.isFile() && !entry.parentPath.includes('variants'));
  return Object.fromEntries(
    stored.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(root.length), readFileSync(path)];
    }),
  );
}

/** The files that the database refers to. */
async function originals(): Promise<Record<string, Buffer>> {
  const { rows } = await service.db.query(
    'select storage_key as key from assets union select poster_key from assets where poster_key is not null',
  );
  const keys = new Set(rows.map(({ key }) => `/files/${key}`));
  return Object.fromEntries(Object.entries(await filesIn(service.dataDir)).filter(([path]) => keys.has(path)));
}

async function assertRestored(location: string, identity?: string): Promise<void> {
  const restored = await restore(location, identity);
  assert.deepEqual(restored.result.damaged, []);
  assert.deepEqual(await digests(restored.db), await digests(service.db));
  assert.deepEqual(await schemaOf(restored.db), await schemaOf(service.db));
  const expected = await originals();
  assert.ok(Object.keys(expected).length >= 4, 'images, a video and its poster');
  assert.deepEqual(await filesIn(restored.config.dataDir), expected);
}

test('a backup in one file restores every row, index and file', async () => {
  const path = newPath();
  const result = await backUp(path);
  assert.ok(result.rows > 50 && result.files >= 4 && result.bytes > png.length);
  await assertRestored(path);
});

test('an encrypted backup is restored with the identity, and only with it', async () => {
  const { identity, recipient } = await createBackupKey();
  const path = `${newPath()}.age`;
  await backUp(path, { recipient });
  assert.ok(!readFileSync(path).includes(png.subarray(100, 200)));
  const source = await findSource(path, undefined, folder);
  await assert.rejects(verifyBackup(source, undefined), /is encrypted: pass --identity/);
  const { identity: other } = await createBackupKey();
  await assert.rejects(verifyBackup(source, other), /encrypted to another key/);
  assert.equal((await verifyBackup(source, identity)).isValid, true);
  await assertRestored(path, identity);
});

test('a repository stores each file once, also encrypted, and restores', async () => {
  const { identity, recipient } = await createBackupKey();
  for (const key of [undefined, { identity, recipient }]) {
    const target = `${newPath()}/`;
    const first = await backUp(target, { recipient: key?.recipient });
    assert.ok(first.newFiles >= 4 && first.newFiles <= first.files);
    const second = await backUp(target, { recipient: key?.recipient });
    assert.deepEqual([second.files, second.newFiles, second.newFileBytes], [first.files, 0, 0]);
    await assertRestored(target, key?.identity);
  }
});

test('a repository in a bucket restores', async () => {
  const server = await startS3Server();
  Object.assign(process.env, S3_CREDENTIALS);
  await backUp(server.url);
  await assertRestored(server.url);
});

test('damage is found: in rows, in a file, at the end', async () => {
  const target = `${newPath()}/`;
  const { name } = await backUp(target);
  const repository = openRepository(target.slice(0, -1), folder);
  const { rows } = await service.db.query('select sha256 from assets where bytes = $1', [png.length]);
  const digest = rows[0].sha256.toString('hex') as string;
  const blob = join(target, 'files', digest.slice(0, 2), digest);
  const bytes = readFileSync(blob);
  bytes[1_000] = (bytes[1_000] ?? 0) ^ 1;
  writeFileSync(blob, bytes);
  const source = await findSource(target, undefined, folder);
  const verified = await verifyBackup(source, undefined);
  assert.deepEqual([verified.isValid, verified.damaged.length], [false, 1]);
  rmSync(blob);
  assert.equal((await verifyBackup(source, undefined)).isValid, false);

  const archive = join(target, 'backups', name);
  const [stored] = await repository.list();
  truncateSync(archive, (stored?.bytes ?? 0) - 100);
  await assert.rejects(verifyBackup(await findSource(target, name, folder), undefined), /is damaged or incomplete/);
  const config = readConfig({ DATABASE_URL: await emptyDatabase(), DATA_DIR: newPath() });
  const store = await openStore(config, 'command', createLog('silent'), async () => NO_INSTANCE);
  const half = await findSource(target, name, folder);
  await assert.rejects(restoreInto(store.db, config, half), /is damaged or incomplete/);
  const { rows: tables } = await store.db.query("select from pg_tables where schemaname = 'public'");
  assert.equal(tables.length, 0, 'nothing is left of it');
  await store.close();
});

test('what a repository lacks or has damaged is named, and everything else is restored', async () => {
  const { identity, recipient } = await createBackupKey();
  for (const keys of [undefined, { identity, recipient }]) {
    const target = `${newPath()}/`;
    await backUp(target, { recipient: keys?.recipient });
    const blobs = (await readdir(join(target, 'files'), { withFileTypes: true, recursive: true }))
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort();
    const [lost = '', flipped = '', cut = ''] = blobs;
    rmSync(lost);
    const bytes = readFileSync(flipped);
    bytes[bytes.length - 5] = (bytes.at(-5) ?? 0) ^ 1;
    writeFileSync(flipped, bytes);
    truncateSync(cut, 30);
    const verified = await verifyBackup(await findSource(target, undefined, folder), keys?.identity);
    assert.deepEqual([verified.isValid, verified.damaged.length], [false, 3]);
    const restored = await restore(target, keys?.identity);
    assert.deepEqual(restored.result.damaged.toSorted(), verified.damaged.toSorted());
    assert.deepEqual(await digests(restored.db), await digests(service.db));
    const stored = Object.entries(await filesIn(restored.config.dataDir));
    const expected = await originals();
    const intact = stored.filter(([path, content]) => expected[path]?.equals(content)).length;
    assert.equal(intact, Object.keys(expected).length - 3);
  }
});

test('a file that is lost or damaged in the storage is named, and the rest is backed up', async () => {
  const other = await service.newAccount();
  const { body } = await upload(service, other, await noiseImage(50, 50).png().toBuffer());
  const { rows } = await service.db.query('select storage_key as key from assets where account_id = $1', [other.uuid]);
  const path = join(service.dataDir, 'files', rows[0].key);
  const original = readFileSync(path);
  writeFileSync(path, 'damaged');
  for (const target of [newPath(), `${newPath()}/`]) assert.deepEqual((await backUp(target)).damaged, [rows[0].key]);
  rmSync(path);
  for (const target of [newPath(), `${newPath()}/`]) assert.deepEqual((await backUp(target)).damaged, [rows[0].key]);
  writeFileSync(path, original);
  assert.equal((await service.call(`DELETE /v1/files/${body.assetId}`, { as: other })).status, 200);
});

test('while a backup is running, deleted files stay in the storage, and a second backup is refused', async () => {
  const { body } = await upload(service, account, await noiseImage(60, 60).png().toBuffer());
  const { rows } = await service.db.query('select storage_key as key from assets order by id desc limit 1');
  const path = join(service.dataDir, 'files', rows[0].key);
  const running = await service.db.connect('running backup');
  await running.query('select pg_advisory_lock($1)', [BACKUP_LOCK]);
  await assert.rejects(writeBackup(plan(newPath())), /another backup of this database is running/);
  assert.equal((await service.call(`DELETE /v1/files/${body.assetId}`, { as: account })).status, 200);
  assert.ok(readFileSync(path).length > 0);
  const { rows: left } = await service.db.query('select from orphaned_blobs where storage_key = $1', [rows[0].key]);
  assert.equal(left.length, 1, 'the file is deleted later');
  await running.end();
});

test('retention keeps the newest backups and the files they need', async () => {
  const target = `${newPath()}/`;
  const repository = openRepository(target.slice(0, -1), folder);
  const { body } = await upload(service, account, await noiseImage(70, 70).png().toBuffer());
  await backUp(target);
  assert.equal((await service.call(`DELETE /v1/files/${body.assetId}`, { as: account })).status, 200);
  const second = await backUp(target);
  const inTwoDays = Date.now() + 2 * 24 * 3_600_000;
  assert.deepEqual(await applyRetention(repository, 1, inTwoDays), { backups: 1, blobs: 1 });
  assert.deepEqual(
    (await repository.list()).map(({ name }) => name),
    [second.name],
  );
  assert.equal((await verifyBackup(await findSource(target, undefined, folder), undefined)).isValid, true);
  assert.equal(await writeBackup(plan(target, { unlessYoungerThanMs: 3_600_000 })), undefined, 'none is due');
});

test('rows that no report contains yet are reported after a restore, and others are not counted twice', async () => {
  await service.db.query('update analytics_progress set snapshot = pg_current_snapshot()');
  const body = { api_key: account.apiKey, event: 'new', properties: {} };
  assert.equal((await service.call('POST /v1/events', { body })).status, 200);
  const path = newPath();
  await backUp(path);
  const { db } = await restore(path);
  const { rows } = await db.query(
    `select event, count(*)::int as n from events, analytics_progress
     where inserted_xid >= pg_snapshot_xmin(snapshot)::text::bigint
       and not pg_visible_in_snapshot(inserted_xid::text::xid8, snapshot) group by 1`,
  );
  assert.deepEqual(rows, [{ event: 'new', n: 1 }]);
});

test('a database that is used is never restored into, and a newer backup is refused', async () => {
  const path = newPath();
  await backUp(path);
  const source = await findSource(path, undefined, folder);
  await assert.rejects(restoreInto(service.db, service.config, source), /The database is not empty/);
  await service.db.query("insert into migrations (name, checksum) values ('999999-next.sql', '')");
  const newer = newPath();
  await backUp(newer);
  await service.db.query("delete from migrations where name = '999999-next.sql'");
  await assert.rejects(restore(newer), /Install that version or a newer one/);
});
