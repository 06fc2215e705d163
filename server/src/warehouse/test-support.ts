import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Account, TestService } from '../../test/harness.ts';
import { S3_CREDENTIALS, type S3Server } from '../../test/s3-server.ts';
import { endOf } from '../exports/test-support.ts';

export const ALLOWED = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };

export const warehouseOn = (s3: S3Server, more: object = {}) => ({
  ...{
    name: 'Lake',
    endpoint: new URL(s3.url).searchParams.get('endpoint'),
    region: 'test-1',
    bucket: 'bucket',
    prefix: 'a/b',
  },
  ...{ accessKeyId: S3_CREDENTIALS.AWS_ACCESS_KEY_ID, secretAccessKey: S3_CREDENTIALS.AWS_SECRET_ACCESS_KEY, ...more },
});

export async function ok(service: TestService, request: string, as: Account, body?: unknown) {
  const answer = await service.call(request, { as, ...(body !== undefined && { body }) });
  assert.equal(answer.status, 200, `${request}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Exports now, and returns the job at its end. */
export async function exportNow(service: TestService, as: Account, id: string, body: object | null = null) {
  return endOf(service, as, (await ok(service, `POST /v1/warehouses/${id}/export`, as, body)).id);
}

/** What DuckDB reads from a copy of the bucket by the views that are in it. */
export async function query(s3: S3Server, sql: string): Promise<Record<string, unknown>[]> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bucket-'));
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    for (const [key, { body }] of s3.objects) {
      mkdirSync(dirname(join(folder, key)), { recursive: true });
      writeFileSync(join(folder, key), body);
    }
    for (const [key, { body }] of s3.objects) {
      if (key.endsWith('/_current.sql')) await connection.run(body.toString().replaceAll('s3://bucket/', `${folder}/`));
    }
    const reader = await connection.runAndReadAll(sql);
    return reader.getRowObjectsJson() as Record<string, unknown>[];
  } finally {
    connection.closeSync();
    instance.closeSync();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const filesOf = (s3: S3Server, dataset: string) =>
  [...s3.objects.keys()].filter((key) => key.startsWith(`a/b/${dataset}/day=`)).sort();
export const manifestOf = (s3: S3Server, dataset: string) =>
  (s3.objects.get(`a/b/${dataset}/manifest.ndjson`)?.body.toString() ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
