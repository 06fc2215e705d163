/** Clients that send requests in rotation from a process of their own, each its next one after the response, until it is told to stop. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { atEnd } from '../../test/at-end.ts';
import type { Sent } from '../http-client.ts';

export interface ClientsPlan {
  port: number;
  clients: number;
  requests: Sent[];
  /** A text in URLs and bodies that is replaced by the number of the request. */
  unique: string;
  /** After so long a client gives up and sends its next request. */
  patienceMs: number;
}

/** Responses by status; 0: none, or given up. */
export type Statuses = Record<number, number>;

/** Starts the clients; the function that is returned ends them. */
export function startClients(plan: ClientsPlan): () => Promise<Statuses> {
  const child = fork(import.meta.filename, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  atEnd(() => child.kill('SIGKILL'));
  child.send(plan);
  return async () => {
    const result = once(child, 'message');
    child.send('stop');
    return (await result)[0] as Statuses;
  };
}

function run({ port, clients, requests, unique, patienceMs }: ClientsPlan): () => Statuses {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const statuses: Statuses = {};
  let next = 0;
  let isOver = false;

  const one = (n: number) =>
    new Promise<number>((resolve) => {
      const { method, path, headers = {}, body } = requests[n % requests.length] as Sent;
      const numbered = (text: string) => text.replaceAll(unique, String(n));
      const content = typeof body === 'string' ? numbered(body) : body;
      const length = content === undefined ? {} : { 'content-length': Buffer.byteLength(content) };
      const sent = request(
        { host: '127.0.0.1', port, method, path: numbered(path), agent, headers: { ...headers, ...length } },
        (response) => {
          response.on('error', () => resolve(0)).resume();
          response.on('end', () => resolve(response.statusCode ?? 0));
        },
      );
      const timer = setTimeout(() => sent.destroy(), patienceMs);
      sent
        .on('error', () => resolve(0))
        .on('close', () => {
          clearTimeout(timer);
          resolve(0);
        });
      sent.end(content);
    });

  for (let i = 0; i < clients; i++) {
    void (async () => {
      while (!isOver) {
        const status = await one(next++);
        statuses[status] = (statuses[status] ?? 0) + 1;
        // A client whose connection is refused at once would do nothing else.
        if (status === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
  }
  return () => {
    isOver = true;
    agent.destroy();
    return statuses;
  };
}

if (process.send && process.argv[1] === import.meta.filename) {
  let stop: (() => Statuses) | undefined;
  process.on('message', (message) => {
    if (message !== 'stop') stop = run(message as ClientsPlan);
    else process.send?.(stop?.(), () => process.exit());
  });
}
