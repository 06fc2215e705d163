import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toSlug as madeByService } from '../../server/src/content/field-types/formats/slug.ts';
import { loadTransliteration, toApiId, toKey } from '../src/content/api-id.ts';
import { toSlug } from '../src/content/made-slug.ts';
import { draftAsField, newField, newOption } from '../src/content/schema-draft.ts';

test('a form shows the slug that the service makes of a text, in every script and language', async () => {
  const same = (texts: string[]) => {
    for (const text of texts)
      for (const locale of ['', 'en', 'de-AT', 'nb'])
        assert.equal(toSlug(text, locale), madeByService(text, locale), text);
  };
  same(['Summer sale', 'Größe & Überfluß', 'L’été, c’est “bien” – oui…', ' -- ', `long ${'word '.repeat(40)}`]);
  assert.deepEqual(['Größe', 'Łódź Ø'].map(toApiId), ['grosse', 'lodzO']);
  await loadTransliteration();
  same(['Ærø og Åland', '½ Preis für 5 €', 'Привет, мир', '東京 2026', 'ΑΘΗΝΑ ςσ', 'İstanbul ıı']);
});

test('labels of every script get usable API IDs', async () => {
  await loadTransliteration();
  for (const [label, expected] of [
    ['Hero image', 'heroImage'],
    ['Größe', 'grosse'],
    ['Prix d’été', 'prixDete'],
    ['Τίτλος', 'titlos'],
    ['2 for 1', 'f2For1'],
    ['URL', 'url'],
    ['SEO title', 'seoTitle'],
  ]) {
    assert.equal(toApiId(label ?? ''), expected);
  }
  for (const label of ['عنوان', 'כותרת', 'शीर्षक', 'タイトル', '标题', '제목', 'სათაური', 'หัวข้อ'])
    assert.match(toApiId(label), /^[a-z][A-Za-z0-9]+$/, label);
});

test('the key of a collection follows its name, and none has it twice', () => {
  assert.deepEqual(
    [toKey('Landing pages', []), toKey('2 Größen', ['grossen']), toKey('Changes', []), toKey('—', [''])],
    ['landing_pages', 'grossen_2', 'changes_2', ''],
  );
});

test('an option that is not saved yet has the value that it will be saved with', () => {
  const field = {
    ...newField(),
    label: 'Kind',
    type: 'select' as const,
    options: [{ ...newOption(), label: 'Long read' }],
  };
  assert.deepEqual(
    draftAsField(field).options?.map(({ value }) => value),
    ['longRead'],
  );
});
