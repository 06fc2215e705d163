/** The limit of what a request can cost: a bare node:http server that parses the same body and answers. */
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const answer = JSON.stringify({ success: body !== null, event_id: 'evt_01m7w9e60ee9famqj7283tbv2b' });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer);
  });
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => console.log('listening'));
