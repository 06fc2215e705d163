import { connectionError, errorOfResponse, HeadwaterError } from './error.ts';
import type { AssetValue } from './generated.ts';
import { RETRY, type RetryPolicy, retryDelay, sleep } from './retry.ts';

export interface ResumableUploadOptions {
  /** Where uploads are created: `tusUrl` of an upload token, or the URL of your own proxy. */
  url: string;
  /** An upload token; on a server, a secret API token. A proxy adds its own. */
  token?: string | undefined;
  headers?: (() => Record<string, string>) | undefined;
  /** By default that of the `File`. */
  name?: string | undefined;
  /** Bytes of a request, 8 MB by default. */
  chunkBytes?: number | undefined;
  /** Of an upload that was interrupted, such as by a reload of the page: it goes on where it stopped. */
  uploadUrl?: string | undefined;
  /** Called with the URL of a new upload. Store it to continue later. */
  onUploadUrl?: ((uploadUrl: string) => void) | undefined;
  /** Reports the share that the service has received, 0 to 1. */
  onProgress?: ((share: number) => void) | undefined;
  retry?: Partial<RetryPolicy> | undefined;
  signal?: AbortSignal | undefined;
  fetch?: typeof fetch | undefined;
}

const CHUNK_BYTES = 8_000_000;
/** Half a minute in all without any progress. */
const ATTEMPTS = 8;
/** Beside those of all requests: another request has written at the same time, or still holds the upload. */
const RETRIED = [409, 423];

/**
 * Uploads a file in chunks, by tus, and continues after lost connections.
 * @throws HeadwaterError, or the reason of the signal if it is aborted
 */
export async function uploadResumable(file: Blob, options: ResumableUploadOptions): Promise<AssetValue> {
  const { chunkBytes = CHUNK_BYTES, onProgress, signal } = options;
  const policy = { ...RETRY, attempts: ATTEMPTS, ...options.retry };
  const fetcher = options.fetch ?? ((...args) => globalThis.fetch(...args));

  const request = async (method: string, url: string, headers: Record<string, string>, body: Blob | null = null) => {
    let response: Response;
    try {
      response = await fetcher(url, {
        method,
        headers: {
          'tus-resumable': '1.0.0',
          ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
          ...options.headers?.(),
          ...headers,
        },
        body,
        signal: signal ?? null,
      });
    } catch (cause) {
      signal?.throwIfAborted();
      throw connectionError(cause);
    }
    if (!response.ok) throw errorOfResponse(response.status, await response.text(), response.headers);
    return response;
  };

  /** Repeats work until it succeeds. @param recover runs before a repetition */
  const retried = async <T>(work: () => Promise<T>, recover?: () => Promise<void>): Promise<T> => {
    for (let attempt = 0; ; attempt++) {
      try {
        if (attempt > 0) await recover?.();
        return await work();
      } catch (error) {
        const { status, headers } = error as ReturnType<typeof errorOfResponse>;
        if (typeof status !== 'number') throw error;
        const failure = {
          status: RETRIED.includes(status) ? 0 : status,
          retryAfter: headers?.get('retry-after') ?? null,
        };
        const delay = retryDelay(failure, attempt, true, policy);
        if (delay === undefined) throw error;
        await sleep(delay, signal);
      }
    }
  };

  const create = async () => {
    const name = options.name ?? (file instanceof File ? file.name : '');
    const metadata = [
      ['filename', name],
      ['filetype', file.type],
    ].filter(([, value]) => value);
    const headers = {
      'upload-length': String(file.size),
      ...(metadata.length > 0 && {
        'upload-metadata': metadata.map(([key, value = '']) => `${key} ${base64(value)}`).join(),
      }),
    };
    const created = await request('POST', options.url, headers);
    return new URL(headerOf(created, 'location'), created.url || options.url).href;
  };
  const readOffset = async (url: string) => Number(headerOf(await request('HEAD', url, {}), 'upload-offset'));

  const { uploadUrl } = options;
  const url = uploadUrl ?? (await retried(create));
  if (uploadUrl === undefined) options.onUploadUrl?.(url);
  let offset = uploadUrl === undefined ? 0 : await retried(() => readOffset(url));
  for (;;) {
    const sendChunk = () =>
      request(
        'PATCH',
        url,
        { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
        file.slice(offset, offset + chunkBytes),
      );
    const response = await retried(sendChunk, async () => {
      offset = await readOffset(url);
    });
    // The last response, which is that of an ordinary upload. It can be requested again.
    if (response.status === 200) {
      onProgress?.(1);
      return (await response.json()) as AssetValue;
    }
    offset = Number(headerOf(response, 'upload-offset'));
    onProgress?.(offset / file.size);
  }
}

/** @throws HeadwaterError if a proxy has removed the header */
function headerOf({ status, headers }: Response, name: string): string {
  const value = headers.get(name);
  if (value !== null) return value;
  throw new HeadwaterError({ status, code: 'header_missing', detail: `The response has no ${name} header.`, headers });
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
