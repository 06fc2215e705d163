import { randomUUID } from 'node:crypto';
import { after } from 'node:test';
import pg from 'pg';

const server = JSON.parse(process.env.TEST_POSTGRES ?? '{}') as { host: string; port: number; user: string };
const databases: string[] = [];

async function asAdmin(sql: string): Promise<void> {
  const admin = new pg.Client({ ...server, database: 'postgres' });
  await admin.connect();
  await admin.query(sql).finally(() => admin.end());
}

/** The URL of an empty database, of the server that the tests run on; dropped when the test file is done. */
export async function emptyDatabase(): Promise<string> {
  const name = `url_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(`create database ${name} template template0`);
  databases.push(name);
  return databaseUrl(name);
}

export const databaseUrl = (name: string) =>
  `postgres://${server.user}:ignored@localhost/${name}?host=${server.host}&port=${server.port}`;

after(async () => {
  for (const name of databases) await asAdmin(`drop database if exists ${name} with (force)`);
});
