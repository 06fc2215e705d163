import { normalizeAddress } from '../../shared/addresses.ts';
import { type Fault, refuse } from '../../shared/errors.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { normalizeOrigin } from './allowed-origins.ts';
import type { Settings, SettingsBody } from './contract.ts';
import { findSettings, type SettingsRow, upsertSettings } from './queries.ts';

export async function getSettings(tx: Tx, accountId: string): Promise<Settings> {
  const [row] = await findSettings(tx, { account_id: accountId });
  return serializeSettings(row);
}

/**
 * Changes the settings that the body contains.
 * @param schemaFaults faults that the schema found; the values at fault are not checked again
 * @throws ApiError 400 with every fault of the request
 */
export async function changeSettings(
  tx: Tx,
  accountId: string,
  body: unknown,
  schemaFaults: Fault[],
  now: number,
): Promise<Settings> {
  const faults = [...schemaFaults];
  const members = (body !== null && typeof body === 'object' ? body : {}) as Record<string, unknown>;
  const origins = normalizeList(members, 'allowedOrigins', normalizeOrigin, faults, {
    code: 'origin_invalid',
    detail: 'must be an origin without a path, such as https://shop.example or https://*.shop.example.',
  });
  const addresses = normalizeList(members, 'excludedAddresses', normalizeAddress, faults, {
    code: 'address_invalid',
    detail: 'must be an IP address or range, such as 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32.',
  });
  refuse(faults);
  const { retentionDays, firstPartyId } = members as SettingsBody;
  const [row] = await upsertSettings(tx, {
    account_id: accountId,
    allowed_origins: origins,
    excluded_addresses: addresses,
    sets_retention: retentionDays !== undefined,
    retention_days: retentionDays ?? null,
    first_party_id: firstPartyId ?? null,
    now: new Date(now),
  });
  return serializeSettings(row);
}

/** The normalized values of a list without repetitions; null if the member is no list. */
function normalizeList(
  members: Record<string, unknown>,
  member: string,
  normalize: (text: string) => string | undefined,
  faults: Fault[],
  fault: Omit<Fault, 'pointer'>,
): string[] | null {
  const list = members[member];
  if (!Array.isArray(list)) return null;
  const normalized = list.map((text: unknown, i) => {
    const pointer = `/${member}/${i}`;
    const value = typeof text === 'string' ? normalize(text) : undefined;
    if (value === undefined && !faults.some((each) => each.pointer === pointer)) {
      faults.push({ pointer, code: fault.code, detail: `\`${pointer}\` ${fault.detail}` });
    }
    return value ?? '';
  });
  return [...new Set(normalized)];
}

function serializeSettings(row: SettingsRow | undefined): Settings {
  return {
    allowedOrigins: row?.allowed_origins ?? [],
    excludedAddresses: row?.excluded_addresses ?? [],
    retentionDays: row?.retention_days ?? null,
    firstPartyId: row?.first_party_id ?? false,
    updatedAt: row ? isoTime(row.updated_at) : null,
  };
}
