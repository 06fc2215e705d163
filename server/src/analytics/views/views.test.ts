import assert from 'node:assert/strict';
import { test } from 'node:test';
import { service } from '../../../test/shared.ts';

test('a view is saved once per screen and name, listed by name, and deleted', async () => {
  const account = await service.newAccount();
  const put = (name: string, state: object, screen = 'overview') =>
    service.call('PUT /v1/analytics/views', { as: account, body: { screen, name, state } });
  const list = async (screen: string) =>
    (await service.call(`GET /v1/analytics/views?screen=${screen}`, { as: account })).body.views;
  const first = await put(' Google ', { filters: { source: 'google' } });
  await put('Bing', { period: 'week' });
  await put('Google', { steps: [] }, 'funnels');
  const again = await put('GOOGLE', { filters: { source: ['google', 'bing'] } });
  assert.equal(again.body.id, first.body.id);
  const names = (views: { name: string; state: unknown }[]) => views.map(({ name, state }) => [name, state]);
  assert.deepEqual(names(await list('overview')), [
    ['Bing', { period: 'week' }],
    ['GOOGLE', { filters: { source: ['google', 'bing'] } }],
  ]);
  assert.deepEqual(names(await list('funnels')), [['Google', { steps: [] }]]);
  const path = `DELETE /v1/analytics/views/${first.body.id}`;
  assert.equal((await service.call(path, { as: account })).status, 200);
  assert.equal((await service.call(path, { as: account })).status, 404);
  assert.equal((await list('overview')).length, 1);
  assert.equal((await put('', {})).status, 400);
});

test('a view has at most 16 kB', async () => {
  const account = await service.newAccount();
  const put = (state: object) =>
    service.call('PUT /v1/analytics/views', { as: account, body: { screen: 'funnels', name: 'Large', state } });
  assert.equal((await put({ text: 'x'.repeat(16_000) })).status, 200);
  const { status, body } = await put({ text: 'ä'.repeat(8_200) });
  assert.deepEqual([status, body.errors[0].code, body.errors[0].pointer], [400, 'state_too_large', '/state']);
});

test('a screen has at most 100 views, and the last one can still be changed', async () => {
  const account = await service.newAccount();
  const put = (name: string) =>
    service.call('PUT /v1/analytics/views', { as: account, body: { screen: 'funnels', name, state: {} } });
  for (let i = 0; i < 100; i++) assert.equal((await put(`View ${i}`)).status, 200);
  assert.equal((await put('One more')).body.code, 'too_many_views');
  assert.equal((await put('View 7')).status, 200);
});
