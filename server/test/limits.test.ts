/** The limits that `GET /v1/limits` publishes are those that are enforced: what reaches one is accepted, more is refused. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { filePart, PNG } from './furnished-account.ts';
import { type Account, type Answer, testService } from './harness.ts';

const service = await testService({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
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
  const withFormats = { name: 'Formats', fields: ['slug', 'json', 'richtext'].map(format) };
  const { id } = (await call('POST /v1/cms/collections', withFormats)).body;
  formats = `/v1/cms/collections/${id}`;
  await call(`PATCH ${formats}`, { fields: [{ ...format('reference'), collectionIds: [id] }] });
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
const funnel = (...steps: object[]) =>
  call('POST /v1/analytics/funnel', { from: '2026-01-01', to: '2026-01-02', steps });
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
  'content.fields': (n) => collection({ fields: list(n, field) }),
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
  'conversions.extraBytes': (n) => report({ extra: { a: x(n - '{"a":""}'.length) } }),
  'files.nameLength': (n) => call(`PATCH /v1/files/${asset}`, { name: x(n) }),
  'files.altLength': (n) => call(`PATCH /v1/files/${asset}`, { alt: x(n) }),
  'webhooks.urlLength': (n) => call('POST /v1/webhooks', { url: 'http://127.0.0.1/'.padEnd(n, 'x') }),
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
  ...['entryVersions', 'imageBytes', 'imagePixels', 'videoBytes', 'importBytes', 'importRows', 'imageSizes', 'rates'],
  ...['idempotencyKeyHours', 'content.fieldsBytes', 'tracking.eventIdLength', 'tracking.emailLength'],
  ...['tracking.identifierLength', 'tracking.titleLength', 'tracking.clientIdLength', 'conversions.value'],
  ...['conversions.unmatchedDays', 'webhooks.webhooks', 'analytics.intervals', 'analytics.savedViews'],
  ...[
    'analytics.sharedLinks',
    'analytics.annotations',
    'destinations.destinations',
    'exports.fields',
    'tracking.leadNameLength',
  ],
  ...['users.nameLength', 'users.emailLength', 'users.minPasswordLength', 'users.passwordLength'],
  ...[
    'users.invitationDays',
    'destinations.credentialLength',
    'destinations.sendAfterSeconds',
    'content.patternLength',
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
