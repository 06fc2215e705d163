import { connectionError, errorOfResponse, type HeadwaterError } from './error.ts';
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
  onResponse: ((response: ResponseInfo) => void) | undefined;
}

/** A response of the service, besides its body. */
export interface ResponseInfo {
  status: number;
  headers: Headers;
  /** Quote it when you report a problem. */
  requestId: string | undefined;
}

/** A complete HTTP response. */
export interface Incoming {
  status: number;
  headers: Headers;
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
      const { status, headers } = response;
      request.onResponse?.({ status, headers, requestId: headers.get('x-request-id') ?? undefined });
      if (response.status >= 200 && response.status < 300) {
        // Not lines of JSON (`application/x-ndjson`).
        return /[/+]json\b/.test(headers.get('content-type') ?? '') ? parse(await response.body.text()) : response.body;
      }
      error = errorOfResponse(status, await response.body.text(), headers);
      retryAfter = headers.get('retry-after');
    } catch (cause) {
      request.signal?.throwIfAborted();
      error = connectionError(cause);
    }
    const delay = retryDelay({ status: error.status, retryAfter }, attempt, request.isRepeatable, policy);
    if (delay === undefined) throw error;
    await sleep(delay, request.signal);
  }
}
