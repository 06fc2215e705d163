import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadTransliteration, toApiId } from '../src/content/api-id.ts';

test('labels of every script get usable API IDs', async () => {
  await loadTransliteration();
  for (const [label, expected] of [
    ['Hero image', 'heroImage'],
    ['Größe', 'grosse'],
    ['Prix d’été', 'prixDete'],
    ['Τίτλος', 'titlos'],
    ['2 for 1', 'f2For1'],
  ]) {
    assert.equal(toApiId(label ?? ''), expected);
  }
  for (const label of ['عنوان', 'כותרת', 'शीर्षक', 'タイトル', '标题', '제목', 'სათაური', 'หัวข้อ'])
    assert.match(toApiId(label), /^[a-z][A-Za-z0-9]+$/, label);
});
