import { normalizeAddress } from '../shared/addresses.ts';
import { type Author, audit } from '../shared/audit.ts';
import { badRequest, type Fault, invalid, notFound, refuse } from '../shared/errors.ts';
import { newUuid, parseId, publicId } from '../shared/ids.ts';
import type { ControlDatabase, ControlTx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { DAY } from '../shared/units.ts';
import type { ApiKey, NewKey } from './contract.ts';
import type { Caller } from './guard.ts';
import { createKeyText, hashKey, type KeyType, typeOfKey } from './key-format.ts';
import { LIMITS } from './limits.ts';
import {
  countKeys,
  endKey,
  findAccount,
  findKey,
  findKeyToRevoke,
  insertAccount,
  insertKey,
  type KeyRow,
  listKeys,
  lockAccount,
  renameKey,
  replaceKeyHash,
} from './queries.ts';
import { revokeEverywhere } from './revoke-everywhere.ts';
import { assignedRole, refuseHigher } from './roles/assign-role.ts';
import { featuresOf, NOTHING, TOKEN_GRANTS } from './roles/built-in.ts';
import { excessOf, type Grants } from './roles/exceeds.ts';
import { grantsOf } from './roles/grants.ts';

interface CreatedAccount {
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
    const secret = await addKey(tx, id, { type: 'secret', name: 'First token' }, now);
    const publishable = await addKey(tx, id, { type: 'publishable', name: 'First key' }, now);
    return { account: { id: publicId('acc', id), name: cleaned }, token: secret.token, apiKey: publishable.token };
  });
}

/** Creates a key by command. Its `token` is returned only here. @throws 404 for an unknown account; 400 with every fault */
export async function createKey(
  control: ControlDatabase,
  accountId: string,
  type: KeyType,
  name: string,
  limits: Pick<NewKey, 'roleId' | 'expiresAt' | 'allowedAddresses'> = {},
): Promise<CreatedKey> {
  const account = await requireAccount(control, accountId);
  return control.transaction(async (tx) => {
    const assigned = await assignedKeyRole(tx, account, undefined, { type, ...limits });
    return createKeyFor(tx, commandFor(account), { type, name, ...limits, ...assigned }, Date.now());
  });
}

/** What is chosen of a key. */
type KeySettings = Pick<NewKey, 'type' | 'name' | 'expiresAt' | 'allowedAddresses'> & {
  role?: KeyRow['role'];
  /** UUID of a role of the account. */
  role_id?: string | null;
};

/**
 * Creates a key. Its `token` is returned only here.
 * @param claim the key has no token until `giveToken` gives it one for this
 * @throws 400 with every fault
 */
export async function createKeyFor(tx: ControlTx, author: Author, sent: KeySettings, now: number, claim?: string) {
  const allowedAddresses = checkSettings(sent, now);
  await checkNumber(tx, author.accountId);
  const settings = { ...sent, name: cleanName(sent.name), allowedAddresses };
  const key = await addKey(tx, author.accountId, settings, now, claim);
  const { type, name, hint, expiresAt, roleId } = key;
  const after = {
    ...{ type, name, hint },
    ...(expiresAt && { expiresAt }),
    ...(allowedAddresses && { allowedAddresses: allowedAddresses.join(', ') }),
    ...(roleId && { roleId }),
  };
  await audit(tx, author, { action: 'key.created', subject: ['key', key.id], after }, now);
  return key;
}

/** Gives a secret token to the key that was created with a claim. @returns undefined: it has one, or is revoked */
export async function giveToken(
  control: ControlDatabase,
  { keyId: id, claim }: { keyId: string; claim: string },
): Promise<CreatedKey | undefined> {
  const token = createKeyText('secret');
  const [row] = await replaceKeyHash(control, {
    id,
    hash: hashKey(claim),
    next: hashKey(token),
    hint: token.slice(-4),
  });
  return row && { ...serializeKey(row), token };
}

/** @returns the addresses in their normal form @throws ApiError 400 with every fault */
function checkSettings({ type, expiresAt, allowedAddresses, role }: KeySettings, now: number): string[] | null {
  const faults: Fault[] = [];
  const fault = (pointer: string, code: string, detail: string) => faults.push({ pointer, code, detail });
  if (expiresAt && Date.parse(expiresAt) <= now) fault('/expiresAt', 'time_past', 'The key would have ended already.');
  if (role && type !== 'secret') fault('/roleId', 'role_not_allowed', 'Only secret tokens have a role.');
  if (allowedAddresses && type === 'publishable') {
    fault('/allowedAddresses', 'addresses_not_allowed', 'Publishable keys are used by visitors, from any address.');
  }
  const addresses = allowedAddresses?.map((text, i) => {
    const address = normalizeAddress(text);
    if (address === undefined) {
      fault(`/allowedAddresses/${i}`, 'address_invalid', 'Write an IP address or a CIDR range, such as 192.0.2.0/24.');
    }
    return address ?? text;
  });
  refuse(faults);
  return addresses ?? null;
}

/** Locks the account, so that requests at the same time create no more. @throws ApiError 400 `too_many_keys` */
async function checkNumber(tx: ControlTx, accountId: string): Promise<void> {
  await lockAccount(tx, { id: accountId });
  const [row] = await countKeys(tx, { account_id: accountId });
  if ((row?.count ?? 0) >= LIMITS.keys) {
    throw badRequest('too_many_keys', `An account has at most ${LIMITS.keys} keys. Revoke one first.`);
  }
}

/**
 * The role that a new key gets.
 * @param caller undefined: a command
 * @throws ApiError 400 as `assignedRole`
 */
export async function assignedKeyRole(
  tx: ControlTx,
  accountId: string,
  caller: Caller | undefined,
  { type, roleId }: Pick<NewKey, 'type' | 'roleId'>,
): Promise<Pick<KeySettings, 'role' | 'role_id'>> {
  if (roleId == null) {
    if (caller) refuseExcess(KEY_GRANTS[type], caller, '/roleId');
    return {};
  }
  const assigned = await assignedRole(tx, accountId, caller, { roleId });
  if (!assigned || assigned.role === 'owner') {
    const detail = 'No token can have the role owner: a leaked one could not be shut out. Leave the role out.';
    throw badRequest('role_not_assignable', detail);
  }
  return { role: assigned.role, role_id: assigned.role_id };
}

/** What keys without a role may do. */
const KEY_GRANTS: Record<KeyType, Grants> = {
  secret: TOKEN_GRANTS,
  postback: { permissions: [], features: featuresOf('none', { conversions: 'write' }) },
  publishable: NOTHING,
};

function refuseExcess(granted: Grants, caller: Caller, pointer: string): void {
  const [first] = excessOf(granted, grantsOf(caller));
  if (first) throw invalid([{ ...first, pointer }]);
}

/** Nobody has a hand in a key that may do what they may not. @throws ApiError 400 `role_exceeds_own` */
async function refuseKey(
  tx: ControlTx,
  caller: Caller,
  { account_id, type, role, role_id }: Pick<KeyRow, 'account_id' | 'type' | 'role' | 'role_id'>,
): Promise<void> {
  if (role) await refuseHigher(tx, account_id, caller, { role, role_id });
  else refuseExcess(KEY_GRANTS[type], caller, '');
}

/** For how long a rotated token still works. */
const OVERLAP_MS = DAY;

/** Creates a key with the settings of another one, which ends in 24 hours. @throws 404; 400 `key_revoked` */
export async function rotateKeyFor(
  tx: ControlTx,
  author: Author,
  keyId: string,
  now: number,
  caller: Caller,
): Promise<CreatedKey> {
  const { accountId: account_id } = author;
  const id = parseId('key', keyId);
  const [found] = id === undefined ? [] : await findKey(tx, { id });
  if (found?.account_id !== account_id) throw notFound('token');
  if (found.revoked_at || (found.expires_at && found.expires_at.getTime() <= now)) {
    throw badRequest('key_revoked', 'The key has ended already. Create a new one.');
  }
  const { type, name, allowed_addresses: allowedAddresses, role, role_id } = found;
  await refuseKey(tx, caller, found);
  await checkNumber(tx, account_id);
  const key = await addKey(tx, account_id, { type, name, allowedAddresses, role, role_id }, now);
  await endKey(tx, { account_id, id: found.id, at: new Date(now + OVERLAP_MS) });
  const after = { type, name, hint: key.hint };
  await audit(tx, author, { action: 'key.rotated', subject: ['key', keyId], before: { hint: found.hint }, after }, now);
  return key;
}

/** Revokes a token that was found somewhere, for whoever has it. Returns whether there is one. */
export async function revokeLeaked(
  control: ControlDatabase,
  token: string,
  address: string,
  now: number,
): Promise<boolean> {
  const [found] = typeOfKey(token) === undefined ? [] : await findKeyToRevoke(control, { hash: hashKey(token) });
  if (!found) return false;
  const author: Author = { accountId: found.account_id, type: 'command', id: null, address };
  await revokeKeyFor(control, author, publicId('key', found.id), now);
  return true;
}

/** @throws 404; 400 `name_invalid`, `role_exceeds_own` */
export async function renameKeyFor(
  control: ControlDatabase,
  author: Author,
  keyId: string,
  name: string,
  now: number,
  caller: Caller,
) {
  const id = parseId('key', keyId);
  const cleaned = cleanName(name);
  return control.transaction(async (tx) => {
    const [found] = id === undefined ? [] : await findKey(tx, { id });
    if (found?.account_id === author.accountId) await refuseKey(tx, caller, found);
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

/**
 * Revokes a key of the author's account: every process refuses it once this returns.
 * @param caller whose role limits it; undefined: a command, or somebody who has the token
 * @throws 404; 400 `role_exceeds_own`
 */
export async function revokeKeyFor(
  control: ControlDatabase,
  author: Author,
  keyId: string,
  now: number,
  caller?: Caller,
): Promise<ApiKey> {
  const id = parseId('key', keyId);
  const [found] = id === undefined ? [] : await findKey(control, { id });
  if (found?.account_id !== author.accountId) throw notFound('token');
  if (caller) await control.transaction((tx) => refuseKey(tx, caller, found));
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

async function addKey(
  tx: ControlTx,
  accountId: string,
  { type, name, expiresAt, allowedAddresses = null, role = null, role_id = null }: KeySettings,
  now: number,
  token = createKeyText(type),
): Promise<CreatedKey> {
  const [row] = await insertKey(tx, {
    account_id: accountId,
    id: newUuid(now),
    type,
    name,
    hash: hashKey(token),
    hint: token.slice(-4),
    publishable_key: type === 'publishable' ? token : null,
    created_at: new Date(now),
    expires_at: expiresAt ? new Date(expiresAt) : null,
    allowed_addresses: allowedAddresses,
    role,
    role_id,
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
    expiresAt: row.expires_at && isoTime(row.expires_at),
    allowedAddresses: row.allowed_addresses,
    roleId: row.role_id ? publicId('rol', row.role_id) : row.role,
  };
}
