import { badRequest } from '../../../shared/errors.ts';
import type { Tx } from '../../../shared/postgres/database.ts';
import type { NestedField } from '../field.ts';
import { jsonPathOf, retiredPaths } from './fill-fields.ts';
import { countValuesAt } from './queries.ts';

/** Entries of a collection whose values are looked at: casting their JSON takes some seconds. */
const MAX_ENTRIES = 100_000;

interface Change {
  id: string;
  name: string;
  before: readonly NestedField[];
  after: readonly NestedField[];
}

/**
 * Refuses changes by which values of components and blocks are no longer returned.
 * @throws ApiError 400 `data_loss` with the number of entries that have such values
 */
export async function refuseDataLoss(tx: Tx, account_id: string, changes: readonly Change[]): Promise<void> {
  const losses: string[] = [];
  for (const { id: collection_id, name, before, after } of changes) {
    const retired = retiredPaths(before, after);
    if (retired.length === 0) continue;
    const paths = retired.map(jsonPathOf);
    const counts = await countValuesAt(tx, { account_id, collection_id, paths, limit: MAX_ENTRIES });
    const counted = new Map(counts.map(({ path, count }) => [path, count]));
    for (const [i, { label }] of retired.entries()) {
      const count = counted.get(paths[i] ?? '') ?? 0;
      if (count > 0) losses.push(`"${label}" in ${count} ${count === 1 ? 'entry' : 'entries'} of "${name}"`);
    }
  }
  if (losses.length === 0) return;
  const detail =
    `The values of ${losses.join(', ')} would no longer be returned. Send "allowDataLoss": true to change it anyway; ` +
    'restoring what was deleted brings them back.';
  throw badRequest('data_loss', detail);
}
