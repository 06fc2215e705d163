/** Takes webhooks and answers 200, or, under /hang, never; prints how many it had and how late, when asked on /stats. */
import { createServer } from 'node:http';

let count = 0;
let delays: number[] = [];
const hung = new Set<unknown>();

createServer((request, response) => {
  if (request.url === '/stats') {
    delays.sort((a, b) => a - b);
    const p99 = delays[Math.floor(delays.length * 0.99)] ?? 0;
    const p50 = delays[Math.floor(delays.length * 0.5)] ?? 0;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ count, p50, p99 }));
    count = 0;
    delays = [];
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url?.startsWith('/hang')) return void hung.add(response);
    count++;
    // When it was recorded, out of the payload; every process is on one machine, by one clock.
    const text = Buffer.concat(chunks).toString('latin1');
    const at = text.indexOf('"timestamp":"') + 13;
    delays.push(Date.now() - Date.parse(text.slice(at, at + 24)));
    response.end();
  });
}).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'));
