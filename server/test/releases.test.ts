// Slow: services in processes and databases of their own.
/**
 * Data of every release is migrated by this version: `server/test/releases/<version>.tar.zst` is a backup that the release wrote, and
 * `<version>.json` says how to use it. `npm run release-fixture` writes those of the current version, as a part of releasing it.
 */
import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { writeBackup } from '../src/backup/write-backup.ts';
import { VERSION } from '../src/shared/version.ts';
import { emptyDatabase } from './empty-database.ts';
import { furnish } from './furnished-account.ts';
import { testDatabaseUrl, testService } from './harness.ts';
import { command, newDataDir, startService } from './service-process.ts';

const FOLDER = join(import.meta.dirname, 'releases');
const fixture = (version: string) => join(FOLDER, `${version}.tar.zst`);

interface Known {
  token: string;
  apiKey: string;
  collectionId: string;
  entryId: string;
  assetPath: string;
  conversionId: string;
}

async function writeFixture(): Promise<void> {
  const service = await testService();
  const { token, apiKey, collectionId, entryId, assetPath, conversionId } = await furnish(service, 'release');
  mkdirSync(FOLDER, { recursive: true });
  rmSync(fixture(VERSION), { force: true });
  await writeBackup({
    cells: [{ cell: 'main', connection: service.db.connection }],
    storageUrl: undefined,
    dataDir: service.dataDir,
    target: fixture(VERSION),
    recipient: undefined,
    secret: service.secret,
    keep: undefined,
    unlessYoungerThanMs: undefined,
  });
  const known: Known = { token, apiKey, collectionId, entryId, assetPath, conversionId };
  writeFileSync(join(FOLDER, `${VERSION}.json`), `${JSON.stringify(known, null, 2)}\n`);
}

/** Until it is released, its migrations may still change. */
const isReleased = (version: string) =>
  !readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8').includes(`## ${version} (unreleased)`);

/** Every table and column, without their order: migrations add at the end. */
async function schemaOf(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') as line
       from information_schema.columns where table_schema = 'public'
     union all select indexdef from pg_indexes where schemaname = 'public' order by 1`,
  );
  await client.end();
  // Partitions are made as rows arrive.
  return rows.map(({ line }) => line).filter((line) => !/_day\d+/.test(line));
}

async function upgrade(version: string, context: TestContext): Promise<void> {
  const env = { DATABASE_URL: await emptyDatabase(), DATA_DIR: newDataDir() };
  const { code, stderr } = await command(['restore', fixture(version)], env);
  if (!isReleased(version) && /whose schema this version does not know/.test(stderr)) {
    return context.skip(`the migrations of ${version} have changed; before releasing it, run npm run release-fixture`);
  }
  assert.equal(code, 0, stderr);
  assert.deepEqual(await schemaOf(env.DATABASE_URL), await schemaOf(await testDatabaseUrl()));

  const known: Known = JSON.parse(readFileSync(join(FOLDER, `${version}.json`), 'utf8'));
  const service = await startService(env);
  const get = async (path: string) => {
    const response = await fetch(`${service.url}${path}`, { headers: { 'x-api-key': `Bearer ${known.token}` } });
    assert.equal(response.status, 200, path);
    return Buffer.from(await response.arrayBuffer());
  };
  const entry = JSON.parse(
    (await get(`/v1/cms/collections/${known.collectionId}/entries/${known.entryId}`)).toString(),
  );
  assert.equal(entry.id, known.entryId);
  await get(`/v1/conversions/${known.conversionId}`);
  assert.ok((await get(known.assetPath)).length > 0);
  const body = JSON.stringify({ api_key: known.apiKey, event: 'after the upgrade' });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  assert.equal((await fetch(`${service.url}/v1/events`, init)).status, 200);
  service.kill('SIGTERM');
  assert.equal((await service.ended).code, 0);
}

if (process.env.RELEASE_FIXTURE) {
  test('write the fixture of this version', writeFixture);
} else {
  const versions = globSync('*.tar.zst', { cwd: FOLDER }).map((file) => basename(file, '.tar.zst'));
  for (const version of versions) {
    test(`data of ${version} is migrated, complete and served`, (context) => upgrade(version, context));
  }
  test('a release has a fixture', () => {
    const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
    for (const [, version = ''] of changelog.matchAll(/^## (\d+\.\d+\.\d+)\b/gm)) {
      assert.ok(existsSync(fixture(version)), `run npm run release-fixture for ${version}`);
    }
  });
}
