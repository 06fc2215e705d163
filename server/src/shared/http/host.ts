import type { IncomingMessage } from 'node:http';
import { type ApiError, badRequest } from '../errors.ts';

/** The latest valid one: most requests name the same host. */
let latest: string | undefined;

const HOST = /^(?:[\w.-]*|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * What is wrong with the `Host` of a request. A proxy and the service could understand an ambiguous one differently.
 * @returns an error 400 `host_missing` or `host_invalid`
 */
export function hostFault({ headers, rawHeaders, httpVersion }: IncomingMessage): ApiError | undefined {
  const { host } = headers;
  if (host === undefined) {
    return httpVersion === '1.1'
      ? badRequest('host_missing', 'An HTTP/1.1 request must have a Host header.')
      : undefined;
  }
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') count++;
  }
  if (count <= 1 && (host === latest || HOST.test(host))) {
    latest = host;
    return undefined;
  }
  return badRequest('host_invalid', 'Send a single Host header with a host name and, optionally, a port.');
}
