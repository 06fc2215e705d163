import pg from 'pg';
import { embeddedConnection, startEmbeddedPostgres } from '../src/shared/postgres/embedded.ts';
import { atEnd } from '../test/at-end.ts';
import { newDataDir, type ServiceProcess } from '../test/service-process.ts';

export interface Reply {
  status: number;
  headers: Headers;
  /** Parsed if it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a proof looks into responses of every shape, and fails where they differ
  body: any;
}

export interface SendOptions {
  /** A secret token. */
  token?: string;
  /** A string or buffer as it is, everything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** `send(service, 'POST /v1/visits', { body })`. @throws if the connection is lost */
export async function send(
  { url }: Pick<ServiceProcess, 'url'>,
  request: string,
  { token, body, headers }: SendOptions = {},
): Promise<Reply> {
  const [method = 'GET', path = '/'] = request.split(' ');
  const isEncoded = typeof body === 'string' || Buffer.isBuffer(body);
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { 'x-api-key': `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: isEncoded ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

export const post = (service: Pick<ServiceProcess, 'url'>, path: string, body: unknown, token?: string) =>
  send(service, `POST ${path}`, { body, ...(token !== undefined && { token }) });

/** As `send`. @throws unless it succeeds */
export async function sendOk(
  service: Pick<ServiceProcess, 'url'>,
  request: string,
  options?: SendOptions,
  // biome-ignore lint/suspicious/noExplicitAny: as in Reply
): Promise<any> {
  const { status, body } = await send(service, request, options);
  if (status !== 200) throw new Error(`${request}: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** A PostgreSQL outside the services, which flushes its commits. */
export async function startDatabase(settings: Record<string, string> = {}): Promise<{ url: string; dataDir: string }> {
  const dataDir = newDataDir();
  const { connection, stop } = await startEmbeddedPostgres({
    dataDir,
    log: (level, message) => level === 'info' || console.error(message),
    settings,
  });
  atEnd(stop);
  const { host = '', port, user = '', database } = connection;
  return { url: `postgres:///${database}?${new URLSearchParams({ host, port: String(port), user })}`, dataDir };
}

/** A connection to the PostgreSQL of a data folder. */
export async function connectTo(dataDir: string): Promise<pg.Client> {
  const client = new pg.Client(embeddedConnection(dataDir));
  client.on('error', () => {});
  await client.connect();
  atEnd(() => client.end().catch(() => {}));
  return client;
}
