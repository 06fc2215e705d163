import { publicId } from '../../shared/ids.ts';
import { type Dependencies, NOT_PUBLIC } from './delivery-states.ts';

/** The tags are sent in two headers, and clients such as Node's `fetch` accept 16 kB of headers. */
const MAX_LENGTH = 6_500;
const SHOWN = /\b(?:ent|ast)_[0-9a-z]{26}\b/g;

/**
 * The tags by which a CDN purges a response: the public collections on which it depends, the experiments, the assets and the entries that it shows.
 * Beyond what fits, entries are left out, as their collections are purged with them.
 */
export function cacheTagsOf({ ids, state, tags: more = [] }: Dependencies, body: Buffer): string[] {
  const states = state.split(' ');
  const collections = ids.filter((_, i) => states[i] !== NOT_PUBLIC).map((id) => publicId('col', id));
  const shown = [...new Set(body.toString('latin1').match(SHOWN))];
  const [assets, entries] = [shown.filter((id) => id.startsWith('ast')), shown.filter((id) => id.startsWith('ent'))];
  const tags: string[] = [];
  let length = 0;
  for (const tag of new Set([...collections, ...more, ...assets, ...entries])) {
    length += tag.length + 1;
    if (length > MAX_LENGTH) break;
    tags.push(tag);
  }
  return tags;
}

/** The collections of expanded entries. */
export const collectionsIn = (body: Buffer): string[] => body.toString('latin1').match(/\bcol_[0-9a-z]{26}\b/g) ?? [];

const COLLECTIONS = /^(?:,?(?:col|exp)_\w+)+/;

/** @param tags those of collections first */
export const tagHeaders = (tags: string) => ({
  'cache-tag': tags,
  'surrogate-key': tags.replaceAll(',', ' '),
  // Of Bunny. Collections come first, and are purged with each of their entries.
  'cdn-tag': COLLECTIONS.exec(tags)?.[0] ?? '',
});
