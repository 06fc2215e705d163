import { type AnyUuid, parseId, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { typeOf } from '../field-types/index.ts';
import { exactly, pointsOf } from '../listing/key-ranges.ts';
import type { Where } from './where.ts';

/** Finds which of these entries (UUIDs) can be read. */
export type FindVisible = (
  tx: Tx,
  parameters: { account_id: string; ids: string[]; expanded: string[] },
) => Promise<readonly { id: AnyUuid }[]>;

/** A condition in which IDs of entries that cannot be read match nothing, so that no result depends on a reference that is left out. */
export async function withVisibleReferences(
  tx: Tx,
  account_id: string,
  where: Where,
  find: FindVisible,
): Promise<Where> {
  const named = new Set<string>();
  mapReferenceKeys(where, (ids) => {
    for (const id of ids) named.add(id);
    return ids;
  });
  if (named.size === 0) return where;
  const ids = [...named].flatMap((id) => parseId('ent', id) ?? []);
  const visible = new Set((await find(tx, { account_id, ids, expanded: [] })).map(({ id }) => publicId('ent', id)));
  return mapReferenceKeys(where, (all) => all.filter((id) => visible.has(id)));
}

function mapReferenceKeys(where: Where, map: (ids: string[]) => string[]): Where {
  const within = (each: Where) => mapReferenceKeys(each, map);
  switch (where.kind) {
    case 'and':
    case 'or':
      return { ...where, items: where.items.map(within) };
    case 'not':
      return { ...where, item: within(where.item) };
    case 'row':
      return { ...where, where: within(where.where) };
    case 'reference':
      return { ...where, targets: where.targets.map((target) => ({ ...target, where: within(target.where) })) };
    case 'keys': {
      if (typeOf(where.field).structure !== 'reference') return where;
      return { ...where, ranges: exactly(map(pointsOf(where.ranges) ?? [])) };
    }
    default:
      return where;
  }
}
