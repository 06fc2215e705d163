import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Furnished, furnish, rowsOf } from '../../test/furnished-account.ts';
import { testService } from '../../test/harness.ts';

const service = await testService();
const REPORT = 'POST /v1/analytics/report-conversion';
const REHEARSE = `${REPORT}/rehearse`;

async function rehearse(as: Furnished, body: unknown) {
  const { status, body: answer } = await service.call(REHEARSE, { as, body });
  assert.equal(status, 200, JSON.stringify(answer));
  return answer;
}

test('a rehearsal answers what the report then does, item by item, and what it would do; and changes nothing', async () => {
  const mine = await furnish(service, 'rehearsal');
  const { gclid, sessionId, conversionEventId } = mine;
  const items = [
    { gclid, value: 1 },
    { gclid, eventId: 'new', value: 2, createdOn: 'whenever' },
    { sessionId, eventId: 'new', value: 3 },
    { gclid: 'nobody', eventId: 'new', value: 4 },
    { sessionId, eventId: conversionEventId, value: 5 },
    { gclid, eventId: conversionEventId, value: '' },
    { gclid, eventId: conversionEventId, currency: 'USD' },
    'text',
  ];
  const before = await rowsOf(service, mine);
  const rehearsed = await rehearse(mine, items);
  assert.deepEqual(await rowsOf(service, mine), before);
  assert.ok(Object.keys(before).length > 20, 'all tables of the account are compared');

  const reported = (await service.call(REPORT, { as: mine, body: items })).body;
  for (const [i, { effect, sessionId: found, restatesItem, _id, ...answer }] of rehearsed.entries()) {
    const { _id: made, ...result } = reported[i];
    assert.deepEqual(answer, result);
    if (_id !== undefined) assert.equal(_id, made);
    if (restatesItem !== undefined) assert.equal(made, reported[restatesItem]._id);
    assert.equal(found, result.reported ? sessionId : null, `${i} ${effect}`);
  }
  assert.deepEqual(
    rehearsed.map(({ effect, restatesItem, _id }: Record<string, unknown>) => [
      effect,
      restatesItem,
      _id !== undefined,
    ]),
    [
      ['create', undefined, false],
      ['create', undefined, false],
      ['restate', 1, false],
      ['wait', undefined, false],
      ['restate', undefined, true],
      ['none', undefined, false],
      ['restate', 4, true],
      ['none', undefined, false],
    ],
  );
});

test('a conversion that is restated keeps the session it has, also where the rehearsal finds another, or none', async () => {
  const mine = await furnish(service, 'rehearsal-kept');
  const visit = { api_key: mine.token, url: 'https://shop.test/?gclid=other' };
  await service.call('POST /v1/visits', { body: visit });
  const item = { gclid: 'other', eventId: mine.conversionEventId, value: 1 };
  const { effect, sessionId } = await rehearse(mine, item);
  assert.deepEqual([effect, sessionId], ['restate', mine.sessionId]);
});

test('what is wrong with a rehearsal is answered as it is of the report', async () => {
  const mine = await furnish(service, 'rehearsal-refused');
  const many = Array.from({ length: service.config.limits.conversionsPerBatch + 1 }, () => ({ gclid: 'x' }));
  for (const body of [{ gclid: 'a', fbclid: 'b' }, {}, [], 7, null, many, { gclid: 'a', value: '', currency: 'x' }]) {
    const { status, body: rehearsed } = await service.call(REHEARSE, { as: mine, body });
    const { body: reported } = await service.call(REPORT, { as: mine, body });
    assert.equal(status, 400);
    assert.deepEqual({ ...rehearsed, requestId: '' }, { ...reported, requestId: '' });
  }
});
