import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import { after } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { type Account, type TestService, testService } from '../../test/harness.ts';

export interface Received {
  path: string;
  headers: Record<string, string>;
  /** As it came. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into payloads of every kind, and fails where they differ
  body: any;
}

export interface Receiver {
  url: string;
  port: number;
  received: Received[];
  /** How many connections were made to it. */
  connections: number;
  /** How it answers from now on; 200 with nothing at first. */
  answer: (response: http.ServerResponse, received: Received) => void;
}

/** A real receiver over a real socket, closed when the test file is done. */
export async function startReceiver(make: typeof http.createServer = http.createServer): Promise<Receiver> {
  const server = make((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const headers = request.headers as Record<string, string>;
      const received: Received = { path: request.url ?? '', headers, text, body: JSON.parse(text) };
      receiver.received.push(received);
      receiver.answer(response, received);
    });
  });
  const port = await listen(server);
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received: [],
    connections: 0,
    answer: (response) => response.end(),
  };
  server.on('connection', () => receiver.connections++);
  return receiver;
}

/** Listens on a free port; all connections end when the test file is done. */
export async function listen(server: NetServer): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** A service that may push to this machine, its workers at work. */
export async function pushingService(env: Record<string, string> = {}): Promise<TestService> {
  const service = await testService({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1', ...env });
  for (const worker of service.workers) worker.start();
  return service;
}

export async function newWebhook(service: TestService, as: Account, url: string, more: Record<string, unknown> = {}) {
  const { status, body } = await service.call('POST /v1/webhooks', { as, body: { url, ...more } });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body as { id: string; secret: string };
}

/** The payload, verified by the library of Standard Webhooks. @throws where it does not hold */
export function verified(secret: string, { text, headers }: Received): unknown {
  return new StandardWebhook(secret).verify(text, headers);
}
