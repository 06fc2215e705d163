import { type Author, audit } from '../shared/audit.ts';
import { badRequest, notFound } from '../shared/errors.ts';
import { newUuid, parseId, publicId } from '../shared/ids.ts';
import type { ControlDatabase, ControlTx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import type { ApiKey } from './contract.ts';
import { createKeyText, hashKey, type KeyType } from './key-format.ts';
import { findAccount, findKey, insertAccount, insertKey, type KeyRow, listKeys, renameKey } from './queries.ts';
import { revokeEverywhere } from './revoke-everywhere.ts';

export interface CreatedAccount {
  account: { id: string; name: string };
  /** Secret API token. */
  token: string;
  /** Publishable API key. */
  apiKey: string;
}

type CreatedKey = ApiKey & { token: string };

/** Creates an account with a secret token and a publishable key. @param cell by default the emptiest one */
export async function createAccount(
  control: ControlDatabase,
  name: string,
  now = Date.now(),
  cell?: string,
): Promise<CreatedAccount> {
  const cleaned = cleanName(name);
  const id = newUuid(now);
  return control.transaction(async (tx) => {
    await insertAccount(tx, {
      id,
      name: cleaned,
      time_zone: null,
      currency: null,
      cell: cell ?? null,
      created_at: new Date(now),
    });
    const secret = await addKey(tx, id, 'secret', 'First token', now);
    const publishable = await addKey(tx, id, 'publishable', 'First key', now);
    return { account: { id: publicId('acc', id), name: cleaned }, token: secret.token, apiKey: publishable.token };
  });
}

/** Creates a key by command. Its `token` is returned only here. @throws 404 for an unknown account */
export async function createKey(
  control: ControlDatabase,
  accountId: string,
  type: KeyType,
  name: string,
): Promise<CreatedKey> {
  const account = await requireAccount(control, accountId);
  return control.transaction((tx) => createKeyFor(tx, commandFor(account), type, name, Date.now()));
}

/** Creates a key. Its `token` is returned only here. @throws 400 `name_invalid` */
export async function createKeyFor(tx: ControlTx, author: Author, type: KeyType, name: string, now: number) {
  const key = await addKey(tx, author.accountId, type, cleanName(name), now);
  const after = { type, name: key.name, hint: key.hint };
  await audit(tx, author, { action: 'key.created', subject: ['key', key.id], after }, now);
  return key;
}

/** @throws 404; 400 `name_invalid` */
export async function renameKeyFor(control: ControlDatabase, author: Author, keyId: string, name: string, now: number) {
  const id = parseId('key', keyId);
  const cleaned = cleanName(name);
  return control.transaction(async (tx) => {
    const [row] = id === undefined ? [] : await renameKey(tx, { account_id: author.accountId, id, name: cleaned });
    if (!row) throw notFound('token');
    const change = { action: 'key.renamed', subject: ['key', keyId] as const };
    await audit(tx, author, { ...change, before: { name: row.old_name }, after: { name: row.name } }, now);
    return serializeKey(row);
  });
}

export async function listAccountKeys(control: ControlDatabase, accountId: string): Promise<ApiKey[]> {
  const account = await requireAccount(control, accountId);
  return (await listKeys(control, { account_id: account })).map(serializeKey);
}

/** Revokes a key of any account, by command. @throws 404 for an unknown key */
export async function revokeAccountKey(control: ControlDatabase, keyId: string): Promise<ApiKey> {
  const id = parseId('key', keyId);
  const [found] = id === undefined ? [] : await findKey(control, { id });
  if (!found) throw notFound('token');
  return revokeKeyFor(control, commandFor(found.account_id), keyId, Date.now());
}

/** Revokes a key of the author's account: every process refuses it once this returns. @throws 404 */
export async function revokeKeyFor(
  control: ControlDatabase,
  author: Author,
  keyId: string,
  now: number,
): Promise<ApiKey> {
  const id = parseId('key', keyId);
  const [found] = id === undefined ? [] : await findKey(control, { id });
  if (found?.account_id !== author.accountId) throw notFound('token');
  const { type, name, hint } = found;
  const change = { action: 'key.revoked', subject: ['key', keyId] as const, before: { type, name, hint } };
  const record = (tx: ControlTx) => (found.revoked_at ? Promise.resolve() : audit(tx, author, change, now));
  const row = await revokeEverywhere(control, found.id, record);
  if (!row) throw notFound('token');
  return serializeKey(row);
}

function commandFor(accountId: string): Author {
  return { accountId, type: 'command', id: null, address: null };
}

async function addKey(tx: ControlTx, accountId: string, type: KeyType, name: string, now: number): Promise<CreatedKey> {
  const token = createKeyText(type);
  const [row] = await insertKey(tx, {
    account_id: accountId,
    id: newUuid(now),
    type,
    name,
    hash: hashKey(token),
    hint: token.slice(-4),
    publishable_key: type === 'publishable' ? token : null,
    created_at: new Date(now),
  });
  if (!row) throw new Error('the key was not inserted');
  return { ...serializeKey(row), token };
}

async function requireAccount(control: ControlDatabase, accountId: string): Promise<string> {
  const id = parseId('acc', accountId);
  const [row] = id === undefined ? [] : await findAccount(control, { id });
  if (!row) throw notFound('account');
  return row.id;
}

function cleanName(name: string): string {
  const cleaned = name.trim();
  if (cleaned === '' || cleaned.length > 255) throw badRequest('name_invalid', 'A name must have 1 to 255 characters.');
  return cleaned;
}

export function serializeKey(row: KeyRow): ApiKey {
  return {
    id: publicId('key', row.id),
    accountId: publicId('acc', row.account_id),
    type: row.type,
    name: row.name,
    hint: row.hint,
    key: row.publishable_key,
    createdAt: isoTime(row.created_at),
    lastUsedAt: row.last_used_at && isoTime(row.last_used_at),
    revokedAt: row.revoked_at && isoTime(row.revoked_at),
  };
}
