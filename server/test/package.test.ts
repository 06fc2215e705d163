// Slow: services in processes and databases of their own.
/** What the package starts; `package.proof.test.ts` installs and runs it. All other tests launch the service from its bundle. */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { noiseImage } from '../src/media/test-media.ts';
import { testDatabaseUrl } from './harness.ts';
import { LAUNCH_SETTINGS } from './launch-settings.ts';
import { S3_CREDENTIALS, startS3Server } from './s3-server.ts';
import { bundledService, commandJson, launch, newDataDir, ROOT, startService } from './service-process.ts';

test('the package, the repository and the measurements start the service with the same settings', () => {
  const launchers = ['package.json', 'packaging/bin/headwater'].map((file) => readFileSync(join(ROOT, file), 'utf8'));
  for (const [name, value] of Object.entries(LAUNCH_SETTINGS)) {
    for (const text of launchers) assert.match(text, new RegExp(`${name}=\\S*\\b${value}\\b`));
  }
});

test('the command runs the bundle with the Node of the package', async () => {
  const home = newDataDir();
  const bundle = (await bundledService()) ?? '';
  for (const name of ['dist', 'node_modules']) symlinkSync(join(bundle, name), join(home, name));
  cpSync(join(ROOT, 'packaging/bin'), join(home, 'bin'), { recursive: true });
  const { code, stdout } = await launch(join(home, 'bin/headwater'), [], { PATH: '/usr/bin:/bin' }).ended;
  assert.equal(code, 0);
  assert.match(stdout, /accounts create <name>/);
});

test('the bundle has the names of packages that are loaded later: files are stored in S3', async () => {
  const s3 = await startS3Server();
  const env = { DATABASE_URL: await testDatabaseUrl(), STORAGE_URL: s3.url, ...S3_CREDENTIALS };
  const { token } = await commandJson(['accounts', 'create', 'Shop'], env);
  const service = await startService(env);
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(await noiseImage(60, 40).png().toBuffer())]), 'a.png');
  const init = { method: 'POST', headers: { 'x-api-key': `Bearer ${token}` }, body };
  assert.equal((await fetch(`${service.url}/v1/files/upload`, init)).status, 200);
  service.kill('SIGTERM');
  assert.equal((await service.ended).code, 0);
});
