import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { DataStore, ERRORS, Upload } from '@tus/utils';
import type { Clock } from '../../shared/time.ts';
import { writeAll } from '../../shared/write-all.ts';
import type { TusStore, UploadInfo } from './tus-store.ts';

const SUFFIX = '.tus';
const ID = /^[0-9a-f-]{36}\.[0-9a-f-]{36}$/;

/** Unfinished tus uploads, each in its own folder under the uploads folder. */
export class FolderTusStore extends DataStore implements TusStore {
  readonly #root: string;
  readonly #expireMs: number;
  readonly #clock: Clock;

  constructor(root: string, expireMs: number, clock: Clock) {
    super();
    this.#root = root;
    this.#expireMs = expireMs;
    this.#clock = clock;
    this.extensions = ['creation', 'creation-with-upload', 'creation-defer-length', 'termination', 'expiration'];
  }

  read(id: string): Readable {
    return createReadStream(this.#path(id));
  }

  #path(id: string): string {
    return join(this.#folder(id), 'data');
  }

  override getExpiration(): number {
    return this.#expireMs;
  }

  override async create(upload: Upload): Promise<Upload> {
    await mkdir(this.#folder(upload.id), { recursive: true });
    await writeFile(this.#path(upload.id), '');
    const createdAt = this.#clock();
    await this.#write(upload.id, { size: upload.size, metadata: upload.metadata ?? {}, createdAt, done: false });
    upload.creation_date = new Date(createdAt).toISOString();
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const { size, metadata, createdAt, done } = await this.#read(id);
    const offset = done ? (size ?? 0) : (await stat(this.#path(id))).size;
    return new Upload({
      id,
      ...(size !== undefined && { size }),
      offset,
      metadata,
      creation_date: new Date(createdAt).toISOString(),
    });
  }

  override async declareUploadLength(id: string, size: number): Promise<void> {
    await this.#write(id, { ...(await this.#read(id)), size });
  }

  /** Bytes received before a disconnect are kept: the client asks for the offset and resumes. */
  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const file = await open(this.#path(id), 'r+').catch(async (error: unknown) => {
      if (!(await this.#read(id)).done) throw error;
    });
    // The bytes of a finished upload are deleted.
    if (!file) return offset;
    let at = offset;
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        await writeAll(file, chunk, at);
        at += chunk.length;
      }
    } finally {
      // Also after an error: the size of the file is the next offset.
      await file.sync().finally(() => file.close());
    }
    return at;
  }

  override async remove(id: string): Promise<void> {
    await this.#read(id);
    await this.#remove(id);
  }

  #remove(id: string): Promise<void> {
    return rm(this.#folder(id), { recursive: true, force: true });
  }

  async finish(id: string): Promise<void> {
    await this.#write(id, { ...(await this.#read(id)), done: true });
    await rm(this.#path(id), { force: true });
  }

  async unfinished(accountId: string): Promise<string[]> {
    const names = await readdir(this.#root).catch(() => []);
    const ids = names
      .filter((name) => name.startsWith(`${accountId}.`) && name.endsWith(SUFFIX))
      .map((name) => name.slice(0, -SUFFIX.length));
    const found = await Promise.all(ids.map((id) => stat(this.#path(id)).catch(() => undefined)));
    return ids.filter((_, i) => found[i] !== undefined);
  }

  override async deleteExpired(): Promise<number> {
    let count = 0;
    for (const name of await readdir(this.#root).catch(() => [])) {
      const id = name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : '';
      if (!ID.test(id)) continue;
      const { createdAt } = await this.#read(id).catch(async () => {
        // The process was killed before it wrote the file.
        const folder = await stat(this.#folder(id)).catch(() => undefined);
        return { createdAt: folder?.mtimeMs ?? this.#clock() };
      });
      if (this.#clock() - createdAt < this.#expireMs) continue;
      await this.#remove(id);
      count++;
    }
    return count;
  }

  async #read(id: string): Promise<UploadInfo> {
    const text = await readFile(join(this.#folder(id), 'info.json'), 'utf8').catch((error) => {
      throw (error as { code?: string }).code === 'ENOENT' ? ERRORS.FILE_NOT_FOUND : error;
    });
    return JSON.parse(text);
  }

  async #write(id: string, info: UploadInfo): Promise<void> {
    const path = join(this.#folder(id), 'info.json');
    // Several processes may finish an upload at the same time.
    const written = `${path}.${randomUUID()}`;
    await writeFile(written, JSON.stringify(info), { flush: true });
    await rename(written, path);
  }

  #folder(id: string): string {
    if (!ID.test(id)) throw ERRORS.FILE_NOT_FOUND;
    return join(this.#root, `${id}${SUFFIX}`);
  }
}
