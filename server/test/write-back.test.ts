/** Whatever a GET returns is accepted by the matching PATCH or POST, which ignores the members that are read-only. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { furnish } from './furnished-account.ts';
import { type Answer, testService } from './harness.ts';

const service = await testService({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
const mine = await furnish(service, 'mine');

type Body = Answer['body'];

async function ok(request: string, body?: unknown): Promise<Body> {
  const answer = await service.call(request, { by: mine.owner, body });
  assert.equal(answer.status, 200, `${request} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const collection = `/v1/cms/collections/${mine.collectionId}`;
const entry = `${collection}/entries/${mine.entryId}`;
const singleton = `/v1/cms/collections/${mine.singletonId}/entry`;
const first = (name: string) => (body: Body) => body[name][0];
const same = (body: Body) => body;

/** What is read, the part of it that is sent, and where to. */
const CASES: [read: string, part: (body: Body) => Body, write: (part: Body) => string][] = [
  [`GET ${collection}`, same, () => `PATCH ${collection}`],
  ['GET /v1/cms/collections', first('collections'), ({ id }) => `PATCH /v1/cms/collections/${id}`],
  [`GET ${collection}`, same, () => 'POST /v1/cms/collections'],
  [`GET ${entry}`, same, () => `PATCH ${entry}`],
  [`GET ${collection}/entries`, first('entries'), ({ id }) => `PATCH ${collection}/entries/${id}`],
  [`GET ${entry}`, same, () => `POST ${collection}/entries`],
  [`GET ${singleton}`, same, () => `PATCH ${singleton}`],
  [`GET /v1/cms/components/${mine.componentId}`, same, () => `PATCH /v1/cms/components/${mine.componentId}`],
  [`GET /v1/cms/releases/${mine.releaseId}`, same, () => `PATCH /v1/cms/releases/${mine.releaseId}`],
  ['GET /v1/cms/releases', first('releases'), () => 'POST /v1/cms/releases'],
  [`GET /v1/files/${mine.assetId}`, same, () => `PATCH /v1/files/${mine.assetId}`],
  ['GET /v1/files', first('files'), ({ assetId }) => `PATCH /v1/files/${assetId}`],
  ['GET /v1/folders', first('folders'), ({ id }) => `PATCH /v1/folders/${id}`],
  [`GET /v1/cms/components/${mine.componentId}`, same, ({ id }) => `PATCH /v1/cms/components/${id}`],
  ['GET /v1/tracking/settings', same, () => 'PATCH /v1/tracking/settings'],
  ['GET /v1/account', same, () => 'PATCH /v1/account'],
  [
    'GET /v1/members',
    ({ members }) => members.find(({ userId }: Body) => userId === mine.colleague.userId),
    ({ userId }) => `PATCH /v1/members/${userId}`,
  ],
  ['GET /v1/invitations', first('invitations'), () => 'POST /v1/invitations'],
  ['GET /v1/roles', ({ roles }) => roles.at(-1), ({ id }) => `PATCH /v1/roles/${id}`],
  ['GET /v1/keys', first('keys'), ({ id }) => `PATCH /v1/keys/${id}`],
  ['GET /v1/keys', first('keys'), () => 'POST /v1/keys'],
  [`GET /v1/webhooks/${mine.webhookId}`, same, () => `PATCH /v1/webhooks/${mine.webhookId}`],
  ['GET /v1/webhooks', first('webhooks'), () => 'POST /v1/webhooks'],
  ['GET /v1/publish-hooks', first('hooks'), ({ id }) => `PATCH /v1/publish-hooks/${id}`],
  ['GET /v1/publish-hooks', first('hooks'), () => 'POST /v1/publish-hooks'],
  ['GET /v1/conversions/unmatched', first('conversions'), ({ id }) => `PATCH /v1/conversions/unmatched/${id}`],
  ['GET /v1/analytics/shared-links', first('links'), ({ id }) => `PATCH /v1/analytics/shared-links/${id}`],
  [`GET /v1/experiments/${mine.experimentId}`, same, () => `PATCH /v1/experiments/${mine.experimentId}`],
  [`GET /v1/alerts/${mine.alertId}`, same, () => `PATCH /v1/alerts/${mine.alertId}`],
  ['GET /v1/alerts', first('alerts'), () => 'POST /v1/alerts'],
  ['GET /v1/experiments', first('experiments'), ({ id }) => `PATCH /v1/experiments/${id}`],
  ['GET /v1/analytics/annotations', first('annotations'), ({ id }) => `PATCH /v1/analytics/annotations/${id}`],
  ['GET /v1/analytics/annotations', first('annotations'), () => 'POST /v1/analytics/annotations'],
  [`GET /v1/leads/${mine.leadId}`, same, () => `PATCH /v1/leads/${mine.leadId}`],
  [
    `GET /v1/analytics/cost-sources/${mine.costSourceId}`,
    same,
    () => `PATCH /v1/analytics/cost-sources/${mine.costSourceId}`,
  ],
  [`GET /v1/warehouses/${mine.warehouseId}`, same, () => `PATCH /v1/warehouses/${mine.warehouseId}`],
  [`GET /v1/destinations/${mine.destinationId}`, same, () => `PATCH /v1/destinations/${mine.destinationId}`],
];

for (const [read, part, write] of CASES) {
  test(`${read} is accepted by ${write({ id: ':id', assetId: ':id', userId: ':id' })}`, async () => {
    const sent = part(await ok(read));
    const request = write(sent);
    const written = await ok(request, sent);
    if (request.startsWith('POST')) return assert.notEqual(written.id, sent.id);
    // Nothing was changed.
    const isVolatile = (name: string) => ['updatedAt', 'version', 'by', 'lastSeenAt', 'lastUsedAt'].includes(name);
    for (const [name, value] of Object.entries(part(await ok(read)))) {
      if (!isVolatile(name)) assert.deepEqual(value, sent[name], name);
    }
  });
}

test('every PATCH of the API is in the list', () => {
  const missing = service.app.knownRoutes
    .filter(({ method, url }) => [method].flat().includes('PATCH') && url.startsWith('/v1/'))
    .filter(({ url }) => {
      const pattern = new RegExp(`^PATCH ${url.replace(/:\w+/g, '[^/]+')}$`);
      return !CASES.some(([, , write]) => pattern.test(write({ id: 'x', assetId: 'x', userId: 'x' })));
    });
  assert.deepEqual(
    missing.map(({ url }) => url),
    [],
  );
});

test('a new field or option may say that it is active; a read-only member has no effect, and a typo is refused', async () => {
  const fields = [
    { label: 'Title', type: 'text', status: 'active' },
    { label: 'Kind', type: 'select', status: 'active', options: [{ value: 'a', label: 'A', status: 'active' }] },
  ];
  const created = await ok('POST /v1/cms/collections', { name: 'New', id: 'col_mine', createdAt: 'never', fields });
  assert.notEqual(created.id, 'col_mine');
  assert.deepEqual(
    created.fields.map(({ status }: Body) => status),
    ['active', 'active'],
  );
  for (const [path, body] of [
    ['PATCH /v1/tracking/settings', { updated: 'x' }],
    [`PATCH /v1/files/${mine.assetId}`, { altText: 'x' }],
    [`PATCH /v1/webhooks/${mine.webhookId}`, { event: [] }],
    [`PATCH /v1/publish-hooks/${mine.publishHookId}`, { event: [] }],
    [`PATCH ${collection}`, { nmae: 'x' }],
  ] as const) {
    const answer = await service.call(path, { as: mine, body });
    assert.deepEqual([answer.status, answer.body.code], [400, 'unknown_property'], path);
  }
});
