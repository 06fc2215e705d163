import { once } from 'node:events';
import { createServer } from 'node:net';
import type { FastifyListenOptions } from 'fastify';
import type { App } from './server.ts';

const SOCKETS = 16;

/**
 * Listens on one port by several sockets. In a turn of the event loop Node accepts one connection of each, so by a single one the
 * visitors of a busy service would wait for seconds, while what came over open connections is responded to.
 */
export async function listen(app: App, options: FastifyListenOptions): Promise<void> {
  if (process.platform !== 'linux') {
    await app.listen(options);
    return;
  }
  // Another process of the same user could otherwise take a part of the connections.
  const alone = createServer().listen(options);
  await once(alone, 'listening');
  await new Promise((resolve) => alone.close(resolve));
  await app.listen({ ...options, reusePort: true } as FastifyListenOptions);
  const { server, drain } = app;
  const { address, port } = server.address() as { address: string; port: number };
  for (let i = 1; i < SOCKETS; i++) {
    const more = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
    more.maxConnections = server.maxConnections;
    more.listen({ ...options, host: address, port, reusePort: true });
    await once(more, 'listening');
    for (const event of ['drop', 'error']) more.on(event, (...details) => server.emit(event, ...details));
    drain.listeners.push(more);
  }
}
