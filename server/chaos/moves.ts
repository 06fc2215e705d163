import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connectionOf } from '../src/cells/open-cell.ts';
import { command, commandJson, newDataDir, type ServiceProcess, startService } from '../test/service-process.ts';
import { until } from '../test/until.ts';
import { defineProof, type Finding, finding } from './proof.ts';
import { type LoadResult, startLoad } from './steady-load.ts';
import { send, sendOk, startDatabase } from './support.ts';
import { startWebhookReceiver, type WebhookReceiver } from './writes/webhook-receiver.ts';

const PROCESSES = 2;
/** Of each rotation of requests; the rest is a conversion. */
const EVENTS_PER_ROTATION = 17;
const MAX_GAP_MS = 1_000;
/** Some aggregation runs. */
const SETTLE_MS = 5_000;

/** The events in the tables and in reports; none of the load has a session. */
const COUNTED = `
  select coalesce(sum(stored.n), 0)::int as events, coalesce(sum(counted.n), 0)::int as counted,
    (count(*) filter (where stored.n is distinct from counted.n))::int as differing
  from (select account_id, count(*) as n from events group by 1) stored
  full join (select account_id, sum(events)::int as n from analytics_sessionless_events group by 1) counted
    using (account_id)`;

export const moves = defineProof({
  title:
    'An account is moved between two databases again and again under events, conversions, webhooks, exports and reports; then all accounts of a cell.',
  parameters: { moves: 6, events: 3_000 },
  async run({ moves: count, events }, log) {
    const at = await install();
    const stop = load(at, events);
    const reading = readReports(at);
    for (let i = 0; i < count; i++) {
      await sleep(3_000);
      const to = i % 2 === 0 ? 'east' : 'main';
      const startedAt = performance.now();
      await moveAccount(at, to);
      log(`to ${to} in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
      await startExport(at);
    }
    await moveAccount(at, 'east');
    const { to } = await commandJson(['cells', 'move', 'east', at.spare], at.env);
    const reports = await reading.stop();
    const result = await stop();
    return [...loadFindings(result, events), reports, ...(await check(at, to, at.spare, result))];
  },
});

const VICTIMS = ['command', 'service', 'both'] as const;

export const moveKills = defineProof({
  title: 'kill -9 of the command that moves an account, of a service process, or both, at random moments, under load.',
  parameters: { kills: 30, events: 500 },
  async run({ kills, events }, log) {
    const at = await install();
    const stop = load(at, events);
    for (let i = 0; i < kills; i++) {
      const to = (await cellOf(at)) === 'main' ? 'east' : 'main';
      const aborter = new AbortController();
      const moving = command(['accounts', 'move', at.account, to], at.env, aborter.signal);
      await sleep(Math.random() * 4_000);
      const victim = VICTIMS[i % VICTIMS.length];
      if (victim !== 'service') aborter.abort();
      if (victim !== 'command') await replaceProcess(at, i);
      await moving;
      // A process that lives finishes what the command began.
      await until(async () => (await movesOf(at)) === 0);
      if (i % 10 === 9) log(`${i + 1} kills`);
    }
    const result = await stop();
    const cell = await cellOf(at);
    const lost = finding(
      'no response but 200 and, on a busy machine, 429, besides connections lost by a kill',
      describe(result.failed),
      isOnlyLost(result),
    );
    return [lost, ...(await check(at, cell, cell === 'main' ? at.env.DATABASE_URL : at.east, result))];
  },
});

/** Processes on one database. */
interface Base {
  env: { DATABASE_URL: string; STORAGE_URL: string; WEBHOOK_ALLOW_CIDRS: string };
  processes: ServiceProcess[];
}

/** An account that can be put under load. */
interface LoadedAccount extends Base {
  account: string;
  token: string;
  apiKey: string;
  receiver: WebhookReceiver;
  jobs: string[];
}

interface Installation extends LoadedAccount {
  east: string;
  /** An empty database. */
  spare: string;
}

async function install(): Promise<Installation> {
  const [east, spare] = await Promise.all([startDatabase(), startDatabase()]);
  const base = await createInstallation();
  await commandJson(['cells', 'add', 'east', east.url], base.env);
  return { ...(await newAccount(base, 'main')), east: east.url, spare: spare.url };
}

export async function createInstallation(): Promise<Base> {
  const main = await startDatabase();
  const env = {
    DATABASE_URL: main.url,
    STORAGE_URL: newDataDir(),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  };
  const processes = [await start(env)];
  while (processes.length < PROCESSES) processes.push(await start(env));
  return { env, processes };
}

export async function newAccount({ env, processes }: Base, cell: string): Promise<LoadedAccount> {
  const receiver = await startWebhookReceiver();
  const { account, token, apiKey } = await commandJson(['accounts', 'create', 'Moving', '--cell', cell], env);
  const [first] = processes as [ServiceProcess];
  await sendOk(first, 'POST /v1/webhooks', {
    token,
    body: { url: receiver.url, events: ['conversion.reported', 'conversion.restated'] },
  });
  await sendOk(first, 'POST /v1/visits', { body: { api_key: apiKey, url: 'https://shop.example/?gclid=moving' } });
  return { env, processes, account: account.id, token, apiKey, receiver, jobs: [] };
}

export const moveAccount = ({ account, env }: LoadedAccount, to: string) =>
  commandJson(['accounts', 'move', account, to], env);

export async function startExport({ processes, token, jobs }: LoadedAccount): Promise<void> {
  const body = { dataset: 'events', format: 'csv' };
  jobs.push((await sendOk(processes[0] as ServiceProcess, 'POST /v1/analytics/export', { token, body })).id);
}

const start = (env: Installation['env']) => startService({ ...env, DATA_DIR: newDataDir() });

async function replaceProcess(at: Installation, i: number): Promise<void> {
  const index = i % at.processes.length;
  const process = at.processes[index] as ServiceProcess;
  process.kill('SIGKILL');
  await process.ended;
  const { port } = new URL(process.url);
  at.processes[index] = await startService({ ...at.env, DATA_DIR: newDataDir(), PORT: port });
}

/** Reads a report and a list again and again. */
export function readReports({ processes, token }: LoadedAccount): { stop(): Promise<Finding> } {
  let isDone = false;
  let count = 0;
  const failed: Record<string, number> = {};
  const reading = (async () => {
    for (; !isDone; count++) {
      const paths = ['/v1/analytics/overview?from=2026-01-01&to=2027-12-31', '/v1/sessions?pageSize=10'];
      const { status, body } = await send(
        processes[count % processes.length] as ServiceProcess,
        `GET ${paths[count % 2]}`,
        { token },
      ).catch(({ message }: Error) => ({ status: 0, body: { code: message } }));
      if (status !== 200) failed[`${status} ${body.code}`] = (failed[`${status} ${body.code}`] ?? 0) + 1;
      await sleep(250);
    }
  })();
  return {
    async stop() {
      isDone = true;
      await reading;
      return finding(
        'no report or list fails',
        `${count} read, failed: ${describe(failed)}`,
        Object.keys(failed).length === 0,
      );
    },
  };
}

/** One event of 17 is alone; the others come in batches. Each conversion is delivered by a webhook. */
export function load({ processes, apiKey, token }: LoadedAccount, eventsPerSecond: number): () => Promise<LoadResult> {
  const batch = (name: string) => ({
    method: 'POST',
    path: '/v1/batch',
    body: JSON.stringify({
      api_key: apiKey,
      items: [0, 1, 2, 3].map((i) => ({ event: { event: 'batch', id: `${name}-#-${i}` } })),
    }),
  });
  const requests = [
    ...['a', 'b', 'c', 'd'].map(batch),
    { method: 'POST', path: '/v1/events', body: JSON.stringify({ api_key: apiKey, event: 'single', id: 's-#' }) },
    {
      method: 'POST',
      path: '/v1/analytics/report-conversion',
      token,
      body: JSON.stringify({ gclid: 'moving', eventId: 'order-#', value: 1 }),
    },
  ];
  const ports = processes.map(({ url }) => Number(new URL(url).port));
  const perSecond = (eventsPerSecond / EVENTS_PER_ROTATION) * requests.length;
  return startLoad({ port: 0, ports, perSecond, requests, unique: '#' });
}

const describe = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([what, count]) => `${count} × ${what}`)
    .join(', ') || 'none';

const isOnlyLost = ({ failed }: LoadResult) =>
  Object.keys(failed).every((what) => /ECONNREFUSED|ECONNRESET|socket hang up|status 429/.test(what));

export function loadFindings(
  { sent, seconds, failed, longestGapMs, succeeded }: LoadResult,
  target: number,
): Finding[] {
  const events = (4 * (succeeded['/v1/batch'] ?? 0) + (succeeded['/v1/events'] ?? 0)) / seconds;
  return [
    finding(
      'no request fails',
      `${sent} requests, ${Math.round(events)} events/s of ${target}, failed: ${describe(failed)}`,
      Object.keys(failed).length === 0,
    ),
    finding(
      'a request succeeds within 1000 ms of the one before',
      `the longest gap ${Math.round(longestGapMs)} ms`,
      longestGapMs < MAX_GAP_MS,
    ),
  ];
}

export async function check(
  at: LoadedAccount,
  cell: string,
  url: string,
  { succeeded, refused }: LoadResult,
): Promise<Finding[]> {
  const acknowledged = 4 * (succeeded['/v1/batch'] ?? 0) + (succeeded['/v1/events'] ?? 0);
  const db = await query(url);
  const one = async (sql: string, values: unknown[] = []) => (await db.query(sql, values)).rows[0];
  // A request that was refused may have been committed, and may still be.
  await until(async () => {
    const { counted, events } = await one(COUNTED);
    return counted >= events;
  }, 60_000);
  await sleep(SETTLE_MS);
  const isRefused = (id: string) => `split_part(${id}, '-', 2)::int = any($1)`;
  const stored = await one(
    `select count(*)::int as events, count(distinct client_event_id)::int as ids,
       count(distinct client_event_id) filter (where not ${isRefused('client_event_id')})::int as acknowledged from events`,
    [refused],
  );
  const reported = await one(
    `select count(*)::int as conversions, count(*) filter (where not ${isRefused('event_id')})::int as acknowledged
     from conversions`,
    [refused],
  );
  const orders = succeeded['/v1/analytics/report-conversion'] ?? 0;
  const delivered = () => at.receiver.delivered.size;
  await until(() => delivered() >= (reported.conversions as number));
  const doubled = [...at.receiver.delivered.values()].filter((ids) => ids.size > 1).length;
  const { counted, differing } = await one(COUNTED);
  const jobs = await Promise.all(
    at.jobs.map(async (id) => {
      let status = '';
      await until(async () => {
        ({ status } = (
          await send(at.processes[0] as ServiceProcess, `GET /v1/jobs/get-by-id?id=${id}`, { token: at.token })
        ).body);
        return status === 'completed' || status === 'failed';
      }, 60_000);
      return status;
    }),
  );
  return [
    finding(
      `every acknowledged event is stored once, in ${cell}`,
      `${stored.acknowledged} of ${acknowledged} acknowledged, ${stored.ids - stored.acknowledged} of refused requests, ${stored.events} rows`,
      stored.acknowledged === acknowledged && stored.ids === stored.events,
    ),
    finding(
      'every acknowledged conversion is stored once',
      `${reported.acknowledged} of ${orders} acknowledged, ${reported.conversions} rows`,
      reported.acknowledged === orders,
    ),
    finding(
      'every conversion is delivered under one webhook id',
      `${delivered()} of ${reported.conversions}, ${doubled} under several`,
      delivered() === reported.conversions && doubled === 0,
    ),
    finding(
      'reports count every stored event once',
      `${counted} of ${stored.events}, ${differing} accounts differ`,
      counted === stored.events && differing === 0,
    ),
    finding(
      'every export completes',
      jobs.join(', ') || 'none',
      jobs.every((status) => status === 'completed'),
    ),
    finding('nothing is left of the moves', await movesOf(at), (await movesOf(at)) === 0),
  ];
}

async function query(url: string): Promise<pg.Client> {
  const client = new pg.Client(connectionOf('moved', url).connection);
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function inControl<T>({ env }: Base, sql: string): Promise<T> {
  const client = await query(env.DATABASE_URL);
  return client
    .query(sql)
    .then(({ rows }) => rows[0])
    .finally(() => client.end());
}

const cellOf = async (at: Base) =>
  (await inControl<{ cell: string }>(at, "select cell from accounts where name = 'Moving'")).cell;
const movesOf = async (at: Base) =>
  (await inControl<{ count: number }>(at, 'select count(*)::int as count from account_moves')).count;
