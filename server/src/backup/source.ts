import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { MissingBlob, type Storage } from '../files/index.ts';
import { ConfigError } from '../shared/config.ts';
import { type ArchiveEntry, openFile, readArchive } from './archive.ts';
import { decryption } from './encryption.ts';
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

/** A file of a repository that is not there, or cannot be read. Others can be. */
export class UnreadableFile extends Error {
  readonly isMissing: boolean;

  constructor(isMissing: boolean, cause?: unknown) {
    super('a file of the backup is lost or damaged', { cause });
    this.isMissing = isMissing;
  }
}

/** The archive says something that cannot be. */
export class DamagedBackup extends Error {}

/** What reads a backup does with its parts, in this order. */
interface BackupReader {
  header(header: Header): Promise<void>;
  /** A chunk of the rows of a table, `<cell>/<table>`, in the format of COPY. */
  rows(table: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** A file, and its content once. @throws UnreadableFile from `open` or while it is read, if only this file is lost or damaged */
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
        header = await readHeader(source, entry);
        await reader.header(header);
      } else if (kind === 'tables') {
        await reader.rows(`${cell}/${table}`, content);
      } else if (kind === 'files') {
        const line = expected.get(name);
        if (!line) throw new DamagedBackup(`unexpected entry ${name}`);
        expected.delete(name);
        await reader.file(line, async () => content);
      } else if (name.endsWith('.ndjson')) {
        for (const line of parseLines(await readAll(content))) {
          if (header.files === 'repository') await reader.file(line, () => openBlob(source, line, identity));
          else expected.set(`files/${line.key}`, line);
        }
      } else if (name === 'end.json') {
        footer = JSON.parse((await readAll(content)).toString('utf8')) as Footer;
      }
    }
    if (expected.size > 0) footer = undefined;
  } catch (error) {
    throw asReadable(source, identity, error);
  }
  if (!footer) throw new ConfigError(`The backup ${source.name} is incomplete: its end is missing. ${ADVICE}`);
  return footer;
}

async function readHeader(source: BackupSource, { name, content }: ArchiveEntry): Promise<Header> {
  if (name !== 'backup.json')
    throw new ConfigError(
      `${source.name} is not a backup of Headwater: it begins with ${name.slice(0, 100)}. ${ADVICE}`,
    );
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

async function openBlob(
  { blobs }: BackupSource,
  { name = '' }: FileLine,
  identity: string | undefined,
): Promise<AsyncIterable<Uint8Array>> {
  const key = blobKey(name);
  const bytes = await blobs?.size(key);
  if (!blobs || bytes === undefined) throw new UnreadableFile(true);
  const isEncrypted = name.endsWith('.age') && identity !== undefined;
  return readWhole(await readBlob(blobs, key, bytes), isEncrypted ? decryption(identity) : undefined);
}

/** The content of a file. That the location cannot be reached is no fault of the file. */
async function* readWhole(
  stored: AsyncIterable<Uint8Array>,
  decrypt: ReturnType<typeof decryption> | undefined,
): AsyncGenerator<Uint8Array> {
  let isRead = false;
  const tracked = async function* () {
    yield* stored;
    isRead = true;
  };
  try {
    yield* decrypt ? decrypt(tracked()) : tracked();
  } catch (error) {
    const { code } = error as { code?: string };
    if (error instanceof MissingBlob) throw new UnreadableFile(true, error);
    // The disk, or what decrypts it.
    if (code === 'EIO' || (decrypt && (isRead || code === undefined))) throw new UnreadableFile(false, error);
    throw error;
  }
}

const ADVICE = 'Restore another backup (`headwater backup list`), or copy this one again from where it was written.';

/** Whatever a damaged archive leads to becomes one sentence that names it. Faults of the database or the network stay what they are. */
export function asReadable(source: BackupSource, identity: string | undefined, error: unknown): unknown {
  if (error instanceof ConfigError || !isDamage(error)) return error;
  const detail =
    identity === undefined && source.name.endsWith('.age')
      ? 'is encrypted: pass --identity <file> or set BACKUP_IDENTITY'
      : `is damaged or incomplete (${(error as Error).message}). ${ADVICE}`;
  return new ConfigError(`The backup ${source.name} ${detail.replace(/\.?$/, '.')}`, { cause: error });
}

/** What PostgreSQL says about rows that it cannot read, and about columns and tables that a damaged header names. */
const BAD_ROWS = /^(?:22|23|08P01|42601|42703|42P01)/;

function isDamage(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (error instanceof DamagedBackup || error instanceof SyntaxError) return true;
  if (code.startsWith('ZSTD_') || code.startsWith('ERR_STREAM_PREMATURE') || BAD_ROWS.test(code)) return true;
  return /^(?:Invalid tar|Unexpected end|zstd|invalid tag|Premature close|Writable stream closed|Invalid .*header|the archive does not describe)/i.test(
    message,
  );
}
