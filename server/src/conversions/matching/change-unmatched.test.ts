import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account } from '../../../test/harness.ts';
import { service } from '../../../test/shared.ts';

async function ok(request: string, as: Account, body?: unknown) {
  const answer = await service.call(request, { as, ...(body !== undefined && { body }) });
  assert.equal(answer.status, 200, `${request}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const report = (as: Account, body: unknown) => ok('POST /v1/analytics/report-conversion', as, body);
const unmatched = async (as: Account) => (await ok('GET /v1/conversions/unmatched', as)).conversions;
const visit = (as: Account, query: string) =>
  ok('POST /v1/visits', as, { api_key: as.apiKey, url: `https://shop.example/?${query}` });

test('an unmatched conversion is matched by a corrected identifier, or assigned to a session', async () => {
  const account = await service.newAccount();
  await visit(account, 'gclid=right');
  const { sessionHash } = await visit(account, 'utm_source=b');
  await report(account, { gclid: 'wrong', eventId: 'o1', value: 5, currency: 'EUR' });
  await report(account, { gclid: 'nobody', eventId: 'o2', value: 6 });
  const [second, first] = await unmatched(account);
  const path = (id: string) => `PATCH /v1/conversions/unmatched/${id}`;

  const waiting = await ok(path(first.id), account, { identifier: { gclid: 'still wrong' } });
  assert.deepEqual(waiting, { matched: false });
  assert.deepEqual((await unmatched(account)).at(-1).identifier, { gclid: 'still wrong' });
  assert.deepEqual(await ok(path(first.id), account, { identifier: { gclid: 'right' } }), { matched: true });
  assert.deepEqual(await ok(path(second.id), account, { identifier: { sessionHash } }), { matched: true });
  assert.deepEqual(await unmatched(account), []);
  const { conversions } = await ok('GET /v1/conversions', account);
  assert.deepEqual(
    conversions.map((each: Record<string, unknown>) => [each.eventId, each.value, each.identifier, each.source]).sort(),
    [
      ['o1', '5', { gclid: 'right' }, 'google'],
      ['o2', '6', { sessionHash }, 'b'],
    ],
  );
  const gone = await service.call(path(first.id), { as: account, body: { identifier: { gclid: 'right' } } });
  assert.equal(gone.status, 404);
});

test('a correction without exactly one identifier is refused and changes nothing', async () => {
  const account = await service.newAccount();
  await report(account, { gclid: 'wrong', value: 5 });
  const [{ id }] = await unmatched(account);
  for (const [identifier, code] of [
    [{}, 'identifier_missing'],
    [{ gclid: 'a', fbclid: 'b' }, 'identifier_conflict'],
    [{ gclid: ['a'] }, 'identifier_conflict'],
  ]) {
    const refused = await service.call(`PATCH /v1/conversions/unmatched/${id}`, { as: account, body: { identifier } });
    assert.deepEqual([refused.status, refused.body.code], [400, code]);
  }
  assert.deepEqual((await unmatched(account))[0].identifier, { gclid: 'wrong' });
});

test('a deleted unmatched conversion never becomes a conversion', async () => {
  const account = await service.newAccount();
  await report(account, { gclid: 'late', eventId: 'o1', value: 5 });
  const [{ id }] = await unmatched(account);
  assert.deepEqual(await ok(`DELETE /v1/conversions/unmatched/${id}`, account), { success: true });
  assert.equal((await service.call(`DELETE /v1/conversions/unmatched/${id}`, { as: account })).status, 404);
  await visit(account, 'gclid=late');
  assert.deepEqual((await ok('GET /v1/conversions', account)).conversions, []);
  assert.deepEqual(await unmatched(account), []);
});
