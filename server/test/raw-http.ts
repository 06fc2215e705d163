import net from 'node:net';

/** Requests as raw bytes, for what no HTTP client sends. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape, and fails where they differ
  body: any;
}

/** Sends the bytes and reads until the server closes the connection or `count` responses are complete. */
export function exchange(port: number, bytes: string | Buffer, count = Number.POSITIVE_INFINITY): Promise<RawAnswer[]> {
  // A response to HEAD has a content length and no body.
  const read = (received: Buffer) => readAnswers(received, !String(bytes).startsWith('HEAD '));
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1' });
    let received = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (read(received).length >= count) socket.destroy();
    });
    // The server may reset the connection after a complete response to stop an unwanted body.
    socket.on('error', (error) => (read(received).length > 0 ? undefined : reject(error)));
    socket.on('close', () => resolve(read(received)));
    socket.write(bytes);
  });
}

/** A request with the required headers; the connection is closed after it. */
export function rawRequest(line: string, headers: Record<string, string> = {}, body = ''): string {
  const all: Record<string, string> = {
    host: 'headwater.test',
    connection: 'close',
    ...(body !== '' && { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

function readAnswers(bytes: Buffer, withBodies: boolean): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return answers;
    const [first = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const colon = line.indexOf(':');
      headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
    }
    const length = withBodies ? Number(headers['content-length'] ?? 0) : 0;
    const body = rest.subarray(end + 4, end + 4 + length).toString('utf8');
    if (Buffer.byteLength(body) < length) return answers;
    const isJson = headers['content-type']?.includes('json') && body !== '';
    answers.push({ status: Number(first.split(' ')[1]), headers, body: isJson ? JSON.parse(body) : body });
    rest = rest.subarray(end + 4 + length);
  }
}
