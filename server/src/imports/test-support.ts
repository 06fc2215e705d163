import assert from 'node:assert/strict';
import { filePart } from '../../test/furnished-account.ts';
import type { Account } from '../../test/harness.ts';
import { contentService } from '../content/test-support.ts';
import { download, endOf, runnerOf } from '../exports/test-support.ts';
import type { Import, ImportMapping } from './contract.ts';

/** The content service with a running job runner, and helpers for imports and exports that are expected to succeed. */
export async function importService() {
  const service = await contentService();
  runnerOf(service).start();

  const upload = (as: Account, path: string, file: string | Buffer, name = 'things.csv') => {
    const { payload, headers } = filePart('file', name, Buffer.from(file));
    return service.call(`POST ${path}/imports`, { as, body: payload, headers });
  };

  async function uploaded(as: Account, path: string, file: string | Buffer): Promise<Import> {
    const answer = await upload(as, path, file);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  }

  /** Runs a stage to its end. */
  async function runStage(
    as: Account,
    path: string,
    id: string,
    name: 'dry-run' | 'start' | 'undo',
    body?: unknown,
  ): Promise<Import> {
    const started: Import = await service.ok(`POST ${path}/imports/${id}/${name}`, as, body);
    await endOf(service, as, started.job?.id ?? '');
    return service.ok(`GET ${path}/imports/${id}`, as);
  }

  /** The mapping that the service suggests, matching entries by id if there is an id column. */
  function suggestedMapping({ columns }: Import, more: Partial<ImportMapping> = {}): ImportMapping {
    const idColumn = columns.findIndex(({ suggestedField }) => suggestedField === '_id');
    return {
      columns: columns.map(({ suggestedField: field }) => (field === null || field === '_id' ? null : { field })),
      idColumn: idColumn === -1 ? null : idColumn,
      ...more,
    };
  }

  async function dryRun(
    as: Account,
    path: string,
    file: string | Buffer,
    more: Partial<ImportMapping> = {},
  ): Promise<Import> {
    const sent = await uploaded(as, path, file);
    return runStage(as, path, sent.id, 'dry-run', suggestedMapping(sent, more));
  }

  async function exported(as: Account, path: string, body: Record<string, unknown> = {}): Promise<string> {
    const { id } = await service.ok(`POST ${path}/export`, as, { format: 'csv', ...body });
    const job = await endOf(service, as, id);
    assert.equal(job.status, 'completed', JSON.stringify(job));
    return (await download(service, job.result.url)).toString('utf8');
  }

  const results = async (url: string | null | undefined) => (await download(service, url ?? '')).toString('utf8');

  return { ...service, upload, uploaded, runStage, suggestedMapping, dryRun, exported, results };
}

/** Counts without the errors and the URL of the results. */
export function counted(counts: Import['dryRun'] | Import['undone']): Record<string, number> {
  const { errors: _, resultsUrl: __, ...rest } = (counts ?? {}) as Record<string, unknown>;
  return rest as Record<string, number>;
}

/** The errors of a dry run as `row field code`. */
export const rowErrors = ({ dryRun }: Import): string[] =>
  (dryRun?.errors ?? []).map(({ row, field, code }) => `${row} ${field} ${code}`);
