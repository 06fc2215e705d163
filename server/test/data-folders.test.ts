// Slow: starts the service and commands on data folders of each kind, and one for the first time.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { testRefusedFolders } from './data-folders.ts';
import { command, newDataDir } from './service-process.ts';

testRefusedFolders('one command');

test('a cluster whose first start was interrupted is not taken for another version', async () => {
  const dataDir = newDataDir();
  const { code, stderr } = await command(['accounts', 'list'], { DATA_DIR: dataDir });
  assert.equal(code, 0, stderr);
  const marker = JSON.parse(readFileSync(join(dataDir, 'postgres/version.json'), 'utf8'));
  assert.match(marker.migration, /^\d{6}-[a-z]+\.sql$/);
});
