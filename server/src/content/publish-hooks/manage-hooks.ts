import { randomBytes } from 'node:crypto';
import { badRequest, type Fault, notFound, refuse } from '../../shared/errors.ts';
import { newUuid, parseId, publicId } from '../../shared/ids.ts';
import { checkUrl } from '../../shared/outbound/check-url.ts';
import type { MayConnect } from '../../shared/outbound/connect-policy.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { Vault } from '../../shared/secrets/vault.ts';
import { isoTime } from '../../shared/time.ts';
import { collectionIdsOf } from '../collections/collection-keys.ts';
import { LIMITS } from '../limits.ts';
import type { NewPublishHook, PublishHook, PublishHookChange } from './contract.ts';
import { hookSecret } from './publish-hooks.ts';
import { deleteHook, findKnownCollections, type HookRow, insertHook, lockHook, updateHook } from './queries.ts';

const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

export const serializeHook = (row: HookRow): PublishHook => ({
  id: publicId('phk', row.id),
  name: row.name,
  url: row.url,
  collectionIds: row.collection_ids,
  onError: row.on_error,
  enabled: row.is_enabled,
  lastOutcome: row.last_outcome,
  lastError: row.last_error,
  lastAskedAt: row.last_asked_at && isoTime(row.last_asked_at),
  createdAt: isoTime(row.created_at),
  updatedAt: isoTime(row.updated_at),
});

export const hookSecretOf = async (tx: Tx, vault: Vault, hook: HookRow): Promise<string> =>
  PREFIX + (await vault.open(tx, hookSecret(hook), hook.secret)).toString('base64');

/** @throws ApiError 400 for its URL or collections, or `too_many_publish_hooks` */
export async function createHook(
  tx: Tx,
  vault: Vault,
  mayConnect: MayConnect,
  account_id: string,
  { name, url, collectionIds = null, onError = 'refuse', enabled = true }: NewPublishHook,
  now: number,
): Promise<HookRow> {
  const id = newUuid(now);
  const [row] = await insertHook(tx, {
    ...{ account_id, id, url, name: name.trim(), on_error: onError, is_enabled: enabled, max: LIMITS.publishHooks },
    collection_ids: await checked(tx, mayConnect, account_id, { url, collectionIds }),
    secret: await vault.seal(tx, hookSecret({ account_id, id }), randomBytes(SECRET_BYTES)),
    now: new Date(now),
  });
  if (row) return row;
  const detail = `An account can have at most ${LIMITS.publishHooks} publish hooks. Delete one that you no longer need.`;
  throw badRequest('too_many_publish_hooks', detail);
}

/** @throws ApiError 404; 400 for its URL or collections */
export async function changeHook(
  tx: Tx,
  mayConnect: MayConnect,
  account_id: string,
  hookId: string,
  { name, url, collectionIds, onError, enabled }: PublishHookChange,
  now: number,
): Promise<{ before: HookRow; after: HookRow }> {
  const before = await requireHook(tx, account_id, hookId);
  const collections = await checked(tx, mayConnect, account_id, { url, collectionIds });
  const [after] = await updateHook(tx, {
    ...{ account_id, id: before.id, name: name?.trim() ?? before.name, url: url ?? before.url },
    collection_ids: collectionIds === undefined ? before.collection_ids : collections,
    ...{ on_error: onError ?? before.on_error, is_enabled: enabled ?? before.is_enabled, now: new Date(now) },
  });
  return { before, after: after as HookRow };
}

/** @throws ApiError 404 */
export async function removeHook(tx: Tx, account_id: string, hookId: string): Promise<HookRow> {
  const { id } = await requireHook(tx, account_id, hookId);
  const [row] = await deleteHook(tx, { account_id, id });
  return row as HookRow;
}

/** Locks it. @throws ApiError 404 */
export async function requireHook(tx: Tx, account_id: string, hookId: string): Promise<HookRow> {
  const id = parseId('phk', hookId);
  const [row] = id === undefined ? [] : await lockHook(tx, { account_id, id });
  if (!row) throw notFound('publish hook');
  return row;
}

/** The collections as public IDs. @throws ApiError 400 with every fault */
async function checked(
  tx: Tx,
  mayConnect: MayConnect,
  account_id: string,
  { url, collectionIds = null }: { url: string | undefined; collectionIds?: string[] | null | undefined },
): Promise<string[] | null> {
  const faults: Fault[] = url === undefined ? [] : checkUrl(url, mayConnect);
  const ids = collectionIds && (await collectionIdsOf(tx, account_id, collectionIds));
  if (ids) {
    const found = await findKnownCollections(tx, { account_id, ids: ids.flatMap((id) => parseId('col', id) ?? []) });
    const known = new Set(found.map(({ id }) => publicId('col', id)));
    // Two names can stand for one collection.
    for (const [index, name] of (collectionIds ?? []).entries()) {
      const [id = ''] = await collectionIdsOf(tx, account_id, [name]);
      if (known.has(id)) continue;
      const detail = `There is no collection "${name}".`;
      faults.push({ pointer: `/collectionIds/${index}`, code: 'collection_unknown', detail });
    }
  }
  refuse(faults);
  return ids;
}
