import { hkdfSync } from 'node:crypto';
import { KEY_BYTES, open, seal } from './secrets/seal.ts';

/**
 * Encrypts values of the installation with a key derived from its secret, which the master key protects: reading the database is not
 * enough to use what it contains. Each purpose has its own key. What belongs to an account is encrypted with its data key instead (`Vault`).
 */
export class SecretBox {
  readonly #key: Buffer;

  constructor(instanceSecret: Uint8Array, purpose: string) {
    this.#key = Buffer.from(hkdfSync('sha256', instanceSecret, '', purpose, KEY_BYTES));
  }

  /** @param context what the value belongs to, such as the id of its row: it cannot be opened as that of another one */
  seal(value: Buffer, context = ''): Buffer {
    return seal(this.#key, value, context);
  }

  /** @throws if the value was changed, or sealed by another instance or for another context */
  open(sealed: Buffer, context = ''): Buffer {
    return open(this.#key, sealed, context);
  }
}
