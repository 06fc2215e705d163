import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { atEnd } from '../test/at-end.ts';
import { stretched } from '../test/machine.ts';
import { commandJson, newDataDir, postgresPid, startService } from '../test/service-process.ts';
import { type Received, type Sent, send } from './http-client.ts';
import { defineProof, finding } from './proof.ts';
import { connectTo, sendOk } from './support.ts';

const BUSY_LOOPS = 3;
/** Every request is answered within 10 s; the client waits for the processor, too. */
const MOST_MS = 15_000;
const TITLE = 'One title for all';

export const slowMachine = defineProof({
  title: 'A service and its PostgreSQL on one core, which busy loops use as well, and more clients than it can serve',
  parameters: { clients: 300, seconds: 60 },
  async run({ clients, seconds }, log) {
    const env = { DATA_DIR: newDataDir() };
    const { token, apiKey } = await commandJson(['accounts', 'create', 'Slow'], env);
    const service = await startService(env);
    const slug = { id: 'slug', label: 'Slug', type: 'text', format: 'slug', slugSource: 'title' };
    const fields = [{ id: 'title', label: 'Title', type: 'text' }, slug];
    const collection = await sendOk(service, 'POST /v1/cms/collections', { token, body: { name: 'Pages', fields } });
    await sendOk(service, 'POST /v1/visits', { body: { api_key: apiKey, url: 'https://shop.example/?gclid=slow' } });
    shareOneCore([service.pid, postgresPid(env.DATA_DIR)]);

    const secret = { 'x-api-key': `Bearer ${token}`, 'content-type': 'application/json' };
    const entries = `/v1/cms/collections/${collection.id}/entries`;
    const post = (path: string, headers: Record<string, string>, body: unknown): Sent => ({
      method: 'POST',
      path,
      headers,
      body: JSON.stringify(body),
    });
    const workloads: Record<string, (id: string) => Sent> = {
      events: (id) =>
        post('/v1/events', { 'content-type': 'application/json' }, { api_key: apiKey, event: 'slow', id }),
      conversions: (eventId) =>
        post('/v1/analytics/report-conversion', secret, { gclid: 'slow', eventId, value: 1, currency: 'EUR' }),
      entries: () => post(entries, secret, { values: { title: TITLE } }),
      lists: () => ({ method: 'GET', path: `${entries}?pageSize=20&q=title`, headers: secret }),
      limits: () => ({ method: 'GET', path: '/v1/limits', headers: secret }),
    };

    const acknowledged = new Map(Object.keys(workloads).map((name) => [name, new Set<string>()]));
    const unknown = new Map(Object.keys(workloads).map((name) => [name, 0]));
    const statuses = new Map<string, number>();
    const faults: string[] = [];
    let slowest = 0;
    const agent = new http.Agent({ keepAlive: true, maxSockets: clients });
    atEnd(() => agent.destroy());
    const end = performance.now() + seconds * 1_000;
    const client = async (i: number) => {
      const names = Object.keys(workloads);
      for (let n = 0; performance.now() < end; n++) {
        const name = names[(i + n) % names.length] ?? '';
        const id = `${i}-${n}`;
        const sent = workloads[name]?.(id);
        if (sent === undefined) return;
        const startedAt = performance.now();
        const received = await send(Number(new URL(service.url).port), { ...sent, agent }).catch(
          (error: Error) => error,
        );
        slowest = Math.max(slowest, performance.now() - startedAt);
        const outcome = received instanceof Error ? received.message : String(received.status);
        statuses.set(`${name}: ${outcome}`, (statuses.get(`${name}: ${outcome}`) ?? 0) + 1);
        if (received instanceof Error || !isAllowed(received)) {
          faults.push(`${name}: ${outcome} ${received instanceof Error ? '' : received.body}`);
          unknown.set(name, (unknown.get(name) ?? 0) + 1);
        } else if (received.status === 200) acknowledged.get(name)?.add(id);
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, i) => client(i)));
    log([...statuses].map(([outcome, count]) => `${count} × ${outcome}`).join(', '));
    for (const fault of new Set(faults)) log(fault.slice(0, 500));

    const db = await connectTo(env.DATA_DIR);
    const { rows } = await db.query(
      `select (select count(*) from events where event = 'slow')::int as events,
         (select count(*) from conversions)::int as conversions,
         (select count(*) from entries)::int as entries,
         (select count(distinct values ->> 'slug') from entries)::int as slugs`,
    );
    const [stored] = rows;
    const isStoredOnce = (name: 'events' | 'conversions' | 'entries') => {
      const more = stored[name] - (acknowledged.get(name)?.size ?? 0);
      return more >= 0 && more <= (unknown.get(name) ?? 0);
    };
    const counts = [...acknowledged].map(([name, { size }]) => `${size} ${name}`).join(', ');
    return [
      finding(
        'every request is answered by 200, a refusal of its own, or 429 with Retry-After',
        `${[...statuses.values()].reduce((a, b) => a + b, 0)} requests, ${faults.length} others`,
        faults.length === 0,
      ),
      finding('within 15 s', `slowest ${(slowest / 1_000).toFixed(1)} s`, slowest < stretched(MOST_MS)),
      finding(
        'each workload succeeds',
        counts,
        [...acknowledged.values()].every(({ size }) => size > 0),
      ),
      finding(
        'what was acknowledged is stored once',
        `${counts} acknowledged; ${JSON.stringify(stored)} stored`,
        isStoredOnce('events') &&
          isStoredOnce('conversions') &&
          isStoredOnce('entries') &&
          stored.slugs === stored.entries,
      ),
    ];
  },
});

function isAllowed({ status, headers }: Received): boolean {
  return status === 200 || status === 400 || (status === 429 && Number(headers['retry-after']) > 0);
}

/** Moves processes, with those below them, to one core, beside busy loops. */
function shareOneCore(pids: number[]): void {
  const core = /Cpus_allowed_list:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  const below = pids.flatMap((pid) => childrenOf(pid));
  for (const pid of [...pids, ...below]) execFileSync('taskset', ['-a', '-c', '-p', core, String(pid)]);
  const loops = Array.from({ length: BUSY_LOOPS }, () =>
    spawn('taskset', ['-c', core, process.execPath, '-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  atEnd(() => {
    for (const loop of loops) loop.kill('SIGKILL');
  });
}

function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === '' ? [] : children.split(' ').map(Number);
}
