import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, badRequest } from '../errors.ts';
import { newUuid, publicId } from '../ids.ts';
import { problemBody, toApiError } from './problem.ts';

/** Answers in the contract's words what Node would otherwise refuse by itself, before there is a request to route. */
export function answerUnrouted(server: Server, lingerMs: number): void {
  // `Expect: 100-continue` is answered by Node; any other expectation would get its bare 417.
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const { headers, body } = render(
      badRequest('expectation_unsupported', 'Only "Expect: 100-continue" is supported.'),
    );
    response.writeHead(400, headers).end(body);
  });
  // Without a listener Node hangs up on it. The service is no proxy, under any address.
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    const headers = { allow: '' };
    sayAndClose(
      socket,
      new ApiError(405, 'method_not_allowed', 'CONNECT is not possible here.', { headers }),
      lingerMs,
    );
  });
}

/** What is not HTTP, or too slow or too large to become a request. */
export function answerClientError(cause: Error, socket: Duplex, lingerMs: number): void {
  if (!socket.writable || (cause as { code?: string }).code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const known = toApiError(cause);
  const error = known.status === 400 ? known : badRequest('request_malformed', 'The request is malformed.');
  whenAnswered(socket, () => sayAndClose(socket, error, lingerMs));
}

/**
 * Waits until the requests that came before on this connection are answered, for answers go in order. The request which
 * is itself what went wrong (its body is not complete) is not waited for: the error is its answer.
 */
function whenAnswered(socket: Duplex, answer: () => void): void {
  const { _httpMessage: current } = socket as { _httpMessage?: ServerResponse };
  if (!current) {
    answer();
  } else if (current.req.complete) {
    current.once('close', () => setImmediate(whenAnswered, socket, answer));
  } else if (current.headersSent) {
    socket.destroy();
  } else {
    answer();
  }
}

/** Reads on for a while after the answer: closing over unread data resets the connection, and the answer with it. */
function sayAndClose(socket: Duplex, error: ApiError, lingerMs: number): void {
  if (!socket.writable) return;
  const { status, title, headers, body } = render(error);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${lines.join('')}\r\n${body}`);
  socket.removeAllListeners('data');
  socket.on('data', () => {});
  socket.resume();
  const late = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(late));
}

function render(error: ApiError) {
  const requestId = publicId('req', newUuid());
  const problem = problemBody(error, requestId);
  const body = JSON.stringify(problem);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    connection: 'close',
    ...error.headers,
  };
  return { status: error.status, title: problem.title, headers, body };
}
