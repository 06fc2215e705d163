import { createHmac, randomBytes } from 'node:crypto';
import { newCache } from '../../shared/lru-cache.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { SecretBox } from '../../shared/secret-box.ts';
import type { Webhook, WebhookWithSecret } from '../contract.ts';
import { type EndpointRow, replaceSecret } from './queries.ts';
import { endpointId, requireEndpoint, requireRow, serializeWebhook } from './serialize.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const MAX_CACHED = 10_000;
const OVERLAP_MS = 24 * 3_600_000;

/** Signing secrets, stored encrypted with a key derived from the instance's secret: reading the table is not enough to sign. */
export class WebhookSecrets {
  readonly #box: SecretBox;
  /** Decrypted secrets by their stored form: each delivery needs its endpoint's. */
  readonly #decrypted = newCache<Buffer>(MAX_CACHED);

  constructor(instanceSecret: Buffer) {
    this.#box = new SecretBox(instanceSecret, 'webhook-secrets');
  }

  /** A new secret, encrypted. */
  create(): Buffer {
    return this.#box.seal(randomBytes(SECRET_BYTES));
  }

  /** The secret as its owner configures it: `whsec_` and Base64. */
  format(stored: Buffer): string {
    return PREFIX + this.decrypt(stored).toString('base64');
  }

  decrypt(stored: Buffer): Buffer {
    const name = stored.toString('latin1');
    let secret = this.#decrypted.get(name);
    if (secret === undefined) {
      secret = this.#box.open(stored);
      this.#decrypted.set(name, secret);
    }
    return secret;
  }
}

/** Replaces the secret. The previous one also signs for 24 hours. @throws 404 */
export async function rotateSecret(
  tx: Tx,
  secrets: WebhookSecrets,
  accountId: string,
  webhookId: string,
  now: number,
): Promise<Webhook> {
  const [row] = await replaceSecret(tx, {
    account_id: accountId,
    id: endpointId(webhookId),
    secret: secrets.create(),
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
  const { secret } = await requireEndpoint(tx, accountId, webhook.id);
  return { ...webhook, secret: secrets.format(secret) };
}

type Signer = Pick<EndpointRow, 'secret' | 'previous_secret' | 'previous_secret_until'>;

/** The headers of Standard Webhooks, signed with each secret that is valid at `now`. */
export function signedHeaders(secrets: WebhookSecrets, signer: Signer, id: string, body: string, now: number) {
  const { secret, previous_secret: previous, previous_secret_until: until } = signer;
  const isOverlap = previous !== null && until !== null && until.getTime() > now;
  const timestamp = String(Math.floor(now / 1000));
  const signatures = (isOverlap ? [secret, previous] : [secret]).map((stored) => {
    const signature = createHmac('sha256', secrets.decrypt(stored)).update(`${id}.${timestamp}.${body}`);
    return `v1,${signature.digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
