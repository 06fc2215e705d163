import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Furnished, furnish, rowsOf } from '../../../test/furnished-account.ts';
import { testService } from '../../../test/harness.ts';

// Of its own: jobs of a furnished account, which workers that others start would carry out, change rows.
const service = await testService();

const REPORT = 'POST /v1/analytics/report-conversion';
const DRY_RUN = `${REPORT}/dry-run`;

async function dryRun(as: Furnished, body: unknown) {
  const { status, body: answer } = await service.call(DRY_RUN, { as, body });
  assert.equal(status, 200, JSON.stringify(answer));
  return answer;
}

test('a dry run returns the results and effects that the report then has, item by item, and changes nothing', async () => {
  const mine = await furnish(service, 'dry-run');
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
  const preview = await dryRun(mine, items);
  assert.deepEqual(await rowsOf(service, mine), before);
  assert.ok(Object.keys(before).length > 20, 'all tables of the account are compared');

  const reported = (await service.call(REPORT, { as: mine, body: items })).body;
  for (const [i, { effect, sessionId: found, restatesItem, _id, ...answer }] of preview.entries()) {
    const { _id: made, ...result } = reported[i];
    assert.deepEqual(answer, result);
    if (_id !== undefined) assert.equal(_id, made);
    if (restatesItem !== undefined) assert.equal(made, reported[restatesItem]._id);
    assert.equal(found, result.reported ? sessionId : null, `${i} ${effect}`);
  }
  assert.deepEqual(
    preview.map(({ effect, restatesItem, _id }: Record<string, unknown>) => [effect, restatesItem, _id !== undefined]),
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

test('a restated conversion keeps its session, even if the dry run finds another one or none', async () => {
  const mine = await furnish(service, 'dry-run-kept');
  const visit = { api_key: mine.token, url: 'https://shop.test/?gclid=other' };
  await service.call('POST /v1/visits', { body: visit });
  const item = { gclid: 'other', eventId: mine.conversionEventId, value: 1 };
  const { effect, sessionId } = await dryRun(mine, item);
  assert.deepEqual([effect, sessionId], ['restate', mine.sessionId]);
});

test('a dry run rejects what the report rejects, with the same response', async () => {
  const mine = await furnish(service, 'dry-run-refused');
  const many = Array.from({ length: service.config.limits.conversionsPerBatch + 1 }, () => ({ gclid: 'x' }));
  for (const body of [{ gclid: 'a', fbclid: 'b' }, {}, 7, null, many, { gclid: 'a', value: '', currency: 'x' }]) {
    const { status, body: preview } = await service.call(DRY_RUN, { as: mine, body });
    const { body: reported } = await service.call(REPORT, { as: mine, body });
    assert.equal(status, 400);
    assert.deepEqual({ ...preview, requestId: '' }, { ...reported, requestId: '' });
  }
});
