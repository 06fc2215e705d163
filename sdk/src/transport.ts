import type { Incoming, Outgoing, Transport } from './send.ts';

/** What is used of a browser's own; a program in Node need not know its types. */
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
  getResponseHeader(name: string): string | null;
  send(body: FormData | string | null): void;
  abort(): void;
}

/** By `fetch`; an upload whose progress is watched goes by what the platform has for it. */
export function transportBy(fetcher: typeof fetch): Transport {
  return (request) => {
    if (request.onProgress === undefined || !(request.body instanceof FormData)) return byFetch(fetcher, request);
    // A browser tells of an upload's progress through this alone.
    const { XMLHttpRequest } = globalThis as unknown as { XMLHttpRequest?: new () => Xhr };
    return XMLHttpRequest ? byXhr(new XMLHttpRequest(), request) : byStream(fetcher, request, request.body);
  };
}

async function byFetch(fetcher: typeof fetch, request: Outgoing, init: RequestInit = {}): Promise<Incoming> {
  const { method, url, headers, body, credentials } = request;
  const response = await fetcher(url, {
    method,
    headers,
    body: body ?? null,
    credentials,
    signal: limit(request),
    ...init,
  });
  return {
    status: response.status,
    header: (name) => response.headers.get(name),
    contentType: response.headers.get('content-type') ?? '',
    body: await response.blob(),
  };
}

function limit({ signal, timeoutMs }: Outgoing): AbortSignal | null {
  const signals = [...(signal ? [signal] : []), ...(timeoutMs > 0 ? [AbortSignal.timeout(timeoutMs)] : [])];
  return signals.length > 1 ? AbortSignal.any(signals) : (signals[0] ?? null);
}

/** The form as a stream that counts what is taken from it. */
async function byStream(fetcher: typeof fetch, request: Outgoing, form: FormData): Promise<Incoming> {
  // The platform knows how a form is written; its boundary is in the content type.
  const written = new Response(form);
  const whole = await written.blob();
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
  const headers = { ...request.headers, 'content-type': written.headers.get('content-type') ?? whole.type };
  return byFetch(fetcher, { ...request, headers }, { body: counted, duplex: 'half' } as RequestInit);
}

function byXhr(xhr: Xhr, request: Outgoing): Promise<Incoming> {
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
        header: (name) => xhr.getResponseHeader(name),
        contentType: xhr.getResponseHeader('content-type') ?? '',
        body: xhr.response,
      });
    xhr.onerror = () => reject(new TypeError('the upload failed'));
    xhr.ontimeout = () => reject(new DOMException('the upload took too long', 'TimeoutError'));
    xhr.onabort = () => reject(signal?.reason);
    xhr.onloadend = () => signal?.removeEventListener('abort', abort);
    if (signal?.aborted) return reject(signal.reason);
    xhr.send(body ?? null);
  });
}
