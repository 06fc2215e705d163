import { setTimeout as sleep } from 'node:timers/promises';
import { furnish } from '../../test/furnished-account.ts';
import type { Account } from '../../test/harness.ts';
import { until } from '../../test/until.ts';
import { type MonitoredService, startMonitored, warmUp } from '../monitored-service.ts';
import { defineProof, type Finding, finding } from '../proof.ts';
import { type LoadResult, startLoad } from '../steady-load.ts';
import { Aggressor, UNIQUE } from './aggressor.ts';
import { ATTACKS, type Attack } from './attacks.ts';
import { type Statuses, startClients } from './clients.ts';

const MAX_P99_MS = 100;
const MAX_BLOCK_MS = 250;
const MAX_GROWTH = 1.5;
const MEGABYTE = 1_048_576;
const EVENTS_PER_LIST = 25;
const PATIENCE_MS = 30_000;
const NUMBER = 'number-of-the-event';

export const neighbours = defineProof({
  title:
    'One account does the worst it may, by one expensive route after the other, while another sends events and reads lists',
  // Of every n-th attack, for a part of them.
  parameters: { seconds: 60, clients: 64, perSecond: 500, every: 1, offset: 0 },
  run: ({ seconds, clients, perSecond, every, offset }, log) =>
    disturb(
      ATTACKS.filter((_, i) => i % every === offset % every),
      { seconds, clients, perSecond },
      log,
    ),
});

interface Disturbance {
  /** Of each attack. */
  seconds: number;
  clients: number;
  perSecond: number;
}

export async function disturb(
  attacks: readonly Attack[],
  { seconds, clients, perSecond }: Disturbance,
  log: (line: string) => void,
): Promise<Finding[]> {
  const service = await startMonitored({
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    RATE_LIMIT: 'on',
    // All pages of the quiet account are at one address here.
    RATE_LIMIT_INGEST_ADDRESS: '10000:10000',
  });
  await warmUp(service);
  const aggressor = new Aggressor(service, await furnish(service, 'aggressor'));
  const quiet = await furnish(service, 'quiet');
  const undisturbed = await startQuiet(service, quiet, perSecond, 'undisturbed')(seconds);
  log(`undisturbed: p99 ${Math.round(undisturbed.load.p99)} ms`);
  const findings: Finding[] = [];
  for (const [i, attack] of attacks.entries()) {
    const requests = await attack.prepare(aggressor);
    await settle(service, aggressor);
    const before = await service.read(true);
    await service.read();
    const { patienceMs = PATIENCE_MS } = attack;
    const stop = startClients({ port: service.port, clients, requests, unique: UNIQUE, patienceMs });
    const { load, lost } = await startQuiet(service, quiet, perSecond, `${i}`)(seconds);
    const statuses = await stop();
    const { blockedMs, delayedMs, peakRss } = await service.read();
    const growth = peakRss / before.rss;
    const refused = load.refused.length;
    const figure = [
      `p99 ${Math.round(load.p99)} ms of ${load.sent} requests`,
      `${refused} refused${refused > 0 ? ` (${describe(load.failed)})` : ''}`,
      `${lost} lost`,
      `blocked ${blockedMs} ms (${delayedMs} ms by the clock)`,
      `${Math.round(peakRss / MEGABYTE)} MB, ${growth.toFixed(2)} times`,
      `attack: ${describe(statuses)}`,
    ].join('; ');
    log(`${attack.name}: ${figure}`);
    findings.push(
      finding(`${attack.name}: the neighbour loses nothing`, `${lost} lost`, lost === 0),
      finding(`${attack.name}: the neighbour is refused nothing`, `${refused} refused`, refused === 0),
      finding(
        `${attack.name}: the neighbour is served within ${MAX_P99_MS} ms, without long blocks or memory`,
        figure,
        load.p99 < MAX_P99_MS && blockedMs < MAX_BLOCK_MS && growth < MAX_GROWTH,
      ),
    );
  }
  return findings;
}

/** The account that must notice nothing. */
function startQuiet(service: MonitoredService, account: Account, perSecond: number, prefix: string) {
  const event = JSON.stringify({ api_key: account.apiKey, event: 'quiet', id: `${prefix}-${NUMBER}` });
  const requests = Array.from({ length: EVENTS_PER_LIST }, () => ({
    method: 'POST',
    path: '/v1/events',
    body: event,
  }));
  const list = { method: 'GET', path: '/v1/cms/collections', token: account.token };
  const stop = startLoad({
    port: service.port,
    perSecond: (perSecond * (EVENTS_PER_LIST + 1)) / EVENTS_PER_LIST,
    requests: [...requests, list],
    unique: NUMBER,
  });
  return async (seconds: number): Promise<{ load: LoadResult; lost: number }> => {
    await sleep(seconds * 1_000);
    const load = await stop();
    const stored = await service.db.query<{ n: number }>(
      'select count(distinct client_event_id)::int as n from events where account_id = $1 and client_event_id like $2',
      [account.uuid, `${prefix}-%`],
    );
    const acknowledged = load.succeeded['/v1/events'] ?? 0;
    return { load, lost: Math.max(0, acknowledged - (stored.rows[0]?.n ?? 0)) };
  };
}

/** Waits for the jobs of an attack, so that the next one is measured alone. */
async function settle(service: MonitoredService, { account }: Aggressor): Promise<void> {
  await until(async () => {
    const { body } = await service.call('GET /v1/jobs?pageSize=100', { as: account });
    const jobs: { id: string; status: string }[] = (body.jobs ?? []).filter(({ status }: { status: string }) =>
      ['queued', 'pending', 'running'].includes(status),
    );
    for (const { id } of jobs) await service.call(`POST /v1/jobs/${id}/cancel`, { as: account });
    return Array.isArray(body.jobs) && jobs.length === 0;
  }, 60_000);
}

const describe = (counts: Statuses | Record<string, number>) =>
  Object.entries(counts)
    .map(([what, count]) => `${what}: ${count}`)
    .join(', ');
