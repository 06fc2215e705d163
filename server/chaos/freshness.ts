import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { commandJson, launch, newDataDir, ROOT, startService } from '../test/service-process.ts';
import { until } from '../test/until.ts';
import { defineProof, type Finding, finding, skipped } from './proof.ts';
import { send, sendOk, startDatabase } from './support.ts';

const MOST_MS = 2_000;
const READERS = 8;

/** The example of `deploy/`, and one that serves what it has while it asks, as many caches do. */
const STALE = 'proxy_cache_use_stale updating error timeout http_500; proxy_cache_background_update on;';
const CONFIGURATIONS = new Map([
  ['as in deploy/nginx', (text: string) => text],
  ['stale while revalidating', (text: string) => text.replace('proxy_cache_use_stale off;', STALE)],
]);

export const freshness = defineProof({
  title: 'Entries are published and unpublished while pages read them through nginx, in front of two processes.',
  parameters: { rounds: 200 },
  async run({ rounds }, log) {
    if (spawnSync('nginx', ['-v']).error)
      return [skipped(`Changes show within ${MOST_MS} ms`, 'nginx is not installed')];
    const { url: DATABASE_URL } = await startDatabase();
    const env = { DATABASE_URL, RATE_LIMIT: 'off', TRUST_PROXY: '127.0.0.1' };
    const services = await Promise.all([0, 1].map(() => startService({ ...env, DATA_DIR: newDataDir() })));
    const [first, second] = services;
    if (!first || !second) throw new Error('no service');
    const { token, apiKey } = await commandJson(['accounts', 'create', 'Freshness'], { DATABASE_URL });
    const ok = (request: string, body: unknown) => sendOk(first, request, { token, body });
    const fields = [{ id: 'title', label: 'Title', type: 'text' }];
    const { id } = await ok('POST /v1/cms/collections', { name: 'Posts', fields, publishing: true, public: true });
    const entries = `/v1/cms/collections/${id}/entries`;
    const findings: Finding[] = [];
    for (const [name, configure] of CONFIGURATIONS) {
      const nginx = await startNginx(
        services.map(({ url }) => new URL(url).host),
        configure,
      );
      const entry = await ok(`POST ${entries}`, { values: { title: name } });
      const path = `/v1/content/${id}/${entry.id}?key=${apiKey}`;
      let [status, isDone] = [0, false];
      // Traffic, as a cache that serves stale responses asks only when it is asked.
      const readers = Array.from({ length: READERS }, async () => {
        while (!isDone) status = (await send(nginx, `GET ${path}`)).status;
      });
      const delays = { publish: [] as number[], unpublish: [] as number[] };
      for (let i = 0; i < rounds; i++) {
        for (const [action, expected] of [
          ['publish', 200],
          ['unpublish', 404],
        ] as const) {
          await ok(`POST ${entries}/${entry.id}/${action}`, {});
          const start = performance.now();
          await until(() => status === expected);
          delays[action].push(performance.now() - start);
        }
      }
      isDone = true;
      await Promise.all(readers);
      for (const [action, all] of Object.entries(delays)) {
        const p99 = all.sort((a, b) => a - b)[Math.ceil(all.length * 0.99) - 1] ?? 0;
        const figure = `${Math.round(p99)} ms in p99 of ${all.length}`;
        log(`${name}: ${action}: ${figure}`);
        findings.push(finding(`${name}: ${action} shows within ${MOST_MS} ms`, figure, p99 <= MOST_MS));
      }
      await ok(`POST ${entries}/${entry.id}/publish`, {});
      const tags = await Promise.all(
        services.map(async (each) => (await send(each, `GET ${path}`)).headers.get('etag')),
      );
      findings.push(
        finding(`${name}: both processes have the same ETag`, tags.join(), tags[0] === tags[1] && tags[0] !== null),
      );
      nginx.stop();
      await nginx.ended;
    }
    return findings;
  },
});

/** nginx without TLS, with the example of `deploy/`. */
async function startNginx(upstreams: string[], configure: (text: string) => string) {
  const port = await freePort();
  const folder = newDataDir();
  mkdirSync(join(folder, 'logs'));
  const example = readFileSync(join(ROOT, 'deploy/nginx/headwater.conf'), 'utf8');
  const site = configure(example)
    .replace('server 127.0.0.1:3000 max_fails=1 fail_timeout=5s;', upstreams.map((host) => `server ${host};`).join(' '))
    .replace(/server \{\s*listen 80;.*?\n\}/s, '')
    .replace(/listen 443[^;]*;/, `listen 127.0.0.1:${port};`)
    .replace(/ssl_\w+ [^;]*;/g, '')
    .replace('/var/cache/nginx/headwater', join(folder, 'cache'));
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${folder}/${each};`,
  );
  const root = process.getuid?.() === 0 ? 'user root;' : '';
  const main = `${root} daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {} http { access_log off; keepalive_requests 10000000; ${paths.join(' ')}\n${site}\n}`;
  writeFileSync(join(folder, 'nginx.conf'), main);
  const child = launch('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {});
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(url).catch(() => undefined)) !== undefined);
  return { url, ended: child.ended, stop: () => child.kill('SIGTERM') };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
