import type { Storage, StoredBlob } from '../../files/index.ts';
import { openRepository, readJson } from '../repository.ts';
import { parseSegment, segmentName } from './segments.ts';

/**
 * A chain is an unbroken log with copies of the cluster to start from. A new one starts with each cluster, and after a gap.
 *
 * - `continuous/<chain>/bases/<time>.tar.zst`: a copy of the cluster, and `<time>.json`, written when it is complete
 * - `continuous/<chain>/log/<segment>.zst`: segments of the log
 * - `continuous/<chain>/blobs/<time>.files`: the names of blobs in `files/` that were added or, with a copy, all of them
 * - `continuous/<chain>/until.json`: how far the log reaches
 *
 * Ids of chains and names of copies are times: `20261122t030000000z`.
 */
export interface Chain {
  id: string;
  /** Oldest first. */
  bases: string[];
  /** In order. */
  segments: { name: string; key: string; modifiedAt: Date }[];
  blobLists: string[];
}

/** A copy of the cluster. */
export interface Base {
  startedAt: string;
  /** It can be restored to this time or a later one. */
  finishedAt: string;
  /** The segment of the log that its recovery starts with. */
  firstSegment: string;
  lastSegment: string;
  /** `linux-x64`: the data of another platform cannot be read. */
  platform: string;
  /** The major version of PostgreSQL. */
  postgres: number;
  /** Of the service. */
  version: string;
  bytes: number;
  isEncrypted: boolean;
}

/** Everything that was committed before `until` is in the segments up to `segment`. */
export interface Reach {
  until: string;
  segment: string;
}

const ROOT = 'continuous/';

export const timeName = (time: Date): string => time.toISOString().replace(/[-:.]/g, '').toLowerCase();

export const chainKey = (chain: string, ...path: string[]): string => `${ROOT}${[chain, ...path].join('/')}`;

const suffix = (isEncrypted: boolean) => (isEncrypted ? '.age' : '');

export const baseKey = (chain: string, name: string, isEncrypted: boolean): string =>
  chainKey(chain, 'bases', `${name}.tar.zst${suffix(isEncrypted)}`);

export const segmentKey = (chain: string, name: string, isEncrypted: boolean): string =>
  chainKey(chain, 'log', `${name}.zst${suffix(isEncrypted)}`);

/** The chains of a repository, oldest first. */
export async function listChains(storage: Storage): Promise<Chain[]> {
  const chains = new Map<string, Chain>();
  for await (const blob of storage.list(ROOT)) {
    const [id = '', part = '', file = ''] = blob.key.slice(ROOT.length).split('/');
    const chain = chains.get(id) ?? { id, bases: [], segments: [], blobLists: [] };
    chains.set(id, chain);
    addTo(chain, part, file, blob);
  }
  for (const { bases, segments, blobLists } of chains.values()) {
    bases.sort();
    blobLists.sort();
    segments.sort((a, b) => (a.name < b.name ? -1 : 1));
  }
  return [...chains.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function addTo(chain: Chain, part: string, file: string, { key, modifiedAt }: StoredBlob): void {
  const [name = ''] = file.split('.', 1);
  if (part === 'bases' && file.endsWith('.json')) chain.bases.push(name);
  if (part === 'blobs') chain.blobLists.push(key);
  if (part === 'log' && parseSegment(name)) chain.segments.push({ name, key, modifiedAt });
}

export const readBase = (storage: Storage, chain: string, name: string): Promise<Base | undefined> =>
  readJson<Base>(storage, chainKey(chain, 'bases', `${name}.json`));

export const readReach = (storage: Storage, chain: string): Promise<Reach | undefined> =>
  readJson<Reach>(storage, chainKey(chain, 'until.json'));

/** The time that the newest chain at BACKUP_URL reaches to. */
export async function archivedUntil(url: string, dataDir: string): Promise<Date | undefined> {
  const { storage } = openRepository(url, dataDir);
  const chain = (await listChains(storage)).at(-1);
  const reach = chain && (await readReach(storage, chain.id));
  return reach && new Date(reach.until);
}

/** The first segment that a chain lacks of those from `first` to `last`. */
export function missingSegment({ segments }: Chain, first: string, last: string): string | undefined {
  const names = new Set(segments.map(({ name }) => name));
  const [from, to] = [parseSegment(first), parseSegment(last)];
  if (!from || !to) return first;
  for (let segment = from.segment; segment <= to.segment; segment++) {
    const name = segmentName(from.timeline, segment);
    if (!names.has(name)) return name;
  }
  return undefined;
}

/** The times to which a database can be restored. */
export interface Range {
  chain: Chain;
  from: Date;
  until: Date;
}

export async function listRanges(storage: Storage): Promise<Range[]> {
  const ranges: Range[] = [];
  for (const chain of await listChains(storage)) {
    const [first] = chain.bases;
    const base = first === undefined ? undefined : await readBase(storage, chain.id, first);
    const reach = await readReach(storage, chain.id);
    if (base && reach && reach.until >= base.finishedAt) {
      ranges.push({ chain, from: new Date(base.finishedAt), until: new Date(reach.until) });
    }
  }
  return ranges;
}
