import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { testService } from '../../../test/harness.ts';
import { ConfigError } from '../../shared/config.ts';
import { openCountries } from './country.ts';
import { bitsOf, countryDatabase } from './test-country-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-countries-'));
after(() => rmSync(folder, { recursive: true }));

function database(ipVersion: 4 | 6, countries: Record<string, string>): string {
  const file = join(folder, `v${ipVersion}.mmdb`);
  writeFileSync(file, countryDatabase(ipVersion, countries));
  return file;
}

// In a database of both, IPv4 lies below ::/96.
const BOTH = database(6, {
  [bitsOf(...Array(12).fill(0), 203, 0, 113)]: 'DE',
  [bitsOf(0x20, 0x01, 0x0d, 0xb8)]: 'FR',
});

test('the country of an IPv4 or IPv6 address, and null for an unknown or invalid one', async () => {
  const both = await openCountries(BOTH);
  const ipv4 = await openCountries(database(4, { [bitsOf(203, 0, 113)]: 'DE', [bitsOf(0x20)]: 'US' }));
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
    assert.equal(both(address), inBoth, address);
    assert.equal(ipv4(address), inIpv4, address);
  }
  assert.equal((await openCountries(undefined))('203.0.113.9'), null);
});

test('an invalid file stops the start with one line that names GEOIP_PATH', async () => {
  const wrong = join(folder, 'wrong.mmdb');
  writeFileSync(wrong, 'not a database');
  for (const path of [wrong, join(folder, 'missing.mmdb')]) {
    await assert.rejects(openCountries(path), (error: Error) => {
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
