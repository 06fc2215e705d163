import type { Config } from '../../shared/config.ts';
import { badRequest, notFound } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import type { Destination, Platform } from '../contract.ts';
import { PLATFORM_IDS, type PlatformId, platformOf } from '../platforms/registry.ts';
import { API_VERSIONS, type ApiVersion } from '../platforms/versions.ts';
import { type DestinationRow, findDestination, findDestinationsByKey } from './queries.ts';

/** A destination as the API returns it, without its secrets. */
export function serializeDestination(row: DestinationRow, isDeleted = false): Destination {
  return {
    id: publicId('dst', row.id),
    platform: row.platform,
    name: row.name,
    connection: row.connection,
    mapping: row.mapping,
    filter: row.filter,
    consent: row.consent,
    mode: row.mode,
    startAt: isoTime(row.start_at),
    sendAfter: row.send_after,
    value: row.value_sent,
    trustPublicValues: row.trusts_public_values,
    status: isDeleted ? 'deleted' : row.paused_at === null ? 'active' : 'paused',
    pauseReason: row.paused_at && row.pause_reason,
    failingSince: row.failing_since && isoTime(row.failing_since),
    error: row.error,
    lastSentAt: row.last_sent_at && isoTime(row.last_sent_at),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}

/** @throws ApiError 400 `destination_purges` if the platform receives no conversions */
export function refuseConversions(platform: PlatformId): void {
  if (!platformOf(platform).purges) return;
  throw badRequest('destination_purges', 'The destination purges caches. It receives no conversions.');
}

/** The UUID of a destination's public id. @throws 404 */
export function destinationUuid(id: string): string {
  const uuid = parseId('dst', id);
  if (uuid === undefined) throw notFound('destination');
  return uuid;
}

/** @throws 404 if there is no row */
export function requireRow(row: DestinationRow | undefined): DestinationRow {
  if (row === undefined) throw notFound('destination');
  return row;
}

/** @throws 404 */
export async function requireDestination(tx: Tx, accountId: string, id: string): Promise<DestinationRow> {
  const [row] = await findDestination(tx, { account_id: accountId, id: destinationUuid(id) });
  return requireRow(row);
}

/** Destinations by UUID; those that were deleted are missing. */
export async function loadDestinations(
  tx: Tx,
  keys: readonly { accountId: string; id: string }[],
): Promise<Map<string, Destination>> {
  const destinations = keys.map(({ accountId, id }) => ({ account_id: accountId, id }));
  const rows = await findDestinationsByKey(tx, { destinations });
  return new Map(rows.map((row) => [row.id, serializeDestination(row)]));
}

/** Every platform with what it takes to connect it. */
export function serializePlatforms({ destinations }: Pick<Config, 'destinations'>): Platform[] {
  const versions: Record<string, ApiVersion> = API_VERSIONS;
  return PLATFORM_IDS.map((id) => {
    const replaced = destinations[id]?.version;
    const { name, credentials, target, clickIds, uses, needs, maxAgeDays, adjustment, validation, purges } =
      platformOf(id);
    return {
      platform: id,
      name,
      credentials: Object.entries(credentials).map(([name, field]) => ({ name, decidesHost: false, ...field })),
      target,
      purges: purges ?? false,
      clickIds: [...clickIds],
      usesEmail: uses.email,
      needs,
      usesClient: uses.client,
      maxAgeDays,
      adjustment,
      validation,
      version: replaced ?? versions[id]?.version ?? null,
      versionEnds: replaced === undefined ? (versions[id]?.ends ?? null) : null,
    };
  });
}
