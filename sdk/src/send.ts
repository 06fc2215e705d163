import { errorOfAnswer, HeadwaterError } from './error.ts';
import { pauseBeforeRetry, type RetryPolicy, sleep } from './retry.ts';

/** One HTTP request of an operation, ready to be sent. */
export interface Outgoing {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | FormData | undefined;
  credentials: 'same-origin' | 'omit';
  /** Harmless to repeat, though it may have been carried out. */
  isRepeatable: boolean;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  /** How much of the body has gone out, 0 to 1. */
  onProgress: ((share: number) => void) | undefined;
}

/** An answer, read to its end. */
export interface Incoming {
  status: number;
  header(name: string): string | null;
  contentType: string;
  body: Blob;
}

export type Transport = (request: Outgoing) => Promise<Incoming>;

/**
 * Sends a request until it succeeds or must not be tried again.
 * @returns what the JSON of the answer says, or the answer as a Blob
 * @throws HeadwaterError; the signal's reason where it is aborted
 */
export async function send(request: Outgoing, transport: Transport, policy: RetryPolicy): Promise<unknown> {
  for (let attempt = 0; ; attempt++) {
    let error: HeadwaterError;
    let retryAfter: string | null = null;
    try {
      const answer = await transport(request);
      if (answer.status >= 200 && answer.status < 300) {
        return answer.contentType.includes('json') ? JSON.parse(await answer.body.text()) : answer.body;
      }
      error = errorOfAnswer(answer.status, await answer.body.text(), answer.header('x-request-id'));
      retryAfter = answer.header('retry-after');
    } catch (cause) {
      request.signal?.throwIfAborted();
      error = noAnswer(cause);
    }
    const pause = pauseBeforeRetry({ status: error.status, retryAfter }, attempt, request.isRepeatable, policy);
    if (pause === undefined) throw error;
    await sleep(pause, request.signal);
  }
}

function noAnswer(cause: unknown): HeadwaterError {
  return (cause as Error).name === 'TimeoutError'
    ? new HeadwaterError({ status: 0, code: 'timeout', detail: 'The service did not answer in time.' }, cause)
    : new HeadwaterError({ status: 0, code: 'unreachable', detail: 'The service could not be reached.' }, cause);
}
