import { parseId } from '../src/shared/ids.ts';
import { keysOf, readerOf } from './demo-account.ts';
import { multiplyReports } from './multiply.ts';
import { breakdowns, others, overviews } from './overview.ts';
import type { Report } from './report.ts';
import { type BenchService, command } from './service.ts';

const NAME = 'Tenfold';
const TIMES = 10;

/** Reports on an account with the segments, conversions and leads of the demo account ten times, with other visitors. */
export async function benchTenfold(service: BenchService, report: Report): Promise<void> {
  await keysOf(service.dataDir);
  const { accounts } = await command<{ accounts: { id: string; name: string }[] }>(service.dataDir, 'accounts', 'list');
  const demo = accounts.find(({ name }) => name.startsWith('Demo shop'));
  let tenfold = accounts.find(({ name }) => name === NAME);
  if (!tenfold) {
    tenfold = (await command<{ account: { id: string; name: string } }>(service.dataDir, 'accounts', 'create', NAME))
      .account;
    const sql = await service.sql();
    await multiplyReports(sql, parseId('acc', demo?.id ?? '') ?? '', parseId('acc', tenfold.id) ?? '', TIMES);
    await sql.end();
  }
  const create = `tokens create --account ${tenfold.id} --name bench --type secret`.split(' ');
  const account = readerOf(service, { ...(await command<{ token: string }>(service.dataDir, ...create)), apiKey: '' });
  const idle = service.rss();
  const reads = [
    ...overviews(),
    ...breakdowns(),
    ...others().filter(({ path }) => path.startsWith('analytics/funnel')),
  ];
  await account.measure(
    report,
    reads.map((read) => ({ ...read, name: `ten times: ${read.name}`, target: targetOf(read.path) })),
  );
  report.row('ten times: peak memory of all reports', { result: `${Math.round(service.mostRss() - idle)} MiB more` });
}

const targetOf = (path: string) => (path.includes('overview') ? '1 s' : path.includes('breakdown') ? '1.5 s' : '2 s');
