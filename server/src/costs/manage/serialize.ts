import type { Config } from '../../shared/config.ts';
import { notFound } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { CONNECTOR_IDS, connectorOf } from '../connectors/registry.ts';
import type { CostPlatformList, CostSource } from '../contract.ts';
import { type CostSourceRow, findSource, findSourcesByKey } from './queries.ts';

/** A cost source as the API returns it, without its secrets. */
export function serializeSource(row: CostSourceRow, isDeleted = false): CostSource {
  return {
    id: publicId('cst', row.id),
    platform: row.platform,
    name: row.name,
    connection: row.connection,
    destinationId: row.destination_id && publicId('dst', row.destination_id),
    source: row.source,
    mode: row.mode,
    status: isDeleted ? 'deleted' : row.paused_at === null ? 'active' : 'paused',
    pauseReason: row.paused_at && row.pause_reason,
    error: row.error,
    failingSince: row.failing_since && isoTime(row.failing_since),
    currency: row.currency,
    timeZone: row.time_zone,
    lastReadAt: row.last_read_at && isoTime(row.last_read_at),
    nextReadAt: isDeleted ? null : row.due_at && isoTime(row.due_at),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}

/** The UUID of a cost source's public id. @throws 404 */
export function sourceUuid(id: string): string {
  const uuid = parseId('cst', id);
  if (uuid === undefined) throw notFound('cost source');
  return uuid;
}

/** @throws 404 if there is no row */
export function requireSource(row: CostSourceRow | undefined): CostSourceRow {
  if (row === undefined) throw notFound('cost source');
  return row;
}

/** @throws 404 */
export async function readSource(tx: Tx, account_id: string, id: string): Promise<CostSource> {
  const [row] = await findSource(tx, { account_id, id: sourceUuid(id) });
  return serializeSource(requireSource(row));
}

/** Cost sources by UUID; those that were deleted are missing. */
export async function loadCostSources(
  tx: Tx,
  keys: readonly { accountId: string; id: string }[],
): Promise<Map<string, CostSource>> {
  const found = await findSourcesByKey(tx, {
    sources: keys.map(({ accountId, id }) => ({ account_id: accountId, id })),
  });
  return new Map(found.map((row) => [row.id, serializeSource(row)]));
}

/** Every platform with what it takes to connect it. */
export function serializePlatforms({ costs }: Pick<Config, 'costs'>): CostPlatformList {
  return {
    platforms: CONNECTOR_IDS.map((id) => {
      const { name, source, credentials, reuses, version } = connectorOf(id);
      return {
        platform: id,
        ...{ name, source },
        credentials: Object.entries(credentials).map(([name, field]) => ({ name, decidesHost: false, ...field })),
        reuses: [...reuses],
        version: costs[id]?.version ?? version,
      };
    }),
  };
}
