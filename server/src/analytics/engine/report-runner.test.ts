import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { service } from '../../../test/shared.ts';
import { until } from '../../../test/until.ts';
import { ReportRunner } from './report-runner.ts';

const { uuid: accountId } = await service.newAccount();
const request = {
  accountId,
  filters: {},
  include: { bots: false, internal: false },
  plans: [{ period: { from: 0, to: 3_600_000 }, starts: [0] }],
};

test('a report whose client disconnected before its turn is skipped; the others run', async () => {
  const runner = new ReportRunner(service.db);
  const client = new AbortController();
  const reports = [
    runner.run('count', request),
    runner.run('count', request, client.signal),
    runner.run('count', request),
  ];
  client.abort();
  const [first, second, third] = await Promise.allSettled(reports);
  assert.equal(first?.status, 'fulfilled');
  assert.equal(second?.status === 'rejected' && second.reason.code, 'request_aborted');
  assert.equal(third?.status, 'fulfilled');
  await runner.stop();
});

test('a failing report rejects and the next one runs; stopping rejects the running and the queued ones', async () => {
  const runner = new ReportRunner(service.db);
  await assert.rejects(runner.run('count', { ...request, accountId: 'none' }), /uuid/);
  await runner.run('count', request);
  const running = runner.run('count', request);
  const queued = runner.run('count', request);
  const both = Promise.allSettled([running, queued]);
  await runner.stop();
  assert.deepEqual(
    (await both).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
});

test('an account with many reports delays another account by at most one report', async () => {
  const runner = new ReportRunner(service.db);
  const { uuid: otherId } = await service.newAccount();
  const finished: string[] = [];
  const run = (id: string, name: string) =>
    runner.run('count', { ...request, accountId: id }).then(() => finished.push(name));
  const reports = Array.from({ length: 8 }, () => run(accountId, 'many'));
  reports.push(run(otherId, 'other'));
  await Promise.all(reports);
  assert.equal(finished.indexOf('other'), 1);
  await runner.stop();
});

test('an account may not queue reports without limit', async () => {
  const runner = new ReportRunner(service.db);
  const results = await Promise.allSettled(Array.from({ length: 40 }, () => runner.run('count', request)));
  const refused = results.flatMap((each) => (each.status === 'rejected' ? each.reason : []));
  assert.ok(refused.length > 0 && refused.length < 10, `${refused.length}`);
  for (const { status, code, headers } of refused) {
    assert.deepEqual([status, code], [429, 'overloaded']);
    assert.ok(headers['retry-after']);
  }
  await runner.stop();
});

test('reports whose client disconnected do not count towards the limit of the queue', async () => {
  const runner = new ReportRunner(service.db);
  const running = runner.run('count', request);
  const abandoned = Array.from({ length: 100 }, () => {
    const client = new AbortController();
    const report = runner.run('count', request, client.signal);
    client.abort();
    return report;
  });
  const last = runner.run('count', request);
  const results = await Promise.allSettled([running, last, ...abandoned]);
  const codes = results.map((each) => (each.status === 'rejected' ? each.reason.code : 'ok'));
  assert.deepEqual([codes[0], codes[1], ...new Set(codes.slice(2))], ['ok', 'ok', 'request_aborted']);
  await runner.stop();
});

test('when the database hangs, reports fail in time, and the next one runs once the thread was replaced', async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const hanging = { connection: { host: '127.0.0.1', port, user: 'x', database: 'x' } };
  // Less than a connection may take to open, as its failure would leave the thread as it is.
  const runner = new ReportRunner(hanging, { answerMs: 3_000, runMs: 4_000 });
  const { uuid: otherId } = await service.newAccount();
  const [running, queued] = await Promise.allSettled([
    runner.run('count', request),
    runner.run('count', { ...request, accountId: otherId }),
  ]);
  assert.deepEqual(
    [running, queued].map((each) => each.status === 'rejected' && [each.reason.status, each.reason.code]),
    [
      [500, 'timed_out'],
      [429, 'overloaded'],
    ],
  );
  // The thread is replaced by one that connects to a working database.
  hanging.connection = service.db.connection as typeof hanging.connection;
  await until(() =>
    runner.run('count', request).then(
      () => true,
      () => false,
    ),
  );
  await runner.stop();
  for (const socket of sockets) socket.destroy();
  server.close();
});
