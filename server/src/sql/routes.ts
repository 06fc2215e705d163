import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type Caller, mayUseFeature, notGranted, readsEverything } from '../accounts/index.ts';
import { audit, authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { routesOf } from '../shared/http/routes.ts';
import type { App } from '../shared/http/server.ts';
import { takingTurns } from '../shared/turns.ts';
import { checkStatement } from './check-statement.ts';
import { DESCRIPTION, SqlRequest } from './contract.ts';
import { FORMATS } from './formats.ts';
import type { Batch, Row, StatementRunner } from './run-statement.ts';
import { type SqlView, VIEWS, type ViewName } from './views.ts';

/** A result of this size is complete before it is answered, so that its errors have a status. */
const ANSWERED_FROM_BYTES = 1_048_576;

/** Of rows, so much is encoded at once. */
const SLICE_CHARACTERS = 262_144;

/** The rows of a batch in parts, at least one, which may be empty: the header of a CSV is written without rows as well. */
function* slicesOf(rows: Row[]): Generator<Row[]> {
  let from = 0;
  let length = 0;
  for (const [i, row] of rows.entries()) {
    for (const text of row) length += text?.length ?? 0;
    if (length < SLICE_CHARACTERS || i === rows.length - 1) continue;
    yield rows.slice(from, i + 1);
    [from, length] = [i + 1, 0];
  }
  yield rows.slice(from);
}

const Rows = Type.Unsafe<string>({
  description: 'The rows, in the format',
  content: Object.fromEntries(
    Object.values(FORMATS).map(({ contentType }) => [contentType.replace(/;.*/, ''), { schema: Type.String() }]),
  ),
});

export function sqlRoutes(app: App, deps: Deps, runner: StatementRunner): void {
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());
  const { post } = routesOf(app);
  post('/v1/sql', {
    config: { access: 'secret', role: 'editor', rate: 'read', takesLong: true, lane: 'reports' },
    tags: ['Analytics'],
    security: [{ token: [] }],
    operationId: 'runSql',
    summary: 'Execute a SQL statement',
    description: DESCRIPTION,
    body: SqlRequest,
    returns: Rows,
    handle: async (request, reply) => {
      const { query, parameters = [], format = 'ndjson' } = request.body;
      const views = await checkStatement(query);
      for (const view of views) requireView(request.caller, view);
      await auditStatement(deps, request, views, format);
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const signal = AbortSignal.any([gone.signal, stopping.signal]);
      const { contentType, encode, end } = FORMATS[format];
      const out = new PassThrough({ highWaterMark: 2 * ANSWERED_FROM_BYTES });
      // It may end before anybody reads it.
      out.on('error', () => {});
      const started = Promise.withResolvers<void>();
      let bytes = 0;
      const { accountId } = request.caller;
      const write = async (batch: Batch, until: AbortSignal) => {
        const part = encode(batch, bytes === 0);
        const isRoomLeft = out.write(part);
        bytes += part.length;
        if (bytes >= ANSWERED_FROM_BYTES) started.resolve();
        if (!isRoomLeft) await once(out, 'drain', { signal: until });
      };
      const running = runner.run({ accountId, query, parameters, signal }, async ({ columns, rows }, until) => {
        const pause = takingTurns();
        for (const slice of slicesOf(rows)) {
          await pause();
          await write({ columns, rows: slice }, until);
        }
      });
      running.then(
        () => {
          if (end) out.write(end());
          out.end();
          started.resolve();
        },
        (error) => {
          started.reject(error);
          out.destroy(error);
        },
      );
      await started.promise;
      return reply.header('content-type', contentType).send(out) as never;
    },
  });
}

/** Reading personal data and money in bulk is recorded; the text of the statement may contain an email, and is not. */
async function auditStatement({ db, clock }: Deps, request: FastifyRequest, views: ViewName[], format: string) {
  const change = { action: 'sql.executed', subject: ['sql', 'statement'], after: { views, format } } as const;
  await audit(db, authorOf(request), change, clock());
}

/** @throws ApiError 400 `role_insufficient` */
function requireView(caller: Caller, view: ViewName): void {
  const { access } = caller;
  const { needs }: SqlView = VIEWS[view];
  const isOfAnalytics = needs === 'analytics' || needs === 'conversions';
  if (caller.type === 'user' && caller.area !== null && !isOfAnalytics) {
    throw notGranted(`you may use analytics, and "${view}" is no part of it`);
  }
  if (access === undefined) return;
  if (needs === 'everything') {
    if (!readsEverything(access)) throw notGranted(`"${view}" is for roles that read all entries`);
  } else if (!mayUseFeature(access.features, needs, 'read')) {
    throw notGranted(`"${view}" needs read access to ${needs}`);
  } else if (view === 'destination_deliveries' && !mayUseFeature(access.features, 'conversions', 'read')) {
    throw notGranted(`"${view}" needs read access to conversions`);
  }
}
