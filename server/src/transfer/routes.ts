import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type Collection, CollectionPath, collectionOf, findCollection, isActive } from '../content/index.ts';
import { Job } from '../jobs/index.ts';
import type { Deps } from '../shared/deps.ts';
import { badRequest, notFound } from '../shared/errors.ts';
import { withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import { parseId } from '../shared/ids.ts';
import { pageById } from '../shared/page-by-id.ts';
import { answerImport } from './answer-import.ts';
import { EntriesExport, Import, ImportPage, ImportPath, ImportPlan, ImportsQuery } from './contract.ts';
import { findImport, listImports } from './queries.ts';
import { receiveFile } from './receive-file.ts';
import { startExport } from './start-export.ts';
import { jobsOf, rehearse, start, undo } from './steps.ts';

const read = { access: 'secret', rate: 'read' } as const;
const write = { access: 'secret', rate: 'write' } as const;
const about = { tags: ['Imports'], security: [{ token: [] }] };
const nothing = Type.Unsafe<unknown>({ type: ['object', 'null'], additionalProperties: false, description: 'Nothing' });

const IMPORTS = '/v1/cms/collections/:collectionId/imports';

export function transferRoutes(app: App, deps: Deps): void {
  const { db, pageTokens } = deps;

  app.post(
    '/v1/cms/collections/:collectionId/export',
    {
      config: write,
      schema: {
        operationId: 'exportEntries',
        'x-idempotency-key': true,
        tags: ['Entries'],
        security: about.security,
        summary: 'Export entries',
        description: EXPORTING,
        params: CollectionPath,
        body: EntriesExport,
        response: withErrors(Job),
      },
    },
    async (request) => startExport(deps, request, await collectionFor(deps, request), request.body),
  );

  app.get(
    IMPORTS,
    {
      config: read,
      schema: {
        ...about,
        operationId: 'listImports',
        summary: 'List imports',
        description: 'Of a collection, the newest first.',
        params: CollectionPath,
        querystring: ImportsQuery,
        response: withErrors(ImportPage),
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      const collection = await collectionFor(deps, request);
      const scope = [accountId, collection.publicId, 'imports'];
      const { rows, nextPageToken } = await pageById(
        pageTokens,
        scope,
        request.query,
        'newest first',
        (before, limit) => listImports(db, accountId, collection.id, before, limit),
      );
      const jobs = await jobsOf(deps, db, accountId, rows);
      const imports = rows.map((row) => answerImport(deps, accountId, collection, row, jobs.get(row.job_id ?? '')));
      return { imports, nextPageToken };
    },
  );

  app.get(
    `${IMPORTS}/:importId`,
    {
      config: read,
      schema: {
        ...about,
        operationId: 'getImport',
        summary: 'Get an import',
        description: 'Where it stands; while a step is under way its counts grow. Ask again every second or so.',
        params: ImportPath,
        response: withErrors(Import),
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      const collection = await collectionFor(deps, request);
      const id = parseId('imp', request.params.importId);
      const [row] = id === undefined ? [] : await findImport(db, accountId, collection.id, id);
      if (!row) throw notFound('import');
      const jobs = await jobsOf(deps, db, accountId, [row]);
      return answerImport(deps, accountId, collection, row, jobs.get(row.job_id ?? ''));
    },
  );

  app.post(
    `${IMPORTS}/:importId/rehearse`,
    {
      config: write,
      schema: {
        ...about,
        operationId: 'rehearseImport',
        summary: 'Rehearse an import',
        description: REHEARSING,
        params: ImportPath,
        body: ImportPlan,
        response: withErrors(Import),
      },
    },
    async (request) =>
      rehearse(deps, request, await collectionFor(deps, request), request.params.importId, request.body),
  );

  app.post(
    `${IMPORTS}/:importId/start`,
    {
      config: write,
      schema: {
        ...about,
        operationId: 'startImport',
        summary: 'Start an import',
        description:
          'Writes what was rehearsed; rows that are refused are left out. One that stopped goes on behind the last row ' +
          'it has written. Cancelled by `POST /v1/jobs/{id}/cancel` with the id of its `job`.',
        params: ImportPath,
        body: nothing,
        response: withErrors(Import),
      },
    },
    async (request) => start(deps, request, await collectionFor(deps, request), request.params.importId),
  );

  app.post(
    `${IMPORTS}/:importId/undo`,
    {
      config: write,
      schema: {
        ...about,
        operationId: 'undoImport',
        summary: 'Undo an import',
        description:
          'Deletes what the import has created and puts back what it has changed, but for entries that somebody has ' +
          'changed or deleted since: they are counted as `kept`, and told of in the results.',
        params: ImportPath,
        body: nothing,
        response: withErrors(Import),
      },
    },
    async (request) => undo(deps, request, await collectionFor(deps, request), request.params.importId),
  );
}

/** The upload, in a scope of its own: there a body is multipart/form-data and left unread. */
export function importUploadRoute(app: App, deps: Deps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null));
    scope.post(
      IMPORTS,
      {
        config: { access: 'secret', rate: 'upload', streams: true },
        schema: {
          ...about,
          operationId: 'uploadImport',
          summary: 'Upload a file of entries',
          description: UPLOADING,
          consumes: ['multipart/form-data'],
          params: CollectionPath,
          body: Type.Object({
            file: Type.Unsafe<string>({ type: 'string', format: 'binary', description: 'The CSV' }),
          }),
          response: withErrors(Import),
        },
        // The body's schema is for the description: the body is read as a stream.
        validatorCompiler: () => () => true,
      },
      async (request) => {
        if (request.headers['content-type'] === undefined) {
          throw badRequest('content_type_unsupported', 'A multipart/form-data body is needed.');
        }
        const collection = await collectionFor(deps, request);
        const row = await receiveFile(deps, request, collection);
        return answerImport(deps, request.caller.accountId, collection, row, undefined);
      },
    );
  });
}

/** @throws ApiError 404 where the account has no such active collection */
async function collectionFor({ db }: Deps, request: FastifyRequest): Promise<Collection> {
  const id = parseId('col', (request.params as { collectionId: string }).collectionId);
  const [row] = id === undefined ? [] : await findCollection(db, request.caller.accountId, id);
  if (!row || !isActive(row)) throw notFound('collection');
  return collectionOf(row);
}

const EXPORTING = `Answers a job, which writes the entries of a listing to a file; see \`GET /v1/jobs/get-by-id\`, whose \`result\` is that of
an analytics export.

\`csv\`: RFC 4180 with a header, UTF-8. Columns: \`id\`, the fields by their ids (of a group that is not repeated a column for each of its
fields, \`seo.title\`; of an asset its id, and in a second column \`….url\` its address), \`createdAt\`, \`updatedAt\`; the three are called
\`_id\` and so on where a field has that id. A repeated field is a JSON array. A text that a spreadsheet would take for a formula begins
with an apostrophe, which an import takes away again. Imported as it is, the file changes nothing. \`ndjson\`: an entry a line.`;

const UPLOADING = `Takes a CSV whose first line names its columns: UTF-8, with or without a byte order mark, cells parted by comma, semicolon or
tab (told by the first line), lines ended by any line break. Answers what its columns are, and which fields they seem to be: nothing is
written yet. Refused with \`file_missing\`, \`file_empty\`, \`file_too_large\`, \`encoding_unsupported\` (UTF-16, and what is no UTF-8),
\`csv_malformed\`, \`csv_empty\`, \`too_many_columns\`, and what any upload is refused with.`;

const REHEARSING = `Starts a job that judges every row as the import will, by the rules of \`POST …/entries\` and \`PATCH …/entries/{entryId}\`, and writes
nothing; once \`status\` is \`rehearsed\`, \`rehearsal\` counts what would become of the rows.

| Type | A cell |
|---|---|
| text, url | as it is |
| number | \`1234.5\`, \`1,234.50\`, \`1.234,50\`, \`12,5\`, \`1 234\`; \`1,234\` is \`number_ambiguous\` unless \`decimal\` is sent |
| boolean | true or false, yes or no, on or off, y or n, 1 or 0 |
| date | \`2026-11-20\`, \`2026/11/20\`, \`20.11.2026\`, \`20 Nov 2026\`, \`Nov 20, 2026\`, \`20/11/2026\`; \`03/04/2026\` is \`date_ambiguous\` unless \`dateOrder\` is sent |
| timestamp | RFC 3339; without an offset, a day as above and a time of day, it is \`timestamp_ambiguous\` unless \`timeZone\` is sent |
| select | an option's value, or its label |
| asset | an \`assetId\` |
| repeated | a JSON array, or values parted by the column's \`separator\` |

An empty cell is no value. Without \`idColumn\` and \`keyField\` every row makes an entry; with one of them a row changes the entry of that id,
or of that value, and of two rows for one entry the second is refused (\`row_repeated\`).`;
