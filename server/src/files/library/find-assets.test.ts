import assert from 'node:assert/strict';
import { test } from 'node:test';
import { service } from '../../../test/shared.ts';
import { newUuid, publicId } from '../../shared/ids.ts';
import { findAssets } from '../index.ts';

async function insertAsset(accountId: string): Promise<string> {
  const id = newUuid();
  await service.db.query(
    `insert into assets (account_id, id, url_key, type, media_type, name, bytes, sha256, width, height, storage_key, created_at,
       updated_at)
     values ($1, $2, gen_random_uuid(), 'image', 'image/png', 'Ünï 1.png', 10, '\\x00', 3, 4, 'k', now(), now())`,
    [accountId, id],
  );
  return publicId('ast', id);
}

test('assets are found by id only in their own account', async () => {
  const [mine, other] = [await service.newAccount(), await service.newAccount()];
  const [a, b] = [await insertAsset(mine.uuid), await insertAsset(other.uuid)];
  const ids = [a, a, b, publicId('ast', newUuid()), a.toUpperCase(), a.replace('ast_', 'col_'), 'ast_', '', "'"];
  const found = await findAssets(service.db, mine.uuid, ids, 'http://files.test');
  assert.deepEqual([...found.keys()], [a]);
  const asset = found.get(a);
  assert.match(asset?.url ?? '', /^http:\/\/files\.test\/files\/[A-Za-z0-9_-]{43}\/Uni-1\.png$/);
  const { url: _, ...facts } = asset ?? { url: '' };
  assert.deepEqual(facts, {
    assetId: a,
    type: 'image',
    mediaType: 'image/png',
    name: 'Ünï 1.png',
    bytes: 10,
    width: 3,
    height: 4,
    ...{ duration: null, alt: null, title: null, caption: null, focalPoint: null, placeholder: null, poster: null },
    srcset: null,
  });
  assert.equal((await findAssets(service.db, mine.uuid, [], 'http://files.test')).size, 0);
});
