import type { Tx } from '../../shared/postgres/database.ts';
import type { Vault } from '../../shared/secrets/vault.ts';
import type { CredentialField, Credentials } from '../platforms/platform.ts';
import type { DestinationRow } from './queries.ts';

const KIND = 'destination credentials';

export type CredentialFields = Readonly<Record<string, CredentialField>>;

/** Credentials of ad platforms, encrypted for the row that stores them. */
export class CredentialStore {
  readonly #vault: Vault;
  readonly #kind: string;

  constructor(vault: Vault, kind = KIND) {
    this.#vault = vault;
    this.#kind = kind;
  }

  seal(tx: Tx, { account_id, id }: { account_id: string; id: string }, credentials: Credentials): Promise<Buffer> {
    const place = { accountId: account_id, kind: this.#kind, id };
    return this.#vault.seal(tx, place, Buffer.from(JSON.stringify(credentials)));
  }

  /** @throws SecretUnreadable */
  async open(
    tx: Tx,
    { account_id, id, credentials }: Pick<DestinationRow, 'account_id' | 'id' | 'credentials'>,
  ): Promise<Credentials> {
    const opened = await this.#vault.open(tx, { accountId: account_id, kind: this.#kind, id }, credentials);
    return JSON.parse(opened.toString()) as Credentials;
  }
}

/** How credentials were stored before accounts had data keys. */
export const SEALED_CREDENTIALS = {
  table: 'destinations',
  column: 'credentials',
  kind: KIND,
  purpose: 'destination-credentials',
  contextOf: (id: string) => id,
};

/** The credentials that are no secrets. */
export function connectionOf(fields: CredentialFields, credentials: Credentials): Credentials {
  return Object.fromEntries(Object.entries(credentials).filter(([name]) => fields[name]?.isSecret === false));
}

/** Replaces the secrets that a text repeats, in whatever form they were sent. */
export function maskSecrets(fields: CredentialFields, credentials: Credentials, text: string): string {
  let masked = text;
  for (const [name, value] of Object.entries(credentials)) {
    if (!fields[name]?.isSecret || value.length < 4) continue;
    for (const form of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]) {
      masked = masked.replaceAll(form, '***');
    }
  }
  return masked;
}
