import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { isUnlimited, notGranted, permissionFor } from '../accounts/index.ts';
import { type Collection, CollectionPath, findCollection, uncachedView } from '../content/index.ts';
import { Job } from '../jobs/index.ts';
import type { Deps } from '../shared/deps.ts';
import { badRequest, notFound } from '../shared/errors.ts';
import { pageById } from '../shared/http/keyset-page.ts';
import { withErrors } from '../shared/http/problem.ts';
import { routesOf } from '../shared/http/routes.ts';
import type { App } from '../shared/http/server.ts';
import { validatorCompilerExceptBody } from '../shared/http/validate.ts';
import { parseId } from '../shared/ids.ts';
import { EntriesExport, Import, ImportMapping, ImportPage, ImportPath, ImportsQuery } from './contract.ts';
import { DRY_RUN_DESCRIPTION, EXPORT_DESCRIPTION, UPLOAD_DESCRIPTION } from './descriptions.ts';
import { startExport } from './export/start-export.ts';
import { findImport, listImports } from './queries.ts';
import { serializeImport } from './serialize-import.ts';
import { jobsOf, startDryRun, startImport, startUndo } from './start-stage.ts';
import { uploadFile } from './upload-file.ts';

const read = { access: 'secret', rate: 'read' } as const;
const write = { access: 'secret', rate: 'write' } as const;
const described = { tags: ['Imports'], security: [{ token: [] }] };
const NoBody = Type.Unsafe<unknown>({ type: ['object', 'null'], additionalProperties: false, description: 'Empty' });

const IMPORTS = '/v1/cms/collections/:collectionId/imports';

export function importRoutes(app: App, deps: Deps): void {
  const { db, pageTokens } = deps;

  const { get, post } = routesOf(app);
  post('/v1/cms/collections/:collectionId/export', {
    config: write,
    operationId: 'exportEntries',
    'x-idempotency-key': true,
    tags: ['Entries'],
    security: described.security,
    summary: 'Export entries',
    description: EXPORT_DESCRIPTION,
    params: CollectionPath,
    body: EntriesExport,
    returns: Job,
    handle: async (request) => startExport(deps, request, await collectionFor(deps, request), request.body),
  });

  get(IMPORTS, {
    config: read,
    ...described,
    operationId: 'listImports',
    summary: 'List imports',
    description: 'Lists the imports of a collection, newest first.',
    params: CollectionPath,
    querystring: ImportsQuery,
    returns: ImportPage,
    handle: async (request) => {
      const { accountId } = request.caller;
      const collection = await importedCollection(deps, request);
      const scope = [accountId, collection.publicId, 'imports'];
      const of = { account_id: accountId, collection_id: collection.id };
      const { rows, nextPageToken } = await pageById(
        pageTokens,
        scope,
        request.query,
        'newest first',
        (before, limit) => listImports(db, { ...of, before, limit }),
      );
      const jobs = await jobsOf(deps, db, accountId, rows);
      const imports = rows.map((row) => serializeImport(deps, accountId, collection, row, jobs.get(row.job_id ?? '')));
      return { imports, nextPageToken };
    },
  });

  get(`${IMPORTS}/:importId`, {
    config: read,
    ...described,
    operationId: 'getImport',
    summary: 'Get an import',
    description: 'Returns the status of an import. Counts grow while a stage runs. Poll it about once a second.',
    params: ImportPath,
    returns: Import,
    handle: async (request) => {
      const { accountId } = request.caller;
      const collection = await importedCollection(deps, request);
      const id = parseId('imp', request.params.importId);
      const of = { account_id: accountId, collection_id: collection.id };
      const [row] = id === undefined ? [] : await findImport(db, { ...of, id });
      if (!row) throw notFound('import');
      const jobs = await jobsOf(deps, db, accountId, [row]);
      return serializeImport(deps, accountId, collection, row, jobs.get(row.job_id ?? ''));
    },
  });

  /** What the routes below start a stage of. */
  const targetOf = async (request: FastifyRequest<{ Params: { importId: string } }>) => ({
    request,
    collection: await importedCollection(deps, request),
    importId: request.params.importId,
  });

  post(`${IMPORTS}/:importId/dry-run`, {
    config: write,
    ...described,
    operationId: 'dryRunImport',
    summary: 'Start a dry run of an import',
    description: DRY_RUN_DESCRIPTION,
    params: ImportPath,
    body: ImportMapping,
    returns: Import,
    handle: async (request) => startDryRun(deps, await targetOf(request), request.body),
  });

  post(`${IMPORTS}/:importId/start`, {
    config: write,
    ...described,
    operationId: 'startImport',
    summary: 'Start an import',
    description:
      'Writes the valid rows of the last dry run. An import that stopped resumes after the last row it has written. ' +
      'To cancel it, call `POST /v1/jobs/{id}/cancel` with the id of its `job`.',
    params: ImportPath,
    body: NoBody,
    returns: Import,
    handle: async (request) => startImport(deps, await targetOf(request)),
  });

  post(`${IMPORTS}/:importId/undo`, {
    config: write,
    ...described,
    operationId: 'undoImport',
    summary: 'Undo an import',
    description:
      'Deletes the entries that the import created and restores those it updated. Entries that were changed or deleted ' +
      'since are left alone: they count as `skipped` and are listed in the results.',
    params: ImportPath,
    body: NoBody,
    returns: Import,
    handle: async (request) => startUndo(deps, await targetOf(request)),
  });
}

/** The upload route. Its scope leaves multipart bodies unread, so that they can be streamed. */
export function importUploadRoute(app: App, deps: Deps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null));
    scope.post(
      IMPORTS,
      {
        config: { access: 'secret', rate: 'upload', streams: true },
        schema: {
          ...described,
          operationId: 'uploadImport',
          summary: 'Upload a file of entries',
          description: UPLOAD_DESCRIPTION,
          consumes: ['multipart/form-data'],
          params: CollectionPath,
          body: Type.Object({
            file: Type.Unsafe<string>({ type: 'string', format: 'binary', description: 'The CSV file' }),
          }),
          response: withErrors(Import),
        },
        // The schema documents the body, which is read as a stream.
        validatorCompiler: validatorCompilerExceptBody,
      },
      async (request) => {
        if (request.headers['content-type'] === undefined) {
          throw badRequest('content_type_unsupported', 'Send the file as multipart/form-data.');
        }
        const collection = await importedCollection(deps, request);
        const row = await uploadFile(deps, request, collection);
        return serializeImport(deps, request.caller.accountId, collection, row, undefined);
      },
    );
  });
}

/**
 * Files of imports are kept with all of their columns and rows, whoever uploaded them.
 * @throws ApiError 404; 400 `role_insufficient` for roles that do not read all of the collection
 */
async function importedCollection(deps: Deps, request: FastifyRequest): Promise<Collection> {
  const collection = await collectionFor(deps, request);
  const { access } = request.caller;
  const read = access && permissionFor(access.permissions, collection.publicId, 'read');
  if (access && !(read && isUnlimited(read))) {
    throw notGranted('imports are only for those who read all fields and entries of the collection');
  }
  return collection;
}

/** @throws ApiError 404 if the account has no such active collection */
async function collectionFor({ db }: Deps, request: FastifyRequest): Promise<Collection> {
  const id = parseId('col', (request.params as { collectionId: string }).collectionId);
  const { accountId, access } = request.caller;
  const [row] = id === undefined ? [] : await findCollection(db, { account_id: accountId, id });
  const collection = row && (await uncachedView(access).read(db, accountId, row));
  if (!collection) throw notFound('collection');
  return collection;
}
