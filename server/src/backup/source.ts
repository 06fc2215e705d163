import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Storage } from '../files/index.ts';
import { ConfigError } from '../shared/config.ts';
import { type ArchiveEntry, openFile, readArchive } from './archive.ts';
import { type FileLine, FORMAT, type Footer, type Header } from './format.ts';
import { readAll } from './read-all.ts';
import { blobKey, findBackup, openRepository, type Repository, readBlob } from './repository.ts';
import { isRepository } from './write-backup.ts';

/** Where a backup is read from. */
export interface BackupSource {
  name: string;
  open(): Promise<Readable>;
  /** undefined: the files are in the archive. */
  blobs: Storage | undefined;
}

/**
 * @param location a file, a repository, or in a repository the archive of one backup
 * @param name the backup in a repository; by default the newest
 */
export async function findSource(location: string, name: string | undefined, dataDir: string): Promise<BackupSource> {
  const path = resolve(location);
  const inside = /^(.*)\/backups\/(headwater-[^/]+)$/.exec(location.startsWith('s3://') ? location : path);
  if (inside?.[1] !== undefined && name === undefined) {
    const repository = openRepository(inside[1], dataDir);
    if ((await repository.list()).some((each) => each.name === inside[2])) return inRepository(repository, inside[2]);
  }
  if (await isRepository(location)) {
    return inRepository(openRepository(location.startsWith('s3://') ? location : path, dataDir), name);
  }
  return {
    name: location,
    open: () =>
      openFile(path).catch((cause: { code?: string }) => {
        throw new ConfigError(`${path} cannot be read (${cause.code})`, { cause });
      }),
    blobs: undefined,
  };
}

async function inRepository(repository: Repository, name: string | undefined): Promise<BackupSource> {
  const found = await findBackup(repository, name);
  const { storage } = repository;
  return { name: found.name, open: () => readBlob(storage, join('backups', found.name), found.bytes), blobs: storage };
}

/** What reads a backup does with its parts, in this order. */
export interface BackupReader {
  header(header: Header): Promise<void>;
  /** A chunk of the rows of a table, `<cell>/<table>`, in the format of COPY. */
  rows(table: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** A file, and its content once. */
  file(line: FileLine, open: () => Promise<AsyncIterable<Uint8Array>>): Promise<void>;
}

/**
 * Reads a backup from its start to its end.
 * @returns what the backup says it contains
 * @throws ConfigError if it is damaged, incomplete or encrypted to another key
 */
export async function readBackup(
  source: BackupSource,
  identity: string | undefined,
  reader: BackupReader,
): Promise<Footer> {
  let footer: Footer | undefined;
  try {
    let header: Header | undefined;
    /** Files whose content follows in the archive. */
    const expected = new Map<string, FileLine>();
    for await (const entry of readArchive(await source.open(), identity)) {
      const { name, content } = entry;
      const [kind = '', cell = '', table = ''] = name.split('/');
      if (!header) {
        header = await readHeader(entry);
        await reader.header(header);
      } else if (kind === 'tables') {
        await reader.rows(`${cell}/${table}`, content);
      } else if (kind === 'files') {
        const line = expected.get(name);
        if (!line) throw new Error(`the archive has an unexpected entry ${name}`);
        expected.delete(name);
        await reader.file(line, async () => content);
      } else if (name.endsWith('.ndjson')) {
        for (const line of parseLines(await readAll(content))) {
          if (header.files === 'repository') await reader.file(line, () => openBlob(source, line));
          else expected.set(`files/${line.key}`, line);
        }
      } else if (name === 'end.json') {
        footer = JSON.parse((await readAll(content)).toString('utf8')) as Footer;
      }
    }
    if (expected.size > 0) footer = undefined;
  } catch (error) {
    throw readable(source, identity, error);
  }
  if (!footer) throw new ConfigError(`The backup ${source.name} is incomplete.`);
  return footer;
}

async function readHeader({ name, content }: ArchiveEntry): Promise<Header> {
  if (name !== 'backup.json') throw new ConfigError('The file is not a backup of Headwater.');
  const header = JSON.parse((await readAll(content)).toString('utf8')) as Header;
  if (header.format <= FORMAT) return header;
  throw new ConfigError(
    `The backup was made by a newer version (${header.version}). Install that version or a newer one.`,
  );
}

function parseLines(bytes: Buffer): FileLine[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

async function openBlob({ blobs }: BackupSource, { name = '' }: FileLine): Promise<AsyncIterable<Uint8Array>> {
  const key = blobKey(name);
  const bytes = await blobs?.size(key);
  if (!blobs || bytes === undefined) throw new ConfigError(`The backup location has no file ${key}.`);
  return readBlob(blobs, key, bytes);
}

/** Errors of the formats become one sentence. */
function readable(source: BackupSource, identity: string | undefined, error: unknown): unknown {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const isDamage = code.startsWith('ZSTD_') || /^(Invalid tar|Unexpected end|zstd|invalid tag)/i.test(message);
  if (!isDamage) return error;
  const detail =
    identity === undefined && source.name.endsWith('.age')
      ? 'is encrypted: pass --identity <file> or set BACKUP_IDENTITY'
      : 'is damaged or incomplete';
  return new ConfigError(`The backup ${source.name} ${detail}.`, { cause: error });
}
