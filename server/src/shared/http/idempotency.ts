import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { type Database, statement, type Tx } from '../postgres/database.ts';

const MAX_LENGTH = 255;

/** The request's `Idempotency-Key`, or undefined. @throws ApiError 400 `idempotency_key_invalid` */
export function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key === '' || key.length > MAX_LENGTH) {
    const detail = `Idempotency-Key has 1 to ${MAX_LENGTH} characters.`;
    throw new ApiError(400, 'idempotency_key_invalid', detail);
  }
  return key;
}

/** What makes two requests the same: method, path with query, and body. */
export function fingerprint(request: FastifyRequest, body: unknown = request.body): Buffer {
  return createHash('sha256')
    .update(`${request.method} ${request.url}\n${JSON.stringify(body ?? null)}`)
    .digest();
}

/**
 * Runs `work` in a transaction, once for each Idempotency-Key and account within 24 h: a repetition is answered with what
 * was answered first, and one that runs beside it waits for it (on the unique index). What `work` throws is not kept.
 * @param body what stands for the body of a request that was not kept in memory (a digest of it)
 * @throws ApiError 400 `idempotency_key_reused` when the key came with another request
 */
export async function idempotently<T>(
  db: Database,
  request: FastifyRequest,
  accountId: string,
  work: (tx: Tx) => Promise<T>,
  body: unknown = request.body,
  keepsAnswer = true,
): Promise<T> {
  const key = idempotencyKey(request);
  if (key === undefined) return db.transaction(work);
  const print = fingerprint(request, body);
  return db.transaction(async (tx) => {
    const [claimed] = await claim(tx, accountId, key, print);
    if (!claimed) return replay<T>(tx, accountId, key, print);
    const answer = await work(tx);
    if (keepsAnswer) await keep(tx, accountId, key, JSON.stringify(answer));
    return answer;
  });
}

/**
 * As `idempotently`, for an answer that holds a secret, which is not kept: a repetition does nothing, and is told so.
 * @throws ApiError 400 `idempotency_answer_erased` for a repetition
 */
export function onceWithSecret<T>(
  db: Database,
  request: FastifyRequest,
  accountId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return idempotently(db, request, accountId, work, request.body, false);
}

async function replay<T>(tx: Tx, accountId: string, key: string, print: Buffer): Promise<T> {
  const [first] = await find(tx, accountId, key);
  if (!first?.fingerprint.equals(print)) {
    throw new ApiError(400, 'idempotency_key_reused', 'This Idempotency-Key was used with another request.');
  }
  if (first.response === null) {
    const detail =
      'The request with this Idempotency-Key was done; its answer is not kept, for it held a secret or personal data.';
    throw new ApiError(400, 'idempotency_answer_erased', detail);
  }
  return first.response as T;
}

/** A row says that the key is ours; none, that a request of the last 24 h holds it. */
const claim = statement<{ key: string }>(
  'idempotency.claim',
  `insert into idempotency_keys as known (account_id, key, fingerprint, created_at) values ($1, $2, $3, now())
   on conflict (account_id, key) do update
     set fingerprint = excluded.fingerprint, response = null, created_at = now()
     where known.created_at < now() - interval '24 hours'
   returning key`,
);

const find = statement<{ fingerprint: Buffer; response: unknown }>(
  'idempotency.find',
  'select fingerprint, response from idempotency_keys where account_id = $1 and key = $2',
);

const keep = statement(
  'idempotency.keep',
  'update idempotency_keys set response = $3 where account_id = $1 and key = $2',
);

/** Forgets the keys that are older than 24 h, some at a time. */
export async function forgetOldKeys(db: Database): Promise<void> {
  while ((await forget(db)).length === FORGOTTEN_AT_ONCE);
}

const FORGOTTEN_AT_ONCE = 5_000;

const forget = statement<{ key: string }>(
  'idempotency.forget',
  `delete from idempotency_keys where (account_id, key) in (
     select account_id, key from idempotency_keys where created_at < now() - interval '24 hours'
     limit ${FORGOTTEN_AT_ONCE} for update skip locked)
   returning key`,
);

const ERASED_AT_ONCE = 5_000;

/**
 * Erases the answers of an account that hold one of the texts. Their requests still are not done a second time: a
 * repetition is refused.
 */
export async function eraseAnswers(db: Database, accountId: string, texts: readonly string[]): Promise<void> {
  if (texts.length === 0) return;
  let after = '';
  for (;;) {
    const [page] = await erase(db, accountId, after, texts, ERASED_AT_ONCE);
    if (page?.last === null || page === undefined) return;
    after = page.last;
  }
}

const erase = statement<{ last: string | null }>(
  'idempotency.erase',
  `with page as materialized (
     select key, response::text as answer from idempotency_keys where account_id = $1 and key > $2 order by key limit $4),
   erased as (
     update idempotency_keys known set response = null from page
     where known.account_id = $1 and known.key = page.key
       and exists (select from unnest($3::text[]) as wanted (text) where strpos(page.answer, wanted.text) > 0))
   select max(key) as last from page`,
);
