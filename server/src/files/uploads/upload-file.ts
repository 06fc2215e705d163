import type { FastifyRequest } from 'fastify';
import { badRequest } from '../../shared/errors.ts';
import { idempotencyKey, idempotently } from '../../shared/http/idempotency.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { AssetValue } from '../contract.ts';
import type { FileDeps } from '../file-deps.ts';
import { serializeAssetValue } from '../library/asset-response.ts';
import { auditFile } from '../library/audit-file.ts';
import type { InspectedFile } from './inspect-upload.ts';
import { receiveFilePart } from './multipart-file.ts';
import { type Placement, placementOf } from './placement.ts';
import { receiveUpload } from './receive-upload.ts';
import { type Commit, storeFile } from './store-file.ts';
import { limitsOf, tokenUsed, type UploadGrant, useUploadToken } from './upload-tokens.ts';

/** The inspected file of a request. */
interface UploadedFile {
  /** A new UUID. */
  id: string;
  name: string;
  file: InspectedFile;
  /** The text fields of the form. */
  fields: Readonly<Record<string, string>>;
  /** Identifies the request's body for idempotency. */
  bodyKey: { sha256: string; name: string };
}

/**
 * Stores the file of an upload and returns its asset.
 * @throws ApiError 400 for any fault of the request or the file; 401 `upload_token_used`
 */
export async function uploadFile(deps: FileDeps, request: FastifyRequest): Promise<AssetValue> {
  const { uploadGrant: grant } = request;
  // A repetition of the request that used it returns its response.
  if (grant?.isUsed && idempotencyKey(request) === undefined) throw tokenUsed();
  const store = ({ fields, ...uploaded }: UploadedFile) =>
    grant
      ? storeUploadedFile(deps, request, { ...uploaded, id: grant.id }, grant.placement, grant)
      : storeUploadedFile(deps, request, uploaded, placementOf(fields));
  return withUploadedFile(deps, request, store, grant);
}

/** Stores an inspected file as a new asset. */
export function storeUploadedFile(
  deps: FileDeps,
  request: FastifyRequest,
  { id, name, file, bodyKey }: Omit<UploadedFile, 'fields'>,
  placement: Placement,
  grant?: UploadGrant,
): Promise<AssetValue> {
  const { accountId } = request.caller;
  const commit: Commit<AssetValue> = (insert) => {
    const work = async (tx: Tx) => {
      if (grant) await useUploadToken(tx, accountId, grant, deps.clock());
      const row = await insert(tx);
      await auditFile(tx, request, 'uploaded', { after: row }, deps.clock());
      return { ...serializeAssetValue(row, deps.publicUrl()), ...(file.removed && { removed: file.removed }) };
    };
    return idempotently(deps.db, request, accountId, work, { ...bodyKey, ...placement });
  };
  return storeFile(deps, accountId, id, name, file, commit, placement);
}

/**
 * Receives and inspects the file of a request, in a temporary folder that is deleted after `work`.
 * @throws ApiError 400 for any fault of the request or the file
 */
export async function withUploadedFile<T>(
  deps: FileDeps,
  request: FastifyRequest,
  work: (uploaded: UploadedFile) => Promise<T>,
  grant?: UploadGrant,
): Promise<T> {
  if (request.headers['content-type'] === undefined) {
    throw badRequest('content_type_unsupported', 'Send the file as multipart/form-data.');
  }
  // An unusable key is refused before the file is read.
  idempotencyKey(request);
  const options = { idleMs: deps.idleMs, bytesBefore: limitsOf(deps.config.limits, grant).videoBytes };
  const receiveAndWork: Parameters<typeof receiveUpload<T>>[2] = async (receive) => {
    const uploaded = await receiveFilePart(request.raw, options, async (stream, sent) => {
      const { id, received, file, name } = await receive(stream, sent);
      return { id, file, name, bodyKey: { sha256: received.sha256.toString('hex'), name }, fields: await sent.fields };
    });
    return work(uploaded);
  };
  return receiveUpload(deps, request.caller.accountId, receiveAndWork, grant);
}
