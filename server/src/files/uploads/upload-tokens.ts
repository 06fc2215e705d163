import { createHash, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Author } from '../../shared/audit.ts';
import type { Limits } from '../../shared/config.ts';
import { ApiError, badRequest, invalid } from '../../shared/errors.ts';
import { newUuid, publicId } from '../../shared/ids.ts';
import type { Database, Tx } from '../../shared/postgres/database.ts';
import { statement } from '../../shared/postgres/statement.ts';
import { isoTime } from '../../shared/time.ts';
import { HOUR } from '../../shared/units.ts';
import type { NewUploadToken, UploadToken } from '../contract.ts';
import { folderIdOf } from '../library/folders.ts';
import { LIMITS } from '../limits.ts';
import type { InspectedFile } from './inspect-upload.ts';
import type { Placement } from './placement.ts';

/** What an upload token lets its holder do: upload one file. */
export interface UploadGrant {
  /** UUID of the token, and of the file. */
  id: string;
  max_bytes: number | null;
  /** `image/png` or `image/*`, in lower case. */
  content_types: string[] | null;
  name: string | null;
  placement: Placement;
  isUsed: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a request with an upload token. */
    uploadGrant?: UploadGrant;
  }
}

/** An upload token that makes a request, as the guard knows keys. */
interface UploadCaller {
  accountId: string;
  cell: string;
  /** UUID of the token: each has limits of its own. */
  keyId: string;
  type: 'upload';
}

const TOKEN = /^hw_up_([\w-]{22})[\w-]{32}$/;
const DEFAULT_SECONDS = HOUR / 1_000;

/** The account leads, because its cell has the token. */
function createTokenText(accountId: string): string {
  const account = Buffer.from(accountId.replaceAll('-', ''), 'hex').toString('base64url');
  return `hw_up_${account}${randomBytes(24).toString('base64url')}`;
}

function accountOf(token: string): string | undefined {
  const account = TOKEN.exec(token)?.[1];
  const hex = account && Buffer.from(account, 'base64url').toString('hex');
  return hex?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Who creates a token. */
type TokenAuthor = Pick<Author, 'accountId' | 'type' | 'id'>;

/** The text that a request sends as upload token; undefined if it authenticates otherwise. */
export function sentUploadToken({ headers }: FastifyRequest): string | undefined {
  return /^(?:bearer +)?(hw_up_\S*)$/i.exec(String(headers['x-api-key'] ?? headers.authorization ?? '').trim())?.[1];
}

/** @throws ApiError 400 `folder_unknown`, `origin_invalid`, `too_many` */
export async function createUploadToken(
  tx: Tx,
  { accountId: account_id, ...author }: TokenAuthor,
  sent: NewUploadToken,
  now: number,
  publicUrl: string,
): Promise<UploadToken> {
  const origin = sent.origin == null ? null : originOf(sent.origin);
  const folder_id = await folderIdOf(tx, account_id, sent.folderId ?? null);
  const [pending] = await countPending(tx, { account_id, now: new Date(now) });
  if ((pending?.count ?? 0) >= LIMITS.uploadTokens) {
    const detail = `An account has at most ${LIMITS.uploadTokens} upload tokens that are neither used nor expired.`;
    throw badRequest('too_many', detail);
  }
  const token = createTokenText(account_id);
  const id = newUuid(now);
  const expires_at = new Date(now + (sent.expiresIn ?? DEFAULT_SECONDS) * 1_000);
  await insertToken(tx, {
    account_id,
    id,
    hash: hashOf(token),
    max_bytes: sent.maxBytes ?? null,
    content_types: sent.contentTypes?.map((each) => each.toLowerCase()) ?? null,
    name: sent.name ?? null,
    folder_id,
    is_private: sent.private ?? false,
    origin,
    expires_at,
    author_type: author.type,
    author_id: author.id,
  });
  return {
    token,
    assetId: publicId('ast', id),
    expiresAt: isoTime(expires_at),
    uploadUrl: `${publicUrl}/v1/files/upload`,
    tusUrl: `${publicUrl}/files/tus`,
  };
}

/** @throws ApiError 400 */
function originOf(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  const detail = 'An origin is a scheme and a host, such as https://shop.example.';
  throw invalid([{ pointer: '/origin', code: 'origin_invalid', detail }]);
}

/**
 * Finds out who makes a request with an upload token.
 * @param cellOf where the data of an account is
 * @param mayUpload whether the author of a token, which ends with them, may still upload
 * @returns undefined for a request without one, or with one that is unknown or has ended
 */
export function uploadTokenVerifier(
  clock: () => number,
  cellOf: (accountId: string) => Promise<{ cell: string; db: Database }>,
  mayUpload: (author: TokenAuthor) => Promise<boolean>,
): (request: FastifyRequest) => Promise<UploadCaller | undefined> | undefined {
  const verify = async (request: FastifyRequest, token: string): Promise<UploadCaller | undefined> => {
    const accountId = accountOf(token);
    if (accountId === undefined) return undefined;
    const { cell, db } = await cellOf(accountId);
    const [row] = await findByHash(db, { account_id: accountId, hash: hashOf(token) });
    if (!row) return undefined;
    if (row.expires_at.getTime() <= clock()) {
      throw refused('upload_token_expired', 'The upload token has expired. Request a new one from your back end.');
    }
    if (row.origin !== null && row.origin !== request.headers.origin) {
      throw refused('origin_not_allowed', `The upload token is only for pages of ${row.origin}.`);
    }
    const { author_type: type, author_id: id } = row;
    if (type !== null && id !== null && !(await mayUpload({ accountId, type, id }))) return undefined;
    request.uploadGrant = grantOf(row);
    return { accountId, cell, keyId: row.id, type: 'upload' };
  };
  return (request) => {
    const token = sentUploadToken(request);
    return token === undefined ? undefined : verify(request, token);
  };
}

const refused = (code: string, detail: string): ApiError =>
  new ApiError(401, code, detail, { headers: { 'www-authenticate': 'Bearer realm="headwater upload"' } });

export const tokenUsed = (): ApiError =>
  refused('upload_token_used', 'The upload token is for one file, which was uploaded. Request a new one.');

/** What the token allows from which the file of an ID comes; undefined for other files. */
export async function findUploadGrant(db: Tx, account_id: string, id: string): Promise<UploadGrant | undefined> {
  const [row] = await findById(db, { account_id, id });
  return row && grantOf(row);
}

function grantOf({ id, max_bytes, content_types, name, folder_id, is_private, used_at }: TokenRow): UploadGrant {
  const placement = { folderId: folder_id && publicId('fol', folder_id), isPrivate: is_private };
  return { id, max_bytes, content_types, name, placement, isUsed: used_at !== null };
}

/** The transaction that stores the file is the only one that uses the token. @throws ApiError 401 `upload_token_used` */
export async function useUploadToken(tx: Tx, account_id: string, { id }: UploadGrant, now: number): Promise<void> {
  if ((await markUsed(tx, { account_id, id, now: new Date(now) })).length === 0) throw tokenUsed();
}

/** The limits of a file, with that of a token. */
export function limitsOf(limits: Limits, grant: UploadGrant | undefined): Limits {
  const most = grant?.max_bytes ?? Number.POSITIVE_INFINITY;
  const { imageBytes, videoBytes, fileBytes } = limits;
  return {
    ...limits,
    imageBytes: Math.min(imageBytes, most),
    videoBytes: Math.min(videoBytes, most),
    fileBytes: Math.min(fileBytes, most),
  };
}

/** @throws ApiError 400 `file_type_not_allowed` */
export function checkContentType(grant: UploadGrant, { media_type }: InspectedFile): void {
  const family = `${media_type.split('/')[0]}/*`;
  if (!grant.content_types || grant.content_types.some((each) => each === media_type || each === family)) return;
  const detail = `The file is ${media_type}. The upload token allows ${grant.content_types.join(', ')}.`;
  throw badRequest('file_type_not_allowed', detail);
}

/** For how long the row of an expired token stays: a request that began in time may take an hour. */
const GRACE_MS = HOUR;
const BATCH = 500;

/** Deletes expired tokens. @param discard deletes what was received of a file that was not completed */
export async function deleteExpiredTokens(
  db: Database,
  now: number,
  discard: (account_id: string, id: string) => Promise<void>,
): Promise<void> {
  for (;;) {
    const expired = await findExpired(db, { before: new Date(now - GRACE_MS), limit: BATCH });
    for (const { account_id, id, used_at } of expired) {
      if (used_at === null) await discard(account_id, id);
      await deleteToken(db, { account_id, id });
    }
    if (expired.length < BATCH) return;
  }
}

interface TokenRow {
  id: string;
  max_bytes: number | null;
  content_types: string[] | null;
  name: string | null;
  folder_id: string | null;
  is_private: boolean;
  origin: string | null;
  expires_at: Date;
  used_at: Date | null;
  /** Null: of an earlier version. */
  author_type: 'user' | 'key' | null;
  author_id: string | null;
}

const ONE = { account_id: 'uuid', id: 'uuid' } as const;
const COLUMNS = 'id, max_bytes, content_types, name, folder_id, is_private, origin, expires_at, author_type, author_id';

const insertToken = statement('files.insert_upload_token', {
  ...ONE,
  hash: 'bytea',
  max_bytes: 'bigint?',
  content_types: 'text[]?',
  name: 'text?',
  folder_id: 'uuid?',
  is_private: 'boolean',
  origin: 'text?',
  expires_at: 'timestamptz',
  author_type: 'text',
  author_id: 'uuid?',
}).runs(
  `insert into upload_tokens (account_id, hash, ${COLUMNS})
   values (:account_id, :hash, :id, :max_bytes, :content_types, :name, :folder_id, :is_private, :origin, :expires_at, :author_type,
     :author_id)`,
);

const findByHash = statement('files.find_upload_token', { account_id: 'uuid', hash: 'bytea' }).returns<TokenRow>(
  `select ${COLUMNS}, used_at from upload_tokens where account_id = :account_id and hash = :hash`,
);

const findById = statement('files.find_upload_grant', ONE).returns<TokenRow>(
  `select ${COLUMNS}, used_at from upload_tokens where account_id = :account_id and id = :id`,
);

const countPending = statement('files.count_upload_tokens', { account_id: 'uuid', now: 'timestamptz' }).returns<{
  count: number;
}>('select count(*) from upload_tokens where account_id = :account_id and used_at is null and expires_at > :now');

const markUsed = statement('files.use_upload_token', { ...ONE, now: 'timestamptz' }).returns<{ id: string }>(
  `update upload_tokens set used_at = :now where account_id = :account_id and id = :id and used_at is null
   returning id`,
);

const findExpired = statement('files.find_expired_upload_tokens', { before: 'timestamptz', limit: 'integer' }).returns<{
  account_id: string;
  id: string;
  used_at: Date | null;
}>(
  `select account_id, id, used_at from upload_tokens where expires_at < :before
   order by expires_at, account_id, id limit :limit`,
);

const deleteToken = statement('files.delete_upload_token', ONE).runs(
  'delete from upload_tokens where account_id = :account_id and id = :id',
);

/** Of the ids of files, those that tokens are for. */
export const findTokenIds = statement('files.find_upload_token_ids', { account_id: 'uuid', ids: 'uuid[]' }).returns<{
  id: string;
}>('select id from upload_tokens where account_id = :account_id and id = any(:ids)');
