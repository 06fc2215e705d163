import { CredentialStore, type Credentials, findDestination } from '../../destinations/index.ts';
import type { Database, Tx } from '../../shared/postgres/database.ts';
import type { Vault } from '../../shared/secrets/vault.ts';
import { PlatformFault } from '../connectors/connector.ts';
import { connectorOf } from '../connectors/registry.ts';
import { type CostSourceRow, keepCredentials } from './queries.ts';

/** The credentials of cost sources: their own, and those that a destination lends. */
export class SourceCredentials {
  readonly #db: Database;
  readonly #own: CredentialStore;
  readonly #destinations: CredentialStore;

  constructor(db: Database, vault: Vault) {
    this.#db = db;
    this.#own = new CredentialStore(vault, 'cost source credentials');
    this.#destinations = new CredentialStore(vault);
  }

  seal(tx: Tx, key: { account_id: string; id: string }, credentials: Credentials): Promise<Buffer> {
    return this.#own.seal(tx, key, credentials);
  }

  /** @throws SecretUnreadable */
  own(tx: Tx, source: CostSourceRow): Promise<Credentials> {
    return this.#own.open(tx, source);
  }

  /** What a destination lends; undefined if there is none of this platform. @throws SecretUnreadable */
  async lent(
    tx: Tx,
    { account_id, platform }: Pick<CostSourceRow, 'account_id' | 'platform'>,
    id: string,
  ): Promise<Credentials | undefined> {
    const [destination] = await findDestination(tx, { account_id, id });
    if (destination?.platform !== platform) return undefined;
    const { reuses } = connectorOf(platform);
    const opened = await this.#destinations.open(tx, destination);
    return Object.fromEntries(Object.entries(opened).filter(([name]) => reuses.includes(name)));
  }

  /** All that requests are made with. @throws SecretUnreadable, PlatformFault if the destination was deleted */
  async open(source: CostSourceRow): Promise<Credentials> {
    const own = await this.own(this.#db, source);
    if (source.destination_id === null) return own;
    const lent = await this.lent(this.#db, source, source.destination_id);
    if (lent === undefined) {
      throw new PlatformFault('credentials', 'The destination whose credentials it uses was deleted.');
    }
    return { ...lent, ...own };
  }

  /** A platform renewed a refresh token that is stored here. */
  async keepRefreshToken(source: CostSourceRow, refreshToken: string): Promise<void> {
    const own = await this.own(this.#db, source);
    if (own.refreshToken === undefined) return;
    const { account_id, id, credentials: before } = source;
    await this.#db.transaction(async (tx) => {
      const credentials = await this.seal(tx, source, { ...own, refreshToken });
      await keepCredentials(tx, { account_id, id, credentials, before });
    });
  }
}
