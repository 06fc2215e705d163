import { randomUUID } from 'node:crypto';
import { after } from 'node:test';
import { asAdmin, dropDatabase, testServer } from './databases.ts';

const databases: string[] = [];

/** The URL of an empty database, of the server that the tests run on; dropped when the test file is done. */
export async function emptyDatabase(): Promise<string> {
  const name = `url_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(`create database ${name} template template0`);
  databases.push(name);
  return databaseUrl(name);
}

export function databaseUrl(name: string): string {
  const { host, port, user } = testServer();
  return `postgres://${user}:ignored@localhost/${name}?host=${host}&port=${port}`;
}

after(async () => {
  for (const name of databases) await dropDatabase(name);
});
