import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { newUuid } from '../../shared/ids.ts';
import type { FileDeps } from '../file-deps.ts';
import { cleanName, servedName } from './file-name.ts';
import { type InspectedFile, inspectUpload } from './inspect-upload.ts';
import { type ReceivedFile, receiveFile, type SentFile } from './receive-file.ts';
import { UploadBlob } from './upload-blob.ts';
import { uploadFolder } from './upload-folders.ts';
import { checkContentType, limitsOf, type UploadGrant } from './upload-tokens.ts';

interface ReceivedUpload {
  /** A new UUID, which names the blob. */
  id: string;
  received: ReceivedFile;
  file: InspectedFile;
  /** As sent, without what is unsafe; else by its type. */
  name: string;
}

/** Receives and inspects the file of an upload. @throws ApiError 400 for any fault of it */
type Receive = (source: Readable, sent: SentFile) => Promise<ReceivedUpload>;

/**
 * Runs `work` with a temporary folder for the file of an upload, which is deleted afterwards.
 * @param grant of an upload token
 */
export async function receiveUpload<T>(
  deps: FileDeps,
  accountId: string,
  work: (receive: Receive) => Promise<T>,
  grant?: UploadGrant,
): Promise<T> {
  const id = newUuid(deps.clock());
  const folder = uploadFolder(deps.storage, accountId, id);
  const path = join(folder, 'file');
  const blob = new UploadBlob(deps, accountId, id, path);
  try {
    await mkdir(folder, { recursive: true });
    return await work(async (source, { mediaType, name: sentName }) => {
      const sent = { mediaType, name: grant?.name ?? sentName };
      const received = await receiveFile(source, path, limitsOf(deps.config.limits, grant), sent, blob.onVideo);
      const name = cleanName(sent.name);
      const file = await inspectUpload(deps, accountId, path, { ...received, ...sent, name }, blob);
      if (grant) checkContentType(grant, file);
      return { id, received, file, name: name || servedName(file.type, file.media_type) };
    });
  } finally {
    await blob.discardUnlessPut();
    await rm(folder, { recursive: true, force: true });
  }
}
