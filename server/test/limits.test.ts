// Slow: each of a hundred limits is reached by requests, some with many entries or megabytes.
/** The limits that `GET /v1/limits` publishes are those that are enforced: what reaches one is accepted, more is refused. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { seedEntries } from '../src/content/index.ts';
import { parseId } from '../src/shared/ids.ts';
import { filePart, PNG } from './furnished-account.ts';
import { type Account, type Answer, testService } from './harness.ts';

const service = await testService({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
const WAREHOUSE = {
  ...{ name: 'W', region: 'auto', bucket: 'lake', mode: 'off' },
  ...{ accessKeyId: 'key', secretAccessKey: 'secret' },
};
let account: Account;
let limits: Answer['body'];
let path: string;
let asset: string;
/** A collection with text formats, and a field that references its own entries. */
let formats: string;

const call = (request: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.call(request, { as: account, body, headers });

before(async () => {
  account = await service.newAccount();
  limits = (await call('GET /v1/limits')).body;
  const text = (id: string, repeated = false) => ({ id, label: id, type: 'text', repeated });
  const lists = Array.from({ length: 11 }, (_, i) => text(`list${i}`, true));
  const fields = [text('text'), { id: 'url', label: 'URL', type: 'url' }, ...lists];
  path = `/v1/cms/collections/${(await call('POST /v1/cms/collections', { name: 'Things', fields })).body.id}`;
  const format = (id: string) => ({ ...text(id), format: id });
  const decimal = { ...format('decimal'), type: 'number' };
  const withFormats = { name: 'Formats', fields: [...['slug', 'json', 'richtext'].map(format), decimal] };
  const { id } = (await call('POST /v1/cms/collections', withFormats)).body;
  formats = `/v1/cms/collections/${id}`;
  await call(`PATCH ${formats}`, { fields: [{ ...format('reference'), repeated: true, collectionIds: [id] }] });
  const { payload, headers } = filePart('file', 'a.png', PNG);
  asset = (await call('POST /v1/files/upload', payload, headers)).body.assetId;
});

const x = (length: number) => 'x'.repeat(length);
const list = <T>(length: number, item: (i: number) => T) => Array.from({ length }, (_, i) => item(i));
const event = (body: object) => call('POST /v1/events', { api_key: account.apiKey, event: 'x', ...body });
const visit = (body: object) =>
  call('POST /v1/visits', { api_key: account.apiKey, url: 'https://a.example/', ...body });
const report = (body: object) => call('POST /v1/analytics/report-conversion', { gclid: 'g', ...body });
const entry = (values: object) => call(`POST ${path}/entries`, { values });
const formatted = (values: object) => call(`POST ${formats}/entries`, { values });
const document = (content: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: content }] }],
});
const collection = (body: object) => call('POST /v1/cms/collections', { name: 'x', ...body });
const field = (i: number, more: object = {}) => ({ id: `f${i}`, label: 'x', type: 'text', ...more });
const locales = (n: number) => {
  const tags = list(n, (i) => ({ locale: `${'abcd'[i % 4]}${'abcdefgh'[Math.floor(i / 4)]}` }));
  return call('PUT /v1/cms/locales', { default: 'aa', locales: tags });
};
const option = (i: number) => ({ value: `o${i}`, label: 'x' });
const nested = (depth: number): unknown => (depth === 1 ? 1 : { a: nested(depth - 1) });
const destination = (body: object) =>
  call('POST /v1/destinations', {
    ...{ platform: 'meta', name: 'x', credentials: { pixelId: '1234567890', accessToken: 'EAA' } },
    ...{ mapping: [{ event: '*', target: 'Purchase' }], consent: 'required', mode: 'off', ...body },
  });
const channel = (conditions: object[]) => ({ name: 'Brand', match: 'all', conditions });
const channels = (rules: object[]) => call('PUT /v1/analytics/channel-rules', { rules });
const funnel = (...steps: object[]) =>
  call('POST /v1/analytics/funnel', { from: '2026-01-01', to: '2026-01-02', steps });
const metric = { event: 'measured', kind: 'events' };
const experiment = async (key: string, body: object) => {
  await event({ event: metric.event });
  const variants = list(2, (i) => ({ key: `v${i}`, weight: 0.5 }));
  return call('POST /v1/experiments', { key: `${key}-${randomUUID()}`, name: 'x', variants, metric, ...body });
};
const period = (days: number) => {
  const to = new Date(Date.UTC(2026, 0, 1));
  const from = new Date(to.getTime() - days * 86_400_000);
  const [first, last] = [from, to].map((day) => day.toISOString().slice(0, 10));
  return `from=${first}&to=${last}`;
};

/** A request that reaches `n`. */
const REFUSED: Record<string, (n: number) => Promise<Answer>> = {
  bodyDepth: (n) =>
    call('POST /v1/cms/collections', `{"name":"x","createdAt":${'['.repeat(n - 1)}${']'.repeat(n - 1)}}`),
  bodyBytes: (n) => call('POST /v1/cms/collections', JSON.stringify({ name: 'x' }).padEnd(n)),
  conversionBodyBytes: (n) => call('POST /v1/analytics/report-conversion', '[]'.padEnd(n)),
  conversionsPerBatch: (n) => call('POST /v1/analytics/report-conversion', Array(n).fill({})),
  pageSize: (n) => call(`GET /v1/cms/collections?pageSize=${n}`),
  idempotencyKeyLength: (n) => call('POST /v1/cms/collections', { name: 'x' }, { 'idempotency-key': x(n) }),
  'analytics.annotationLength': (n) => call('POST /v1/analytics/annotations', { at: '2026-11-20', text: x(n) }),
  'analytics.channelRules': (n) =>
    channels(list(n, () => channel([{ field: 'source', operator: 'is', values: ['x'] }]))),
  'analytics.channelConditions': (n) =>
    channels([channel(list(n, () => ({ field: 'source', operator: 'is', values: ['x'] })))]),
  'analytics.channelValues': (n) =>
    channels([channel([{ field: 'source', operator: 'is', values: list(n, (i) => `v${i}`) }])]),
  'analytics.alertChannels': (n) =>
    call('POST /v1/alerts', { preset: 'salesDrop', channels: list(n, () => ({ type: 'mail' })) }),
  'experiments.variants': (n) =>
    experiment('variants', { variants: list(n, (i) => ({ key: `v${i}`, weight: 1 / n })) }),
  'experiments.guardrails': (n) => experiment('guardrails', { guardrails: list(n, () => metric) }),
  'content.fields': (n) => collection({ fields: list(n, field) }),
  'content.decimalDigits': (n) => formatted({ decimal: '1'.repeat(n) }),
  'content.decimalScale': (n) => collection({ fields: [field(0, { type: 'number', format: 'decimal', scale: n })] }),
  'content.treeDepth': async (n) => {
    const { id } = (await collection({ tree: true, fields: [field(0)] })).body;
    const entries = `/v1/cms/collections/${id}/entries`;
    const create = async () => (await call(`POST ${entries}`, { values: {} })).body.id;
    let parentId = await create();
    let answer: Answer | undefined;
    for (let i = 0; i < n; i++) {
      const below = await create();
      answer = await call(`POST ${entries}/${below}/move`, { parentId });
      parentId = below;
    }
    return answer as Answer;
  },
  'content.orderedEntries': async (n) => {
    const { id } = (await collection({ fields: [field(0)] })).body;
    const seeded = Array.from({ length: n }, () => ({ values: {} }));
    await seedEntries(service.db, account.uuid, parseId('col', id) ?? '', seeded);
    return call(`PATCH /v1/cms/collections/${id}`, { ordering: 'manual' });
  },
  'content.treeEntries': async (n) => {
    const { id } = (await collection({ tree: true, fields: [field(0)] })).body;
    const path = `/v1/cms/collections/${id}`;
    const { id: parent } = (await call(`POST ${path}/entries`, { values: {} })).body;
    const seeded = Array.from({ length: n }, () => ({ values: { $parentId: parent } }));
    await seedEntries(service.db, account.uuid, parseId('col', id) ?? '', seeded);
    return call(`GET ${path}/entries?tree=true&pageSize=1`);
  },
  'content.groupDepth': (n) => {
    const grouped = (depth: number): object =>
      depth === 0 ? field(0) : field(0, { type: 'group', fields: [grouped(depth - 1)] });
    return collection({ fields: [grouped(n)] });
  },
  'content.blocks': (n) => {
    const blocks = list(n, (i) => ({ id: `b${i}`, label: 'B', fields: [field(0)] }));
    return collection({ fields: [field(0, { type: 'group', repeated: true, format: 'blocks', blocks })] });
  },
  'content.components': async (n) => {
    const create = () => call('POST /v1/cms/components', { name: 'C', fields: [field(0)] });
    const { components } = (await call('GET /v1/cms/components')).body;
    let answer = await create();
    for (let i = components.length + 1; i < n; i++) answer = await create();
    return answer;
  },
  'content.locales': (n) => locales(n),
  'content.translations': async (n) => {
    await locales(11);
    return collection({ fields: list(Math.ceil(n / 10), (i) => field(i, { localized: true })) });
  },
  'content.options': (n) => collection({ fields: [field(0, { type: 'select', options: list(n, option) })] }),
  'content.labelLength': (n) => collection({ name: x(n) }),
  'content.descriptionLength': (n) => collection({ description: x(n) }),
  'content.textLength': (n) => entry({ text: x(n) }),
  'content.urlLength': (n) => entry({ url: 'https://a.example/'.padEnd(n, 'x') }),
  'content.valuesPerField': (n) => entry({ list0: Array(n).fill('x') }),
  'content.valuesPerEntry': (n) => {
    const perField = Math.ceil(n / 11);
    const rest = (i: number) => Math.max(0, Math.min(perField, n - i * perField));
    return entry(Object.fromEntries(list(11, (i) => [`list${i}`, Array(rest(i)).fill('x')])));
  },
  'content.slugLength': (n) => formatted({ slug: x(n) }),
  'content.jsonBytes': (n) => formatted({ json: x(n - '""'.length) }),
  'content.jsonDepth': (n) => formatted({ json: nested(n) }),
  'content.richTextLength': (n) => formatted({ richtext: document(x(n - JSON.stringify(document('')).length)) }),
  'content.referencedCollections': async (n) => {
    const ids: string[] = [];
    while (ids.length < n) ids.push((await collection({})).body.id);
    return collection({ fields: [field(0, { format: 'reference', collectionIds: ids })] });
  },
  'content.expandDepth': (n) => call(`GET ${formats}/entries?expand=${Array(n).fill('reference').join('.')}`),
  'content.expandPaths': (n) => call(`GET ${formats}/entries?expand=${Array(n).fill('reference').join(',')}`),
  'content.titledEntries': (n) => call(`GET /v1/cms/entry-titles?ids=${list(n, (i) => `ent_${i}`).join(',')}`),
  'content.filters': (n) => call(`GET ${path}/entries?${list(n, (i) => `filter[text][ne]=${i}`).join('&')}`),
  'content.filterValues': (n) => call(`GET ${path}/entries?filter[text][in]=${list(n, (i) => i).join(',')}`),
  'content.publishedTogether': async (n) => {
    const { id } = (await collection({ publishing: true })).body;
    const created = await call(`POST /v1/cms/collections/${id}/entries`, { values: {} });
    return call(`POST /v1/cms/collections/${id}/publish`, { entryIds: Array(n).fill(created.body.id) });
  },
  'content.operationsPerBatch': (n) => {
    const operation = { op: 'create', collection: path.split('/').at(-1), values: {} };
    return call('POST /v1/cms/batch', { operations: Array(n).fill(operation), dryRun: true });
  },
  'content.nestedEntries': (n) => formatted({ reference: list(n, () => ({ new: {} })) }),
  'content.nestedDepth': (n) => {
    const nestedEntry = (depth: number): object =>
      depth === 0 ? {} : { reference: [{ new: nestedEntry(depth - 1) }] };
    return formatted(nestedEntry(n));
  },
  'content.views': async (n) => {
    const { id } = (await collection({})).body;
    await service.db.query(
      `insert into entry_views (account_id, id, collection_id, name, state, updated_at)
       select $1, gen_random_uuid(), $2, 'view ' || n, '{}', now() from generate_series(2, $3::int) n`,
      [account.uuid, parseId('col', id), n],
    );
    return call(`PUT /v1/cms/collections/${id}/views`, { name: 'last', shared: true, state: {} });
  },
  'content.viewNameLength': async (n) => {
    const { id } = (await collection({})).body;
    return call(`PUT /v1/cms/collections/${id}/views`, { name: x(n), state: {} });
  },
  'content.commentLength': async (n) => {
    const { id } = (await collection({})).body;
    const created = await call(`POST /v1/cms/collections/${id}/entries`, { values: {} });
    return call(`POST /v1/cms/collections/${id}/entries/${created.body.id}/comments`, { text: x(n) });
  },
  'content.releaseItems': async (n) => {
    const { id: collectionId } = (await collection({ publishing: true })).body;
    const items: { collectionId: string; entryId: string }[] = [];
    for (let i = 0; i < n; i++) {
      const created = await call(`POST /v1/cms/collections/${collectionId}/entries`, { values: {} });
      items.push({ collectionId, entryId: created.body.id });
    }
    return call('POST /v1/cms/releases', { items });
  },
  'sql.characters': (n) => call('POST /v1/sql', { query: 'select 1'.padEnd(n) }),
  'sql.parameters': (n) =>
    call('POST /v1/sql', { query: `select ${list(n, (i) => `$${i + 1}::int`)}`, parameters: list(n, (i) => i) }),
  'content.searchLength': (n) => call(`GET ${path}/entries?q=${x(n)}`),
  'tracking.batchItems': (n) =>
    call('POST /v1/batch', { api_key: account.apiKey, items: Array(n).fill({ event: { event: 'x' } }) }),
  'tracking.eventLength': (n) => event({ event: x(n) }),
  'tracking.properties': (n) => event({ properties: Object.fromEntries(list(n, (i) => [i, 0])) }),
  'tracking.propertiesBytes': (n) => event({ properties: { a: x(n - '{"a":""}'.length) } }),
  'tracking.propertiesDepth': (n) => event({ properties: nested(n + 1) }),
  'tracking.urlLength': (n) => visit({ url: 'https://a.example/'.padEnd(n, 'x') }),
  'tracking.allowedOrigins': (n) =>
    call('PATCH /v1/tracking/settings', { allowedOrigins: list(n, (i) => `https://a${i}.example`) }).finally(() =>
      call('PATCH /v1/tracking/settings', { allowedOrigins: [] }),
    ),
  'tracking.excludedAddresses': (n) =>
    call('PATCH /v1/tracking/settings', { excludedAddresses: list(n, (i) => `203.0.113.${i}`) }),
  'conversions.eventLength': (n) => report({ event: x(n) }),
  'conversions.eventIdLength': (n) => report({ eventId: x(n) }),
  'conversions.valueLength': (n) => report({ value: '1'.padStart(n, '0') }),
  'conversions.extraDepth': (n) => report({ extra: nested(n + 1) }),
  'conversions.extraBytes': (n) => report({ extra: { a: x(n - '{"a":""}'.length) } }),
  'files.nameLength': (n) => call(`PATCH /v1/files/${asset}`, { name: x(n) }),
  'files.altLength': (n) => call(`PATCH /v1/files/${asset}`, { alt: x(n) }),
  'content.publishHooks': async (n) => {
    let answer = await call('POST /v1/publish-hooks', { name: 'H', url: 'http://127.0.0.1/' });
    for (let i = 1; i < n; i++) answer = await call('POST /v1/publish-hooks', { name: 'H', url: 'http://127.0.0.1/' });
    return answer;
  },
  'webhooks.urlLength': (n) => call('POST /v1/webhooks', { url: 'http://127.0.0.1/'.padEnd(n, 'x') }),
  'webhooks.fieldLength': (n) => call('POST /v1/webhooks', { url: 'http://127.0.0.1/', fields: [x(n)] }),
  'webhooks.fields': (n) =>
    call('POST /v1/webhooks', { url: 'http://127.0.0.1/', fields: Array.from({ length: n }, (_, i) => `f${i}`) }),
  'webhooks.filters': (n) =>
    call('POST /v1/webhooks', {
      url: 'http://127.0.0.1/',
      filters: Array.from({ length: n }, () => ({ field: 'value', operator: 'gte', value: 1 })),
    }),
  'webhooks.descriptionLength': (n) => call('POST /v1/webhooks', { url: 'http://127.0.0.1/', description: x(n) }),
  'analytics.periodDays': (n) => call(`GET /v1/analytics/overview?${period(n)}&interval=month`),
  'analytics.filterValues': (n) =>
    call('POST /v1/analytics/funnel', {
      ...{ from: '2026-01-01', to: '2026-01-02', steps: [{ event: 'x' }] },
      filters: { source: list(n, String) },
    }),
  'analytics.funnelSteps': (n) => funnel(...Array(n).fill({ event: 'x' })),
  'analytics.stepAlternatives': (n) => funnel({ anyOf: list(n, (i) => ({ event: `e${i}` })) }),
  'analytics.propertyConditions': (n) =>
    funnel({ event: 'x', where: list(n, (i) => ({ property: `p${i}`, operator: 'is', values: ['x'] })) }),
  'destinations.nameLength': (n) => destination({ name: x(n) }),
  'destinations.mappingRules': (n) =>
    destination({ mapping: list(n, (i) => ({ event: `e${i}`, target: 'Purchase' })) }),
  'destinations.filterValues': (n) => destination({ filter: { events: list(n, (i) => `e${i}`) } }),
  'costs.nameLength': (n) =>
    call('POST /v1/analytics/cost-sources', {
      ...{ platform: 'meta', name: x(n), mode: 'off' },
      credentials: { adAccountId: String(n), accessToken: 'EAA' },
    }),
  'warehouse.nameLength': (n) => call('POST /v1/warehouses', { ...WAREHOUSE, name: x(n) }),
  'warehouse.prefixLength': (n) => call('POST /v1/warehouses', { ...WAREHOUSE, prefix: x(n) }),
  'warehouse.warehouses': async (n) => {
    await service.db.query('delete from warehouses where account_id = $1', [account.uuid]);
    let answer = await call('POST /v1/warehouses', WAREHOUSE);
    for (let i = 1; i < n; i++) answer = await call('POST /v1/warehouses', WAREHOUSE);
    return answer;
  },
  'files.uploadTokens': async (n) => {
    await service.db.query('delete from upload_tokens where account_id = $1', [account.uuid]);
    await service.db.query(
      `insert into upload_tokens (account_id, id, hash, is_private, expires_at)
       select $1, gen_random_uuid(), int4send(n), false, now() + interval '1 hour' from generate_series(2, $2::int) n`,
      [account.uuid, n],
    );
    return call('POST /v1/files/upload-tokens');
  },
  'files.folders': async (n) => {
    const { uuid } = account;
    await service.db.query('delete from file_folders where account_id = $1', [uuid]);
    await service.db.query(
      `insert into file_folders (account_id, id, name, created_at, updated_at)
       select $1, gen_random_uuid(), 'folder ' || n, now(), now() from generate_series(2, $2::int) n`,
      [uuid, n],
    );
    return call('POST /v1/folders', { name: 'last' });
  },
  'files.folderNameLength': async (n) => {
    await service.db.query('delete from file_folders where account_id = $1', [account.uuid]);
    return call('POST /v1/folders', { name: x(n) });
  },
  'files.folderDepth': async (n) => {
    await service.db.query('delete from file_folders where account_id = $1', [account.uuid]);
    let parentId: string | null = null;
    let answer: Answer | undefined;
    for (let i = 0; i < n; i++) {
      answer = await call('POST /v1/folders', { name: `depth ${n}`, parentId });
      parentId = answer.body.id;
    }
    return answer as Answer;
  },
  'files.tags': (n) => call(`PATCH /v1/files/${asset}`, { tags: list(n, (i) => `tag ${i}`) }),
  'files.tagLength': (n) => call(`PATCH /v1/files/${asset}`, { tags: [x(n)] }),
  'tracking.leadNotesLength': async (n) => {
    await event({ properties: { email: 'ada@shop.example' } });
    const { id } = (await call('GET /v1/leads')).body.leads[0];
    return call(`PATCH /v1/leads/${id}`, { notes: x(n) });
  },
};

for (const [name, reach] of Object.entries(REFUSED)) {
  test(`${name}: the limit is accepted, and one more is 400`, async () => {
    const limit = name.split('.').reduce((value, member) => value[member], limits);
    assert.equal(typeof limit, 'number');
    const [fits, exceeds] = [await reach(limit), await reach(limit + 1)];
    assert.equal(fits.status, 200, JSON.stringify(fits.body));
    assert.equal(exceeds.status, 400, JSON.stringify(exceeds.body).slice(0, 300));
  });
}

/** Limits beyond which something is cut or ignored, is a setting with a test of its own, or takes too long to reach. */
const ELSEWHERE = [
  ...['content.whereLeaves', 'content.whereDepth', 'content.sortKeys', 'content.joins', 'content.joinedEntries'],
  ...['content.groupKeys', 'content.measures', 'content.whereTargets'],
  ...['sql.seconds', 'accounts.keys', 'analytics.savedViewBytes', 'files.unfinishedUploads'],
  ...['entryVersions', 'imageBytes', 'imagePixels', 'videoBytes', 'importBytes', 'importRows', 'imageSizes', 'rates'],
  ...[
    'fileBytes',
    'files.urlLength',
    'idempotencyKeyHours',
    'content.fieldsBytes',
    'tracking.eventIdLength',
    'tracking.emailLength',
  ],
  ...['tracking.identifierLength', 'tracking.titleLength', 'tracking.userAgentLength'],
  ...['tracking.clientIdLength', 'conversions.value'],
  ...['conversions.reconciliations', 'conversions.reconciliationBytes', 'conversions.reconciliationRows'],
  ...[
    'conversions.reconciliationDays',
    'conversions.unmatchedDays',
    'webhooks.webhooks',
    'analytics.intervals',
    'analytics.savedViews',
  ],
  ...[
    'analytics.sharedLinks',
    'analytics.annotations',
    'analytics.alerts',
    'experiments.experiments',
    'destinations.destinations',
    'costs.costSources',
    'costs.credentialLength',
    'costs.days',
    'exports.fields',
    'tracking.leadNameLength',
  ],
  ...['users.nameLength', 'users.emailLength', 'users.minPasswordLength', 'users.passwordLength'],
  ...[
    'users.invitationDays',
    'users.ssoDomains',
    'users.ssoRoleMappings',
    'destinations.credentialLength',
    'destinations.sendAfterSeconds',
    'content.patternLength',
    'content.patternInstructions',
    'content.patternCost',
    'content.patternsCost',
    'content.patternSteps',
    'content.derivedSlugLength',
    'content.expandedEntries',
    'content.releaseBytes',
    'content.releaseErrors',
  ],
];

test('every published limit is in one of the lists', () => {
  const names = Object.entries(limits).flatMap(([name, value]) =>
    value !== null && typeof value === 'object' && !Array.isArray(value) && name !== 'rates'
      ? Object.keys(value).map((member) => `${name}.${member}`)
      : [name],
  );
  assert.deepEqual(names.sort(), [...Object.keys(REFUSED), ...ELSEWHERE].sort());
});

test('what is longer than a limit of tracking that refuses nothing is cut or has no effect', async () => {
  const { eventIdLength, emailLength, identifierLength, titleLength, clientIdLength } = limits.tracking;
  const idOf = async (body: object) => (await event(body)).body.event_id;
  assert.equal(await idOf({ id: x(eventIdLength) }), await idOf({ id: x(eventIdLength) }));
  assert.notEqual(await idOf({ id: x(eventIdLength + 1) }), await idOf({ id: x(eventIdLength + 1) }));
  const email = (length: number) => '@shop.example'.padStart(length, 'x');
  for (const length of [emailLength, emailLength + 1]) await event({ properties: { email: email(length) } });
  const leads = (await call('GET /v1/leads?q=xxx')).body.leads;
  assert.deepEqual(
    leads.map((lead: { email: string }) => lead.email.length),
    [emailLength],
  );
  const visitor = async (length: number) => (await visit({ visitorId: x(length) })).body.visitorId;
  assert.equal(await visitor(clientIdLength), x(clientIdLength));
  assert.notEqual(await visitor(clientIdLength + 1), x(clientIdLength + 1));
  await visit({ title: x(titleLength + 1) });
  const { rows } = await service.db.query('select max(length(title)) as length from visits where account_id = $1', [
    account.uuid,
  ]);
  assert.equal(rows[0].length, titleLength);
  await visit({ url: `https://a.example/?gclid=${x(identifierLength)}` });
  assert.equal((await report({ gclid: x(identifierLength) })).body.status, 'reported');
  assert.equal((await report({ gclid: x(identifierLength + 1) })).body.code, 'identifier_invalid');
  assert.equal((await report({ value: limits.conversions.value })).status, 200);
  assert.equal((await report({ value: limits.conversions.value * 2 })).body.code, 'value_invalid');
});
