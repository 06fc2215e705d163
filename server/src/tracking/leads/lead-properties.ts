import { rawAsText } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isAbsent } from '../absent.ts';
import { IDENTIFIER_NAMES } from '../identifiers.ts';
import { findLatestProperties } from './queries.ts';

/** Of the lead itself, of its sessions, and of conversions. */
const OTHER = new Set<string>(['email', 'value', 'currency', 'funnel_id', ...IDENTIFIER_NAMES]);
const MAX_PROPERTIES = 100;

/** What the latest events of a lead say about it, such as its name and phone number: the latest value of each property. */
export async function readProperties(
  tx: Tx,
  accountId: string,
  id: string,
): Promise<Record<string, string | number | boolean>> {
  const latest = new Map<string, string | number | boolean>();
  for (const { properties } of await findLatestProperties(tx, { account_id: accountId, id })) {
    for (const [name, sent] of Object.entries(properties)) {
      const value = rawAsText(sent);
      if (OTHER.has(name) || latest.has(name) || latest.size === MAX_PROPERTIES || isAbsent(value)) continue;
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') latest.set(name, value);
    }
  }
  return Object.fromEntries([...latest].sort(([a], [b]) => (a < b ? -1 : 1)));
}
