import { httpRequest, type LoadResult, load } from './load.ts';
import type { Report } from './report.ts';
import { type BenchService, startProgram } from './service.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);

/** Visits and events one at a time, at 64 connections, against a bare server that parses the same bodies. */
export async function benchIngest(service: BenchService, report: Report): Promise<void> {
  const post = (path: string, body: unknown) => httpRequest('POST', path, JSON_TYPE, JSON.stringify(body));
  const measure = (port: number, requests: string[]) =>
    load({ port, requests, connections: 64, seconds: SECONDS, warmUpSeconds: 3 });

  const hashes: string[] = [];
  for (let i = 0; i < 1000; i++) {
    const response = await fetch(`http://127.0.0.1:${service.port}/v1/visits`, {
      method: 'POST',
      headers: { ...JSON_TYPE, 'user-agent': 'Mozilla/5.0 Chrome/153.0' },
      body: JSON.stringify({ api_key: service.apiKey, url: `https://shop.example/?gclid=click-${i}` }),
    });
    hashes.push(((await response.json()) as { sessionHash: string }).sessionHash);
  }

  const events = Array.from({ length: 1000 }, (_, i) =>
    post('/v1/events', {
      api_key: service.apiKey,
      event: 'quiz_answered',
      properties: { funnel_id: 'summer-sale', step: i % 7, answer: 'The second one', variant: 'b', locale: 'de-DE' },
    }),
  );
  const rich = Array.from({ length: 1000 }, (_, i) =>
    post('/v1/events', {
      api_key: service.apiKey,
      event: 'order_placed',
      properties: {
        funnel_id: 'summer-sale',
        email: `person-${i}@example.com`,
        sessionHash: hashes[i % hashes.length],
        value: 49.9,
        currency: 'EUR',
      },
    }),
  );
  const visits = Array.from({ length: 1000 }, (_, i) =>
    post('/v1/visits', {
      api_key: service.apiKey,
      url: `https://shop.example/landing?utm_source=google&utm_medium=cpc&utm_campaign=summer${i % 4 === 0 ? `&gclid=EAIaIQobChMI${i}` : ''}`,
      referrer: 'https://www.google.com/',
      title: 'Summer sale',
      visitorId: `visitor-${i}`,
    }),
  );
  const named = Array.from({ length: 1000 }, (_, i) =>
    post('/v1/visits', {
      api_key: service.apiKey,
      url: `https://shop.example/step-${i % 7}`,
      title: 'Summer sale',
      visitorId: `visitor-${i}`,
      sessionHash: hashes[i % hashes.length],
    }),
  );

  const only = process.env.BENCH_INGEST?.split(',');
  const kinds: [string, string[], string][] = [
    ['events', events, '0.50'],
    ['events with e-mail, session and value', rich, '0.25'],
    ['visits, session by visitor', visits, '0.35'],
    ['visits, session named', named, '0.35'],
  ];
  for (const [name, requests, target] of kinds) {
    if (only && !only.some((each) => name.startsWith(each))) continue;
    const bare = await startProgram('bare-server.ts');
    const limit = await measure(bare.port, requests);
    bare.stop();
    const result: LoadResult = await measure(service.port, requests);
    report.row(name, {
      result: `${Math.round(result.perSecond)}/s, p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms`,
      limit: `bare server ${Math.round(limit.perSecond)}/s`,
      ratio: result.perSecond / limit.perSecond,
      target: `${target}, p99 < 40 ms`,
      failed: result.failed + limit.failed,
    });
  }
}
