import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { Account, TestService } from '../../test/harness.ts';
import { JobRunner } from '../jobs/runner.ts';

interface ExportedJob {
  id: string;
  status: string;
  progress: number;
  result: { url: string; format: string; rows: number; bytes: number; sha256: string };
  error: { code: string } | null;
  [member: string]: unknown;
}

export const runnerOf = (service: TestService) =>
  service.workers.find((worker) => worker instanceof JobRunner) ?? assert.fail('the service has no job runner');

/** Inserts rows directly. The first row determines the columns. */
export async function insertRows(service: TestService, table: string, rows: Record<string, unknown>[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  await service.db.query(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  );
}

/** Local files whose path contains the job's id: finished and unfinished exports. */
export const filesOfJob = ({ dataDir }: TestService, jobId: string): string[] =>
  readdirSync(dataDir, { recursive: true })
    .map(String)
    .filter((path) => path.includes(jobId));

export async function startExport(service: TestService, as: Account, body: Record<string, unknown>) {
  const answer = await service.call('POST /v1/analytics/export', { as, body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body as ExportedJob;
}

export async function readJob(service: TestService, as: Account, id: string) {
  return (await service.call(`GET /v1/jobs/get-by-id?id=${id}`, { as })).body as ExportedJob;
}

export async function endOf(service: TestService, as: Account, id: string): Promise<ExportedJob> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await pause(10)) {
    const job = await readJob(service, as, id);
    if (job.status !== 'queued' && job.status !== 'running') return job;
  }
  return assert.fail('the job did not finish');
}

export interface Exported {
  job: ExportedJob;
  file: Buffer;
}

/** Exports, downloads, and checks the file against the job's result. */
export async function runExport(service: TestService, as: Account, body: Record<string, unknown>): Promise<Exported> {
  const job = await endOf(service, as, (await startExport(service, as, body)).id);
  assert.equal(job.status, 'completed', JSON.stringify(job));
  const file = await download(service, job.result.url);
  assert.equal(job.result.bytes, file.length);
  assert.equal(job.result.sha256, createHash('sha256').update(file).digest('hex'));
  assert.equal(job.result.format, body.format);
  return { job, file };
}

export async function download(service: TestService, url: string): Promise<Buffer> {
  const answer = await service.app.inject({ url: url.replace('http://headwater.test', '') });
  assert.equal(answer.statusCode, 200);
  return answer.rawPayload;
}

/** Parses strictly by RFC 4180. An empty cell without quotes is null. */
export function parseCsv(file: Buffer): (string | null)[][] {
  const text = file.toString('utf8');
  const rows: (string | null)[][] = [];
  let row: (string | null)[] = [];
  let at = 0;
  while (at < text.length) {
    if (text[at] === '"') {
      let cell = '';
      for (at++; ; ) {
        const quote = text.indexOf('"', at);
        assert.ok(quote >= 0, 'a quoted cell is not closed');
        cell += text.slice(at, quote);
        at = quote + 1;
        if (text[at] !== '"') break;
        cell += '"';
        at++;
      }
      row.push(cell);
    } else {
      const end = text.slice(at).search(/[,\r]/) + at;
      const cell = text.slice(at, end);
      assert.doesNotMatch(cell, /["\n]/);
      row.push(cell === '' ? null : cell);
      at = end;
    }
    if (text[at] === ',') {
      at++;
      continue;
    }
    assert.equal(text.slice(at, at + 2), '\r\n');
    at += 2;
    rows.push(row);
    row = [];
  }
  return rows;
}

export function parseNdjson(file: Buffer): Record<string, unknown>[] {
  const lines = file.toString('utf8').split('\n');
  assert.equal(lines.pop(), '');
  return lines.map((line) => JSON.parse(line));
}

export const parseParquet = (file: Buffer): Promise<Record<string, unknown>[]> =>
  parquetReadObjects({ file: bufferOf(file) });

export const parquetRowGroups = (file: Buffer): number => parquetMetadata(bufferOf(file)).row_groups.length;

const bufferOf = (file: Buffer) => file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer;
