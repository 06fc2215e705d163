import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts values for the database with AES-256-GCM and a key derived from the instance's secret, so that reading a table
 * is not enough to use what it contains. Each purpose has its own key.
 */
export class SecretBox {
  readonly #key: Buffer;

  constructor(instanceSecret: Buffer, purpose: string) {
    this.#key = Buffer.from(hkdfSync('sha256', instanceSecret, '', purpose, 32));
  }

  /** @param context what the value belongs to, such as the id of its row: it cannot be opened as that of another one */
  seal(value: Buffer, context = ''): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(context));
    return Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()]);
  }

  /** @throws if the value was changed, or sealed by another instance or for another context */
  open(sealed: Buffer, context = ''): Buffer {
    const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, NONCE_BYTES));
    decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  }
}
