import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../shared/deps.ts';
import { notFound } from '../shared/errors.ts';
import { readFileKey } from './asset-url.ts';
import { assetHeaders, isNotModified, requestedRange } from './delivery-headers.ts';
import { type AssetRow, findAssetByUrlKey } from './queries.ts';
import { MissingFile, type Storage } from './storage.ts';

const REMEMBERED = 10_000;
/** A deleted file is served no longer than this by a process that does not know of it, and then without its bytes. */
const REMEMBERED_MS = 1_000;

interface Known {
  asset: AssetRow;
  headers: Record<string, string>;
  until: number;
}

/** Answers GET and HEAD for a file's address. A look-up is remembered for a moment. */
export function fileDelivery({ db, clock }: Deps, storage: Storage) {
  const remembered = new Map<string, Known>();

  async function find(key: string): Promise<Known> {
    const known = remembered.get(key);
    if (known && known.until > clock()) return known;
    const address = readFileKey(key);
    const [asset] = address ? await findAssetByUrlKey(db, address.accountId, address.urlKey) : [];
    if (!asset) throw notFound('file');
    const found = { asset, headers: assetHeaders(asset), until: clock() + REMEMBERED_MS };
    if (remembered.size >= REMEMBERED) remembered.clear();
    remembered.set(key, found);
    return found;
  }

  /** The bytes of a file go after its asset has: who knew of it just before may still ask for them. */
  const lost = (key: string) => async (error: unknown) => {
    remembered.delete(key);
    if (error instanceof MissingFile) await find(key);
    throw error;
  };

  /** @throws ApiError 404 */
  return async (request: FastifyRequest<{ Params: { key: string } }>, reply: FastifyReply) => {
    const { asset, headers } = await find(request.params.key);
    const { bytes, created_at } = asset;
    const etag = headers.etag ?? '';
    if (isNotModified(request.headers, etag, created_at)) {
      return reply.code(304).headers(headers).removeHeader('content-type').send();
    }
    const isHead = request.method === 'HEAD';
    // A range is defined for GET alone.
    const range = isHead ? undefined : requestedRange(request.headers, bytes, etag, created_at);
    if (range === 'unsatisfiable') {
      return reply.code(416).headers(headers).header('content-range', `bytes */${bytes}`).send();
    }
    const { start, end } = range ?? { start: 0, end: bytes - 1 };
    // Before anything is said of it.
    const body = isHead ? undefined : await storage.read(asset.storage_key, start, end).catch(lost(request.params.key));
    reply.headers(headers).header('content-length', end - start + 1);
    if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${bytes}`);
    return reply.send(body);
  };
}
