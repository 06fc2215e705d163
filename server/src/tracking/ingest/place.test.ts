import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { testService } from '../../../test/harness.ts';
import { aggregateNewRows } from '../../analytics/aggregation/aggregate-new-rows.ts';
import { ConfigError } from '../../shared/config.ts';
import { openPlaces } from './place.ts';
import { bitsOf, placeDatabase } from './test-place-database.ts';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';

const folder = mkdtempSync(join(tmpdir(), 'headwater-countries-'));
after(() => rmSync(folder, { recursive: true }));

function database(ipVersion: 4 | 6, places: Record<string, string>): string {
  const file = join(folder, `v${ipVersion}.mmdb`);
  writeFileSync(file, placeDatabase(ipVersion, places));
  return file;
}

// In a database of both, IPv4 lies below ::/96.
const BOTH = database(6, {
  [bitsOf(...Array(12).fill(0), 203, 0, 113)]: 'DE',
  [bitsOf(0x20, 0x01, 0x0d, 0xb8)]: 'FR',
});

test('the country of an IPv4 or IPv6 address, and null for an unknown or invalid one', async () => {
  const both = await openPlaces(BOTH);
  const ipv4 = await openPlaces(database(4, { [bitsOf(203, 0, 113)]: 'DE', [bitsOf(0x20)]: 'US' }));
  for (const [address, inBoth, inIpv4] of [
    ['203.0.113.9', 'DE', 'DE'],
    ['::ffff:203.0.113.9', 'DE', 'DE'],
    ['203.0.114.9', null, null],
    ['2001:db8::1', 'FR', null],
    ['2001:db9::1', null, null],
    ['32.1.1.1', null, 'US'],
    ['unknown', null, null],
    ['', null, null],
  ] as const) {
    assert.equal(both(address).country, inBoth, address);
    assert.equal(ipv4(address).country, inIpv4, address);
  }
  assert.deepEqual((await openPlaces(undefined))('203.0.113.9'), { country: null, region: null });
});

test('the region is the largest subdivision with its country; a country database has none', async () => {
  const file = database(4, {
    [bitsOf(203, 0, 113)]: 'DE/Bavaria',
    [bitsOf(203, 0, 114)]: 'BE/Limburg',
    [bitsOf(203, 0, 115)]: 'NL/Limburg',
    [bitsOf(203, 0, 116)]: 'AT/#9',
    [bitsOf(203, 0, 117)]: 'CH',
  });
  const find = await openPlaces(file);
  assert.deepEqual(
    [113, 114, 115, 116, 117, 118].map((network) => find(`203.0.${network}.1`).region),
    ['Bavaria, DE', 'Limburg, BE', 'Limburg, NL', '9, AT', null, null],
  );

  const service = await testService({ GEOIP_PATH: file });
  const account = await service.newAccount();
  const visit = { api_key: account.apiKey, url: 'https://shop.example/' };
  const from = (remoteAddress: string) =>
    service.app.inject({
      method: 'POST',
      url: '/v1/visits',
      remoteAddress,
      headers: { 'user-agent': CHROME },
      payload: visit,
    });
  for (const address of ['203.0.113.1', '203.0.114.1', '203.0.117.1']) await from(address);
  const { body } = await service.call('GET /v1/sessions', { as: account });
  const regions = body.sessions.map(({ country, region }: Record<string, unknown>) => [country, region]);
  assert.deepEqual(regions, [
    ['CH', null],
    ['BE', 'Limburg, BE'],
    ['DE', 'Bavaria, DE'],
  ]);
  await aggregateNewRows({ db: service.db, clock: () => service.clock.now });
  const rowsOf = async (query: string) => {
    const period = 'from=2026-01-01&to=2030-01-01';
    const report = await service.call(`GET /v1/analytics/breakdown?${period}&by=region${query}`, { as: account });
    assert.equal(report.status, 200, JSON.stringify(report.body));
    return report.body.breakdowns.region.rows.map(({ value }: { value: string | null }) => value);
  };
  assert.deepEqual((await rowsOf('')).toSorted(), ['Bavaria, DE', 'Limburg, BE', null]);
  assert.deepEqual(await rowsOf('&filter[region]=Limburg,%20BE'), ['Limburg, BE']);
  assert.deepEqual(await rowsOf('&filter[region][contains]=bavaria'), ['Bavaria, DE']);
});

test('an invalid file stops the start with one line that names GEOIP_PATH', async () => {
  const wrong = join(folder, 'wrong.mmdb');
  writeFileSync(wrong, 'not a database');
  for (const path of [wrong, join(folder, 'missing.mmdb')]) {
    await assert.rejects(openPlaces(path), (error: Error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, /^GEOIP_PATH [^\n]+$/);
      return true;
    });
  }
});

test('X-Forwarded-For is trusted from configured proxies only, for countries and internal addresses', async () => {
  const service = await testService({ TRUST_PROXY: '10.0.0.0/8,::1', GEOIP_PATH: BOTH });
  const account = await service.newAccount();
  await service.call('PATCH /v1/tracking/settings', { as: account, body: { excludedAddresses: ['203.0.113.9'] } });
  const seen = async (from: string, forwardedFor?: string) => {
    const { body } = await service.app.inject({
      method: 'POST',
      url: '/v1/visits',
      remoteAddress: from,
      headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
      payload: { api_key: account.apiKey, url: 'https://shop.example/' },
    });
    const { rows } = await service.db.query(
      'select country, is_internal from sessions where account_id = $1 and number = $2',
      [account.uuid, service.sessionIds.numberOf(JSON.parse(body).sessionId)],
    );
    return [rows[0]?.country, rows[0]?.is_internal];
  };
  assert.deepEqual(await seen('203.0.113.9'), ['DE', true]);
  assert.deepEqual(await seen('192.0.2.1'), [null, false]);
  assert.deepEqual(await seen('10.1.2.3', '203.0.113.9'), ['DE', true]);
  assert.deepEqual(await seen('::1', '203.0.113.8'), ['DE', false]);
  // Anybody can write the first of several; the last that no trusted proxy wrote counts.
  assert.deepEqual(await seen('10.1.2.3', '2001:db8::1, 203.0.113.9, 10.9.9.9'), ['DE', true]);
  assert.deepEqual(await seen('10.1.2.3', '203.0.113.9, 2001:db8::1'), ['FR', false]);
  assert.deepEqual(await seen('192.0.2.1', '203.0.113.9'), [null, false], 'no proxy of ours');
  assert.deepEqual(await seen('10.1.2.3', 'unknown'), [null, false]);

  const trusting = await testService({ GEOIP_PATH: BOTH });
  const other = await trusting.newAccount();
  await trusting.app.inject({
    method: 'POST',
    url: '/v1/visits',
    headers: { 'x-forwarded-for': '203.0.113.9' },
    payload: { api_key: other.apiKey, url: 'https://shop.example/' },
  });
  const { rows } = await trusting.db.query('select country from sessions where account_id = $1', [other.uuid]);
  assert.deepEqual(rows, [{ country: null }], 'none is trusted where none was named');
});
