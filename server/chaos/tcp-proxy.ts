import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { atEnd } from '../test/at-end.ts';

export interface TcpProxy {
  port: number;
  /** From now on no byte passes, in either direction, and nothing is closed, like a network that drops packets. */
  block(): void;
  /** Lets everything pass that was held back. */
  unblock(): void;
}

/**
 * A TCP proxy. Each connection goes to the first server that accepts it.
 * @param targets the servers for the next connection, in order of preference
 */
export async function startTcpProxy(targets: () => NetConnectOpts[]): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let unblocked = Promise.resolve();
  let unblock = () => {};
  let isBlocked = false;

  const keep = (socket: Socket, peer: Socket) => {
    sockets.add(socket);
    socket.on('error', () => peer.destroy());
    socket.once('close', () => {
      sockets.delete(socket);
      // What was received before is sent first.
      peer.destroySoon();
    });
    if (isBlocked) socket.pause();
  };

  async function open(client: Socket): Promise<void> {
    await unblocked;
    for (const target of targets()) {
      const server = connect({ noDelay: true, allowHalfOpen: true, ...target } as NetConnectOpts);
      const isOpen = await new Promise<boolean>((resolve) => {
        server.once('connect', () => resolve(true)).once('error', () => resolve(false));
      });
      if (!isOpen) continue;
      if (client.destroyed) return void server.destroy();
      client.pipe(server);
      server.pipe(client);
      keep(client, server);
      keep(server, client);
      return;
    }
    client.destroy();
  }

  const listener = createServer({ noDelay: true, allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    client.on('error', () => {});
    void open(client);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  atEnd(() => {
    listener.close();
    unblock();
    for (const socket of sockets) socket.destroy();
  });
  return {
    port: (listener.address() as AddressInfo).port,
    block() {
      isBlocked = true;
      unblocked = new Promise((resolve) => {
        unblock = resolve;
      });
      for (const socket of sockets) socket.pause();
    },
    unblock() {
      isBlocked = false;
      unblock();
      for (const socket of sockets) socket.resume();
    },
  };
}
