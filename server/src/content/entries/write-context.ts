import type { FastifyRequest } from 'fastify';
import { type Author, authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import type { CollectionCache } from '../collections/collection-cache.ts';
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
}

export interface CachedWriteContext extends WriteContext {
  cache: CollectionCache;
}

export function writeContext(
  request: FastifyRequest,
  { clock, config, publicUrl }: Deps,
  cache: CollectionCache,
): CachedWriteContext {
  const settings = { publicUrl: publicUrl(), keptVersions: config.entryVersions };
  return { cache, author: authorOf(request), now: clock(), ...settings };
}
