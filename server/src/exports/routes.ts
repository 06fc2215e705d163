import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { enqueueJob, Job } from '../jobs/index.ts';
import { audit, authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { notFound } from '../shared/errors.ts';
import { idempotently } from '../shared/http/idempotency.ts';
import { toApiError, withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import { isGoodLink } from '../shared/signed-link.ts';
import { readRange } from './byte-range.ts';
import { DESCRIPTION, ExportBody } from './contract.ts';
import { DOWNLOADS, exportFolder } from './export-folder.ts';
import { readExportRequest } from './read-request.ts';

export const EXPORT = 'export';

export function exportRoutes(app: App, deps: Deps): void {
  app.post(
    '/v1/analytics/export',
    {
      config: { access: 'secret', rate: 'write' },
      // Faults that the schema cannot see are told together with those it sees.
      attachValidation: true,
      schema: {
        operationId: 'startExport',
        'x-idempotency-key': true,
        tags: ['Analytics'],
        summary: 'Start an analytics export',
        description: DESCRIPTION,
        security: [{ token: [] }],
        body: ExportBody,
        response: withErrors(Job),
      },
    },
    async (request) => {
      const known = request.validationError ? toApiError(request.validationError).errors : [];
      const params = readExportRequest(request.body, known);
      const { accountId } = request.caller;
      return idempotently(deps.db, request, accountId, async (tx) => {
        const job = await enqueueJob(deps, tx, accountId, EXPORT, params);
        const change = { action: 'export.started', subject: ['job', job.id] as const, after: { ...params } };
        await audit(tx, authorOf(request), change, deps.clock());
        return job;
      });
    },
  );

  const folder = exportFolder(deps.config);
  app.route<{ Params: { file: string }; Querystring: { expires?: unknown; signature?: unknown } }>({
    method: ['GET', 'HEAD'],
    url: `${DOWNLOADS}/:file`,
    config: { access: 'open', streams: true },
    schema: { hide: true },
    handler: async (request, reply) => {
      const { file } = request.params;
      if (!isGoodLink(deps, `${DOWNLOADS}/${file}`, request.query)) throw notFound('download');
      const path = join(folder, file);
      const size = (await stat(path).catch(() => undefined))?.size;
      if (size === undefined) throw notFound('download');
      // A file never changes under its name.
      const etag = `"${file}"`;
      const isCurrent = [undefined, etag].includes(request.headers['if-range'] as string | undefined);
      // A range is defined for GET alone.
      const range = isCurrent && request.method === 'GET' ? readRange(request.headers.range, size) : undefined;
      reply.headers({
        'content-type': contentType(file),
        'content-disposition': `attachment; filename="${file}"`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'private, max-age=0',
        'accept-ranges': 'bytes',
        etag,
      });
      if (range === 'unsatisfiable') {
        return reply.code(416).header('content-range', `bytes */${size}`).send();
      }
      if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
      reply.header('content-length', range ? range.end - range.start + 1 : size);
      return reply.send(request.method === 'HEAD' ? undefined : createReadStream(path, range));
    },
  });
}

function contentType(file: string): string {
  if (file.endsWith('.csv')) return 'text/csv; charset=utf-8; header=present';
  return file.endsWith('.ndjson') ? 'application/x-ndjson' : 'application/vnd.apache.parquet';
}
