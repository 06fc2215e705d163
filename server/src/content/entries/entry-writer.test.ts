import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pressure } from '../../shared/pressure.ts';
import { CollectionCache } from '../collections/collection-cache.ts';
import { contentService } from '../test-support.ts';
import { EntryWriter } from './entry-writer.ts';

const service = await contentService();
const { call, ok, db, newAccount, newCollection, listAll } = service;

const FIELDS = [
  { id: 'title', label: 'Title', type: 'text', required: true },
  { id: 'price', label: 'Price', type: 'number' },
];

test('writes that arrive together each have their own outcome, and build on each other', async () => {
  const account = await newAccount();
  const path = await newCollection(account, FIELDS);
  const create = (values: object) => call(`POST ${path}/entries`, { as: account, body: { values } });
  const created = await Promise.all(
    Array.from({ length: 80 }, (_, i) => create(i % 10 === 3 ? { price: 'none' } : { title: `entry ${i}`, price: i })),
  );
  for (const [i, { status, body }] of created.entries()) {
    if (i % 10 === 3) {
      assert.equal(status, 400);
      assert.deepEqual(body.errors.map(({ pointer }: { pointer: string }) => pointer).sort(), [
        '/values/price',
        '/values/title',
      ]);
    } else assert.deepEqual([status, body.values, body.version], [200, { title: `entry ${i}`, price: i }, 1]);
  }
  assert.equal((await listAll(account, path, [])).length, 72);

  const [first, second, third] = created.map(({ body }) => body.id);
  const patch = (id: string, body: object) => call(`PATCH ${path}/entries/${id}`, { as: account, body });
  const changed = await Promise.all([
    ...Array.from({ length: 20 }, (_, i) => patch(first, { values: { price: i } })),
    patch(second, { version: 1, values: { price: 100 } }),
    patch(second, { version: 1, values: { price: 200 } }),
    patch(third, { values: { price: 'none' } }),
    patch('ent_01jd0000000000000000000000', { values: {} }),
    patch(third, { status: 'deleted' }),
  ]);
  const same = changed.slice(0, 20);
  assert.deepEqual(
    same.map(({ status, body }) => [status, body.values]),
    same.map((_, i) => [200, { title: 'entry 0', price: i }]),
  );
  assert.deepEqual(
    same.map(({ body }) => body.version).sort((a, b) => a - b),
    same.map((_, i) => i + 2),
  );
  const outcomes = changed
    .slice(20)
    .map(({ status, body }) => [status, body.errors?.[0]?.code ?? body.code ?? body.status]);
  assert.deepEqual(outcomes.slice(0, 2).sort(), [
    [200, 'active'],
    [400, 'version_conflict'],
  ]);
  assert.deepEqual(outcomes.slice(3), [
    [404, 'not_found'],
    [200, 'deleted'],
  ]);
  assert.notEqual(outcomes[2]?.[0], 200);
  const { rows } = await db.query(
    `select (select count(*)::int from entry_versions where account_id = $1) as versions,
       (select count(*)::int from entry_index i join entries e on e.account_id = i.account_id and e.id = i.entry_id
        where i.account_id = $1 and e.status = 'active') as index_rows`,
    [account.uuid],
  );
  assert.deepEqual(rows, [{ versions: 22, index_rows: 142 }]);
});

test('a field that is added while entries are written is required of every entry written after it', async () => {
  const account = await newAccount();
  const path = await newCollection(account, FIELDS);
  const create = () => call(`POST ${path}/entries`, { as: account, body: { values: { title: 'x' } } });
  const before = Promise.all(Array.from({ length: 40 }, create));
  await ok(`PATCH ${path}`, account, { fields: [{ id: 'size', label: 'Size', type: 'number', required: true }] });
  for (const { status } of await Promise.all(Array.from({ length: 40 }, create))) assert.equal(status, 400);
  for (const { status } of await before) assert.ok(status === 200 || status === 400);
});

test('entries that share commits count as requests that wait, each as more than an event', async () => {
  const account = await newAccount();
  const collectionId = (await newCollection(account, FIELDS)).split('/').at(-1) ?? '';
  let [batches, requests] = [0, 0];
  const record = (count: number) => {
    batches++;
    requests += count;
  };
  const writer = new EntryWriter(db, { record } as Pressure);
  const author = { type: 'command', id: null, address: null, accountId: account.uuid } as const;
  const context = { cache: new CollectionCache().everything, author, now: 0, publicUrl: '', keptVersions: 1 };
  const created = await Promise.all(
    Array.from({ length: 60 }, () => writer.create(context, collectionId, { title: 'x' }, 10)),
  );
  assert.equal(requests, 180);
  const creations = batches;
  assert.ok(creations < 15, `${creations} batches`);
  const change = { values: { price: 1 } };
  await Promise.all(created.map(({ id }) => writer.update(context, { collectionId, entryId: id }, change, 10)));
  assert.equal(requests, 360);
  assert.ok(batches - creations < 15, `${batches - creations} batches`);
});
