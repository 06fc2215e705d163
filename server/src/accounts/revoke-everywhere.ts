import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlDatabase, ControlTx } from '../shared/postgres/database.ts';
import { HEARTBEAT_TTL_MS, LISTENER_NAME } from '../shared/postgres/listener.ts';
import { type KeyRow, listProcesses, revokeKey } from './queries.ts';

/** Channel of revocations: `<key id> <id to confirm>`. */
export const KEY_REVOKED = 'headwater_key_revoked';
/** Channel of confirmations: `<id to confirm> <server process of the listener>`. */
export const KEY_FORGOTTEN = 'headwater_key_forgotten';

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
  try {
    const confirmTo = randomUUID();
    const confirmed = new Set<number>();
    let check = () => {};
    client.on('notification', ({ payload = '' }) => {
      const [id, processId] = payload.split(' ');
      if (id === confirmTo) confirmed.add(Number(processId));
      check();
    });
    await client.query(`listen ${KEY_FORGOTTEN}`);
    await client.query('begin');
    const [row] = await revokeKey(client, { id: keyId, channel: KEY_REVOKED, payload: `${keyId} ${confirmTo}` });
    if (row) await record(client);
    await client.query('commit');
    if (!row) return undefined;
    const listening = await listProcesses(client, { name: LISTENER_NAME });
    const allConfirmed = new Promise<void>((resolve) => {
      check = () => {
        if (listening.every(({ pid }) => confirmed.has(pid))) resolve();
      };
    });
    check();
    await Promise.race([allConfirmed, sleep(HEARTBEAT_TTL_MS, undefined, { ref: false })]);
    return row;
  } finally {
    await client.end();
  }
}
