import { Type } from 'typebox';
import type { Deps } from '../../shared/deps.ts';
import { badRequest, notFound } from '../../shared/errors.ts';
import { keysetPage, pageById } from '../../shared/http/keyset-page.ts';
import { withErrors } from '../../shared/http/problem.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { validatorCompilerExceptBody } from '../../shared/http/validate.ts';
import {
  ApplyBody,
  DeletedReconciliation,
  LinePage,
  LinesQuery,
  Reconciliation,
  ReconciliationPage,
  ReconciliationPath,
  ReconciliationQuery,
  ReconciliationsQuery,
} from './contract.ts';
import {
  applyReconciliation,
  createReconciliation,
  deleteReconciliation,
  readReconciliation,
  serializeLine,
  undoReconciliation,
  uuidOf,
  withJobs,
} from './manage.ts';
import { findReconciliation, listLines, listLinesOf, listReconciliations } from './queries.ts';

const URL = '/v1/reconciliations';
const ABOUT = { tags: ['Reconciliations'], security: [{ token: [] }] };

/** `/v1/reconciliations`. */
export function reconciliationRoutes(app: App, deps: Deps): void {
  const { db, pageTokens } = deps;
  const read = { access: 'secret', rate: 'read' } as const;
  const write = { access: 'secret', role: 'editor', rate: 'write' } as const;
  uploadRoute(app, deps);

  const { get, post, remove } = routesOf(app, ABOUT);
  get(URL, {
    config: read,
    operationId: 'listReconciliations',
    summary: 'List reconciliations',
    description: 'Newest first.',
    querystring: ReconciliationsQuery,
    returns: ReconciliationPage,
    handle: async ({ caller: { accountId }, query }) => {
      const { rows, nextPageToken } = await pageById(
        pageTokens,
        [accountId, URL],
        query,
        'newest first',
        (before, limit) => listReconciliations(db, { account_id: accountId, before, limit }),
      );
      return { reconciliations: await withJobs(deps, db, accountId, rows), nextPageToken };
    },
  });

  get(`${URL}/:reconciliationId`, {
    config: read,
    operationId: 'getReconciliation',
    summary: 'Get a reconciliation',
    description:
      'With the sums by outcome; its lines are at `GET …/reconciliations/{reconciliationId}/lines`. Poll it until `status` is `ready`.',
    params: ReconciliationPath,
    returns: Reconciliation,
    handle: ({ caller, params }) => readReconciliation(deps, caller.accountId, params.reconciliationId),
  });

  get(`${URL}/:reconciliationId/lines`, {
    config: read,
    operationId: 'listReconciliationLines',
    summary: 'List the lines of a reconciliation',
    description:
      'One for each order of the file, for each of its invalid rows, and for each conversion that it does not have.',
    params: ReconciliationPath,
    querystring: LinesQuery,
    returns: LinePage,
    handle: async ({ caller: { accountId: account_id }, params, query }) => {
      const id = uuidOf(params.reconciliationId);
      const [row] = await findReconciliation(db, { account_id, id });
      if (!row) throw notFound('reconciliation');
      const { outcome } = query;
      const page = await keysetPage({
        tokens: pageTokens,
        scope: [account_id, id, outcome ?? null],
        query,
        read: (after: number = 0, limit) =>
          outcome === undefined
            ? listLines(db, { account_id, id, after, limit })
            : listLinesOf(db, { account_id, id, outcome, after, limit }),
        positionOf: ({ number }) => number,
      });
      return { lines: page.rows.map(serializeLine), nextPageToken: page.nextPageToken };
    },
  });

  post(`${URL}/:reconciliationId/apply`, {
    config: write,
    operationId: 'applyReconciliation',
    summary: 'Apply a reconciliation',
    description:
      'A job restates and reports conversions as an import, so that they agree with the file. Conversions that have changed since they were compared are left alone.',
    params: ReconciliationPath,
    body: Type.Union([ApplyBody, Type.Null()]),
    returns: Reconciliation,
    handle: (request) => applyReconciliation(deps, request, request.params.reconciliationId, request.body),
  });

  post(`${URL}/:reconciliationId/undo`, {
    config: write,
    operationId: 'undoReconciliation',
    summary: 'Undo what a reconciliation applied',
    description: 'A job withdraws its reports: conversions have the values of their other reports again.',
    params: ReconciliationPath,
    returns: Reconciliation,
    handle: (request) => undoReconciliation(deps, request, request.params.reconciliationId),
  });

  remove(`${URL}/:reconciliationId`, {
    config: write,
    operationId: 'deleteReconciliation',
    summary: 'Delete a reconciliation',
    description: 'What it applied stays.',
    params: ReconciliationPath,
    returns: DeletedReconciliation,
    handle: (request) => deleteReconciliation(deps, request, request.params.reconciliationId),
  });
}

/** Its scope leaves multipart bodies unread, so that they can be streamed. */
function uploadRoute(app: App, deps: Deps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null));
    scope.post(
      URL,
      {
        config: { access: 'secret', role: 'editor', rate: 'upload', streams: true },
        schema: {
          ...ABOUT,
          operationId: 'createReconciliation',
          summary: 'Compare a statement with conversions',
          description:
            'Takes what a payment provider or a network says it paid, as `multipart/form-data` with one file (CSV in UTF-8, or JSON), and starts a job that compares each of its orders with the conversion of the same `eventId`, or else of the same click ID. An order is the sum of its rows: a sale and its refunds.',
          consumes: ['multipart/form-data'],
          querystring: ReconciliationQuery,
          body: Type.Object({
            file: Type.Unsafe<string>({ type: 'string', format: 'binary', description: 'The statement' }),
          }),
          response: withErrors(Reconciliation),
        },
        // The schema documents the body, which is read as a stream.
        validatorCompiler: validatorCompilerExceptBody,
      },
      async (request) => {
        if (request.headers['content-type'] === undefined) {
          throw badRequest('content_type_unsupported', 'Send the file as multipart/form-data.');
        }
        return createReconciliation(deps, request, request.query as ReconciliationQuery);
      },
    );
  });
}
