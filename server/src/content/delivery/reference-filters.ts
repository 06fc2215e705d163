import { invalid } from '../../shared/errors.ts';
import { FIRST_ID, parseId, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { Collection } from '../collections/collection.ts';
import type { EntriesQuery } from '../entries/contract.ts';
import { typeOf } from '../field-types/index.ts';
import type { Expansion } from '../references/expand-entries.ts';

const NO_ENTRY = publicId('ent', FIRST_ID);

/**
 * A query whose filters on references match only entries that `find` finds, so that no result depends on a reference
 * that is left out.
 * @throws ApiError 400 `operator_unknown` for other operators than `eq` and `in`
 */
export async function withVisibleReferences(
  tx: Tx,
  account_id: string,
  { byId }: Collection,
  query: EntriesQuery,
  find: Expansion['find'],
): Promise<EntriesQuery> {
  const filters = Object.entries(query).flatMap(([name, value]) => {
    const [, id = '', operator = ''] = /^filter\[([^[\]]*)\]\[([^[\]]*)\]$/.exec(name) ?? [];
    const field = byId.get(id);
    return field && typeOf(field).structure === 'reference' ? [{ name, operator, label: field.label, value }] : [];
  });
  if (filters.length === 0) return query;
  for (const { name, operator, label } of filters) {
    if (operator === 'eq' || operator === 'in') continue;
    const detail = `Filters on "${label}" support eq and in.`;
    throw invalid([{ pointer: `?${name}`, code: 'operator_unknown', detail }]);
  }
  const idsOf = (value: unknown) => [value].flat().map((each) => String(each).split(','));
  const ids = filters.flatMap(({ value }) => idsOf(value).flat()).flatMap((id) => parseId('ent', id) ?? []);
  const found = await find(tx, { account_id, ids: [...new Set(ids)], expanded: [] });
  const visible = new Set(found.map(({ id }) => publicId('ent', id)));
  const shown = filters.map(({ name, value }) => {
    // What is no ID is left to the listing, which refuses it.
    const lists = idsOf(value).map((list) => {
      const kept = list.filter((id) => visible.has(id) || parseId('ent', id) === undefined);
      return kept.length === 0 ? NO_ENTRY : kept.join(',');
    });
    return [name, lists.length === 1 ? lists[0] : lists];
  });
  return { ...query, ...Object.fromEntries(shown) };
}
