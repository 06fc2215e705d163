import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import type { Database, Tx } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';

export const MAX_KEY_LENGTH = 255;
export const KEY_HOURS = 24;

/** The request's `Idempotency-Key`, or undefined. @throws ApiError 400 `idempotency_key_invalid` */
export function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_LENGTH) {
    const detail = `Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} characters.`;
    throw new ApiError(400, 'idempotency_key_invalid', detail);
  }
  return key;
}

/** Identifies a request: its method, path with query, and body. */
export function fingerprint(request: FastifyRequest, body: unknown = request.body): Buffer {
  return createHash('sha256')
    .update(`${request.method} ${request.url}\n${JSON.stringify(body ?? null)}`)
    .digest();
}

/** The control database, or that of a cell: each stores the keys of the requests that change it. */
interface Transactions<In extends Tx> {
  transaction<T>(work: (tx: In) => Promise<T>): Promise<T>;
}

/**
 * Runs `work` in a transaction, once per Idempotency-Key and account within 24 h. A repetition returns the first response,
 * and a concurrent one waits for it (on the unique index). Errors are not stored.
 * @param body represents the body of a request that is not in memory, for example by a digest
 * @throws ApiError 400 `idempotency_key_reused` if the key was used with another request
 */
export async function idempotently<T, In extends Tx>(
  db: Transactions<In>,
  request: FastifyRequest,
  accountId: string,
  work: (tx: In) => Promise<T>,
  body: unknown = request.body,
  storesResponse = true,
): Promise<T> {
  const sent = idempotencyKey(request);
  if (sent === undefined) return db.transaction(work);
  // Anyone can use a publishable key, and a page an upload token, so their idempotency keys are separate: they cannot block those of a
  // secret token.
  // A role must not be answered what another one may read.
  const { caller } = request;
  const { access, type } = caller ?? {};
  const scope =
    access?.subject ?? (type === 'publishable' ? type : caller?.type === 'upload' ? `upload ${caller.keyId}` : '');
  const key = scope === '' ? sent : `${scope} ${sent}`;
  const digest = fingerprint(request, body);
  return db.transaction(async (tx) => {
    const [claimed] = await claim(tx, { account_id: accountId, key, fingerprint: digest });
    if (!claimed) return replay<T>(tx, accountId, key, digest);
    const response = await work(tx);
    if (storesResponse) await store(tx, { account_id: accountId, key, response: JSON.stringify(response) });
    return response;
  });
}

/**
 * As `idempotently`, for a response that contains a secret and so is not stored. A repetition changes nothing.
 * @throws ApiError 400 `idempotency_response_erased` for a repetition
 */
export function onceWithSecret<T, In extends Tx>(
  db: Transactions<In>,
  request: FastifyRequest,
  accountId: string,
  work: (tx: In) => Promise<T>,
): Promise<T> {
  return idempotently(db, request, accountId, work, request.body, false);
}

async function replay<T>(tx: Tx, accountId: string, key: string, digest: Buffer): Promise<T> {
  const [first] = await find(tx, { account_id: accountId, key });
  if (!first?.fingerprint.equals(digest)) {
    throw new ApiError(
      400,
      'idempotency_key_reused',
      'This Idempotency-Key was already used with a different request. Use a new key.',
    );
  }
  if (first.response === null) {
    const detail =
      'The request with this Idempotency-Key succeeded, but its response was not stored because it contained a secret or personal data.';
    throw new ApiError(400, 'idempotency_response_erased', detail);
  }
  return first.response as T;
}

/** Returns a row if the key was claimed, and none if a request of the last 24 h has used it. */
const claim = statement('idempotency.claim', { account_id: 'uuid', key: 'text', fingerprint: 'bytea' }).returns<{
  key: string;
}>(
  `insert into idempotency_keys as known (account_id, key, fingerprint, created_at)
   values (:account_id, :key, :fingerprint, now())
   on conflict (account_id, key) do update
     set fingerprint = excluded.fingerprint, response = null, created_at = excluded.created_at
     where excluded.created_at - known.created_at > interval '${KEY_HOURS} hours'
   returning key`,
);

const find = statement('idempotency.find', { account_id: 'uuid', key: 'text' }).returns<{
  fingerprint: Buffer;
  response: unknown;
}>('select fingerprint, response from idempotency_keys where account_id = :account_id and key = :key');

const store = statement('idempotency.store', { account_id: 'uuid', key: 'text', response: 'json' }).runs(
  'update idempotency_keys set response = :response where account_id = :account_id and key = :key',
);

const PAGE = 5_000;

/** Deletes keys that are older than 24 h, a page at a time. */
export async function deleteExpiredIdempotencyKeys(db: Database): Promise<void> {
  while ((await deleteExpired(db)).length === PAGE);
}

const deleteExpired = statement('idempotency.delete_expired', {}).returns<{ key: string }>(
  `delete from idempotency_keys where (account_id, key) in (
     select account_id, key from idempotency_keys where created_at < now() - interval '${KEY_HOURS} hours'
     limit ${PAGE} for update skip locked)
   returning key`,
);

/** Erases an account's stored responses that contain one of the texts. Repetitions of their requests are still refused. */
export async function eraseResponses(db: Database, accountId: string, texts: readonly string[]): Promise<void> {
  if (texts.length === 0) return;
  for (let after: string | null = ''; after !== null; ) {
    const page: { last: string | null }[] = await erase(db, { account_id: accountId, after, texts, limit: PAGE });
    after = page[0]?.last ?? null;
  }
}

const erase = statement('idempotency.erase', {
  account_id: 'uuid',
  after: 'text',
  texts: 'text[]',
  limit: 'integer',
}).returns<{ last: string | null }>(
  `with page as materialized (
     select key, response::text as response from idempotency_keys
     where account_id = :account_id and key > :after order by key limit :limit),
   erased as (
     update idempotency_keys known set response = null from page
     where known.account_id = :account_id and known.key = page.key
       and exists (select from unnest(:texts) as wanted (text) where strpos(page.response, wanted.text) > 0))
   select max(key) as last from page`,
);
