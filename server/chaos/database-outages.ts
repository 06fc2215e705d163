import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { MULTIPART, multipart } from '../src/files/test-support.ts';
import { noiseImage } from '../src/media/test-media.ts';
import { parseId } from '../src/shared/ids.ts';
import { embeddedConnection, startEmbeddedPostgres } from '../src/shared/postgres/embedded.ts';
import { atEnd } from '../test/at-end.ts';
import { stretched } from '../test/machine.ts';
import { commandJson, newDataDir, postgresPid, type ServiceProcess, startService } from '../test/service-process.ts';
import { until } from '../test/until.ts';
import { defineProof, type Finding, finding, sideBySide } from './proof.ts';
import { connectTo, type SendOptions, send, sendOk } from './support.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

const CLIENTS_PER_REQUEST = 2;
/** Time before the fault and after the recovery limit in which everything must succeed. */
const NORMAL_MS = 1_500;
/** Idle connections and files may come and go. */
const MORE_DESCRIPTORS = 16;
const MORE_MEMORY_MB = 100;

interface Server {
  dataDir: string;
  proxy: TcpProxy;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** How the database is lost; each returns how it comes back. */
const OUTAGES = {
  async stopped({ stop, start }) {
    await stop();
    return start;
  },
  async hung({ dataDir }) {
    const pids = processTree(postgresPid(dataDir));
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    const resume = () => {
      for (const pid of pids.splice(0)) process.kill(pid, 'SIGCONT');
    };
    atEnd(resume);
    return async () => resume();
  },
  async unreachable({ proxy }) {
    proxy.block();
    return async () => proxy.unblock();
  },
} satisfies Record<string, (server: Server) => Promise<() => Promise<void>>>;

export const databaseOutages = defineProof({
  title: 'The database is stopped, hangs (SIGSTOP), or the network to it drops everything.',
  parameters: { seconds: 60, answer: 10, recovery: 5 },
  async run(parameters, log) {
    const findings = Object.keys(OUTAGES).map(
      async (name): Promise<[string, Finding[]]> => [
        name,
        await survive(name as keyof typeof OUTAGES, parameters, (line) => log(`${name}: ${line}`)),
      ],
    );
    return sideBySide(new Map(await Promise.all(findings)));
  },
});

/** All in seconds: of the outage, of a response, of the recovery. */
type Limits = Record<'seconds' | 'answer' | 'recovery', number>;

interface Answered {
  request: string;
  status: number;
  startedAt: number;
  endedAt: number;
}

async function survive(
  name: keyof typeof OUTAGES,
  { seconds, answer: answerSeconds, recovery: recoverySeconds }: Limits,
  log: (line: string) => void,
): Promise<Finding[]> {
  const database = await startServer();
  const { port } = database.proxy;
  const env = { DATABASE_URL: `postgres://headwater@127.0.0.1:${port}/headwater`, DATA_DIR: newDataDir() };
  const { token, apiKey } = await commandJson(['accounts', 'create', 'Outage'], env);
  const service = await startService(env);
  const requests = await requestsOf(service, token, apiKey);

  const answers: Answered[] = [];
  const events: string[] = [];
  const lost: string[] = [];
  let isOver = false;
  const client = async ([request, options]: [string, SendOptions]) => {
    while (!isOver) {
      const startedAt = performance.now();
      try {
        const { status, body } = await send(service, request, options);
        answers.push({ request, status, startedAt, endedAt: performance.now() });
        if (status === 200 && request === 'POST /v1/events') events.push(body.event_id);
        await sleep(status === 200 ? 10 : 50);
      } catch (error) {
        lost.push(`${request}: ${(error as Error).cause}`);
      }
    }
  };
  const clients = Promise.all(
    requests.flatMap((request) => Array.from({ length: CLIENTS_PER_REQUEST }, () => client(request))),
  );
  await sleep(NORMAL_MS);
  const before = usage(service.pid);
  const startedAt = performance.now();
  const restore = await OUTAGES[name](database);
  await sleep(seconds * 1_000);
  await restore();
  const restoredAt = performance.now();
  log(`over after ${Math.round(restoredAt - startedAt)} ms`);
  const since = (moment: number) =>
    new Set(answers.filter(({ startedAt }) => startedAt > moment).map(({ request }) => request));
  const isQuiet = () => {
    const refusedAt = answers.findLast(isFailure)?.endedAt ?? 0;
    return since(Math.max(restoredAt, refusedAt)).size === requests.length && performance.now() - refusedAt > NORMAL_MS;
  };
  // What has not recovered is reported below.
  await until(isQuiet, stretched((answerSeconds + recoverySeconds) * 1_000)).catch(() => {});
  isOver = true;
  await clients;
  const after = usage(service.pid);

  const db = await connectTo(database.dataDir);
  const stored = new Set((await db.query({ text: 'select id from events', rowMode: 'array' })).rows.flat());
  const missing = events.filter((id) => !stored.has(parseId('evt', id) ?? ''));
  const isUpload = ({ request }: Answered) => request.endsWith('/upload');
  const slowestUpload = Math.max(...answers.filter(isUpload).map(duration));
  const longest = Math.max(...answers.filter((answer) => !isUpload(answer)).map(duration));
  const statuses = Map.groupBy(answers.filter(isFailure), ({ request, status }) => `${status} for ${request}`);
  const isAllowed = (answer: Answered) =>
    [200, 429, 500].includes(answer.status) || (answer.request === 'GET /health' && answer.status === 503);
  const wrong = [...statuses]
    .filter(([, [answer]]) => answer && !isAllowed(answer))
    .map(([what, { length }]) => `${length} × ${what}`);
  const failed = answers.filter(isFailure);
  const early = failed.filter((answer) => answer.endedAt < startedAt);
  const recovery = Math.max(
    0,
    ...failed.filter((answer) => answer.startedAt > restoredAt).map((answer) => answer.endedAt - restoredAt),
  );
  const late = requests.flatMap(([request]) => (since(restoredAt).has(request) ? [] : request));
  log([...statuses].map(([what, { length }]) => `${length} × ${what}`).join(', '));
  return [
    finding(
      `every request is answered within ${answerSeconds} s, an upload within ${2 * answerSeconds} s`,
      `${answers.length} answered, within ${inSeconds(longest)}, uploads within ${inSeconds(slowestUpload)}, ${lost.length} lost ${lost.slice(0, 2)}`,
      longest <= answerSeconds * 1_000 && slowestUpload <= 2_000 * answerSeconds && lost.length === 0,
    ),
    finding(
      'with 200, 429 or 500, and only during the outage',
      `${failed.length} refused, ${early.length} before, others: ${wrong.join(', ') || 'none'}`,
      wrong.length + early.length === 0 && failed.length > 0,
    ),
    finding(
      `everything succeeds again within ${recoverySeconds} s`,
      [`after ${inSeconds(recovery)}`, ...late.map((request) => `not ${request}`)].join(', '),
      recovery <= recoverySeconds * 1_000 && late.length === 0,
    ),
    finding(
      'no acknowledged event is lost',
      `${events.length} acknowledged, ${missing.length} lost`,
      missing.length === 0 && events.length > 0,
    ),
    finding(
      'no connection and no memory is leaked',
      `${after.descriptors - before.descriptors} descriptors, ${after.memoryMb - before.memoryMb} MB more`,
      after.descriptors <= before.descriptors + MORE_DESCRIPTORS && after.memoryMb <= before.memoryMb + MORE_MEMORY_MB,
    ),
  ];
}

const inSeconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const isFailure = ({ status }: Answered) => status !== 200;
const duration = ({ startedAt, endedAt }: Answered) => endedAt - startedAt;

/** One request of each kind: reads, writes, an upload, pages. */
async function requestsOf(service: ServiceProcess, token: string, api_key: string): Promise<[string, SendOptions][]> {
  const fields = [{ id: 'title', label: 'Title', type: 'text' }];
  const { id } = await sendOk(service, 'POST /v1/cms/collections', { token, body: { name: 'Posts', fields } });
  const entries = `/v1/cms/collections/${id}/entries`;
  await sendOk(service, 'POST /v1/visits', { body: { api_key, url: 'https://shop.example/?gclid=outage' } });
  const image = await noiseImage(60, 40).png().toBuffer();
  const { url } = await sendOk(service, 'POST /v1/files/upload', {
    token,
    body: multipart([{ filename: 'a.png', body: image }]),
    headers: MULTIPART,
  });
  return [
    ['GET /health', {}],
    [`GET ${new URL(url).pathname}`, {}],
    ['GET /v1/limits', { token }],
    [`GET ${entries}`, { token }],
    ['GET /v1/leads', { token }],
    [`POST ${entries}`, { token, body: { values: { title: 'x' } } }],
    ['POST /v1/visits', { body: { api_key, url: 'https://shop.example/' } }],
    ['POST /v1/events', { body: { api_key, event: 'x', properties: { email: 'a@shop.example' } } }],
    ['POST /v1/analytics/report-conversion', { token, body: { gclid: 'outage', eventId: 'order', value: 1 } }],
    ['POST /v1/files/upload', { token, body: multipart([{ filename: 'b.png', body: image }]), headers: MULTIPART }],
  ];
}

/** A PostgreSQL behind a TCP proxy. */
async function startServer(): Promise<Server> {
  const dataDir = newDataDir();
  const start = () =>
    startEmbeddedPostgres({ dataDir, log: (level, message) => level === 'info' || console.error(message) });
  let server = await start();
  const { host, port } = embeddedConnection(dataDir);
  const proxy = await startTcpProxy(() => [{ path: `${host}/.s.PGSQL.${port}` }]);
  atEnd(() => server.stop());
  return {
    dataDir,
    proxy,
    stop: () => server.stop(),
    async start() {
      server = await start();
    },
  };
}

/** A process and its children. */
function processTree(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const isChild = (pid: string) => {
    try {
      return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]) === parent;
    } catch {
      return false;
    }
  };
  return [parent, ...pids.filter(isChild).map(Number)];
}

function usage(pid: number): { descriptors: number; memoryMb: number } {
  const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { descriptors: readdirSync(`/proc/${pid}/fd`).length, memoryMb: Math.round(Number(rss) / 1024) };
}
