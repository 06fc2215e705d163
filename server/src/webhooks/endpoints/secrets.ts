import { createHmac, createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { newCache } from '../../shared/lru-cache.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { Vault } from '../../shared/secrets/vault.ts';
import { DAY } from '../../shared/units.ts';
import type { Webhook, WebhookWithSecret } from '../contract.ts';
import { type EndpointRow, lockEndpoint, replaceSecret } from './queries.ts';
import { endpointId, requireEndpoint, requireRow, serializeWebhook } from './serialize.ts';

const PREFIX = 'whsec_';
const PUBLIC_PREFIX = 'whpk_';
const SECRET_BYTES = 32;
const MAX_CACHED = 10_000;
const OVERLAP_MS = DAY;

/** What precedes the 32 bytes of an Ed25519 private key in PKCS #8. */
const PKCS8_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');

const KIND = 'webhook secret';

type Stored = Pick<EndpointRow, 'account_id' | 'id'>;

/** What signs the messages of an endpoint. */
interface Keys {
  hmac: Buffer;
  /** If the endpoint also wants Ed25519 signatures. */
  ed25519: KeyObject | undefined;
}

/** Stored keys: `secret` is encrypted for the row that stores it, so reading the table is not enough to sign. */
type SealedKeys = Pick<EndpointRow, 'secret' | 'public_key'>;

/** Signing secrets: 32 bytes for HMAC, followed by the private key if the endpoint has an Ed25519 key. */
export class WebhookSecrets {
  readonly #vault: Vault;
  /** Decrypted keys by their stored form: each delivery needs its endpoint's. */
  readonly #decrypted = newCache<Keys>(MAX_CACHED);

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** A new secret, and a new key pair if the endpoint has one. */
  create(tx: Tx, endpoint: Stored, hasKeyPair: boolean): Promise<SealedKeys> {
    return this.#seal(tx, endpoint, randomBytes(SECRET_BYTES), hasKeyPair);
  }

  /** The same secret with a new key pair, or without one. @throws SecretUnreadable */
  async changeKeyPair(tx: Tx, endpoint: Stored, stored: Buffer, hasKeyPair: boolean): Promise<SealedKeys> {
    const { hmac } = await this.decrypt(tx, endpoint, stored);
    return this.#seal(tx, endpoint, hmac, hasKeyPair);
  }

  async #seal(tx: Tx, { account_id, id }: Stored, hmac: Buffer, hasKeyPair: boolean): Promise<SealedKeys> {
    const seed = hasKeyPair ? randomBytes(SECRET_BYTES) : Buffer.alloc(0);
    const secret = await this.#vault.seal(tx, { accountId: account_id, kind: KIND, id }, Buffer.concat([hmac, seed]));
    return { secret, public_key: hasKeyPair ? publicKeyOf(privateKey(seed)) : null };
  }

  /** @throws SecretUnreadable */
  async decrypt(tx: Tx, { account_id, id }: Stored, stored: Buffer): Promise<Keys> {
    const name = stored.toString('latin1');
    let keys = this.#decrypted.get(name);
    if (keys === undefined) {
      const opened = await this.#vault.open(tx, { accountId: account_id, kind: KIND, id }, stored);
      const seed = opened.subarray(SECRET_BYTES);
      keys = { hmac: opened.subarray(0, SECRET_BYTES), ed25519: seed.length > 0 ? privateKey(seed) : undefined };
      this.#decrypted.set(name, keys);
    }
    return keys;
  }
}

const privateKey = (seed: Buffer) =>
  createPrivateKey({ key: Buffer.concat([PKCS8_HEADER, seed]), format: 'der', type: 'pkcs8' });

/** As receivers configure it. */
function publicKeyOf(key: KeyObject): string {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return PUBLIC_PREFIX + Buffer.from(x, 'base64url').toString('base64');
}

/** How secrets were stored before accounts had data keys. */
export const SEALED_SECRETS = ['secret', 'previous_secret'].map((column) => ({
  table: 'webhook_endpoints',
  column,
  kind: KIND,
  purpose: 'webhook-secrets',
  contextOf: () => '',
}));

/** Replaces the secret, and the key pair if there is one. The previous ones also sign for 24 hours. @throws 404 */
export async function rotateSecret(
  tx: Tx,
  secrets: WebhookSecrets,
  accountId: string,
  webhookId: string,
  now: number,
): Promise<Webhook> {
  const [locked] = await lockEndpoint(tx, { account_id: accountId, id: endpointId(webhookId) });
  const { account_id, id, public_key } = requireRow(locked);
  const [row] = await replaceSecret(tx, {
    account_id,
    id,
    ...(await secrets.create(tx, { account_id, id }, public_key !== null)),
    previous_until: new Date(now + OVERLAP_MS),
    now: new Date(now),
  });
  return serializeWebhook(requireRow(row), now);
}

/** Adds the current secret to the response that created or rotated it. */
export async function withSecret(
  tx: Tx,
  secrets: WebhookSecrets,
  accountId: string,
  webhook: Webhook,
): Promise<WebhookWithSecret> {
  const endpoint = await requireEndpoint(tx, accountId, webhook.id);
  const { hmac } = await secrets.decrypt(tx, endpoint, endpoint.secret);
  // As its owner configures it.
  return { ...webhook, secret: PREFIX + hmac.toString('base64') };
}

type Signer = Stored & Pick<EndpointRow, 'secret' | 'previous_secret' | 'previous_secret_until'>;

/** The headers of Standard Webhooks, signed with each key that is valid at `now`. @throws SecretUnreadable */
export async function signedHeaders(
  tx: Tx,
  secrets: WebhookSecrets,
  signer: Signer,
  id: string,
  body: string,
  now: number,
) {
  const { secret, previous_secret: previous, previous_secret_until: until } = signer;
  const isOverlap = previous !== null && until !== null && until.getTime() > now;
  const timestamp = String(Math.floor(now / 1000));
  const signed = `${id}.${timestamp}.${body}`;
  const signatures: string[] = [];
  for (const stored of isOverlap ? [secret, previous] : [secret]) {
    const { hmac, ed25519 } = await secrets.decrypt(tx, signer, stored);
    signatures.push(`v1,${createHmac('sha256', hmac).update(signed).digest('base64')}`);
    if (ed25519) signatures.push(`v1a,${sign(null, Buffer.from(signed), ed25519).toString('base64')}`);
  }
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
