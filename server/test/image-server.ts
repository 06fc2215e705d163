import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PNG } from './furnished-account.ts';

/** With it, a service may fetch from the servers of tests. */
export const LOCAL_FETCHES = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };

const server = createServer((_request, response) => {
  response.setHeader('content-type', 'image/png');
  response.end(PNG);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
// It does not keep the process.
server.unref();

/** A URL at which a picture can be fetched. */
export const IMAGE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/picture.png`;
