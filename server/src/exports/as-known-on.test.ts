import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../../test/harness.ts';
import { aggregateNewRows } from '../analytics/aggregation/aggregate-new-rows.ts';
import { parseNdjson, runExport, runnerOf } from './test-support.ts';

const service = await testService();
runnerOf(service).start();

test('conversions are exported as they were known at a time; no other dataset is', async () => {
  const account = await service.newAccount();
  const deps = { db: service.db, clock: () => service.clock.now };
  await service.call('POST /v1/visits', {
    body: { api_key: account.apiKey, url: 'https://shop.example/?gclid=known' },
  });
  const report = (body: object) =>
    service.call('POST /v1/analytics/report-conversion', { as: account, body: { gclid: 'known', ...body } });
  const states: [at: number, rows: string[]][] = [[service.clock.now - 1, []]];
  const note = (...rows: string[]) => {
    service.clock.now += 60_000;
    states.push([service.clock.now, rows]);
    service.clock.now += 60_000;
  };
  await report({ eventId: 'a', value: 10, currency: 'EUR' });
  await report({ eventId: 'b' });
  note('a 10 EUR', 'b null null');
  await report({ eventId: 'a', value: 0 });
  note('a 0 EUR', 'b null null');
  await report({ eventId: 'a', value: '7.5', currency: 'USD' });
  await report({ eventId: 'b', value: 3, currency: 'EUR' });
  note('a 7.5 USD', 'b 3 EUR');
  await aggregateNewRows(deps);
  for (const [at, rows] of states) {
    const request = { dataset: 'conversions', format: 'ndjson', asKnownOn: new Date(at).toISOString() } as const;
    const { file } = await runExport(service, account, request);
    const found = parseNdjson(file).map(({ eventId, value, currency }) => `${eventId} ${value} ${currency}`);
    assert.deepEqual(found.sort(), rows, request.asKnownOn);
  }
  const body = { dataset: 'visits', format: 'csv', asKnownOn: '2026-01-01' };
  const refused = await service.call('POST /v1/analytics/export', { as: account, body });
  assert.deepEqual(
    [refused.status, refused.body.errors[0].pointer, refused.body.errors[0].code],
    [400, '/asKnownOn', 'not_allowed'],
  );
});
