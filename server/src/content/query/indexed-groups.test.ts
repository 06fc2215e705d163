import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bucketOf } from '../listing/filter-bitmap.ts';
import { contentService, seedEntries } from '../test-support.ts';

const service = await contentService();
const { ok, newCollection } = service;
const account = await service.newAccount();

const number = (id: string) => ({ id, label: id, type: 'number' });
const names = Array.from({ length: 12 }, (_, i) => `value-${i}`);
const kind = { id: 'kind', label: 'Kind', type: 'select', options: names.map((value) => ({ value, label: value })) };
const path = await newCollection(account, [
  kind,
  { id: 'on', label: 'On', type: 'boolean' },
  number('n'),
  number('code'),
]);
const collection = await service.readCollection(account, path);
const values = Array.from({ length: 90 }, (_, i) => ({
  ...(i % 13 < 12 && { kind: names[i % 13] }),
  ...(i % 3 < 2 && { on: i % 3 === 0 }),
  ...(i % 7 > 0 && { n: [0.1, 12.99, -3.005, 1 / 3, 5e15 + 1, -7][i % 6] }),
  code: i,
}));
await seedEntries(service.db, account.uuid, collection, values);

const measures = {
  count: { count: true },
  ...Object.fromEntries(['sum', 'avg', 'min', 'max'].map((each) => [each, { [each]: 'n' }])),
};
const aggregate = (body: object) => ok(`POST ${path}/entries/aggregate`, account, body);
// Every entry, as conditions tell, so that the entries are read.
const read = (body: object) => aggregate({ ...body, where: { or: [{ code: { gte: 0 } }, { on: { exists: true } }] } });
const strategy = async (body: object) => (await aggregate({ ...body, explain: true })).explain.strategies.at(-1);

test('groups that the buckets of index rows tell are those of the entries', async () => {
  const field = collection.byId.get('kind');
  assert.ok(field);
  const buckets = names.map((name) => bucketOf(field, name));
  assert.ok(new Set(buckets).size < names.length, 'two options share a bucket');
  for (const state of ['all bitmaps', 'some bitmaps']) {
    for (const groupBy of [['kind'], ['on'], ['kind', 'on']]) {
      assert.equal(await strategy({ groupBy, measures }), 'aggregate: the rows of an index', `${groupBy} ${state}`);
      const found = await aggregate({ groupBy, measures });
      assert.deepEqual(found, await read({ groupBy, measures }), `${groupBy} ${state}`);
      const counts = found.groups.map((each: { key: object; count: number }) => [Object.values(each.key), each.count]);
      const wanted = Map.groupBy(values, (each: Record<string, unknown>) =>
        JSON.stringify(groupBy.map((name) => each[name] ?? null)),
      );
      assert.deepEqual(
        new Map(counts.map(([key, count]: [unknown[], number]) => [JSON.stringify(key), count])),
        new Map([...wanted].map(([key, all]) => [key, all.length])),
      );
    }
    // As of entries that are changed again and again.
    await service.db.query(
      `update entry_index set filter_bitmap = null where account_id = '${account.uuid}' and get_byte(uuid_send(entry_id), 15) < 100`,
    );
  }
});

test('groups of an index are sorted, restricted and paged as any others', async () => {
  const query = { groupBy: ['kind'], measures, sort: 'sum:desc', having: { count: { gte: 7 } }, limit: 5 };
  const first = await aggregate(query);
  assert.equal(first.groups.length, 5);
  assert.deepEqual(first.groups, (await read(query)).groups);
  const second = await aggregate({ ...query, pageToken: first.nextPageToken });
  assert.deepEqual(second.groups, (await read({ ...query, limit: 100 })).groups.slice(5, 10));
  assert.deepEqual((await aggregate({ ...query, having: { count: { gte: 100 } } })).groups, []);
});

test('fields with many values, and two numbers, are read from the entries', async () => {
  const n = { n: { sum: 'n' } };
  assert.equal(await strategy({ groupBy: ['code'], measures: n }), 'aggregate: all entries');
  assert.equal(await strategy({ groupBy: ['kind'], measures: { ...n, m: { sum: 'code' } } }), 'aggregate: all entries');
});
