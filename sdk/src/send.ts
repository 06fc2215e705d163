import { errorOfResponse, HeadwaterError } from './error.ts';
import { type RetryPolicy, retryDelay, sleep } from './retry.ts';

/** An HTTP request, ready to send. */
export interface Outgoing {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | FormData | undefined;
  credentials: 'same-origin' | 'omit';
  /** Whether repeating the request is safe even if the first attempt took effect. */
  isRepeatable: boolean;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  /** Reports the share of the body that has been sent, 0 to 1. */
  onProgress: ((share: number) => void) | undefined;
}

/** A complete HTTP response. */
export interface Incoming {
  status: number;
  header(name: string): string | null;
  contentType: string;
  body: Blob;
}

export type Transport = (request: Outgoing) => Promise<Incoming>;

/**
 * Sends a request, and retries it as long as that is safe and useful.
 * @returns the parsed JSON of the response, or a Blob
 * @throws HeadwaterError, or the reason of the signal if it is aborted
 */
export async function send(
  request: Outgoing,
  transport: Transport,
  policy: RetryPolicy,
  parse: (text: string) => unknown,
): Promise<unknown> {
  for (let attempt = 0; ; attempt++) {
    let error: HeadwaterError;
    let retryAfter: string | null = null;
    try {
      const response = await transport(request);
      if (response.status >= 200 && response.status < 300) {
        // Not lines of JSON (`application/x-ndjson`).
        return /[/+]json\b/.test(response.contentType) ? parse(await response.body.text()) : response.body;
      }
      error = errorOfResponse(response.status, await response.body.text(), response.header('x-request-id'));
      retryAfter = response.header('retry-after');
    } catch (cause) {
      request.signal?.throwIfAborted();
      error = connectionError(cause);
    }
    const delay = retryDelay({ status: error.status, retryAfter }, attempt, request.isRepeatable, policy);
    if (delay === undefined) throw error;
    await sleep(delay, request.signal);
  }
}

function connectionError(cause: unknown): HeadwaterError {
  return (cause as Error).name === 'TimeoutError'
    ? new HeadwaterError({ status: 0, code: 'timeout', detail: 'The service did not respond in time.' }, cause)
    : new HeadwaterError({ status: 0, code: 'unreachable', detail: 'The service could not be reached.' }, cause);
}
