import { Readable } from 'node:stream';
import { downloadHeaders } from '../exports/index.ts';
import { BYTE_ORDER_MARK, csvLine, escapeFormula } from '../shared/csv.ts';
import type { Deps } from '../shared/deps.ts';
import { notFound } from '../shared/errors.ts';
import type { App } from '../shared/http/server.ts';
import { parseId, publicId } from '../shared/ids.ts';
import type { Database } from '../shared/postgres/database.ts';
import { isGoodLink } from '../shared/signed-link.ts';
import { listResults, type Stage } from './queries.ts';

/** The URL path of results files, which need a signature but no token. */
const RESULTS = '/downloads/imports';

const HEADINGS = csvLine(['row', 'outcome', 'id', 'codes', 'details']);

/** A line of the results file: what a stage did with a row of the file. @param entryId UUID */
export function resultLine(
  row: number,
  outcome: string,
  entryId: string | undefined,
  codes = '',
  details = '',
): string {
  const id = entryId === undefined ? '' : publicId('ent', entryId);
  return csvLine([String(row), outcome, id, escapeFormula(codes), escapeFormula(details)]);
}

export const resultsPath = (accountId: string, importId: string, stage: Stage) =>
  `${RESULTS}/${publicId('acc', accountId)}/${publicId('imp', importId)}-${stage}.csv`;

/** Serves the results of a stage to anyone with a signed URL. */
export function resultsRoute(app: App, deps: Deps): void {
  app.route<{
    Params: { account: string; file: string };
    Querystring: { expires?: unknown; signature?: unknown; bom?: unknown };
  }>({
    method: ['GET', 'HEAD'],
    url: `${RESULTS}/:account/:file`,
    config: {
      access: 'open',
      streams: true,
      accountOf: ({ params }) => parseId('acc', (params as { account: string }).account),
    },
    schema: { hide: true },
    handler: async (request, reply) => {
      const { account, file } = request.params;
      const [, name = '', stage = ''] = /^(\w+)-(dry_run|import|undo)\.csv$/.exec(file) ?? [];
      const accountId = parseId('acc', account);
      const importId = parseId('imp', name);
      const isSigned = isGoodLink(deps, `${RESULTS}/${account}/${file}`, request.query);
      if (!isSigned || accountId === undefined || importId === undefined) throw notFound('download');
      reply.headers(downloadHeaders(file, 'text/csv; charset=utf-8; header=present'));
      if (request.method === 'HEAD') return reply.send();
      const mark = request.query.bom === 'true' ? BYTE_ORDER_MARK : '';
      return reply.send(Readable.from(readLines(deps.db, accountId, importId, stage, mark)));
    },
  });
}

async function* readLines(db: Database, account_id: string, import_id: string, stage: string, mark: string) {
  yield mark + HEADINGS;
  for (let after = -1; ; ) {
    const batches = await listResults(db, { account_id, import_id, stage, after });
    const last = batches.at(-1);
    if (last === undefined) return;
    yield batches.map(({ results }) => results).join('');
    after = last.number;
  }
}
