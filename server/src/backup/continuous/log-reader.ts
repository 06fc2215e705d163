import { createWriteStream } from 'node:fs';
import { chown, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createZstdDecompress } from 'node:zlib';
import type { Storage } from '../../files/index.ts';
import type { Owner } from '../../shared/postgres/server-process.ts';
import { asIs, decryption } from '../encryption.ts';
import { readBlob } from '../repository.ts';
import type { Chain } from './chain.ts';
import { SEGMENT_BYTES } from './segments.ts';

const POLL_MS = 10;
/** Segments that are fetched before the server asks for them. */
const AHEAD = 4;

/**
 * Gives a recovering server the segments of a chain, a few at a time. The server asks by a file in `folder`, since its
 * `restore_command` is a shell command that runs as another user.
 */
export class LogReader {
  readonly #storage: Storage;
  readonly #keys: Map<string, string>;
  readonly #names: string[];
  readonly #identity: string | undefined;
  readonly #folder: string;
  readonly #owner: Owner | undefined;
  readonly #fetched = new Map<string, Promise<string>>();

  constructor(
    { segments }: Chain,
    storage: Storage,
    identity: string | undefined,
    folder: string,
    owner: Owner | undefined,
  ) {
    this.#storage = storage;
    this.#keys = new Map(segments.map(({ name, key }) => [name, key]));
    this.#names = segments.map(({ name }) => name);
    this.#identity = identity;
    this.#folder = folder;
    this.#owner = owner;
  }

  /** The `restore_command` of the server. It gives up after ten minutes without a response. */
  get command(): string {
    const file = `${quote(this.#folder)}/%f`;
    const wait = `n=0; while [ ! -e ${file}.ready ] && [ $n -lt 60000 ]; do sleep 0.01; n=$((n+1)); done`;
    return `: > ${file}.wanted && { ${wait}; } && rm -f ${file}.wanted ${file}.ready && mv ${file} %p`;
  }

  /** Makes the folder in which the server asks, which has to be there before the server starts. */
  async prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    if (this.#owner) await chown(this.#folder, this.#owner.uid, this.#owner.gid);
  }

  /** Responds to the server until `signal` is aborted. @throws if a segment cannot be read */
  async serve(signal: AbortSignal): Promise<void> {
    for (; !signal.aborted; await sleep(POLL_MS)) {
      const files = await readdir(this.#folder);
      const wanted = files.filter((file) => file.endsWith('.wanted')).map((file) => file.slice(0, -'.wanted'.length));
      // The command removes both files, and the server may ask for the same segment again at once.
      for (const name of wanted) if (!files.includes(`${name}.ready`)) await this.#give(name);
    }
  }

  async #give(name: string): Promise<void> {
    const at = this.#names.indexOf(name);
    if (at >= 0) {
      const path = await this.#fetch(name);
      for (const next of this.#names.slice(at + 1, at + 1 + AHEAD)) this.#fetch(next).catch(() => {});
      await rename(path, join(this.#folder, name));
      this.#fetched.delete(name);
    }
    // Without the segment the command fails, by which the server knows that there is none.
    const ready = join(this.#folder, `${name}.ready`);
    await writeFile(`${ready}.new`, '');
    if (this.#owner) await chown(`${ready}.new`, this.#owner.uid, this.#owner.gid);
    await rename(`${ready}.new`, ready);
  }

  #fetch(name: string): Promise<string> {
    const fetching = this.#fetched.get(name) ?? this.#download(name);
    this.#fetched.set(name, fetching);
    return fetching;
  }

  async #download(name: string): Promise<string> {
    const path = join(this.#folder, `${name}.part`);
    await readSegment(this.#storage, this.#keys.get(name) ?? '', this.#identity, path);
    if (this.#owner) await chown(path, this.#owner.uid, this.#owner.gid);
    return path;
  }
}

/** @throws if the segment is missing or damaged */
export async function readSegment(
  storage: Storage,
  key: string,
  identity: string | undefined,
  path: string,
): Promise<void> {
  const bytes = await storage.size(key);
  if (bytes === undefined) throw new Error(`the backup location has no ${key}`);
  await pipeline(
    await readBlob(storage, key, bytes),
    identity !== undefined && key.endsWith('.age') ? decryption(identity) : asIs,
    createZstdDecompress(),
    createWriteStream(path, { mode: 0o600 }),
  );
  const { size } = await stat(path);
  if (size === SEGMENT_BYTES) return;
  await rm(path);
  throw new Error(`${key} has ${size} bytes instead of ${SEGMENT_BYTES}`);
}

/** For the shell, in a setting in which `%` has a meaning. */
const quote = (path: string) => `'${path.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`;
