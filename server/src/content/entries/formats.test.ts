// Slow: two hundred writers of one slug, and exports and imports by jobs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseHTML } from 'linkedom';
import { workOf } from '../../../test/event-loop.ts';
import type { Account, Answer } from '../../../test/harness.ts';
import { counted, importService } from '../../imports/test-support.ts';
import { parseId } from '../../shared/ids.ts';
import { htmlToRichText, markdownToRichText, parseRichText } from '../field-types/formats/rich-text.ts';
import { richTextToHtml } from '../field-types/formats/rich-text-html.ts';
import { richTextToMarkdown } from '../field-types/formats/rich-text-markdown.ts';
import { toSlug } from '../field-types/formats/slug.ts';
import { faultsOf } from '../test-support.ts';
import type { Entry } from './contract.ts';

const service = await importService();
const { call, ok, newAccount, newCollection, createEntry, listAll, dryRun, runStage, exported } = service;

const TITLE = { id: 'title', label: 'Title', type: 'text' };
const SLUG = { id: 'slug', label: 'Slug', type: 'text', format: 'slug', slugSource: 'title' };
const field = (format: string, more: object = {}) => ({ id: format, label: format, type: 'text', format, ...more });
const ALL = [TITLE, SLUG, ...['markdown', 'richtext', 'email', 'color', 'json'].map((format) => field(format))];

const slugsOf = (entries: readonly Entry[]) => entries.map(({ values }) => values.slug);
const read = (account: Account, path: string) => call(`GET ${path}?key=${account.apiKey}`);

test('every format checks its values, stores them in one form, and returns what can be written back', async () => {
  const account = await newAccount();
  const path = await newCollection(account, ALL);
  const post = (values: unknown) => call(`POST ${path}/entries`, { as: account, body: { values } });
  const document = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Grüße' }] }] };
  const json = { a: [1, null, { b: 'x' }], c: false };
  const sent = { slug: 'x-1', markdown: '# Hi', richtext: document, email: ' a@b.example ', color: '#0AF', json };
  const entry = await createEntry(account, path, sent);
  const stored = { ...sent, email: 'a@b.example', color: '#00aaff' };
  assert.deepEqual(entry.values, stored);
  assert.deepEqual((await ok(`PATCH ${path}/entries/${entry.id}`, account, { values: entry.values })).values, stored);
  const converted = await createEntry(account, path, { richtext: { html: '<p>Grüße</p>' }, json: [[1], 'x'] });
  assert.deepEqual(converted.values, { richtext: document, json: [[1], 'x'] });
  const found = async (query: [string, string]) => (await listAll(account, path, [query])).map(({ id }) => id);
  assert.deepEqual(await found(['q', 'grusse']), [entry.id, converted.id]);
  assert.deepEqual(await found(['q', 'grue']), []);
  assert.deepEqual(await found(['q', 'grüße']), [entry.id, converted.id]);
  assert.deepEqual(await found(['filter[color][eq]', '#0af']), [entry.id]);
  assert.deepEqual(await found(['filter[slug][eq]', 'x-1']), [entry.id]);
  assert.deepEqual(await found(['filter[json][exists]', 'true']), [entry.id, converted.id]);

  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
  const quotes = (levels: number): unknown =>
    levels === 0 ? { type: 'paragraph' } : { type: 'blockquote', content: [quotes(levels - 1)] };
  const link = (href: string) => ({
    type: 'doc',
    content: [
      { type: 'paragraph', content: [{ type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href } }] }] },
    ],
  });
  const refused: [string, unknown, string][] = [
    ['slug', 'Über', 'slug_invalid'],
    ['slug', 'a--b', 'slug_invalid'],
    ['slug', 'a'.repeat(201), 'too_long'],
    ['email', 'nobody', 'email_invalid'],
    ['email', 'a@b@c', 'email_invalid'],
    ['color', 'red', 'color_invalid'],
    ['color', 5, 'type'],
    ['json', deep(24), 'too_deep'],
    ['json', 'x'.repeat(100_001), 'too_large'],
    ['richtext', 'text', 'type'],
    ['richtext', { type: 'paragraph' }, 'richtext_invalid'],
    ['richtext', { type: 'doc', content: [{ type: 'script' }] }, 'richtext_invalid'],
    ['richtext', { type: 'doc', content: [quotes(12)] }, 'richtext_invalid'],
    ['richtext', { type: 'doc', content: Array.from({ length: 10_001 }, () => quotes(0)) }, 'richtext_invalid'],
    ['richtext', link('javascript:alert(1)'), 'richtext_invalid'],
    ['richtext', link(' java\nscript:alert(1)'), 'richtext_invalid'],
    ['richtext', { html: '<a href="JavaScript:alert(1)">x</a>' }, 'richtext_invalid'],
    ['richtext', { html: '<b>'.repeat(30_000) }, 'richtext_invalid'],
    ['richtext', { markdown: 5 }, 'type'],
    ['richtext', { valueOf: 'x' }, 'richtext_invalid'],
    ['richtext', { hasOwnProperty: 'x' }, 'richtext_invalid'],
    ['richtext', { ...document, content: [{ type: 'heading', attrs: { level: 9 } }] }, 'richtext_invalid'],
  ];
  for (const [id, value, code] of refused) {
    assert.deepEqual(
      faultsOf(await post({ [id]: value })),
      [`/values/${id} ${code}`],
      JSON.stringify(value).slice(0, 80),
    );
  }
  for (const href of ['/a', 'a/b?c=d:e', '#x', 'https://a.example', 'mailto:a@b.example', 'tel:1', '?a=b', 'page']) {
    assert.equal((await post({ richtext: link(href) })).status, 200, href);
  }
});

test('a format belongs to a text field, and only changes between plain text and Markdown', async () => {
  const account = await newAccount();
  const create = (...fields: unknown[]) =>
    call('POST /v1/cms/collections', { as: account, body: { name: 'x', fields: [TITLE, ...fields] } });
  const refused: [object, string[]][] = [
    [{ ...field('email'), type: 'number' }, ['/fields/1/format format_not_allowed']],
    [{ ...SLUG, repeated: true }, ['/fields/1/format format_not_allowed']],
    [{ id: 'g', label: 'G', type: 'group', fields: [field('slug')] }, ['/fields/1/fields/0/format format_not_allowed']],
    [{ ...SLUG, slugSource: 'nothing' }, ['/fields/1/slugSource slug_source_invalid']],
    [{ ...SLUG, slugSource: 'slug' }, ['/fields/1/slugSource slug_source_invalid']],
    [{ ...field('color'), slugSource: 'title' }, ['/fields/1/slugSource slug_source_not_allowed']],
    [{ ...field('color'), validation: { minLength: 1 } }, ['/fields/1/validation/minLength rule_not_allowed']],
    [{ ...field('color'), defaultValue: 'red' }, ['/fields/1/defaultValue color_invalid']],
    [{ ...field('json'), unique: true }, ['/fields/1/unique unique_not_allowed']],
  ];
  for (const [sent, faults] of refused) {
    const answer = await create(sent);
    const known = faultsOf(answer).filter((fault) => faults.includes(fault));
    assert.deepEqual(known, faults, JSON.stringify(answer.body.errors));
  }
  const path = await newCollection(account, [TITLE, SLUG, field('color', { defaultValue: '#FFF' })]);
  const [, slug, color] = (await ok(`GET ${path}`, account)).fields;
  assert.deepEqual([slug.unique, slug.slugSource, color.defaultValue], [true, 'title', '#ffffff']);
  const change = (fields: unknown[]) => call(`PATCH ${path}`, { as: account, body: { fields } });
  assert.deepEqual(faultsOf(await change([{ id: 'color', format: null }])), ['/fields/0/format format_immutable']);
  assert.deepEqual(faultsOf(await change([{ id: 'title', format: 'slug' }])), ['/fields/0/format format_immutable']);
  assert.equal((await change([{ id: 'title', format: 'markdown' }])).body.fields[0].format, 'markdown');
  assert.ok(!('format' in (await change([{ id: 'title', format: null }])).body.fields[0]));
});

test('a slug is derived from any script, stays when its source changes, and is unique', async () => {
  const account = await newAccount();
  for (const [text, slug] of [
    ['Grüße aus Köln!', 'grusse-aus-koln'],
    ['Привет, мир', 'privet-mir'],
    ['日本語', 'ribenyu'],
    ["L'été à la plage", 'lete-a-la-plage'],
    ['🎉', 'tada'],
    ['…', ''],
    ['x'.repeat(300), 'x'.repeat(80)],
  ] as const) {
    assert.equal(toSlug(text), slug, text);
  }
  for (const [locale, text, slug] of [
    ['de', 'Größere Übung', 'groessere-uebung'],
    ['de-CH', 'Ölmühle', 'oelmuehle'],
    ['da', 'Ål på Ærø', 'aal-paa-aeroe'],
    ['sv', 'Åre och Öland', 'are-och-oland'],
    ['en', 'Zoë’s café in Köln', 'zoes-cafe-in-koln'],
  ] as const) {
    assert.equal(toSlug(text, locale), slug, text);
  }
  const path = await newCollection(account, [TITLE, { ...SLUG, required: true }]);
  const created: Entry[] = [];
  for (let i = 0; i < 3; i++) created.push(await createEntry(account, path, { title: 'Sommer Schlußverkauf' }));
  assert.deepEqual(slugsOf(created), ['sommer-schlussverkauf', 'sommer-schlussverkauf-2', 'sommer-schlussverkauf-3']);
  assert.deepEqual(Object.keys(created[0]?.values ?? {}), ['title', 'slug'], 'in the order of the fields');
  const [first] = created;
  const patch = (values: unknown) => call(`PATCH ${path}/entries/${first?.id}`, { as: account, body: { values } });
  assert.equal((await patch({ title: 'Winter' })).body.values.slug, 'sommer-schlussverkauf');
  assert.equal((await patch({ slug: null })).body.values.slug, 'winter');
  assert.deepEqual(faultsOf(await patch({ slug: 'sommer-schlussverkauf-2' })), ['/values/slug value_taken']);
  assert.deepEqual(faultsOf(await patch({ title: '…', slug: null })), ['/values/slug required']);
  assert.deepEqual(faultsOf(await call(`POST ${path}/entries`, { as: account, body: { values: {} } })), [
    '/values/slug required',
  ]);
  assert.equal(
    (await createEntry(account, path, { title: 'Sommer Schlußverkauf' })).values.slug,
    'sommer-schlussverkauf-4',
  );
});

test('a slug that only entries in the trash had is free, and one of them is restored once its own is', async () => {
  const account = await newAccount();
  for (const publishing of [false, true]) {
    const path = await newCollection(account, [TITLE, SLUG], { publishing, public: publishing });
    const values = { title: 'Privacy Policy' };
    const publish = (entry: Entry) => publishing && ok(`POST ${path}/entries/${entry.id}/publish`, account, {});
    const set = (entry: Entry, body: unknown) => call(`PATCH ${path}/entries/${entry.id}`, { as: account, body });
    const first = await createEntry(account, path, values);
    await publish(first);
    assert.equal((await set(first, { values: { slug: 'privacy' } })).status, 200);
    await publish(first);
    const other = await createEntry(account, path, values);
    assert.equal(other.values.slug, 'privacy-policy-2', 'links to the earlier slug of an entry lead to it');
    await ok(`DELETE ${path}/entries/${other.id}`, account);
    await ok(`DELETE ${path}/entries/${first.id}`, account);
    const second = await createEntry(account, path, values);
    assert.equal(second.values.slug, 'privacy-policy');
    await publish(second);
    const page = async () =>
      publishing
        ? (
            await call(`GET ${path.replace('/v1/cms/collections/', '/v1/content/')}/privacy-policy`, {
              as: account.apiKey,
            })
          ).body.id
        : second.id;
    assert.equal(await page(), second.id);
    const third = await createEntry(account, path, { title: 'Privacy' });
    assert.equal(third.values.slug, 'privacy');
    await publish(third);
    assert.deepEqual(faultsOf(await set(first, { status: 'active' })), ['/values/slug value_taken']);
    // What is published is restored as it was, once its slug is free; anything else, with another slug, too.
    if (publishing) await ok(`DELETE ${path}/entries/${third.id}`, account);
    const slug = publishing ? {} : { values: { slug: 'privacy-old' } };
    const restored = await set(first, { status: 'active', ...slug });
    assert.equal(restored.status, 200, JSON.stringify(restored.body));
    assert.equal(restored.body.values.slug, publishing ? 'privacy' : 'privacy-old');
    assert.equal(await page(), second.id);
  }
});

test('CSV files have rich text as Markdown, JSON as JSON, and need no slug', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [...ALL, field('json', { id: 'list', repeated: true })]);
  const richtext = { markdown: '# A\n\n* =b' };
  await createEntry(account, path, { title: 'A', richtext, json: -5, list: [['=x'], null, { a: 1 }].filter(Boolean) });
  await createEntry(account, path, {
    title: 'B',
    json: ['=1', -2],
    color: '#ABC',
    markdown: '=x',
    email: '-a@b.example',
  });
  const before = await listAll(account, path, []);
  const file = await exported(account, path);
  assert.equal((await dryRun(account, path, file)).dryRun?.unchanged, 2, file);
  // The same cells in new entries give the same values.
  const lines = file.replace(/^\ufeff?id,/, 'nothing,').replace(',slug,', ',other,');
  const { id, dryRun: preview } = await dryRun(account, path, lines.replaceAll('/slug', ''));
  assert.equal(preview?.created, 2, JSON.stringify(preview));
  await runStage(account, path, id, 'start');
  const after = await listAll(account, path, []);
  const values = (entries: Entry[]) => entries.map((entry) => ({ ...entry.values, slug: undefined }));
  assert.deepEqual(values(after.slice(2)), values(before));
  assert.deepEqual(slugsOf(after), ['a', 'b', 'a-2', 'b-2']);
  const many = await dryRun(account, path, `title\n${'Same\n'.repeat(20)}`);
  await runStage(account, path, many.id, 'start');
  assert.equal(new Set(slugsOf(await listAll(account, path, []))).size, 24);
  const bad = await dryRun(account, path, 'json,email\n{,x\n');
  assert.deepEqual(counted(bad.dryRun).failed, 1);
  // What the database could not read again, in every kind of cell.
  const NUL = String.raw`\u0000`;
  const cells = [`{""a"":""${NUL}""},`, `{""${NUL}"":1},`, String.raw`""\ud800"",`, '[1e999],', `,[""${NUL}""]`];
  const rows = cells.map((row) => `"${row.replace(/,(?=$|\[)/, '","')}"`);
  const unstorable = await dryRun(account, path, `json,list\n${rows.join('\n')}\n`);
  assert.deepEqual([counted(unstorable.dryRun).failed, counted(unstorable.dryRun).created], [5, 0]);
});

test('of 200 writers of one slug, one gets it', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [SLUG, TITLE]);
  // On a busy machine, some wait too long and are asked to come back.
  const post = async (): Promise<Answer> => {
    const answer = await call(`POST ${path}/entries`, { as: account, body: { values: { slug: 'one' } } });
    return answer.status === 429 ? post() : answer;
  };
  const answers = await Promise.all(Array.from({ length: 200 }, post));
  const [taken, won] = [400, 200].map((status) => answers.filter((answer) => answer.status === status));
  assert.deepEqual([taken?.length, won?.length], [199, 1]);
  const holder = won?.[0]?.body.id;
  for (const { body } of taken ?? []) {
    assert.deepEqual([body.code, body.errors.length, body.errors[0].pointer], ['value_taken', 1, '/values/slug']);
    assert.ok(body.errors[0].detail.includes(holder));
  }
  // Derived slugs do not collide: the others get another one.
  const derived = await Promise.all(
    Array.from({ length: 30 }, () => call(`POST ${path}/entries`, { as: account, body: { values: { title: 'One' } } })),
  );
  assert.deepEqual([...new Set(derived.map(({ status }) => status))], [200]);
  assert.equal(new Set(derived.map(({ body }) => body.values.slug)).size, 30);
});

test('drafts that are written at the same moment derive different slugs', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [TITLE, SLUG], { publishing: true });
  const untitled = await Promise.all(Array.from({ length: 20 }, () => createEntry(account, path, {})));
  const titled = { as: account, body: { values: { title: 'One' } } };
  const answers = await Promise.all([
    ...Array.from({ length: 20 }, () => call(`POST ${path}/entries`, titled)),
    ...untitled.map(({ id }) => call(`PATCH ${path}/entries/${id}`, titled)),
  ]);
  const slugs = answers.map(({ body }) => body.values.slug);
  assert.deepEqual([new Set(slugs).size, slugs.every((slug) => slug.startsWith('one'))], [40, true], slugs.join(' '));
  const entryIds = answers.map(({ body }) => body.id);
  assert.equal((await call(`POST ${path}/publish`, { as: account, body: { entryIds } })).status, 200);
});

test('public content is read by slug, and by every slug it had', async () => {
  const account = await newAccount();
  const more = { publishing: true, public: true };
  const path = await newCollection(account, [TITLE, SLUG], more);
  const url = `/v1/content/${path.split('/').at(-1)}`;
  const publish = ({ id }: Entry) => ok(`POST ${path}/entries/${id}/publish`, account, {});
  const rename = async (entry: Entry, slug: string) => {
    await ok(`PATCH ${path}/entries/${entry.id}`, account, { values: { slug } });
    return publish(entry);
  };
  const bySlug = async (slug: string) => {
    const { status, body } = await read(account, `${url}/${slug}`);
    return status === 200 ? [body.id, body.redirectTo] : status;
  };
  const entry = await createEntry(account, path, { title: 'q' });
  assert.equal(await bySlug('q'), 404, 'a draft');
  await publish(entry);
  assert.equal((await call(`GET ${url}?q&key=${account.apiKey}`)).body.entries.length, 1);
  assert.deepEqual(await bySlug('q'), [entry.id, undefined]);
  await ok(`PATCH ${path}/entries/${entry.id}`, account, { values: { slug: 'two' } });
  assert.deepEqual(await bySlug('two'), 404, 'only a draft has it');
  await publish(entry);
  assert.deepEqual(
    [await bySlug('two'), await bySlug('q')],
    [
      [entry.id, undefined],
      [entry.id, 'two'],
    ],
  );
  await rename(entry, 'three');
  assert.deepEqual(
    [await bySlug('two'), await bySlug('q')],
    [
      [entry.id, 'three'],
      [entry.id, 'three'],
    ],
  );
  await rename(entry, 'q');
  assert.deepEqual(
    [await bySlug('three'), await bySlug('q')],
    [
      [entry.id, 'q'],
      [entry.id, undefined],
    ],
    'no cycle',
  );

  const other = await createEntry(account, path, { title: 'three' });
  assert.equal(other.values.slug, 'three-2', 'what redirects is not taken without being asked for');
  await rename(other, 'three');
  assert.deepEqual(await bySlug('three'), [other.id, undefined], 'an entry that has the slug comes first');
  await ok(`POST ${path}/entries/${entry.id}/unpublish`, account, {});
  assert.deepEqual([await bySlug('q'), await bySlug('two')], [404, 404]);
  await rename(entry, 'four');
  assert.deepEqual(await bySlug('q'), [entry.id, 'four'], 'also from before it was unpublished');
  await ok(`PATCH ${path}`, account, { fields: [{ id: 'slug', private: true }] });
  assert.deepEqual([await bySlug('four'), await bySlug('q')], [404, 404], 'a private slug');
  await ok(`DELETE ${path}/entries/${entry.id}`, account);
  await ok(`DELETE ${path}/entries/${entry.id}?permanently=true`, account);
  const { rows } = await service.db.query('select slug from old_slugs where account_id = $1 and entry_id <> $2', [
    account.uuid,
    parseId('ent', other.id),
  ]);
  assert.deepEqual(rows, []);
});

test('rich text becomes Markdown and HTML and back without a change', async () => {
  const markdown = [
    '## Head *line*',
    'A [link](https://a.example "T"), **bold *both***, `code`\\\nand an ![image](/x.png "t").',
    '* one\n\n  1. first\n  2. second\n\n* two',
    '> quoted',
    '```js\nlet a = "<b>";\n```',
    '---',
  ].join('\n\n');
  const tree = parseRichText(markdownToRichText(markdown));
  assert.ok('document' in tree);
  const { document } = tree;
  assert.equal(richTextToMarkdown(document), markdown);
  assert.deepEqual(parseRichText(htmlToRichText(richTextToHtml(document))), tree);
  const text = fc.string({
    unit: fc.constantFrom(...'a *_<>[]`#-\\!&;~+=().:/|', '1.'),
  });
  const paragraph = text.map((each) => each.trim()).filter((each) => each !== '');
  fc.assert(
    fc.property(fc.array(paragraph, { minLength: 1, maxLength: 4 }), (texts) => {
      const content = texts.map((each) => ({
        type: 'paragraph',
        content: [{ type: 'text', text: each.replace(/ +/g, ' ') }],
      }));
      const parsed = parseRichText({ type: 'doc', content });
      assert.ok('document' in parsed);
      assert.deepEqual(parseRichText(markdownToRichText(richTextToMarkdown(parsed.document))), parsed);
      assert.deepEqual(parseRichText(htmlToRichText(richTextToHtml(parsed.document))), parsed);
    }),
    { numRuns: 200 },
  );
});

test('no text or attribute of rich text leaves its place in Markdown', () => {
  const hostile = fc
    .array(
      fc.constantFrom('\n', '\r', '```', '`', '\n\n# x', ' ', '"', '\\', ')', '](', '<b>', '<!--', '~~~\n', '> ', 'a'),
      {
        minLength: 1,
        maxLength: 6,
      },
    )
    .map((parts) => parts.join(''));
  const text = (value: string, marks: object[] = []) => ({ type: 'text', text: value, marks });
  const blocks = fc.tuple(hostile, hostile, hostile).chain(([a, b, c]) =>
    fc.constantFrom<object>(
      { type: 'code_block', attrs: { params: a }, content: [text(b)] },
      { type: 'blockquote', content: [{ type: 'code_block', attrs: { params: a }, content: [text(b)] }] },
      { type: 'paragraph', content: [text('x'), { type: 'image', attrs: { src: `/${a}`, alt: b, title: c } }] },
      { type: 'figure', attrs: { src: `/${a}`, alt: b, caption: c } },
      {
        type: 'paragraph',
        content: [text('x', [{ type: 'link', attrs: { href: `https://a.example/${a}`, title: b } }])],
      },
      { type: 'paragraph', content: [text(`x${a}y`, [{ type: 'code' }])] },
    ),
  );
  const shapeOf = (node: object): unknown => {
    const { type, content = [], marks = [] } = node as { type: string; content?: object[]; marks?: { type: string }[] };
    if (type === 'figure')
      return { type: 'paragraph', content: [{ type: 'image', content: [], marks: [] }], marks: [] };
    return { type, content: type === 'code_block' ? [] : content.map(shapeOf), marks: marks.map((mark) => mark.type) };
  };
  fc.assert(
    fc.property(blocks, (block) => {
      const parsed = parseRichText({ type: 'doc', content: [block, { type: 'horizontal_rule' }] });
      assert.ok('document' in parsed, JSON.stringify(parsed));
      const markdown = richTextToMarkdown(parsed.document);
      assert.deepEqual(shapeOf(markdownToRichText(markdown)), shapeOf(parsed.document), JSON.stringify(markdown));
    }),
    { numRuns: 1_000 },
  );
});

test('tables, images with captions and further marks are kept, as HTML and in Markdown', async () => {
  const markdown = [
    'Old ~~price~~.',
    '| Size | Price \\| net |\n| --- | --- |\n| **L** | 10 |\n| XL |  |',
    '![A lake](https://a.example/lake.png "At dawn, \\"calm\\"")',
  ].join('\n\n');
  const tree = parseRichText(markdownToRichText(markdown));
  assert.ok('document' in tree, JSON.stringify(tree));
  assert.equal(richTextToMarkdown(tree.document), markdown);
  const [, table] = tree.document.content as { type: string; content: { content: { type: string }[] }[] }[];
  assert.deepEqual(
    table?.content.map((row) => row.content.map(({ type }) => type)),
    [
      ['table_header', 'table_header'],
      ['table_cell', 'table_cell'],
      ['table_cell', 'table_cell'],
    ],
  );
  const html =
    '<p><u>a</u><sup>2</sup><sub>3</sub><s>b</s></p>' +
    '<figure><img src="/lake.png" alt="A &quot;lake&quot;"><figcaption>At dawn &lt;b&gt;</figcaption></figure>' +
    '<table><tbody><tr><th colspan="2">A</th></tr><tr><td>1</td><td><p>2</p><ul><li><p>3</p></li></ul></td></tr></tbody></table>';
  const parsed = parseRichText(htmlToRichText(html));
  assert.ok('document' in parsed, JSON.stringify(parsed));
  assert.equal(richTextToHtml(parsed.document), html);
  assert.equal(
    richTextToMarkdown(parsed.document),
    html.replace('<p>', '').replace('<s>b</s></p>', '~~b~~\n\n').replace('</figure>', '</figure>\n\n'),
    'what Markdown does not have is HTML',
  );
  assert.deepEqual(parseRichText(markdownToRichText(richTextToMarkdown(parsed.document))), parsed);
  const figure = (attrs: object) => parseRichText({ type: 'doc', content: [{ type: 'figure', attrs }] });
  const cell = { type: 'table_cell', attrs: { colspan: 1e9 }, content: [{ type: 'paragraph' }] };
  const refused = [
    figure({}),
    figure({ src: 'javascript:alert(1)' }),
    figure({ src: '/a.png', alt: 5 }),
    figure({ src: '/a.png', assetId: 7 }),
    parseRichText({ type: 'doc', content: [{ type: 'table', content: [] }] }),
    parseRichText({ type: 'doc', content: [{ type: 'table', content: [{ type: 'table_row', content: [cell] }] }] }),
  ];
  for (const each of refused) assert.ok('fault' in each, JSON.stringify(each));
});

test('an image of a rich text is a file of the account', async () => {
  const account = await newAccount();
  const path = await newCollection(account, [TITLE, field('richtext')]);
  const document = (assetId: string) => ({
    type: 'doc',
    content: [{ type: 'figure', attrs: { src: '/a.png', assetId } }],
  });
  const answer = await call(`POST ${path}/entries`, {
    as: account,
    body: { values: { richtext: document('ast_01890000000070008000000000000000') } },
  });
  assert.deepEqual(faultsOf(answer), ['/values/richtext/assetId asset_unknown']);
});

test('spaces without end become Markdown in linear time', async () => {
  const text = `a${'\u00a0 '.repeat(40_000)}b`;
  const emphasized = { type: 'text', text, marks: [{ type: 'em' }] };
  const code = { type: 'code_block', content: [{ type: 'text', text }] };
  let markdown = '';
  const took = await workOf(() => {
    markdown = richTextToMarkdown({ type: 'doc', content: [{ type: 'paragraph', content: [emphasized] }, code] });
  });
  assert.ok(took < 1_000, 'quadratic time');
  assert.equal(markdown, `*${text}*\n\n\`\`\`\n${text}\n\`\`\``, 'and none is left out');
});

test('the HTML of rich text contains what was written as text, and no other elements or attributes', () => {
  const hostile = fc.string({
    unit: fc.constantFrom('<', '>', '"', "'", '&', '&lt;', '<script>', ' onerror=', 'a', '`', '/', '='),
  });
  const url = fc.oneof(
    hostile.map((text) => `/${text}`),
    fc.constantFrom('https://a.example/?a=1&b="2"', 'mailto:a@b.example'),
  );
  const text = hostile
    .filter((each) => each !== '')
    .chain((each) =>
      fc.record({
        type: fc.constant('text'),
        text: fc.constant(each),
        marks: fc
          .subarray(['strong', 'code', 'link'])
          .chain((marks) =>
            url.map((href) =>
              marks.map((type) => (type === 'link' ? { type, attrs: { href, title: each } } : { type })),
            ),
          ),
      }),
    );
  const image = fc.record({ src: url, alt: hostile, title: hostile }).map((attrs) => ({ type: 'image', attrs }));
  const inline = fc.array(fc.oneof(text, image), { maxLength: 4 });
  const block = fc.oneof(
    inline.map((content) => ({ type: 'paragraph', content })),
    fc.tuple(hostile, hostile).map(([params, code]) => ({
      type: 'code_block',
      attrs: { params },
      content: code ? [{ type: 'text', text: code }] : [],
    })),
    fc.tuple(url, hostile, hostile).map(([src, alt, caption]) => ({ type: 'figure', attrs: { src, alt, caption } })),
  );
  const ELEMENTS = new Set(['P', 'PRE', 'CODE', 'STRONG', 'A', 'IMG', 'FIGURE', 'FIGCAPTION']);
  const ATTRIBUTES = new Set(['href', 'src', 'alt', 'title', 'data-params', 'data-space', 'class']);
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 3 }), (content) => {
      const parsed = parseRichText({ type: 'doc', content });
      assert.ok('document' in parsed, JSON.stringify(parsed));
      const { document } = parseHTML(`<!doctype html><html><body>${richTextToHtml(parsed.document)}</body></html>`);
      for (const element of document.body.querySelectorAll('*')) {
        assert.ok(ELEMENTS.has(element.tagName), element.tagName);
        for (const { name } of element.attributes) assert.ok(ATTRIBUTES.has(name), name);
      }
      const texts = (nodes: { text?: string; attrs?: { caption?: string }; content?: unknown[] }[]): string =>
        nodes
          .map(({ text: own, attrs, content: inner }) => own ?? attrs?.caption ?? texts((inner ?? []) as never))
          .join('');
      assert.equal(document.body.textContent, texts(parsed.document.content as never));
    }),
    { numRuns: 300 },
  );
  // Checked when it is written; a document that came another way still runs nothing.
  const marks = [{ type: 'link', attrs: { href: 'javascript:alert(1)', title: null } }];
  const content = [
    { type: 'script', attrs: { src: 'x' }, content: [{ type: 'text', text: '<b>', marks }] },
    { type: 'heading', attrs: { level: '1 onclick=x' } },
  ];
  assert.equal(richTextToHtml({ type: 'doc', content }), '<a>&lt;b&gt;</a><hNaN></hNaN>');
  const linked = (text: string, more: object[] = []) => ({
    type: 'text',
    text,
    marks: [{ type: 'link', attrs: { href: '/a' } }, ...more],
  });
  const paragraph = { type: 'paragraph', content: [linked('One '), linked('link', [{ type: 'strong' }])] };
  assert.equal(
    richTextToHtml({ type: 'doc', content: [paragraph] }),
    '<p><a href="/a">One <strong>link</strong></a></p>',
  );
});

test('public content returns rich text as HTML or Markdown, also of expanded entries, in groups and in previews', async () => {
  const account = await newAccount();
  const body = { id: 'body', label: 'Body', type: 'text', format: 'richtext' };
  const more = { publishing: true, public: true, previewUrl: 'https://a.example/{id}?{token}' };
  const path = await newCollection(
    account,
    [TITLE, body, { id: 'parts', label: 'P', type: 'group', repeated: true, fields: [body] }],
    more,
  );
  const collectionId = path.split('/').at(-1);
  await ok(`PATCH ${path}`, account, {
    fields: [{ id: 'next', label: 'N', type: 'text', format: 'reference', collectionIds: [collectionId] }],
  });
  const first = await createEntry(account, path, { body: { markdown: 'One & *two*' } });
  const entry = await createEntry(account, path, {
    body: { markdown: '# <b>' },
    parts: [{ body: { markdown: 'x' } }],
    next: first.id,
  });
  await ok(`POST ${path}/publish`, account, { entryIds: [first.id, entry.id] });
  const url = `/v1/content/${collectionId}/${entry.id}`;
  const read = async (query: string, at = url) =>
    (await call(`GET ${at}?key=${account.apiKey}&expand=next&${query}`)).body;
  const bodies = ({ values }: Entry) => [
    values.body,
    (values.parts as Entry['values'][])[0]?.body,
    (values.next as Entry).values.body,
  ];
  const html = ['<h1>&lt;b&gt;</h1>', '<p>x</p>', '<p>One &amp; <em>two</em></p>'];
  assert.deepEqual(bodies(await read('richtext=html')), html);
  assert.deepEqual(bodies(await read('richtext=markdown')), ['# \\<b>', 'x', 'One & *two*']);
  assert.deepEqual(bodies(await read('richtext=json')), bodies(await read('')));
  assert.equal((bodies(await read(''))[0] as { type: string }).type, 'doc');
  const list = await read('richtext=html', `/v1/content/${collectionId}`);
  assert.deepEqual(bodies(list.entries[1]), html);
  const { token } = await ok(`POST ${path}/entries/${entry.id}/preview`, account);
  await ok(`PATCH ${path}/entries/${entry.id}`, account, { values: { body: { markdown: 'Draft' } } });
  const draft = ['<p>Draft</p>', ...html.slice(1)];
  assert.deepEqual(bodies(await read(`richtext=html&preview=${token}`)), draft);
  const drafts = await read(`richtext=html&preview=${token}`, `/v1/content/${collectionId}`);
  assert.deepEqual(bodies(drafts.entries[1]), draft);
  assert.deepEqual(
    (await read('richtext=pdf')).errors.map(({ pointer }: { pointer: string }) => pointer),
    ['?richtext'],
  );
});
