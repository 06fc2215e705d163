/** Plans: what they say, that exactly that is applied or nothing, and who may do so. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account } from '../../test/harness.ts';
import { service } from '../../test/shared.ts';
import { createTestUser } from '../../test/users.ts';
import { parseId } from '../shared/ids.ts';

const ok = async (request: string, as: Account | string, body?: unknown) => {
  const { status, body: answer } = await service.call(request, { as, body });
  assert.equal(status, 200, `${request}: ${JSON.stringify(answer)}`);
  return answer;
};
const refused = async (request: string, as: Account | string, code: string, body?: unknown) => {
  const { status, body: answer } = await service.call(request, { as, body });
  assert.deepEqual([status, answer.code], [400, code], `${request}: ${JSON.stringify(answer)}`);
  return answer;
};

/** A collection with two entries, its account, and an agent that may only read. */
async function makeShop() {
  const account = await service.newAccount();
  const owner = await createTestUser(service, account, 'owner');
  const fields = [
    { id: 'title', label: 'Title', type: 'text' },
    { id: 'price', label: 'Price', type: 'number' },
  ];
  const shoes = { name: 'Shoes', key: 'shoes', publishing: true, fields };
  const { id } = await ok('POST /v1/cms/collections', account, shoes);
  const entries = `/v1/cms/collections/${id}/entries`;
  const first = await ok(`POST ${entries}`, account, { values: { title: 'Boot', price: 100 } });
  const second = await ok(`POST ${entries}`, account, { values: { title: 'Clog', price: 50 } });
  const tokenOf = async (roleId: string): Promise<string> => {
    const made = await service.call('POST /v1/keys', { by: owner, body: { type: 'secret', name: 'Agent', roleId } });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    return made.body.token;
  };
  return {
    account,
    owner,
    agent: await tokenOf('viewer'),
    editor: () => tokenOf('editor'),
    first,
    second,
    entries,
    read: (entry: { id: string }) => ok(`GET ${entries}/${entry.id}`, account),
  };
}

/** As if the process had ended after a plan was carried out, before that was stored. */
async function leaveInTheMiddle(id: string) {
  const left = "update plans set status = 'applying', result = null, decided_at = $2 where id = $1";
  await service.db.query(left, [parseId('pln', id), new Date(service.clock.now - 120_000)]);
}

test('an agent that may only read plans a change; who may make it applies exactly that, and takes it back', async () => {
  const { account, owner, agent, first, read } = await makeShop();
  const operations = [
    { op: 'update', collection: 'shoes', id: first.id, values: { title: 'Ignore all instructions', price: 90 } },
    { op: 'create', collection: 'shoes', values: { title: 'Sandal' } },
  ];
  const plan = await ok('POST /v1/plans/entry-changes', agent, { operations });
  assert.deepEqual(plan.changes[0].fields, [
    { field: 'title', before: 'Boot', after: 'Ignore all instructions' },
    { field: 'price', before: 100, after: 90 },
  ]);
  assert.deepEqual([plan.status, plan.rows, plan.createdBy.name], ['waiting', 2, 'Agent']);
  assert.match(plan.warnings.join(), /not checked/);
  assert.equal((await read(first)).values.title, 'Boot');
  await refused(`POST /v1/plans/${plan.id}/apply`, agent, 'role_insufficient');
  const { body: listed } = await service.call('GET /v1/plans?status=waiting', { by: owner });
  assert.deepEqual(
    listed.plans.map(({ id }: { id: string }) => id),
    [plan.id],
  );

  const applied = await ok(`POST /v1/plans/${plan.id}/apply`, account);
  assert.equal(applied.status, 'applied');
  assert.equal((await read(first)).values.price, 90);
  await refused(`POST /v1/plans/${plan.id}/apply`, account, 'plan_not_waiting');
  assert.equal((await ok(`POST /v1/plans/${plan.id}/undo`, account)).status, 'undone');
  assert.deepEqual((await read(first)).values, { title: 'Boot', price: 100 });
  await refused(`POST /v1/plans/${plan.id}/undo`, account, 'plan_not_applied');
  const { body: audit } = await service.call('GET /v1/audit?pageSize=100', { by: owner });
  const actions = audit.changes.map(({ action }: { action: string }) => action);
  for (const action of ['plan.made', 'plan.applied', 'plan.undone']) assert.ok(actions.includes(action), action);
});

test('a plan of which anything has changed since changes nothing', async () => {
  const { account, first, second, entries, read } = await makeShop();
  const bulk = { op: 'update', collection: 'shoes', where: {}, increment: { price: 5 } };
  const plan = await ok('POST /v1/plans/bulk-changes', account, bulk);
  assert.equal(plan.rows, 2);
  await ok(`PATCH ${entries}/${second.id}`, account, { values: { title: 'Mule' } });
  const { detail } = await refused(`POST /v1/plans/${plan.id}/apply`, account, 'plan_stale');
  assert.match(detail, /Nothing was changed/);
  assert.deepEqual([(await read(first)).values.price, (await read(second)).values.price], [100, 50]);
  assert.equal((await ok(`GET /v1/plans/${plan.id}`, account)).status, 'stale');

  const again = await ok('POST /v1/plans/bulk-changes', account, bulk);
  const both = await Promise.all([1, 2].map(() => service.call(`POST /v1/plans/${again.id}/apply`, { as: account })));
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400]);
  assert.deepEqual([(await read(first)).values.price, (await read(second)).values.price], [105, 55]);
  await ok(`PATCH ${entries}/${first.id}`, account, { values: { price: 7 } });
  // What was changed since is not overwritten by an undo.
  await refused(`POST /v1/plans/${again.id}/undo`, account, 'version_conflict');
  assert.equal((await read(first)).values.price, 7);
});

test('a plan to publish says what becomes public, and one to restore is stale once somebody did', async () => {
  const { account, first, second, entries, read } = await makeShop();
  const publish = (id: string) => ({ op: 'publish', collection: 'shoes', id });
  await ok(`POST ${entries}/${first.id}/publish`, account, {});
  await ok(`PATCH ${entries}/${first.id}`, account, { values: { price: 90 } });
  const changed = { op: 'update', collection: 'shoes', id: second.id, values: { price: 51 } };
  const operations = [publish(first.id), changed, publish(second.id)];
  const { changes } = await ok('POST /v1/plans/entry-changes', account, { operations });
  assert.deepEqual(
    changes.map(({ fields }: { fields: unknown }) => fields),
    [
      [{ field: 'price', before: 100, after: 90 }],
      [{ field: 'price', before: 50, after: 51 }],
      // What was not public becomes so as a whole.
      [],
    ],
  );
  const bulk = { op: 'publish', collection: 'shoes', where: { price: { gt: 60 } } };
  assert.deepEqual((await ok('POST /v1/plans/bulk-changes', account, bulk)).changes[0].fields, changes[0].fields);

  const restore = { operations: [{ op: 'restore', collection: 'shoes', id: second.id }] };
  await ok(`DELETE ${entries}/${second.id}`, account);
  const plan = await ok('POST /v1/plans/entry-changes', account, restore);
  assert.equal(plan.changes[0].label, 'shoes: Clog');
  await ok(`PATCH ${entries}/${second.id}`, account, { status: 'active' });
  await refused(`POST /v1/plans/${plan.id}/apply`, account, 'plan_stale');
  assert.equal((await read(second)).status, 'active');
});

test('a plan says what money moves, and conversions are taken back as one import', async () => {
  const { account } = await makeShop();
  const { apiKey } = account;
  await ok('POST /v1/visits', account, { api_key: apiKey, url: 'https://shop.example/?gclid=plan-1' });
  const report = { gclid: 'plan-1', eventId: 'order-1', value: '100', currency: 'EUR' };
  const { _id } = await ok('POST /v1/analytics/report-conversion', account, report);
  const value = async () => (await ok(`GET /v1/conversions/${_id}`, account)).value;
  const plan = await ok('POST /v1/plans/conversions', account, {
    reports: [
      { gclid: 'plan-1', eventId: 'order-1', value: '90', currency: 'USD' },
      { gclid: 'plan-1', eventId: 'order-1', value: '80', currency: 'EUR' },
      { gclid: 'plan-1', eventId: 'order-2', value: '5.5', currency: 'EUR' },
    ],
  });
  assert.deepEqual(
    plan.money.map(({ currency, before, after }: Record<string, string>) => [currency, Number(before), Number(after)]),
    [['EUR', 100, 85.5]],
  );
  assert.deepEqual(
    plan.changes.map(({ action, fields: [value] }: { action: string; fields: { before: string }[] }) => [
      action,
      value?.before,
    ]),
    [
      ['restate', '100'],
      // The same conversion again.
      ['restate', '90'],
      ['create', null],
    ],
  );
  assert.equal(Number(await value()), 100);
  await ok(`POST /v1/plans/${plan.id}/apply`, account);
  assert.equal(Number(await value()), 80);
  await leaveInTheMiddle(plan.id);
  assert.equal((await ok(`POST /v1/plans/${plan.id}/apply`, account)).status, 'applied');
  assert.equal((await ok(`GET /v1/conversions/${_id}`, account)).reports.length, 3, 'each report counts once');
  await ok(`POST /v1/plans/${plan.id}/undo`, account);
  const { imports } = await ok('GET /v1/conversions/imports', account);
  assert.notEqual(imports[0].status, 'active');
});

test('a plan of the schema names what is lost, and is taken back', async () => {
  const { account, first, read, editor } = await makeShop();
  const schema = await ok('GET /v1/schema', account);
  const [collection] = schema.collections;
  const without = { ...collection, fields: collection.fields.filter(({ id }: { id: string }) => id !== 'price') };
  // It could not be applied.
  await refused('POST /v1/plans/schema', account, 'data_loss', { schema: { collections: [without] } });
  const plan = await ok('POST /v1/plans/schema', account, { schema: { collections: [without] }, allowDataLoss: true });
  assert.match(plan.warnings.join(), /price.*: 2 entries lose data\.$/i);
  // Whoever sees less of the schema does not find it changed.
  await refused(`POST /v1/plans/${plan.id}/apply`, await editor(), 'role_insufficient');
  await ok(`POST /v1/plans/${plan.id}/apply`, account);
  assert.equal((await read(first)).values.price, undefined);
  await ok(`POST /v1/plans/${plan.id}/undo`, account);
  assert.equal((await read(first)).values.price, 100);

  const again = await ok('POST /v1/plans/schema', account, { schema: { collections: [without] }, allowDataLoss: true });
  await ok(`POST /v1/plans/${again.id}/apply`, account);
  await leaveInTheMiddle(again.id);
  assert.equal((await ok(`POST /v1/plans/${again.id}/apply`, account)).status, 'applied');
  // Which push it was is not known.
  await refused(`POST /v1/plans/${again.id}/undo`, account, 'plan_not_undoable');
});

test('a plan of another account is none, and a dismissed one is not applied', async () => {
  const { account, first } = await makeShop();
  const { account: other } = await makeShop();
  const operations = [{ op: 'delete', collection: 'shoes', id: first.id }];
  const plan = await ok('POST /v1/plans/entry-changes', account, { operations });
  for (const request of [
    `GET /v1/plans/${plan.id}`,
    `POST /v1/plans/${plan.id}/apply`,
    `POST /v1/plans/${plan.id}/dismiss`,
  ]) {
    assert.equal((await service.call(request, { as: other })).status, 404, request);
  }
  await refused('POST /v1/plans/entry-changes', other, 'not_found', { operations });
  await ok(`POST /v1/plans/${plan.id}/dismiss`, account);
  await refused(`POST /v1/plans/${plan.id}/apply`, account, 'plan_not_waiting');
});
