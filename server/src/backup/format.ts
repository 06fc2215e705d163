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
  database: DatabaseDescription;
}

/** A line of the entries `files-<number>.ndjson`. */
export interface FileLine {
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
  tables: Record<string, TableContent>;
  files: number;
  fileBytes: number;
}

export interface BackupResult {
  name: string;
  location: string;
  createdAt: string;
  isEncrypted: boolean;
  /** Of the archive. */
  bytes: number;
  tables: number;
  rows: number;
  files: number;
  fileBytes: number;
  /** Files that earlier backups did not contain. */
  newFiles: number;
  newFileBytes: number;
  /** Keys of files that the storage does not contain, or not as they were uploaded. */
  damaged: string[];
  seconds: number;
}
