import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { httpRequest, load } from './load.ts';
import { measure } from './measure.ts';
import type { Report } from './report.ts';
import { seedSessions, uuidOf } from './seed.ts';
import { type BenchService, startProgram } from './service.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const BACKLOG = Number(process.env.BENCH_DELIVERIES ?? 20_000);
const SESSIONS = 1_000;

interface Stats {
  count: number;
  /** Under /ordered, since the start: messages that came before an earlier one of their resource. */
  disorder: number;
  p50: number;
  p99: number;
}

/** Measures delivery throughput, the delay of first attempts, the impact of an endpoint that hangs, and the impact on ingest. */
export async function benchWebhooks(service: BenchService, report: Report): Promise<void> {
  const receiver = await startProgram('receiver.ts');
  const base = `http://127.0.0.1:${receiver.port}`;
  let disordered = 0;
  const stats = async (): Promise<Stats> => (await (await fetch(`${base}/stats`)).json()) as Stats;
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { ...JSON_TYPE, 'x-api-key': `Bearer ${service.token}` };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(`http://127.0.0.1:${service.port}${path}`, init);
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as { id: string };
  };
  const subscribe = (path: string) =>
    call('POST', '/v1/webhooks', { url: base + path, events: ['event.recorded'] }).then(({ id }) => id);
  const removeAll = async (ids: string[]) => {
    for (const id of ids) await call('DELETE', `/v1/webhooks/${id}`);
  };
  const events = Array.from({ length: 1000 }, (_, i) =>
    httpRequest(
      'POST',
      '/v1/events',
      JSON_TYPE,
      JSON.stringify({
        api_key: service.apiKey,
        event: 'quiz_answered',
        properties: { funnel_id: 'summer-sale', step: i % 7, answer: 'The second one', variant: 'b', locale: 'de-DE' },
      }),
    ),
  );
  const ingest = (seconds: number) =>
    load({ port: service.port, requests: events, connections: 64, seconds, warmUpSeconds: 2 });

  /** Records events as fast as possible and waits for their deliveries. Returns deliveries per second. */
  const drain = async (total: number, endpoints: number): Promise<number> => {
    await stats();
    const items = Array.from({ length: 100 }, (_, i) => ({ event: { event: 'x', properties: { i } } }));
    const startedAt = performance.now();
    for (let sent = 0; sent * endpoints < total; sent += 100) {
      await call('POST', '/v1/batch', { api_key: service.apiKey, items });
    }
    return arrive(total, startedAt);
  };

  /** Waits for deliveries. Returns how many arrived per second. */
  const arrive = async (total: number, startedAt: number): Promise<number> => {
    let seen = 0;
    for (let idle = 0; seen < total && idle < 300; idle++) {
      await sleep(50);
      const { count, disorder } = await stats();
      seen += count;
      disordered = disorder;
      if (count > 0) idle = 0;
    }
    if (seen < total) throw new Error(`only ${seen} of ${total} deliveries arrived`);
    return (seen * 1000) / (performance.now() - startedAt);
  };

  /** Conversions that are reported four times each, so that messages of one resource follow each other. */
  const restate = async (name: string, more: object, path: string, target: string) => {
    const events = ['conversion.reported', 'conversion.restated'];
    const { id } = await call('POST', '/v1/webhooks', { url: base + path, events, ...more });
    await stats();
    let rate = 0;
    const { service: used, postgres } = await measure(service, async () => {
      const startedAt = performance.now();
      for (let sent = 0; sent < BACKLOG; sent += 1_000) {
        const items = Array.from({ length: 1_000 }, (_, i) => {
          const n = (sent % (BACKLOG / 4)) + i;
          return {
            gclid: `click-${1 + (n % SESSIONS)}`,
            eventId: `${id}-${n}`,
            value: 10 + sent / 1_000,
            currency: 'EUR',
          };
        });
        await call('POST', '/v1/analytics/report-conversion', items);
      }
      rate = await arrive(BACKLOG, startedAt);
    });
    const each = (ms: number) => `${Math.round((ms * 1_000) / BACKLOG)} µs`;
    report.row(`${BACKLOG} deliveries of conversions, each reported four times, ${name}`, {
      result: `${Math.round(rate)}/s; processor time for each, with its report: service ${each(used)}, PostgreSQL ${each(postgres)}`,
      target,
      failed: disordered,
    });
    await removeAll([id]);
  };

  try {
    const sql = await service.sql();
    await seedSessions(sql, uuidOf(service.accountId), SESSIONS);
    await sql.end();
    await restate('to warm up', {}, '/hook', '');
    await restate('in any order', {}, '/hook', '7,000/s');
    await restate('in order', { ordering: 'resource' }, '/ordered', '4,000/s');
    const before = await ingest(SECONDS);
    const one = await subscribe('/hook');
    await drain(1_000, 1);
    const rate = await drain(BACKLOG, 1);
    report.row(`${BACKLOG} deliveries to one receiver`, { result: `${Math.round(rate)}/s`, target: '6,000/s' });

    const paced = await pace(service, 1_000, SECONDS);
    await sleep(2_000);
    const late = await stats();
    report.row('first attempt, at 1,000 events/s', {
      result: `p50 ${late.p50} ms, p99 ${late.p99} ms after the event (${Math.round(paced)} events/s)`,
      target: 'p99 < 1,000 ms',
    });

    const busy = await ingest(SECONDS);
    report.row('ingest with one endpoint', {
      result: `${Math.round(busy.perSecond)}/s, p99 ${busy.p99.toFixed(1)} ms`,
      limit: `without ${Math.round(before.perSecond)}/s`,
      ratio: busy.perSecond / before.perSecond,
      target: '0.90',
      failed: busy.failed,
    });
    await removeAll([one]);
    await quiet(stats);

    const many = [];
    for (let i = 0; i < 99; i++) many.push(await subscribe('/hook'));
    const alone = await drain(BACKLOG - (BACKLOG % 99), 99);
    many.push(await subscribe('/hang'));
    const beside = await drain(BACKLOG - (BACKLOG % 99), 99);
    report.row('99 endpoints beside one that hangs', {
      result: `${Math.round(beside)}/s`,
      limit: `without it ${Math.round(alone)}/s`,
      ratio: beside / alone,
      target: '0.80',
    });
  } finally {
    receiver.stop();
  }
}

/** Waits until nothing more arrives. */
async function quiet(stats: () => Promise<Stats>): Promise<void> {
  do await sleep(1_000);
  while ((await stats()).count > 0);
}

/** Sends events at a constant rate over raw sockets. Returns the acknowledged events per second. */
async function pace(service: BenchService, perSecond: number, seconds: number): Promise<number> {
  const body = JSON.stringify({ api_key: service.apiKey, event: 'paced', properties: { funnel_id: 'summer-sale' } });
  const request = httpRequest('POST', '/v1/events', JSON_TYPE, body);
  let acknowledged = 0;
  const sockets = Array.from({ length: 32 }, () => {
    const socket = connect({ port: service.port, host: '127.0.0.1', noDelay: true });
    socket.setEncoding('latin1').on('data', (text: string) => {
      acknowledged += text.split('HTTP/1.1 200').length - 1;
    });
    return socket;
  });
  const startedAt = performance.now();
  let sent = 0;
  while (performance.now() - startedAt < seconds * 1000) {
    const due = ((performance.now() - startedAt) / 1000) * perSecond;
    for (; sent < due; sent++) sockets[sent % sockets.length]?.write(request);
    await sleep(5);
  }
  for (let waited = 0; acknowledged < sent && waited < 1_000; waited++) await sleep(5);
  for (const socket of sockets) socket.destroy();
  return (acknowledged * 1000) / (performance.now() - startedAt);
}
