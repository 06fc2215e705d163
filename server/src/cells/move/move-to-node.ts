import { badRequest, notFound } from '../../shared/errors.ts';
import { countMove, isDistributed, nodeOf, nodesOf } from '../../shared/postgres/citus.ts';
import { openDatabase } from '../../shared/postgres/database.ts';
import { connectionOfRow } from '../commands.ts';
import { findCell } from '../directory.ts';
import { listMoves } from './queries.ts';
import type { MoveDeps } from './sides.ts';

/**
 * While writes wait, Citus looks whether the new node has caught up, and sleeps for a second if it has not. A notification wakes the
 * server process that listens.
 */
const AWAKE = 'headwater_move_awake';
const AWAKE_MS = 20;

/**
 * Moves the schema of a cell to another node of its Citus cluster, while it is used: Citus copies the tables by logical
 * replication, and lets writes wait for a moment at the end.
 * @param node `host:port`, as Citus knows it
 * @throws ApiError 404; 400 `accounts_moving`, `cell_not_distributed`, `node_unknown`
 */
export async function moveToNode(
  { control, secret }: MoveDeps,
  cell: string,
  node: string,
  onProgress: (step: string) => void,
) {
  const [row] = await findCell(control, { name: cell });
  if (!row) throw notFound('cell');
  const moves = await listMoves(control);
  if (moves.some(({ from_cell, to_cell }) => from_cell === cell || to_cell === cell)) {
    throw badRequest(
      'accounts_moving',
      'Accounts are being moved to or from this cell. Move it when they have arrived, or cancel their moves.',
    );
  }
  const db = openDatabase(connectionOfRow(control, secret, row), 1, () => {});
  try {
    if (!(await isDistributed(db))) {
      throw badRequest(
        'cell_not_distributed',
        'The cell is not in a schema of a Citus cluster. Name a URL to move it to.',
      );
    }
    const nodes = await nodesOf(db);
    if (!nodes.includes(node)) {
      throw badRequest('node_unknown', `The cluster has no such node. Its nodes are ${nodes.join(', ')}.`);
    }
    const from = await nodeOf(db);
    if (from === node) return { cell, from, to: node };
    onProgress(`Moving from ${from}`);
    const client = await db.connect('headwater move');
    const waking = setInterval(() => void db.query('select pg_notify($1, $2)', [AWAKE, '']).catch(() => {}), AWAKE_MS);
    try {
      await client.query(`listen ${AWAKE}`);
      const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(node) ?? [];
      await client.query('select citus_schema_move(current_schema()::regnamespace, $1::text, $2::integer)', [
        host,
        Number(port),
      ]);
      await countMove(client);
    } finally {
      clearInterval(waking);
      await client.end();
    }
    return { cell, from, to: node };
  } finally {
    await db.close();
  }
}
