import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Entry } from '../entries/contract.ts';
import { FIELDS, listQuery, modelOf, queryOf, values } from '../test-listing-model.ts';
import { contentService } from '../test-support.ts';

const service = await contentService();
const { ok } = service;

const idsOf = (entries: Iterable<{ id: string }>) => [...entries].map(({ id }) => id);
const pick = <T>(from: fc.Arbitrary<T>): T => fc.sample(from, 1)[0] as T;

/** A collection of entries with arbitrary values, some of which were changed, as the API returns them. */
async function manyEntries(count: number) {
  const account = await service.newAccount();
  const path = await service.newCollection(account, FIELDS);
  const entries = new Map<string, Entry>();
  for (const each of fc.sample(values, count)) {
    service.clock.now += pick(fc.constantFrom(0, 1, 50));
    const entry = await service.createEntry(account, path, each);
    entries.set(entry.id, entry);
  }
  const change = async (id: string) => {
    service.clock.now += pick(fc.constantFrom(0, 1));
    entries.set(id, await ok(`PATCH ${path}/entries/${id}`, account, { values: pick(values) }));
  };
  for (const id of entries.keys()) if (Math.random() < 0.3) await change(id);
  return { account, path, entries };
}

test('every listing equals an in-memory model, in order, each entry once, for any page size', async () => {
  const { account, path, entries } = await manyEntries(150);
  await fc.assert(
    fc.asyncProperty(listQuery, fc.constantFrom(3, 7, 50, 100), async (listing, pageSize) => {
      const expected = modelOf(entries.values(), listing);
      const found = await service.listAll(account, path, queryOf(listing), pageSize);
      assert.deepEqual(idsOf(found), idsOf(expected));
      assert.deepEqual(found, expected);
    }),
    { numRuns: 300 },
  );
});

test('entries that are created, deleted or restored between two pages neither repeat nor hide others', async () => {
  const { account, path, entries } = await manyEntries(60);
  await fc.assert(
    fc.asyncProperty(listQuery, fc.constantFrom(1, 2, 5), async (listing, pageSize) => {
      const touched = new Set<string>();
      let pages = 0;
      const found = await service.listAll(account, path, queryOf(listing), pageSize, async () => {
        if (pages++ > 5) return;
        const fresh = await service.createEntry(account, path, pick(values));
        entries.set(fresh.id, fresh);
        touched.add(fresh.id);
        const gone = pick(fc.constantFrom(...entries.keys()));
        await ok(`DELETE ${path}/entries/${gone}`, account);
        touched.add(gone);
        entries.delete(gone);
        const back = pick(fc.constantFrom(...touched));
        const { status } = await service.call(`PATCH ${path}/entries/${back}`, {
          as: account,
          body: { status: 'active' },
        });
        assert.ok(status === 200);
        entries.set(back, await ok(`GET ${path}/entries/${back}`, account));
      });
      const untouched = (list: Iterable<{ id: string }>) => idsOf(list).filter((id) => !touched.has(id));
      const still = modelOf(entries.values(), listing);
      assert.deepEqual(untouched(found), untouched(still));
      // Keeps the collection at its size.
      for (const id of [...entries.keys()].slice(60)) {
        await ok(`DELETE ${path}/entries/${id}`, account);
        entries.delete(id);
      }
    }),
    { numRuns: 60 },
  );
});
