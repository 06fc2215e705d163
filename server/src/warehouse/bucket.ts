import type { AgentOptions } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { MissingBlob, openBucket, type Storage } from '../files/index.ts';
import { hostOf } from '../shared/outbound/check-url.ts';
import type { MayConnect } from '../shared/outbound/connect-policy.ts';
import { ADDRESS_NOT_ALLOWED, failureReason } from '../shared/outbound/failure-reason.ts';
import { AddressNotAllowed, guardedLookup, resolveHost } from '../shared/outbound/guarded-lookup.ts';
import { redactSecrets } from '../shared/redact.ts';
import type { WarehouseRow } from './queries.ts';

export interface Bucket {
  storage: Storage;
  close(): void;
}

type Place = Pick<WarehouseRow, 'endpoint' | 'region' | 'bucket' | 'prefix' | 'is_path_style' | 'access_key_id'>;

/** The bucket of a warehouse, reached only at addresses that are allowed. Its keys begin after the prefix. @throws AddressNotAllowed */
export function bucketOf(
  { endpoint, region, bucket, prefix, is_path_style, access_key_id }: Place,
  secretAccessKey: string,
  mayConnect: MayConnect,
  dataDir: string,
): Bucket {
  const host = endpoint === null ? '' : hostOf(new URL(endpoint));
  // Node does not call `lookup` for an IP address.
  if (isIP(host) !== 0 && !mayConnect(host)) throw new AddressNotAllowed();
  const options = { keepAlive: true, lookup: guardedLookup(resolveHost, mayConnect) };
  // An import would evaluate all exports of the module, with the whole of `fetch` (16 MB of memory and 40 ms at each start).
  const http = process.getBuiltinModule('node:http');
  const agents = { httpAgent: new http.Agent(options as AgentOptions), httpsAgent: new https.Agent(options) };
  const credentials = { accessKeyId: access_key_id, secretAccessKey };
  const client = { region, credentials, forcePathStyle: is_path_style, ...(endpoint !== null && { endpoint }) };
  const storage = openBucket({ bucket, prefix, client, agents }, dataDir);
  return {
    storage,
    close() {
      agents.httpAgent.destroy();
      agents.httpsAgent.destroy();
    },
  };
}

/** What a storage said when it failed; undefined: the failure is not the storage's. */
export function storageFailure(error: unknown): { words: string; isRefused: boolean } | undefined {
  if (error instanceof AddressNotAllowed) return { words: ADDRESS_NOT_ALLOWED, isRefused: true };
  if (['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '')) {
    return { words: 'The service has no disk space left for the files.', isRefused: false };
  }
  const cause = (error as Error | undefined)?.cause as
    | (NodeJS.ErrnoException & { $metadata?: { httpStatusCode?: number }; cause?: unknown })
    | undefined;
  const isStorage =
    error instanceof MissingBlob || (error instanceof Error && error.message.startsWith('the storage failed'));
  if (!isStorage || cause === undefined) return undefined;
  const status = cause.$metadata?.httpStatusCode;
  if (status === undefined) return { words: failureReason(cause), isRefused: cause instanceof AddressNotAllowed };
  const words = cause.message && cause.message !== cause.name ? `${cause.name}: ${cause.message}` : cause.name;
  return {
    words: redactSecrets(`${words} (HTTP ${status})`).slice(0, 1_000),
    isRefused: status < 500 && status !== 429,
  };
}
