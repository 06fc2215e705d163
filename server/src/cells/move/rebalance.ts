import { ApiError, badRequest } from '../../shared/errors.ts';
import { clusterIdOf, isDistributed, planRebalance } from '../../shared/postgres/citus.ts';
import { openDatabase } from '../../shared/postgres/database.ts';
import { connectionOfRow } from '../commands.ts';
import { listCells } from '../directory.ts';
import { moveToNode } from './move-to-node.ts';
import type { MoveDeps } from './sides.ts';

interface Move {
  cell: string;
  from: string;
  to: string;
}

/** What a rebalance moved, and what it could not move. */
interface Rebalanced {
  moved: Move[];
  failed: { cell: string; error: string }[];
}

/**
 * Spreads cells over the nodes of their Citus clusters as Citus plans it, moving one after the other. Other schemas stay. A cell
 * that cannot be moved does not stop the others; repeat the command to finish.
 * @param strategy of Citus, such as `by_shard_count`; its default otherwise
 * @throws ApiError 400 `cell_not_distributed`, `strategy_unknown`
 */
export async function rebalanceCells(
  deps: MoveDeps,
  strategy: string | undefined,
  onProgress: (step: string) => void,
): Promise<Rebalanced> {
  const result: Rebalanced = { moved: [], failed: [] };
  for (const { cell, node } of await planMoves(deps, strategy, result.failed)) {
    try {
      const move = await moveToNode(deps, cell, node, (step) => onProgress(`${cell} to ${node}: ${step}`));
      if (move.from !== move.to) result.moved.push(move);
    } catch (error) {
      result.failed.push({ cell, error: (error as Error).message });
    }
  }
  return result;
}

async function planMoves({ control, secret }: MoveDeps, strategy: string | undefined, failed: Rebalanced['failed']) {
  const clusters = new Map<string, { cells: Map<string, string>; plan: { schema: string; node: string }[] }>();
  for (const row of await listCells(control)) {
    const db = openDatabase(connectionOfRow(control, secret, row), 1, () => {});
    try {
      if (!(await isDistributed(db))) continue;
      const { cluster, schema } = await clusterIdOf(db);
      const known = clusters.get(cluster) ?? { cells: new Map(), plan: await planRebalance(db, strategy) };
      known.cells.set(schema, row.name);
      clusters.set(cluster, known);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'strategy_unknown') throw error;
      failed.push({ cell: row.name, error: (error as Error).message });
    } finally {
      await db.close();
    }
  }
  if (clusters.size + failed.length === 0)
    throw badRequest('cell_not_distributed', 'No cell is in a schema of a Citus cluster.');
  return [...clusters.values()].flatMap(({ cells, plan }) =>
    plan.flatMap(({ schema, node }) => {
      const cell = cells.get(schema);
      return cell === undefined ? [] : [{ cell, node }];
    }),
  );
}
