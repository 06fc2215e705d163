import { type FileHandle, open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { CompletedPart, S3Client } from '@aws-sdk/client-s3';
import { MissingFile, type Storage } from './storage.ts';

/** Parts of a file that are sent beside each other: what an upload holds in memory. */
const PART_BYTES = 5 * 1_048_576;
const PARTS_AT_ONCE = 2;
const SIGNED_SECONDS = 3_600;
const CONNECT_WITHIN_MS = 5_000;
/** Nothing comes for so long. */
const SILENT_MS = 30_000;

/**
 * Files in a bucket of S3, or of what speaks its protocol.
 * @param url `s3://bucket/prefix?endpoint=https://…&region=…`; credentials come from where the SDK finds them: the
 *   environment (`AWS_ACCESS_KEY_ID`, …), a profile, the machine's role
 */
export function openS3Storage(url: string, dataDir: string): Storage {
  const { host: Bucket, pathname, searchParams } = new URL(url);
  const prefix = pathname.replace(/^\/+|\/+$/g, '');
  const keyOf = (key: string) => (prefix === '' ? key : `${prefix}/${key}`);
  const at = (key: string) => ({ Bucket, Key: keyOf(key) });
  let opened: ReturnType<typeof open> | undefined;

  // 200 ms and 40 MB that a service with its files on disk does without.
  async function open() {
    const sdk = await import('@aws-sdk/client-s3');
    const endpoint = searchParams.get('endpoint') ?? undefined;
    const region = searchParams.get('region') ?? process.env.AWS_REGION ?? 'us-east-1';
    const client: S3Client = new sdk.S3Client({
      region,
      ...(endpoint !== undefined && { endpoint, forcePathStyle: searchParams.get('pathStyle') !== 'false' }),
      // Many that speak the protocol do not know the newer checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: 3,
      requestHandler: { connectionTimeout: CONNECT_WITHIN_MS, socketTimeout: SILENT_MS, requestTimeout: 0 },
    });
    return { sdk, client };
  }
  const s3 = () => {
    opened ??= open();
    return opened;
  };

  /** In parts, each signed with the hash of its bytes; by a few buffers that are used again, however large the file is. */
  async function putParts(handle: FileHandle, size: number, key: string, mediaType: string): Promise<void> {
    const { sdk, client } = await s3();
    const { UploadId } = await client.send(
      new sdk.CreateMultipartUploadCommand({ ...at(key), ContentType: mediaType }),
    );
    const upload = { ...at(key), UploadId };
    const count = Math.ceil(size / PART_BYTES);
    const Parts: CompletedPart[] = [];
    let next = 0;
    const sendParts = async () => {
      const buffer = Buffer.allocUnsafeSlow(PART_BYTES);
      while (next < count) {
        const part = next++;
        const { bytesRead } = await handle.read(buffer, 0, PART_BYTES, part * PART_BYTES);
        const Body = buffer.subarray(0, bytesRead);
        const { ETag } = await client.send(new sdk.UploadPartCommand({ ...upload, PartNumber: part + 1, Body }));
        Parts[part] = { ETag, PartNumber: part + 1 };
      }
    };
    const senders = Array.from({ length: PARTS_AT_ONCE }, () =>
      sendParts().catch((error) => {
        next = count;
        throw error;
      }),
    );
    const failure = (await Promise.allSettled(senders)).find((sender) => sender.status === 'rejected');
    if (failure) {
      await client.send(new sdk.AbortMultipartUploadCommand(upload)).catch(() => {});
      throw failure.reason;
    }
    await client.send(new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
  }

  return {
    uploadsFolder: join(dataDir, 'uploads'),
    async put(file, key, mediaType) {
      const { sdk, client } = await s3();
      const handle = await openFile(file);
      try {
        const { size } = await handle.stat();
        if (size > PART_BYTES) return await putParts(handle, size, key, mediaType).catch(failed);
        const Body = await handle.readFile();
        await client.send(new sdk.PutObjectCommand({ ...at(key), Body, ContentType: mediaType })).catch(failed);
      } finally {
        await handle.close();
      }
    },
    async read(key, start, end) {
      const { sdk, client } = await s3();
      const command = new sdk.GetObjectCommand({ ...at(key), Range: `bytes=${start}-${end}` });
      const { Body } = await client.send(command).catch(failed);
      return Body as Readable;
    },
    async size(key) {
      const { sdk, client } = await s3();
      try {
        return (await client.send(new sdk.HeadObjectCommand(at(key))).catch(failed)).ContentLength;
      } catch (error) {
        if (error instanceof MissingFile) return undefined;
        throw error;
      }
    },
    async delete(key) {
      const { sdk, client } = await s3();
      // Parts that a process put which then died are invisible, and cost as much as files.
      const { Uploads = [] } = await client
        .send(new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: keyOf(key) }))
        .catch(failed);
      for (const { Key, UploadId } of Uploads) {
        if (Key === keyOf(key)) {
          await client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(failed);
        }
      }
      await client.send(new sdk.DeleteObjectCommand(at(key))).catch(failed);
    },
    async signedUrl(key, { contentType, contentDisposition }) {
      const { sdk, client } = await s3();
      const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
      const command = new sdk.GetObjectCommand({
        ...at(key),
        ResponseContentType: contentType,
        ResponseContentDisposition: contentDisposition,
        ResponseCacheControl: 'public, max-age=31536000, immutable',
      });
      return getSignedUrl(client, command, { expiresIn: SIGNED_SECONDS });
    },
  };
}

/** An error of the storage: what its connections met must not be taken for something of the request's own. */
function failed(cause: unknown): never {
  const { name, $metadata } = cause as { name?: string; $metadata?: { httpStatusCode?: number } };
  const isMissing = name === 'NoSuchKey' || name === 'NotFound';
  if (isMissing || ($metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket')) {
    throw new MissingFile('there is no such object', { cause });
  }
  throw new Error(`the storage failed (${name})`, { cause });
}
