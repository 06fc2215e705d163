import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../shared/deps.ts';
import { ApiError, notFound } from '../shared/errors.ts';
import { deliveryHeaders, isNotModified, requestedRange, type Sent } from './delivery-headers.ts';
import type { KnownFile, KnownFiles } from './known-files.ts';
import type { AssetRow } from './queries.ts';
import { MissingFile, type Storage } from './storage.ts';
import { readWanted, type Wanted } from './variant-spec.ts';
import type { Variants } from './variants.ts';

type Request = FastifyRequest<{ Params: { key: string }; Querystring: Record<string, unknown> }>;

/** Answers GET and HEAD for a file's address. */
export function fileDelivery({ config }: Deps, storage: Storage, files: KnownFiles, variants: Variants) {
  const { variantSizes, delivery, nginxLocation } = config.files;
  /** What is asked for, its bytes at hand. @throws ApiError 400, 404, 429 */
  async function choose(request: Request, { asset, sent, headers }: KnownFile) {
    if (!request.url.includes('?')) return { sent, headers };
    const wanted = readWanted(request.query, request.headers.accept ?? '', asset, variantSizes);
    if (!wanted.poster && !wanted.spec) return { sent, headers };
    const other = wanted.spec ? await variantSent(asset, wanted.spec, wanted) : await posterSent(asset, storage);
    return { sent: other, headers: deliveryHeaders(asset, other), wanted };
  }

  async function variantSent(asset: AssetRow, spec: NonNullable<Wanted['spec']>, wanted: Wanted): Promise<Sent> {
    const { key, bytes } = await variants.get(asset, spec);
    const isImmutable = !wanted.byFocalPoint;
    const vary = wanted.byAccept ? 'accept' : undefined;
    return { storageKey: key, bytes, mediaType: `image/${spec.format}`, etag: etagOf(key), isImmutable, vary };
  }

  /** @param again a variant whose bytes were not there is made anew, once */
  async function deliver(request: Request, reply: FastifyReply, again: boolean): Promise<unknown> {
    const known = await files.find(request.params.key);
    if (known.movedTo !== undefined) return redirect(request, reply, known.movedTo);
    const { asset } = known;
    const { sent, headers, wanted } = await choose(request, known).catch(async (error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 404 || again) throw error;
      // Of bytes that were replaced since they were looked up nothing is made any more.
      files.forget(asset);
      return { sent: undefined, headers: {}, wanted: undefined };
    });
    if (sent === undefined) return deliver(request, reply, true);
    const { bytes, etag } = sent;
    if (isNotModified(request.headers, etag, asset.created_at)) {
      return reply.code(304).headers(headers).removeHeader('content-type').send();
    }
    const isHead = request.method === 'HEAD';
    if (!isHead && delivery === 'nginx' && storage.path) {
      return reply.headers(headers).header('x-accel-redirect', `${nginxLocation}/${sent.storageKey}`).send();
    }
    // Only what a browser shows and never runs: the storage does not send the headers that keep a drawing in its place.
    if (!isHead && delivery === 'redirect' && storage.signedUrl && sent.mediaType !== 'image/svg+xml') {
      const url = await storage.signedUrl(sent.storageKey, {
        contentType: sent.mediaType,
        contentDisposition: headers['content-disposition'] ?? '',
      });
      return reply.header('cache-control', 'public, max-age=600').redirect(url, 302);
    }
    // A range is defined for GET alone.
    const range = isHead ? undefined : requestedRange(request.headers, bytes, etag, asset.created_at);
    if (range === 'unsatisfiable') {
      return reply.code(416).headers(headers).header('content-range', `bytes */${bytes}`).send();
    }
    const { start, end } = range ?? { start: 0, end: bytes - 1 };
    // Before anything is said of it.
    let body: Awaited<ReturnType<Storage['read']>> | undefined;
    try {
      body = isHead ? undefined : await storage.read(sent.storageKey, start, end);
    } catch (error) {
      if (!(error instanceof MissingFile)) throw error;
      // The bytes of a file go after its asset has: who knew of it just before may still ask for them.
      files.forget(asset);
      const found = await files.find(request.params.key);
      if (found.movedTo !== undefined) return redirect(request, reply, found.movedTo);
      if (!wanted?.spec || again) throw error;
      await variants.forget(asset, wanted.spec, { key: sent.storageKey, bytes });
      return deliver(request, reply, true);
    }
    reply.headers(headers).header('content-length', end - start + 1);
    if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${bytes}`);
    return reply.send(body);
  }

  /** @throws ApiError 400, 404, 429 */
  return (request: Request, reply: FastifyReply) => deliver(request, reply, false);
}

/** To where the file is since its bytes were replaced; they may be again, so it is not remembered for long. */
function redirect({ url }: FastifyRequest, reply: FastifyReply, movedTo: string) {
  const query = url.indexOf('?');
  const location = query === -1 ? movedTo : movedTo + url.slice(query);
  reply.headers({ 'cache-control': 'public, max-age=60', 'cross-origin-resource-policy': 'cross-origin' });
  return reply.redirect(location, 302);
}

/** @throws ApiError 404 where the file has no poster */
async function posterSent({ poster_key }: AssetRow, storage: Storage): Promise<Sent> {
  const bytes = poster_key === null ? undefined : await storage.size(poster_key);
  if (poster_key === null || bytes === undefined) throw notFound('file');
  const etag = etagOf(poster_key);
  return { storageKey: poster_key, bytes, mediaType: 'image/webp', etag, isImmutable: true, vary: undefined };
}

/** Of bytes that are written once under their key. */
function etagOf(key: string): string {
  return `"${createHash('sha256').update(key).digest('base64url').slice(0, 27)}"`;
}
