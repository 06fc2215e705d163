import { badRequest, notFound } from '../shared/errors.ts';
import { newUuid, parseId, publicId } from '../shared/ids.ts';
import type { Database, Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { hashKey, type KeyKind, makeKey } from './key-format.ts';
import { revokeEverywhere } from './key-verifier.ts';
import { findAccount, insertAccount, insertKey, type KeyRow, listKeys } from './queries.ts';

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

/** Makes a key; `token` in the answer is the only time it is shown. @throws 404 for an unknown account */
export async function createKey(
  db: Database,
  accountId: string,
  kind: KeyKind,
  name: string,
): Promise<KeyView & { token: string }> {
  const account = await requireAccount(db, accountId);
  return addKey(db, account, kind, cleanName(name), Date.now());
}

export async function listAccountKeys(db: Database, accountId: string): Promise<KeyView[]> {
  const account = await requireAccount(db, accountId);
  return (await listKeys(db, account)).map(keyView);
}

/** Revokes a key: when this returns, every process refuses it. Again is harmless. @throws 404 for an unknown key */
export async function revokeAccountKey(db: Database, keyId: string): Promise<KeyView> {
  const id = parseId('key', keyId);
  const row = id === undefined ? undefined : await revokeEverywhere(db, id);
  if (!row) throw notFound('token');
  return keyView(row);
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

function keyView(row: KeyRow): KeyView {
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
