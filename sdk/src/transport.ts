import type { Incoming, Outgoing, Transport } from './send.ts';

/** The part of XMLHttpRequest that is used here, so that Node programs need no browser types. */
interface Xhr {
  upload: { onprogress: (event: { loaded: number; total: number; lengthComputable: boolean }) => void };
  responseType: string;
  timeout: number;
  status: number;
  response: Blob;
  onload: () => void;
  onerror: () => void;
  ontimeout: () => void;
  onabort: () => void;
  onloadend: () => void;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: FormData | string | null): void;
  abort(): void;
}

/** Sends requests with `fetch`. Uploads that report progress use XMLHttpRequest in browsers and a stream elsewhere. */
export function createTransport(fetcher: typeof fetch): Transport {
  return (request) => {
    if (request.onProgress === undefined || !(request.body instanceof FormData)) return sendByFetch(fetcher, request);
    // Only XMLHttpRequest reports upload progress in browsers.
    const { XMLHttpRequest } = globalThis as unknown as { XMLHttpRequest?: new () => Xhr };
    return XMLHttpRequest ? sendByXhr(new XMLHttpRequest(), request) : sendByStream(fetcher, request, request.body);
  };
}

async function sendByFetch(fetcher: typeof fetch, request: Outgoing, init: RequestInit = {}): Promise<Incoming> {
  const { method, url, headers, body, credentials } = request;
  const response = await fetcher(url, {
    method,
    headers,
    body: body ?? null,
    credentials,
    signal: abortSignalOf(request),
    ...init,
  });
  return {
    status: response.status,
    headers: response.headers,
    body: await response.blob(),
  };
}

function abortSignalOf({ signal, timeoutMs }: Outgoing): AbortSignal | null {
  const signals = [...(signal ? [signal] : []), ...(timeoutMs > 0 ? [AbortSignal.timeout(timeoutMs)] : [])];
  return signals.length > 1 ? AbortSignal.any(signals) : (signals[0] ?? null);
}

/** Sends the form as a stream that counts its bytes. */
async function sendByStream(fetcher: typeof fetch, request: Outgoing, form: FormData): Promise<Incoming> {
  // Response encodes the form; the content type contains the boundary.
  const encoded = new Response(form);
  const whole = await encoded.blob();
  let sent = 0;
  const counted = whole.stream().pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        sent += chunk.byteLength;
        controller.enqueue(chunk);
        request.onProgress?.(sent / whole.size);
      },
    }),
  );
  const headers = { ...request.headers, 'content-type': encoded.headers.get('content-type') ?? whole.type };
  return sendByFetch(fetcher, { ...request, headers }, { body: counted, duplex: 'half' } as RequestInit);
}

function sendByXhr(xhr: Xhr, request: Outgoing): Promise<Incoming> {
  const { method, url, headers, body, signal, timeoutMs, onProgress } = request;
  return new Promise((resolve, reject) => {
    xhr.open(method, url);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.responseType = 'blob';
    xhr.timeout = timeoutMs;
    const abort = () => xhr.abort();
    signal?.addEventListener('abort', abort, { once: true });
    xhr.upload.onprogress = ({ loaded, total, lengthComputable }) => lengthComputable && onProgress?.(loaded / total);
    xhr.onload = () =>
      resolve({
        status: xhr.status,
        headers: headersOf(xhr.getAllResponseHeaders()),
        body: xhr.response,
      });
    xhr.onerror = () => reject(new TypeError('The upload failed.'));
    xhr.ontimeout = () => reject(new DOMException('The upload timed out.', 'TimeoutError'));
    xhr.onabort = () => reject(signal?.reason);
    xhr.onloadend = () => signal?.removeEventListener('abort', abort);
    if (signal?.aborted) return reject(signal.reason);
    xhr.send(body ?? null);
  });
}

/** @param lines as XMLHttpRequest returns them */
function headersOf(lines: string): Headers {
  const headers = new Headers();
  for (const line of lines.trim().split(/[\r\n]+/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return headers;
}
