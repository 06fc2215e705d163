import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The secrets that endpoints' payloads are signed with. They are stored encrypted with a key that is made of the
 * service's own secret: whoever reads the table alone cannot sign.
 */
export class Secrets {
  readonly #key: Buffer;
  /** Opened ones, by what is stored: an endpoint's is asked for with each of its deliveries. */
  readonly #opened = new Map<string, Buffer>();

  constructor(instanceSecret: Buffer) {
    this.#key = Buffer.from(hkdfSync('sha256', instanceSecret, '', 'webhook-secrets', 32));
  }

  /** A new secret, as it is stored. */
  make(): Buffer {
    return this.#seal(randomBytes(BYTES));
  }

  /** The secret as its owner is shown it: `whsec_` and base64. */
  show(stored: Buffer): string {
    return PREFIX + this.open(stored).toString('base64');
  }

  open(stored: Buffer): Buffer {
    const name = stored.toString('latin1');
    let secret = this.#opened.get(name);
    if (secret === undefined) {
      secret = this.#unseal(stored);
      if (this.#opened.size >= 10_000) this.#opened.clear();
      this.#opened.set(name, secret);
    }
    return secret;
  }

  #seal(secret: Buffer): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  }

  #unseal(stored: Buffer): Buffer {
    const decipher = createDecipheriv('aes-256-gcm', this.#key, stored.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(stored.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(stored.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  }
}

/** The headers of Standard Webhooks: one signature for each secret that is good at the time. */
export function signedHeaders(id: string, atMs: number, body: string, secrets: readonly Buffer[]) {
  const timestamp = String(Math.floor(atMs / 1000));
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map((secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`);
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
