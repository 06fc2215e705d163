import { type Fault, refuse } from '../shared/errors.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { normalizeOrigin } from './allowed-origins.ts';
import type { Settings, SettingsBody } from './contract.ts';
import { normalizeAddress } from './excluded-addresses.ts';
import { changeSettings as change, findSettings, type SettingsRow } from './queries.ts';

export async function getSettings(tx: Tx, accountId: string): Promise<Settings> {
  const [row] = await findSettings(tx, accountId);
  return settingsOf(row);
}

/**
 * Changes what the body names of an account's settings.
 * @param known the faults that the schema found: what they touch is not looked at again
 * @throws ApiError 400 with every fault of the request
 */
export async function changeSettings(
  tx: Tx,
  accountId: string,
  body: unknown,
  known: Fault[],
  now: number,
): Promise<Settings> {
  const faults = [...known];
  const asked = (body !== null && typeof body === 'object' ? body : {}) as Record<string, unknown>;
  const origins = normalize(asked, 'allowedOrigins', normalizeOrigin, faults, {
    code: 'origin_invalid',
    detail: 'must be an origin, such as https://shop.example or https://*.shop.example, without a path',
  });
  const addresses = normalize(asked, 'excludedAddresses', normalizeAddress, faults, {
    code: 'address_invalid',
    detail: 'must be an address or a range, such as 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32',
  });
  refuse(faults);
  const { retentionDays } = asked as SettingsBody;
  const [row] = await change(
    tx,
    accountId,
    origins,
    addresses,
    retentionDays !== undefined,
    retentionDays ?? null,
    new Date(now),
  );
  return settingsOf(row);
}

/** The texts of a list in the form that is kept, each once; null where there is no list. */
function normalize(
  asked: Record<string, unknown>,
  member: string,
  read: (text: string) => string | undefined,
  faults: Fault[],
  fault: Omit<Fault, 'pointer'>,
): string[] | null {
  const list = asked[member];
  if (!Array.isArray(list)) return null;
  const plain = list.map((text: unknown, i) => {
    const pointer = `/${member}/${i}`;
    const value = typeof text === 'string' ? read(text) : undefined;
    if (value === undefined && !faults.some((each) => each.pointer === pointer)) faults.push({ pointer, ...fault });
    return value ?? '';
  });
  return [...new Set(plain)];
}

function settingsOf(row: SettingsRow | undefined): Settings {
  return {
    allowedOrigins: row?.allowed_origins ?? [],
    excludedAddresses: row?.excluded_addresses ?? [],
    retentionDays: row?.retention_days ?? null,
    updatedAt: row ? isoTime(row.updated_at) : null,
  };
}
