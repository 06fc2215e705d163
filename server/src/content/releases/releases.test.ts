// Slow: releases in every order while others write.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/until.ts';
import { parseId } from '../../shared/ids.ts';
import type { Entry } from '../entries/contract.ts';
import { faultsOf } from '../test-support.ts';
import type { Release } from './contract.ts';
import {
  call,
  clock,
  createEntry,
  db,
  inMs,
  newAccount,
  newCollection,
  ok,
  RELEASES,
  runDue,
  service,
  setup,
  TITLE,
} from './test-releases.ts';

test('a scheduled version is published at its time, even if the entry was edited since, and unpublished at another', async () => {
  const { account, path, itemOf, create, items, read, published, rename } = await setup();
  const entry = await createEntry(account, path, { title: 'One' });
  const planned = await create({ at: inMs(60_000), items: [itemOf(entry)] });
  assert.deepEqual(
    [planned.status, planned.itemCount, planned.item?.version, planned.item?.title],
    ['scheduled', 1, 1, 'One'],
  );
  const latest = await create({ at: inMs(90_000), items: [itemOf(entry, { version: null })] });
  const end = await create({ at: inMs(120_000), items: [itemOf(entry, { action: 'unpublish' })] });
  // More versions than are kept.
  for (let i = 0; i < service.config.entryVersions + 2; i++) await rename(entry, `Draft ${i}`);
  const moved = await ok(`PATCH ${RELEASES}/${planned.id}`, account, { at: inMs(61_000) });
  const kept = await items(moved);
  assert.deepEqual([kept[0].version, moved.version], [1, 2], 'the pinned version is kept with the release');
  const written = await ok(`PATCH ${RELEASES}/${planned.id}`, account, { ...moved, items: kept });
  assert.deepEqual(await items(written), kept, 'what was read can be sent back');

  const due = async (ms: number) => {
    clock.now += ms;
    await runDue();
  };
  await due(60_500);
  assert.equal(await published(entry), undefined, 'not before its time');
  await due(600);
  assert.equal(await published(entry), 'One');
  const done = await read(planned);
  assert.deepEqual([done.status, done.errors, done.finishedAt], ['completed', null, new Date(clock.now).toISOString()]);
  await due(30_000);
  assert.equal(await published(entry), `Draft ${service.config.entryVersions + 1}`);
  await due(30_000);
  assert.equal(await published(entry), undefined);
  assert.deepEqual([(await read(latest)).status, (await read(end)).status], ['completed', 'completed']);
  const changed = await call(`PATCH ${RELEASES}/${end.id}`, { as: account, body: { name: 'x' } });
  assert.deepEqual(faultsOf(changed), [' release_finished']);

  const canceled = await create({ at: inMs(1_000), items: [itemOf(entry)] });
  assert.equal((await ok(`DELETE ${RELEASES}/${canceled.id}`, account)).status, 'canceled');
  await due(2_000);
  assert.equal(await published(entry), undefined);
});

test('the items of a release and the releases of a period are paged', async () => {
  const { account, path, itemOf, create } = await setup();
  const entries: Entry[] = [];
  for (const title of ['A', 'B', 'C']) entries.push(await createEntry(account, path, { title }));
  const pages = async (list: string, name: string) => {
    const all: unknown[] = [];
    for (let token = ''; ; ) {
      const page = await ok(`GET ${RELEASES}${list}pageSize=2&pageToken=${token}`, account);
      assert.ok(page[name].length <= 2);
      all.push(...page[name]);
      token = page.nextPageToken;
      if (token === null) return all as never[];
    }
  };
  const large = await create({ name: 'Large', items: entries.map((entry) => itemOf(entry)) });
  assert.deepEqual([large.itemCount, large.item?.title], [3, 'A']);
  const titles = (await pages(`/${large.id}/items?`, 'items')).map(({ title }) => title);
  assert.deepEqual(titles, ['A', 'B', 'C']);
  // Of two releases of the same time, the older one comes first.
  const minutes = [30, 10, 20, 10];
  const created: Release[] = [];
  for (const each of minutes) {
    clock.now += 1;
    created.push(
      await create({ name: 'Timed', at: new Date(Math.ceil(clock.now / 60_000 + each) * 60_000).toISOString() }),
    );
  }
  const inOrder = [1, 3, 2, 0].map((i) => created[i]?.id);
  const period = await pages(`?from=${inMs(0)}&`, 'releases');
  assert.deepEqual(
    period.map(({ id }) => id),
    inOrder,
  );
  const before = await pages(`?to=${created[2]?.at}&status=pending&`, 'releases');
  assert.deepEqual(
    before.map(({ id }) => id),
    inOrder.slice(0, 2),
  );
  await ok(`DELETE ${RELEASES}/${created[0]?.id}`, account);
  const pending = await pages('?status=pending&', 'releases');
  assert.deepEqual(
    pending.map(({ id }) => id),
    [...created.slice(1).toReversed(), large].map(({ id }) => id),
  );
});

test('invalid schedules are refused with specific codes', async () => {
  const { account, path, itemOf, create, refused } = await setup();
  const entry = await createEntry(account, path, { title: 'One' });
  const empty = await createEntry(account, path, {});
  const plain = await newCollection(account, [TITLE]);
  const unmanaged = await createEntry(account, plain, { title: 'x' });
  const elsewhere = await newAccount();
  const foreign = await createEntry(elsewhere, await newCollection(elsewhere, [TITLE], { publishing: true }), {
    title: 'x',
  });
  const at = inMs(1_000);
  assert.deepEqual(await refused({ at: inMs(-1), items: [itemOf(entry)] }), ['/at time_past']);
  assert.deepEqual(await refused({ at, items: [itemOf(entry, { version: 7 })] }), ['/items/0/version version_unknown']);
  assert.deepEqual(await refused({ at, items: [itemOf(entry), itemOf(empty)] }), ['/items/1/values/title required']);
  const items = [
    itemOf(entry),
    itemOf(foreign),
    { ...itemOf(foreign), collectionId: entry.collectionId },
    itemOf(unmanaged),
    itemOf(entry),
  ];
  assert.deepEqual(await refused({ items }), [
    '/items/1/collectionId collection_unknown',
    '/items/2/entryId entry_repeated',
    '/items/2/entryId entry_unknown',
    '/items/3/collectionId publishing_disabled',
    '/items/4/entryId entry_repeated',
  ]);
  const open = await create({ name: 'Later', items: [itemOf(empty)] });
  assert.equal(open.status, 'open', 'an unfinished draft can wait in a release without a time');
  const stale = await call(`PATCH ${RELEASES}/${open.id}`, { as: account, body: { name: 'x', version: 9 } });
  assert.deepEqual(faultsOf(stale), ['/version version_conflict']);
  const none = await create({ name: 'Empty' });
  assert.deepEqual(faultsOf(await call(`POST ${RELEASES}/${none.id}/publish`, { as: account })), [
    '/items release_empty',
  ]);
});

test('a release that is too large to be read as a whole is refused, also when its entries have grown since', async () => {
  const { account, path, itemOf, create, refused } = await setup();
  const entry = await createEntry(account, path, { title: 'Small' });
  const release = await create({ items: [itemOf(entry)] });
  const values = JSON.stringify({ title: 'x'.repeat(20_000_000) });
  await db.query('update entries set "values" = $1 where account_id = $2', [values, account.uuid]);
  assert.deepEqual(await refused({ items: [itemOf(entry)] }), ['/items release_too_large']);
  const publication = await call(`POST ${RELEASES}/${release.id}/publish`, { as: account });
  assert.deepEqual(faultsOf(publication), ['/items release_too_large']);
});

test('a release is published entirely, or not at all and with every fault by entry and field', async () => {
  const { account, path, other, itemOf, create, read, published, rename } = await setup();
  const holder = await createEntry(account, path, { title: 'Holder', slug: 'a' });
  const [first, second] = [
    await createEntry(account, path, { title: 'First', slug: 'a' }),
    await createEntry(account, path, {}),
  ];
  const [third, fourth] = [
    await createEntry(account, other, { title: 'Third' }),
    await createEntry(account, other, {}),
  ];
  await ok(`POST ${path}/entries/${holder.id}/publish`, account, {});
  const latest = { version: null };
  const items = [itemOf(third, latest), itemOf(first, latest), itemOf(fourth, latest), itemOf(second, latest)];
  const release = await create({ name: 'Launch', items });
  const publishNow = () => call(`POST ${RELEASES}/${release.id}/publish`, { as: account });
  assert.deepEqual(faultsOf(await publishNow()), [
    '/items/1/values/slug value_taken',
    '/items/2/values/title required',
    '/items/3/values/title required',
  ]);
  for (const entry of [first, second, third, fourth]) assert.equal(await published(entry), undefined);
  assert.equal((await read(release)).status, 'open');

  await rename(second, 'Second');
  await rename(fourth, 'Fourth');
  // The entry that has the slug leaves in the same release.
  await ok(`PATCH ${RELEASES}/${release.id}`, account, { items: [...items, itemOf(holder, { action: 'unpublish' })] });
  assert.equal((await publishNow()).body.status, 'completed');
  const titles = await Promise.all([first, second, third, fourth, holder].map(published));
  assert.deepEqual(titles, ['First', 'Second', 'Third', 'Fourth', undefined]);
  assert.deepEqual(faultsOf(await publishNow()), [' release_finished']);
});

test('conditions name what is published of an entry: nothing, all, not its changes, and what waits for its time', async () => {
  const { account, path, itemOf, create, rename } = await setup();
  await ok('PUT /v1/cms/locales', account, { default: 'en', locales: [{ locale: 'en' }, { locale: 'de' }] });
  await ok(`PATCH ${path}`, account, { fields: [{ ...TITLE, localized: true }] });
  const names = ['draft', 'published', 'changed', 'partly', 'planned', 'done'];
  const all: Record<string, Entry> = {};
  for (const name of names) all[name] = await createEntry(account, path, { title: name, 'title@de': name, slug: name });
  const of = (name: string) => all[name] as Entry;
  const publish = (name: string, body = {}) => ok(`POST ${path}/entries/${of(name).id}/publish`, account, body);
  for (const name of ['published', 'changed', 'planned', 'done']) await publish(name);
  await rename(of('changed'), 'new');
  await publish('partly');
  await rename(of('partly'), 'new');
  await publish('partly', { locales: ['de'] });
  await create({ items: [itemOf(of('planned'), { action: 'unpublish' }), itemOf(of('draft'))], at: inMs(60_000) });
  const done = await create({ items: [itemOf(of('done'), { action: 'unpublish' })] });
  await ok(`POST ${RELEASES}/${done.id}/publish`, account);
  const query = async (where: object, more = '') => {
    const url = `GET ${path}/entries?where=${encodeURIComponent(JSON.stringify(where))}${more}`;
    const { entries } = await ok(url, account);
    return entries
      .map(({ values }: Entry) => values.slug)
      .sort()
      .join(' ');
  };
  const is = (state: unknown) => ({ publishingState: state });
  const found: [object, string][] = [
    [is({ eq: 'draft' }), 'done draft'],
    [is({ eq: 'published' }), 'planned published'],
    [is({ eq: 'changed' }), 'changed partly'],
    [is({ eq: 'scheduled' }), 'draft planned'],
    [is({ ne: 'scheduled' }), 'changed done partly published'],
    [is({ in: ['changed', 'scheduled'] }), 'changed draft partly planned'],
    [is({ nin: 'draft,published' }), 'changed partly'],
    [{ and: [is({ eq: 'draft' }), { slug: { eq: 'done' } }] }, 'done'],
  ];
  for (const [where, expected] of found) assert.equal(await query(where), expected, JSON.stringify(where));
  assert.equal(await query(is({ eq: 'changed' }), '&state=published'), 'changed partly');
  const refused = async (where: object) =>
    faultsOf(await call(`POST ${path}/entries/query`, { as: account, body: { where } }));
  assert.deepEqual(await refused(is({ eq: 'x' })), ['/where/publishingState/eq value_invalid']);
  assert.deepEqual(await refused(is({ exists: true })), ['/where/publishingState/exists operator_not_allowed']);
  const plain = await newCollection(account, [TITLE]);
  const unknown = await call(`POST ${plain}/entries/query`, { as: account, body: { where: is({ eq: 'draft' }) } });
  assert.deepEqual(faultsOf(unknown), ['/where/publishingState field_unknown']);
  await ok(`PATCH ${path}`, account, { public: true });
  const everyone = `POST /v1/content/${path.split('/').at(-1)}/query?key=${account.apiKey}`;
  assert.deepEqual(faultsOf(await call(everyone, { body: { where: is({ eq: 'draft' }) } })), [
    '/where/publishingState field_unknown',
  ]);
});

test('a release that fails at its time keeps the reason, is sent to webhooks, and can be scheduled again', async () => {
  const { account, path, itemOf, create, read, published, rename } = await setup();
  await ok('POST /v1/webhooks', account, { url: 'https://hooks.example/', events: ['release.failed'] });
  const [good, bad, gone] = [
    await createEntry(account, path, { title: 'Good' }),
    await createEntry(account, path, { title: 'Bad' }),
    await createEntry(account, path, { title: 'Gone' }),
  ];
  const release = await create({
    name: 'Friday',
    at: inMs(1_000),
    items: [itemOf(good), itemOf(bad, { version: null }), itemOf(gone)],
  });
  await rename(bad, null);
  await ok(`DELETE ${path}/entries/${gone.id}`, account);
  clock.now += 2_000;
  await runDue();
  const failed = await read(release);
  assert.equal(failed.status, 'failed');
  assert.deepEqual(
    failed.errors?.map(({ pointer, code }) => `${pointer} ${code}`),
    ['/items/2 entry_unknown', '/items/1/values/title required'],
  );
  assert.equal(await published(good), undefined);
  const { rows } = await db.query(
    "select data::json as data from outbox where account_id = $1 and topic = 'release.failed'",
    [account.uuid],
  );
  const { by: _, ...sent } = failed;
  assert.deepEqual(rows[0].data[0], sent);
  const list = await ok(`GET ${RELEASES}?status=failed&entryId=${bad.id}&collectionId=${bad.collectionId}`, account);
  const own = { ...itemOf(bad), action: 'publish', version: null, title: null };
  assert.deepEqual(list.releases, [{ ...failed, item: own }], 'with the item of the entry, of three');
  const between = (from: number, to: number) => ok(`GET ${RELEASES}?from=${inMs(from)}&to=${inMs(to)}`, account);
  assert.deepEqual([(await between(-1_000, 0)).releases.length, (await between(0, 9_000)).releases.length], [1, 0]);

  await rename(bad, 'Better');
  const again = { at: inMs(1_000), items: [itemOf(good), itemOf(bad, { version: null })] };
  assert.deepEqual([(await ok(`PATCH ${RELEASES}/${release.id}`, account, again)).status], ['scheduled']);
  clock.now += 2_000;
  await runDue();
  assert.deepEqual(
    [await published(good), await published(bad), (await read(release)).errors],
    ['Good', 'Better', null],
  );
});

test('webhooks number every change of an entry upwards, also if an older version is published', async () => {
  const { account, path, itemOf, create, rename } = await setup();
  const events = ['entry.created', 'entry.updated', 'entry.published', 'entry.unpublished', 'entry.deleted'];
  await ok('POST /v1/webhooks', account, { url: 'https://hooks.example/', events });
  const entry = await createEntry(account, path, { title: 'One' });
  await create({ at: inMs(1_000), items: [itemOf(entry)] });
  await rename(entry, 'Two');
  await rename(entry, 'Three');
  clock.now += 2_000;
  await runDue();
  const post = (action: string) => ok(`POST ${path}/entries/${entry.id}/${action}`, account, {});
  await post('unpublish');
  await post('publish');
  await rename(entry, 'Four');
  await ok(`DELETE ${path}/entries/${entry.id}`, account);
  const { rows } = await db.query(
    'select topic, sequences[1]::int as sequence, data::json->0 as data from outbox where account_id = $1 order by id',
    [account.uuid],
  );
  const sent = rows.filter(({ topic }) => topic.startsWith('entry.'));
  assert.deepEqual(
    sent.map(({ topic, sequence, data }) => [
      topic.slice(6),
      sequence,
      data.version,
      data.publishedVersion,
      data.values.title,
    ]),
    [
      ['created', 1, 1, null, 'One'],
      ['updated', 2, 2, null, 'Two'],
      ['updated', 3, 3, null, 'Three'],
      ['published', 4, 3, 1, 'One'],
      ['unpublished', 5, 3, null, 'Three'],
      ['published', 6, 3, 3, 'Three'],
      ['updated', 7, 4, 3, 'Four'],
      ['unpublished', 8, 4, null, 'Four'],
      ['deleted', 9, 5, null, 'Four'],
    ],
  );
});

test('a release is renamed and loses its time although an entry of it was deleted, but gets no time', async () => {
  const { account, path, itemOf, create, items } = await setup();
  const entry = await createEntry(account, path, { title: 'One' });
  const release = await create({ name: 'Plan', at: inMs(60_000), items: [itemOf(entry)] });
  await ok(`DELETE ${path}/entries/${entry.id}`, account);
  const change = (body: unknown) => call(`PATCH ${RELEASES}/${release.id}`, { as: account, body });
  const renamed = (await change({ name: 'Other', at: release.at })).body;
  assert.deepEqual(
    [renamed.name, renamed.status, renamed.at, await items(renamed)],
    ['Other', 'scheduled', release.at, [{ ...itemOf(entry), action: 'publish', version: 1, title: 'One' }]],
  );
  assert.deepEqual(faultsOf(await change({ at: inMs(90_000) })), ['/items/0/entryId entry_unknown']);
  assert.equal((await change({ at: null })).body.status, 'open');
  assert.equal((await change({ items: [] })).body.itemCount, 0);
});

test('values of an entry that is deleted permanently in the meantime do not come back through a release', async () => {
  const { account, path, itemOf } = await setup();
  const entry = await createEntry(account, path, { title: 'Secret' });
  const waiting = async () =>
    (
      await db.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query !~ 'pg_stat'",
      )
    ).rows.length;
  const erase = async () => {
    await ok(`DELETE ${path}/entries/${entry.id}`, account);
    await ok(`DELETE ${path}/entries/${entry.id}?permanently=true`, account);
  };
  // The release stops after it has read the values, and before it keeps them.
  const [created, erased] = await db.transaction(async (tx) => {
    await tx.query('lock table releases in share mode');
    const pending = call(`POST ${RELEASES}`, { as: account, body: { items: [itemOf(entry)] } });
    await until(async () => (await waiting()) === 1);
    let isErased = false;
    const erasing = erase().then(() => {
      isErased = true;
    });
    await until(async () => isErased || (await waiting()) === 2);
    return [pending, erasing].map((each) => () => each) as [() => typeof pending, () => typeof erasing];
  });
  assert.equal((await created()).status, 200);
  await erased();
  const { rows } = await db.query('select "values" from release_items where entry_id = $1', [parseId('ent', entry.id)]);
  assert.deepEqual(rows, [{ values: null }]);
});

test('a release that cannot even be read does not hold up those of others', async () => {
  const [one, other] = [await setup(), await setup()];
  const [broken, fine] = [
    await createEntry(one.account, one.path, { title: 'Broken' }),
    await createEntry(other.account, other.path, { title: 'Fine' }),
  ];
  await one.create({ at: inMs(1_000), items: [one.itemOf(broken)] });
  await other.create({ at: inMs(2_000), items: [other.itemOf(fine)] });
  const write = (values: string) =>
    db.query('update entries set "values" = $2 where account_id = $1', [one.account.uuid, values]);
  await write(String.raw`{"title":"x","more":"\u0000"}`);
  clock.now += 3_000;
  let failures = 0;
  await runDue(() => failures++);
  assert.deepEqual([await other.published(fine), failures], ['Fine', 1]);
  await write('{"title":"x"}');
  clock.now += 2_000;
  await runDue();
  assert.equal(await one.published(broken), 'Broken', 'it was postponed');
});
