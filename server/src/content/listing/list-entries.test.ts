import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Account } from '../../../test/harness.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import { uncachedView } from '../collections/collection-cache.ts';
import type { Entry } from '../entries/contract.ts';
import { FIELDS, type ListQuery, listQuery, modelOf, queryOf, values } from '../test-listing-model.ts';
import { contentService } from '../test-support.ts';
import { readEntries } from './read-entries.ts';

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

/** A field with one value has one of those that several `in` name. */
const twice: ListQuery = { filters: [0, 1].map((each) => ['price', 'in', [each]]), sort: undefined, q: undefined };

test('every listing equals an in-memory model, in order, each entry once, for any page size', async () => {
  const { account, path, entries } = await manyEntries(150);
  await fc.assert(
    fc.asyncProperty(listQuery, fc.constantFrom(3, 7, 50, 100), async (listing, pageSize) => {
      const expected = modelOf(entries.values(), listing);
      const found = await service.listAll(account, path, queryOf(listing), pageSize);
      assert.deepEqual(idsOf(found), idsOf(expected));
      assert.deepEqual(found, expected);
    }),
    { numRuns: 300, examples: [[twice, 3]] },
  );
});

test('an export reads all entries of a listing, however many', async () => {
  const { account, path, entries } = await manyEntries(120);
  const collectionId = parseId('col', path.split('/').at(-1) ?? '') ?? '';
  for (const sort of ['createdAt:asc', 'updatedAt:desc', 'price:asc']) {
    const found: string[] = [];
    for await (const page of readEntries(service.db, uncachedView(undefined), account.uuid, collectionId, { sort }))
      found.push(...page.entries.map((entry) => publicId('ent', entry.id)));
    assert.deepEqual(found.sort(), idsOf(entries.values()).sort(), sort);
  }
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

/** An account with entries of many versions, some of which are published, in a collection with every member that entries can have. */
async function publishedEntries() {
  const account = await service.newAccount();
  const locales = ['en', 'de'].map((locale) => ({ locale, fallback: null }));
  await ok('PUT /v1/cms/locales', account, { default: 'en', locales });
  const fields = [{ id: 'title', label: 'Title', type: 'text', localized: true }];
  const path = await service.newCollection(account, fields, { publishing: true });
  for (let i = 0; i < 9; i++) {
    const { id } = await service.createEntry(account, path, { title: `Größe ${i}` });
    if (i % 3 > 0) await ok(`POST ${path}/entries/${id}/publish`, account, {});
    if (i % 3 > 1) await ok(`PATCH ${path}/entries/${id}`, account, { values: { 'title@de': 'später' } });
  }
  return { account, path };
}

test('pages that are requested together are what they are alone, and their entries what they are by themselves', async () => {
  const plain = await manyEntries(30);
  const [often = ''] = plain.entries.keys();
  for (let i = 0; i < 12; i++)
    await ok(`PATCH ${plain.path}/entries/${often}`, plain.account, { values: { price: i } });
  const text = async (account: Account, url: string) => {
    const { statusCode, body } = await service.app.inject({ url, headers: { 'x-api-key': `Bearer ${account.token}` } });
    assert.equal(statusCode, 200, body);
    return body;
  };
  const alone: { account: Account; url: string; page: string }[] = [];
  for (const { account, path } of [plain, await manyEntries(20), await publishedEntries()]) {
    const hasLocales = (await service.readCollection(account, path)).locales !== null;
    for (const view of ['', ...(hasLocales ? ['&locale=de', '&state=published'] : [])]) {
      for (const sort of ['createdAt:asc', 'createdAt:desc', 'updatedAt:asc', 'updatedAt:desc']) {
        for (let token: string | null = ''; token !== null; ) {
          const url = `${path}/entries?pageSize=4&sort=${sort}&pageToken=${token}${view}`;
          const page = await text(account, url);
          const { entries, nextPageToken }: { entries: Entry[]; nextPageToken: string | null } = JSON.parse(page);
          const each = entries.map(({ id }) => text(account, `${path}/entries/${id}?${view.slice(1)}`));
          assert.equal(
            page,
            `{"entries":[${await Promise.all(each)}],"nextPageToken":${JSON.stringify(nextPageToken)}}`,
          );
          alone.push({ account, url, page });
          token = nextPageToken;
        }
      }
    }
  }
  const check = () =>
    Promise.all(alone.map(async ({ account, url, page }) => assert.equal(await text(account, url), page, url)));
  await check();
  // The collection changes while its pages are read.
  await Promise.all([check(), ok(`PATCH ${plain.path}`, plain.account, { name: 'Other' }), check()]);
  // Behind the cursor of a page is nothing any more.
  const first = alone[0];
  assert.ok(first);
  const { entries, nextPageToken } = JSON.parse(first.page);
  const kept = new Set(entries.map(({ id }: Entry) => id));
  for (const id of plain.entries.keys())
    if (!kept.has(id)) await ok(`DELETE ${plain.path}/entries/${id}`, plain.account);
  const [whole, none] = await Promise.all(
    ['', nextPageToken].map((token) => text(plain.account, `${plain.path}/entries?pageSize=4&pageToken=${token}`)),
  );
  assert.deepEqual(
    [whole, none],
    [first.page.replace(/"nextPageToken".*/, '"nextPageToken":null}'), '{"entries":[],"nextPageToken":null}'],
  );
});
