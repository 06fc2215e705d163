/** An account with sample data. */
import { createAccount, updateAccount } from '../accounts/index.ts';
import { aggregateAccount } from '../analytics/index.ts';
import { buildApp } from '../app.ts';
import type { Deps } from '../shared/deps.ts';
import { readDiskSpace } from '../shared/disk-space.ts';
import { parseId } from '../shared/ids.ts';
import { MAIN } from '../shared/main-cell.ts';
import { adCosts } from './ad-costs.ts';
import type { Call } from './call.ts';
import { createContent } from './content.ts';
import { createDestinations, writeDeliveries } from './destinations.ts';
import { writeOrders } from './orders.ts';
import { type TrafficSize, writeTraffic } from './traffic.ts';

interface Size extends TrafficSize {
  conversions: number;
  entries: number;
  /** What its tables take (`large`: 8), and PostgreSQL's log and temporary files meanwhile. */
  diskGb: number;
}

const LONG = { continueRate: 0.82, days: 60 };

/** `small` is for a first look; the others show the service with a lot of data: `large` takes five minutes. */
export const SIZES = {
  small: { sessions: 4_000, events: 14_000, conversions: 200, continueRate: 0.77, days: 60, entries: 18, diskGb: 1 },
  medium: { ...LONG, sessions: 100_000, events: 1_000_000, conversions: 10_000, entries: 100_000, diskGb: 3 },
  large: { ...LONG, sessions: 1_000_000, events: 10_000_000, conversions: 100_000, entries: 1_000_000, diskGb: 16 },
} satisfies Record<string, Size>;

type SizeName = keyof typeof SIZES;

/** Refused before anything is written. The disk of a database elsewhere is not known. */
export class DiskTooSmall extends Error {}

async function checkDisk({ config }: Deps, name: SizeName, readDisk: typeof readDiskSpace): Promise<void> {
  const disk = config.databaseUrl === undefined ? await readDisk(config.dataDir) : undefined;
  const needed = SIZES[name].diskGb;
  if (!disk || disk.free >= needed * 1e9) return;
  const free = Math.floor(disk.free / 1e9);
  throw new DiskTooSmall(
    `--size ${name} needs ${needed} GB of disk space in ${config.dataDir}, where ${free} GB are free`,
  );
}

/**
 * Creates a demo account with campaigns, ad spend, funnels, leads, conversions and content of the last 60 days.
 * @throws DiskTooSmall
 */
export async function makeDemo(
  deps: Deps,
  name: SizeName,
  onProgress: (message: string) => void,
  readDisk = readDiskSpace,
) {
  await checkDisk(deps, name, readDisk);
  const size: Size = SIZES[name];
  const { db, control } = deps;
  const now = deps.clock();
  const created = await createAccount(control, `Demo shop (${name})`, now, MAIN);
  const accountId = parseId('acc', created.account.id) ?? '';
  await updateAccount(control, {
    ...{ id: accountId, name: `Demo shop (${name})`, time_zone: null, currency: 'EUR' },
    exchange_rates: JSON.stringify({ CHF: '1.07', GBP: '1.14', USD: '0.86' }),
  });
  onProgress('Creating content and images');
  const { app } = await buildApp({ ...deps, config: { ...deps.config, rates: undefined } });
  const call: Call = async (method, url, body, headers = { 'content-type': 'application/json' }) => {
    const payload = Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const token = { 'x-api-key': `Bearer ${created.token}` };
    const response = await app.inject({ method, url, headers: { ...token, ...headers }, payload });
    if (response.statusCode !== 200) throw new Error(`${method} ${url}: ${response.body}`);
    return response.json() as never;
  };
  let destinations: string[] = [];
  const prepare = async () => {
    await call('PUT', '/v1/analytics/ad-costs', { costs: adCosts(size, now) });
    destinations = await createDestinations(call);
    return createContent(accountId, call, size.entries, now);
  };
  const writeProducts = await prepare().finally(() => app.close());
  onProgress(`Writing ${size.sessions.toLocaleString('en')} sessions and ${size.entries.toLocaleString('en')} entries`);
  const writeActivity = () =>
    db.transaction(async (tx) => {
      await writeTraffic(tx, accountId, size, now, (done) => onProgress(`Writing events: ${percent(done)}`));
      onProgress('Writing conversions');
      await writeOrders(tx, accountId, size, now);
      await writeDeliveries(tx, { account_id: accountId, destinations });
    });
  await Promise.all([writeActivity(), writeProducts(db)]);
  await db.query('analyze sessions, visits, events, leads, lead_sessions, conversions, conversion_revisions');
  onProgress('Aggregating reports');
  await aggregateAccount(db, accountId, (done) => onProgress(`Aggregating reports: ${percent(done)}`));
  await vacuum(db);
  return created;
}

const percent = (part: number) => `${Math.round(part * 100)} %`;

/** Makes lists and reports fast at once instead of after the next autovacuum. */
async function vacuum(db: Deps['db']): Promise<void> {
  const client = await db.connect('headwater-demo');
  await client
    .query(
      `vacuum (analyze) sessions, visits, events, leads, conversions, entries, entry_index, entry_texts,
         analytics_conversions, analytics_increments, analytics_leads, analytics_lists, analytics_segments`,
    )
    .finally(() => client.end());
}
