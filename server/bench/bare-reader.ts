/**
 * The limit for reads of entries: a plain node:http server that sends one prepared statement for each request and responds
 * with as many bytes as the service. Arguments: port, data folder, account and collection (UUIDs).
 */
import { createServer } from 'node:http';
import pg from 'pg';
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

const server = createServer(async (request, response) => {
  const id = /\?id=([0-9a-f-]+)$/.exec(request.url ?? '')?.[1];
  const query = id
    ? read('get', 'id = $2', [id])
    : read('list', `collection_id = $2 and status = 'active' order by created_at, id limit 50`, [collection]);
  const { rows } = await pool.query<string[]>(query as never);
  const body = rows.map(([values]) => `${ENTRY.slice(0, 80)}${values}${ENTRY.slice(80)}`).join(',');
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
});
server.listen(Number(port), '127.0.0.1', () => console.log('listening'));
