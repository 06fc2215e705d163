import { notifyEverywhere } from '../shared/postgres/confirm.ts';
import { type ControlDatabase, type ControlTx, commitOn } from '../shared/postgres/database.ts';
import { HEARTBEAT_TTL_MS } from '../shared/postgres/listener.ts';
import { type KeyRow, revokeKey } from './queries.ts';

/** Channel of revocations, and of changes of roles: `<ID of the key or role> <id to confirm>`. */
export const KEY_REVOKED = 'headwater_key_revoked';
/** Channel of confirmations: `<id to confirm> <server process of the listener>`. */
export const KEY_FORGOTTEN = 'headwater_key_forgotten';
/** Channel of accounts that are in another cell now: their id. */
export const ACCOUNT_MOVED = 'headwater_account_moved';

/**
 * Revokes a key, notifies every process, and waits until each listening one has confirmed. A process that is cut off from
 * the database has stopped trusting its cache by the time this returns.
 * @param record writes to the audit log in the same transaction
 * @returns the key; undefined if there is none
 */
export async function revokeEverywhere(
  control: ControlDatabase,
  keyId: string,
  record: (tx: ControlTx) => Promise<void>,
): Promise<KeyRow | undefined> {
  const client = await control.connect('headwater-command');
  let revoked: KeyRow | undefined;
  try {
    await notifyEverywhere(client, KEY_FORGOTTEN, HEARTBEAT_TTL_MS, async (confirmTo) => {
      await client.query('begin');
      [revoked] = await revokeKey(client, { id: keyId, channel: KEY_REVOKED, payload: `${keyId} ${confirmTo}` });
      if (revoked) await record(client);
      await commitOn(client);
      return revoked !== undefined;
    });
    return revoked;
  } finally {
    await client.end();
  }
}
