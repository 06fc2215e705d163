import { publicId } from '../../shared/ids.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { findPage } from '../listing/find-page.ts';
import { exactly } from '../listing/key-ranges.ts';
import type { Scope } from '../listing/key-sql.ts';
import { listingOf } from '../listing/parse-listing.ts';
import { NONE, type Where } from './where.ts';

/** Up to this many referenced entries are looked up first: then an index finds the entries that reference them. */
const MAX_TARGETS = 1_000;

/** Replaces conditions on referenced entries by their IDs where these are few; others stay, and are checked entry by entry. */
export async function resolveReferences(db: Database, scope: Scope, where: Where): Promise<Where> {
  switch (where.kind) {
    case 'and':
    case 'or':
      return { ...where, items: await Promise.all(where.items.map((item) => resolveReferences(db, scope, item))) };
    case 'not':
      return { ...where, item: await resolveReferences(db, scope, where.item) };
    case 'row':
      return { ...where, where: await resolveReferences(db, scope, where.where) };
    case 'reference':
      return resolve(db, scope, where);
    default:
      return where;
  }
}

async function resolve(
  db: Database,
  { accountId, state }: Scope,
  reference: Extract<Where, { kind: 'reference' }>,
): Promise<Where> {
  const ids: string[] = [];
  const targets = [];
  for (const { view, where } of reference.targets) {
    const { id: collectionId, version, publishing } = view;
    const target = { accountId, collectionId, version, state: publishing ? (state ?? 'draft') : undefined };
    const resolved = await resolveReferences(db, target, where);
    targets.push({ view, where: resolved });
    if (ids.length > MAX_TARGETS) continue;
    const rows = await findPage(db, target, view, listingOf(resolved), undefined, MAX_TARGETS + 1);
    // The collection has changed: the condition is checked with the entries.
    if (rows === undefined) return { ...reference, targets: reference.targets };
    ids.push(...rows.map(({ id }) => publicId('ent', id)));
  }
  if (ids.length > MAX_TARGETS) return { ...reference, targets };
  if (ids.length === 0) return NONE;
  return { kind: 'keys', field: reference.field, ranges: exactly(ids), negated: false };
}
