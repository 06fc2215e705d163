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
export async function asAdmin(sql: string): Promise<void> {
  const admin = new pg.Client({ ...testServer(), database: 'postgres' });
  await admin.connect();
  await admin.query(sql).finally(() => admin.end());
}

export async function dropDatabase(name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await asAdmin(`drop database if exists ${name} with (force)`);
    } catch (error) {
      // The owner of the database may not end an autovacuum of it, which is soon over.
      if (attempt === DROP_ATTEMPTS) throw error;
      await sleep(500);
    }
  }
}
