import { createHash } from 'node:crypto';
import { MAIN } from '../shared/main-cell.ts';
import { hashing } from './copy-files.ts';
import type { Header } from './format.ts';
import { type BackupSource, readBackup, UnreadableFile } from './source.ts';

export interface Verification {
  name: string;
  /** Whether the backup is complete and undamaged. */
  isValid: boolean;
  createdAt: string;
  /** Of the service that wrote it. */
  version: string;
  cells: string[];
  tables: number;
  rows: number;
  files: number;
  fileBytes: number;
  /** Cells that were unavailable, and tables and files whose content is missing or differs from that of the backup. */
  damaged: string[];
}

/** Reads a whole backup and all its files, and compares every digest. */
export async function verifyBackup(source: BackupSource, identity: string | undefined): Promise<Verification> {
  let header: Header | undefined;
  const tables = new Map<string, ReturnType<typeof createHash>>();
  const damaged: string[] = [];
  let [files, fileBytes] = [0, 0];
  const footer = await readBackup(source, identity, {
    async header(found) {
      header = found;
    },
    async rows(table, content) {
      const hash = tables.get(table) ?? createHash('sha256');
      tables.set(table, hash);
      for await (const chunk of content) hash.update(chunk);
    },
    async file({ key, bytes, sha256 }, open) {
      const { stage, digest } = hashing();
      let size = 0;
      try {
        for await (const chunk of stage(await open())) size += chunk.length;
      } catch (error) {
        // What is in the archive cannot be skipped: what follows is unreadable.
        if (!(error instanceof UnreadableFile)) throw error;
      }
      if (size !== bytes || digest() !== sha256) damaged.push(key);
      files++;
      fileBytes += bytes;
    },
  });
  const empty = createHash('sha256').digest('hex');
  for (const [name, { sha256 }] of Object.entries(footer.tables)) {
    if ((tables.get(name)?.digest('hex') ?? empty) !== sha256) damaged.push(`table ${name.replace(`${MAIN}/`, '')}`);
  }
  for (const cell of header?.away ?? []) damaged.push(`cell ${cell}`);
  if (files !== footer.files) damaged.push(`${footer.files - files} files`);
  return {
    name: source.name,
    isValid: damaged.length === 0,
    createdAt: header?.createdAt ?? '',
    version: header?.version ?? '',
    cells: header?.databases.map(({ cell }) => cell) ?? [],
    tables: Object.keys(footer.tables).length,
    rows: Object.values(footer.tables).reduce((sum, { rows }) => sum + rows, 0),
    files,
    fileBytes,
    damaged,
  };
}
