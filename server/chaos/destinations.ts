import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { atEnd } from '../test/at-end.ts';
import { stretched } from '../test/machine.ts';
import { type Counted, type FakePlatform, type Fault, startPlatform } from '../test/platforms/fake.ts';
import { googleRules, metaRules, microsoftRules, TOKEN } from '../test/platforms/fakes.ts';
import { commandJson, newDataDir, type ServiceProcess, startService } from '../test/service-process.ts';
import { until } from '../test/until.ts';
import { defineProof, type Finding, finding } from './proof.ts';
import { post, startDatabase } from './support.ts';

const BATCH = 100;
/** The first retry of a request whose answer was lost comes after 5 s; a second loss of the same would wait for 5 minutes. */
const FAULTS: readonly Fault[] = [
  'lost answer',
  'throttled',
  'failure',
  'failure after processing',
  'time-out',
  'reset',
];
const SETTLE_MS = 15 * 60_000;

interface Order {
  eventId: string;
  hash: string;
  /** The values that were sent, in order. */
  values: number[];
}

export const destinations = defineProof({
  title: 'The service is killed again and again while it sends conversions and their changes to three platforms.',
  parameters: { conversions: 10_000, restated: 3_000, kills: 500 },
  async run({ conversions, restated, kills }, log) {
    const { url: DATABASE_URL } = await startDatabase();
    const platforms = {
      google: await startPlatform(googleRules()),
      meta: await startPlatform(metaRules),
      microsoft: await startPlatform(microsoftRules),
    };
    const urls = Object.entries(platforms).map(([name, { url }]) => [`DESTINATION_${name.toUpperCase()}_URL`, url]);
    const env = { DATABASE_URL, DATA_DIR: newDataDir(), ...Object.fromEntries(urls) };
    let service = await startService(env);
    const { token, apiKey } = await commandJson(['accounts', 'create', 'Destinations'], { DATABASE_URL });
    for (const body of connections()) {
      const response = await post(service, '/v1/destinations', body, token);
      if (response.status !== 200) throw new Error(JSON.stringify(response.body));
    }

    /** Sends until it is acknowledged, by whichever process lives. */
    const send = async (path: string, body: unknown): Promise<unknown> => {
      for (;;) {
        try {
          const response = await post(service, path, body, token);
          if (response.status === 200) return response.body;
        } catch {}
        await sleep(50);
      }
    };

    let killed = 0;
    let isDone = false;
    const killing = (async () => {
      while (killed < kills && !isDone) {
        await sleep(randomInt(50, 1_500));
        service.kill('SIGKILL');
        await service.ended;
        killed++;
        service = await restart(env);
        if (killed % 50 === 0) log(`killed ${killed} times`);
        for (const platform of Object.values(platforms)) {
          if (randomInt(10) === 0) platform.faults.push(FAULTS[randomInt(FAULTS.length)]);
        }
      }
    })();

    const orders: Order[] = Array.from({ length: conversions }, (_, i) => ({
      eventId: `order-${i}`,
      hash: String(i).padStart(22, '0'),
      values: [i + 1],
    }));
    // Spread over all kills, so that each of them hits conversions that are being sent.
    const steps = stepsOf(orders, restated);
    for (const [i, { batch, type }] of steps.entries()) {
      while (killed < (kills * i) / steps.length) await sleep(20);
      // Every tenth change takes the sale back.
      if (type === 'restate') {
        for (const order of batch) order.values.push(randomInt(10) === 0 ? 0 : randomInt(1, 1_000_000));
      }
      const items = batch.map(({ hash, eventId }) => ({ visit: visitOf(hash, eventId) }));
      const visit = () => send('/v1/batch', { api_key: apiKey, items });
      if (type === 'report') await visit();
      await report(send, batch, type === 'match late' ? 'unmatched' : 'reported');
      if (type === 'match late') await visit();
    }
    log(`${conversions} reported, ${restated} restated`);
    await killing;
    isDone = true;
    for (const platform of Object.values(platforms)) platform.faults.length = 0;

    const client = new pg.Client({ connectionString: DATABASE_URL });
    await client.connect();
    atEnd(() => client.end());
    const remaining = async () => {
      const sql = `select (select count(*) from destination_queue) + (select count(*) from outbox) as n`;
      return Number((await client.query(sql)).rows[0]?.n);
    };
    // A batch that met several faults in a row would wait for up to an hour.
    await client.query('update destination_queue set due_at = now() where tries > 0');
    await until(async () => (await remaining()) === 0, stretched(SETTLE_MS));
    log(`settled after ${killed} kills`);
    const { rows } = await client.query<DeliveryRow>(
      `select d.platform, c.event_id, e.status, e.sent ->> 'value' as value from destination_deliveries e
       join destinations d on d.id = e.destination_id join conversions c on c.id = e.conversion_id`,
    );
    return judge(orders, platforms, rows, killed);
  },
});

interface DeliveryRow {
  platform: 'google' | 'meta' | 'microsoft';
  event_id: string;
  status: string;
  value: string | null;
}

function connections() {
  const common = { consent: 'unless_denied', mode: 'live' };
  const oauth = { clientId: 'client', clientSecret: 'client-secret', refreshToken: 'fake-refresh-token' };
  const microsoft = { developerToken: 'developer-token', customerId: '11', accountId: '22' };
  return [
    { platform: 'google', credentials: { customerId: '1234567890', ...oauth }, target: '987654321' },
    { platform: 'meta', credentials: { pixelId: '123456', accessToken: TOKEN }, target: 'Purchase' },
    { platform: 'microsoft', credentials: { ...oauth, ...microsoft }, target: 'Purchase' },
  ].map(({ target, ...each }) => ({ ...common, ...each, name: each.platform, mapping: [{ event: '*', target }] }));
}

const visitOf = (hash: string, id: string) => ({
  url: `https://shop.example/?gclid=${id}&fbclid=${id}&msclkid=${id}`,
  sessionHash: hash,
  visitId: id,
});

interface Step {
  batch: Order[];
  /** `match late`: the visits are recorded after the report. */
  type: 'report' | 'match late' | 'restate';
}

/** Reports in batches, and changes of some of their orders up to twenty batches later. */
function stepsOf(orders: readonly Order[], restated: number): Step[] {
  const changed = new Set(orders.toSorted(() => randomInt(3) - 1).slice(0, restated));
  const steps: (Step & { at: number })[] = [];
  for (let at = 0; at * BATCH < orders.length; at++) {
    const batch = orders.slice(at * BATCH, (at + 1) * BATCH);
    steps.push({ at, batch, type: at % 5 === 4 ? 'match late' : 'report' });
    const restatement = batch.filter((order) => changed.has(order));
    if (restatement.length > 0) steps.push({ at: at + randomInt(20) + 0.5, batch: restatement, type: 'restate' });
  }
  return steps.toSorted((a, b) => a.at - b.at);
}

async function report(
  send: (path: string, body: unknown) => Promise<unknown>,
  orders: readonly Order[],
  status: 'reported' | 'unmatched',
): Promise<void> {
  const items = orders.map(({ eventId, hash: sessionHash, values }) => ({
    ...{ eventId, sessionHash, currency: 'EUR' },
    value: values.at(-1),
  }));
  const results = (await send('/v1/analytics/report-conversion', items)) as { status: string }[];
  // A report that is repeated, because its answer was lost, may be matched meanwhile.
  const failed = results.find((result) => result.status !== 'reported' && result.status !== status);
  if (failed) throw new Error(JSON.stringify(failed));
}

/** A start may meet the connections of the process that died. */
async function restart(env: Record<string, string>): Promise<ServiceProcess> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startService(env);
    } catch (error) {
      if (attempt === 10) throw error;
    }
  }
}

function judge(
  orders: readonly Order[],
  platforms: Record<DeliveryRow['platform'], FakePlatform>,
  rows: readonly DeliveryRow[],
  killed: number,
): Finding[] {
  const delivered = new Map(rows.map((row) => [`${row.platform} ${row.event_id}`, row]));
  const findings = [finding('the service was killed', `${killed} times`, true)];
  const missing = orders.filter(({ eventId }) =>
    Object.keys(platforms).some((name) => !delivered.has(`${name} ${eventId}`)),
  );
  findings.push(finding("every conversion's fate is known", `${missing.length} missing`, missing.length === 0));
  for (const name of Object.keys(platforms) as DeliveryRow['platform'][]) {
    const { ledger } = platforms[name];
    const byOrder = Map.groupBy(ledger, ({ id }) => id.split(' ', 1)[0] ?? '');
    const doubled = [...byOrder.values()].filter(({ length }) => length > 1).length;
    const wrong = orders.filter((order) => {
      const [counted] = byOrder.get(order.eventId) ?? [];
      return !isExpected(name, order, counted, delivered.get(`${name} ${order.eventId}`));
    });
    const [first] = wrong;
    const example = first
      ? `, such as ${JSON.stringify([first, byOrder.get(first.eventId), delivered.get(`${name} ${first.eventId}`)])}`
      : '';
    findings.push(
      finding(`${name}: counted twice`, `${doubled} of ${ledger.length}`, doubled === 0),
      finding(
        `${name}: the ledger is as expected`,
        `${wrong.length} of ${orders.length} differ${example}`,
        wrong.length === 0,
      ),
    );
  }
  return findings;
}

function isExpected(
  name: DeliveryRow['platform'],
  { values }: Order,
  counted: Counted | undefined,
  row: DeliveryRow | undefined,
): boolean {
  const last = values.at(-1);
  // Taken back before it was sent.
  if (row?.status === 'skipped') return counted === undefined && last === 0;
  if (counted === undefined || row === undefined) return false;
  if (name === 'google') return counted.value === last && Number(row.value) === last;
  if (name === 'microsoft')
    return last === 0 ? counted.isRetracted && row.status === 'retracted' : counted.value === last;
  // Meta keeps what it had first; what came later is not adjustable.
  const isKnown = counted.value !== null && values.includes(counted.value) && Number(row.value) === counted.value;
  return isKnown && (counted.value === last ? row.status === 'sent' : row.status === 'not_adjustable');
}
