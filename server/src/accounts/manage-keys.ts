import { type Author, audit } from '../shared/audit.ts';
import { badRequest, notFound } from '../shared/errors.ts';
import { newUuid, parseId, publicId } from '../shared/ids.ts';
import type { Database, Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { hashKey, type KeyKind, makeKey } from './key-format.ts';
import { revokeEverywhere } from './key-verifier.ts';
import { findAccount, findKey, insertAccount, insertKey, type KeyRow, listKeys, renameKey } from './queries.ts';

/** A key as it is shown: never the key itself, which only its maker sees, once. */
export interface KeyView {
  id: string;
  accountId: string;
  kind: KeyKind;
  name: string;
  hint: string;
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

export interface NewAccount {
  account: { id: string; name: string };
  /** Secret API token. */
  token: string;
  /** Publishable API key. */
  apiKey: string;
}

/** Makes an account with a secret token and a publishable key. */
export async function createAccount(db: Database, name: string, now = Date.now()): Promise<NewAccount> {
  const cleaned = cleanName(name);
  const id = newUuid(now);
  return db.transaction(async (tx) => {
    await insertAccount(tx, id, cleaned, new Date(now));
    const secret = await addKey(tx, id, 'secret', 'First token', now);
    const publishable = await addKey(tx, id, 'publishable', 'First key', now);
    return { account: { id: publicId('acc', id), name: cleaned }, token: secret.token, apiKey: publishable.token };
  });
}

/** Makes a key by command; `token` in the answer is the only time it is shown. @throws 404 for an unknown account */
export async function createKey(
  db: Database,
  accountId: string,
  kind: KeyKind,
  name: string,
): Promise<KeyView & { token: string }> {
  const account = await requireAccount(db, accountId);
  return db.transaction((tx) => createKeyFor(tx, commandFor(account), kind, name, Date.now()));
}

/** Makes a key; `token` in the answer is the only time it is shown. @throws 400 `name_invalid` */
export async function createKeyFor(tx: Tx, author: Author, kind: KeyKind, name: string, now: number) {
  const key = await addKey(tx, author.accountId, kind, cleanName(name), now);
  const after = { kind, name: key.name, hint: key.hint };
  await audit(tx, author, { action: 'key.created', subject: ['key', key.id], after }, now);
  return key;
}

/** @throws 404; 400 `name_invalid` */
export async function renameKeyFor(db: Database, author: Author, keyId: string, name: string, now: number) {
  const id = parseId('key', keyId);
  return db.transaction(async (tx) => {
    const [row] = id === undefined ? [] : await renameKey(tx, author.accountId, id, cleanName(name));
    if (!row) throw notFound('token');
    const change = { action: 'key.renamed', subject: ['key', keyId] as const };
    await audit(tx, author, { ...change, before: { name: row.old_name }, after: { name: row.name } }, now);
    return keyView(row);
  });
}

export async function listAccountKeys(db: Database, accountId: string): Promise<KeyView[]> {
  const account = await requireAccount(db, accountId);
  return (await listKeys(db, account)).map(keyView);
}

/** Revokes a key: when this returns, every process refuses it. Again is harmless. @throws 404 for an unknown key */
export async function revokeAccountKey(db: Database, keyId: string): Promise<KeyView> {
  const id = parseId('key', keyId);
  const [found] = id === undefined ? [] : await findKey(db, id);
  if (!found) throw notFound('token');
  return revokeKeyFor(db, commandFor(found.account_id), keyId, Date.now());
}

/** The same, of the author's account alone. */
export async function revokeKeyFor(db: Database, author: Author, keyId: string, now: number): Promise<KeyView> {
  const id = parseId('key', keyId);
  const [found] = id === undefined ? [] : await findKey(db, id);
  if (found?.account_id !== author.accountId) throw notFound('token');
  const { kind, name, hint } = found;
  const change = { action: 'key.revoked', subject: ['key', keyId] as const, before: { kind, name, hint } };
  const record = (tx: Tx) => (found.revoked_at ? Promise.resolve() : audit(tx, author, change, now));
  const row = await revokeEverywhere(db, found.id, record);
  if (!row) throw notFound('token');
  return keyView(row);
}

function commandFor(accountId: string): Author {
  return { accountId, kind: 'command', id: null, address: null };
}

async function addKey(tx: Tx, accountId: string, kind: KeyKind, name: string, now: number) {
  const token = makeKey(kind);
  const [row] = await insertKey(
    tx,
    accountId,
    newUuid(now),
    kind,
    name,
    hashKey(token),
    token.slice(-4),
    new Date(now),
  );
  if (!row) throw new Error('the key was not inserted');
  return { ...keyView(row), token };
}

async function requireAccount(db: Database, accountId: string): Promise<string> {
  const id = parseId('acc', accountId);
  const [row] = id === undefined ? [] : await findAccount(db, id);
  if (!row) throw notFound('account');
  return row.id;
}

function cleanName(name: string): string {
  const cleaned = name.trim();
  if (cleaned === '' || cleaned.length > 255) throw badRequest('name_invalid', 'A name has 1 to 255 characters.');
  return cleaned;
}

export function keyView(row: KeyRow): KeyView {
  return {
    id: publicId('key', row.id),
    accountId: publicId('acc', row.account_id),
    kind: row.kind,
    name: row.name,
    hint: row.hint,
    createdAt: isoTime(row.created_at),
    lastUsedAt: row.last_used_at && isoTime(row.last_used_at),
    revokedAt: row.revoked_at && isoTime(row.revoked_at),
  };
}
