import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const DROP_ATTEMPTS = 10;

/** The PostgreSQL of the run. */
export function testServer(): pg.ClientConfig {
  const setting = process.env.TEST_POSTGRES;
  if (setting === undefined) throw new Error('run the tests by `npm test`, which starts their PostgreSQL');
  return JSON.parse(setting);
}

/** Runs a statement outside of the test databases. */
export async function asAdmin(
  sql: string,
  server: string | pg.ClientConfig = { ...testServer(), database: 'postgres' },
) {
  const admin = new pg.Client(server);
  await admin.connect();
  await admin.query(sql).finally(() => admin.end());
}

export const dropDatabase = (name: string) => drop(`drop database if exists ${name} with (force)`);

/** Drops a schema of a cell, whose services may still work. */
export const dropSchema = (name: string, server: string) => drop(`drop schema if exists ${name} cascade`, server);

async function drop(sql: string, server?: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await asAdmin(sql, server);
    } catch (error) {
      // The owner of a database may not end an autovacuum of it, which is soon over; a schema may be in a deadlock with a worker.
      if (attempt === DROP_ATTEMPTS) throw error;
      await sleep(500);
    }
  }
}
