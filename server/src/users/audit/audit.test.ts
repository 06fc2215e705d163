import assert from 'node:assert/strict';
import { test } from 'node:test';
import { furnish } from '../../../test/furnished-account.ts';
import { testService } from '../../../test/harness.ts';
import { createTestUser } from '../../../test/users.ts';
import { applyAuditRetention, differences } from '../../shared/audit.ts';

const service = await testService();

test('the audit log shows who changed what, from where, with the state before and after, and no secret', async () => {
  const account = await service.newAccount();
  const ada = await createTestUser(service, account, 'owner', 'ada');
  const made = await service.call('POST /v1/keys', { by: ada, body: { name: 'Shop', type: 'secret' } });
  assert.equal((await service.call('GET /v1/limits', { as: made.body.token })).status, 200);
  await service.call(`PATCH /v1/keys/${made.body.id}`, { by: ada, body: { name: 'Store' } });
  await service.call(`DELETE /v1/keys/${made.body.id}`, { by: ada });
  await service.call(`DELETE /v1/keys/${made.body.id}`, { by: ada });
  assert.equal((await service.call('GET /v1/limits', { as: made.body.token })).status, 401);
  await service.call('PATCH /v1/account', { by: ada, body: { name: 'Renamed' } });
  await service.call('PATCH /v1/tracking/settings', { as: account, body: { retentionDays: 30 } });
  const { body: log } = await service.call('GET /v1/audit', { by: ada });
  assert.deepEqual(
    log.changes.map(({ action, actor, before, after }: Record<string, never>) => [action, actor, before, after]),
    [
      [
        'tracking_settings.changed',
        { type: 'key', id: log.changes[0].actor.id, name: 'First token' },
        { retentionDays: null },
        { retentionDays: 30 },
      ],
      ['account.changed', { type: 'user', id: ada.userId, name: 'ada' }, { name: 'Test' }, { name: 'Renamed' }],
      [
        'key.revoked',
        { type: 'user', id: ada.userId, name: 'ada' },
        { type: 'secret', name: 'Store', hint: made.body.hint },
        null,
      ],
      ['key.renamed', { type: 'user', id: ada.userId, name: 'ada' }, { name: 'Shop' }, { name: 'Store' }],
      [
        'key.created',
        { type: 'user', id: ada.userId, name: 'ada' },
        null,
        { type: 'secret', name: 'Shop', hint: made.body.hint },
      ],
    ],
  );
  assert.equal(log.changes[1].address, '127.0.0.1');
  assert.ok(!JSON.stringify(log).includes(made.body.token));
});

test('changes of content by users are logged; changes of entries by keys are not', async () => {
  const mine = await furnish(service, 'content-log');
  const { owner: by } = mine;
  const entries = `/v1/cms/collections/${mine.collectionId}/entries`;
  const count = async () => (await service.call('GET /v1/audit?action=entry.created', { by })).body.changes.length;
  assert.equal(await count(), 0, 'two entries were created by a key');
  const made = await service.call(`POST ${entries}`, { by, body: { values: { title: 'a', count: 1 } } });
  assert.equal(await count(), 1);
  const path = `${entries}/${made.body.id}`;
  await service.call(`PATCH ${path}`, { by, body: { values: { title: 'b' } } });
  await service.call(`DELETE ${path}`, { by });
  await service.call(`PATCH ${path}`, { by, body: { status: 'active' } });
  await service.call(`PATCH ${path}`, { by, body: { values: { title: 7 } } });
  const { changes } = (await service.call(`GET /v1/audit?subjectId=${made.body.id}`, { by })).body;
  assert.deepEqual(
    changes.map(({ action, before, after }: Record<string, never>) => [action, before, after]),
    [
      ['entry.restored', { status: 'deleted' }, { status: 'active' }],
      ['entry.deleted', { status: 'active' }, { status: 'deleted' }],
      ['entry.changed', { title: 'a' }, { title: 'b' }],
      ['entry.created', null, { title: 'a', count: 1, status: 'active' }],
    ],
    'a refused change is not logged',
  );
});

test('conversions, jobs and webhooks changed by users are logged without personal data', async () => {
  const mine = await furnish(service, 'by-hand');
  const { owner: by, gclid, conversionEventId, email } = mine;
  const post = async (path: string, body: unknown, method = 'POST') => {
    const response = await service.call(`${method} ${path}`, { by, body });
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return response.body;
  };
  const REPORT = '/v1/analytics/report-conversion';
  const made = await post(REPORT, { gclid, eventId: 'by-hand', value: 5 });
  await post(REPORT, { gclid, eventId: 'by-hand', value: 6 });
  await post(REPORT, [{ gclid, eventId: conversionEventId }, { gclid }, { gclid: 'nobody' }, {}]);
  await post(`${REPORT}/dry-run`, { gclid });
  await service.call(`POST ${REPORT}`, { as: mine, body: { gclid, value: 7 } });
  const job = await post('/v1/files/clear-unused', {});
  await post(`/v1/jobs/${job.id}/cancel`, {});
  const url = 'https://shop.example/hooks?key=secret';
  const webhook = await post('/v1/webhooks', { url, events: ['lead.created'] });
  await post(`/v1/webhooks/${webhook.id}`, { events: null }, 'PATCH');
  await post(`/v1/webhooks/${webhook.id}/rotate-secret`, {});
  await post(`/v1/webhooks/${webhook.id}/replay`, { status: 'failed' });
  await post(`/v1/webhooks/${webhook.id}`, undefined, 'DELETE');
  const { changes } = (await service.call('GET /v1/audit?pageSize=10', { by })).body;
  const account = changes.at(-3).subject.id;
  const settings = {
    url: 'https://shop.example/hooks',
    description: null,
    collectionIds: null,
    ordering: 'none',
    filters: null,
    fields: null,
    payload: 'full',
    ed25519: false,
    status: 'active',
  };
  assert.deepEqual(
    changes.map(({ action, subject, before, after }: Record<string, { id: string }>) => [
      action,
      subject?.id,
      before,
      after,
    ]),
    [
      ['webhook.deleted', webhook.id, { ...settings, events: null, status: 'deleted' }, null],
      ['webhook.replayed', webhook.id, null, { status: 'failed' }],
      ['webhook.secret_rotated', webhook.id, null, null],
      ['webhook.changed', webhook.id, { events: ['lead.created'] }, { events: null }],
      ['webhook.created', webhook.id, null, { ...settings, events: ['lead.created'] }],
      ['job.cancelled', job.id, null, { type: 'clear-unused-files' }],
      ['unused_files.deleted', job.id, null, { unusedForDays: 30 }],
      ['conversions.reported', account, null, { reported: 1, restated: 1, unmatched: 1, failed: 1 }],
      ['conversion.restated', made._id, null, null],
      ['conversion.reported', made._id, null, null],
    ],
  );
  assert.match(account, /^acc_/);
  for (const secret of [email, gclid, 'key=secret', webhook.secret]) {
    assert.ok(!JSON.stringify(changes).includes(secret), secret);
  }
});

test('the audit log is listed in pages, and filtered by author, action, subject and time', async () => {
  const account = await service.newAccount();
  const [ada, bob] = [await createTestUser(service, account), await createTestUser(service, account)];
  for (let i = 0; i < 5; i++) {
    service.clock.now += 1_000;
    await service.call('PATCH /v1/account', { by: i % 2 ? ada : bob, body: { name: `Name ${i}` } });
  }
  const list = async (query: string) => (await service.call(`GET /v1/audit?${query}`, { by: ada })).body;
  const first = await list('pageSize=2');
  const second = await list(`pageSize=2&pageToken=${first.nextPageToken}`);
  const third = await list(`pageSize=2&pageToken=${second.nextPageToken}`);
  const names = [first, second, third].flatMap(({ changes }) =>
    changes.map(({ after }: { after: { name: string } }) => after.name),
  );
  assert.deepEqual(names, ['Name 4', 'Name 3', 'Name 2', 'Name 1', 'Name 0']);
  assert.equal(third.nextPageToken, null);
  assert.equal((await list(`actorId=${bob.userId}`)).changes.length, 3);
  assert.equal((await list('actorId=nobody')).changes.length, 0);
  assert.equal((await list('action=key.created')).changes.length, 0);
  const at = first.changes[1].at;
  assert.deepEqual([(await list(`from=${at}`)).changes.length, (await list(`to=${at}`)).changes.length], [2, 3]);
  assert.equal((await list(`pageSize=2&to=${at}&pageToken=${first.nextPageToken}`)).code, 'page_token_invalid');
});

test('from and to accept every RFC 3339 time, and anything else is 400', async () => {
  const account = await service.newAccount();
  // Ids, which contain the time, never go back within a process.
  service.clock.now = Date.parse('2031-05-05T12:00:00.000Z');
  const by = await createTestUser(service, account);
  await service.call('PATCH /v1/account', { by, body: { name: 'Renamed' } });
  const list = (query: Record<string, string>) =>
    service.call(`GET /v1/audit?${new URLSearchParams({ action: 'account.changed', ...query })}`, { by });
  for (const [query, count] of [
    [{ from: '2031-05-05T08:00:00+16:00' }, 1],
    [{ to: '2031-05-05T08:00:00+16:00' }, 0],
    [{ from: '2031-05-05T12:00:00,5Z' }, 0],
    [{ to: '2031-05-05T12:00:00,5Z' }, 1],
    [{ from: '2031-05-05T11:59:60Z' }, 1],
    [{ to: '2031-05-05T11:59:60Z' }, 0],
    [{ from: '0001-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' }, 1],
  ] as const) {
    const { status, body } = await list(query);
    assert.deepEqual([status, body.changes?.length], [200, count], JSON.stringify([query, body]));
  }
  for (const from of ['', 'yesterday', '2031-05-05', '2031-05-05T12:00:61Z', '2026-02-30T00:00:00Z']) {
    assert.equal((await list({ from })).status, 400, from);
  }
});

test('log entries cannot be changed or deleted, except by retention', async () => {
  const account = await service.newAccount();
  const ada = await createTestUser(service, account);
  await service.call('PATCH /v1/account', { by: ada, body: { name: 'Old' } });
  const count = async () =>
    (await service.control.query('select 1 from audit_log where account_id = $1', [account.uuid])).rows.length;
  for (const sql of ["update audit_log set action = 'x'", 'delete from audit_log', 'truncate audit_log']) {
    await assert.rejects(service.control.query(sql), /append-only/);
  }
  await applyAuditRetention(service.control, service.config, service.clock.now + 399 * 86_400_000);
  assert.equal(await count(), 1);
  await applyAuditRetention(service.control, service.config, service.clock.now + 401 * 86_400_000);
  assert.equal(await count(), 0);
});

test('a change contains only what differs, shortened', () => {
  assert.deepEqual(differences({ a: 1, b: [1], c: 'x' }, { a: 1, b: [2], c: 'x' }), {
    before: { b: [1] },
    after: { b: [2] },
  });
  const { before, after } = differences(undefined, {
    text: 'x'.repeat(5_000),
    list: Array(2_000).fill(1),
    none: undefined,
  });
  assert.equal(before, null);
  assert.deepEqual(after, { text: `${'x'.repeat(200)}…`, list: '(4001 bytes)' });
});

test('responses with secrets are not stored for an Idempotency-Key; repeating the request is refused', async () => {
  const account = await service.newAccount();
  const by = await createTestUser(service, account);
  for (const [path, body] of [
    ['/v1/keys', { name: 'x', type: 'secret' }],
    ['/v1/invitations', { role: 'viewer' }],
  ] as const) {
    const make = () => service.call(`POST ${path}`, { by, body, headers: { 'idempotency-key': path } });
    const first = await make();
    assert.equal(first.status, 200);
    const again = await make();
    assert.deepEqual([again.status, again.body.code], [400, 'idempotency_response_erased']);
    const { rows } = await service.control.query('select response from idempotency_keys where key = $1', [path]);
    assert.deepEqual(rows, [{ response: null }]);
  }
});
