import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Deps } from '../../shared/deps.ts';
import { badRequest, invalid, notFound } from '../../shared/errors.ts';
import { FORM, isForm, parseForm } from '../../shared/http/form.ts';
import { idempotently } from '../../shared/http/idempotency.ts';
import { withErrors } from '../../shared/http/problem.ts';
import type { App } from '../../shared/http/server.ts';
import { parseId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { ConversionImportPath } from '../imports/contract.ts';
import { countInImport } from '../imports/manage-imports.ts';
import { matchUnmatched, type UnmatchedReport } from '../matching/match-unmatched.ts';
import { auditReports } from './audit-reports.ts';
import {
  ConversionItem,
  ConversionQuery,
  type ConversionResult,
  DryRunResult,
  ImportedConversionItem,
  ConversionResult as Result,
} from './contract.ts';
import { dryRunReports } from './dry-run.ts';
import { type ReadItem, readFlatReport, readReport } from './read-report.ts';
import { reportConversions } from './report-conversions.ts';

const URL = '/v1/analytics/report-conversion';
const ONLY_IN_BODIES = /^(?:amp;)*(?:conversion|extra)$/i;

/**
 * The schemas of these routes only document. `readReport` validates each item separately, so that an invalid item of a batch
 * fails alone. Schema validation would also cost more than the rest of a batch's work.
 */
const operation = {
  validatorCompiler: () => () => true,
  serializerCompiler: () => JSON.stringify,
} as const;

/** Called for each invalid item of a batch, once the others are recorded. */
export type OnItemFailed = (request: FastifyRequest, item: unknown, fault: { code: string; detail: string }) => void;

const Items = Type.Union([ConversionItem, Type.Array(ConversionItem)]);

/** `POST` and `GET /v1/analytics/report-conversion`, and its dry run. */
export function reportRoutes(app: App, deps: Deps, onItemFailed: OnItemFailed): void {
  const { config, db, sessionIds, clock, log } = deps;
  const batch = {
    ...operation,
    bodyLimit: config.limits.conversionBodyBytes,
    config: { access: 'secret', rate: 'conversion', isLenient: true },
  } as const;

  app.addContentTypeParser(FORM, { parseAs: 'string' }, parseForm);

  app.post(
    URL,
    {
      ...batch,
      schema: {
        operationId: 'reportConversion',
        consumes: ['application/json', FORM],
        'x-idempotency-key': true,
        tags: ['Conversions'],
        summary: 'Report one conversion or a batch',
        description:
          'An object returns one result, an array returns an array of results in the same order. Reporting the same `eventId` again restates that conversion. Check the `status` of each result: the HTTP status is 200 even if an item is unmatched or, in an array, invalid. A form body (`application/x-www-form-urlencoded`) with the parameters of the postback is accepted, too.',
        security: [{ token: [] }],
        body: Items,
        response: withErrors(Type.Union([Result, Type.Array(Result)])),
      },
    },
    async (request) => {
      const now = clock();
      const { items, isOne } = readItems(request, now);
      if (items.length === 0) return [];
      const results = await report(request, items, now, (work) =>
        idempotently(db, request, request.caller.accountId, work),
      );
      return isOne ? one(results) : results;
    },
  );

  app.post(
    '/v1/conversions/imports/:importId/reports',
    {
      ...batch,
      schema: {
        operationId: 'reportImportedConversions',
        'x-idempotency-key': true,
        tags: ['Conversions'],
        summary: 'Report a batch of conversions as a part of an import',
        description:
          'As `POST /v1/analytics/report-conversion` with an array. A row counts as known since its `knownAt`, or else since its `createdOn`. `POST /v1/conversions/imports/{importId}/undo` undoes all reports of the import. An import that was undone is 400 `import_undone`.',
        security: [{ token: [] }],
        params: ConversionImportPath,
        body: Type.Array(ImportedConversionItem),
        response: withErrors(Type.Array(Result)),
      },
    },
    async (request) => {
      const now = clock();
      const { accountId } = request.caller;
      const importId = parseId('imp', (request.params as ConversionImportPath).importId);
      if (importId === undefined) throw notFound('import');
      if (!Array.isArray(request.body)) throw badRequest('body_invalid', 'The body must be an array of objects.');
      const { items } = readItems(request, now, true);
      return report(request, items, now, (work) => idempotently(db, request, accountId, work), importId);
    },
  );

  app.post(
    `${URL}/dry-run`,
    {
      ...batch,
      // It only reads.
      config: { ...batch.config, role: 'viewer' },
      schema: {
        operationId: 'dryRunConversion',
        tags: ['Conversions'],
        summary: 'Preview the report of one conversion or a batch',
        description:
          'Takes the body of a report and returns the results that it would have, with the effect of each item. Nothing is recorded or pushed.',
        security: [{ token: [] }],
        body: Items,
        response: withErrors(Type.Union([DryRunResult, Type.Array(DryRunResult)])),
      },
    },
    async (request) => {
      const now = clock();
      const { items, isOne } = readItems(request, now);
      const results = await dryRunReports(deps, request.caller.accountId, items, now);
      return isOne ? one(results) : results;
    },
  );

  app.get(
    URL,
    {
      // A HEAD request must not report a conversion.
      exposeHeadRoute: false,
      ...operation,
      config: { access: 'postback', role: 'editor', rate: 'conversion', isLenient: true },
      schema: {
        operationId: 'reportConversionByQuery',
        tags: ['Conversions'],
        summary: 'Report one conversion by URL (postback)',
        description:
          'For platforms that can only call a URL, which has exactly one identifier: empty ones do not count. Instead of the token it accepts a postback key in `key`, which is valid for this operation only.',
        security: [{ token: [] }, { postbackKey: [] }],
        querystring: ConversionQuery,
        response: withErrors(Result),
      },
    },
    async (request) => {
      const now = clock();
      const members = Object.entries(request.query as object).filter(([name]) => !ONLY_IN_BODIES.test(name));
      const item = readFlatReport(sessionIds, Object.fromEntries(members), now);
      refuse(item, '?');
      return one(await report(request, [item], now, (work) => db.transaction(work)));
    },
  );

  /** @throws ApiError 400 if the body is no report or batch, or a single report with faults */
  function readItems(request: FastifyRequest, now: number, isImported = false): { items: ReadItem[]; isOne: boolean } {
    const { body } = request;
    const read = (item: unknown) =>
      isForm(request)
        ? readFlatReport(sessionIds, item as Record<string, unknown>, now)
        : readReport(sessionIds, item, now, isImported);
    const items = itemsOf(body, config.limits.conversionsPerBatch).map(read);
    const [first] = items;
    const isOne = !Array.isArray(body);
    if (isOne && first) refuse(first, '/');
    return { items, isOne };
  }

  function reportFailures(request: FastifyRequest, results: ConversionResult[]): void {
    const { body } = request;
    if (!Array.isArray(body)) return;
    results.forEach(({ status, error = '', reason = '' }, i) => {
      if (status === 'failed') onItemFailed(request, body[i], { code: error, detail: reason });
    });
  }

  async function report(
    request: FastifyRequest,
    items: ReadItem[],
    now: number,
    run: (work: (tx: Tx) => Promise<ConversionResult[]>) => Promise<ConversionResult[]>,
    importId: string | null = null,
  ): Promise<ConversionResult[]> {
    let unmatched: UnmatchedReport[] = [];
    const results = await run(async (tx) => {
      const { accountId } = request.caller;
      const outcome = await reportConversions(tx, { accountId, secret: deps.secret }, items, now, importId);
      if (importId !== null) await countInImport(tx, accountId, importId, outcome.results);
      await auditReports(tx, request, outcome, now);
      unmatched = outcome.unmatched;
      return outcome.results;
    });
    reportFailures(request, results);
    // A session that was committed between the lookup and this commit was announced too early to match these reports.
    if (unmatched.length > 0) {
      await matchUnmatched(db, unmatched, now).catch((error: unknown) =>
        log.warn({ err: error }, 'matching unmatched conversions after their report failed'),
      );
    }
    return results;
  }
}

/** @throws ApiError 400 if the body is neither an object nor an array, or the array is too long */
function itemsOf(body: unknown, max: number): unknown[] {
  if (body === undefined) throw badRequest('body_empty', 'Send a JSON body.');
  if (typeof body !== 'object' || body === null) {
    throw badRequest('body_invalid', 'The body must be an object or an array of objects.');
  }
  if (!Array.isArray(body)) return [body];
  if (body.length > max) {
    throw badRequest('batch_too_large', `The array has ${body.length} items; the maximum is ${max}.`);
  }
  return body;
}

/** @throws ApiError 400 with every fault of a single item */
function refuse({ faults }: ReadItem, prefix: '/' | '?'): void {
  if (!faults) return;
  const pointerOf = (path: string) => (path === '' ? '' : `${prefix}${path}`);
  throw invalid(faults.map(({ path, code, detail }) => ({ pointer: pointerOf(path), code, detail })));
}

function one<T>(results: T[]): T {
  const [result] = results;
  if (!result) throw new Error('a report had no result');
  return result;
}
