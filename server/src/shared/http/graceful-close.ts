import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const LOOK_MS = 50;

/**
 * Makes `server.close()` end each connection as soon as what is under way on it is answered.
 *
 * Node's own looks once, so that a connection whose request ends later stays open until its keep-alive time is over, and
 * it takes an answer for sent when it was handed over, so that it cuts a long one off.
 */
export function closeGracefully(server: Server): void {
  const sockets = new Set<Socket & { _httpMessage?: object | null }>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.closeIdleConnections = () => {
    for (const socket of sockets) if (!socket._httpMessage) socket.destroySoon();
  };
  const close = server.close;
  server.close = (done) => {
    const look = setInterval(() => server.closeIdleConnections(), LOOK_MS);
    server.once('close', () => clearInterval(look));
    if (!server.listening) clearInterval(look);
    return close.call(server, done);
  };
}
