import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd } from '../test/at-end.ts';
import { type Furnished, filePart, furnish, PNG } from '../test/furnished-account.ts';
import { type Sent, send } from './http-client.ts';
import { type MonitoredService, startMonitored, warmUp } from './monitored-service.ts';
import { defineProof, finding } from './proof.ts';

const MEGABYTE = 1_048_576;

interface Sample {
  heapMb: number;
  rssMb: number;
  openFiles: number;
  /** Bytes of tables and indexes for a row, of the tables whose rows come and go. */
  deadShare: number;
  databaseMb: number;
}

export const soak = defineProof({
  title: 'A steady load of ingest, conversions, entries, exports, uploads, webhooks and reports',
  parameters: { minutes: 30, percent: 70, perSecond: 0 },
  async run({ minutes, percent, perSecond: given }, log) {
    const receiver = await startReceiver();
    const service = await startMonitored({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
    await warmUp(service);
    const account = await furnish(service, 'soak');
    const entryIds = await newEntries(service, account);
    const webhook = { url: `http://127.0.0.1:${receiver.port}/`, description: 'soak' };
    await service.call('POST /v1/webhooks', { as: account, body: webhook });

    let sent = 0;
    let perSecond = given;
    if (perSecond === 0) {
      const capacity = await capacityOf(() => send(service.port, requestOf(sent++, account, entryIds)));
      perSecond = Math.round((capacity * percent) / 100);
      log(`at most ${Math.round(capacity)} requests/s; ${percent} % of them are ${perSecond}/s`);
    }
    const before = sent;

    await service.read();
    const latencies: number[] = [];
    const unexpected = new Map<string, number>();
    const samples: Sample[] = [];
    let longest = 0;
    const end = performance.now() + minutes * 60_000;
    const underWay = new Set<Promise<void>>();
    const one = async (request: Sent) => {
      const start = performance.now();
      const outcome = await send(service.port, request).then(
        ({ status }) => String(status),
        (error: NodeJS.ErrnoException) => error.code ?? error.message,
      );
      latencies.push(performance.now() - start);
      const name = `${request.method} ${request.path.split('?')[0]?.replace(/_\w{26}/g, '_…')}: ${outcome}`;
      if (outcome !== '200') unexpected.set(name, (unexpected.get(name) ?? 0) + 1);
    };
    const sampleEveryMs = Math.max(2_000, (minutes * 60_000) / 60);
    let sampleAt = performance.now() + sampleEveryMs;
    const start = performance.now();
    while (performance.now() < end) {
      const due = before + Math.floor(((performance.now() - start) * perSecond) / 1_000);
      while (sent < due) {
        const work: Promise<void> = one(requestOf(sent++, account, entryIds)).finally(() => underWay.delete(work));
        underWay.add(work);
      }
      if (performance.now() >= sampleAt) {
        sampleAt += sampleEveryMs;
        const { sample, blockedMs } = await takeSample(service);
        longest = Math.max(longest, blockedMs);
        samples.push(sample);
        log(`${sent} requests, ${receiver.count()} webhooks; ${JSON.stringify(sample)}`);
      }
      await sleep(5);
    }
    await Promise.all(underWay);

    // What is still loaded and cached on first use does not count.
    const settled = samples.slice(Math.floor(samples.length / 5));
    const third = Math.max(1, Math.floor(settled.length / 3));
    const compare = (value: (sample: Sample) => number): [number, number] => {
      const mean = (of: Sample[]) => of.reduce((sum, each) => sum + value(each), 0) / of.length;
      return [mean(settled.slice(0, third)), mean(settled.slice(-third))];
    };
    const flat = (
      condition: string,
      value: (sample: Sample) => number,
      unit: string,
      allowed: (first: number) => number,
    ) => {
      const [first, last] = compare(value);
      const figure = `${first.toFixed(1)}${unit} in the first third, ${last.toFixed(1)}${unit} in the last`;
      return finding(condition, figure, last <= allowed(first));
    };
    const sorted = Float64Array.from(latencies).sort();
    const at = (quantile: number) => Math.round(sorted[Math.floor((sorted.length - 1) * quantile)] ?? 0);
    return [
      finding(
        'Every request succeeds',
        `${sent - before} requests in ${minutes} minutes (${perSecond}/s), ${receiver.count()} webhooks; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; ${[...unexpected].map(([name, n]) => `${name} (${n})`).join(', ') || 'no failure'}`,
        unexpected.size === 0,
      ),
      flat(
        'The heap after garbage collection does not grow',
        (each) => each.heapMb,
        ' MB',
        (first) => first * 1.2 + 10,
      ),
      flat(
        'The resident memory does not grow',
        (each) => each.rssMb,
        ' MB',
        (first) => first * 1.25 + 20,
      ),
      flat(
        'Open files do not grow',
        (each) => each.openFiles,
        '',
        (first) => first * 1.2 + 10,
      ),
      flat(
        'Dead rows of the tables do not grow',
        (each) => each.deadShare * 100,
        ' %',
        (first) => Math.max(first * 1.5, 25),
      ),
      finding('The event loop is not blocked for 250 ms', `${longest} ms`, longest < 250),
    ];
  },
});

/** Requests per second from so many clients that the service is never idle, for long enough that background work competes. */
async function capacityOf(sendNext: () => Promise<unknown>): Promise<number> {
  const measure = async (seconds: number) => {
    const end = performance.now() + seconds * 1_000;
    let count = 0;
    const client = async () => {
      for (; performance.now() < end; count++) await sendNext();
    };
    await Promise.all(Array.from({ length: 48 }, client));
    return count / seconds;
  };
  await measure(30);
  return measure(60);
}

/** Enough that changes of one entry do not wait for each other. */
async function newEntries({ call }: MonitoredService, as: Furnished): Promise<string[]> {
  const path = `POST /v1/cms/collections/${as.collectionId}/entries`;
  const body = { values: { title: as.marker } };
  const created = await Promise.all(Array.from({ length: 199 }, () => call(path, { as, body })));
  return created.map((response) => response.body.id);
}

/** A mix in which what costs more occurs less often. */
function requestOf(i: number, account: Furnished, entryIds: readonly string[]): Sent {
  const token = { 'x-api-key': `Bearer ${account.token}` };
  const json = { ...token, 'content-type': 'application/json' };
  const post = (path: string, body: object): Sent => ({
    method: 'POST',
    path,
    headers: json,
    body: JSON.stringify(body),
  });
  const get = (path: string): Sent => ({ method: 'GET', path, headers: token });
  const entries = `/v1/cms/collections/${account.collectionId}/entries`;
  const { apiKey: api_key } = account;
  const gclid = `soak-${Math.floor(i / 20)}`;
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const period = `from=${day(-2)}&to=${day(1)}`;
  if (i % 4_000 === 3_999)
    return post('/v1/analytics/export', {
      dataset: 'events',
      format: i % 8_000 === 7_999 ? 'parquet' : 'csv',
      from: day(0),
    });
  if (i % 500 === 499) {
    const { payload, headers } = filePart('file', `soak-${i}.png`, PNG);
    return { method: 'POST', path: '/v1/files/upload', headers: { ...token, ...headers }, body: payload };
  }
  if (i % 300 === 299) return get(`/v1/analytics/overview?${period}`);
  if (i % 400 === 399) return get(`/v1/analytics/breakdown?${period}&by=source`);
  switch (i % 20) {
    case 0:
    case 1:
      return post('/v1/visits', {
        api_key,
        url: `https://shop.example/?gclid=${gclid}&utm_source=soak`,
        visitorId: `visitor-${Math.floor(i / 20)}`,
      });
    case 2:
      return post('/v1/analytics/report-conversion', {
        gclid,
        eventId: `order-${Math.floor(i / 20)}`,
        value: i % 100,
        currency: 'EUR',
      });
    case 3:
      return post('/v1/analytics/report-conversion', {
        gclid,
        eventId: `order-${Math.max(0, Math.floor(i / 20) - 1)}`,
        value: 1,
      });
    case 4:
      return { ...post(`${entries}/${entryIds[i % entryIds.length]}`, { values: { count: i } }), method: 'PATCH' };
    case 5:
      return get(`${entries}?q=hidden&sort=count:desc&pageSize=10`);
    case 6:
      return get('/v1/sessions?pageSize=20');
    case 7:
      return get('/v1/conversions?pageSize=20');
    default:
      return post('/v1/events', {
        api_key,
        event: `event-${i % 7}`,
        properties: { value: i % 50 === 0 ? 5 : undefined, email: `lead-${i % 500}@people.example` },
      });
  }
}

async function takeSample(service: MonitoredService): Promise<{ sample: Sample; blockedMs: number }> {
  const { blockedMs } = await service.read(true);
  // The collection itself blocks the event loop, and is not part of the next period.
  const { heapUsed, rss, openFiles } = await service.read();
  const { rows } = await service.db.query(
    `select coalesce(sum(n_dead_tup)::float8 / greatest(sum(n_live_tup + n_dead_tup), 1), 0) as dead,
       pg_database_size(current_database())::float8 as bytes from pg_stat_user_tables`,
  );
  const [{ dead = 0, bytes = 0 } = {}] = rows as { dead: number; bytes: number }[];
  return {
    blockedMs,
    sample: {
      heapMb: Math.round(heapUsed / MEGABYTE),
      rssMb: Math.round(rss / MEGABYTE),
      openFiles,
      deadShare: Number(dead.toFixed(4)),
      databaseMb: Math.round(bytes / MEGABYTE),
    },
  };
}

async function startReceiver(): Promise<{ port: number; count(): number }> {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      count++;
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, count: () => count };
}
