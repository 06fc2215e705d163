import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type Config, ConfigError } from '../config.ts';
import { KEY_BYTES, open, seal } from './seal.ts';

/** What a master key has encrypted. */
export interface Wrapped {
  wrapped: Buffer;
  /** The id of the key. */
  master_key: string;
}

type Source = Pick<Config, 'secretKey' | 'secretKeyFile'>;

/** An id says which key it is, and nothing about it. */
const idOf = (key: Buffer) =>
  createHash('sha256').update('headwater master key\n').update(key).digest('hex').slice(0, 8);

/**
 * The master keys of the installation, which are never in a database or a backup: those of SECRET_KEY, or of a file with one key a line.
 * The first is the newest; earlier ones open what they have encrypted. A file is read again when a key is missing, so a running process
 * learns of a new one.
 */
export class MasterKeys {
  readonly #source: Source;
  #keys = new Map<string, Buffer>();

  /** @throws ConfigError if a key is malformed, or the file cannot be read */
  constructor(source: Source) {
    this.#source = source;
    this.#read();
  }

  /** The id of the newest key; undefined if there is none yet. */
  get newest(): string | undefined {
    return this.#keys.keys().next().value;
  }

  /** Where the keys are, for messages. */
  get place(): string {
    return this.#source.secretKey === undefined ? this.#source.secretKeyFile : 'SECRET_KEY';
  }

  has(id: string): boolean {
    if (!this.#keys.has(id)) this.#read();
    return this.#keys.has(id);
  }

  /** The id of the newest key. The first start creates one, in the file. */
  ensure(): string {
    if (this.newest === undefined) this.add();
    return this.newest as string;
  }

  /** Adds a key to the file as the newest one. @throws ConfigError if the keys are in SECRET_KEY */
  add(): string {
    const { secretKey, secretKeyFile } = this.#source;
    if (secretKey !== undefined) {
      throw new ConfigError(
        'the keys are in SECRET_KEY: put a new one, of `openssl rand -base64 32`, in front of the present one',
      );
    }
    const isFirst = this.#keys.size === 0;
    const lines = [randomBytes(KEY_BYTES), ...this.#keys.values()].map((key) => key.toString('base64'));
    try {
      mkdirSync(dirname(secretKeyFile), { recursive: true });
      writeFile(secretKeyFile, `${lines.join('\n')}\n`, isFirst);
    } catch (cause) {
      throw new ConfigError(
        `SECRET_KEY_FILE ${secretKeyFile} cannot be written (${(cause as { code?: string }).code})`,
        { cause },
      );
    }
    // Another process may have been faster.
    this.#read();
    return this.newest as string;
  }

  wrap(value: Uint8Array, context: string, master_key = this.ensure()): Wrapped {
    return { wrapped: seal(this.#keyOf(master_key), value, context), master_key };
  }

  /** @throws ConfigError if the key is missing */
  unwrap({ wrapped, master_key }: Wrapped, context: string): Buffer {
    return open(this.#keyOf(master_key), wrapped, context);
  }

  #keyOf(id: string): Buffer {
    const key = this.has(id) ? this.#keys.get(id) : undefined;
    if (key !== undefined) return key;
    const found = this.newest === undefined ? 'there is no key' : 'there is another key';
    throw new ConfigError(
      `the database is encrypted with the master key ${id}, and ${found} in ${this.place}: give every process the same SECRET_KEY or SECRET_KEY_FILE, or run \`headwater secret reset\` if the key is lost`,
    );
  }

  #read(): void {
    const { secretKey, secretKeyFile } = this.#source;
    const text = secretKey ?? textOf(secretKeyFile);
    const keys = text.split(/[\s,]+/).filter((line) => line !== '');
    this.#keys = new Map(keys.map((line) => parseKey(line, this.place)).map((key) => [idOf(key), key]));
  }
}

/** 32 bytes as hexadecimal digits or Base64. */
function parseKey(text: string, place: string): Buffer {
  const isHex = /^[0-9a-f]{64}$/i.test(text);
  const key = Buffer.from(text, isHex ? 'hex' : 'base64');
  if (key.length === KEY_BYTES && (isHex || /^[A-Za-z0-9+/_-]{43}=?$/.test(text))) return key;
  throw new ConfigError(
    `${place} must be 32 random bytes as Base64 or hexadecimal digits, such as those of \`openssl rand -base64 32\``,
  );
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as { code?: string };
    if (code === 'ENOENT') return '';
    throw new ConfigError(`SECRET_KEY_FILE ${path} cannot be read (${code})`, { cause });
  }
}

/** Writes a file that nobody else can read, flushed to disk: whatever a lost key has encrypted is lost. */
function writeFile(path: string, text: string, isNew: boolean): void {
  const draft = `${path}.${randomUUID()}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    // Of processes that start at the same time, one creates the key.
    if (isNew) linkSync(draft, path);
    else renameSync(draft, path);
  } catch (error) {
    if (!isNew || (error as { code?: string }).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}
