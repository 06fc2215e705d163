import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account } from '../../../test/harness.ts';
import { newUuid, parseId } from '../../shared/ids.ts';
import type { Pressure } from '../../shared/pressure.ts';
import { CollectionCache } from '../collections/collection-cache.ts';
import { contentService } from '../test-support.ts';
import { BusyEntries } from './busy-entries.ts';
import { EntryWriter } from './entry-writer.ts';
import { bitmapWorker } from './restore-bitmaps.ts';

const service = await contentService();
const { ok, db, app, newAccount, newCollection, createEntry } = service;

const MINUTE = 60_000;
const FIELDS = [
  { id: 'title', label: 'Title', type: 'text' },
  { id: 'price', label: 'Price', type: 'number' },
  { id: 'live', label: 'Live', type: 'boolean' },
];

/** The filter bitmaps of an entry and of its index rows. */
async function bitmapsOf(account: Account, entryId: string): Promise<(string | null)[]> {
  const { rows } = await db.query(
    `select filter_bitmap::text from entries where account_id = $1 and id = $2
     union all select filter_bitmap::text from entry_index where account_id = $1 and entry_id = $2`,
    [account.uuid, parseId('ent', entryId)],
  );
  return rows.map(({ filter_bitmap }) => filter_bitmap);
}

async function newWriter(account: Account, path: string, busy = new BusyEntries()) {
  const cache = new CollectionCache().everything;
  const writer = new EntryWriter(db, { record() {} } as unknown as Pressure, busy);
  const author = { type: 'command', id: null, address: null, accountId: account.uuid } as const;
  const clock = { now: Date.now() };
  const collectionId = path.split('/').at(-1) ?? '';
  const update = (entryId: string, values: Record<string, unknown>) =>
    writer.update(
      { cache, author, now: clock.now, publicUrl: '', keptVersions: 1 },
      { collectionId, entryId },
      { values },
      10,
    );
  const worker = bitmapWorker({ db, log: app.log, clock: () => clock.now }, cache, busy);
  return { clock, update, worker };
}

test('an entry goes without a filter bitmap from the third change in a minute, and listings find it all the same', async () => {
  const account = await newAccount();
  const path = await newCollection(account, FIELDS);
  const { id } = await createEntry(account, path, { title: 'busy', price: 1, live: true });
  const { id: other } = await createEntry(account, path, { title: 'calm', price: 1, live: true });
  const { update, worker } = await newWriter(account, path);
  const found = async (query: string) =>
    (await ok(`GET ${path}/entries?${query}`, account)).entries.map((entry: { id: string }) => entry.id);

  await update(id, { price: 2 });
  await update(id, { title: 'no change of the bitmap' });
  await update(id, { price: 3 });
  assert.ok((await bitmapsOf(account, id)).every((bitmap) => bitmap !== null));
  for (const price of [4, 5]) {
    await update(id, { price });
    assert.deepEqual(await bitmapsOf(account, id), [null, null, null, null]);
    for (const sort of ['title', 'price', 'updatedAt', 'createdAt']) {
      assert.deepEqual(await found(`sort=${sort}:asc&filter[price][eq]=${price}&filter[live][eq]=true`), [id]);
      assert.deepEqual(await found(`sort=${sort}:asc&filter[price][eq]=${price - 1}`), []);
    }
  }
  await worker.stop();
  const [first, ...rows] = await bitmapsOf(account, id);
  assert.deepEqual(rows, [first, first, first]);
  assert.deepEqual(await found('sort=title:asc&filter[price][eq]=5&filter[live][eq]=true'), [id]);

  await update(other, { price: 5 });
  assert.deepEqual(await bitmapsOf(account, other), [first, first, first, first], 'the same values, the same bitmap');
});

test('filter bitmaps are restored when the process stops, except of entries that were deleted or changed by others', async () => {
  const account = await newAccount();
  const path = await newCollection(account, FIELDS);
  const entries = [];
  for (const title of ['kept', 'deleted', 'changed']) entries.push(await createEntry(account, path, { title }));
  const [kept = '', deleted = '', changed = ''] = entries.map(({ id }) => id);
  const { update, worker } = await newWriter(account, path);
  for (let price = 0; price < 3; price++) for (const { id } of entries) await update(id, { price });
  await ok(`DELETE ${path}/entries/${deleted}`, account);
  await ok(`PATCH ${path}/entries/${changed}`, account, { values: { price: 7 } });
  const before = await bitmapsOf(account, changed);
  assert.ok(before.every((bitmap) => bitmap !== null));
  await worker.stop();
  assert.deepEqual(await bitmapsOf(account, changed), before);
  assert.equal((await bitmapsOf(account, deleted)).length, 1);
  assert.ok((await bitmapsOf(account, kept)).every((bitmap) => bitmap !== null));
});

test('filter bitmaps that cannot be restored while the database is away are restored later, those of others at once', async () => {
  const busy = new BusyEntries();
  const entries: { account: Account; id: string }[] = [];
  for (const title of ['failing', 'other']) {
    const account = await newAccount();
    const path = await newCollection(account, FIELDS);
    const { id } = await createEntry(account, path, { title });
    const { update } = await newWriter(account, path, busy);
    for (let price = 0; price < 3; price++) await update(id, { price });
    entries.push({ account, id });
  }
  let attempts = 0;
  const failure = Object.assign(new Error('away'), { code: '57P01' });
  const failing = Object.assign(Object.create(db) as typeof db, {
    transaction: ((...args) => {
      if (attempts++ === 0) return Promise.reject(failure);
      return db.transaction(...args);
    }) as typeof db.transaction,
  });
  const stop = () =>
    bitmapWorker({ db: failing, log: app.log, clock: Date.now }, new CollectionCache().everything, busy).stop();
  const restored = async () => {
    const bitmaps = await Promise.all(entries.map(({ account, id }) => bitmapsOf(account, id)));
    return bitmaps.map((each) => each.every((bitmap) => bitmap !== null));
  };
  await stop();
  assert.deepEqual(await restored(), [false, true]);
  await stop();
  assert.deepEqual(await restored(), [true, true], 'later, as the database was away');
});

test('an entry is busy until a minute after its last change, and only so many are', () => {
  const busy = new BusyEntries(2);
  const [a, b, c] = [newUuid(), newUuid(), newUuid()];
  const record = (id: string, now: number) => busy.record('account', 'collection', id, now);
  assert.deepEqual([record(a, 0), record(a, MINUTE), record(a, 2 * MINUTE + 1)], [false, false, false]);
  assert.deepEqual([record(a, 3 * MINUTE), record(a, 4 * MINUTE)], [false, true]);
  assert.deepEqual(busy.takeCalm(5 * MINUTE - 1), []);
  assert.equal(record(a, 9 * MINUTE), true, 'busy until it is taken');

  assert.deepEqual([record(b, 9 * MINUTE), record(b, 9 * MINUTE)], [false, false]);
  record(a, 9 * MINUTE + 1);
  assert.equal(record(c, 9 * MINUTE + 2), false);
  assert.equal(record(b, 9 * MINUTE + 3), false, 'forgotten to make room, for which a busy entry is not');
  assert.deepEqual([record(c, 9 * MINUTE + 4), record(c, 9 * MINUTE + 5)], [false, true]);
  for (let i = 0; i < 5; i++) assert.equal(record(b, 9 * MINUTE + 6), false, 'no room beside two that are busy');
  const calm = { accountId: 'account', collectionId: 'collection' };
  assert.deepEqual(busy.takeCalm(10 * MINUTE + 1), [{ ...calm, ids: [a] }]);
  assert.deepEqual(busy.takeCalm(10 * MINUTE + 5), [{ ...calm, ids: [c] }]);
  assert.equal(record(a, 10 * MINUTE + 6), false);
});
