import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import pg from 'pg';
import { atEnd } from '../../test/at-end.ts';
import { commandJson, type ServiceProcess } from '../../test/service-process.ts';
import { createInstallation, newAccount } from '../moves.ts';
import { defineProof, type Finding, finding, skipped } from '../proof.ts';

type Account = Awaited<ReturnType<typeof newAccount>>;

/** What is sent; `n` makes it unique. */
const REQUESTS: Record<string, (account: Account, n: number) => { path: string; body: object }> = {
  'events/s': ({ apiKey }, n) => ({ path: '/v1/events', body: { api_key: apiKey, event: 'rate', id: `r-${n}` } }),
  'events/s with an email': ({ apiKey }, n) => ({
    path: '/v1/events',
    body: { api_key: apiKey, event: 'rate', id: `e-${n}`, properties: { email: `lead-${n % 1_000}@shop.example` } },
  }),
  'visits/s': ({ apiKey }, n) => ({
    path: '/v1/visits',
    body: { api_key: apiKey, url: `https://shop.example/?v=${n}` },
  }),
};

const WARM_UP_MS = 1_500;

/** Needs `CITUS_URL` and `PLAIN_URL`, databases of servers with the same settings. */
export const citusRate = defineProof({
  title:
    'What one process records per second in a cell of a Citus cluster and in one of a plain server, as fast as it goes.',
  parameters: { connections: 64, seconds: 6 },
  async run({ connections, seconds }) {
    const urls = { plain: process.env.PLAIN_URL, citus: process.env.CITUS_URL };
    const base = await createInstallation();
    const accounts = new Map<string, Account>();
    for (const [cell, url] of Object.entries(urls)) {
      if (!url) return [skipped('rates in a cluster and on a plain server', 'CITUS_URL or PLAIN_URL is not set')];
      const schema = `rate_${randomBytes(4).toString('hex')}`;
      await commandJson(['cells', 'add', cell, url, '--schema', schema], base.env);
      atEnd(async () => {
        const client = new pg.Client(url);
        await client.connect();
        await client.query(`drop schema if exists ${schema} cascade`).finally(() => client.end());
      });
      accounts.set(cell, await newAccount(base, cell));
    }
    const findings: Finding[] = [];
    for (const [what, make] of Object.entries(REQUESTS)) {
      const rates: string[] = [];
      let failed = 0;
      for (const [cell, account] of accounts) {
        const measured = await measure(base.processes[0] as ServiceProcess, connections, seconds, (n) =>
          make(account, n),
        );
        rates.push(`${cell} ${Math.round(measured.perSecond)}`);
        failed += measured.failed;
      }
      findings.push(finding(what, `${rates.join(', ')}${failed > 0 ? `; ${failed} failed` : ''}`, failed === 0));
    }
    return findings;
  },
});

async function measure(
  { url }: ServiceProcess,
  connections: number,
  seconds: number,
  make: (n: number) => { path: string; body: object },
): Promise<{ perSecond: number; failed: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { port } = new URL(url);
  const startedAt = performance.now();
  const end = startedAt + WARM_UP_MS + seconds * 1_000;
  let [n, succeeded, failed] = [0, 0, 0];
  const send = () =>
    new Promise<void>((resolve, reject) => {
      const { path, body } = make(n++);
      const headers = { 'content-type': 'application/json' };
      request({ host: '127.0.0.1', port, method: 'POST', path, agent, headers }, (response) => {
        response.resume().on('end', () => {
          if (response.statusCode !== 200) failed++;
          else if (performance.now() > startedAt + WARM_UP_MS) succeeded++;
          resolve();
        });
      })
        .on('error', reject)
        .end(JSON.stringify(body));
    });
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) await send();
    }),
  );
  agent.destroy();
  return { perSecond: succeeded / seconds, failed };
}
