import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testService } from '../../../test/harness.ts';
import { aggregateNewRows } from '../../analytics/aggregation/aggregate-new-rows.ts';
import { assertExact, environmentOf, randomFrom, Traffic } from '../../analytics/test-traffic.ts';
import { JobRunner } from '../../jobs/runner.ts';
import { LateMatcher } from '../matching/late-matcher.ts';
import { undoHandler } from './undo-job.ts';

const service = await testService();
const { call, db, clock } = service;
const deps = { db, clock: () => clock.now };
const lateMatch = new LateMatcher({ ...deps, log: service.app.log, sessionIds: service.sessionIds });

async function ok(request: string, as: Account, body?: unknown) {
  const answer = await call(request, { as, ...(body !== undefined && { body }) });
  assert.equal(answer.status, 200, `${request}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const visit = (as: Account, gclid: string) =>
  ok('POST /v1/visits', as, { api_key: as.apiKey, url: `https://shop.example/?gclid=${gclid}` });
const newImport = (as: Account) => ok('POST /v1/conversions/imports', as, { name: 'orders.csv' });
const reportIn = (as: Account, id: string, items: unknown[]) =>
  ok(`POST /v1/conversions/imports/${id}/reports`, as, items);
const report = (as: Account, items: unknown[]) => ok('POST /v1/analytics/report-conversion', as, items);

/** Requests the undo and runs its job. */
async function undo(as: Account, id: string) {
  assert.equal((await ok(`POST /v1/conversions/imports/${id}/undo`, as)).status, 'undoing');
  await runUndo(as, id);
  return ok(`GET /v1/conversions/imports/${id}`, as);
}

function runUndo(as: Account, importId: string) {
  const { signal } = new AbortController();
  return undoHandler(deps).run({ accountId: as.uuid, id: '', attempt: 1, params: { importId }, signal, report() {} });
}

async function stateOf(as: Account) {
  const { conversions } = await ok('GET /v1/conversions', as);
  return Object.fromEntries(
    conversions.map((each: Record<string, unknown>) => [each.eventId, [each.value, each.currency, each.event]]),
  );
}

test('an undone import withdraws what it created, reverts what it restated, and deletes what was unmatched', async () => {
  const account = await service.newAccount();
  await visit(account, 'click');
  await report(account, [
    { gclid: 'click', eventId: 'before', value: 10, currency: 'EUR', event: 'order' },
    { gclid: 'click', eventId: 'both', value: 20, currency: 'EUR' },
  ]);
  const { id } = await newImport(account);
  const results = await reportIn(account, id, [
    { gclid: 'click', eventId: 'before', value: 1, currency: 'USD', event: 'renewal' },
    { gclid: 'click', eventId: 'both', value: 2 },
    { gclid: 'click', eventId: 'new', value: 3 },
    { gclid: 'click', eventId: 'new', value: 4 },
    { gclid: 'click', value: 5 },
    { gclid: 'nobody', value: 6 },
    { gclid: 'nobody', value: 'x' },
  ]);
  // A later report stays in effect.
  await report(account, [{ gclid: 'click', eventId: 'both', value: 21 }]);
  const [imported] = (await ok('GET /v1/conversions/imports', account)).imports;
  assert.deepEqual(
    [imported.id, imported.status, imported.reported, imported.unmatched, imported.failed, imported.undo],
    [id, 'active', 5, 1, 1, null],
  );
  const undone = await undo(account, id);
  assert.equal(undone.status, 'undone');
  assert.deepEqual(undone.undo, { withdrawn: 2, reverted: 2, deletedUnmatched: 1 });
  assert.deepEqual(await stateOf(account), { before: ['10', 'EUR', 'order'], both: ['21', 'EUR', 'conversion'] });
  assert.deepEqual((await ok('GET /v1/conversions/unmatched', account)).conversions, []);

  // The history stays.
  const withdrawn = await ok(`GET /v1/conversions/${results[2]._id}`, account);
  assert.ok(withdrawn.withdrawnAt);
  assert.deepEqual(
    withdrawn.reports.map((each: Record<string, unknown>) => [
      each.value,
      each.origin,
      each.importId,
      each.isWithdrawn,
    ]),
    [
      ['3', 'report', id, true],
      ['4', 'report', id, true],
      [null, 'undo', null, false],
    ],
  );
  for (const request of [`POST /v1/conversions/imports/${id}/undo`, `POST /v1/conversions/imports/${id}/reports`]) {
    const refused = await call(request, { as: account, body: [{ gclid: 'click', value: 1 }] });
    assert.deepEqual([refused.status, refused.body.code], [400, 'import_undone'], request);
  }

  // Reported again, it is a conversion again, with nothing of what was withdrawn.
  const preview = await ok('POST /v1/analytics/report-conversion/dry-run', account, { gclid: 'click', eventId: 'new' });
  assert.equal(preview.effect, 'create');
  await visit(account, 'second');
  const [again] = await report(account, [{ gclid: 'second', eventId: 'new', currency: 'SEK' }]);
  assert.equal(again._id, results[2]._id);
  assert.deepEqual((await stateOf(account)).new, [null, 'SEK', 'conversion']);
  const { identifier, withdrawnAt } = await ok(`GET /v1/conversions/${again._id}`, account);
  assert.deepEqual([identifier, withdrawnAt], [{ gclid: 'second' }, null]);
});

test('an undo may be interrupted and repeated, and includes reports that are matched in the meantime', async () => {
  const account = await service.newAccount();
  const { id } = await newImport(account);
  await reportIn(account, id, [{ gclid: 'late', eventId: 'late', value: 9 }]);
  await visit(account, 'late');
  await lateMatch.sweep();
  assert.deepEqual(await stateOf(account), { late: ['9', null, 'conversion'] });
  const undone = await undo(account, id);
  assert.deepEqual(undone.undo, { withdrawn: 1, reverted: 0, deletedUnmatched: 0 });
  await runUndo(account, id);
  assert.deepEqual((await ok(`GET /v1/conversions/imports/${id}`, account)).undo, undone.undo);
  assert.deepEqual(await stateOf(account), {});
});

test('reports, exports and lists count nothing of an undone import', async () => {
  const runner = service.workers.find((worker) => worker instanceof JobRunner) ?? assert.fail('no job runner');
  runner.start();
  const traffic = new Traffic(environmentOf(service), await service.newAccount(), randomFrom(7));
  const { account } = traffic;
  for (let i = 0; i < 40; i++) await traffic.anything();
  await visit(account, 'click');
  await report(account, [{ gclid: 'click', eventId: 'o1', value: 10, currency: 'EUR' }]);
  const { id } = await newImport(account);
  const items = Array.from({ length: 20 }, (_, i) => ({ gclid: 'click', eventId: `o${i}`, value: 1, currency: 'EUR' }));
  await reportIn(account, id, items);
  await aggregateNewRows(deps);
  await assertExact(traffic, 1);
  await undo(account, id);
  await aggregateNewRows(deps);
  await assertExact(traffic, 2);
  const { rows } = await db.query('select count(*)::int as n from analytics_conversions where account_id = $1', [
    account.uuid,
  ]);
  const listed = await db.query('select count(*)::int as n from reported_conversions where account_id = $1', [
    account.uuid,
  ]);
  assert.equal(rows[0].n, listed.rows[0].n);
});
