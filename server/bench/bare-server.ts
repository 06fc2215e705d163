/** The limit for ingest: a plain node:http server that parses the same body and responds. */
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const result = JSON.stringify({ success: body !== null, event_id: 'evt_01m7w9e60ee9famqj7283tbv2b' });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': result.length }).end(result);
  });
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => console.log('listening'));
