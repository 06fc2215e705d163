import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { atEnd } from '../../test/at-end.ts';
import { type Account, type TestService, testService } from '../../test/harness.ts';

export interface Received {
  path: string;
  headers: Record<string, string>;
  /** The body as received. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read payloads of every topic
  body: any;
}

export interface Receiver {
  url: string;
  port: number;
  received: Received[];
  /** Connections accepted so far. */
  connections: number;
  /** Responds to a request; by default with an empty 200. */
  respond: (response: http.ServerResponse, received: Received) => void;
}

/** A receiver on a real socket, closed at the end of the test file. */
export async function startReceiver(make: typeof http.createServer = http.createServer): Promise<Receiver> {
  const server = make((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const headers = request.headers as Record<string, string>;
      const received: Received = { path: request.url ?? '', headers, text, body: JSON.parse(text) };
      receiver.received.push(received);
      receiver.respond(response, received);
    });
  });
  const port = await listen(server);
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received: [],
    connections: 0,
    respond: (response) => response.end(),
  };
  server.on('connection', () => receiver.connections++);
  return receiver;
}

/** Listens on a free port. Closes all connections at the end of the test file. */
export async function listen(server: NetServer): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** A service with running workers, which may send webhooks to this machine. */
export async function deliveringService(env: Record<string, string> = {}): Promise<TestService> {
  const service = await testService({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1', ...env });
  for (const worker of service.workers) worker.start();
  return service;
}

export async function newWebhook(service: TestService, as: Account, url: string, more: Record<string, unknown> = {}) {
  const { status, body } = await service.call('POST /v1/webhooks', { as, body: { url, ...more } });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body as { id: string; secret: string };
}

/** The payload, verified with the Standard Webhooks library. @throws if the signature is invalid */
export function verified(secret: string, { text, headers }: Received): unknown {
  return new StandardWebhook(secret).verify(text, headers);
}
