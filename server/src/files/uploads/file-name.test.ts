import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { longestBlock } from '../../../test/event-loop.ts';
import { newUuid } from '../../shared/ids.ts';
import { deliveryHeaders, originalOf } from '../delivery/delivery-headers.ts';
import { decodeFileKey, encodeFileKey, serializeAssetValue } from '../library/asset-response.ts';
import type { AssetRow } from '../library/queries.ts';
import { cleanName, servedName } from './file-name.ts';

const anyName = fc.string({ unit: 'binary', maxLength: 500 });

test('no file name that a header can hold blocks the event loop', async () => {
  const parts = ['. ', ' ', '.', '\u0301\u0323\u0334\u0345', '\ufdfa', '\u202e', '.a', '가\u11a8'];
  for (const part of parts.map((text) => text.repeat(100_000 / text.length))) {
    for (const name of [part, `x${part}x`, `x${part}.png`]) {
      const block = await longestBlock(async () => cleanName(name));
      assert.ok(block < 250, `${JSON.stringify(name.slice(0, 9))}: ${block} units`);
      assert.ok(name !== `x${part}.png` || cleanName(name).endsWith('.png'));
    }
  }
});

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
        signing_key: null,
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
