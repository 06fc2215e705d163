import assert from 'node:assert/strict';
import { filePart } from '../../test/furnished-account.ts';
import type { Account } from '../../test/harness.ts';
import { contentService } from '../content/test-support.ts';
import { download, endOf, runnerOf } from '../exports/test-support.ts';
import type { Import, ImportPlan } from './contract.ts';

/** The content service with its jobs running, and the calls of exports and imports that are meant to succeed. */
export async function transferService() {
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

  /** Starts a step, and waits for its end. */
  async function step(
    as: Account,
    path: string,
    id: string,
    name: 'rehearse' | 'start' | 'undo',
    body?: unknown,
  ): Promise<Import> {
    const begun: Import = await service.ok(`POST ${path}/imports/${id}/${name}`, as, body);
    await endOf(service, as, begun.job?.id ?? '');
    return service.ok(`GET ${path}/imports/${id}`, as);
  }

  /** What the service proposes for the file, found by id where there is such a column. */
  function proposedPlan({ columns }: Import, more: Partial<ImportPlan> = {}): ImportPlan {
    const idColumn = columns.findIndex(({ proposed }) => proposed === '_id');
    return {
      columns: columns.map(({ proposed }) => (proposed === null || proposed === '_id' ? null : { field: proposed })),
      idColumn: idColumn === -1 ? null : idColumn,
      ...more,
    };
  }

  async function rehearsed(
    as: Account,
    path: string,
    file: string | Buffer,
    more: Partial<ImportPlan> = {},
  ): Promise<Import> {
    const sent = await uploaded(as, path, file);
    return step(as, path, sent.id, 'rehearse', proposedPlan(sent, more));
  }

  async function exported(as: Account, path: string, body: Record<string, unknown> = {}): Promise<string> {
    const { id } = await service.ok(`POST ${path}/export`, as, { format: 'csv', ...body });
    const job = await endOf(service, as, id);
    assert.equal(job.status, 'completed', JSON.stringify(job));
    return (await download(service, job.result.url)).toString('utf8');
  }

  const results = async (url: string | null | undefined) => (await download(service, url ?? '')).toString('utf8');

  return { ...service, upload, uploaded, step, proposedPlan, rehearsed, exported, results };
}

/** Counts without the faults and the address of the results. */
export function counted(counts: Import['rehearsal'] | Import['undone']): Record<string, number> {
  const { faults: _, resultsUrl: __, ...rest } = (counts ?? {}) as Record<string, unknown>;
  return rest as Record<string, number>;
}

/** The faults of a rehearsal as `row field code`. */
export const faultsOfRows = ({ rehearsal }: Import): string[] =>
  (rehearsal?.faults ?? []).map(({ row, field, code }) => `${row} ${field} ${code}`);
