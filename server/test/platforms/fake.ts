/** Local servers that enforce the documented rules of ad platforms and keep a ledger of what they count. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from '../at-end.ts';

export interface Counted {
  /** What the platform recognizes a conversion by. */
  id: string;
  target: string;
  value: number | null;
  currency: string | null;
  /** By the platform's clock. */
  receivedAt: number;
  isRetracted: boolean;
}

export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: http.IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each platform reads its own form
  body: any;
}

export interface Reply {
  status: number;
  body: unknown;
}

/** What happens to a request, besides what the platform does with it. */
export type Fault =
  /** The platform processes the request, and the connection breaks before the answer. */
  | 'lost answer'
  /** The connection breaks before the platform reads the request. */
  | 'reset'
  /** The platform processes the request and answers too late. */
  | 'time-out'
  | 'throttled'
  | 'failure'
  /** The platform processes the request and answers with an error. */
  | 'failure after processing';

export interface FakePlatform {
  url: string;
  /** What was counted, in order. A conversion that occurs twice was counted twice. */
  ledger: Counted[];
  /** The latest of each target and id. */
  index: Map<string, Counted>;
  calls: Call[];
  /** Faults of the next requests of conversions. */
  faults: (Fault | undefined)[];
  /** Set to refuse all credentials. */
  refusesCredentials: boolean;
  /** Events with these ids are refused. */
  bad: Set<string>;
  /** Answers a request of conversions instead of the platform's rules. */
  intercept: ((call: Call) => Reply | undefined) | undefined;
  close(): Promise<void>;
}

export interface Rules {
  /** How a throttled request is answered, if not by an empty 429. */
  throttled?: Reply;
  /** Answers a request, and adds what counts to the ledger. */
  respond(call: Call, platform: FakePlatform, now: number): Reply;
  /** Whether faults apply: not to requests for access tokens and the like. */
  isDelivery(call: Call): boolean;
}

/** Starts a platform. It stops at the end of the test file. */
export async function startPlatform(rules: Rules, clock: () => number = Date.now): Promise<FakePlatform> {
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://platform');
      const text = Buffer.concat(chunks).toString();
      const isJson = request.headers['content-type']?.includes('json');
      const call: Call = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        text,
        body: isJson && text !== '' ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text)),
      };
      const isDelivery = rules.isDelivery(call);
      const fault = isDelivery ? platform.faults.shift() : undefined;
      if (fault === 'reset') return request.socket.destroy();
      if (fault === 'throttled') return send(response, rules.throttled ?? { status: 429, body: {} });
      if (fault === 'failure') return send(response, { status: 503, body: {} });
      if (isDelivery) platform.calls.push(call);
      const intercepted = isDelivery ? platform.intercept?.(call) : undefined;
      if (intercepted) return send(response, intercepted);
      const reply = rules.respond(call, platform, clock());
      if (fault === 'lost answer') return request.socket.destroy();
      // The client gives up first; its connection is closed then.
      if (fault === 'time-out') return;
      send(response, fault === 'failure after processing' ? { status: 500, body: {} } : reply);
    });
  });
  const send = (response: http.ServerResponse, { status, body }: Reply) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const platform: FakePlatform = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ledger: [],
    index: new Map(),
    calls: [],
    faults: [],
    refusesCredentials: false,
    bad: new Set(),
    intercept: undefined,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return platform;
}

/** Counts an event unless one with its id was counted within a window. */
export function countOnce(
  { ledger, index }: FakePlatform,
  event: Omit<Counted, 'receivedAt' | 'isRetracted'>,
  now: number,
  windowHours: number,
): void {
  const key = `${event.target} ${event.id}`;
  const known = index.get(key);
  if (known !== undefined && known.receivedAt >= now - windowHours * 3_600_000) return;
  const counted = { ...event, receivedAt: now, isRetracted: false };
  index.set(key, counted);
  ledger.push(counted);
}

export const SHA256 = /^[0-9a-f]{64}$/;
export const DAY_MS = 86_400_000;

/** What is wrong with a time: too old or ahead. */
export function timeFault(ms: number, now: number, maxAgeDays: number): string | undefined {
  if (!Number.isFinite(ms)) return 'the time is unreadable';
  if (ms > now + 60_000) return 'the time is in the future';
  return now - ms > maxAgeDays * DAY_MS ? 'the event is too old' : undefined;
}
