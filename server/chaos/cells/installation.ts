import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { parseId } from '../../src/shared/ids.ts';
import { startEmbeddedPostgres } from '../../src/shared/postgres/embedded.ts';
import { atEnd } from '../../test/at-end.ts';
import { commandJson, newDataDir, postgresPid, type ServiceProcess, startService } from '../../test/service-process.ts';
import { until } from '../../test/until.ts';
import { type Finding, finding } from '../proof.ts';
import { sendOk } from '../support.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../writes/webhook-receiver.ts';
import type { AccountLoad, LoadedAccount } from './event-load.ts';

/** A PostgreSQL that is killed, and started again when the proof says so. */
export interface CellServer {
  url: string;
  dataDir: string;
  /** kill -9 of the server, and of its processes, too, or of the server alone. */
  kill(isWhole: boolean): Promise<void>;
  start(): Promise<void>;
}

export interface CellInstallation {
  env: Record<string, string>;
  /** By cell; `main` is the control database as well. */
  servers: Map<string, CellServer>;
  services: ServiceProcess[];
  /** One in each cell. */
  accounts: (LoadedAccount & { id: string })[];
  receiver: WebhookReceiver;
}

/** Services on a control database and two cells, each on a server of its own, with an account in each of `cells`. */
export async function installCells(
  { services, perSecond }: { services: number; perSecond: number },
  cells: readonly string[],
): Promise<CellInstallation> {
  const names = ['main', 'east', 'west'];
  const servers = new Map(await Promise.all(names.map(async (name) => [name, await startServer()] as const)));
  const urlOf = (name: string) => servers.get(name)?.url ?? '';
  const env = { DATABASE_URL: urlOf('main'), STORAGE_URL: newDataDir(), WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };
  for (const name of ['east', 'west']) await commandJson(['cells', 'add', name, urlOf(name)], env);
  const receiver = await startWebhookReceiver();
  const started = await Promise.all(Array.from({ length: services }, () => startService(own(env))));
  const [service] = started as [ServiceProcess];
  const accounts = [];
  for (const name of cells) {
    const { account, token, apiKey } = await commandJson(['accounts', 'create', name, '--cell', name], env);
    // A repeated report is a restatement, with a webhook of its own.
    const hook = { url: receiver.url, events: ['conversion.reported'] };
    await sendOk(service, 'POST /v1/webhooks', { token, body: hook });
    await sendOk(service, 'POST /v1/visits', { body: { api_key: apiKey, url: 'https://shop.example/?gclid=cells' } });
    accounts.push({ name, id: account.id, token, apiKey, perSecond });
  }
  return { env, servers, services: started, accounts, receiver };
}

const own = (env: Record<string, string>) => ({ ...env, DATA_DIR: newDataDir() });

export const portOf = ({ url }: ServiceProcess) => Number(new URL(url).port);

export async function killService(at: CellInstallation, index: number): Promise<void> {
  const service = at.services[index] as ServiceProcess;
  service.kill('SIGKILL');
  await service.ended;
}

/** Starts a killed service again, at the same port. It is tried again while the control database is down, as systemd would. */
export async function startAgain(at: CellInstallation, index: number): Promise<void> {
  const PORT = String(portOf(at.services[index] as ServiceProcess));
  await until(async () => {
    const started = await startService({ ...own(at.env), PORT }).catch(() => undefined);
    if (started) at.services[index] = started;
    return started !== undefined;
  });
}

async function startServer(): Promise<CellServer> {
  const dataDir = newDataDir();
  // Warnings are those of recoveries.
  const start = () => startEmbeddedPostgres({ dataDir, log: () => {} });
  let server = await start();
  atEnd(() => server.stop());
  const { host = '', port, user = '', database } = server.connection;
  return {
    url: `postgres:///${database}?${new URLSearchParams({ host, port: String(port), user })}`,
    dataDir,
    async kill(isWhole) {
      const postmaster = postgresPid(dataDir);
      const pids = [postmaster, ...(isWhole ? childrenOf(postmaster) : [])];
      for (const pid of pids) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
        }
      }
      // It would be started again at once otherwise.
      await server.stop();
    },
    async start() {
      server = await start();
    },
  };
}

/** The child processes of a process. */
export function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const isChild = (pid: string) => {
    try {
      return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]) === parent;
    } catch {
      return false;
    }
  };
  return pids.filter(isChild).map(Number);
}

/** What must hold in a cell after the load has ended, whatever was killed. */
export async function checkCell(at: CellInstallation, cell: string, load: AccountLoad): Promise<Finding[]> {
  const account = at.accounts.find(({ name }) => name === cell);
  const db = new pg.Client({ connectionString: at.servers.get(cell)?.url });
  await db.connect();
  atEnd(() => db.end().catch(() => {}));
  const rowsOf = async (sql: string) => (await db.query(sql, [parseId('acc', account?.id ?? '')])).rows;
  const { named, ids, conversions, orders } = (
    await rowsOf(
      `select (select count(*)::int from events where account_id = $1 and client_event_id is not null) as named,
         (select count(distinct client_event_id)::int from events where account_id = $1) as ids,
         (select count(*)::int from conversions where account_id = $1) as conversions,
         (select count(distinct event_id)::int from conversions where account_id = $1) as orders`,
    )
  )[0];
  const unnamed = new Set(
    (await rowsOf('select id from events where account_id = $1 and client_event_id is null')).map(({ id }) => id),
  );
  const lost = load.unnamed.filter((id) => !unnamed.has(parseId('evt', id))).length;
  const more = unnamed.size - load.unnamed.length;
  const conversionIds = new Set((await rowsOf('select id from conversions where account_id = $1')).map(({ id }) => id));
  const idsOf = () =>
    [...at.receiver.delivered].filter(([id]) => conversionIds.has(parseId('cnv', id))).map(([, ids]) => ids);
  const counted = async () =>
    (
      await rowsOf(
        'select coalesce(sum(events), 0)::int as events from analytics_sessionless_events where account_id = $1',
      )
    )[0].events;
  await until(async () => (await counted()) >= named + unnamed.size).catch(() => {});
  await until(() => idsOf().length >= conversions).catch(() => {});
  return [
    finding(
      'every acknowledged event with an ID is stored once',
      `${load.named} acknowledged, ${named} stored, ${ids} IDs`,
      load.named === named && named === ids,
    ),
    finding(
      'every acknowledged event without an ID is stored once',
      `${load.unnamed.length} acknowledged, ${lost} lost, ${more} more stored, of ${load.unknown} without an answer`,
      lost === 0 && more <= load.unknown,
    ),
    finding(
      'every acknowledged conversion is stored once',
      `${load.orders} acknowledged, ${conversions} stored, ${orders} IDs`,
      load.orders === conversions && conversions === orders,
    ),
    finding(
      'reports count every event once',
      `${await counted()} of ${named + unnamed.size}`,
      (await counted()) === named + unnamed.size,
    ),
    finding(
      'every conversion is delivered under one webhook ID',
      `${idsOf().length} of ${conversions}, ${idsOf().filter(({ size }) => size > 1).length} under several`,
      idsOf().length === conversions && idsOf().every(({ size }) => size === 1),
    ),
  ];
}

export const describeCounts = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([what, count]) => `${count} × ${what}`)
    .join(', ') || 'none';
