import { invalid } from '../../shared/errors.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { FileChange } from '../contract.ts';
import { cleanName } from '../uploads/file-name.ts';
import { findFile } from './get-file.ts';
import { type AssetRow, lockAssetRows, updateAsset } from './queries.ts';

/** Updates the given members, in a transaction. @throws ApiError 404, 400 if nothing of the name is usable */
export async function updateFile(
  tx: Tx,
  accountId: string,
  assetId: string,
  change: FileChange,
  now: number,
): Promise<{ before: AssetRow; after: AssetRow }> {
  const before = await findFile(tx, accountId, assetId, lockAssetRows);
  const name = change.name === undefined ? before.name : cleanName(change.name);
  if (name === '') {
    const detail = 'The name contains no usable characters. Use letters or digits.';
    throw invalid([{ pointer: '/name', code: 'name_invalid', detail }]);
  }
  const { alt = before.alt, focalPoint } = change;
  const focal =
    focalPoint === undefined
      ? { focal_x: before.focal_x, focal_y: before.focal_y }
      : { focal_x: focalPoint?.x ?? null, focal_y: focalPoint?.y ?? null };
  // Written the same, tags are the same.
  const tags = change.tags ? [...new Set(change.tags.map((tag) => tag.trim().normalize('NFC')))].sort() : before.tags;
  const deleted_at =
    change.status === undefined
      ? before.deleted_at
      : change.status === 'active'
        ? null
        : (before.deleted_at ?? new Date(now));
  const updated_at = new Date(Math.max(now, before.updated_at.getTime()));
  const [after] = await updateAsset(tx, {
    ...{ account_id: accountId, id: before.id, name, alt, ...focal },
    tags: JSON.stringify(tags),
    ...{ deleted_at, updated_at },
  });
  if (!after) throw new Error('a locked asset disappeared');
  return { before, after };
}
