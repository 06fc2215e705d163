/** Receives webhooks: responds with 200, or never under /hang; counts those out of order under /ordered. /stats returns their number and delays since the last call. */
import { createServer } from 'node:http';

let count = 0;
let delays: number[] = [];
let disorder = 0;
/** The last sequence of each resource. */
const last = new Map<string, number>();
const hung = new Set<unknown>();

createServer((request, response) => {
  if (request.url === '/stats') {
    delays.sort((a, b) => a - b);
    const p99 = delays[Math.floor(delays.length * 0.99)] ?? 0;
    const p50 = delays[Math.floor(delays.length * 0.5)] ?? 0;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ count, disorder, p50, p99 }));
    count = 0;
    delays = [];
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url?.startsWith('/hang')) return void hung.add(response);
    count++;
    // The payload has the time of the event; all processes share one clock.
    const text = Buffer.concat(chunks).toString('latin1');
    const at = text.indexOf('"timestamp":"') + 13;
    delays.push(Date.now() - Date.parse(text.slice(at, at + 24)));
    if (request.url === '/ordered') {
      const { id, sequence } = JSON.parse(text).data;
      if (sequence !== (last.get(id) ?? 0) + 1) disorder++;
      last.set(id, sequence);
    }
    response.end();
  });
}).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'));
