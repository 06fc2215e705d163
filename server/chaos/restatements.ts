import pg from 'pg';
import { atEnd } from '../test/at-end.ts';
import { commandJson, newDataDir, startService } from '../test/service-process.ts';
import { defineProof, finding } from './proof.ts';
import { post, startDatabase } from './support.ts';

const PROCESSES = 3;
const CLIENTS_PER_PROCESS = 8;
const BATCH = 5;

/** Reports that one request contained, by their values, and when the request was under way. */
interface Sent {
  values: number[];
  startedAt: number;
  endedAt: number;
}

export const restatements = defineProof({
  title: 'Several processes restate the conversion of one eventId at the same time.',
  parameters: { reports: 10_000 },
  async run({ reports }, log) {
    const { url: DATABASE_URL } = await startDatabase();
    const services = await Promise.all(
      Array.from({ length: PROCESSES }, () => startService({ DATABASE_URL, DATA_DIR: newDataDir() })),
    );
    const { token, apiKey } = await commandJson(['accounts', 'create', 'Restatements'], { DATABASE_URL });
    const [first] = services;
    if (!first) throw new Error('no service');
    await post(first, '/v1/visits', { api_key: apiKey, url: 'https://shop.example/?gclid=one' });

    let next = 1;
    let failed = 0;
    const sent: Sent[] = [];
    await Promise.all(
      services.flatMap((service) =>
        Array.from({ length: CLIENTS_PER_PROCESS }, async (_, client) => {
          // Every other client sends batches, in which later items restate earlier ones.
          const size = client % 2 === 0 ? 1 : BATCH;
          while (next <= reports) {
            const values = Array.from({ length: Math.min(size, reports - next + 1) }, () => next++);
            const items = values.map((value) => ({ gclid: 'one', eventId: 'order', value, currency: 'EUR' }));
            const startedAt = performance.now();
            const body = size === 1 ? items[0] : items;
            const response = await post(service, '/v1/analytics/report-conversion', body, token);
            const results: { status?: string }[] = [response.body].flat();
            if (response.status !== 200 || results.some(({ status }) => status !== 'reported')) failed++;
            sent.push({ values, startedAt, endedAt: performance.now() });
          }
        }),
      ),
    );
    log(`${next - 1} reports in ${sent.length} requests, ${failed} failed`);

    const client = new pg.Client({ connectionString: DATABASE_URL });
    await client.connect();
    atEnd(() => client.end());
    const stored = await client.query('select id, value::float8 as value, version from conversions');
    const revisions = await client.query<{ arrival: number; value: number }>(
      'select arrival::float8 as arrival, value::float8 as value from conversion_revisions order by arrival',
    );
    const last = revisions.rows.at(-1)?.value;
    const arrivals = new Map(revisions.rows.map(({ arrival, value }) => [value, arrival]));
    return [
      finding('every report is acknowledged', `${next - 1} reports, ${failed} failed`, failed === 0),
      finding('one conversion', `conversions: ${stored.rows.length}`, stored.rows.length === 1),
      finding(
        'its value is that of the last arrival',
        `${stored.rows[0]?.value}, last arrival ${last}`,
        last !== undefined && stored.rows[0]?.value === last,
      ),
      finding(
        'every report is one revision',
        `${revisions.rows.length} revisions of ${arrivals.size} reports`,
        revisions.rows.length === reports && arrivals.size === reports,
      ),
      finding('a report sent after the response to another arrives after it', ...outOfOrder(sent, arrivals)),
    ];
  },
});

/** How many requests arrived before one that had been responded to when they were sent. */
function outOfOrder(sent: Sent[], arrivals: Map<number, number>): [string, boolean] {
  const arrivalsOf = ({ values }: Sent) => values.map((value) => arrivals.get(value) ?? Number.NaN);
  const byStart = sent.toSorted((a, b) => a.startedAt - b.startedAt);
  const byEnd = sent.toSorted((a, b) => a.endedAt - b.endedAt);
  let ended = 0;
  let latest = Number.NEGATIVE_INFINITY;
  let wrong = 0;
  for (const request of byStart) {
    for (let other = byEnd[ended]; other && other.endedAt < request.startedAt; other = byEnd[++ended]) {
      latest = Math.max(latest, ...arrivalsOf(other));
    }
    const own = arrivalsOf(request);
    // Also the items of a batch are in order.
    if (!(Math.min(...own) > latest) || own.some((arrival, i) => i > 0 && !(arrival > (own[i - 1] ?? 0)))) wrong++;
  }
  return [`${wrong} of ${sent.length} requests out of order`, wrong === 0];
}
