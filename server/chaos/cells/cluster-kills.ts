import { setTimeout as sleep } from 'node:timers/promises';
import { createKey, revokeAccountKey } from '../../src/accounts/index.ts';
import { asControl, openDatabase } from '../../src/shared/postgres/database.ts';
import { atEnd } from '../../test/at-end.ts';
import { defineProof, type Finding, finding } from '../proof.ts';
import { send } from '../support.ts';
import { startEventLoad } from './event-load.ts';
import {
  type CellInstallation,
  type CellServer,
  checkCell,
  describeCounts,
  installCells,
  killService,
  portOf,
  startAgain,
} from './installation.ts';

const MAX_DOWN_MS = 3_000;
const MAX_BETWEEN_MS = 2_000;
const MAX_ACCEPTED_MS = 1_000;
/** For how long a revoked key is tried at every process, and how often. */
const WATCH_MS = 2_000;
const TRY_MS = 20;
/** Of the keys that were revoked before, so many are tried again while the control database is down. */
const MAX_OLD_KEYS = 20;

export const clusterKills = defineProof({
  title:
    'kill -9 of any service process, cell or the control database at random, of three processes and two cells, under load, while keys are revoked.',
  parameters: { seconds: 600, perSecond: 100 },
  async run({ seconds, perSecond }, log) {
    const at = await installCells({ services: 3, perSecond }, ['main', 'east', 'west']);
    const stop = startEventLoad({ ports: at.services.map(portOf), accounts: at.accounts });
    const deadline = performance.now() + seconds * 1_000;
    const revoking = revokeKeys(at, () => performance.now() < deadline);
    const killed: Record<string, number> = {};
    for (let i = 1; performance.now() < deadline; i++) {
      // Every fourth time, two at once.
      const victims = shuffled(victimsOf(at)).slice(0, i % 4 === 0 ? 2 : 1);
      await Promise.all(
        victims.map(async ({ name, kill, start }) => {
          killed[name] = (killed[name] ?? 0) + 1;
          await kill();
          await sleep(Math.random() * MAX_DOWN_MS);
          await start();
        }),
      );
      await sleep(Math.random() * MAX_BETWEEN_MS);
      if (i % 20 === 0) log(`${i} rounds`);
    }
    const revoked = await revoking;
    const loads = await stop();
    const findings: Finding[] = [
      finding('it is killed at random', describeCounts(killed), Object.keys(killed).length > 3),
    ];
    for (const [cell, load] of Object.entries(loads)) {
      const wrong = Object.keys(load.refused).filter((what) => !/^(500|429|connection lost)$/.test(what));
      findings.push(
        finding(
          `${cell}: requests are refused with 500 and Retry-After only`,
          `${load.responses.ms.length} requests, ${describeCounts(load.refused)}`,
          wrong.length === 0,
        ),
        ...(await checkCell(at, cell, load)).map((each) => ({ ...each, condition: `${cell}: ${each.condition}` })),
      );
    }
    return [...findings, ...revoked];
  },
});

interface Victim {
  name: string;
  kill(): Promise<void>;
  start(): Promise<void>;
}

function victimsOf(at: CellInstallation): Victim[] {
  const services = at.services.map((_, i) => ({
    name: `process ${i + 1}`,
    kill: () => killService(at, i),
    start: () => startAgain(at, i),
  }));
  const servers = [...at.servers].map(([cell, server]: [string, CellServer]) => ({
    name: cell === 'main' ? 'control database' : `cell ${cell}`,
    kill: () => server.kill(Math.random() < 0.5),
    start: () => server.start(),
  }));
  return [...services, ...servers];
}

const shuffled = <T>(all: T[]) =>
  all
    .map((each) => [Math.random(), each] as const)
    .sort(([a], [b]) => a - b)
    .map(([, each]) => each);

/** Creates keys, uses them at every process, revokes them, and tries them at every process for a while. */
async function revokeKeys(at: CellInstallation, isGoingOn: () => boolean): Promise<Finding[]> {
  const db = openDatabase({ connectionString: at.env.DATABASE_URL }, 4, () => {});
  atEnd(() => db.close());
  const control = asControl(db);
  const old: string[] = [];
  let revoked = 0;
  let tried = 0;
  let accepted = 0;
  let longest = 0;
  let tries = 0;
  let acceptedOld = 0;

  /** Whether a process accepts a key; a process that is dead does not. */
  const accepts = (i: number, token: string) =>
    send(at.services[i] as { url: string }, 'GET /v1/cms/collections', { token }).then(
      ({ status }) => status !== 401 && status !== 500,
      () => false,
    );
  const everywhere = <T>(what: (i: number) => Promise<T>) => Promise.all(at.services.map((_, i) => what(i)));

  async function revokeOne(account: string): Promise<void> {
    const { id, token } = await createKey(control, account, 'secret', 'To be revoked');
    // Twice: it is cached then.
    for (let i = 0; i < 2; i++) await everywhere((process) => accepts(process, token));
    await untilDone(() => revokeAccountKey(control, id), isGoingOn);
    const revokedAt = performance.now();
    revoked++;
    await everywhere(async (process) => {
      while (performance.now() - revokedAt < WATCH_MS) {
        const sentAt = performance.now();
        tries++;
        if (await accepts(process, token)) {
          accepted++;
          longest = Math.max(longest, sentAt - revokedAt);
        }
        await sleep(TRY_MS);
      }
    });
    old.unshift(token);
    old.length = Math.min(old.length, MAX_OLD_KEYS);
  }

  /** A process that has missed a revocation could accept the key while it cannot ask. */
  const tryingOld = (async () => {
    for (; isGoingOn(); await sleep(100)) {
      if (await db.isAlive()) continue;
      for (const token of old) {
        tried += at.services.length;
        for (const is of await everywhere((process) => accepts(process, token))) if (is) acceptedOld++;
      }
    }
  })();
  const accounts = at.accounts.map(({ id }) => id);
  await Promise.all(
    accounts.map(async (account) => {
      while (isGoingOn()) await revokeOne(account).catch(() => sleep(TRY_MS));
    }),
  );
  await tryingOld;
  return [
    finding(
      `a revoked key is refused by every process within ${MAX_ACCEPTED_MS} ms`,
      `${revoked} revoked, tried ${tries} times: accepted ${accepted} times, the latest ${Math.round(longest)} ms after the revocation`,
      longest <= MAX_ACCEPTED_MS && revoked > 0,
    ),
    finding(
      'no key that was revoked before is accepted while the control database is down',
      `tried ${tried} times: accepted ${acceptedOld} times`,
      acceptedOld === 0,
    ),
  ];
}

/** An outage of the control database may end an attempt. */
async function untilDone(what: () => Promise<unknown>, isGoingOn: () => boolean): Promise<void> {
  for (;;) {
    try {
      return void (await what());
    } catch (error) {
      if (!isGoingOn()) throw error;
      await sleep(TRY_MS);
    }
  }
}
