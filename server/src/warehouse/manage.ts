import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { CredentialStore } from '../destinations/index.ts';
import type { Storage } from '../files/index.ts';
import { badRequest, type Fault, refuse } from '../shared/errors.ts';
import { newUuid } from '../shared/ids.ts';
import { checkUrl } from '../shared/outbound/check-url.ts';
import type { MayConnect } from '../shared/outbound/connect-policy.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { SecretUnreadable } from '../shared/secrets/vault.ts';
import { bucketOf, storageFailure } from './bucket.ts';
import { DATASET_NAMES, type NewWarehouse, type WarehouseChange } from './contract.ts';
import { LIMITS } from './limits.ts';
import { putText } from './manifest.ts';
import { forgetFiles, insertWarehouse, lockWarehouse, updateWarehouse, type WarehouseRow } from './queries.ts';
import { requireWarehouse, warehouseUuid } from './serialize.ts';

interface With {
  store: CredentialStore;
  mayConnect: MayConnect;
  now: number;
}

/** Connects a bucket, which receives everything from now on. @throws 400 with every fault */
export async function createWarehouse(
  tx: Tx,
  accountId: string,
  sent: NewWarehouse,
  { store, mayConnect, now }: With,
): Promise<WarehouseRow> {
  const key = { account_id: accountId, id: newUuid(now) };
  const { endpoint = null, secretAccessKey } = sent;
  refuse([...checkName(sent.name), ...checkPlace({ endpoint, bucket: sent.bucket }, mayConnect)]);
  const [row] = await insertWarehouse(tx, {
    ...key,
    ...{ name: sent.name, endpoint, region: sent.region, bucket: sent.bucket, prefix: sent.prefix ?? '' },
    ...{ is_path_style: sent.pathStyle ?? endpoint !== null, access_key_id: sent.accessKeyId },
    credentials: await store.seal(tx, key, { secretAccessKey }),
    ...{ datasets: sent.datasets ?? DATASET_NAMES, starts_on: sent.startsOn ?? null, mode: sent.mode ?? 'live' },
    ...{ now: new Date(now), max: LIMITS.warehouses },
  });
  if (row) return row;
  const detail = `An account can have at most ${LIMITS.warehouses} warehouses. Delete one that you no longer need.`;
  throw badRequest('too_many_warehouses', detail);
}

/**
 * Updates the members that were sent. The secret is used for no other bucket than the one it was entered for; another bucket or folder
 * receives everything anew.
 * @throws 404, 400 with every fault
 */
export async function changeWarehouse(
  tx: Tx,
  accountId: string,
  warehouseId: string,
  sent: WarehouseChange,
  { store, mayConnect, now }: With,
): Promise<{ before: WarehouseRow; after: WarehouseRow }> {
  const key = { account_id: accountId, id: warehouseUuid(warehouseId) };
  const [locked] = await lockWarehouse(tx, key);
  const before = requireWarehouse(locked);
  const place = {
    endpoint: sent.endpoint === undefined ? before.endpoint : sent.endpoint,
    region: sent.region ?? before.region,
    bucket: sent.bucket ?? before.bucket,
    is_path_style: sent.pathStyle ?? before.is_path_style,
    access_key_id: sent.accessKeyId ?? before.access_key_id,
  };
  const faults: Fault[] = [...checkName(sent.name ?? before.name), ...checkPlace(place, mayConnect)];
  const pointers = { endpoint: 'endpoint', region: 'region', bucket: 'bucket', is_path_style: 'pathStyle' } as const;
  for (const [column, member] of Object.entries({ ...pointers, access_key_id: 'accessKeyId' })) {
    const name = column as keyof typeof place;
    if (place[name] === before[name] || sent.secretAccessKey !== undefined) continue;
    const detail = `\`${member}\` decides where the secret is used. Send \`secretAccessKey\` again.`;
    faults.push({ pointer: '/secretAccessKey', code: 'secret_required', detail });
    break;
  }
  refuse(faults);
  const prefix = sent.prefix ?? before.prefix;
  const isMoved = place.endpoint !== before.endpoint || place.bucket !== before.bucket || prefix !== before.prefix;
  if (isMoved) await forgetFiles(tx, { account_id: accountId, warehouse_id: key.id });
  const { secretAccessKey } = sent;
  const [row] = await updateWarehouse(tx, {
    ...key,
    ...place,
    ...{ name: sent.name ?? before.name, prefix, datasets: sent.datasets ?? before.datasets },
    credentials: secretAccessKey === undefined ? before.credentials : await store.seal(tx, key, { secretAccessKey }),
    ...{ starts_on: sent.startsOn === undefined ? before.starts_on : sent.startsOn, mode: sent.mode ?? before.mode },
    restarts: Object.keys(sent).some((name) => name !== 'name'),
    now: new Date(now),
  });
  return { before, after: requireWarehouse(row) };
}

/** Writes, reads and deletes a file. */
export async function testBucket(
  tx: Tx,
  warehouse: WarehouseRow,
  files: Storage,
  dataDir: string,
  { store, mayConnect }: Omit<With, 'now'>,
): Promise<{ ok: boolean; error: string | null }> {
  const folder = join(files.uploadsFolder, `${warehouse.account_id}.${randomUUID()}`);
  const key = `_test-${randomUUID()}.txt`;
  try {
    const secret = (await store.open(tx, warehouse)).secretAccessKey ?? '';
    const { storage, close } = bucketOf(warehouse, secret, mayConnect, dataDir);
    try {
      await mkdir(folder, { recursive: true });
      await putText(storage, key, 'test', 'text/plain', folder);
      const read = await storage.read(key, 0, 3);
      const text = Buffer.isBuffer(read) ? read : await buffer(read);
      await storage.delete(key);
      return text.toString() === 'test'
        ? { ok: true, error: null }
        : { ok: false, error: 'What was read is not what was written.' };
    } finally {
      close();
      await rm(folder, { recursive: true, force: true });
    }
  } catch (error) {
    if (error instanceof SecretUnreadable)
      return { ok: false, error: 'The secret cannot be decrypted. Enter it again.' };
    const failure = storageFailure(error);
    if (failure === undefined) throw error;
    return { ok: false, error: failure.words };
  }
}

function checkName(name: string): Fault[] {
  if (name.trim() !== '') return [];
  return [{ pointer: '/name', code: 'too_short', detail: '`/name` must not be blank.' }];
}

function checkPlace({ endpoint, bucket }: Pick<WarehouseRow, 'endpoint' | 'bucket'>, mayConnect: MayConnect): Fault[] {
  const faults: Fault[] = [];
  if (endpoint !== null) {
    faults.push(...checkUrl(endpoint, mayConnect, '/endpoint'));
    const url = URL.parse(endpoint);
    if (url && (url.pathname !== '/' || url.search !== '' || url.hash !== '')) {
      const detail = 'The endpoint is the URL of the service without a path, such as https://storage.example.com.';
      faults.push({ pointer: '/endpoint', code: 'url_invalid', detail });
    }
  }
  if (bucket.includes('..')) {
    faults.push({
      pointer: '/bucket',
      code: 'pattern_mismatch',
      detail: 'The name of a bucket has no two dots in a row.',
    });
  }
  return faults;
}
