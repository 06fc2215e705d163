import { invalid } from '../shared/errors.ts';
import type { Tx } from '../shared/postgres/database.ts';
import type { FileChange } from './contract.ts';
import { cleanName } from './file-name.ts';
import { findFile } from './get-file.ts';
import { type AssetRow, lockAssets, updateAsset } from './queries.ts';

/** Changes what is sent. `tx` is a transaction. @throws ApiError 404, 400 where nothing of the name can be kept */
export async function changeFile(
  tx: Tx,
  accountId: string,
  assetId: string,
  sent: FileChange,
  now: number,
): Promise<{ before: AssetRow; after: AssetRow }> {
  const before = await findFile(tx, accountId, assetId, lockAssets);
  const name = sent.name === undefined ? before.name : cleanName(sent.name);
  if (name === '') {
    throw invalid([{ pointer: '/name', code: 'name_invalid', detail: 'Nothing of the name can be kept.' }]);
  }
  const { alt = before.alt } = sent;
  const focal =
    sent.focalPoint === undefined ? [before.focal_x, before.focal_y] : [sent.focalPoint?.x, sent.focalPoint?.y];
  const at = new Date(Math.max(now, before.updated_at.getTime()));
  const [after] = await updateAsset(tx, accountId, before.id, name, alt, focal[0] ?? null, focal[1] ?? null, at);
  if (!after) throw new Error('the asset went away while it was locked');
  return { before, after };
}
