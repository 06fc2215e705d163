import { invalid } from '../../shared/errors.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { FileChange } from '../contract.ts';
import { cleanName } from '../uploads/file-name.ts';
import { changeTranslations } from './file-texts.ts';
import { folderIdOf } from './folders.ts';
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
  const { alt = before.alt, title = before.title, caption = before.caption, focalPoint } = change;
  checkLocales(change);
  const translations = changeTranslations(before.translations, change);
  const folder_id = change.folderId === undefined ? before.folder_id : await folderIdOf(tx, accountId, change.folderId);
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
    account_id: accountId,
    id: before.id,
    name,
    alt,
    title,
    caption,
    translations: JSON.stringify(translations),
    folder_id,
    ...focal,
    tags: JSON.stringify(tags),
    deleted_at,
    updated_at,
  });
  if (!after) throw new Error('a locked asset disappeared');
  return { before, after };
}

/** @throws ApiError 400 `locale_invalid` */
function checkLocales(change: FileChange): void {
  const faults = Object.keys(change).flatMap((member) => {
    const [, tag] = member.split('@');
    if (tag === undefined || isLocale(tag)) return [];
    const detail = `"${tag}" is not a BCP 47 tag, such as "de" or "pt-BR".`;
    return [{ pointer: `/${member}`, code: 'locale_invalid', detail }];
  });
  if (faults.length > 0) throw invalid(faults);
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
