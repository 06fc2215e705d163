import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import Fastify from 'fastify';
import { badRequest } from '../../shared/errors.ts';
import type { App } from '../../shared/http/server.ts';
import { createLog } from '../../shared/log.ts';
import type { ReportRunner } from '../engine/index.ts';
import { ReportOwners } from './report-owners.ts';

const log = createLog('silent');
const SECRET = Buffer.alloc(32, 1);
const BIG = { total: { visits: 2 ** 40 }, amount: 12n, byId: new Map([[1, new Int32Array([7])]]) };

/** A runner that records the reports it runs. */
function recording(run = async (): Promise<unknown> => BIG) {
  const accounts: string[] = [];
  const runner = {
    run: (_type: string, { accountId }: { accountId: string }) => {
      accounts.push(accountId);
      return run();
    },
  } as unknown as Pick<ReportRunner, 'run'>;
  return { runner, accounts };
}

/** A process that others reach. */
async function listening(id: string, runner: Pick<ReportRunner, 'run'>, secret = SECRET): Promise<string> {
  const app = Fastify();
  new ReportOwners({ secret, log }, runner, { id, reachable: () => [] }).routes(app as unknown as App);
  after(() => app.close());
  return app.listen({ port: 0, host: '127.0.0.1' });
}

/** A process that knows another one. */
const knowing = (url: string, runner: Pick<ReportRunner, 'run'>) =>
  new ReportOwners({ secret: SECRET, log }, runner, { id: 'a', reachable: () => [{ id: 'b', url }] });

const ACCOUNTS = Array.from({ length: 20 }, () => randomUUID());
const runAll = (owners: ReportOwners) =>
  Promise.all(ACCOUNTS.map((accountId) => owners.run('rank', { accountId } as never)));

test('each account has one owner among the processes, which runs its reports', async () => {
  const [own, other] = [recording(), recording()];
  const url = await listening('b', other.runner);
  const found = await runAll(knowing(url, own.runner));
  assert.deepEqual(
    found,
    ACCOUNTS.map(() => BIG),
  );
  assert.ok(own.accounts.length > 0 && other.accounts.length > 0);
  assert.deepEqual([...own.accounts, ...other.accounts].sort(), [...ACCOUNTS].sort());
  await runAll(knowing(url, own.runner));
  assert.equal(other.accounts.length, new Set(other.accounts).size * 2, 'the same accounts again');
});

test('a report that the owner refuses is refused here; nobody else may request one', async () => {
  const other = recording(() => Promise.reject(badRequest('report_too_large', 'Too large.')));
  const own = recording();
  const url = await listening('b', other.runner);
  const outcomes = await Promise.allSettled(
    ACCOUNTS.map((accountId) => knowing(url, own.runner).run('rank', { accountId } as never)),
  );
  const codes = outcomes.map((each) => (each.status === 'rejected' ? each.reason.code : 'ok'));
  assert.equal(codes.filter((code) => code === 'report_too_large').length, other.accounts.length);
  assert.equal(own.accounts.length + other.accounts.length, ACCOUNTS.length);
  const [accountId] = ACCOUNTS;
  const forged = { accountId, sealed: Buffer.alloc(80).toString('base64') };
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/internal/reports`, { method: 'POST', headers, body: JSON.stringify(forged) });
  assert.equal(((await response.json()) as { message: string }).message, 'There is no such resource.');
});

test('reports run here if the owner is gone, hangs, fails, or is of another instance', async () => {
  const sockets: Socket[] = [];
  const hung = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  after(() => {
    hung.close();
    for (const socket of sockets) socket.destroy();
  });
  await once(hung, 'listening');
  const { port } = hung.address() as { port: number };
  const failing = recording(() => Promise.reject(new Error('out of memory')));
  const foreign = recording();
  const urls = {
    gone: 'http://127.0.0.1:9',
    hung: `http://127.0.0.1:${port}`,
    failing: await listening('b', failing.runner),
    foreign: await listening('b', foreign.runner, Buffer.alloc(32, 2)),
    another: await listening('c', foreign.runner),
  };
  const all = await Promise.all(
    Object.entries(urls).map(async ([name, url]) => {
      const own = recording();
      const owners = knowing(url, own.runner);
      await runAll(owners);
      assert.deepEqual([...own.accounts].sort(), [...ACCOUNTS].sort(), name);
      return owners;
    }),
  );
  const tried = sockets.length;
  await Promise.all(all.map(runAll));
  assert.equal(sockets.length, tried, 'an owner that hangs is not tried again at once');
  assert.deepEqual(foreign.accounts, []);
});
