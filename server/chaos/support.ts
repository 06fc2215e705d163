import { startEmbeddedPostgres } from '../src/shared/postgres/embedded.ts';
import { atEnd } from '../test/at-end.ts';
import { newDataDir, type ServiceProcess } from '../test/service-process.ts';

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a proof looks into responses of every shape, and fails where they differ
  body: any;
}

/** Sends JSON. @throws if the connection is lost */
export async function post(service: ServiceProcess, path: string, body: unknown, token = ''): Promise<Reply> {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { 'x-api-key': `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

/** A PostgreSQL outside the services, which flushes its commits. Returns its DATABASE_URL. */
export async function startDatabase(settings: Record<string, string> = {}): Promise<string> {
  const { connection, stop } = await startEmbeddedPostgres({
    dataDir: newDataDir(),
    log: (level, message) => level === 'info' || console.error(message),
    settings,
  });
  atEnd(stop);
  const { host = '', port, user, database } = connection;
  return `postgres://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}
