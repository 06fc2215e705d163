import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { ConfigError } from '../../shared/config.ts';
import type { TrackingPart } from './tracking-source.ts';

/** How far an import came. */
interface State {
  after: Partial<Record<TrackingPart, string>>;
  /** Items that were recorded. */
  recorded: number;
}

export interface ImportProgress {
  state: State;
  save(): void;
}

/** By service, account and content, each of which an import of another has nothing to do with. */
type File = { imports: Record<string, State> };

/**
 * How far the import of this content into this account of this service came, by a file.
 * @throws ConfigError if the file is none of this version
 */
export function openProgress(path: string, service: string, accountId: string, content: string): ImportProgress {
  const file = read(path);
  const key = [service.replace(/\/+$/, ''), accountId, content].join(' ');
  file.imports[key] ??= { after: {}, recorded: 0 };
  return {
    state: file.imports[key],
    save() {
      writeFileSync(`${path}.new`, JSON.stringify(file));
      renameSync(`${path}.new`, path);
    },
  };
}

function read(path: string): File {
  if (!existsSync(path)) return { imports: {} };
  let file: unknown;
  try {
    file = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new ConfigError(`${path} notes how far an import came, and is unreadable. Delete it to start over.`, {
      cause,
    });
  }
  if (typeof file === 'object' && file !== null && 'imports' in file) return file as File;
  throw new ConfigError(
    `${path} is of an earlier version, which did not note the account. If that import went into another account, delete the file. If it went into this one, everything in it is recorded already.`,
  );
}
