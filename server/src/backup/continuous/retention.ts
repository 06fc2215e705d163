import { basename } from 'node:path';
import { DAY } from '../../shared/units.ts';
import type { Repository } from '../repository.ts';
import { type Base, baseKey, type Chain, chainKey, listChains, readBase, readReach } from './chain.ts';

/** Deletes what no restore to a time within `days` needs. The blobs are deleted by the retention of backups. */
export async function applyContinuousRetention({ storage }: Repository, days: number, now: number): Promise<void> {
  const since = now - days * DAY;
  const chains = await listChains(storage);
  for (const chain of chains) {
    const bases = await readBases(chain, storage);
    const isCurrent = chain === chains.at(-1);
    const reach = await readReach(storage, chain.id);
    const isOver = !isCurrent && Date.parse(reach?.until ?? '') < since;
    const first = isOver ? undefined : oldestNeeded(bases, since);
    if (!isOver && first === undefined) continue;
    for (const { name, base } of bases) {
      if (first && base.startedAt >= first.startedAt) continue;
      await storage.delete(chainKey(chain.id, 'bases', `${name}.json`));
      await storage.delete(baseKey(chain.id, name, base.isEncrypted));
    }
    for (const { name, key } of chain.segments) {
      if (!first || name < first.firstSegment) await storage.delete(key);
    }
    for (const key of chain.blobLists) {
      if (!first || basename(key, '.files') < nameOf(first, bases)) await storage.delete(key);
    }
    if (isOver) await storage.delete(chainKey(chain.id, 'until.json'));
  }
}

type NamedBase = { name: string; base: Base };

async function readBases(chain: Chain, storage: Repository['storage']): Promise<NamedBase[]> {
  const found: NamedBase[] = [];
  for (const name of chain.bases) {
    const base = await readBase(storage, chain.id, name);
    if (base) found.push({ name, base });
  }
  return found;
}

/** The newest copy that was finished before the window, or else the oldest one. */
function oldestNeeded(bases: NamedBase[], since: number): Base | undefined {
  return (bases.findLast(({ base }) => Date.parse(base.finishedAt) <= since) ?? bases[0])?.base;
}

const nameOf = (base: Base, bases: NamedBase[]) => bases.find((each) => each.base === base)?.name ?? '';
