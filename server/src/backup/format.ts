import type { TableContent } from './copy-tables.ts';
import type { DatabaseDescription } from './describe-database.ts';

/** Increased when an archive can no longer be read by the versions before. */
export const FORMAT = 1;

/** The first entry of an archive, `backup.json`. */
export interface Header {
  format: number;
  /** Of the service. */
  version: string;
  createdAt: string;
  /** Where the files are: in the archive, or by their `name` in the repository. */
  files: 'archive' | 'repository';
  /** The control database comes first. */
  databases: (DatabaseDescription & { cell: string })[];
  /** Cells that were unavailable. */
  away: string[];
}

/** A line of the entries `files-<number>.ndjson`. */
export interface FileLine {
  cell: string;
  /** Its key in the file storage. */
  key: string;
  mediaType: string;
  bytes: number;
  sha256: string;
  /** In a repository: the name of its blob. */
  name?: string;
}

/** The last entry, `end.json`. An archive without it is incomplete. */
export interface Footer {
  /** By `<cell>/<table>`. */
  tables: Record<string, TableContent>;
  files: number;
  fileBytes: number;
}

export interface BackupResult {
  name: string;
  location: string;
  createdAt: string;
  isEncrypted: boolean;
  cells: string[];
  /** Of the archive. */
  bytes: number;
  tables: number;
  rows: number;
  files: number;
  fileBytes: number;
  /** Files that earlier backups did not contain. */
  newFiles: number;
  newFileBytes: number;
  /** Cells that were unavailable, and keys of files that the storage does not contain, or not as they were uploaded. */
  damaged: string[];
  seconds: number;
}
