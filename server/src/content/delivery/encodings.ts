import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { CachedResponse } from './response-cache.ts';

export type Encoding = 'br' | 'gzip';

/** Smaller bodies fit in one packet anyway. */
const MIN_BYTES = 1_000;
/** Of all compressed bodies that a process keeps. */
const MAX_BYTES = 16_000_000;
/** A list of 50 entries takes 1 ms and has a fifth of its size; quality 11 takes a hundred times as long for a tenth less. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const compress: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, QUALITY),
  gzip: (body) => promisify(gzip)(body),
};

/** The encoding of a body for a client that sends this `Accept-Encoding`; undefined: it is sent as it is. */
export function encodingFor(body: Buffer, header: string | string[] | undefined): Encoding | undefined {
  if (header === undefined || body.length < MIN_BYTES) return undefined;
  const accepted = String(header)
    .split(',')
    .flatMap((each) => {
      const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
      return parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) ? [] : name;
    });
  return (['br', 'gzip'] as const).find((name) => accepted.includes(name));
}

/** Compressed bodies by ETag: each is compressed once, however many requests wait for it. */
export class EncodedBodies {
  readonly #bodies = new LRUCache<string, { encoded: Promise<Buffer>; length: number }>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ length }) => length + 200,
  });

  get({ etag, body }: CachedResponse, encoding: Encoding): Promise<Buffer> {
    const name = `${encoding} ${etag}`;
    const known = this.#bodies.get(name);
    if (known) return known.encoded;
    const encoded = compress[encoding](body);
    // About what JSON is compressed to; a promise has no length yet.
    this.#bodies.set(name, { encoded, length: Math.ceil(body.length / 3) });
    encoded.catch(() => this.#bodies.delete(name));
    return encoded;
  }
}
