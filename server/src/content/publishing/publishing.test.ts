import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { filePart, PNG } from '../../../test/furnished-account.ts';
import type { Account, Answer } from '../../../test/harness.ts';
import { backfillChunk } from '../collections/backfill-fields.ts';
import { updateCollection } from '../collections/update-collection.ts';
import type { Entry } from '../entries/contract.ts';
import { emptyTrash } from '../history/empty-trash.ts';
import { contentService, faultsOf } from '../test-support.ts';

const service = await contentService();
const { call, ok, db, newAccount, newCollection, createEntry, listAll } = service;

const TITLE = { id: 'title', label: 'Title', type: 'text', required: true };
const SLUG = { id: 'slug', label: 'Slug', type: 'text', unique: true };
const COUNT = { id: 'count', label: 'Count', type: 'number' };
const COVER = { id: 'cover', label: 'Cover', type: 'asset' };
const SEO = {
  id: 'seo',
  label: 'SEO',
  type: 'group',
  fields: [{ id: 'text', label: 'Text', type: 'text', required: true }],
};

const newDrafts = (account: Account, fields: unknown[] = [TITLE, SLUG, COUNT, SEO]) =>
  newCollection(account, fields, { publishing: true });

async function setup(fields?: unknown[]) {
  const account = await newAccount();
  const path = await newDrafts(account, fields);
  const post = (entry: Entry, verb: string, body: unknown = {}) =>
    call(`POST ${path}/entries/${entry.id}/${verb}`, { as: account, body });
  const publish = (entry: Entry) => ok(`POST ${path}/entries/${entry.id}/publish`, account, {});
  const change = (entry: Entry, values: unknown): Promise<Entry> =>
    ok(`PATCH ${path}/entries/${entry.id}`, account, { values });
  const published = (query: [string, string][] = []): Promise<Entry[]> =>
    listAll(account, path, [['state', 'published'], ...query], 2);
  return { account, path, post, publish, change, published };
}

test('an entry stays as it was published until it is published again', async () => {
  const { account, path, post, publish, change, published } = await setup();
  const entry = await createEntry(account, path, { title: 'One', count: 1 });
  assert.deepEqual([entry.publishedVersion, entry.publishedAt], [null, null]);
  assert.deepEqual(await published(), []);
  const asPublished = () => call(`GET ${path}/entries/${entry.id}?state=published`, { as: account });
  assert.equal((await asPublished()).status, 404);

  service.clock.now += 1_000;
  const first = await publish(entry);
  assert.deepEqual(first, { ...entry, publishedVersion: 1, publishedAt: new Date(service.clock.now).toISOString() });
  assert.deepEqual(await ok(`GET ${path}/entries/${entry.id}`, account), first);
  assert.deepEqual(await ok(`GET ${path}/entries?sort=title:asc`, account), { entries: [first], nextPageToken: null });

  const draft = await change(entry, { title: 'Two', count: null });
  assert.deepEqual([draft.version, draft.publishedVersion], [2, 1]);
  for (const read of [(await published())[0], (await asPublished()).body]) {
    assert.deepEqual([read.values, read.version, read.publishedVersion], [{ title: 'One', count: 1 }, 1, 1]);
  }
  const found = async (query: [string, string]) => (await published([query])).length;
  assert.deepEqual([await found(['q', 'one']), await found(['q', 'two'])], [1, 0]);
  assert.deepEqual([await found(['filter[count][eq]', '1']), await found(['filter[count][exists]', 'false'])], [1, 0]);

  const conflict = await post(entry, 'publish', { version: 1 });
  assert.deepEqual(faultsOf(conflict), ['/version version_conflict']);
  await publish(entry);
  assert.deepEqual((await published())[0]?.values, { title: 'Two' });
  assert.deepEqual([await found(['q', 'one']), await found(['filter[count][exists]', 'false'])], [0, 1]);

  const unpublished = await ok(`POST ${path}/entries/${entry.id}/unpublish`, account, { version: 2 });
  assert.deepEqual([unpublished.version, unpublished.publishedVersion, unpublished.publishedAt], [2, null, null]);
  assert.deepEqual([await published(), (await asPublished()).status], [[], 404]);
  assert.deepEqual(await ok(`POST ${path}/entries/${entry.id}/unpublish`, account, {}), unpublished, 'again: nothing');
});

test('required and unique fields apply to what is published, and every fault is named', async () => {
  const { account, path, post, publish, change } = await setup([TITLE, SLUG, COUNT, SEO, { ...COUNT, id: 'gone' }]);
  const [first, second] = [
    await createEntry(account, path, { slug: 'a', seo: {} }),
    await createEntry(account, path, { slug: 'a', title: 'x' }),
  ];
  assert.deepEqual(faultsOf(await post(first, 'publish')), ['/values/seo/text required', '/values/title required']);
  await publish(second);
  await change(first, { title: 'y', seo: null });
  const taken = await post(first, 'publish');
  assert.deepEqual(faultsOf(taken), ['/values/slug value_taken']);
  assert.ok(taken.body.detail.includes(second.id));
  // The published entry keeps its value while its draft has another.
  await change(second, { slug: 'b' });
  assert.equal((await post(first, 'publish')).status, 400);
  await publish(second);
  await publish(first);
  await ok(`DELETE ${path}/entries/${first.id}`, account);
  await change(second, { slug: 'a' });
  await publish(second);

  const several = (verb: string, entryIds: string[], collection = path) =>
    call(`POST ${collection}/${verb}`, { as: account, body: { entryIds } });
  const third = await createEntry(account, path, { title: 'z', slug: 'a' });
  const empty = await createEntry(account, path, {});
  const unknown = await several('publish', [third.id, first.id, 'ent_x']);
  assert.deepEqual(faultsOf(unknown), [
    '/entryIds/0/values/slug value_taken',
    '/entryIds/1 entry_unknown',
    '/entryIds/2 entry_unknown',
  ]);
  assert.deepEqual(faultsOf(await several('publish', [third.id, empty.id])), [
    '/entryIds/0/values/slug value_taken',
    '/entryIds/1/values/title required',
  ]);
  assert.deepEqual(faultsOf(await several('publish', [second.id, third.id])), ['/entryIds/1/values/slug value_taken']);
  await change(third, { slug: 'c' });
  const { body } = await several('publish', [third.id, second.id]);
  assert.deepEqual(
    body.entries.map(({ id }: Entry) => id),
    [third.id, second.id],
  );
  assert.equal((await several('unpublish', [third.id, empty.id])).body.entries[0].publishedVersion, null);

  const plain = await newCollection(account, [TITLE]);
  const entry = await createEntry(account, plain, { title: 'x' });
  assert.ok(!('publishedVersion' in entry), 'a client of other collections sees nothing of publishing');
  assert.ok(!('publishing' in (await ok(`GET ${plain}`, account))));
  for (const request of [`POST ${plain}/entries/${entry.id}/publish`, `POST ${plain}/publish`]) {
    const answer = await call(request, { as: account, body: request.includes('ent_') ? {} : { entryIds: [entry.id] } });
    assert.deepEqual(faultsOf(answer), [' publishing_disabled']);
  }
  const read = await call(`GET ${plain}/entries?state=published`, { as: account });
  assert.deepEqual(faultsOf(read), ['?state publishing_disabled']);
  const misspelt = await call(`GET ${path}/entries?state=x`, { as: account });
  assert.deepEqual(faultsOf(misspelt), ['?state not_allowed']);
});

test('a draft can be discarded, restored and trashed without touching what is published', async () => {
  const { account, path, post, publish, change, published } = await setup();
  const entry = await createEntry(account, path, { title: 'One' });
  assert.deepEqual(faultsOf(await post(entry, 'discard-draft')), [' not_published']);
  await publish(entry);
  await change(entry, { title: 'Two', count: 5 });
  const { body: discarded } = await post(entry, 'discard-draft', { version: 2 });
  assert.deepEqual([discarded.values, discarded.version, discarded.publishedVersion], [{ title: 'One' }, 3, 3]);
  const { versions } = await ok(`GET ${path}/entries/${entry.id}/versions`, account);
  assert.deepEqual(
    versions.map(({ version, restoredFrom }: Record<string, unknown>) => [version, restoredFrom]),
    [
      [3, 1],
      [2, null],
      [1, null],
    ],
  );
  assert.equal((await published())[0]?.version, 3);
  assert.equal((await post(entry, 'discard-draft')).body.version, 3, 'nothing to discard');

  await ok(`DELETE ${path}/entries/${entry.id}`, account);
  assert.deepEqual(await published(), []);
  const restored = await ok(`PATCH ${path}/entries/${entry.id}`, account, { status: 'active' });
  assert.deepEqual([restored.status, restored.publishedVersion], ['active', restored.version], 'published as it was');
  assert.equal((await published()).length, 1);
});

test('a file stays in use as long as a published version shows it', async () => {
  const { account, path, publish, change } = await setup([TITLE, COVER]);
  const { payload, headers } = filePart('file', 'a.png', PNG);
  const { assetId } = (await call('POST /v1/files/upload', { as: account, body: payload, headers })).body;
  const uses = async () => (await ok(`GET /v1/files/${assetId}`, account)).usedBy.length;
  const entry = await createEntry(account, path, { title: 'x', cover: { assetId } });
  await publish(entry);
  await change(entry, { cover: null });
  assert.equal(await uses(), 1);
  await publish(entry);
  assert.equal(await uses(), 0);
});

test('publishing can be turned on for existing entries, and off once none is published', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [TITLE, SLUG]);
  const [one, two] = [
    await createEntry(account, path, { title: 'a', slug: 's' }),
    await createEntry(account, path, { title: 'b' }),
  ];
  const turn = (publishing: boolean) => call(`PATCH ${path}`, { as: account, body: { publishing } });
  assert.equal((await turn(true)).body.publishing, true);
  await ok(`PATCH ${path}/entries/${two.id}`, account, { values: { slug: 's' } });
  await ok(`POST ${path}/entries/${one.id}/publish`, account, {});
  assert.deepEqual(faultsOf(await turn(false)), ['/publishing entries_published']);
  await ok(`POST ${path}/entries/${one.id}/unpublish`, account, {});
  const refused = await turn(false);
  assert.deepEqual(faultsOf(refused), ['/fields/1/unique values_not_unique']);
  await ok(`PATCH ${path}/entries/${two.id}`, account, { values: { slug: 't' } });
  assert.ok(!('publishing' in (await turn(false)).body));
  const again = await call(`POST ${path}/entries`, { as: account, body: { values: { title: 'c', slug: 't' } } });
  assert.deepEqual(faultsOf(again), ['/values/slug value_taken']);
});

test('fields that are added later sort and filter published entries, also when a worker indexes them', async () => {
  const { account, path, publish, published } = await setup([TITLE]);
  for (const title of ['a', 'b', 'c']) await publish(await createEntry(account, path, { title }));
  await createEntry(account, path, { title: 'draft' });
  for (const [id, maxRows] of [
    ['few', 20_000],
    ['many', 0],
  ] as const) {
    const sent = { fields: [{ id, label: id, type: 'number' as const }] };
    const collectionId = path.split('/').at(-1) ?? '';
    await updateCollection(db, account.uuid, collectionId, sent, service.clock.now, maxRows);
    const check = async () => {
      assert.equal((await published([['sort', `${id}:desc`]])).length, 3);
      assert.equal((await published([[`filter[${id}][exists]`, 'false']])).length, 3);
    };
    await check();
    while (await backfillChunk(db, 2));
    await check();
  }
});

/** Rows that remain of an account in the tables of publishing. */
async function publishedRows(account: Account): Promise<number[]> {
  const tables = ['published_entries', 'published_texts', 'entry_keys', 'entry_index'];
  const counts = tables.map((table) =>
    db.query(`select count(*)::int from ${table} where account_id = $1`, [account.uuid]),
  );
  return (await Promise.all(counts)).map(({ rows }) => rows[0].count);
}

test('what is published is what a model says, after any sequence of changes by several people at once', async () => {
  const step = fc.record({
    at: fc.nat(3),
    do: fc.constantFrom(
      'write',
      'write',
      'publish',
      'publish',
      'unpublish',
      'discard-draft',
      'delete',
      'restore',
      'several',
    ),
    value: fc.nat(4),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), async (steps) => {
      const { account, path, post, published } = await setup();
      const entries = [];
      for (let i = 0; i < 4; i++) entries.push(await createEntry(account, path, {}));
      const model = entries.map(() => ({
        draft: {} as Record<string, unknown>,
        live: undefined as unknown,
        /** What was live when it was deleted. */
        kept: undefined as unknown,
        deleted: false,
      }));
      for (const { at, do: action, value } of steps) {
        const [entry, state] = [entries[at] as Entry, model[at] as (typeof model)[number]];
        const one = `${path}/entries/${entry.id}`;
        const values = value === 0 ? { title: null } : { title: `t${value}`, slug: `s${value}`, count: value };
        let answer: Answer;
        if (action === 'write') answer = await call(`PATCH ${one}`, { as: account, body: { values } });
        else if (action === 'delete') answer = await call(`DELETE ${one}`, { as: account });
        else if (action === 'restore') answer = await call(`PATCH ${one}`, { as: account, body: { status: 'active' } });
        else if (action === 'several') {
          answer = await call(`POST ${path}/publish`, { as: account, body: { entryIds: entries.map(({ id }) => id) } });
        } else answer = await post(entry, action);
        if (answer.status !== 200) continue;
        if (action === 'write') {
          state.draft = Object.fromEntries(
            Object.entries({ ...state.draft, ...values }).filter(([, each]) => each !== null),
          );
        } else if (action === 'publish') state.live = { ...state.draft };
        else if (action === 'several') for (const each of model) each.live = { ...each.draft };
        else if (action === 'unpublish') state.live = undefined;
        else if (action === 'discard-draft') state.draft = { ...(state.live as object) };
        else if (action === 'delete' && !state.deleted) Object.assign(state, { kept: state.live, live: undefined });
        else if (action === 'restore' && state.deleted) Object.assign(state, { kept: undefined, live: state.kept });
        state.deleted = action === 'delete' || (state.deleted && action !== 'restore');
      }
      const live = model.flatMap(({ live }) => (live ? [live] : []));
      assert.deepEqual(
        (await published()).map(({ values }) => values),
        live,
      );
      const slugs = live.flatMap((values) => (values as { slug?: string }).slug ?? []);
      assert.equal(new Set(slugs).size, slugs.length);
      for (const sort of ['title:asc', 'count:desc', 'updatedAt:desc'])
        assert.equal((await published([['sort', sort]])).length, live.length);
      for (let value = 1; value <= 4; value++) {
        const expected = live.filter((values) => (values as { count?: number }).count === value).length;
        assert.equal((await published([['filter[count][eq]', String(value)]])).length, expected);
        assert.equal(
          (await published([['q', `t${value}`]])).length,
          live.filter((v) => (v as { title: string }).title === `t${value}`).length,
        );
      }
      for (const { id } of entries) await call(`DELETE ${path}/entries/${id}`, { as: account });
      assert.deepEqual(await publishedRows(account), [0, 0, 0, 0], 'nothing remains of deleted entries');
    }),
    { numRuns: 12 },
  );
  await emptyTrash(db, service.clock.now + 1, service.clock.now, 100, new AbortController().signal);
});

test('entries that are published together are seen together', async () => {
  const { account, path, published } = await setup([TITLE]);
  const entries: Entry[] = [];
  for (let i = 0; i < 40; i++) entries.push(await createEntry(account, path, { title: 'a' }));
  const all = { entryIds: entries.map(({ id }) => id) };
  await ok(`POST ${path}/publish`, account, all);
  let isDone = false;
  const reader = async () => {
    while (!isDone) {
      const { entries: page } = await ok(`GET ${path}/entries?state=published&pageSize=100`, account);
      assert.equal(new Set(page.map(({ values }: Entry) => values.title)).size, 1, 'before or after, never between');
    }
  };
  const readers = Array.from({ length: 5 }, reader);
  for (const title of ['b', 'c', 'd']) {
    for (const { id } of entries) await ok(`PATCH ${path}/entries/${id}`, account, { values: { title } });
    await ok(`POST ${path}/publish`, account, all);
  }
  isDone = true;
  await Promise.all(readers);
  assert.equal((await published()).length, 40);
});

test('no locale loses its draft by what is written, published or deleted in another one (payload#1512, #2878, #7211, #15980)', async () => {
  const account = await newAccount();
  const locales = ['en', 'de', 'es'].map((locale) => ({ locale }));
  await ok('PUT /v1/cms/locales', account, { default: 'en', locales });
  const body = { id: 'body', label: 'Body', type: 'text', format: 'richtext', localized: true };
  const more = { publishing: true, public: true };
  const path = await newCollection(account, [{ ...TITLE, localized: true }, body, COUNT], more);
  const both = [await createEntry(account, path, { title: 'One' }), await createEntry(account, path, { title: 'Two' })];
  const at = ({ id }: Entry) => `${path}/entries/${id}`;
  const forBoth = <Result>(request: (entry: Entry) => Promise<Result>) => Promise.all(both.map(request));
  const write = (values: object) => forBoth((entry) => ok(`PATCH ${at(entry)}`, account, { values }));
  const drafts = () => forBoth(async (entry): Promise<Entry> => ok(`GET ${at(entry)}`, account));

  // One locale after the other, then a field of all locales.
  await write({ 'title@de': 'Eins', 'body@de': { markdown: 'Hallo' } });
  await write({ 'title@es': 'Uno', 'body@es': { markdown: 'Hola' } });
  await write({ count: 3 });
  const titles = async () =>
    (await drafts()).map(({ values }) => [
      values['title@de'],
      values['title@es'],
      values.count,
      Boolean(values['body@de']),
    ]);
  assert.deepEqual(await titles(), Array(2).fill(['Eins', 'Uno', 3, true]));

  // One locale is published; the drafts of the others stay, and are not public.
  await forBoth((entry) => ok(`POST ${at(entry)}/publish`, account, { locales: ['en', 'de'] }));
  await write({ 'title@de': 'Entwurf', 'title@es': 'Borrador' });
  const content = async (locale: string) => {
    const url = `/v1/content/${path.split('/').at(-1)}?key=${account.apiKey}&locale=${locale}&richtext=html`;
    return (await call(`GET ${url}`)).body.entries.map(({ values }: Entry) => [values.title, values.body]);
  };
  assert.deepEqual(await content('de'), Array(2).fill(['Eins', '<p>Hallo</p>']));
  assert.deepEqual(await content('es'), [
    ['One', undefined],
    ['Two', undefined],
  ]);

  // Both are deleted and restored at the same time, with drafts that are newer than what is published.
  const before = await drafts();
  await forBoth((entry) => ok(`PATCH ${at(entry)}`, account, { status: 'deleted' }));
  await forBoth((entry) => ok(`PATCH ${at(entry)}`, account, { status: 'active' }));
  const after = await drafts();
  assert.deepEqual(
    after.map(({ values }) => values),
    before.map(({ values }) => values),
  );
  assert.deepEqual(await titles(), Array(2).fill(['Entwurf', 'Borrador', 3, true]));
  await forBoth((entry) => ok(`POST ${at(entry)}/publish`, account, {}));
  assert.deepEqual(await content('es'), Array(2).fill(['Borrador', '<p>Hola</p>']));
});
