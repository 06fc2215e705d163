import { randomBytes } from 'node:crypto';
import { ConfigError } from '../config.ts';
import { newCache } from '../lru-cache.ts';
import type { Tx } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';
import type { MasterKeys, Wrapped } from './master-keys.ts';
import { KEY_BYTES, open, seal } from './seal.ts';

const MAX_CACHED = 10_000;

/** Marks what is encrypted with a data key. */
export const MAGIC = Buffer.from('HWS1');

/** Where a secret of an account is stored. It cannot be opened as that of another account, row or kind. */
export interface SecretPlace {
  accountId: string;
  /** Such as `webhook`. */
  kind: string;
  /** The id of its row. */
  id: string;
}

const contextOf = ({ accountId, kind, id }: SecretPlace) => `${kind}\n${accountId}\n${id}`;
export const dataKeyContext = (accountId: string) => `data key\n${accountId}`;

const findDataKey = statement('shared.find_data_key', { account_id: 'uuid' }).returns<Wrapped>(
  'select wrapped, master_key from data_keys where account_id = :account_id',
);

/** Nothing is inserted while the master keys are rotated, or if the account has a key. */
const insertDataKey = statement('shared.insert_data_key', {
  account_id: 'uuid',
  wrapped: 'bytea',
  master_key: 'text',
}).returns<Wrapped>(
  `insert into data_keys (account_id, wrapped, master_key)
   select :account_id, :wrapped, :master_key from instance where master_key = :master_key for share
   on conflict do nothing returning wrapped, master_key`,
);

const findMasterKey = statement('shared.find_master_key', {}).returns<{ master_key: string | null }>(
  'select master_key from instance',
);

/** Encrypts the secrets of accounts, each with the data key of its account, which is in the same database as the secret. */
export class Vault {
  readonly keys: MasterKeys;
  readonly #dataKeys = newCache<Buffer>(MAX_CACHED);

  constructor(keys: MasterKeys) {
    this.keys = keys;
  }

  async seal(tx: Tx, place: SecretPlace, value: Uint8Array): Promise<Buffer> {
    // Not from the cache: the transaction that created the key may have failed.
    const key = (await this.#find(tx, place.accountId)) ?? (await this.#create(tx, place.accountId));
    return Buffer.concat([MAGIC, seal(key, value, contextOf(place))]);
  }

  /** @throws SecretUnreadable */
  async open(tx: Tx, place: SecretPlace, sealed: Buffer): Promise<Buffer> {
    const { accountId } = place;
    const value = sealed.subarray(MAGIC.length);
    const cached = this.#dataKeys.get(accountId);
    try {
      if (cached !== undefined) return open(cached, value, contextOf(place));
    } catch {
      this.#dataKeys.delete(accountId);
    }
    try {
      const key = await this.#find(tx, accountId);
      if (key === undefined) throw new Error('the account has no data key');
      const opened = open(key, value, contextOf(place));
      this.#dataKeys.set(accountId, key);
      return opened;
    } catch (cause) {
      // This process lacks a key that others have.
      if (cause instanceof ConfigError) throw cause;
      throw new SecretUnreadable(place, cause);
    }
  }

  async #find(tx: Tx, account_id: string): Promise<Buffer | undefined> {
    const [row] = await findDataKey(tx, { account_id });
    return row && this.keys.unwrap(row, dataKeyContext(account_id));
  }

  async #create(tx: Tx, account_id: string): Promise<Buffer> {
    for (;;) {
      const [{ master_key } = { master_key: null }] = await findMasterKey(tx);
      if (master_key === null) throw new Error('the database has no master key');
      const key = randomBytes(KEY_BYTES);
      const wrapped = this.keys.wrap(key, dataKeyContext(account_id), master_key);
      const [inserted] = await insertDataKey(tx, { account_id, ...wrapped });
      if (inserted) return key;
      const found = await this.#find(tx, account_id);
      if (found) return found;
    }
  }
}

/** A secret whose master key is lost: it has to be entered again. */
export class SecretUnreadable extends Error {
  constructor({ accountId, kind, id }: SecretPlace, cause: unknown) {
    super(`the ${kind} ${id} of the account ${accountId} cannot be decrypted`, { cause });
  }
}
