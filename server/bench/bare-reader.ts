/**
 * The limit for reads of entries: a plain node:http server that sends one prepared statement for each request and responds
 * with as many bytes as the service. Arguments: port, data folder, account and collection (UUIDs). The query of a request is
 * `id=` of an entry, or `after=` the last entry of the previous page, or empty for the first page (UUIDs).
 */
import { createServer } from 'node:http';
import pg from 'pg';
import { uuidTime } from '../src/shared/ids.ts';
import { embeddedConnection } from '../src/shared/postgres/embedded.ts';

const [port, dataDir = '', account, collection] = process.argv.slice(2);
const pool = new pg.Pool({ ...embeddedConnection(dataDir), max: 16 });

/** What an entry has besides its values, and a page besides its entries. */
const ENTRY = `{"id":"ent_01m7w9e60ee9famqj7283tbv2b","collectionId":"col_01m7w9e60ee9famqj7283tbv2b","values":{},"status":"active","version":1,"createdAt":"2026-11-22T10:00:00.000Z","updatedAt":"2026-11-22T10:00:00.000Z"}`;
const read = (name: string, condition: string, values: unknown[]) => ({
  name,
  text: `select "values"::text, id, version, updated_at::text from entries where account_id = $1 and ${condition}`,
  values: [account, ...values],
  rowMode: 'array',
});

const page = (where: string) => `collection_id = $2 and status = 'active' ${where} order by created_at, id limit 50`;
const BEHIND = 'and (created_at, id) > ($3, $4)';

const server = createServer(async (request, response) => {
  const [, by, id = ''] = /\?(id|after)=([0-9a-f-]+)$/.exec(request.url ?? '') ?? [];
  const query =
    by === 'id'
      ? read('get', 'id = $2', [id])
      : by === 'after'
        ? read('page', page(BEHIND), [collection, new Date(uuidTime(id)), id])
        : read('list', page(''), [collection]);
  const { rows } = await pool.query<string[]>(query as never);
  const body = rows.map(([values]) => `${ENTRY.slice(0, 80)}${values}${ENTRY.slice(80)}`).join(',');
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
});
server.listen(Number(port), '127.0.0.1', () => console.log('listening'));
