import type { BenchService } from './service.ts';

export interface Cost {
  ms: number;
  /** Milliseconds of processor time, of the service and of PostgreSQL. */
  service: number;
  postgres: number;
  cpu: number;
}

export const costs = ({ ms, service, postgres }: Cost) =>
  `${Math.round(ms)} ms; processor time of the service ${Math.round(service)} ms, of PostgreSQL ${Math.round(postgres)} ms`;

/** What some work takes on average. */
export async function measure({ cpu }: BenchService, work: () => Promise<unknown>, times = 1): Promise<Cost> {
  const before = cpu();
  const start = performance.now();
  for (let i = 0; i < times; i++) await work();
  const ms = (performance.now() - start) / times;
  const after = cpu();
  const [service, postgres] = [after.service - before.service, after.postgres - before.postgres];
  const each = (seconds: number) => (seconds * 1_000) / times;
  return { ms, service: each(service), postgres: each(postgres), cpu: each(service + postgres) };
}

type Caller = Pick<BenchService, 'port' | 'token'>;

/** @throws Error with the response if it is not 200 */
// biome-ignore lint/suspicious/noExplicitAny: responses of any shape
export async function send({ port, token }: Caller, path: string, init: RequestInit = {}): Promise<any> {
  const isJson = typeof init.body === 'string';
  const headers = { 'x-api-key': `Bearer ${token}`, ...(isJson && { 'content-type': 'application/json' }) };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers });
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

export const post = (service: Caller, path: string, body: object, method = 'POST') =>
  send(service, path, { method, body: JSON.stringify(body) });
