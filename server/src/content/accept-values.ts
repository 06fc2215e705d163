import { holdAssets } from '../files/index.ts';
import { type Fault, refuse } from '../shared/errors.ts';
import type { Tx } from '../shared/postgres/database.ts';
import type { CheckedValues, Values } from './check-values.ts';

/**
 * The checked values, if nothing is wrong with them and every asset they name is the account's, which then stays until
 * the transaction ends. @throws ApiError 400
 */
export async function acceptValues(tx: Tx, accountId: string, checked: CheckedValues): Promise<Values> {
  const faults: Fault[] = [...checked.faults];
  if (checked.assets.length > 0) {
    const ids = checked.assets.map((asset) => asset.assetId);
    const found = await holdAssets(tx, accountId, ids);
    for (const { pointer, assetId } of checked.assets) {
      if (!found.has(assetId)) faults.push({ pointer, code: 'asset_unknown', detail: 'There is no such asset.' });
    }
  }
  refuse(faults);
  return checked.values;
}
