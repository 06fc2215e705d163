import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestUser } from '../../../test/users.ts';
import { contentService } from '../test-support.ts';

const service = await contentService();
const { call, newAccount, newCollection } = service;

test('views are of one user or shared, saved once per name, and listed by name', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [{ id: 'title', label: 'Title', type: 'text' }]);
  const [ada, bo] = [await createTestUser(service, account, 'owner'), await createTestUser(service, account)];
  const put = async (by: typeof ada, name: string, state: object, shared?: boolean) =>
    (await call(`PUT ${path}/views`, { by, body: { name, state, ...(shared !== undefined && { shared }) } })).body;
  const names = async (by: typeof ada) =>
    (await call(`GET ${path}/views`, { by })).body.views.map((view: { name: string; shared: boolean }) => [
      view.name,
      view.shared,
    ]);
  const mine = await put(ada, ' Mine ', { sort: 'title:asc' });
  const shared = await put(ada, 'For all', { where: { and: [] } }, true);
  assert.deepEqual(await names(ada), [
    ['For all', true],
    ['Mine', false],
  ]);
  assert.deepEqual(await names(bo), [['For all', true]]);
  assert.equal((await put(ada, 'MINE', {})).id, mine.id);
  assert.notEqual((await put(bo, 'Mine', {})).id, mine.id);
  assert.equal((await put(bo, 'for all', { q: 'x' }, true)).id, shared.id);
  const remove = (by: typeof ada, id: string) => call(`DELETE ${path}/views/${id}`, { by });
  assert.equal((await remove(bo, mine.id)).status, 404, 'not those of others');
  assert.equal((await remove(bo, shared.id)).status, 200);
  assert.deepEqual(await names(ada), [['MINE', false]]);
  assert.equal((await call(`PUT ${path}/views`, { by: ada, body: { name: ' ', state: {} } })).status, 400);
  const audited = (await call('GET /v1/audit', { by: ada })).body.changes.map(
    ({ action }: { action: string }) => action,
  );
  assert.deepEqual(audited.filter((action: string) => action.startsWith('view.')).sort(), [
    'view.deleted',
    'view.saved',
    'view.saved',
  ]);
});
