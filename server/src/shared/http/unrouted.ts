import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError, badRequest } from '../errors.ts';
import { newUuid, publicId } from '../ids.ts';
import { API_SECURITY, problemBody, toApiError } from './problem.ts';

/** Returns the errors of the contract for what Node would refuse by itself before there is a request to route. */
export function respondUnrouted(server: Server, lingerMs: number): void {
  // Node handles `Expect: 100-continue`; it would refuse any other expectation with a bare 417.
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const { headers, body } = render(
      badRequest('expectation_unsupported', 'Only "Expect: 100-continue" is supported.'),
    );
    response.writeHead(400, headers).end(body);
  });
  // Without a listener Node closes the connection. The service is not a proxy.
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    const headers = { allow: '' };
    respondAndClose(
      socket,
      new ApiError(405, 'method_not_allowed', 'CONNECT is not supported.', { headers }),
      lingerMs,
    );
  });
}

/** Responds to what is not HTTP, or too slow or too large to become a request. */
export function respondClientError(cause: Error, socket: Duplex, lingerMs: number): void {
  const { code } = cause as { code?: string };
  // A connection that was opened in advance stays as long as any other idle one: an error in response to nothing would be
  // taken for the response to its first request, and thousands that are replaced all the time take more memory.
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && (socket as Socket).bytesRead === 0) return;
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const known = toApiError(cause);
  const error = known.status === 400 ? known : badRequest('request_malformed', 'The request is malformed.');
  // A response to HEAD has no body, which the client would take for the start of another response.
  const { rawPacket } = cause as { rawPacket?: Buffer };
  const isHead = rawPacket?.subarray(0, 5).toString('latin1') === 'HEAD ';
  afterResponses(socket, () => respondAndClose(socket, error, lingerMs, !isHead));
}

/**
 * Waits for the responses of earlier requests on this connection, since responses keep their order. The request whose own
 * incomplete body is the error is not waited for: the error is its response.
 */
function afterResponses(socket: Duplex, respond: () => void): void {
  const { _httpMessage: current } = socket as { _httpMessage?: ServerResponse };
  if (!current) {
    respond();
  } else if (current.req.complete) {
    current.once('close', () => setImmediate(afterResponses, socket, respond));
  } else if (current.headersSent) {
    socket.destroy();
  } else {
    respond();
  }
}

/** Keeps reading for a while: closing over unread data would reset the connection, and lose the response. */
function respondAndClose(socket: Duplex, error: ApiError, lingerMs: number, hasBody = true): void {
  if (!socket.writable) return;
  const { status, title, headers, body } = render(error);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${lines.join('')}\r\n${hasBody ? body : ''}`);
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
    ...API_SECURITY,
    connection: 'close',
    ...error.headers,
  };
  return { status: error.status, title: problem.title, headers, body };
}
