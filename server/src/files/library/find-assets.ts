import { parseId, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { AssetValue } from '../contract.ts';
import { serializeAssetValue } from './asset-response.ts';
import type { FileText } from './file-texts.ts';
import { findAssetRows, shareLockAssetRows } from './queries.ts';

/**
 * An account's assets by their public ids (`ast_…`). The map leaves out ids that are unknown, malformed or of another account.
 * @param locales of their texts, in order of preference
 */
export async function findAssets(
  tx: Tx,
  accountId: string,
  assetIds: string[],
  publicUrl: string,
  locales: readonly string[] = [],
): Promise<Map<string, AssetValue>> {
  const ids = uuidsOf(assetIds);
  const rows = ids.length === 0 ? [] : await findAssetRows(tx, { account_id: accountId, ids });
  return new Map(rows.map((row) => [publicId('ast', row.id), serializeAssetValue(row, publicUrl, locales)]));
}

/** What a use of a file in an entry may set for itself. */
export type OwnMembers = Pick<AssetValue, FileText | 'focalPoint'>;

/** As `findAssets`. None of the assets can be deleted until the transaction ends. */
export async function lockAssets(
  tx: Tx,
  accountId: string,
  assetIds: string[],
  publicUrl: string,
): Promise<Map<string, AssetValue>> {
  const ids = uuidsOf(assetIds);
  const rows = ids.length === 0 ? [] : await shareLockAssetRows(tx, { account_id: accountId, ids });
  return new Map(rows.map((row) => [publicId('ast', row.id), serializeAssetValue(row, publicUrl)]));
}

function uuidsOf(assetIds: string[]): string[] {
  return [...new Set(assetIds.flatMap((id) => parseId('ast', id) ?? []))];
}
