import type { FastifyRequest } from 'fastify';
import { type Author, authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import type { SchemaView } from '../collections/collection.ts';
import type { Clearance } from '../publish-hooks/clearance.ts';
import type { BusyEntries } from './busy-entries.ts';

/** By whom, when and with what settings entries are written. */
export interface WriteContext {
  author: Author;
  /** Milliseconds since 1970. */
  now: number;
  publicUrl: string;
  /** How many earlier versions of an entry are kept. */
  keptVersions: number;
  /** Where entries are changed one by one, which some are often. */
  busyEntries?: BusyEntries;
  /** What hooks have allowed, where something may be published. */
  clearance?: Clearance;
}

export interface CachedWriteContext extends WriteContext {
  cache: SchemaView;
}

export function writeContext(
  request: FastifyRequest,
  { clock, config, publicUrl }: Deps,
  cache: SchemaView,
  clearance?: Clearance,
): CachedWriteContext {
  const settings = { publicUrl: publicUrl(), keptVersions: config.entryVersions };
  return { cache, author: authorOf(request), now: clock(), ...settings, ...(clearance && { clearance }) };
}
