import { setTimeout as sleep } from 'node:timers/promises';
import { S3_CREDENTIALS, startS3Server } from '../test/s3-server.ts';
import { isRunning, postgresPid, startService } from '../test/service-process.ts';
import { until } from '../test/until.ts';
import { defineProof, type Finding, finding, sideBySide } from './proof.ts';
import { checkWrites } from './writes/check.ts';
import { startClients } from './writes/clients.ts';
import { type Installation, install } from './writes/installation.ts';

const VICTIMS = ['service', 'database', 'both'] as const;
const MOST_WAIT_MS = 20;

export const kill = defineProof({
  title: 'kill -9 of the service, of its database and of both under all kinds of writes, with files on disk and in S3.',
  parameters: { rounds: 500, responses: 100, minutes: 120, storages: 2 },
  async run(parameters, log) {
    const s3 = await startS3Server();
    // The check reads the bucket, too.
    Object.assign(process.env, S3_CREDENTIALS);
    const settings = { disk: {}, S3: { STORAGE_URL: s3.url, ...S3_CREDENTIALS } };
    const chosen = Object.entries(settings).slice(0, parameters.storages);
    const installations = chosen.map(async ([storage, env]): Promise<[string, Finding[]]> => {
      const at = await install(env);
      const findings = await killRepeatedly(at, parameters, (line) => log(`${storage}: ${line}`));
      return [storage, [...findings, ...(await checkWrites(at))]];
    });
    const findings = sideBySide(new Map(await Promise.all(installations)));
    return [...findings, finding('no incomplete upload in the bucket', s3.uploads.size, s3.uploads.size === 0)];
  },
});

interface Parameters {
  rounds: number;
  /** Between two kills, on average. */
  responses: number;
  /** The proof ends earlier after so many. */
  minutes: number;
  /** 1: on disk, 2: also in S3. */
  storages: number;
}

/** Kills under load and starts again what is dead. */
async function killRepeatedly(
  at: Installation,
  { rounds, responses, minutes, storages }: Parameters,
  log: (line: string) => void,
): Promise<Finding[]> {
  const deadline = performance.now() + minutes * 60_000;
  let acknowledged = 0;
  const more = async (count: number) => {
    const target = acknowledged + count;
    await until(() => acknowledged >= target);
  };
  const start = () =>
    startClients(at, ({ status }) => {
      if (status === 200) acknowledged++;
    });

  const unexplained: string[] = [];
  let clients = start();
  let round = 0;
  for (; round < rounds / storages && performance.now() < deadline; round++) {
    await more(Math.random() * 2 * responses);
    await sleep(Math.random() * MOST_WAIT_MS);
    const victim = VICTIMS[round % VICTIMS.length];
    if (victim !== 'database') clients.stopAtLoss();
    if (victim !== 'service') await killDatabase(at.env.DATA_DIR);
    if (victim !== 'database') {
      at.service.kill('SIGKILL');
      await at.service.ended;
      unexplained.push(...(await clients.ended));
      at.service = await startService(at.env);
      clients = start();
    }
    if (round % 20 === 19) log(`${round + 1} kills, ${acknowledged} acknowledged`);
  }
  // What is unknown is repeated once more, and each workload has something to lose.
  await more(2 * responses);
  await until(() => at.workloads.every(({ hasEnded }) => hasEnded?.() ?? true));
  unexplained.push(...(await clients.stop()));
  const examples = unexplained.slice(0, 3).join(', ');
  return [
    finding(
      'every request is answered with 200, 429 or 500',
      `${round} kills, ${acknowledged} acknowledged, ${unexplained.length} others ${examples}`,
      unexplained.length === 0,
    ),
  ];
}

/** Waits for a database that is starting again. */
async function killDatabase(dataDir: string): Promise<void> {
  await until(() => {
    const pid = postgresPid(dataDir);
    if (!isRunning(pid)) return false;
    process.kill(pid, 'SIGKILL');
    return true;
  });
}
