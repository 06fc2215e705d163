import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, badRequest, notFound } from '../../shared/errors.ts';
import type { FileDeps } from '../file-deps.ts';
import { accessOf } from '../library/private-urls.ts';
import type { AssetRow } from '../library/queries.ts';
import type { Posters } from '../posters/posters.ts';
import { MissingBlob, type Storage } from '../storage/storage.ts';
import { parseVariantQuery, type VariantRequest } from '../variants/variant-spec.ts';
import { AS_STORED, type Variants } from '../variants/variants.ts';
import type { CachedFile } from './delivery-cache.ts';
import { type Deliverable, deliveryHeaders, isNotModified, originalOf, requestedRange } from './delivery-headers.ts';

type Request = FastifyRequest<{ Params: { key: string }; Querystring: Record<string, unknown> }>;

/** Handles GET and HEAD of a file's URL. */
export function fileDelivery({ config, storage, delivered, clock }: FileDeps, variants: Variants, posters: Posters) {
  const { variantSizes, delivery, nginxLocation } = config.files;

  /** Chooses what to send: the original, the poster or a variant. @throws ApiError 400, 404, 429 */
  async function choose(request: Request, reply: FastifyReply, { asset, original, headers }: CachedFile) {
    if (!request.url.includes('?')) return { deliverable: original, headers };
    const requested = parseVariantQuery(request.query, request.headers.accept ?? '', asset, variantSizes);
    const isOriginal = !requested.poster && !requested.spec;
    if (isOriginal && !requested.dependsOnAccept) return { deliverable: original, headers };
    const deliverable = requested.spec
      ? await findVariant(asset, requested, requested.spec, reply)
      : isOriginal
        ? { ...original, vary: 'accept' }
        : await findPoster(asset, storage);
    return { deliverable, headers: deliveryHeaders(asset, deliverable), spec: requested.spec };
  }

  async function findVariant(
    asset: AssetRow,
    { poster, dependsOnAccept, dependsOnFocalPoint }: VariantRequest,
    spec: NonNullable<VariantRequest['spec']>,
    reply: FastifyReply,
  ): Promise<Deliverable> {
    const disconnected = new AbortController();
    const onClose = () => disconnected.abort(badRequest('request_aborted', 'The client disconnected.'));
    if (reply.raw.destroyed) onClose();
    else reply.raw.once('close', onClose);
    const variant = await variants.get(asset, spec, disconnected.signal).finally(() => reply.raw.off('close', onClose));
    const vary = dependsOnAccept ? 'accept' : undefined;
    if (variant === AS_STORED) {
      const source = poster ? await findPoster(asset, storage) : originalOf(asset);
      return { ...source, isImmutable: false, vary };
    }
    const { key, bytes } = variant;
    const isImmutable = !dependsOnFocalPoint;
    const isSame = asset.width === spec.width && asset.height === spec.height && !spec.crop && !poster;
    // Encoding it again only made it larger.
    if (isSame && asset.media_type === `image/${spec.format}` && bytes >= asset.bytes) {
      return { ...originalOf(asset), isImmutable, vary };
    }
    return { storageKey: key, bytes, mediaType: `image/${spec.format}`, etag: etagOf(key), isImmutable, vary };
  }

  /** @param isRetry a variant whose blob is missing is made again, once */
  async function deliver(request: Request, reply: FastifyReply, isRetry: boolean): Promise<unknown> {
    const cached = await delivered.find(request.params.key);
    if (cached.movedTo !== undefined) return redirect(request, reply, cached.movedTo);
    const { asset } = cached;
    const access = accessOf(asset, request.query, clock());
    if (access === 'refused') throw notFound('file');
    if (access === 'expired') {
      throw new ApiError(404, 'url_expired', 'The URL has expired. Read the file or the entry again for a new one.');
    }
    if (asset.poster_due !== null && request.query.poster === 'true') {
      await posters.wait(asset);
      delivered.invalidate(asset);
      return deliver(request, reply, isRetry);
    }
    const chosen = await choose(request, reply, cached).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 404 || isRetry) throw error;
      // The content was replaced or deleted since the look-up.
      delivered.invalidate(asset);
      return undefined;
    });
    if (chosen === undefined) return deliver(request, reply, true);
    const { deliverable, headers, spec } = chosen;
    const { bytes, etag, storageKey, mediaType } = deliverable;
    if (isNotModified(request.headers, etag, asset.created_at)) {
      return reply.code(304).headers(headers).removeHeader('content-type').send();
    }
    const isHead = request.method === 'HEAD';
    if (!isHead && delivery === 'nginx' && storage.path) {
      return reply.headers(headers).header('x-accel-redirect', `${nginxLocation}/${storageKey}`).send();
    }
    // Not for SVG: the storage does not send the headers that sandbox it.
    if (!isHead && delivery === 'redirect' && storage.signedUrl && mediaType !== 'image/svg+xml') {
      const contentDisposition = headers['content-disposition'] ?? '';
      const url = await storage.signedUrl(storageKey, { contentType: mediaType, contentDisposition });
      const cached = asset.signing_key === null ? 'public, max-age=600' : 'private, max-age=600';
      return reply.header('cache-control', cached).redirect(url, 302);
    }
    // Ranges are defined for GET only.
    const range = isHead ? undefined : requestedRange(request.headers, bytes, etag, asset.created_at);
    if (range === 'unsatisfiable') {
      return reply.code(416).headers(headers).header('content-range', `bytes */${bytes}`).send();
    }
    const { start, end } = range ?? { start: 0, end: bytes - 1 };
    let body: Awaited<ReturnType<Storage['read']>> | undefined;
    try {
      if (!isHead) {
        body = await (storage.readFor?.(reply.raw, storageKey, start, end) ?? storage.read(storageKey, start, end));
      }
    } catch (error) {
      if (!(error instanceof MissingBlob)) throw error;
      // A blob is deleted after its asset: the cached look-up may be outdated.
      delivered.invalidate(asset);
      const found = await delivered.find(request.params.key);
      if (found.movedTo !== undefined) return redirect(request, reply, found.movedTo);
      if (!spec || isRetry) throw error;
      await variants.discard(asset, spec, storageKey);
      return deliver(request, reply, true);
    }
    reply.headers(headers).header('content-length', end - start + 1);
    if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${bytes}`);
    return reply.send(body);
  }

  /** @throws ApiError 400, 404, 429 */
  return (request: Request, reply: FastifyReply) => deliver(request, reply, false);
}

/** Redirects to the current URL of a replaced file, briefly cached: the file may be replaced again. */
function redirect({ url }: FastifyRequest, reply: FastifyReply, movedTo: string) {
  const query = url.indexOf('?');
  const location = query === -1 ? movedTo : movedTo + url.slice(query);
  reply.headers({ 'cache-control': 'public, max-age=60', 'cross-origin-resource-policy': 'cross-origin' });
  return reply.redirect(location, 302);
}

/** @throws ApiError 404 if the file has no poster */
async function findPoster({ poster_key }: AssetRow, storage: Storage): Promise<Deliverable> {
  const bytes = poster_key === null ? undefined : await storage.size(poster_key);
  if (poster_key === null || bytes === undefined) throw notFound('file');
  const etag = etagOf(poster_key);
  return { storageKey: poster_key, bytes, mediaType: 'image/webp', etag, isImmutable: true, vary: undefined };
}

/** For blobs, which never change under their key. */
function etagOf(key: string): string {
  return `"${createHash('sha256').update(key).digest('base64url').slice(0, 27)}"`;
}
