import { readFile, stat } from 'node:fs/promises';
import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import { MultipartPut, type MultipartUpload, PART_BYTES, PartBuffers, partBytesOf } from './multipart-put.ts';
import { MissingBlob, type Storage, StorageUnavailable } from './storage.ts';

const SIGNED_SECONDS = 3_600;
const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_TIMEOUT_MS = 30_000;

/**
 * Blobs in a bucket of S3 or a compatible service.
 * @param url `s3://bucket/prefix?endpoint=https://…&region=…`. The SDK finds the credentials: in the environment
 *   (`AWS_ACCESS_KEY_ID`, …), a profile, or the machine's role
 */
export function openS3Storage(url: string, dataDir: string): Storage {
  const { host: bucket, pathname, searchParams } = new URL(url);
  const endpoint = searchParams.get('endpoint') ?? undefined;
  const region = searchParams.get('region') ?? process.env.AWS_REGION ?? 'us-east-1';
  const reached = endpoint !== undefined && { endpoint, forcePathStyle: searchParams.get('pathStyle') !== 'false' };
  return openBucket({ bucket, prefix: pathname.replace(/^\/+|\/+$/g, ''), client: { region, ...reached } }, dataDir);
}

export interface BucketOptions {
  bucket: string;
  /** Before each key, without slashes at its ends; '': none. */
  prefix: string;
  client: Pick<S3ClientConfig, 'region' | 'endpoint' | 'forcePathStyle' | 'credentials'>;
  /** By default those of the SDK. */
  agents?: { httpAgent: HttpAgent; httpsAgent: HttpsAgent };
}

export function openBucket(
  { bucket: Bucket, prefix, client: options, agents }: BucketOptions,
  dataDir: string,
): Storage {
  const keyOf = (key: string) => (prefix === '' ? key : `${prefix}/${key}`);
  const at = (key: string) => ({ Bucket, Key: keyOf(key) });
  let opened: ReturnType<typeof open> | undefined;

  // Loading the SDK takes 200 ms and 40 MB, which a service with its files on disk saves.
  async function open() {
    const sdk = await import('@aws-sdk/client-s3');
    const timeouts = { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: IDLE_TIMEOUT_MS, requestTimeout: 0 };
    const client: S3Client = new sdk.S3Client({
      ...options,
      // Many compatible services do not support the newer checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: 3,
      requestHandler: { ...timeouts, ...agents },
    });
    return { sdk, client };
  }
  const s3 = () => {
    opened ??= open();
    return opened;
  };

  const buffers = new PartBuffers();

  async function beginUpload(key: string, mediaType: string): Promise<MultipartUpload> {
    const { sdk, client } = await s3();
    const { UploadId } = await client.send(
      new sdk.CreateMultipartUploadCommand({ ...at(key), ContentType: mediaType }),
    );
    const upload = { ...at(key), UploadId };
    return {
      async sendPart(PartNumber, Body) {
        const { ETag } = await client.send(new sdk.UploadPartCommand({ ...upload, PartNumber, Body }));
        return { ETag, PartNumber };
      },
      async complete(Parts) {
        await client.send(new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
      },
      async abort() {
        await client.send(new sdk.AbortMultipartUploadCommand(upload));
      },
    };
  }

  const putParts = (file: string, key: string, mediaType: string, partBytes?: number) =>
    new MultipartPut(file, buffers, () => beginUpload(key, mediaType), partBytes);

  return {
    uploadsFolder: join(dataDir, 'uploads'),
    async put(file, key, mediaType) {
      const { size } = await stat(file);
      if (size > PART_BYTES) return putParts(file, key, mediaType, partBytesOf(size)).finish(size).catch(failed);
      const { sdk, client } = await s3();
      const Body = await readFile(file);
      await client.send(new sdk.PutObjectCommand({ ...at(key), Body, ContentType: mediaType })).catch(failed);
    },
    putGrowing: (file, key, mediaType) => putParts(file, key, mediaType),
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
        if (error instanceof MissingBlob) return undefined;
        throw error;
      }
    },
    async delete(key) {
      const { sdk, client } = await s3();
      // Parts uploaded by a process that died are invisible, and cost as much as blobs.
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
    async *list(within) {
      const { sdk, client } = await s3();
      const base = keyOf('');
      let ContinuationToken: string | undefined;
      do {
        const command = new sdk.ListObjectsV2Command({ Bucket, Prefix: keyOf(within), ContinuationToken });
        const { Contents = [], NextContinuationToken } = await client.send(command).catch(failed);
        for (const { Key = '', Size = 0, LastModified = new Date(0) } of Contents) {
          yield { key: Key.slice(base.length), bytes: Size, modifiedAt: LastModified };
        }
        ContinuationToken = NextContinuationToken;
      } while (ContinuationToken !== undefined);
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

/** Wraps an error of the storage: its connection errors must not be taken for those of the request. */
function failed(cause: unknown): never {
  const { name, $metadata } = cause as { name?: string; $metadata?: { httpStatusCode?: number } };
  const isMissing = name === 'NoSuchKey' || name === 'NotFound';
  if (isMissing || ($metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket')) {
    throw new MissingBlob('there is no such object', { cause });
  }
  const status = $metadata?.httpStatusCode ?? 500;
  const Failure = status >= 500 || status === 429 ? StorageUnavailable : Error;
  throw new Failure(`the storage failed (${name})`, { cause });
}
