import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { newDataDir } from '../../test/service-process.ts';
import { createAccount, listAccounts } from '../accounts/index.ts';
import { readConfig } from '../shared/config.ts';
import { createLog } from '../shared/log.ts';
import { asControl, openDatabase } from '../shared/postgres/database.ts';
import { startEmbeddedPostgres } from '../shared/postgres/embedded.ts';
import { migrate } from '../shared/postgres/migrate.ts';
import { openStore } from '../shared/postgres/open-store.ts';
import { findEarlierBinaries, upgradeCluster } from './upgrade-cluster.ts';

const log = createLog('silent');
const native = findEarlierBinaries(17);
const skip = native === undefined ? 'PostgreSQL 17 is not installed for this platform' : false;

/** A data folder that PostgreSQL 17 wrote. */
async function folderOf17(): Promise<string> {
  const dataDir = newDataDir();
  const server = await startEmbeddedPostgres({ dataDir, native: native ?? '', log: () => {} });
  const db = asControl(openDatabase(server.connection, 2, () => {}));
  await migrate(db);
  await createAccount(db, 'From 17');
  await db.close();
  await server.stop();
  return dataDir;
}

async function accountsIn(dataDir: string): Promise<string[]> {
  const store = await openStore(readConfig({ DATA_DIR: dataDir }), 'command', log);
  const accounts = await listAccounts(store.db);
  const { rows } = await store.db.query("select current_setting('server_version_num')::int / 10000 as major");
  assert.equal(rows[0].major, 18);
  await store.close();
  return accounts.map(({ name }) => name);
}

const version = (dataDir: string, name: string) =>
  readFileSync(join(dataDir, 'postgres', name, 'PG_VERSION'), 'utf8').trim();

test('a folder of PostgreSQL 17 is upgraded by the start, also after an interruption, and the old cluster stays', {
  skip,
}, async () => {
  const dataDir = await folderOf17();
  const config = readConfig({ DATA_DIR: dataDir });
  // What an upgrade leaves that was interrupted while it was copying.
  await mkdir(join(dataDir, 'upgrade/postgres'), { recursive: true });
  writeFileSync(join(dataDir, 'upgrade/database.tar.zst'), 'half');
  assert.equal(await upgradeCluster(config, log), join(dataDir, 'postgres/cluster-17'));
  assert.deepEqual([version(dataDir, 'cluster-17'), version(dataDir, 'cluster')], ['17', '18']);
  assert.ok(!existsSync(join(dataDir, 'upgrade')));
  assert.deepEqual(await accountsIn(dataDir), ['From 17']);
  assert.equal(await upgradeCluster(config, log), undefined, 'nothing is left to do');

  // Interrupted between the two renames.
  await mkdir(join(dataDir, 'upgrade/postgres'), { recursive: true });
  await rename(join(dataDir, 'postgres/cluster'), join(dataDir, 'upgrade/postgres/cluster'));
  writeFileSync(join(dataDir, 'upgrade/complete'), '17');
  await upgradeCluster(config, log);
  assert.deepEqual(await accountsIn(dataDir), ['From 17']);
});

test('without the programs of the old version, or with a newer folder, the start stops and changes nothing', async () => {
  const dataDir = newDataDir();
  await mkdir(join(dataDir, 'postgres/cluster'), { recursive: true });
  for (const [major, message] of [
    ['16', /belongs to PostgreSQL 16, whose programs are not installed/],
    ['99', /belongs to PostgreSQL 99: install a newer version/],
  ] as const) {
    writeFileSync(join(dataDir, 'postgres/cluster/PG_VERSION'), `${major}\n`);
    await assert.rejects(upgradeCluster(readConfig({ DATA_DIR: dataDir }), log), message);
    assert.equal(version(dataDir, 'cluster'), major);
  }
});
