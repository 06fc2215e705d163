import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account, Answer } from '../../test/harness.ts';
import { contentService } from '../content/test-support.ts';
import { upload } from '../files/test-support.ts';
import { noiseImage } from '../media/test-media.ts';

const service = await contentService();
const { call, db, ok, newAccount, newCollection, createEntry } = service;

const FIELDS = [
  { id: 'title', label: 'Title', type: 'text', required: true },
  { id: 'price', label: 'Price', type: 'number' },
  { id: 'slug', label: 'Slug', type: 'text', format: 'slug' },
  { id: 'notes', label: 'Notes', type: 'text', private: true },
];

interface Shop {
  account: Account;
  collectionId: string;
  path: string;
  entryId: string;
}

/** An account with a published page of a public collection, and a recorded sign-up. */
async function newShop(): Promise<Shop> {
  const account = await newAccount();
  const path = await newCollection(account, FIELDS, { publishing: true, public: true, urlPattern: '/p/{slug}' });
  const { id: entryId } = await createEntry(account, path, { title: 'Old', price: 10, slug: 'home', notes: 'secret' });
  await ok(`POST ${path}/entries/${entryId}/publish`, account, {});
  await ok('POST /v1/events', account, { api_key: account.apiKey, event: 'signup' });
  return { account, path, entryId, collectionId: path.split('/').at(-1) as string };
}

const draft = ({ collectionId, entryId }: Shop, more: object = {}) => ({
  key: 'headline',
  name: 'Headline',
  variants: [
    { key: 'old', weight: 0.5 },
    { key: 'new', weight: 0.5, values: { title: 'New', price: 12 } },
  ],
  metric: { event: 'signup', kind: 'events' },
  content: [{ collectionId, entryId }],
  ...more,
});

const start = async (shop: Shop, more: object = {}) => {
  const { id } = await ok('POST /v1/experiments', shop.account, draft(shop, more));
  await ok(`POST /v1/experiments/${id}/start`, shop.account, {});
  return id as string;
};

const read = (shop: Shop, path = '', query = '', headers: Record<string, string> = {}): Promise<Answer> =>
  call(`GET /v1/content/${shop.collectionId}${path}?key=${shop.account.apiKey}${query}`, { headers });

async function faultsOf(request: string, as: Account, body?: unknown): Promise<string[]> {
  const answer = await call(request, { as, ...(body !== undefined && { body }) });
  assert.equal(answer.status, 400, JSON.stringify(answer.body));
  return answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
}

test('public content shows the variant of a running experiment to those who ask for it, and to nobody else', async () => {
  const shop = await newShop();
  const entry = `/${shop.entryId}`;
  const published = await read(shop, entry);
  const before = await read(shop, entry, '&variant=headline:new');
  assert.deepEqual(before.body, published.body);
  const id = await start(shop);

  const control = await read(shop, entry, '&variant=headline:old');
  const variant = await read(shop, entry, '&variant=headline:new');
  assert.deepEqual(variant.body.values, { title: 'New', price: 12, slug: 'home' });
  assert.deepEqual([variant.body.experiment, variant.body.variant], ['headline', 'new']);
  assert.deepEqual(control.body, { ...published.body, experiment: 'headline', variant: 'old' });
  assert.deepEqual((await read(shop, entry)).body, published.body);
  const tags = (answer: Answer) => String(answer.headers['cache-tag']).split(',');
  assert.ok(tags(variant).includes(id) && tags(variant).includes(shop.entryId));
  assert.ok(!tags(published).includes(id));
  assert.equal(variant.headers['cache-control'], published.headers['cache-control']);
  const etags = [published, control, variant].map(({ headers }) => String(headers.etag));
  assert.equal(new Set(etags).size, 3);
  const again = await read(shop, entry, '&variant=headline:new', { 'if-none-match': etags[2] as string });
  assert.equal(again.status, 304);

  const list = await read(shop, '', '&variant=headline:new&select=title');
  assert.deepEqual(
    list.body.entries.map(({ values, variant }: { values: object; variant: string }) => [values, variant]),
    [[{ title: 'New' }, 'new']],
  );
  const queried = await call(`POST /v1/content/${shop.collectionId}/query?key=${shop.account.apiKey}`, {
    body: { variant: 'headline:new' },
  });
  assert.equal(queried.body.entries[0].values.title, 'New');
  const resolved = await call(`GET /v1/content/resolve?path=/p/home&variant=headline:new&key=${shop.account.apiKey}`);
  assert.deepEqual([resolved.body.entry.values.title, resolved.body.entry.variant], ['New', 'new']);

  for (const unknown of ['headline:nothing', 'nothing:new']) {
    assert.deepEqual((await read(shop, entry, `&variant=${unknown}`)).body, published.body);
  }
  assert.equal((await read(shop, entry, '&variant=headline')).status, 400);
  await ok(`POST /v1/experiments/${id}/stop`, shop.account, {});
  assert.deepEqual((await read(shop, entry, '&variant=headline:new')).body, published.body);
});

test('the service assigns a visitor as `assign` does, in a response that no cache keeps', async () => {
  const shop = await newShop();
  const id = await start(shop);
  const seen = new Set<string>();
  for (let i = 0; i < 12; i++) {
    const { variant } = await ok(`GET /v1/experiments/${id}/assignment?visitorId=v${i}`, shop.account);
    const { body, headers } = await read(shop, `/${shop.entryId}`, `&visitorId=v${i}`);
    assert.deepEqual([body.variant, body.values.title], [variant, variant === 'new' ? 'New' : 'Old']);
    assert.equal(headers['cache-control'], 'private, no-store');
    seen.add(variant);
  }
  assert.deepEqual([...seen].sort(), ['new', 'old']);
  const running = await call(`GET /v1/experiments/running?key=${shop.account.apiKey}`);
  assert.deepEqual(running.body.experiments, [
    {
      key: 'headline',
      variants: [
        { key: 'old', weight: 0.5 },
        { key: 'new', weight: 0.5 },
      ],
      ...{ coverage: 1, holdout: 0, preceding: [], shippedVariant: null },
      content: [{ collectionId: shop.collectionId, entryId: shop.entryId }],
    },
  ]);
});

test('entries that are referenced are shown in the variant, too', async () => {
  const shop = await newShop();
  const path = await newCollection(
    shop.account,
    [{ id: 'page', label: 'Page', type: 'text', format: 'reference', collectionIds: [shop.collectionId] }],
    { publishing: true, public: true },
  );
  const { id } = await createEntry(shop.account, path, { page: shop.entryId });
  await ok(`POST ${path}/entries/${id}/publish`, shop.account, {});
  await start(shop);
  const url = `GET /v1/content/${path.split('/').at(-1)}/${id}?expand=page&key=${shop.account.apiKey}`;
  const { values } = (await call(`${url}&variant=headline:new`)).body;
  assert.deepEqual([values.page.values.title, values.page.variant], ['New', 'new']);
  assert.equal((await call(url)).body.values.page.values.title, 'Old');
});

test('the values of variants are checked as a change of their entry is, all faults at once', async () => {
  const shop = await newShop();
  const { account, entryId, collectionId } = shop;
  const variants = [
    { key: 'old', weight: 0.5 },
    { key: 'new', weight: 0.4, values: { title: null, price: 'much', slug: 'other', notes: 'x', nothing: 1 } },
  ];
  const faults = await faultsOf(
    'POST /v1/experiments',
    account,
    draft(shop, { variants: [variants[0], { ...variants[1], weight: 0.5 }] }),
  );
  assert.deepEqual(
    new Set(faults.map((fault) => fault.split(' ')[0])),
    new Set(['price', 'slug', 'notes', 'nothing'].map((name) => `/variants/1/values/${name}`)),
  );
  assert.ok(faults.includes('/variants/1/values/notes field_private'));
  assert.ok(faults.includes('/variants/1/values/slug field_identifies'));
  assert.deepEqual(
    await faultsOf(
      'POST /v1/experiments',
      account,
      draft(shop, { variants: [variants[0], { key: 'new', weight: 0.5, values: { title: null } }] }),
    ),
    ['/variants/1/values/title required'],
  );
  assert.ok(
    (await faultsOf('POST /v1/experiments', account, draft(shop, { variants }))).includes('/variants weights_invalid'),
  );
  const at = (content: object[]) => draft(shop, { content });
  assert.deepEqual(await faultsOf('POST /v1/experiments', account, at([{ collectionId, entryId: 'ent_x' }])), [
    '/content/0/entryId entry_unknown',
  ]);
  assert.deepEqual(await faultsOf('POST /v1/experiments', account, at([{ collectionId: 'col_x', entryId }])), [
    '/content/0/collectionId collection_unknown',
  ]);
  assert.deepEqual(await faultsOf('POST /v1/experiments', account, at([])), ['/variants/1/values content_missing']);
  const { id: second } = await createEntry(account, shop.path, { title: 'Second', slug: 'second' });
  const both = [
    { collectionId, entryId },
    { collectionId, entryId: second },
  ];
  assert.deepEqual(await faultsOf('POST /v1/experiments', account, at(both)), ['/variants/1/values values_ambiguous']);
  const byEntry = (values: object) => [variants[0], { key: 'new', weight: 0.5, values }];
  const named = draft(shop, {
    content: both,
    variants: byEntry({ [entryId]: { title: 'A' }, [second]: { title: 'B' } }),
  });
  const { id } = await ok('POST /v1/experiments', account, named);
  assert.deepEqual(await faultsOf(`POST /v1/experiments/${id}/start`, account, {}), [
    '/content/1/entryId entry_not_published',
  ]);
  const stranger = await newShop();
  assert.deepEqual(await faultsOf('POST /v1/experiments', stranger.account, draft(shop)), [
    '/content/0/collectionId collection_unknown',
  ]);
});

test('an experiment on an entry of a running one needs its namespace, when it is created, changed and started', async () => {
  const shop = await newShop();
  const early = await ok('POST /v1/experiments', shop.account, draft(shop, { key: 'early' }));
  await start(shop);
  const faults = ['/content/0 experiment_overlap'];
  assert.deepEqual(await faultsOf('POST /v1/experiments', shop.account, draft(shop, { key: 'other' })), faults);
  assert.deepEqual(await faultsOf(`PATCH /v1/experiments/${early.id}`, shop.account, { name: 'x' }), faults);
  assert.deepEqual(await faultsOf(`POST /v1/experiments/${early.id}/start`, shop.account, {}), faults);
});

test('shipping publishes the values of the winner as a release, and keeps what was edited unpublished', async () => {
  const shop = await newShop();
  const id = await start(shop);
  const entry = `${shop.path}/entries/${shop.entryId}`;
  await ok(`PATCH ${entry}`, shop.account, { values: { title: 'Draft', notes: 'edited' } });
  const shipped = await ok(`POST /v1/experiments/${id}/ship`, shop.account, { variant: 'new' });
  assert.deepEqual([shipped.status, shipped.shippedVariant], ['shipped', 'new']);
  const release = await ok(`GET /v1/cms/releases/${shipped.releaseId}`, shop.account);
  assert.deepEqual([release.status, release.name, release.itemCount], ['completed', 'Headline: new', 1]);
  const { values } = (await read(shop, `/${shop.entryId}`)).body;
  assert.deepEqual(values, { title: 'New', price: 12, slug: 'home' });
  const edited = await ok(`GET ${entry}`, shop.account);
  assert.deepEqual(edited.values, { title: 'New', price: 12, slug: 'home', notes: 'edited' });
  assert.equal(
    (await call(`GET /v1/experiments/${id}/assignment?visitorId=x`, { as: shop.account })).body.variant,
    'new',
  );
});

test('a release that is not published at once is open, and public content as before until it is', async () => {
  const shop = await newShop();
  const id = await start(shop);
  const { releaseId } = await ok(`POST /v1/experiments/${id}/ship`, shop.account, { variant: 'new', publish: false });
  assert.equal((await ok(`GET /v1/cms/releases/${releaseId}`, shop.account)).status, 'open');
  assert.equal((await read(shop, `/${shop.entryId}`)).body.values.title, 'Old');
  await ok(`POST /v1/cms/releases/${releaseId}/publish`, shop.account, {});
  assert.equal((await read(shop, `/${shop.entryId}`)).body.values.title, 'New');
});

test('publish hooks are asked before a variant is shipped, and their refusal ships nothing', async () => {
  const shop = await newShop();
  const id = await start(shop);
  const hook = { name: 'Check', url: 'https://hooks.invalid/', collectionIds: [shop.collectionId], onError: 'refuse' };
  await ok('POST /v1/publish-hooks', shop.account, hook);
  const faults = await faultsOf(`POST /v1/experiments/${id}/ship`, shop.account, { variant: 'new' });
  assert.deepEqual(faults, [' publish_hook_failed']);
  assert.equal((await ok(`GET /v1/experiments/${id}`, shop.account)).status, 'running');
  assert.equal((await read(shop, `/${shop.entryId}`)).body.values.title, 'Old');
});

test('shipping the control, or what changes no content, makes no release', async () => {
  const shop = await newShop();
  const id = await start(shop);
  const { releaseId, status } = await ok(`POST /v1/experiments/${id}/ship`, shop.account, { variant: 'old' });
  assert.deepEqual([releaseId, status], [null, 'shipped']);
});

test('the holdout takes no part, sees the old page after it was shipped, and tells what the new one earns', async () => {
  const shop = await newShop();
  const { account, entryId } = shop;
  const id = await start(shop, { holdout: 0.5, window: '1d', settleAfter: '0d' });
  const assignment = async (visitorId: string) =>
    (await ok(`GET /v1/experiments/${id}/assignment?visitorId=${visitorId}`, account)).variant;
  const held: string[] = [];
  const others: string[] = [];
  for (let i = 0; i < 24; i++) ((await assignment(`v${i}`)) === null ? held : others).push(`v${i}`);
  assert.ok(held.length > 3 && others.length > 3);
  assert.deepEqual(await faultsOf(`PATCH /v1/experiments/${id}`, account, { holdout: 0 }), [
    '/holdout experiment_frozen',
  ]);
  await ok(`POST /v1/experiments/${id}/ship`, account, { variant: 'new' });
  for (const visitorId of held) {
    const { body } = await read(shop, `/${entryId}`, `&visitorId=${visitorId}`);
    assert.deepEqual([body.variant, body.values.title, body.values.price], ['old', 'Old', 10]);
  }
  const expose = (visitorId: string, variant: string) =>
    ok('POST /v1/events', account, {
      ...{ api_key: account.apiKey, event: 'experiment_exposure' },
      properties: { experiment: 'headline', variant, visitorId },
    });
  service.clock.now += 1_000;
  for (const visitorId of held) await expose(visitorId, 'old');
  for (const visitorId of others) {
    assert.equal(await assignment(visitorId), 'new');
    assert.equal((await read(shop, `/${entryId}`, `&visitorId=${visitorId}`)).body.values.title, 'New');
    await expose(visitorId, 'new');
  }
  const { holdout, arms } = await ok(`GET /v1/experiments/${id}/results`, account);
  assert.deepEqual(
    arms.map(({ visitors }: { visitors: number }) => visitors),
    [0, 0],
  );
  assert.deepEqual(
    holdout.arms.map(({ variant, visitors }: { variant: string; visitors: number }) => [variant, visitors]),
    [
      ['old', held.length],
      ['new', others.length],
    ],
  );
  assert.deepEqual([holdout.share, holdout.gain], [0.5, '0']);
  // Another experiment on the entry leaves them out: they see the old page.
  const next = await start(shop, { key: 'next' });
  for (const visitorId of [...held, ...others]) {
    const { variant } = await ok(`GET /v1/experiments/${next}/assignment?visitorId=${visitorId}`, account);
    assert.equal(variant === null, held.includes(visitorId), visitorId);
  }
  await ok(`POST /v1/experiments/${next}/stop`, account);
  const ended = await ok(`PATCH /v1/experiments/${id}`, account, { holdout: 0 });
  assert.equal(ended.holdout, 0);
  assert.equal((await read(shop, `/${entryId}`, `&visitorId=${held[0]}`)).body.values.title, 'New');
  assert.deepEqual(await faultsOf(`PATCH /v1/experiments/${id}`, account, { holdout: 0.5 }), [
    '/holdout experiment_frozen',
  ]);
});

test('what a running experiment shows cannot be deleted: files, referenced entries, fields, and the entry itself', async () => {
  const account = await newAccount();
  const target = await newCollection(account, [{ id: 'name', label: 'Name', type: 'text' }]);
  const { id: author } = await createEntry(account, target, { name: 'Ann' });
  const fields = [
    { id: 'title', label: 'Title', type: 'text' },
    { id: 'cover', label: 'Cover', type: 'asset' },
    {
      ...{
        id: 'author',
        label: 'Author',
        type: 'text',
        format: 'reference',
        collectionIds: [target.split('/').at(-1)],
      },
      onDelete: 'refuse',
    },
  ];
  const path = await newCollection(account, fields, { publishing: true, public: true });
  const { id: entryId } = await createEntry(account, path, { title: 'Old' });
  await ok(`POST ${path}/entries/${entryId}/publish`, account, {});
  await ok('POST /v1/events', account, { api_key: account.apiKey, event: 'signup' });
  const image = await noiseImage(31, 35).png().toBuffer();
  const { assetId } = (await upload(service, account, [{ filename: 'new.png', body: image }])).body;
  const values = { title: 'New', cover: { assetId }, author };
  const collectionId = path.split('/').at(-1) as string;
  const shop = { account, path, entryId, collectionId };
  const variants = [
    { key: 'old', weight: 0.5 },
    { key: 'new', weight: 0.5, values },
  ];
  const file = async () => (await ok(`GET /v1/files/${assetId}`, account)).usedBy;
  const { id } = await ok('POST /v1/experiments', account, draft(shop, { variants, holdout: 0.1 }));
  assert.deepEqual(await file(), [], 'nobody sees a draft');
  await ok(`POST /v1/experiments/${id}/start`, account, {});
  const used = [{ collectionId, entryId, status: 'active' }];
  assert.deepEqual(await file(), used);
  await ok(`PATCH ${path}/entries/${entryId}`, account, { values: { cover: null, title: 'Edited' } });
  assert.deepEqual(await file(), used);
  const removal = { fields: [{ id: 'cover', status: 'deleted' }] };
  const deletions = [
    [`DELETE /v1/files/${assetId}`, undefined, ' file_in_use'],
    [`DELETE ${target}/entries/${author}`, undefined, ' entry_referenced'],
    [`DELETE ${path}/entries/${entryId}`, undefined, ' entry_in_experiment'],
    [`PATCH ${path}`, removal, ' field_in_experiment'],
    [`DELETE ${path}`, undefined, ' collection_in_experiment'],
  ] as const;
  for (const [request, body, fault] of deletions) assert.deepEqual(await faultsOf(request, account, body), [fault]);
  await ok(`POST /v1/experiments/${id}/stop`, account, {});
  assert.deepEqual(await file(), []);
  for (const [request, body] of deletions)
    assert.equal((await call(request, { as: account, body })).status, 200, request);
});

test('a request that names no variant reads nothing of experiments', async (t) => {
  const shop = await newShop();
  await start(shop);
  const query = t.mock.method(db, 'query');
  const readsOf = async (parameters: string) => {
    query.mock.resetCalls();
    await read(shop, `/${shop.entryId}`, parameters);
    return query.mock.calls.filter(({ arguments: [sent] }) => JSON.stringify(sent).includes('from experiments')).length;
  };
  assert.deepEqual([await readsOf(''), await readsOf('&variant=headline:new')], [0, 1]);
});
