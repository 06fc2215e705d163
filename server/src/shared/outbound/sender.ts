import type { Agent, AgentOptions, ClientRequest } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { http } from '../http/node-http.ts';
import { currentWork } from '../postgres/work.ts';
import { redactSecrets } from '../redact.ts';
import { hostOf } from './check-url.ts';
import type { MayConnect } from './connect-policy.ts';
import { ADDRESS_NOT_ALLOWED, failureReason, ResponseTooLarge, statusFailure } from './failure-reason.ts';
import { guardedLookup, type Resolve, resolveHost } from './guarded-lookup.ts';

/** The result of an attempt. */
export interface Outcome {
  /** HTTP status; null without a response. */
  status: number | null;
  /** Null if it was delivered; else a code, optionally followed by `: ` and an explanation. */
  error: string | null;
  /** The body, as far as `keeps` says; null if it is empty. */
  response: string | null;
  /** The whole body, if it is kept. */
  bytes?: Buffer;
  ms: number;
  retryAfter: string | undefined;
  /** The cookies that the response sets, if any. */
  setCookie?: string[];
}

export interface SenderOptions {
  mayConnect: MayConnect;
  resolve?: Resolve;
  /** For the whole attempt: DNS lookup, connection, request and response. */
  timeoutMs?: number;
  tls?: https.AgentOptions;
  /** Which bodies an outcome has: by default the start of those that are no success; `bytes`: each as bytes, too, up to 64 MiB. */
  keeps?: 'start of failures' | 'all' | 'bytes';
  /**
   * Whether a request is sent again when the host closed an idle connection as it was sent. It is safe unless the host may
   * process a request whose connection it closes.
   */
  retriesStale?: boolean;
}

const TIMEOUT_MS = 15_000;
/** A response is read up to this size, so that its connection can be reused; then the connection is closed. */
const MAX_RESPONSE_BYTES = 65_536;
const MAX_KEPT_BYTES = 4 * 1_048_576;
const MAX_BYTES = 64 * 1_048_576;
/** More informational responses (1xx) than this are an attack. */
const MAX_INFORMATIONAL = 20;
const MAX_HEADER_BYTES = 16_384;
const MAX_STORED_CHARACTERS = 1_000;
const MAX_STORED_BYTES = 4 * MAX_STORED_CHARACTERS;
/** Shorter than the keep-alive timeout of common servers. */
const IDLE_MS = 4_000;
const MAX_IDLE_PER_HOST = 64;

/** Sends requests over keep-alive connections, only to allowed addresses, without following redirects. */
export class Sender {
  readonly #mayConnect: MayConnect;
  readonly #timeoutMs: number;
  readonly #keepsAll: boolean;
  readonly #keepsBytes: boolean;
  readonly #retriesStale: boolean;
  readonly #http: Agent;
  readonly #https: https.Agent;
  readonly #open = new Set<ClientRequest>();

  constructor({ mayConnect, resolve = resolveHost, timeoutMs = TIMEOUT_MS, tls = {}, ...options }: SenderOptions) {
    this.#mayConnect = mayConnect;
    this.#timeoutMs = timeoutMs;
    this.#keepsBytes = options.keeps === 'bytes';
    this.#keepsAll = options.keeps === 'all' || this.#keepsBytes;
    this.#retriesStale = options.retriesStale ?? true;
    const lookup = guardedLookup(resolve, mayConnect);
    const agent = { keepAlive: true, maxFreeSockets: MAX_IDLE_PER_HOST, timeout: IDLE_MS, lookup };
    this.#http = new http.Agent(agent as AgentOptions);
    this.#https = new https.Agent({ ...agent, ...tls } as https.AgentOptions);
  }

  /** Makes one attempt. A failure is an outcome. @throws RefusedError if the request that sends has been refused */
  async send(
    url: URL,
    headers: Record<string, string>,
    body: string,
    method = 'POST',
    timeoutMs = this.#timeoutMs,
  ): Promise<Outcome> {
    const startedAt = performance.now();
    const host = hostOf(url);
    // Node does not call `lookup` for an IP address.
    if (isIP(host) !== 0 && !this.#mayConnect(host)) {
      return { status: null, error: ADDRESS_NOT_ALLOWED, response: null, ms: 0, retryAfter: undefined };
    }
    const unsendable = Object.entries(headers).find((header) => !isSendable(...header))?.[0];
    if (unsendable !== undefined) {
      const error = `invalid_header: ${unsendable}`;
      return { status: null, error, response: null, ms: 0, retryAfter: undefined };
    }
    if (method !== 'GET') currentWork()?.beforeCommit([method]);
    const deadline = startedAt + timeoutMs;
    const message = { method, headers, body };
    let attempt = await this.#request(url, host, message, deadline);
    // The endpoint closed an idle connection while the request was sent on it, and cannot have processed the request.
    while (attempt.isStale && this.#retriesStale) attempt = await this.#request(url, host, message, deadline);
    const { isStale: _, ...outcome } = attempt;
    return { ...outcome, ms: Math.round(performance.now() - startedAt) };
  }

  /** Aborts all attempts. */
  close(): void {
    for (const request of this.#open) request.destroy(new Error('the service is stopping'));
    this.#http.destroy();
    this.#https.destroy();
  }

  #request(
    url: URL,
    host: string,
    { method, headers, body }: { method: string; headers: Record<string, string>; body: string },
    deadline: number,
  ): Promise<Omit<Outcome, 'ms'> & { isStale: boolean }> {
    return new Promise((resolve) => {
      let status: number | null = null;
      let retryAfter: string | undefined;
      let setCookie: string[] | undefined;
      const stored: Buffer[] = [];
      const isTls = url.protocol === 'https:';
      const request = (isTls ? https : http).request({
        agent: isTls ? this.#https : this.#http,
        method,
        hostname: host,
        port: url.port,
        path: url.pathname + url.search,
        headers: method === 'GET' ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
        maxHeaderSize: MAX_HEADER_BYTES,
        ...(isTls && isIP(host) === 0 && { servername: host }),
      });
      const finish = (error: string | null, isStale = false) => {
        clearTimeout(timer);
        this.#open.delete(request);
        const text = textOf(stored, this.#keepsAll && !this.#keepsBytes ? MAX_KEPT_BYTES : MAX_STORED_CHARACTERS);
        const response = this.#keepsAll || text === null ? text : redactSecrets(text);
        const bytes = this.#keepsBytes && { bytes: Buffer.concat(stored) };
        const more = { ...bytes, ...(setCookie && { setCookie }) };
        resolve({ status, error: error ?? statusFailure(status), response, ...more, retryAfter, isStale });
      };
      const timer = setTimeout(() => {
        finish('timeout');
        request.destroy();
      }, deadline - performance.now());
      this.#open.add(request);

      let informational = 0;
      request.on('information', () => {
        if (++informational > MAX_INFORMATIONAL) request.destroy(new ResponseTooLarge());
      });
      request.once('response', (response) => {
        status = response.statusCode ?? null;
        retryAfter = response.headers['retry-after'];
        setCookie = response.headers['set-cookie'];
        let bytes = 0;
        const isStored = this.#keepsAll || statusFailure(status) !== null;
        const most = this.#keepsBytes ? MAX_BYTES : MAX_KEPT_BYTES;
        const [maxStored, maxRead] = this.#keepsAll ? [most, most] : [MAX_STORED_BYTES, MAX_RESPONSE_BYTES];
        response.on('data', (chunk: Buffer) => {
          if (isStored && bytes < maxStored) stored.push(chunk);
          bytes += chunk.length;
          if (bytes < maxRead) return;
          finish(null);
          response.destroy();
        });
        response.once('end', () => finish(null));
        response.on('error', (error) => finish(failureReason(error)));
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        const wasClosed = error.code === 'ECONNRESET' || error.code === 'EPIPE';
        finish(failureReason(error), request.reusedSocket && status === null && wasClosed);
      });
      request.end(method === 'GET' ? undefined : body);
    });
  }
}

/** A header may contain a credential, and so whatever somebody pasted. */
function isSendable(name: string, value: string): boolean {
  try {
    http.validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

/** The start of a response as text that PostgreSQL can store. */
function textOf(stored: Buffer[], characters: number): string | null {
  const text = Buffer.concat(stored)
    .subarray(0, 4 * characters)
    .toString()
    .replaceAll('\0', '');
  return text.slice(0, characters).toWellFormed() || null;
}
