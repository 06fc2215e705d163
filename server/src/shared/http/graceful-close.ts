import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const CHECK_MS = 50;

/**
 * Makes `server.close()` end each connection as soon as its requests have been responded to.
 *
 * Node checks only once, so a connection whose request ends later would stay open until its keep-alive time is over, and it
 * considers a response sent when it was handed to the system, which cuts off long ones.
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
    const checking = setInterval(() => server.closeIdleConnections(), CHECK_MS);
    server.once('close', () => clearInterval(checking));
    if (!server.listening) clearInterval(checking);
    return close.call(server, done);
  };
}
