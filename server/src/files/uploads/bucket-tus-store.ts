import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { DataStore, ERRORS, Upload } from '@tus/utils';
import { newCache } from '../../shared/lru-cache.ts';
import type { Clock } from '../../shared/time.ts';
import { writeAll } from '../../shared/write-all.ts';
import { MissingBlob, type Storage } from '../storage/storage.ts';
import type { TusStore, UploadInfo } from './tus-store.ts';
import { uploadFolder } from './upload-folders.ts';

/** Some bytes of an upload, in an object of their own. */
interface Chunk {
  key: string;
  start: number;
  end: number;
}

const ROOT = 'tus/';
const INFO = 'info';
const ID = /^[0-9a-f-]{36}\.[0-9a-f-]{36}$/;
/** What a killed process loses of a request, at most; small enough to be put by one request. */
const CHUNK_BYTES = 5_000_000;
const CONCURRENT_DELETIONS = 16;

/**
 * Unfinished tus uploads in a bucket. Each is a few objects: one describes it, the others have its bytes and are named by where
 * these start and end. Objects are only added, so two processes that receive the same bytes do no harm.
 */
export class BucketTusStore extends DataStore implements TusStore {
  readonly #storage: Storage;
  readonly #expireMs: number;
  readonly #clock: Clock;
  readonly #done = newCache<true>(10_000);

  constructor(storage: Storage, expireMs: number, clock: Clock) {
    super();
    this.#storage = storage;
    this.#expireMs = expireMs;
    this.#clock = clock;
    this.extensions = ['creation', 'creation-with-upload', 'creation-defer-length', 'termination', 'expiration'];
  }

  override getExpiration(): number {
    return this.#expireMs;
  }

  override async create(upload: Upload): Promise<Upload> {
    const createdAt = this.#clock();
    const info = { size: upload.size, metadata: upload.metadata ?? {}, createdAt, done: false };
    await this.#writeInfo(upload.id, info);
    upload.creation_date = new Date(createdAt).toISOString();
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const { size, metadata, createdAt, done } = await this.#readInfo(id);
    const offset = done ? (size ?? 0) : ((await this.#chunks(id)).at(-1)?.end ?? 0);
    return new Upload({
      id,
      ...(size !== undefined && { size }),
      offset,
      metadata,
      creation_date: new Date(createdAt).toISOString(),
    });
  }

  override async declareUploadLength(id: string, size: number): Promise<void> {
    await this.#writeInfo(id, { ...(await this.#readInfo(id)), size });
  }

  /** Bytes received before a disconnect are kept: the client asks for the offset and resumes. */
  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const path = await this.#temporaryFile(id);
    const file = await open(path, 'wx+');
    let start = offset;
    let length = 0;
    const store = async () => {
      if (length === 0) return;
      await file.truncate(length);
      await this.#storage.put(path, chunkKey(id, start, start + length), 'application/octet-stream');
      start += length;
      length = 0;
    };
    try {
      try {
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          await writeAll(file, chunk, length);
          length += chunk.length;
          if (length >= CHUNK_BYTES) await store();
        }
      } finally {
        await store();
      }
    } finally {
      await file.close();
      await rm(path, { force: true });
    }
    return start;
  }

  read(id: string): Readable {
    return Readable.from(this.#bytes(id), { objectMode: false });
  }

  async *#bytes(id: string): AsyncGenerator<Buffer> {
    let at = 0;
    for (const { key, start, end } of await this.#chunks(id)) {
      for await (const bytes of await this.#read(key, at - start, end - start - 1)) yield bytes;
      at = end;
    }
  }

  override async remove(id: string): Promise<void> {
    await this.#readInfo(id);
    await this.#removeAll(id);
  }

  async finish(id: string): Promise<void> {
    await this.#writeInfo(id, { ...(await this.#readInfo(id)), done: true });
    await this.#removeAll(id, INFO);
  }

  async unfinished(accountId: string): Promise<string[]> {
    const hasChunks = new Map<string, boolean>();
    for await (const { key } of this.#storage.list(`${ROOT}${accountId}.`)) {
      const [id = '', name] = key.slice(ROOT.length).split('/');
      if (ID.test(id)) hasChunks.set(id, hasChunks.get(id) || name !== INFO);
    }
    const found: string[] = [];
    for (const [id, isUnfinished] of hasChunks) {
      // A description alone: nothing was received yet, or everything, and it became a file.
      if (isUnfinished || !(await this.#isDone(id))) found.push(id);
    }
    return found;
  }

  /** Of those that are not, each is requested again. */
  async #isDone(id: string): Promise<boolean> {
    if (this.#done.has(id)) return true;
    const { done } = await this.#readInfo(id).catch(() => ({ done: true }));
    if (done) this.#done.set(id, true);
    return done;
  }

  override async deleteExpired(): Promise<number> {
    const begun = new Map<string, number>();
    for await (const { key, modifiedAt } of this.#storage.list(ROOT)) {
      const id = key.slice(ROOT.length).split('/')[0] ?? '';
      begun.set(id, Math.min(begun.get(id) ?? Number.POSITIVE_INFINITY, modifiedAt.getTime()));
    }
    const expired = [...begun].filter(([id, at]) => ID.test(id) && this.#clock() - at >= this.#expireMs);
    for (const [id] of expired) await this.#removeAll(id);
    return expired.length;
  }

  /** Deletes the objects of an upload, except one. */
  async #removeAll(id: string, except?: string): Promise<void> {
    const keys: string[] = [];
    for await (const { key } of this.#storage.list(folderOf(id))) if (key !== folderOf(id) + except) keys.push(key);
    while (keys.length > 0)
      await Promise.all(keys.splice(0, CONCURRENT_DELETIONS).map((key) => this.#storage.delete(key)));
  }

  /** What has been received from the start on without a gap, each chunk beginning where the one before ends, or before that. */
  async #chunks(id: string): Promise<Chunk[]> {
    const all: Chunk[] = [];
    for await (const { key } of this.#storage.list(folderOf(id))) {
      const [start = Number.NaN, end = Number.NaN] = key.slice(folderOf(id).length).split('-').map(Number);
      if (end > start) all.push({ key, start, end });
    }
    const found: Chunk[] = [];
    let at = 0;
    for (const chunk of all.sort((a, b) => a.start - b.start || b.end - a.end)) {
      if (chunk.start > at) break;
      if (chunk.end <= at) continue;
      found.push(chunk);
      at = chunk.end;
    }
    return found;
  }

  async #readInfo(id: string): Promise<UploadInfo> {
    const key = folderOf(id) + INFO;
    try {
      const size = await this.#storage.size(key);
      if (size === undefined) throw ERRORS.FILE_NOT_FOUND;
      return JSON.parse((await buffer(await this.#read(key, 0, size - 1))).toString());
    } catch (error) {
      throw error instanceof MissingBlob ? ERRORS.FILE_NOT_FOUND : error;
    }
  }

  async #writeInfo(id: string, info: UploadInfo): Promise<void> {
    const path = await this.#temporaryFile(id);
    try {
      await writeFile(path, JSON.stringify(info));
      await this.#storage.put(path, folderOf(id) + INFO, 'application/json');
    } finally {
      await rm(path, { force: true });
    }
  }

  async #read(key: string, start: number, end: number): Promise<Readable> {
    const found = await this.#storage.read(key, start, end);
    return Buffer.isBuffer(found) ? Readable.from([found]) : found;
  }

  /** A path that is cleaned up like that of an upload. */
  async #temporaryFile(id: string): Promise<string> {
    await mkdir(this.#storage.uploadsFolder, { recursive: true });
    return uploadFolder(this.#storage, id.slice(0, 36), randomUUID());
  }
}

function folderOf(id: string): string {
  if (!ID.test(id)) throw ERRORS.FILE_NOT_FOUND;
  return `${ROOT}${id}/`;
}

const chunkKey = (id: string, start: number, end: number) => `${folderOf(id)}${start}-${end}`;
