import { parseId } from '../src/shared/ids.ts';
import { type DemoAccount, keysOf, type Read, readerOf } from './demo-account.ts';
import { httpRequest, load } from './load.ts';
import { multiplyReports } from './multiply.ts';
import { breakdowns, others, overviews } from './overview.ts';
import type { Report } from './report.ts';
import { type BenchService, command } from './service.ts';

const NAME = 'Tenfold';
const TIMES = 10;
/** Of ingest without reports and with them, in turns. */
const ROUNDS = 3;
const ROUND_SECONDS = 6;

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
  await measureIngest(service, account, reads, report);
  report.row('ten times: peak memory of all reports', { result: `${Math.round(service.mostRss() - idle)} MiB more` });
}

/** Events of another account, in rounds without reports and with one report after another. */
async function measureIngest(
  service: BenchService,
  account: DemoAccount,
  reads: readonly Read[],
  report: Report,
): Promise<void> {
  const event = { api_key: service.apiKey, event: 'quiz_answered', properties: { step: 1, answer: 'The second one' } };
  const requests = [httpRequest('POST', '/v1/events', { 'content-type': 'application/json' }, JSON.stringify(event))];
  const round = () => load({ port: service.port, requests, connections: 64, seconds: ROUND_SECONDS, warmUpSeconds: 1 });
  const [alone, beside, times]: [number[], number[], number[]] = [[], [], []];
  let failed = 0;
  for (let i = 0; i < ROUNDS; i++) {
    const without = await round();
    alone.push(without.perSecond);
    let isOver = false;
    const reporting = (async () => {
      for (let n = 0; !isOver; n++) {
        const { ms, ok } = await account.time(reads[n % reads.length] as Read);
        times.push(ms);
        if (!ok) failed++;
      }
    })();
    const during = await round();
    beside.push(during.perSecond);
    isOver = true;
    await reporting;
    failed += without.failed + during.failed;
  }
  const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
  report.row('ten times: events while one report after another runs', {
    result: `${Math.round(median(beside))}/s; a report takes ${Math.round(median(times))} ms, at most ${Math.round(times.at(-1) ?? 0)}`,
    limit: `without ${Math.round(median(alone))}/s`,
    ratio: median(beside) / median(alone),
    target: '0.85',
    failed,
  });
}

const targetOf = (path: string) => (path.includes('overview') ? '1 s' : path.includes('breakdown') ? '1.5 s' : '2 s');
