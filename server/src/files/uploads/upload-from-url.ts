import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../shared/errors.ts';
import { FairQueue } from '../../shared/fair-queue.ts';
import { idempotencyKey } from '../../shared/http/idempotency.ts';
import type { MayConnect } from '../../shared/outbound/connect-policy.ts';
import type { AssetValue, UploadFromUrl } from '../contract.ts';
import type { FileDeps } from '../file-deps.ts';
import { failed, fetchFile } from './fetch-file.ts';
import { receiveUpload } from './receive-upload.ts';
import { storeUploadedFile } from './upload-file.ts';

/** A slow server holds a place of the account that named it, and of no other one. */
const fetches = new FairQueue({ slots: 32, slotsPerKey: 4, queuedPerKey: 8 });

/**
 * Fetches a file and stores it, as if it had been uploaded. Ends when the client disconnects.
 * @throws ApiError 400 for any fault of the URL or the file; 429 while the account fetches too many
 */
export async function uploadFromUrl(
  deps: FileDeps,
  mayConnect: MayConnect,
  request: FastifyRequest,
  reply: FastifyReply,
  { url, name: ownName, folderId = null, private: isPrivate = false }: UploadFromUrl,
): Promise<AssetValue> {
  idempotencyKey(request);
  const disconnected = new AbortController();
  const onClose = () => disconnected.abort();
  reply.raw.once('close', onClose);
  const { accountId } = request.caller;
  const fetchAndStore = () =>
    receiveUpload(deps, accountId, async (receive) => {
      const { response, ...sent } = await fetchFile(url, mayConnect, disconnected.signal);
      try {
        const { received, ...uploaded } = await receive(response, { ...sent, name: ownName ?? sent.name });
        const bodyKey = { sha256: received.sha256.toString('hex'), name: uploaded.name };
        return await storeUploadedFile(deps, request, { ...uploaded, bodyKey }, { folderId, isPrivate });
      } catch (error) {
        // The connection broke, or took too long, while the file was read.
        if (response.errored && !(error instanceof ApiError)) throw failed('the connection ended before the file did');
        throw error;
      } finally {
        response.destroy();
      }
    });
  try {
    return await fetches.run(accountId, { signal: disconnected.signal }, fetchAndStore);
  } finally {
    reply.raw.off('close', onClose);
  }
}
