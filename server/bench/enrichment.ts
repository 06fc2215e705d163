import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressFilter } from '../src/shared/addresses.ts';
import { sessionIds } from '../src/shared/session-ids.ts';
import { sessionDigests } from '../src/tracking/identifiers.ts';
import { isBot } from '../src/tracking/ingest/bots.ts';
import { readLanding } from '../src/tracking/ingest/landing.ts';
import { openPlaces } from '../src/tracking/ingest/place.ts';
import { readEvent } from '../src/tracking/ingest/read-event.ts';
import { occurredAt } from '../src/tracking/ingest/read-visit.ts';
import { sourceOf } from '../src/tracking/ingest/source-medium.ts';
import { bitsOf, placeDatabase } from '../src/tracking/ingest/test-place-database.ts';
import { readUserAgent } from '../src/tracking/ingest/user-agent.ts';
import { originFilter } from '../src/tracking/settings/allowed-origins.ts';
import type { Report } from './report.ts';

const ids = sessionIds(Buffer.alloc(32, 7));
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';
const URL =
  'https://shop.example/landing?utm_source=google&utm_medium=cpc&utm_campaign=summer&utm_id=7&gclid=EAIaIQobChMI';
const PLAIN = 'https://shop.example/landing';
const VISIT = JSON.stringify({
  api_key: 'hw_pk_0123456789abcdefghijklmnopqrstuv012345',
  url: URL,
  referrer: 'https://www.google.com/',
  title: 'Summer sale',
  visitorId: 'k3Jd82mZq0Lx9TnWb4Yc5R',
});

/** Microseconds of one call, the best of seven rounds. */
function time(work: (n: number) => unknown): number {
  const CALLS = 20_000;
  const rounds = Array.from({ length: 7 }, () => {
    const began = performance.now();
    for (let n = 0; n < CALLS; n++) work(n);
    return ((performance.now() - began) * 1_000) / CALLS;
  });
  return Math.min(...rounds);
}

/** The cost of each enrichment step of a visit or event, compared with parsing its JSON. */
export async function benchEnrichment(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'));
  const file = join(folder, 'countries.mmdb');
  const networks: Record<string, string> = {};
  for (let a = 1; a < 224; a++) for (let b = 0; b < 256; b++) networks[bitsOf(a, b)] = (a + b) % 3 ? 'DE' : 'FR';
  writeFileSync(file, placeDatabase(4, networks));
  const findPlace = await openPlaces(file);
  rmSync(folder, { recursive: true });
  const isInternal = addressFilter(Array.from({ length: 100 }, (_, i) => `10.${i}.0.0/16`));
  const allows = originFilter(Array.from({ length: 100 }, (_, i) => `https://shop-${i}.example`));
  const headers = { 'user-agent': AGENT, 'sec-ch-ua': '"Chromium";v="153"' };
  const landing = readLanding(URL);
  const event = {
    event: 'signed up',
    properties: { email: 'Ada@Shop.example', sessionHash: 'k3Jd82mZq0Lx9TnWb4Yc5R', value: 49.9, currency: 'EUR' },
  };
  const steps: [string, (n: number) => unknown][] = [
    ['device, browser, system: a known user agent', () => readUserAgent(AGENT)],
    ['device, browser, system: a new user agent', (n) => readUserAgent(`${AGENT} ${n % 6_000}.${n}`)],
    ['bot signals', () => isBot({ headers })],
    ['landing: UTM values and click id', () => readLanding(URL)],
    ['landing: an address without a query', () => readLanding(PLAIN)],
    [
      'source and medium by the referrer',
      () => sourceOf({ url: PLAIN, referrer: 'https://www.google.de/', landing: readLanding(PLAIN) }),
    ],
    ['country, 57,000 networks', (n) => findPlace(`${1 + (n % 222)}.${n % 256}.7.9`)],
    ['internal address, 100 ranges', (n) => isInternal(`203.0.113.${n % 256}`)],
    ['allowed origin, 100 origins', (n) => allows(`https://shop-${n % 100}.example`)],
    ['clock skew', () => occurredAt('2026-11-20T08:00:00.000Z', '2026-11-20T08:00:01.000Z', 1_795_000_000_000)],
    ["an event's identifiers, email and value", () => readEvent(ids, event, undefined, 1_795_000_000_000)],
    ["a session's id", (number) => ids.idOf(number)],
    [
      'digests of a session that starts',
      (number) => sessionDigests({ hash: 'k3Jd82mZq0Lx9TnWb4Yc5R', number, clickIds: landing.clickIds }),
    ],
  ];
  const least = time(() => JSON.parse(VISIT));
  for (const [name, work] of steps) {
    const took = time(work);
    report.row(`step: ${name}`, {
      result: `${took.toFixed(2)} µs`,
      limit: `JSON.parse of a visit ${least.toFixed(2)} µs`,
      ratio: took / least,
    });
  }
}
