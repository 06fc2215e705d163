import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { parseId } from '../src/shared/ids.ts';
import { costs, measure, post, send } from './measure.ts';
import type { Report } from './report.ts';
import { uuidOf } from './seed.ts';
import { type BenchService, command, startService } from './service.ts';

const SESSIONS = Number(process.env.BENCH_SESSIONS ?? 1_000_000);
const ROWS = Number(process.env.BENCH_ROWS ?? 100_000);
const NAME = 'Bench money';
const TIMES = 7;
const DAY_MS = 86_400_000;
const DAYS = 270;
const CURRENCIES = ['EUR', 'USD', 'GBP', 'PLN'];
const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);

interface Sale {
  event_id: string;
  /** What it was sold for, and what is left of it. */
  value: string;
  left: string;
  currency: string;
  at: Date;
}

/**
 * Return on ad spend and reconciliation of a shop of 270 days: 500 campaigns of five sources, costs and sales in four currencies, of which many come
 * late, are restated or refunded. Every ninth session has a sale.
 */
export async function benchMoney(service: BenchService, report: Report): Promise<void> {
  const { accounts } = await command<{ accounts: Account[] }>(service.dataDir, 'accounts', 'list');
  let account = accounts.find(({ name }) => name === NAME);
  if (!account) {
    ({ account } = await command<{ account: Account }>(service.dataDir, 'accounts', 'create', NAME));
    await seed(service, await keyOf(service, account));
  }
  const key = await keyOf(service, account);
  service.process.kill('SIGTERM');
  await once(service.process, 'exit');
  const again = { ...(await startService(service.dataDir)), ...key };
  try {
    await reports(again, report);
    await reconciliation(again, report);
  } finally {
    await again.stop();
  }
}

interface Account {
  id: string;
  name: string;
}

async function keyOf({ dataDir }: BenchService, { id }: Account): Promise<{ accountId: string; token: string }> {
  const words = `tokens create --account ${id} --name bench --type secret`.split(' ');
  return { accountId: id, token: (await command<{ token: string }>(dataDir, ...words)).token };
}

async function reports(service: BenchService, report: Report): Promise<void> {
  const period = `from=${day(89)}&to=${day(-1)}&currency=EUR`;
  const reads = {
    'by campaign': '&by=campaign',
    'by campaign, with curves': '&by=campaign&curves=true',
    'by campaign, as known 30 days ago': `&by=campaign&asKnownOn=${day(30)}`,
    'by source': '&by=source',
    'by landing page': '&by=landingPage',
  };
  for (const [name, query] of Object.entries(reads)) {
    const read = () => send(service, `/v1/analytics/roas?${period}${query}`);
    const first = await measure(service, read);
    const warm = await measure(service, read, TIMES);
    const { rows, status } = await read();
    const isWhole = status === 'ready' && (!query.includes('campaign') || rows.length === 500);
    report.row(`return on ad spend of 90 days and 500 campaigns ${name}`, {
      result: costs(warm),
      limit: `first ${costs(first)}`,
      target: '300 ms, first 1 s',
      failed: isWhole ? 0 : 1,
    });
  }
}

async function seed({ port, sql: connect }: BenchService, key: { accountId: string; token: string }): Promise<void> {
  const sql = await connect();
  const account = [uuidOf(key.accountId)];
  const of = `from generate_series(1, ${SESSIONS}) n`;
  const at = `(now() - interval '${DAYS} days' + n * (interval '${DAYS} days' / ${SESSIONS}))`;
  const campaign = 'n * 7919::bigint % 500';
  const sources = `(array['google', 'facebook', 'tiktok', 'bing', 'pinterest'])`;
  const currencies = `(array['${CURRENCIES.join("', '")}'])`;
  const rates = Array.from({ length: DAYS }, (_, i) => ({
    USD: 1.05 + i / 9_000,
    GBP: 0.85 + i / 9_000,
    PLN: 4.2 + i / 900,
  }));
  await post(
    { port, ...key },
    '/v1/analytics/exchange-rates',
    {
      rates: rates.flatMap((each, i) =>
        Object.entries(each).map(([currency, rate]) => ({ date: day(i), base: 'EUR', currency, rate })),
      ),
    },
    'PUT',
  );
  await sql.query('begin; set local synchronous_commit = off; select setseed(0.42)');
  await sql.query(
    `insert into sessions (account_id, number, hash, short_hash, visitor_id, started_at, last_seen_at, landing_url, device, source, medium,
       campaign, click_ids)
     select $1, 1000000000 + n, substr(md5(n::text), 1, 22), upper(substr(md5('s' || n), 1, 12)), 'visitor-' || n / 2, ${at}, ${at},
       'https://shop.example/page-' || n % 40, 'desktop', ${sources}[1 + ${campaign} % 5], 'cpc', 'campaign-' || ${campaign},
       jsonb_build_object('gclid', 'click-' || n) ${of}`,
    account,
  );
  await sql.query(
    `insert into click_ids (account_id, digest, session_number, seen_at)
     select $1, encode(substring(sha256(convert_to(E'gclid\\nclick-' || n, 'UTF8')) for 16), 'hex')::uuid, 1000000000 + n, ${at} ${of}
     where n % 9 = 1`,
    account,
  );
  await sql.query(
    `insert into visits (account_id, id, session_number, url, visitor_id, is_bot, occurred_at, received_at)
     select $1, md5('v' || n)::uuid, 1000000000 + n, 'https://shop.example/page-' || n % 40, 'visitor-' || n / 2, false, ${at}, ${at} ${of}`,
    account,
  );
  // Two of five buy at once, the others within weeks; a fifth is restated and a tenth refunded, eight days later.
  await sql.query(
    `create temp table sale as
     select n, md5('c' || n)::uuid as id, 'order-' || n as event_id, at, value, ${currencies}[1 + n / 9 % 4] as currency,
       case when at + interval '8 days' > now() then null when change < 0.2 then round(value / 2, 2) when change < 0.3 then 0 end as changed
     from (
       select n, random() as change, round((20 + 80 * random())::numeric, 2) as value, date_trunc('milliseconds', ${at}
         + case when random() < 0.4 then interval '1 hour' else interval '1 day' * -9 * ln(1 - random()) end) as at
       ${of} where n % 9 = 0) s
     where at < now()`,
  );
  await sql.query(
    `insert into conversions (account_id, id, event_id, sent_event, value, currency, sent_created_on, received_at, origin, session_number,
       updated_at, version)
     select $1, id, event_id, 'order', coalesce(changed, value), currency, at, at, 'report', 1000000000 + n, at,
       case when changed is null then 1 else 2 end from sale`,
    account,
  );
  await sql.query(
    `insert into conversion_revisions (account_id, conversion_id, arrival, event, value, currency, created_on, origin, received_at, version)
     select $1, id, nextval('conversion_arrival_seq'), 'order', value, currency, at, 'report', at, 1 from sale order by at`,
    account,
  );
  await sql.query(
    `insert into conversion_revisions (account_id, conversion_id, arrival, value, origin, received_at, version)
     select $1, id, nextval('conversion_arrival_seq'), changed, 'report', at + interval '8 days', 2 from sale where changed is not null`,
    account,
  );
  await sql.query(
    `insert into ad_costs (account_id, day, source, campaign, currency, cost, clicks, impressions, updated_at)
     select $1, current_date - d, ${sources}[1 + n % 5], 'Campaign-' || n, ${currencies}[1 + n % 4], 5 + n % 17 + d % 5, 8 + n % 5, 300,
       least(now(), current_date - d + interval '1 day')
     from generate_series(0, ${DAYS - 1}) d, generate_series(0, 499) n`,
    account,
  );
  await sql.query('commit');
  const isAggregated = `select where (select count(*) from analytics_changed_sessions) <= 1000
    and (select count(distinct conversion_id) from analytics_increments) = (select count(*) from sale)`;
  while ((await sql.query(isAggregated)).rows.length === 0) await sleep(3_000);
  await sql.query(
    'vacuum analyze sessions, click_ids, visits, conversions, conversion_revisions, ad_costs, analytics_increments, analytics_segments',
  );
  await sql.end();
}

const FORMATS = {
  stripe:
    'automatic_payout_id,balance_transaction_id,created_utc,currency,gross,fee,net,reporting_category,payment_intent_id,payment_metadata[order_id],payment_metadata[gclid]',
  csv: 'order id,amount,currency,date,gclid',
};

/** A statement of so many rows: each sale and what was taken back of it; of 20 sales one differs, one is missing there, and one is new. */
function statement(provider: keyof typeof FORMATS, sales: readonly Sale[]) {
  const lines = [FORMATS[provider]];
  const add = (id: string, amount: number, { at, currency }: Sale, click = '') => {
    const [time, n] = [at.toISOString().slice(0, 19), lines.length];
    const category = amount < 0 ? 'refund' : 'charge';
    lines.push(
      provider === 'csv'
        ? `${id},${amount.toFixed(2)},${currency},${time.slice(0, 10)},${click}`
        : `po_1,txn_${n},${time.replace('T', ' ')},${currency.toLowerCase()},${amount.toFixed(2)},0.30,${(amount - 0.3).toFixed(2)},${category},pi_${n},${id},${click}`,
    );
  };
  const expected = { equal: 0, different: 0, missingHere: 0, missingThere: 0 };
  let [until, i] = ['', 0];
  for (; lines.length <= ROWS && sales[i]; i++) {
    const sale = sales[i] as Sale;
    until = sale.at.toISOString().slice(0, 10);
    const [value, left] = [Number(sale.value), Number(sale.left)];
    if (i % 20 === 1) {
      if (left !== 0) expected.missingThere++;
      continue;
    }
    expected[i % 20 === 0 ? 'different' : 'equal']++;
    add(sale.event_id, i % 20 === 0 ? value + 1 : value, sale);
    if (left !== value) add(sale.event_id, left - value, sale);
    if (i % 20 !== 2) continue;
    expected.missingHere++;
    add(`new-${i}`, 12.5, sale, `click-${1 + 9 * (i + 1)}`);
  }
  // The period is of whole days.
  for (; sales[i]?.at.toISOString().slice(0, 10) === until; i++)
    if (Number(sales[i]?.left) !== 0) expected.missingThere++;
  return { text: lines.join('\n'), expected };
}

type Outcomes = Record<'equal' | 'different' | 'missingHere' | 'missingThere', { count: number; applied: number }>;
const countsOf = (outcomes: Outcomes) =>
  JSON.stringify(Object.fromEntries(Object.entries(outcomes).map(([name, { count }]) => [name, count])));

/** Compares statements; then kills the service while one is compared and while it is applied. */
async function reconciliation(service: BenchService, report: Report): Promise<void> {
  const path = '/v1/reconciliations';
  const account = [uuidOf(service.accountId)];
  const { rows: sales } = await withSql(service, (sql) =>
    sql.query<Sale>(
      `select c.event_id, r.value::text, c.value::text as left, c.currency, c.created_on as at
       from conversions c join conversion_revisions r on r.account_id = c.account_id and r.conversion_id = c.id and r.version = 1
       where c.account_id = $1 order by c.created_on`,
      account,
    ),
  );
  const create = async (provider: string, text: string): Promise<string> => {
    const body = new FormData();
    body.append('file', new Blob([text]), 'payouts.csv');
    return (await send(service, `${path}?provider=${provider}`, { method: 'POST', body })).id;
  };
  const settled = async (id: string) => {
    for (;;) {
      const read = await send(service, `${path}/${id}`).catch(() => undefined);
      if (read && !['matching', 'applying'].includes(read.status)) return read;
      await sleep(50);
    }
  };
  /** Kills the service as soon as so many lines are as a condition says, and starts the next one. */
  const killAfter = async (id: string, count: number, condition: string) => {
    const found = `select from reconciliation_lines where reconciliation_id = $1 and ${condition} having count(*) > ${count}`;
    await withSql(service, async (sql) => {
      while ((await sql.query(found, [parseId('rec', id)])).rows.length === 0) await sleep(5);
    });
    await service.kill();
    const { token, accountId, dataDir } = service;
    Object.assign(service, await startService(dataDir), { token, accountId });
  };
  for (const provider of ['stripe', 'csv'] as const) {
    const { text, expected } = statement(provider, sales);
    let outcomes: Outcomes | undefined;
    const compared = await measure(service, async () => {
      outcomes = (await settled(await create(provider, text))).outcomes;
    });
    report.row(`reconciliation of ${ROWS.toLocaleString('en')} rows, ${provider}`, {
      result: costs(compared),
      target: '20 s',
      failed: outcomes && countsOf(outcomes) === JSON.stringify(expected) ? 0 : 1,
    });
  }
  const { text, expected } = statement('csv', sales);
  const countIn = async (table: string) =>
    (await withSql(service, (sql) => sql.query(`select count(*)::int from ${table} where account_id = $1`, account)))
      .rows[0]?.count;
  const before = await countIn('conversions');
  const id = await create('csv', text);
  await killAfter(id, ROWS / 3, 'true');
  const compared = await settled(id);
  const stored = `reconciliation_lines where reconciliation_id = '${parseId('rec', id)}'`;
  const lines = await countIn(`(select * from ${stored}) l`);
  await post(service, `${path}/${id}/apply`, {});
  await killAfter(id, 1_000, 'applied_at is not null');
  const applied = await settled(id);
  const { outcomes: left } = await settled(await create('csv', text));
  const told = {
    lines,
    ...JSON.parse(countsOf(compared.outcomes)),
    applied: applied.outcomes.different.applied + applied.outcomes.missingHere.applied,
    made: (await countIn('conversions')) - before,
    agreed: left.equal.count,
    left: left.different.count + left.missingHere.count,
  };
  const { equal, different, missingHere, missingThere } = expected;
  const sum = equal + different + missingHere;
  const wanted = {
    lines: sum + missingThere,
    ...expected,
    applied: different + missingHere,
    made: missingHere,
    agreed: sum,
    left: 0,
  };
  report.row('the same, killed while it compares and while it is applied', {
    result: `${applied.status}: ${JSON.stringify(told)}`,
    failed: JSON.stringify(told) === JSON.stringify(wanted) ? 0 : 1,
  });
}

async function withSql<T>(service: BenchService, work: (sql: pg.Client) => Promise<T>): Promise<T> {
  const sql = await service.sql();
  return work(sql).finally(() => sql.end());
}
