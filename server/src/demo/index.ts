import { createAccount } from '../accounts/index.ts';
import { countAccount } from '../analytics/index.ts';
import { buildApp } from '../app.ts';
import type { Deps } from '../shared/deps.ts';
import { parseId } from '../shared/ids.ts';
import { type Call, writeContent } from './content.ts';
import { type TrafficSize, writeTraffic } from './traffic.ts';

interface Size extends TrafficSize {
  entries: number;
}

/** `small` is for looking around; the others show what the service does with much. */
export const SIZES = {
  small: { sessions: 4_000, events: 14_000, conversions: 200, goOn: 0.77, days: 60, entries: 16 },
  medium: { sessions: 100_000, events: 1_000_000, conversions: 10_000, goOn: 0.82, days: 60, entries: 100_000 },
  large: { sessions: 1_000_000, events: 10_000_000, conversions: 100_000, goOn: 0.82, days: 60, entries: 1_000_000 },
} satisfies Record<string, Size>;

export type SizeName = keyof typeof SIZES;

/** Makes a demonstration account: campaigns, funnels, leads, conversions and content of the last 60 days. */
export async function makeDemo(deps: Deps, name: SizeName, say: (what: string) => void) {
  const size: Size = SIZES[name];
  const { db } = deps;
  const now = deps.clock();
  const made = await createAccount(db, `Demo shop (${name})`);
  const accountId = parseId('acc', made.account.id) ?? '';
  say('Writing pages and pictures');
  const { app } = await buildApp({ ...deps, config: { ...deps.config, rates: undefined } });
  const call: Call = async (method, url, body, headers = { 'content-type': 'application/json' }) => {
    const payload = Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const token = { 'x-api-key': `Bearer ${made.token}` };
    const response = await app.inject({ method, url, headers: { ...token, ...headers }, payload });
    if (response.statusCode !== 200) throw new Error(`${method} ${url}: ${response.body}`);
    return response.json() as never;
  };
  const writeProducts = await writeContent(accountId, call, size.entries, now).finally(() => app.close());
  say(`Writing ${size.sessions.toLocaleString('en')} sessions and ${size.entries.toLocaleString('en')} entries`);
  await Promise.all([writeTraffic(db, accountId, size, now), writeProducts(db)]);
  say('Counting them');
  await countAccount(db, accountId);
  await tidy(db);
  return made;
}

/** What autovacuum would get to in its own time: lists and reports are fast at once. */
async function tidy(db: Deps['db']): Promise<void> {
  const client = await db.connect('headwater-demo');
  await client
    .query(
      'vacuum (analyze) sessions, visits, events, leads, conversions, entries, entry_index, entry_texts, analytics_conversions, analytics_leads, analytics_segments',
    )
    .finally(() => client.end());
}
