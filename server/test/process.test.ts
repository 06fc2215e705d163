// Slow: services in processes and databases of their own.
/** The real process with its own PostgreSQL, once; `process.proof.test.ts` has more. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { command, commandJson, newDataDir, postgresPid, startService } from './service-process.ts';

/** The output for a user, without log lines. */
const spoken = (stdout: string) => stdout.split('\n').filter((line) => line !== '' && !line.startsWith('{'));

const status = async (url: string, token?: string) =>
  (await fetch(url, { headers: token === undefined ? {} : { 'x-api-key': `Bearer ${token}` } })).status;

test('starts with an empty folder, prints one line when ready, stops cleanly and starts again with its data', async () => {
  const dataDir = newDataDir();
  const first = await startService({ DATA_DIR: dataDir });
  assert.equal(await status(`${first.url}/health`), 200);
  const { token } = await commandJson(['accounts', 'create', 'Kept'], { DATA_DIR: dataDir });
  first.kill('SIGTERM');
  const end = await first.ended;
  assert.deepEqual([end.code, end.stderr], [0, '']);
  assert.equal(spoken(end.stdout).length, 1, end.stdout);
  assert.equal(postgresPid(dataDir), 0);

  const second = await startService({ DATA_DIR: dataDir });
  assert.equal(await status(`${second.url}/v1/limits`, token), 200);
  second.kill('SIGTERM');
  assert.equal((await second.ended).code, 0);
});

test('an unknown command prints an error and the usage', async () => {
  const { code, stderr } = await command(['nothing'], {});
  assert.equal(code, 2);
  assert.match(stderr, /^headwater: [^\n]+\n\nheadwater: manage a Headwater service\n/);
});
