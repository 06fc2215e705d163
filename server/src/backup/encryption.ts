import { Readable } from 'node:stream';
import { ConfigError } from '../shared/config.ts';

/** A stage of a pipeline. */
export type Stage = (source: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

export const asIs: Stage = (source) => source;

// The library is loaded on demand: most backups are not encrypted, and the service does not need it to start.
const age = () => import('age-encryption');

/** Encrypts to a public key in the format of age (age-encryption.org), which the `age` command can decrypt as well. */
export function encryption(recipient: string): Stage {
  return async function* (source) {
    const { Encrypter } = await age();
    const encrypter = new Encrypter();
    encrypter.addRecipient(recipient);
    yield* await encrypter.encrypt(webStream(source));
  };
}

/** Decrypts what was encrypted to the public key of `identity`. @throws ConfigError if it was encrypted to another one */
export function decryption(identity: string): Stage {
  return async function* (source) {
    const { Decrypter } = await age();
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    const decrypted = await decrypter.decrypt(webStream(source)).catch((cause: unknown) => {
      throw new ConfigError('The backup cannot be decrypted: it was encrypted to another key, or it is damaged.', {
        cause,
      });
    });
    yield* decrypted;
  };
}

/** Creates a pair of keys: the identity decrypts, the recipient encrypts. */
export async function createBackupKey(): Promise<{ identity: string; recipient: string }> {
  const { generateIdentity, identityToRecipient } = await age();
  const identity = await generateIdentity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** The public key that belongs to a private one. */
export async function recipientOf(identity: string): Promise<string> {
  return (await age()).identityToRecipient(identity);
}

/** The private key in the text of an identity file: its first line that is no comment. */
export function parseIdentity(text: string): string {
  const line = text.split('\n').find((each) => each.trim().startsWith('AGE-SECRET-KEY-'));
  if (line === undefined) throw new ConfigError('The identity must be a line that starts with AGE-SECRET-KEY-.');
  return line.trim();
}

function webStream(source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  return Readable.toWeb(Readable.from(source)) as ReadableStream<Uint8Array>;
}
