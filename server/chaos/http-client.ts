import http from 'node:http';

/** The dashboard's host in tests, whatever the port: see `dashboardHeaders`. */
const HOST = 'headwater.test';

export interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer | undefined;
  /** Over a connection of its own. */
  isNew?: boolean;
  /** Of connections that others do not use up. */
  agent?: http.Agent;
}

export interface Received {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

const sharedAgent = new http.Agent({ keepAlive: true, maxSockets: 256 });

/** Sends a request by a kept-alive connection. A connection that the service closed while it was idle is no failure. */
export async function send(port: number, sent: Sent): Promise<Received> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await sendOnce(port, sent);
    } catch (error) {
      const { code, reused } = error as { code?: string; reused?: boolean };
      if (!reused || attempt === 3 || (code !== 'ECONNRESET' && code !== 'EPIPE')) throw error;
    }
  }
}

function sendOnce(
  port: number,
  { method, path, headers = {}, body, isNew = false, agent = sharedAgent }: Sent,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const request = http.request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: isNew ? false : agent,
        headers: { host: HOST, ...length, ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      },
    );
    request.on('error', (error) => reject(Object.assign(error, { reused: request.reusedSocket })));
    request.end(body);
  });
}
