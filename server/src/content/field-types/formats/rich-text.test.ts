// Slow: random documents through every format, and long ones.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseHTML } from 'linkedom';
import { workOf } from '../../../../test/event-loop.ts';
import { htmlToRichText, markdownToRichText, parseRichText, richTextToText } from './rich-text.ts';
import type { Item, RichText } from './rich-text-document.ts';
import { richTextToHtml } from './rich-text-html.ts';
import { richTextToMarkdown } from './rich-text-markdown.ts';

/** CommonMark with tables and strikethrough, as others read it: with HTML, without anything of ours. */
const Tokenizer = createRequire(import.meta.resolve('prosemirror-markdown'))('markdown-it') as new (
  preset: string,
  options: object,
) => { enable(rules: string[]): void; render(markdown: string): string };
const others = new Tokenizer('commonmark', { html: true });
others.enable(['table', 'strikethrough']);

const parsed = (tree: object): RichText => {
  const result = parseRichText(tree);
  assert.ok('document' in result, `${JSON.stringify(result)} ${JSON.stringify(tree)}`);
  return result.document;
};
const doc = (...content: object[]) => ({ type: 'doc', content });

const BLOCKS =
  /^(?:p|div|h\d|blockquote|pre|ul|ol|li|table|tr|td|th|hr|br|figure|figcaption|section|dl|dt|dd|main|nav|center|summary|details|legend|fieldset|option|caption|img)$/;
const HIDDEN = /^(?:script|style|template|title|head|#comment)$/;

interface DomNode {
  nodeName: string;
  nodeValue: string | null;
  childNodes: Iterable<DomNode>;
}

/** What a reader of HTML sees: the words, separated by white space, breaks, images and the edges of blocks. */
function wordsOfHtml(html: string): string[] {
  const visit = ({ nodeName, nodeValue, childNodes }: DomNode): string => {
    const name = nodeName.toLowerCase();
    if (HIDDEN.test(name)) return '';
    if (name === '#text') return nodeValue ?? '';
    const inner = [...childNodes].map(visit).join('');
    return BLOCKS.test(name) ? ` ${inner} ` : inner;
  };
  const { document } = parseHTML(`<!doctype html><html><body>${html}</body></html>`);
  return words(visit(document.body as never));
}

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');

/** The same of a tree. */
function wordsOf(item: Item, hasAlt = false): string[] {
  const visit = ({ type, text, attrs, content = [] }: Item): string => {
    if (type === 'text') return text ?? '';
    const alt = hasAlt ? (attrs?.alt ?? '') : '';
    if (type === 'image') return ` ${alt} `;
    if (type === 'figure') return ` ${alt} ${attrs?.caption} `;
    return ` ${content.map(visit).join('')} `;
  };
  return words(visit(item));
}

const UNITS = [
  ...[
    'a',
    'B',
    'é',
    '1',
    '1.',
    '2)',
    '日本',
    '「',
    '」',
    '。',
    '🎉',
    '€',
    'x_y',
    'see',
    'Note:',
    'http://a.example/?b=c&d',
  ],
  ...' *_~`#-+=>|:!&<[]()\\"\'/.;{}',
  ...[
    '**',
    '__',
    '~~',
    '```',
    '- ',
    '---',
    '===',
    '&amp;',
    '&#32;',
    '<b>',
    '<br>',
    '</u>',
    '![',
    '](',
    '\u00a0',
    '\u3000',
    '  ',
    '\t',
  ],
];
const text = fc.array(fc.constantFrom(...UNITS), { minLength: 1, maxLength: 5 }).map((units) => units.join(''));
const url = fc
  .array(fc.constantFrom('a', '/', '?', '&', '&amp;', '(', ')', ' ', '"', '\\', '%20', 'ä', '<', '>', '|', '*', '_'), {
    maxLength: 5,
  })
  .map((parts) => `/${parts.join('')}`);
const href = fc.oneof(url, fc.constantFrom('https://a.example/b', 'mailto:a@b.example', 'entry:ent_x', '#a'));
const title = fc.option(text, { nil: null });

const marks = fc
  .tuple(
    fc.subarray(['em', 'strong', 'code', 'strike', 'underline', 'superscript', 'subscript'], { maxLength: 3 }),
    fc.option(fc.record({ href, title }), { freq: 4, nil: undefined }),
  )
  .map(([types, link]) => [
    ...types.filter((type) => type !== 'subscript' || !types.includes('superscript')).map((type) => ({ type })),
    ...(link ? [{ type: 'link', attrs: link }] : []),
  ]);
const inlineItem = fc.oneof(
  { weight: 8, arbitrary: fc.record({ type: fc.constant('text'), text, marks }) },
  { weight: 2, arbitrary: marks.map((each) => ({ type: 'hard_break', marks: each })) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('image'),
      attrs: fc.record({ src: url, alt: fc.oneof(text, fc.constant(null)), title }),
      marks,
    }),
  },
);
const inline = fc.array(inlineItem, { maxLength: 5 });
const line = inline.map((items) => items.filter(({ type }) => type !== 'hard_break'));
const paragraph = inline.map((content) => ({ type: 'paragraph', content }));
const code = fc.record({
  params: fc.oneof(fc.constant(''), text),
  code: fc.array(fc.oneof(text, fc.constant('\n')), { maxLength: 5 }),
});
const cell = (type: string, content: fc.Arbitrary<object[]>, attrs: fc.Arbitrary<object>) =>
  fc.record({ type: fc.constant(type), attrs, content });
const plainTable = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }), fc.boolean())
  .chain(([width, height, hasHeader]) => {
    const row = (type: string) =>
      fc
        .array(
          cell(
            type,
            paragraph.map((each) => [each]),
            fc.constant({}),
          ),
          { minLength: width, maxLength: width },
        )
        .map((content) => ({ type: 'table_row', content }));
    return fc
      .tuple(row(hasHeader ? 'table_header' : 'table_cell'), fc.array(row('table_cell'), { maxLength: height }))
      .map(([first, rows]) => ({ type: 'table', content: [first, ...rows] }));
  });

/** Any block that the editor or HTML makes. */
const { block } = fc.letrec<{ block: object; list: object }>((tie) => {
  const blocks = fc.array(tie('block'), { minLength: 1, maxLength: 3 });
  const item = blocks.map((content) => ({ type: 'list_item', content }));
  const items = fc.array(item, { minLength: 1, maxLength: 3 });
  const span = fc.integer({ min: 1, max: 2 });
  const anyCell = fc
    .constantFrom('table_cell', 'table_header')
    .chain((type) =>
      cell(
        type,
        fc.array(fc.oneof(paragraph, tie('list')), { minLength: 1, maxLength: 2 }) as fc.Arbitrary<object[]>,
        fc.record({ colspan: span, rowspan: span }),
      ),
    );
  const row = fc.array(anyCell, { minLength: 1, maxLength: 2 }).map((content) => ({ type: 'table_row', content }));
  return {
    list: fc.oneof(
      fc.tuple(items, fc.boolean()).map(([content, tight]) => ({ type: 'bullet_list', attrs: { tight }, content })),
      fc
        .tuple(items, fc.boolean(), fc.constantFrom(1, 1, 0, 9, -3, 999_999_999))
        .map(([content, tight, order]) => ({ type: 'ordered_list', attrs: { tight, order }, content })),
    ),
    block: fc.oneof(
      { depthSize: 'small', maxDepth: 3 },
      { weight: 6, arbitrary: paragraph },
      {
        weight: 2,
        arbitrary: fc
          .tuple(line, fc.integer({ min: 1, max: 6 }))
          .map(([content, level]) => ({ type: 'heading', attrs: { level }, content })),
      },
      {
        weight: 1,
        arbitrary: code.map(({ params, code: parts }) => ({
          type: 'code_block',
          attrs: { params },
          content: parts.length ? [{ type: 'text', text: parts.join('') }] : [],
        })),
      },
      { weight: 1, arbitrary: fc.constant({ type: 'horizontal_rule' }) },
      {
        weight: 1,
        arbitrary: fc
          .record({
            src: url,
            alt: text,
            caption: fc.oneof(fc.constant(''), text),
            assetId: fc.constantFrom(null, 'ast_1'),
          })
          .map((attrs) => ({ type: 'figure', attrs })),
      },
      { weight: 1, arbitrary: plainTable },
      { weight: 3, arbitrary: tie('list') },
      { weight: 1, arbitrary: blocks.map((content) => ({ type: 'blockquote', content })) },
      {
        weight: 1,
        arbitrary: fc.array(row, { minLength: 1, maxLength: 2 }).map((content) => ({ type: 'table', content })),
      },
    ),
  };
});
const documents = fc
  .array(block, { minLength: 1, maxLength: 4 })
  .map((content) => doc(...content))
  .filter((tree) => depthOf(tree) <= 12);

function depthOf({ content = [] }: { content?: object[] }): number {
  return 1 + Math.max(0, ...content.map(depthOf));
}

const hint = (document: RichText) =>
  `${JSON.stringify(document)}\n${richTextToMarkdown(document)}\n${richTextToHtml(document)}`;

function assertUnchanged(tree: object): void {
  const document = parsed(tree);
  assert.deepEqual(parsed(document), document);
  assert.deepEqual(parsed(markdownToRichText(richTextToMarkdown(document))), document, hint(document));
  assert.deepEqual(parsed(htmlToRichText(richTextToHtml(document))), document, hint(document));
}

function assertWords(tree: object, expected: string[]): void {
  const document = parsed(tree);
  assert.deepEqual(wordsOf(document as never), expected, `stored ${hint(document)}`);
  assert.deepEqual(words(richTextToText(document)), wordsOf(document as never, true), `text ${hint(document)}`);
  assert.deepEqual(wordsOfHtml(richTextToHtml(document)), expected, `HTML ${hint(document)}`);
  assert.deepEqual(wordsOfHtml(others.render(richTextToMarkdown(document))), expected, `Markdown ${hint(document)}`);
}

test('Markdown says what HTML says, in the form that is most readable of those that every parser reads alike', () => {
  const cases: [html: string, markdown: string][] = [
    ['Ingredients:<br>- 200 g flour<br>- 2 eggs', 'Ingredients:\\\n\\- 200 g flour\\\n\\- 2 eggs'],
    ['これは<strong>「重要」</strong>です。', 'これ&#12399;**「重要」**&#12391;す。'],
    ['<b>Note:</b>see', '**Note:**&#115;ee'],
    ['<b>Note:</b> see <i>this</i>, 2 &lt; 3', '**Note:** see *this*, 2 < 3'],
    ['a<b> b</b>', '&#97;**&#32;b**'],
    ['<i>a</i><b>b</b>', '*a*__b__'],
    ['<b>Ingredients:<br></b>- 200 g', '**Ingredients:**\\\n\\- 200 g'],
    ['<p>a</p><p></p><p>　b</p>', 'a\n\n&nbsp;\n\n&#12288;b'],
    ['<ul><li>a</li></ul><ul><li>b<br></li></ul>', '* a\n\n+ b<br>'],
    ['<table><tr><td>a<br>b|</td><td></td></tr></table>', '|  |  |\n| --- | --- |\n| a<br>b\\| |  |'],
    ['H<sub>2</sub>O <u>x</u>', 'H<sub>2</sub>O <u>x</u>'],
    ['<ol start="0"><li>a</li><li>b</li></ol>', '0. a\n\n1. b'],
    ['<h2>5 #</h2><p>1986. A year<br>==</p>', '## 5 \\#\n\n1986\\. A year\\\n\\=='],
    ['<a href="/my file.pdf">x</a>', '[x](</my file.pdf>)'],
    ['<pre><div>a</div><div>b</div></pre>', '```\na\nb\n```'],
    [
      '<figure data-asset="ast_1"><img src="/a.png" alt="A"><figcaption>b<br>c</figcaption></figure>',
      '<figure data-asset="ast_1"><img src="/a.png" alt="A"><figcaption>b c</figcaption></figure>',
    ],
  ];
  for (const [source, markdown] of cases) {
    const document = parsed(htmlToRichText(source));
    assert.equal(richTextToMarkdown(document), markdown, source);
    assertUnchanged(document);
    assertWords(document, wordsOfHtml(source));
  }
});

test('what is nested or repeated without end is read in linear time, or refused', async () => {
  const parts = ['<pre>', '<h1>', '<p>', '<u>', '<table>\n', '<ol></ol>\n\n', '*a**', '` '];
  for (const part of parts) {
    const source = part.repeat(50_000 / part.length);
    for (const read of [htmlToRichText, markdownToRichText]) {
      const took = await workOf(() => {
        try {
          richTextToMarkdown(read(source) as RichText);
        } catch (error) {
          assert.ok(error instanceof RangeError, String(error));
        }
      });
      assert.ok(took < 2_000, `${part} ${took}`);
    }
  }
});

test('elements that Markdown texts do not close, and other HTML, stay text', () => {
  for (const markdown of [
    'a <u>b',
    'a </u>b',
    '<section>a</section>',
    '<table><tr><td>a',
    '<b>a</b> <script>x</script>',
  ]) {
    const document = parsed(markdownToRichText(markdown));
    assert.equal(richTextToText(document), markdown);
    assertUnchanged(document);
  }
  const [em, underline] = [{ type: 'em' }, { type: 'underline' }];
  assert.deepEqual(parsed(markdownToRichText('*a <u>b</u>*')).content, [
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'a ', marks: [em] },
        { type: 'text', text: 'b', marks: [em, underline] },
      ],
    },
  ]);
  const unsafe = parseRichText(markdownToRichText('<figure><img src="javascript:alert(1)"></figure>'));
  assert.ok('fault' in unsafe, JSON.stringify(unsafe));
});

test('the fault of an unknown type names the types', () => {
  const bold = { type: 'text', text: 'x', marks: [{ type: 'bold' }] };
  for (const [content, known] of [
    [[{ type: 'paragraph', content: [bold] }], / \(types are .*\bstrong\b/],
    [[{ type: 'codeBlock' }], / \(types are .*\bcode_block\b/],
  ] as const) {
    const parsed = parseRichText({ type: 'doc', content });
    assert.match('fault' in parsed ? parsed.fault : '', known);
  }
});

test('marks of a line break that no text goes on with, and tightness that no list shows, are not stored', () => {
  const strong = [{ type: 'strong' }];
  const text = (each: string, of: object[] = []) => ({ type: 'text', text: each, ...(of.length > 0 && { marks: of }) });
  const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
  const line = (...of: object[][]) =>
    paragraph(text('a', strong), ...of.map((marks) => ({ type: 'hard_break', marks })), text('b', of.at(-1)));
  const first = (tree: object) => parsed(doc(tree)).content?.[0] as Item;
  const breaks = (tree: object) =>
    first(tree)
      .content?.slice(1, -1)
      .map(({ marks }) => marks);
  assert.deepEqual(breaks(line(strong)), [strong]);
  assert.deepEqual(breaks(paragraph(text('a', strong), { type: 'hard_break', marks: strong }, text('b'))), [undefined]);
  assert.deepEqual(breaks(paragraph(text('a'), { type: 'hard_break', marks: strong }, text('b', strong))), [undefined]);
  const list = (tight: boolean, ...items: object[][]) => ({
    type: 'bullet_list',
    attrs: { tight },
    content: items.map((content) => ({ type: 'list_item', content })),
  });
  const isTight = (tree: object) => first(tree).attrs?.tight;
  const a = paragraph(text('a'));
  assert.deepEqual(
    [list(true, [a], [a]), list(false, [a], [a]), list(true, [a]), list(true, [a, a], [a])].map(isTight),
    [true, false, false, false],
  );
});

const numRuns = Number(process.env.RUNS ?? 300);

test('any document is the same after it was Markdown or HTML, and its words are the same in every output', () => {
  const check = (tree: object) => {
    assertUnchanged(tree);
    assertWords(tree, wordsOf(tree as Item));
  };
  fc.assert(fc.property(documents, check), { numRuns });
});

/** HTML as people write and paste it, each word of its own. */
const html = fc.letrec<{ node: string; list: string }>((tie) => {
  const inner = fc.array(tie('node'), { maxLength: 4 }).map((parts) => parts.join(''));
  const tag = fc.constantFrom(
    ...[
      'p',
      'div',
      'span',
      'b',
      'strong',
      'i',
      'u',
      's',
      'sup',
      'sub',
      'code',
      'a href="/x"',
      'h2',
      'h4',
      'blockquote',
      'pre',
    ],
    ...['figure', 'figcaption', 'section', 'main', 'nav', 'center'],
    ...['details', 'summary', 'dl', 'dt', 'dd', 'legend', 'fieldset', 'option', 'script', 'template', 'style', 'font'],
  );
  const item = inner.map((content) => `<li>${content}</li>`);
  const list = fc
    .tuple(
      fc.constantFrom('ul', 'ol', 'ol start="3"', 'ol start="x"'),
      item,
      fc.array(fc.oneof(item, item, tie('list')), { maxLength: 3 }),
    )
    .map(([name, first, others]) => `<${name}>${first}${others.join('')}</${name.slice(0, 2)}>`);
  return {
    list,
    node: fc.oneof(
      { depthSize: 'small', maxDepth: 5 },
      { weight: 4, arbitrary: fc.constantFrom('a', 'b ', ' c', 'd\n', '- e', '&amp;amp;', '「f」', '*g*') },
      { weight: 1, arbitrary: fc.constantFrom(' ', '\n', '&nbsp;') },
      { weight: 2, arbitrary: fc.constantFrom('<br>', '<hr>', '<img src="/a.png">', '<!-- x -->', '<p></p>') },
      { weight: 2, arbitrary: tie('list') },
      {
        weight: 1,
        arbitrary: fc
          .tuple(inner, inner, inner)
          .map(([a, b, c]) => `<table><caption>${a}</caption><tr><td>${b}</td><th colspan="2">${c}</th></tr></table>`),
      },
      {
        weight: 8,
        arbitrary: fc.tuple(tag, inner).map(([name, content]) => `<${name}>${content}</${name.split(' ')[0]}>`),
      },
    ),
  };
}).node;

test('the words of any HTML are kept, apart as they are seen, in every output', () => {
  fc.assert(
    fc.property(fc.array(html, { minLength: 1, maxLength: 4 }), (parts) => {
      const source = parts.join('');
      const result = parseRichText(htmlToRichText(source));
      fc.pre('document' in result || /levels deep/.test(result.fault));
      if (!('document' in result)) return;
      assertWords(result.document, wordsOfHtml(source));
      assertUnchanged(result.document);
    }),
    { numRuns },
  );
});
