import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newUuid } from '../shared/ids.ts';
import { assetValue, readFileKey, writeFileKey } from './asset-url.ts';
import { deliveryHeaders, wholeFile } from './delivery-headers.ts';
import { cleanName, servedName } from './file-name.ts';
import type { AssetRow } from './queries.ts';

const anyName = fc.string({ unit: 'binary', maxLength: 500 });

test('whatever a file is called, its name can be stored, shown, linked to and sent as a header', () => {
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
      assert.match(assetValue(asset, '').url, /^\/files\/[\w-]{43}\/\w[\w-]*\.png$/);
      assert.match(
        deliveryHeaders(asset, wholeFile(asset))['content-disposition'] ?? '',
        /^inline; filename="[ !#-$&-[\]-~]+\.png"; filename\*=UTF-8''[\w.!~%-]+$/i,
      );
    }),
  );
});

test('a name is served with an extension of what the file is', () => {
  assert.equal(servedName('a.png', 'image/png'), 'a.png');
  assert.equal(servedName('a.JPEG', 'image/jpeg'), 'a.JPEG');
  assert.equal(servedName('a.html', 'image/png'), 'a.html.png');
  assert.equal(servedName('a', 'video/quicktime'), 'a.mov');
  assert.equal(servedName('a.mp4', 'video/webm'), 'a.mp4.webm');
});

test('a key in an address gives back what it was made of; no other text does', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), fc.string({ maxLength: 60 }), (account, key, other) => {
      const text = writeFileKey(account, key);
      const read = readFileKey(text);
      assert.equal(read?.accountId, account.replaceAll('-', ''));
      assert.equal(read?.urlKey, key.replaceAll('-', ''));
      assert.equal(readFileKey(other), undefined);
    }),
  );
});
