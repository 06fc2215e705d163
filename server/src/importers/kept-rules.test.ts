import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rulesThatHold } from './kept-rules.ts';
import { Notes, type Source, type SourceField, type Values } from './source.ts';

const text = (id: string, more: Partial<SourceField> = {}): SourceField => ({ id, label: id, type: 'text', ...more });

function sourceOf(fields: SourceField[], entries: { values: Values; isPublished?: boolean }[]): Source {
  const collections = [{ id: 'posts', name: 'Posts', publishing: true, fields }];
  const all = entries.map((entry, n) => ({ id: String(n), collectionId: 'posts', isPublished: true, ...entry }));
  return { collections, assets: [], entries: all, locales: { default: 'en', all: ['en', 'de'] }, notes: new Notes() };
}

test('rules that live entries break are left out, and named; drafts break none', () => {
  const rules = { minLength: 2, maxLength: 3, pattern: '[a-z]+' };
  const fields = [
    text('title', { required: true, localized: true }),
    text('lacking', { required: true }),
    text('code', { unique: true, validation: rules }),
    text('same', { unique: true }),
    text('list', { repeated: true, validation: { minItems: 1, maxItems: 2, maxLength: 1 } }),
    { id: 'rate', label: 'rate', type: 'number' as const, validation: { min: 1, max: 5 } },
    { id: 'cover', label: 'cover', type: 'asset' as const, required: true },
    {
      ...text('rows'),
      type: 'group' as const,
      repeated: true,
      fields: [text('inner', { required: true }), text('kept', { required: true })],
    },
  ];
  const whole = { title: 'A', lacking: 'x', cover: 'gone', rows: [{ inner: 'i', kept: 'k' }] };
  const source = sourceOf(fields, [
    { values: { ...whole, 'title@de': 'A', code: 'abc', same: 's', list: ['a', 'b'], rate: 3 } },
    {
      values: { ...whole, lacking: '', code: 'abcd', same: 's', list: ['a', 'b', 'c'], rate: 0, rows: [{ kept: 'k' }] },
    },
    { values: { code: 'A', list: ['long'], rate: 9 }, isPublished: false },
  ]);
  const [posts] = rulesThatHold(source);
  const byId = new Map(posts?.fields.map((field) => [field.id, field]));
  const settings = (id: string) => {
    const { required, unique, validation } = byId.get(id) ?? text(id);
    return { required, unique, validation };
  };
  const none = { required: undefined, unique: undefined, validation: undefined };
  assert.deepEqual(
    settings('title'),
    { ...none, required: true },
    'the German title is that of an entry with other German values',
  );
  assert.deepEqual(settings('lacking'), none);
  assert.deepEqual(settings('code'), { ...none, unique: true, validation: { minLength: 2, pattern: '[a-z]+' } });
  assert.deepEqual(settings('same'), none);
  assert.deepEqual(settings('list'), { ...none, validation: { minItems: 1, maxLength: 1 } });
  assert.deepEqual(settings('rate'), { ...none, validation: { max: 5 } });
  assert.deepEqual(settings('cover'), none, 'files that are not in the export');
  assert.deepEqual(
    byId.get('rows')?.fields?.map(({ required }) => required),
    [undefined, true],
  );
  const noted = source.notes.list().map(({ note, amount }) => `${amount}: ${note.split(' here', 1)[0]}`);
  assert.deepEqual(noted.sort(), [
    '1 entry: "code" has no rule maxLength',
    '1 entry: "lacking" is not required',
    '1 entry: "list" has no rule maxItems',
    '1 entry: "rate" has no rule min',
    '1 entry: "rows.inner" is not required',
    '1 value: "same" is not unique',
    '2 entries: "cover" is not required',
  ]);
});
