import type { FastifyRequest } from 'fastify';
import { type Author, authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import type { KnownCollections } from './known-collections.ts';

/** By whom, when and with what entries are written. */
export interface Writing {
  known: KnownCollections;
  author: Author;
  /** In milliseconds since 1970. */
  now: number;
  publicUrl: string;
  /** How many earlier versions of an entry are kept. */
  keep: number;
}

export function writingOf(
  request: FastifyRequest,
  { clock, config, publicUrl }: Deps,
  known: KnownCollections,
): Writing {
  return { known, author: authorOf(request), now: clock(), publicUrl: publicUrl(), keep: config.entryVersions };
}
