import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testService } from '../../../test/harness.ts';
import { createTestUser } from '../../../test/users.ts';

const service = await testService();
const PATH = '/v1/analytics/annotations';

const create = async (account: Account, at: string, text: string) => {
  const { status, body } = await service.call(`POST ${PATH}`, { as: account, body: { at, text } });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
const list = async (account: Account, query: string) => {
  const { status, body } = await service.call(`GET ${PATH}?${query}`, { as: account });
  assert.equal(status, 200, JSON.stringify(body));
  return body.annotations.map(({ text, startsAt }: { text: string; startsAt: string }) => [text, startsAt]);
};

test('a period lists its times and every day that it has a part of, by time, in the time zone of the report', async () => {
  const account = await service.newAccount();
  await create(account, '2026-03-29', 'The day of the change of clocks');
  await create(account, '2026-03-28T23:30:00+01:00', 'Half an hour before');
  await create(account, '2026-03-30T00:00:00+02:00', 'The next midnight');
  await create(account, '2026-03-28', 'The day before');
  const of = (from: string, to: string, zone = 'Europe/Berlin') =>
    list(account, `from=${from}&to=${to}&timeZone=${zone}`);
  const day = ['The day of the change of clocks', '2026-03-28T23:00:00.000Z'];
  assert.deepEqual(await of('2026-03-29', '2026-03-30'), [day]);
  assert.deepEqual(await of('2026-03-29T10:00:00Z', '2026-03-29T11:00:00Z'), [day]);
  assert.deepEqual(await of('2026-03-28', '2026-03-31'), [
    ['The day before', '2026-03-27T23:00:00.000Z'],
    ['Half an hour before', '2026-03-28T22:30:00.000Z'],
    day,
    ['The next midnight', '2026-03-29T22:00:00.000Z'],
  ]);
  // In another time zone the same day starts at another time.
  assert.deepEqual(await of('2026-03-29', '2026-03-30', 'America/New_York'), [
    [day[0], '2026-03-29T04:00:00.000Z'],
    ['The next midnight', '2026-03-29T22:00:00.000Z'],
  ]);
  assert.equal((await list(account, '')).length, 4);
});

test('an annotation names who created it, also after another member changed it', async () => {
  const account = await service.newAccount();
  const [author, other] = [await createTestUser(service, account, 'editor'), await createTestUser(service, account)];
  const body = { at: '2026-11-20', text: ' Launch ' };
  const { body: created } = await service.call(`POST ${PATH}`, { by: author, body });
  assert.deepEqual([created.at, created.text, created.createdBy.id], ['2026-11-20', 'Launch', author.userId]);
  assert.ok(created.createdBy.name);
  service.clock.now += 60_000;
  const change = { ...created, at: '2026-11-20T09:30:00+01:00', text: 'Launch of the shop' };
  const changed = await service.call(`PATCH ${PATH}/${created.id}`, { by: other, body: change });
  assert.deepEqual(changed.body, {
    ...{ ...created, text: 'Launch of the shop', at: '2026-11-20T08:30:00.000Z', startsAt: '2026-11-20T08:30:00.000Z' },
    updatedAt: changed.body.updatedAt,
  });
  assert.ok(changed.body.updatedAt > created.updatedAt);
  const { body: log } = await service.call('GET /v1/audit?pageSize=2', { by: other });
  const [last] = log.changes;
  assert.deepEqual([last.action, last.before.text, last.after.text], ['annotation.changed', 'Launch', change.text]);
  assert.equal((await service.call(`DELETE ${PATH}/${created.id}`, { by: author })).status, 200);
  assert.equal((await service.call(`DELETE ${PATH}/${created.id}`, { by: author })).status, 404);
  assert.deepEqual(await list(account, ''), []);
});

test('a day that does not exist, half a period and an empty text are refused', async () => {
  const account = await service.newAccount();
  const refused = async (name: string, body?: object) =>
    (await service.call(name, { as: account, body })).body.errors.map(
      ({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`,
    );
  for (const at of ['2026-02-30', '2026-11-20 08:00', 'yesterday', '0000-01-01']) {
    assert.deepEqual(await refused(`POST ${PATH}`, { at, text: 'x' }), ['/at timestamp_invalid'], at);
  }
  assert.equal((await refused(`POST ${PATH}`, { at: '2026-02-28', text: ' ' }))[0]?.split(' ')[0], '/text');
  assert.deepEqual(await refused(`GET ${PATH}?from=2026-02-28`), [' range_incomplete']);
  assert.deepEqual(await refused(`GET ${PATH}?timeZone=Nowhere`), ['?timeZone time_zone_unknown']);
});
