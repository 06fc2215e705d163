import type { ClientRequest, IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { badRequest, invalid } from '../../shared/errors.ts';
import { http } from '../../shared/http/node-http.ts';
import { checkUrl, hostOf } from '../../shared/outbound/check-url.ts';
import type { MayConnect } from '../../shared/outbound/connect-policy.ts';
import { ADDRESS_NOT_ALLOWED, failureReason, statusFailure } from '../../shared/outbound/failure-reason.ts';
import { guardedLookup, resolveHost } from '../../shared/outbound/guarded-lookup.ts';
import type { SentFile } from './receive-file.ts';

/** How long a server may take. */
export interface FetchPatience {
  /** Until its headers. */
  headersMs: number;
  /** It has to send `bytes` in each `ms`, so that a slow one ends soon and a large file may take long. */
  pace: { bytes: number; ms: number };
  totalMs: number;
}

const PATIENCE: FetchPatience = { headersMs: 15_000, pace: { bytes: 160_000, ms: 10_000 }, totalMs: 300_000 };
const MAX_REDIRECTS = 5;
const MAX_HEADER_BYTES = 16_384;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** The response for a file, whose content is not read yet. */
interface FetchedFile extends SentFile {
  response: IncomingMessage;
}

/**
 * Requests a file from an allowed address. Redirects are followed, each to an address that is allowed, too.
 * @param signal ends the request and the reading of the response
 * @throws ApiError 400 `url_invalid`, `url_credentials`, `url_not_public`, `url_fetch_failed`
 */
export async function fetchFile(
  text: string,
  mayConnect: MayConnect,
  signal: AbortSignal,
  patience: FetchPatience = PATIENCE,
): Promise<FetchedFile> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(patience.totalMs)]);
  let target = text;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const faults = checkUrl(target, mayConnect);
    if (faults.length > 0) throw invalid(faults);
    const url = new URL(target);
    const response = await request(url, mayConnect, limit, patience.headersMs);
    const { statusCode = 0, headers } = response;
    if (REDIRECTS.has(statusCode) && headers.location !== undefined && URL.canParse(headers.location, url)) {
      response.destroy();
      target = new URL(headers.location, url).href;
      continue;
    }
    const failure = statusFailure(statusCode);
    if (failure !== null) {
      response.destroy();
      throw failed(`it answered ${statusCode}`);
    }
    keepPace(response, patience.pace);
    return { response, name: nameOf(url, headers['content-disposition']), mediaType: headers['content-type'] ?? '' };
  }
  throw failed(`it redirected more than ${MAX_REDIRECTS} times`);
}

/** Ends a response that arrives too slowly. */
function keepPace(response: IncomingMessage, { bytes, ms }: FetchPatience['pace']): void {
  let before = response.socket.bytesRead;
  const timer = setInterval(() => {
    const { bytesRead } = response.socket;
    // The rest of it waits to be written, which is not the fault of the server.
    const isBehind = response.readableLength > 0;
    if (bytesRead - before < bytes && !isBehind && !response.complete) {
      response.destroy(failed('the server sends it too slowly'));
    }
    before = bytesRead;
  }, ms);
  response.once('close', () => clearInterval(timer));
}

function request(url: URL, mayConnect: MayConnect, signal: AbortSignal, headersMs: number): Promise<IncomingMessage> {
  const host = hostOf(url);
  // Node does not call `lookup` for an IP address.
  if (isIP(host) !== 0 && !mayConnect(host)) throw failed(ADDRESS_NOT_ALLOWED);
  const isTls = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = (isTls ? https : http).request({
      hostname: host,
      port: url.port,
      path: url.pathname + url.search,
      headers: { 'user-agent': 'Headwater', accept: '*/*', 'accept-encoding': 'identity' },
      maxHeaderSize: MAX_HEADER_BYTES,
      lookup: guardedLookup(resolveHost, mayConnect),
      signal,
      ...(isTls && isIP(host) === 0 && { servername: host }),
    });
    const late = setTimeout(() => sent.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })), headersMs);
    sent.once('response', resolve);
    sent.on('error', (error) => reject(failed(failureReason(error))));
    for (const end of ['response', 'close']) sent.once(end, () => clearTimeout(late));
    sent.end();
  });
}

/** The file name that the server suggests, or the last part of the path. */
function nameOf(url: URL, disposition = ''): string {
  const encoded = /filename\*=(?:utf-8)?''([^;]+)/i.exec(disposition)?.[1];
  const plain = /filename="?([^";]+)/i.exec(disposition)?.[1];
  return decoded(encoded) ?? plain ?? decoded(url.pathname.split('/').at(-1)) ?? '';
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text && decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param reason after "because" */
export const failed = (reason: string) => badRequest('url_fetch_failed', `The file could not be fetched: ${reason}.`);
