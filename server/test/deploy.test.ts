/** The examples in `deploy/`, with the real programs where they are installed. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { join, matchesGlob } from 'node:path';
import { test } from 'node:test';
import { noiseImage } from '../src/media/test-media.ts';
import { emptyDatabase } from './empty-database.ts';
import { commandJson, launch, newDataDir, type ServiceProcess, startService } from './service-process.ts';
import { until } from './until.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const unless = (program: string, ...args: string[]) =>
  spawnSync(program, args).error === undefined ? false : `${program} is not installed`;
const without = (...programs: [string, ...string[]][]) =>
  programs.map((each) => unless(...each)).find(Boolean) || false;

const env = {
  DATA_DIR: newDataDir(),
  DATABASE_URL: await emptyDatabase(),
  TRUST_PROXY: '127.0.0.1',
};
let service: ServiceProcess | undefined;
let token = '';
let apiKey = '';

async function upstream(): Promise<string> {
  service ??= await startService(env);
  if (token === '') ({ token, apiKey } = await commandJson(['accounts', 'create', 'Deploy'], env));
  return new URL(service.url).host;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Response {
  status: number;
  body: Buffer;
  headers: Record<string, unknown>;
}

/** A TLS request that accepts a self-signed certificate. */
function send(
  port: number,
  path: string,
  options: { headers?: Record<string, string>; body?: Buffer } = {},
): Promise<Response> {
  const { headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        port,
        path,
        host: '127.0.0.1',
        servername: 'localhost',
        rejectUnauthorized: false,
        method: body ? 'POST' : 'GET',
        headers: { host: 'localhost', ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks), headers: response.headers }),
        );
      },
    );
    sent.on('error', reject).end(body);
  });
}

/** What a proxy must not break: pages, large uploads, range requests, client addresses, errors. */
async function servesEverything(port: number): Promise<void> {
  await until(async () => (await send(port, '/health/ready').catch(() => ({ status: 0 }))).status === 200);
  assert.equal((await send(port, '/')).status, 200);
  assert.equal((await send(port, '/metrics')).status, 404);
  const image = await noiseImage(1_400, 1_000).png().toBuffer();
  assert.ok(image.length > 2_000_000, 'larger than the default limit of nginx');
  const boundary = '----deploy';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), image, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const authorized = { 'x-api-key': `Bearer ${token}` };
  const headers = {
    ...authorized,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': String(body.length),
  };
  const uploaded = await send(port, '/v1/files/upload', { headers, body });
  assert.equal(uploaded.status, 200, uploaded.body.toString());
  const path = new URL(JSON.parse(uploaded.body.toString()).url).pathname;
  assert.ok((await send(port, path)).body.equals(image));
  const part = await send(port, path, { headers: { range: 'bytes=1000-1999' } });
  assert.deepEqual([part.status, part.body.equals(image.subarray(1_000, 2_000))], [206, true]);
  const refused = await send(port, '/v1/cms/collections');
  assert.deepEqual([refused.status, JSON.parse(refused.body.toString()).code], [401, 'unauthorized']);
}

/** What a cache must not break: it answers from memory, and not once an entry is unpublished. */
async function keepsOnlyWhatIsPublished(port: number): Promise<void> {
  const ok = async (path: string, body: unknown) => {
    const { url } = service as ServiceProcess;
    const headers = { 'x-api-key': `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(response.status, 200);
    return (await response.json()) as { id: string };
  };
  const fields = [{ id: 'title', label: 'Title', type: 'text' }];
  const { id } = await ok('/v1/cms/collections', { name: 'Posts', fields, publishing: true, public: true });
  const entries: string[] = [];
  for (let i = 0; i < 100; i++) {
    entries.push((await ok(`/v1/cms/collections/${id}/entries`, { values: { title: `Post ${i}` } })).id);
  }
  await ok(`/v1/cms/collections/${id}/publish`, { entryIds: entries });
  const list = await send(port, `/v1/content/${id}?key=${apiKey}&pageSize=100`, {
    headers: { 'accept-encoding': 'br' },
  });
  assert.deepEqual([list.status, list.headers['content-encoding']], [200, 'br']);
  assert.ok(entries.every((entry) => String(list.headers['cache-tag']).includes(entry)));
  const path = `/v1/content/${id}/${entries[0]}?key=${apiKey}`;
  await until(async () => (await send(port, path)).headers['x-cache'] === 'HIT');
  await ok(`/v1/cms/collections/${id}/entries/${entries[0]}/unpublish`, {});
  await until(async () => (await send(port, path)).status === 404);
  for (let i = 0; i < 20; i++) assert.equal((await send(port, path)).status, 404);
}

test('the Caddyfile serves everything over TLS', { skip: without(['caddy', 'version']) }, async () => {
  const port = await freePort();
  const folder = newDataDir();
  const config = join(folder, 'Caddyfile');
  writeFileSync(
    config,
    `{\n admin off\n skip_install_trust\n auto_https disable_redirects\n}\nimport ${join(DEPLOY, 'caddy/Caddyfile')}\n`,
  );
  const settings = {
    HEADWATER_SITE: `https://localhost:${port}`,
    HEADWATER_UPSTREAM: await upstream(),
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  };
  const caddy = launch('caddy', ['run', '--adapter', 'caddyfile', '--config', config], settings);
  await servesEverything(port);
  caddy.kill('SIGTERM');
  await caddy.ended;
});

test('the configuration of nginx serves everything over TLS', {
  skip: without(['nginx', '-v'], ['openssl', 'version']),
}, async () => {
  const [port, plain] = [await freePort(), await freePort()];
  const folder = newDataDir();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-keyout', key, '-out', cert];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...subject],
    { stdio: 'ignore' },
  );
  const example = readFileSync(join(DEPLOY, 'nginx/headwater.conf'), 'utf8');
  const site = example
    .replace('127.0.0.1:3000', await upstream())
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('/etc/ssl/headwater/fullchain.pem', cert)
    .replace('/etc/ssl/headwater/privkey.pem', key)
    .replace('/var/cache/nginx/headwater', join(folder, 'cache'));
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  mkdirSync(join(folder, 'logs'));
  const root = process.getuid?.() === 0 ? 'user root;' : '';
  const main = `${root} daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {} http { access_log off; ${paths.join(' ')}\n${site}\n}`;
  writeFileSync(join(folder, 'nginx.conf'), main);
  const nginx = launch('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {});
  await servesEverything(port);
  await keepsOnlyWhatIsPublished(port);
  const redirected = await fetch(`http://127.0.0.1:${plain}/x`, { redirect: 'manual' });
  assert.equal(redirected.status, 301);
  nginx.kill('SIGTERM');
  await nginx.ended;
});

test('the unit of systemd is confined', { skip: without(['systemd-analyze', '--version']) }, () => {
  const unit = join(DEPLOY, 'systemd/headwater.service');
  const text = execFileSync('systemd-analyze', ['security', '--offline=yes', '--no-pager', unit], { encoding: 'utf8' });
  const level = Number(/Overall exposure level for headwater\.service: ([\d.]+)/.exec(text)?.[1]);
  assert.ok(level > 0 && level <= 2, `the exposure level is ${level}`);
  const { stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
  const faults = stderr.split('\n').filter((line) => line.includes('headwater') && !line.includes('is not executable'));
  assert.deepEqual(faults, []);
});

test('the service may write to the folders that its tmpfiles entry makes for it', () => {
  const read = (name: string) => readFileSync(join(DEPLOY, 'systemd', name), 'utf8');
  const unit = read('headwater.service');
  const values = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].flatMap(([, value = '']) => value.split(' '));
  const writable = [
    ...values('StateDirectory').map((name) => `/var/lib/${name}`),
    ...values('ReadWritePaths').map((path) => path.replace(/^-/, '')),
  ];
  const made = [...read('tmpfiles.conf').matchAll(/^d (\S+) \S+ headwater /gm)].map(([, path = '']) => path);
  assert.deepEqual(made, ['/var/backups/headwater']);
  for (const path of made) assert.ok(writable.includes(path), path);
});

test('the image is built from everything that the repository contains', { skip: without(['git', '--version']) }, () => {
  const root = join(DEPLOY, '..');
  const { status, stdout } = spawnSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' });
  if (status !== 0) return;
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n');
  const isIgnored = (path: string) =>
    ignored.some((glob) => matchesGlob(path, glob) || matchesGlob(path, `${glob}/**`));
  assert.deepEqual(stdout.trim().split('\n').filter(isIgnored), []);
});
