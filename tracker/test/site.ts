import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

export interface Reply {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  body: string | Buffer;
}

/** A web site with another origin than the service; responses by `path`, without the query. */
export async function openSite(
  answer: (path: string, request: IncomingMessage) => Reply | Promise<Reply>,
): Promise<number> {
  const server = createServer(async (request, response) => {
    const reply = await answer(new URL(request.url ?? '/', 'http://site').pathname, request);
    response.writeHead(reply.status ?? 200, { 'content-type': reply.type ?? 'text/html', ...reply.headers });
    response.end(reply.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

const DOCS = readFileSync(new URL('../../docs/tracking.md', import.meta.url), 'utf8');

/** The snippet of the documentation. */
export function snippet(scriptUrl: string, apiKey: string, settings: object = {}): string {
  const documented = /```html\n(<script>window\.headwater[\s\S]*?)```/.exec(DOCS)?.[1];
  if (!documented) throw new Error('docs/tracking.md has no snippet');
  return documented
    .replace('https://headwater.example/headwater.js', scriptUrl)
    .replace("apiKey:'hw_pk_…'", `...${JSON.stringify({ apiKey, ...settings })}`);
}

export const htmlOf = (head: string, body = ''): string =>
  `<!doctype html><title>Shop</title>${head}<body>${body}</body>`;
