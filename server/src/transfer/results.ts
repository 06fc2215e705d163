import { Readable } from 'node:stream';
import type { Deps } from '../shared/deps.ts';
import { notFound } from '../shared/errors.ts';
import type { App } from '../shared/http/server.ts';
import { parseId, publicId } from '../shared/ids.ts';
import type { Database } from '../shared/postgres/database.ts';
import { isGoodLink } from '../shared/signed-link.ts';
import { RESULT_HEADINGS } from './import-batch.ts';
import { readResults, type Step } from './queries.ts';

/** Where results are handed out, without a token. */
export const RESULTS = '/downloads/imports';

export const resultsPath = (accountId: string, importId: string, step: Step) =>
  `${RESULTS}/${publicId('acc', accountId)}/${publicId('imp', importId)}-${step}.csv`;

/** The results of a step, as they were written down with its rows. */
export function resultsRoute(app: App, deps: Deps): void {
  app.route<{ Params: { account: string; file: string }; Querystring: { expires?: unknown; signature?: unknown } }>({
    method: ['GET', 'HEAD'],
    url: `${RESULTS}/:account/:file`,
    config: { access: 'open', streams: true },
    schema: { hide: true },
    handler: async (request, reply) => {
      const { account, file } = request.params;
      const [, name = '', step = ''] = /^(\w+)-(rehearsal|import|undo)\.csv$/.exec(file) ?? [];
      const accountId = parseId('acc', account);
      const importId = parseId('imp', name);
      const isGood = isGoodLink(deps, `${RESULTS}/${account}/${file}`, request.query);
      if (!isGood || accountId === undefined || importId === undefined) throw notFound('download');
      reply.headers({
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': `attachment; filename="${file}"`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'private, max-age=0',
      });
      if (request.method === 'HEAD') return reply.send();
      return reply.send(Readable.from(linesOf(deps.db, accountId, importId, step)));
    },
  });
}

async function* linesOf(db: Database, accountId: string, importId: string, step: string): AsyncGenerator<string> {
  yield RESULT_HEADINGS;
  for (let after = -1; ; ) {
    const batches = await readResults(db, accountId, importId, step, after);
    const last = batches.at(-1);
    if (last === undefined) return;
    yield batches.map(({ results }) => results).join('');
    after = last.number;
  }
}
