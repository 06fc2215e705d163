import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { ConfigError, readConfig } from './config.ts';

test('no setting is required', () => {
  const config = readConfig({});
  assert.deepEqual([config.host, config.port, config.dataDir], ['0.0.0.0', 3000, resolve('data')]);
  assert.deepEqual([config.databaseUrl, config.publicUrl, config.storageUrl], [undefined, undefined, undefined]);
  assert.deepEqual(config.rates, {
    read: { perSecond: 100, burst: 100 },
    write: { perSecond: 50, burst: 50 },
    conversion: { perSecond: 50, burst: 50 },
    upload: { perSecond: 10, burst: 10 },
    ingest: { perSecond: 1000, burst: 1000 },
    ingestAddress: { perSecond: 100, burst: 500 },
    delivery: { perSecond: 1000, burst: 2000 },
  });
  assert.equal(config.limits.bodyBytes, 1_048_576);
  assert.equal(config.limits.conversionBodyBytes, 4 * 1_048_576);
  assert.equal(config.limits.bodyDepth, 32);
  assert.equal(config.limits.conversionsPerBatch, 1000);
});

test('an empty value counts as absent', () => {
  assert.deepEqual(readConfig({ PORT: '', DATABASE_URL: ' ', RATE_LIMIT: '' }), readConfig({}));
});

test('valid settings are parsed', () => {
  const config = readConfig({
    PORT: '8080',
    PUBLIC_URL: 'https://headwater.example/api//',
    DATABASE_URL: 'postgres://user:p%40ss@/name?host=/run/postgresql',
    RATE_LIMIT_READ: '2.5:7',
    RATE_LIMIT_WRITE: '0.2',
    TRUST_PROXY: '10.0.0.0/8, ::1,192.0.2.1',
    LIMIT_BODY_MB: '2',
  });
  assert.equal(config.port, 8080);
  assert.equal(config.publicUrl, 'https://headwater.example/api');
  assert.equal(config.databaseUrl, 'postgres://user:p%40ss@/name?host=/run/postgresql');
  assert.deepEqual(config.rates?.read, { perSecond: 2.5, burst: 7 });
  assert.deepEqual(config.rates?.write, { perSecond: 0.2, burst: 1 });
  assert.deepEqual(config.trustProxy, ['10.0.0.0/8', '::1', '192.0.2.1']);
  assert.equal(config.limits.bodyBytes, 2 * 1_048_576);
  assert.equal(readConfig({ RATE_LIMIT: 'off' }).rates, undefined);
});

const WRONG: [string, string][] = [
  ['PORT', 'http'],
  ['PORT', '-1'],
  ['PORT', '65536'],
  ['PORT', '1.5'],
  ['PUBLIC_URL', 'headwater.example'],
  ['PUBLIC_URL', 'ftp://headwater.example'],
  ['PUBLIC_URL', 'https://user:hunter2@headwater.example'],
  ['PUBLIC_URL', 'https://headwater.example/?a=b'],
  ['DATABASE_URL', 'mysql://user:hunter2@localhost/x'],
  ['DATABASE_URL', 'not a url'],
  ['STORAGE_URL', 'relative/folder'],
  ['STORAGE_URL', 'gs://bucket'],
  ['STORAGE_URL', 's3://'],
  ['STORAGE_URL', 's3://bucket?endpoint=localhost:9000'],
  ['STORAGE_URL', 's3://bucket?secret=x'],
  ['FILE_SIZES', '100,x'],
  ['FILE_SIZES', '0'],
  ['FILE_METADATA', 'maybe'],
  ['FILE_DELIVERY', 'apache'],
  ['RATE_LIMIT', 'maybe'],
  ['RATE_LIMIT_READ', 'fast'],
  ['RATE_LIMIT_READ', '0'],
  ['RATE_LIMIT_INGEST_ADDRESS', '-1'],
  ['LOG_LEVEL', 'loud'],
  ['DATABASE_POOL', '1'],
  ['ENTRY_VERSIONS', '-1'],
  ['TRASH_DAYS', '0'],
  ['TRUST_PROXY', 'yes'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '0.0.0.0/0'],
  ['TRUST_PROXY', '10.0.0.0/8/8'],
  ['WEBHOOK_ALLOW_CIDRS', 'internal'],
  ['BACKUP_URL', 'backups'],
  ['BACKUP_URL', 'file:///backups'],
  ['BACKUP_HOURS', '0'],
  ['BACKUP_KEEP', '0'],
  ['BACKUP_RECIPIENT', 'AGE-SECRET-KEY-1'],
  ['LIMIT_BODY_MB', '0'],
  ['LIMIT_BODY_DEPTH', 'deep'],
  ['LIMIT_CONVERSIONS_PER_BATCH', '1e3'],
];

for (const [name, value] of WRONG) {
  test(`${name}=${value} is rejected in one line that names it`, () => {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error: Error) => {
        assert.ok(error instanceof ConfigError);
        assert.ok(error.message.startsWith(name), error.message);
        assert.doesNotMatch(error.message, /\n|hunter2/);
        return true;
      },
    );
  });
}
