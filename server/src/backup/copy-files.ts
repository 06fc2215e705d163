import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { MissingBlob, type Storage } from '../files/index.ts';
import { type ArchiveWriter, transformFile } from './archive.ts';
import { encryption, type Stage } from './encryption.ts';
import type { FileLine } from './format.ts';
import { blobKey, readBlob } from './repository.ts';

const PAGE_SIZE = 500;
const CONCURRENCY = 4;

/** A blob as the database lists it. Size and digest of a poster are unknown. */
export interface ListedBlob {
  cell: string;
  key: string;
  mediaType: string;
  bytes: number | null;
  sha256: string | null;
}

interface Destination {
  /** For temporary files. */
  folder: string;
  /** Receives the names of the blobs that the backup needs. */
  names: WriteStream;
  /** undefined: the files are written to the archive. */
  repository: Storage | undefined;
  recipient: string | undefined;
  /** Of the instance. */
  secret: Uint8Array;
}

interface CopiedFiles {
  files: number;
  fileBytes: number;
  newFiles: number;
  newFileBytes: number;
  damaged: string[];
}

/** Copies files and writes their index to the archive, a page at a time. */
export async function copyFiles(
  archive: Pick<ArchiveWriter, 'add' | 'addStream'>,
  from: Storage,
  blobs: AsyncIterable<ListedBlob>,
  destination: Destination,
): Promise<CopiedFiles> {
  const done: CopiedFiles = { files: 0, fileBytes: 0, newFiles: 0, newFileBytes: 0, damaged: [] };
  const copyPage = destination.repository
    ? toRepository(from, destination.repository, destination, done)
    : toArchive(archive, from, destination, done);
  let [page, number] = [[] as ListedBlob[], 0];
  const flush = async () => {
    const writeIndex = (lines: FileLine[]) => {
      done.files += lines.length;
      for (const { bytes } of lines) done.fileBytes += bytes;
      const name = `files-${String(++number).padStart(6, '0')}.ndjson`;
      return archive.add(name, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    };
    if (page.length > 0) await copyPage(page, writeIndex);
    page = [];
  };
  for await (const blob of blobs) if (page.push(blob) >= PAGE_SIZE) await flush();
  await flush();
  return done;
}

type CopyPage = (page: ListedBlob[], writeIndex: (lines: FileLine[]) => Promise<void>) => Promise<void>;

/** Each content is stored once, by its digest; what is there already is not even read. */
function toRepository(from: Storage, to: Storage, destination: Destination, done: CopiedFiles): CopyPage {
  const { folder, names, recipient, secret } = destination;
  let known: Set<string> | undefined;
  const nameOf = (sha256: string) => blobName(sha256, recipient, secret);

  async function copy(blob: ListedBlob): Promise<FileLine | undefined> {
    const { cell, key, mediaType } = blob;
    const { sha256, bytes } = blob;
    if (sha256 !== null && bytes !== null && known?.has(nameOf(sha256))) {
      return { cell, key, mediaType, bytes, sha256, name: nameOf(sha256) };
    }
    const path = join(folder, randomUUID());
    try {
      const copied = await spool(from, blob, path);
      if (!copied) return undefined;
      const name = nameOf(copied.sha256);
      if (!known?.has(name)) {
        if (recipient !== undefined) await transformFile(path, `${path}.age`, encryption(recipient));
        await to.put(recipient === undefined ? path : `${path}.age`, blobKey(name), 'application/octet-stream');
        known?.add(name);
        done.newFiles++;
        done.newFileBytes += copied.bytes;
      }
      return { cell, key, mediaType, ...copied, name };
    } finally {
      await rm(path, { force: true });
      await rm(`${path}.age`, { force: true });
    }
  }

  return async (page, writeIndex) => {
    known ??= await listNames(to);
    const lines: FileLine[] = [];
    const queue = page.values();
    const copyAll = async () => {
      for (const blob of queue) {
        const line = await copy(blob);
        if (line) lines.push(line);
        else done.damaged.push(blob.key);
      }
    };
    const copiers = await Promise.allSettled(Array.from({ length: CONCURRENCY }, copyAll));
    for (const copier of copiers) if (copier.status === 'rejected') throw copier.reason;
    for (const { name } of lines) names.write(`${name}\n`);
    await writeIndex(lines);
  };
}

/**
 * The name of a content in a repository. Its digest must not tell who reads an encrypted repository what it is. It also
 * depends on the recipient, so that a change of keys encrypts everything again.
 */
export function blobName(sha256: string, recipient: string | undefined, secret: Uint8Array): string {
  if (recipient === undefined) return sha256;
  return `${createHmac('sha256', secret).update(`backup\n${recipient}\n${sha256}`).digest('hex')}.age`;
}

/** The index of a page precedes its files, so that a restore knows what it reads. */
function toArchive(
  archive: Pick<ArchiveWriter, 'add' | 'addStream'>,
  from: Storage,
  { folder }: Destination,
  done: CopiedFiles,
): CopyPage {
  return async (page, writeIndex) => {
    const lines: FileLine[] = [];
    for (const blob of page) {
      const { cell, key, mediaType, sha256, bytes } = blob;
      const path = join(folder, 'file');
      const isKnown = sha256 !== null && bytes !== null && (await from.size(key)) === bytes;
      const found = isKnown ? { sha256, bytes } : await spool(from, blob, path);
      await rm(path, { force: true });
      if (found) lines.push({ cell, key, mediaType, ...found });
      else done.damaged.push(key);
    }
    await writeIndex(lines);
    for (const { key, bytes, sha256 } of lines) {
      const { stage, digest } = hashing();
      await archive.addStream(`files/${key}`, bytes, stage(await readBlob(from, key, bytes)));
      done.newFiles++;
      done.newFileBytes += bytes;
      if (digest() !== sha256) done.damaged.push(key);
    }
  };
}

/** Copies a blob to a local file; undefined if it is missing, or not as it was uploaded. */
async function spool(
  from: Storage,
  { key, sha256 }: ListedBlob,
  path: string,
): Promise<{ sha256: string; bytes: number } | undefined> {
  const size = await from.size(key);
  if (size === undefined) return undefined;
  const { stage, digest } = hashing();
  try {
    await pipeline(await readBlob(from, key, size), stage, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    if (error instanceof MissingBlob) return undefined;
    throw error;
  }
  const found = digest();
  return sha256 === null || sha256 === found ? { sha256: found, bytes: size } : undefined;
}

/** A stage that computes the SHA-256 of what passes. */
export function hashing(): { stage: Stage; digest(): string } {
  const hash = createHash('sha256');
  return {
    async *stage(source) {
      for await (const chunk of source) {
        hash.update(chunk);
        yield chunk;
      }
    },
    digest: () => hash.digest('hex'),
  };
}

async function listNames(storage: Storage): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const { key } of storage.list('files/')) names.add(key.split('/').at(-1) ?? '');
  return names;
}
