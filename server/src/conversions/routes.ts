import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Deps } from '../shared/deps.ts';
import { ApiError, badRequest } from '../shared/errors.ts';
import { idempotently } from '../shared/http/idempotency.ts';
import { withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { auditReports } from './audit-reports.ts';
import {
  ConversionItem,
  ConversionQuery,
  type ConversionResult,
  RehearsalResult,
  ConversionResult as Result,
} from './contract.ts';
import { matchWaiting, type Waiting } from './match-waiting.ts';
import { type ReadItem, readReport } from './read-report.ts';
import { rehearseReports } from './rehearse-reports.ts';
import { reportConversions } from './report-conversions.ts';

const URL = '/v1/analytics/report-conversion';

/**
 * The schemas of these routes describe; items are judged by `readReport`, each for itself, so that a wrong one in a batch
 * fails alone. A schema's own validation would cost more than the rest of a batch's work, too.
 */
const described = { validatorCompiler: () => () => true, serializerCompiler: () => JSON.stringify };

const Items = Type.Union([ConversionItem, Type.Array(ConversionItem, { minItems: 1 })]);

/** `POST` and `GET /v1/analytics/report-conversion`, and its rehearsal. */
export function conversionRoutes(app: App, deps: Deps): void {
  const { config, db, clock, log } = deps;

  app.post(
    URL,
    {
      ...described,
      bodyLimit: config.limits.conversionBodyBytes,
      config: { access: 'secret', rate: 'conversion' },
      schema: {
        operationId: 'reportConversion',
        'x-idempotency-key': true,
        tags: ['Conversions'],
        summary: 'Report one conversion or a batch',
        description:
          'One object in, one result out; an array in, an array out, in the same order. Reporting the same `eventId` again restates that conversion. Check the `status` of each result: an item that finds no session, or in an array has a fault, does not change the HTTP status.',
        security: [{ token: [] }],
        body: Items,
        response: withErrors(Type.Union([Result, Type.Array(Result)])),
      },
    },
    async (request) => {
      const now = clock();
      const { items, isOne } = readItems(request.body, now);
      const results = await report(request, items, now, (work) =>
        idempotently(db, request, request.caller.accountId, work),
      );
      return isOne ? one(results) : results;
    },
  );

  app.post(
    `${URL}/rehearse`,
    {
      ...described,
      bodyLimit: config.limits.conversionBodyBytes,
      config: { access: 'secret', rate: 'conversion' },
      schema: {
        operationId: 'rehearseConversion',
        tags: ['Conversions'],
        summary: 'Rehearse the report of one conversion or a batch',
        description:
          'Takes what the report takes and answers what it would answer, and for each item what it would do. Nothing is recorded, kept or pushed.',
        security: [{ token: [] }],
        body: Items,
        response: withErrors(Type.Union([RehearsalResult, Type.Array(RehearsalResult)])),
      },
    },
    async (request) => {
      const now = clock();
      const { items, isOne } = readItems(request.body, now);
      const results = await rehearseReports(db, request.caller.accountId, items, now);
      return isOne ? one(results) : results;
    },
  );

  app.get(
    URL,
    {
      ...described,
      config: { access: 'postback', role: 'editor', rate: 'conversion' },
      schema: {
        operationId: 'reportConversionByQuery',
        tags: ['Conversions'],
        summary: 'Report one conversion by a URL',
        description:
          'For platforms that can only call a URL. The token may be replaced by a postback key in `key`, which is good for this alone.',
        security: [{ token: [] }, { postbackKey: [] }],
        querystring: ConversionQuery,
        response: withErrors(Result),
      },
    },
    async (request, reply) => {
      const now = clock();
      const { conversion: _, extra: __, ...query } = request.query as Record<string, unknown>;
      const item = readReport(query, now);
      refuse(item, '?');
      // It has an effect, so no answer of it may be given again by a cache on the way.
      reply.header('cache-control', 'no-store');
      return one(await report(request, [item], now, (work) => db.transaction(work)));
    },
  );

  /** @throws 400 for what is no report or batch at all, and for a single one with faults */
  function readItems(body: unknown, now: number): { items: ReadItem[]; isOne: boolean } {
    const items = itemsOf(body, config.limits.conversionsPerBatch).map((item) => readReport(item, now));
    const [first] = items;
    const isOne = !Array.isArray(body);
    if (isOne && first) refuse(first, '/');
    return { items, isOne };
  }

  async function report(
    request: FastifyRequest,
    items: ReadItem[],
    now: number,
    run: (work: (tx: Tx) => Promise<ConversionResult[]>) => Promise<ConversionResult[]>,
  ): Promise<ConversionResult[]> {
    let waiting: Waiting[] = [];
    const results = await run(async (tx) => {
      const reported = await reportConversions(tx, request.caller.accountId, items, now);
      await auditReports(tx, request, reported, now);
      waiting = reported.waiting;
      return reported.results;
    });
    // A session that was committed after the look for it, and before this commit, was told of too early to be matched.
    if (waiting.length > 0) {
      await matchWaiting(db, waiting, now).catch((error: unknown) =>
        log.warn({ err: error }, 'a second look for the sessions of unmatched conversions failed'),
      );
    }
    return results;
  }
}

/** @throws 400 for what is neither an object nor an array, for an empty array and for one that is too long */
function itemsOf(body: unknown, most: number): unknown[] {
  if (body === undefined) throw badRequest('body_empty', 'A JSON body is needed.');
  if (typeof body !== 'object' || body === null) {
    throw badRequest('body_invalid', 'The body must be an object, or an array of objects.');
  }
  if (!Array.isArray(body)) return [body];
  if (body.length === 0) throw badRequest('batch_empty', 'The array has no items.');
  if (body.length > most) {
    throw badRequest('batch_too_large', `The array has ${body.length} items; at most ${most} are taken.`);
  }
  return body;
}

/** @throws 400 with every fault of a single item, under the code that they share, if they do */
function refuse({ faults }: ReadItem, prefix: '/' | '?'): void {
  if (!faults) return;
  const errors = faults.map(({ at, code, detail }) => ({ pointer: at === '' ? '' : `${prefix}${at}`, code, detail }));
  const [{ code, detail }] = faults;
  throw faults.every((fault) => fault.code === code)
    ? new ApiError(400, code, detail, { errors })
    : new ApiError(400, 'validation_failed', `The report has ${errors.length} faults.`, { errors });
}

function one<T>(results: T[]): T {
  const [result] = results;
  if (!result) throw new Error('a report had no result');
  return result;
}
