import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newUuid } from '../../shared/ids.ts';
import { deliveryHeaders, originalOf } from '../delivery/delivery-headers.ts';
import { decodeFileKey, encodeFileKey, serializeAssetValue } from '../library/asset-response.ts';
import type { AssetRow } from '../library/queries.ts';
import { cleanName, servedName } from './file-name.ts';

const anyName = fc.string({ unit: 'binary', maxLength: 500 });

test('any file name becomes one that can be stored, displayed, linked to and sent in a header', () => {
  fc.assert(
    fc.property(anyName, (sent) => {
      const name = cleanName(sent);
      assert.ok([...name].length <= 200);
      assert.ok(name.isWellFormed());
      assert.doesNotMatch(name, /[\p{Cc}/\\\u202a-\u202e\u2066-\u2069]|^\.|^\s|\s$/u);
      assert.equal(cleanName(name), name);
      const asset = {
        account_id: newUuid(),
        id: newUuid(),
        url_key: newUuid(),
        type: 'image',
        media_type: 'image/png',
        name: name || 'image.png',
        bytes: 1,
        sha256: Buffer.alloc(32),
        width: 1,
        height: 1,
        duration_seconds: null,
        storage_key: '',
        created_at: new Date(0),
      } as AssetRow;
      assert.match(serializeAssetValue(asset, '').url, /^\/files\/[\w-]{43}\/\w[\w-]*\.png$/);
      assert.match(
        deliveryHeaders(asset, originalOf(asset))['content-disposition'] ?? '',
        /^inline; filename="[ !#-$&-[\]-~]+\.png"; filename\*=UTF-8''[\w.!~%-]+$/i,
      );
    }),
  );
});

test('a file is served with an extension that matches its type', () => {
  assert.equal(servedName('a.png', 'image/png'), 'a.png');
  assert.equal(servedName('a.JPEG', 'image/jpeg'), 'a.JPEG');
  assert.equal(servedName('a.html', 'image/png'), 'a.html.png');
  assert.equal(servedName('a', 'video/quicktime'), 'a.mov');
  assert.equal(servedName('a.mp4', 'video/webm'), 'a.mp4.webm');
});

test('a URL key decodes to what was encoded, and no other text decodes', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), fc.string({ maxLength: 60 }), (account, key, other) => {
      const text = encodeFileKey(account, key);
      const read = decodeFileKey(text);
      assert.equal(read?.account_id, account.replaceAll('-', ''));
      assert.equal(read?.url_key, key.replaceAll('-', ''));
      assert.equal(decodeFileKey(other), undefined);
    }),
  );
});
