import { setTimeout as sleep } from 'node:timers/promises';
import { httpRequest, type LoadResult, load } from '../bench/load.ts';
import { furnish } from '../test/furnished-account.ts';
import type { Account } from '../test/harness.ts';
import { type Flood, startFlood } from './connection-flood.ts';
import { send } from './http-client.ts';
import { type MonitoredService, startMonitored, warmUp } from './monitored-service.ts';
import { defineProof, type Finding, finding } from './proof.ts';

const MEGABYTE = 1_048_576;
const MAX_P99_MS = 250;
const MAX_BLOCK_MS = 250;
const SOCKETS_PER_ADDRESS = 2_000;
/** Clients, each with one request at a time. */
const SATURATING = 64;

interface Others {
  p99: number;
  failed: number;
  requests: number;
  /** New connections that were not served. */
  refused: number;
}

export const floods = defineProof({
  title: 'Thousands of slow and idle connections, and more load than the service can take',
  parameters: { slow: 5_000, idle: 20_000, seconds: 60, overload: 3, overloadSeconds: 600 },
  async run({ slow, idle, seconds, overload, overloadSeconds }, log) {
    const service = await startMonitored();
    await warmUp(service);
    // Loads what a service at work has loaded.
    const account = await furnish(service, 'others');
    const before = await watchOthers(service, account, Math.min(10, seconds));
    log(`without a flood: ${JSON.stringify(before)}`);
    const loadBy = await ingest(service);
    const { perSecond } = await loadBy(SATURATING, Math.min(10, seconds));
    const memory = (await service.read(true)).rss;
    log(`${Math.round(perSecond)}/s over ${SATURATING} connections, then ${Math.round(memory / MEGABYTE)} MB`);
    const findings: Finding[] = [];
    for (const [type, sockets] of [
      ['drip', slow],
      ['idle', idle],
    ] as const) {
      await service.read(true);
      const flood: Flood[] = [];
      for (let left = sockets, address = 2; left > 0; left -= SOCKETS_PER_ADDRESS, address++) {
        flood.push(
          await startFlood({ port: service.port, address, sockets: Math.min(left, SOCKETS_PER_ADDRESS), type }),
        );
      }
      const others = await watchOthers(service, account, seconds);
      const open = (await Promise.all(flood.map((each) => each.open()))).reduce((a, b) => a + b, 0);
      const { peakRss, openFiles, blockedMs } = await service.read();
      for (const each of flood) each.stop();
      log(
        `${type}: ${open} of ${sockets} open, ${openFiles} files of the service, ${Math.round(peakRss / MEGABYTE)} MB, ${JSON.stringify(others)}`,
      );
      findings.push(
        ...findingsOf(
          `${sockets} ${type === 'drip' ? 'slow' : 'idle'} connections (${open} open at the end)`,
          others,
          before,
          peakRss / memory,
          blockedMs,
        ),
      );
      // Until the service has closed them.
      while ((await service.read()).openFiles > 500) await sleep(250);
    }
    // What overload adds shows beside a load that the service can take, for as long.
    await service.read(true);
    await loadBy(SATURATING, overloadSeconds);
    const saturated = (await service.read(true)).peakRss;
    log(`${SATURATING} connections for ${overloadSeconds} s: ${Math.round(saturated / MEGABYTE)} MB`);
    const [flood, others] = await Promise.all([
      loadBy(SATURATING * overload, overloadSeconds),
      watchOthers(service, account, overloadSeconds),
    ]);
    const { peakRss, blockedMs } = await service.read();
    log(
      `overload: ${Math.round(flood.perSecond)}/s, ${flood.failed} not 200, ${Math.round(peakRss / MEGABYTE)} MB, ${JSON.stringify(others)}`,
    );
    const name = `${overload} times the clients that saturate it, for ${overloadSeconds} s`;
    findings.push(...findingsOf(name, others, before, peakRss / memory, blockedMs));
    const growth = peakRss / saturated;
    const condition = `${name}: less than 1.5 times the memory of saturation for as long`;
    findings.push(finding(condition, `${growth.toFixed(2)} times`, growth < 1.5));
    return findings;
  },
});

function findingsOf(
  flood: string,
  { p99, failed, requests, refused }: Others,
  before: Others,
  growth: number,
  blockedMs: number,
): Finding[] {
  // What the machine takes without a flood is not the fault of the flood.
  const allowed = Math.max(MAX_P99_MS, before.p99 + MAX_P99_MS);
  return [
    finding(
      `${flood}: others get responses within ${MAX_P99_MS} ms`,
      `p99 ${Math.round(p99)} ms of ${requests} requests (${Math.round(before.p99)} ms without), ${failed} failed`,
      p99 < allowed && failed === 0,
    ),
    finding(`${flood}: others can connect`, `${refused} connections refused`, refused === 0),
    finding(`${flood}: less than 1.5 times the memory`, `${growth.toFixed(2)} times`, growth < 1.5),
    finding(
      `${flood}: the event loop is not blocked for ${MAX_BLOCK_MS} ms`,
      `${blockedMs} ms`,
      blockedMs < MAX_BLOCK_MS,
    ),
  ];
}

/** Another client: some requests over connections that it has, and some over new ones. */
async function watchOthers(service: MonitoredService, account: Account, seconds: number): Promise<Others> {
  const latencies: number[] = [];
  let failed = 0;
  let refused = 0;
  const end = performance.now() + seconds * 1_000;
  const headers = { 'x-api-key': `Bearer ${account.token}` };
  const client = async (isNew: boolean) => {
    while (performance.now() < end) {
      const start = performance.now();
      const path = '/v1/cms/collections';
      const status = await send(service.port, { method: 'GET', path, headers, ...(isNew && { isNew }) }).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 0 && isNew) refused++;
      else if (status !== 200) failed++;
      latencies.push(performance.now() - start);
      await sleep(20);
    }
  };
  await Promise.all([client(false), client(false), client(true)]);
  const sorted = Float64Array.from(latencies).sort();
  return { p99: sorted[Math.floor((sorted.length - 1) * 0.99)] ?? 0, failed, refused, requests: sorted.length };
}

/** Ingest from as many clients as asked, each of which sends its next event after the response. */
async function ingest(
  service: MonitoredService,
): Promise<(connections: number, seconds: number) => Promise<LoadResult>> {
  const { apiKey } = await service.newAccount('Flood');
  const body = JSON.stringify({ api_key: apiKey, event: 'flood', properties: { value: 1 } });
  const requests = [httpRequest('POST', '/v1/events', { 'content-type': 'application/json' }, body)];
  return (connections, seconds) => load({ port: service.port, requests, connections, seconds, warmUpSeconds: 0 });
}
