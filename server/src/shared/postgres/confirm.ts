import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { ControlTx } from './database.ts';
import { LISTENER_NAME } from './listener.ts';
import { controlStatement } from './statement.ts';

/** The server processes of all connections with this application name to this database. */
const listProcesses = controlStatement('control.list_processes', { name: 'text' }).returns<{ pid: number }>(
  'select pid from pg_stat_activity where datname = current_database() and application_name = :name',
);

/**
 * Notifies every process, and waits until each one that listens to the control database has confirmed.
 * @param channel of confirmations: `<id to confirm> <server process of the listener>`
 * @param notify sends the notification with the id to confirm; false: there is nothing to wait for
 * @returns whether all have confirmed in time
 */
export async function notifyEverywhere(
  client: pg.Client & ControlTx,
  channel: string,
  timeoutMs: number,
  notify: (confirmTo: string) => Promise<boolean>,
): Promise<boolean> {
  const confirmTo = randomUUID();
  const confirmed = new Set<number>();
  let check = () => {};
  const onNotification = ({ payload = '' }: pg.Notification) => {
    const [id, processId] = payload.split(' ');
    if (id === confirmTo) confirmed.add(Number(processId));
    check();
  };
  client.on('notification', onNotification);
  try {
    await client.query(`listen ${channel}`);
    if (!(await notify(confirmTo))) return true;
    const listening = await listProcesses(client, { name: LISTENER_NAME });
    const allConfirmed = new Promise<true>((resolve) => {
      check = () => {
        if (listening.every(({ pid }) => confirmed.has(pid))) resolve(true);
      };
    });
    check();
    return await Promise.race([allConfirmed, sleep(timeoutMs, false as const, { ref: false })]);
  } finally {
    client.off('notification', onNotification);
  }
}
