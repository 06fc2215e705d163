import { lookup, Resolver } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { MayConnect } from './addresses.ts';
import { hostOf } from './check-url.ts';

/** What came of an attempt. */
export interface Outcome {
  /** Of the answer; null where none came. */
  status: number | null;
  /** Null: it was delivered. Else a code, or a code and what explains it. */
  error: string | null;
  /** How the body of an answer begins that is no success; null where there is none. */
  answer: string | null;
  ms: number;
  retryAfter: string | undefined;
}

/** Finds all addresses of a host. */
export type Resolve = (
  host: string,
  done: (error: NodeJS.ErrnoException | null, addresses: { address: string; family: number }[]) => void,
) => void;

export interface SenderOptions {
  mayConnect: MayConnect;
  resolve?: Resolve;
  /** For all of it: looking up, connecting, sending, reading the answer. */
  timeoutMs?: number;
  tls?: https.AgentOptions;
}

const TIMEOUT_MS = 15_000;
/** So much of an answer is read, for the sake of the connection. */
const ANSWER_BYTES = 65_536;
/** So much is kept of one that is no success, for whoever looks why. */
const KEPT_CHARACTERS = 1_000;
const KEPT_BYTES = 4 * KEPT_CHARACTERS;
/** Shorter than what servers commonly keep an idle connection for. */
const IDLE_MS = 4_000;
const IDLE_PER_HOST = 64;

class NotAllowed extends Error {}

/** Posts payloads over kept connections, to addresses that may be connected to, following no redirect. */
export class Sender {
  readonly #mayConnect: MayConnect;
  readonly #timeoutMs: number;
  readonly #http: http.Agent;
  readonly #https: https.Agent;
  readonly #open = new Set<http.ClientRequest>();

  constructor({ mayConnect, resolve = resolveBySystem, timeoutMs = TIMEOUT_MS, tls = {} }: SenderOptions) {
    this.#mayConnect = mayConnect;
    this.#timeoutMs = timeoutMs;
    const options = { keepAlive: true, maxFreeSockets: IDLE_PER_HOST, timeout: IDLE_MS };
    const guarded = guardedLookup(resolve, mayConnect);
    this.#http = new http.Agent({ ...options, lookup: guarded } as http.AgentOptions);
    this.#https = new https.Agent({ ...options, ...tls, lookup: guarded } as https.AgentOptions);
  }

  /** Makes one attempt. Never throws: what goes wrong is the outcome. */
  async send(url: URL, headers: Record<string, string>, body: string): Promise<Outcome> {
    const began = performance.now();
    const ms = () => Math.round(performance.now() - began);
    const host = hostOf(url);
    // An address is not looked up, so the look-up cannot judge it.
    if (isIP(host) !== 0 && !this.#mayConnect(host)) {
      return { status: null, error: NOT_ALLOWED, answer: null, ms: 0, retryAfter: undefined };
    }
    const deadline = began + this.#timeoutMs;
    let made = await this.#request(url, host, headers, body, deadline);
    // A kept connection that the endpoint was just closing: nobody read what was sent on it.
    while (made.stale) made = await this.#request(url, host, headers, body, deadline);
    const { status, error, answer, retryAfter } = made;
    return { status, error: error ?? refusalOf(status), answer, ms: ms(), retryAfter };
  }

  /** Breaks off what is under way. */
  close(): void {
    for (const request of this.#open) request.destroy(new Error('the service stops'));
    this.#http.destroy();
    this.#https.destroy();
  }

  #request(
    url: URL,
    host: string,
    headers: Record<string, string>,
    body: string,
    deadline: number,
  ): Promise<Omit<Outcome, 'ms'> & { stale: boolean }> {
    return new Promise((resolve) => {
      let status: number | null = null;
      let retryAfter: string | undefined;
      const kept: Buffer[] = [];
      const isTls = url.protocol === 'https:';
      const request = (isTls ? https : http).request({
        agent: isTls ? this.#https : this.#http,
        method: 'POST',
        hostname: host,
        port: url.port,
        path: url.pathname + url.search,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        ...(isTls && isIP(host) === 0 && { servername: host }),
      });
      const finish = (error: string | null, stale = false) => {
        clearTimeout(timer);
        this.#open.delete(request);
        resolve({ status, error, answer: beginningOf(kept), retryAfter, stale });
      };
      const timer = setTimeout(() => {
        finish('timeout');
        request.destroy();
      }, deadline - performance.now());
      this.#open.add(request);

      request.once('response', (response) => {
        status = response.statusCode ?? null;
        retryAfter = response.headers['retry-after'];
        let bytes = 0;
        const isKept = refusalOf(status) !== null;
        response.on('data', (chunk: Buffer) => {
          if (isKept && bytes < KEPT_BYTES) kept.push(chunk);
          bytes += chunk.length;
          if (bytes < ANSWER_BYTES) return;
          finish(null);
          response.destroy();
        });
        response.once('end', () => finish(null));
        response.on('error', (error) => finish(reasonOf(error)));
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        const isStale =
          request.reusedSocket && status === null && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        finish(reasonOf(error), isStale);
      });
      request.end(body);
    });
  }
}

const NOT_ALLOWED = 'address_not_allowed: the address of this host is not a public one';

/** Resolves a host to those of its addresses that may be connected to: what is judged is what is connected to. */
function guardedLookup(resolve: Resolve, mayConnect: MayConnect): LookupFunction {
  return (host, options, done) => {
    resolve(host, (error, addresses) => {
      if (error) return done(error, '');
      const allowed = addresses.filter(({ address }) => mayConnect(address));
      const [first] = allowed;
      if (!first) return done(new NotAllowed(), '');
      if (options.all) return done(null, allowed);
      done(null, first.address, first.family);
    });
  };
}

const DNS = { timeout: 3_000, tries: 2 };

/**
 * Asks the name servers. Not by the system's own look-up, which would keep one of the process's few threads until it has
 * an answer, so that some names whose servers are silent hold up every file: that is asked only for what they do not know
 * and the machine may (its hosts file).
 */
const resolveBySystem: Resolve = (host, done) => {
  const resolver = new Resolver(DNS);
  const found: { address: string; family: number }[] = [];
  let open = 2;
  let failure: NodeJS.ErrnoException | null = null;
  const collect =
    (family: 4 | 6) =>
    (error: NodeJS.ErrnoException | null, addresses: string[] = []) => {
      found.push(...addresses.map((address) => ({ address, family })));
      if (error && error.code !== 'ENODATA') failure = error;
      if (--open > 0) return;
      if (found.length > 0) done(null, found);
      else if (failure?.code === 'ETIMEOUT') done(failure, []);
      else lookup(host, { all: true }, (unknown, addresses) => done(unknown, addresses ?? []));
    };
  resolver.resolve4(host, collect(4));
  resolver.resolve6(host, collect(6));
};

/** What can be stored and shown of the bytes of an answer. */
function beginningOf(kept: Buffer[]): string | null {
  const text = Buffer.concat(kept).subarray(0, KEPT_BYTES).toString().replaceAll('\0', '');
  return text.slice(0, KEPT_CHARACTERS).toWellFormed() || null;
}

function refusalOf(status: number | null): string | null {
  if (status === null) return 'connection_failed';
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return 'redirect: not followed';
  return 'status: not 2xx';
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ENOTFOUND: 'dns_failed: there is no such host',
  EAI_AGAIN: 'dns_failed: the name was not resolved',
  ETIMEOUT: 'dns_failed: the name servers did not answer',
  EHOSTUNREACH: 'host_unreachable',
  ENETUNREACH: 'host_unreachable',
  ETIMEDOUT: 'timeout',
};

/** The reason as it is shown to the endpoint's owner; an address that was resolved is not in it. */
function reasonOf(error: NodeJS.ErrnoException): string {
  if (error instanceof NotAllowed) return NOT_ALLOWED;
  // Every address was tried, and each failed.
  const [first] = error instanceof AggregateError ? (error.errors as NodeJS.ErrnoException[]) : [error];
  const { code = '', message = '' } = first ?? error;
  const known = REASONS[code];
  if (known) return known;
  if (code.startsWith('HPE_')) return 'answer_malformed: no HTTP';
  if (/^(ERR_TLS_|ERR_SSL_|CERT_|SELF_|DEPTH_|UNABLE_|HOSTNAME_|EPROTO)/.test(code)) {
    return `tls_failed: ${code === 'EPROTO' || code.startsWith('ERR_SSL_') ? 'no TLS was agreed on' : message}`;
  }
  return 'connection_failed';
}
