/**
 * Google, Meta and Microsoft as far as a benchmark needs them: accepts everything and counts it. /stats returns the number of
 * conversions by platform since the last call.
 */
import { createServer } from 'node:http';

const counts = { google: 0, meta: 0, microsoft: 0 };

/** How often a member occurs: parsing would cost more than the service's part. */
const countOf = (text: string, member: string) => text.split(`"${member}"`).length - 1;

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString('latin1');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(respond(request.url ?? '', text)));
  });
}).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'));

function respond(url: string, text: string): object {
  if (url.endsWith('/token')) return { access_token: 'token', expires_in: 3600 };
  if (url.endsWith('/events:ingest')) {
    counts.google += countOf(text, 'transactionId');
    return { requestId: 'request' };
  }
  if (url.includes('/requestStatus:retrieve')) {
    return { requestStatusPerDestination: [{ requestStatus: 'SUCCESS' }] };
  }
  if (url.endsWith('/Apply')) {
    counts.microsoft += countOf(text, 'MicrosoftClickId');
    return { PartialErrors: [] };
  }
  if (url.endsWith('/stats')) {
    const seen = { ...counts };
    Object.assign(counts, { google: 0, meta: 0, microsoft: 0 });
    return seen;
  }
  const received = countOf(text, 'event_id');
  counts.meta += received;
  return { events_received: received };
}
