import type { Deps } from '../../shared/deps.ts';
import { pageById } from '../../shared/http/keyset-page.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import {
  ConversionImport,
  ConversionImportPage,
  ConversionImportPath,
  ConversionImportsQuery,
  NewConversionImport,
} from './contract.ts';
import { createImport, readImport, serializeImport, undoImport } from './manage-imports.ts';
import { listImports } from './queries.ts';

const URL = '/v1/conversions/imports';

/** Imports: batches of reports that can be undone. */
export function importRoutes(app: App, deps: Deps): void {
  const { db, pageTokens } = deps;
  const read = { access: 'secret', rate: 'read' } as const;
  const write = { access: 'secret', rate: 'write' } as const;
  const operation = { tags: ['Conversions'], security: [{ token: [] }] };

  const { get, post } = routesOf(app, operation);
  post(URL, {
    config: write,
    operationId: 'createConversionImport',
    'x-idempotency-key': true,
    summary: 'Create an import of conversions',
    description:
      'What is reported as a part of it (`POST /v1/conversions/imports/{importId}/reports`) can be undone together.',
    body: NewConversionImport,
    returns: ConversionImport,
    handle: (request) => createImport(deps, request, request.body.name),
  });

  get(URL, {
    config: read,
    operationId: 'listConversionImports',
    summary: 'List imports of conversions',
    description: 'Newest first.',
    querystring: ConversionImportsQuery,
    returns: ConversionImportPage,
    handle: async ({ caller: { accountId }, query }) => {
      const { rows, nextPageToken } = await pageById(
        pageTokens,
        [accountId, URL],
        query,
        'newest first',
        (before, limit) => listImports(db, { account_id: accountId, before, limit }),
      );
      return { imports: rows.map(serializeImport), nextPageToken };
    },
  });

  get(`${URL}/:importId`, {
    config: read,
    operationId: 'getConversionImport',
    summary: 'Get an import of conversions',
    description: 'With the number of its rows by result and, once it is undone, what that changed.',
    params: ConversionImportPath,
    returns: ConversionImport,
    handle: ({ caller, params }) => readImport(db, caller.accountId, params.importId),
  });

  post(`${URL}/:importId/undo`, {
    config: write,
    operationId: 'undoConversionImport',
    summary: 'Undo an import of conversions',
    description:
      'A job withdraws its reports: conversions that only it reported no longer count, others have the values of their other reports again, and unmatched ones are deleted. Every report stays in the history of its conversion. Further reports of the import are 400 `import_undone`.',
    params: ConversionImportPath,
    returns: ConversionImport,
    handle: (request) => undoImport(deps, request, request.params.importId),
  });
}
