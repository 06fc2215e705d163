import { notFound } from '../shared/errors.ts';
import { parseId, publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import type { Warehouse } from './contract.ts';
import { DATASET_NAMES } from './contract.ts';
import { manifestUrl } from './manifest.ts';
import { type ExportState, findStates, findWarehouse, type WarehouseRow } from './queries.ts';

/** The UUID of a warehouse's public id. @throws 404 */
export function warehouseUuid(id: string): string {
  const uuid = parseId('whs', id);
  if (uuid === undefined) throw notFound('warehouse');
  return uuid;
}

/** @throws 404 if there is no row */
export function requireWarehouse(row: WarehouseRow | undefined): WarehouseRow {
  if (row === undefined) throw notFound('warehouse');
  return row;
}

/** Warehouses as the API returns them, with what is in their buckets, without their secrets. */
export async function serializeWarehouses(
  tx: Tx,
  account_id: string,
  rows: readonly WarehouseRow[],
): Promise<Warehouse[]> {
  const states = await findStates(tx, { account_id, warehouses: rows.map(({ id }) => id) });
  return rows.map((row) =>
    serialize(
      row,
      states.filter(({ warehouse_id }) => warehouse_id === row.id),
    ),
  );
}

export async function serializeWarehouse(tx: Tx, row: WarehouseRow): Promise<Warehouse> {
  const [warehouse] = await serializeWarehouses(tx, row.account_id, [row]);
  return warehouse ?? serialize(row, []);
}

export const serializeDeleted = (row: WarehouseRow): Warehouse => ({
  ...serialize(row, []),
  ...{ status: 'deleted', nextRunAt: null },
});

/** @throws 404 */
export async function readWarehouse(tx: Tx, account_id: string, id: string): Promise<WarehouseRow> {
  const [row] = await findWarehouse(tx, { account_id, id: warehouseUuid(id) });
  return requireWarehouse(row);
}

function serialize(row: WarehouseRow, states: readonly ExportState[]): Warehouse {
  const time = (at: Date | null) => at && isoTime(at);
  return {
    id: publicId('whs', row.id),
    ...{ name: row.name, endpoint: row.endpoint, region: row.region, bucket: row.bucket, prefix: row.prefix },
    ...{ pathStyle: row.is_path_style, accessKeyId: row.access_key_id },
    datasets: DATASET_NAMES.filter((name) => row.datasets.includes(name)),
    ...{ startsOn: row.starts_on, mode: row.mode },
    status: row.failing_since === null ? 'active' : 'failing',
    ...{ error: row.error, failingSince: time(row.failing_since), waitingSince: time(row.waiting_since) },
    ...{ lastRunAt: time(row.last_run_at), nextRunAt: time(row.due_at) },
    exports: DATASET_NAMES.flatMap((dataset) => {
      const state = states.find((each) => each.dataset === dataset);
      if (!state) return [];
      const { days, rows, bytes, first_day, last_day, published_at } = state;
      return {
        ...{ dataset, days, rows, bytes, firstDay: first_day, lastDay: last_day },
        ...{ publishedAt: time(published_at), manifest: manifestUrl(row, dataset) },
      };
    }),
    ...{ createdAt: isoTime(row.created_at), updatedAt: isoTime(row.updated_at) },
  };
}
