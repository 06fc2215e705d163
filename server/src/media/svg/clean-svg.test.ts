import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { testService } from '../../../test/harness.ts';
import { storedFiles, upload, uploadsInProgress } from '../../files/test-support.ts';
import { ApiError } from '../../shared/errors.ts';
import { cleanSvg } from './clean-svg.ts';
import { svgSize } from './svg-size.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-svg-'));
after(() => rmSync(folder, { recursive: true }));

async function clean(svg: string | Buffer): Promise<string> {
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  writeFileSync(from, svg);
  rmSync(to, { force: true });
  await cleanSvg(from, to);
  return readFileSync(to, 'utf8');
}

const NS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const OPEN = `<svg ${NS}>`;
const svg = (content: string) => `${OPEN}${content}<rect width="1" height="1"/></svg>`;
const RECT = '<rect width="1" height="1"></rect></svg>';

test('an SVG as drawing programs write it keeps everything that draws', async () => {
  const written =
    `${OPEN}<title>A &amp; B</title><defs><linearGradient id="g"><stop offset="0" stop-color="#fff"></stop>` +
    '</linearGradient><clipPath id="c"><path d="M0 0h1v1z"></path></clipPath><symbol id="s" viewBox="0 0 1 1"><circle r="1">' +
    '</circle></symbol><filter id="f"><feGaussianBlur in="SourceGraphic" stdDeviation="2"></feGaussianBlur></filter></defs>' +
    '<style>.a,.b:hover{fill:url(#g);stroke:rgb(1,2,3)}</style>' +
    '<g class="a" transform="translate(1 2) rotate(3)" style="fill:red;filter:drop-shadow(0 0 2px rgba(0,0,0,.5))" clip-path="url(#c)">' +
    '<use xlink:href="#s"></use><use href="#s"></use><text x="1" font-family="\'A B\', serif">x &lt; y</text>' +
    '<image href="data:image/png;base64,iVBORw0KGgo="></image>' +
    '<path d="M0 0"><animate attributeName="opacity" values="0;1" dur="1s"></animate></path></g></svg>';
  assert.equal(await clean(written), written);
});

/** Hostile content and what is left of it, if anything. */
const HOSTILE: [name: string, content: string, left?: string][] = [
  ['a script', '<script>alert(1)</script>'],
  ['a script by reference', '<script xlink:href="https://evil.test/x.js"/>'],
  ['a script in capitals', '<SCRIPT>alert(1)</SCRIPT>'],
  ['a script under a prefix', '<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>'],
  ['a script of XHTML', '<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>'],
  ['a script in a dropped group', '<x:g xmlns:x="urn:x"><path d=""/><script/></x:g>'],
  ['a handler', '<path d="M0" onload="alert(1)"/>', '<path d="M0"></path>'],
  ['a handler of an animation', '<set attributeName="x" onbegin="alert(1)"/>', '<set attributeName="x"></set>'],
  [
    'foreign content',
    '<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="https://evil.test"/></foreignObject>',
  ],
  ['a link', '<a href="javascript:alert(1)"><path d="M1"/></a>', '<path d="M1"></path>'],
  ['an animated link', '<a><animate attributeName="href" values="javascript:alert(1)"/></a>', '<animate></animate>'],
  [
    'an animated link of XLink',
    '<set attributeName="xlink:href" to="https://evil.test"/>',
    '<set to="https://evil.test"></set>',
  ],
  ['an animated handler', '<set attributeName="onclick" to="x"/>', '<set to="x"></set>'],
  ['an external image', '<image href="https://evil.test/p.png"/>', '<image></image>'],
  ['an external image by XLink', '<image xlink:href="//evil.test/p.png"/>', '<image></image>'],
  ['an image from a local file', '<image href="file:///etc/passwd"/>', '<image></image>'],
  ['an SVG in an image', '<image href="data:image/svg+xml;base64,PHN2Zy8+"/>', '<image></image>'],
  ['HTML in an image', '<image href="data:text/html,x"/>', '<image></image>'],
  ['an external use', '<use href="https://evil.test/a.svg#x"/>', '<use></use>'],
  ['a use of data', '<use xlink:href="data:image/png;base64,AAAA"/>', '<use></use>'],
  ['a filter that loads', '<filter><feImage href="https://evil.test"/></filter>', '<filter></filter>'],
  ['an external paint', '<path fill="url(https://evil.test/#a)"/>', '<path></path>'],
  ['an external paint, quoted', `<path fill="url('//evil.test#a')"/>`, '<path></path>'],
  ['a paint under an escape', '<path fill="u\\72l(https://evil.test)"/>', '<path></path>'],
  ['a paint within a function', '<path filter="drop-shadow(0 0 url(https://evil.test))"/>', '<path></path>'],
  ['a paint behind a good one', '<path fill="url(#a) url(https://evil.test)"/>', '<path></path>'],
  [
    'a style attribute that loads',
    '<path style="fill:red;background:url(https://evil.test)"/>',
    '<path style="fill:red"></path>',
  ],
  [
    'a style attribute with image-set',
    '<path style="background:image-set(\'https://evil.test\' 1x)"/>',
    '<path></path>',
  ],
  ['a behaviour', '<path style="behavior:url(#x);-moz-binding:url(#x)"/>', '<path></path>'],
  ['an import', '<style>@import "https://evil.test/x.css"; path{fill:red}</style>', '<style>path{fill:red}</style>'],
  ['an import by url', '<style>@import url(https://evil.test);</style>', ''],
  [
    'an external font',
    '<style>@font-face{font-family:x;src:url(https://evil.test)}path{fill:red}</style>',
    '<style>path{fill:red}</style>',
  ],
  [
    'a style sheet that loads',
    '<style>path{fill:url(https://evil.test);stroke:red}</style>',
    '<style>path{stroke:red}</style>',
  ],
  ['a style sheet that loads under an escape', '<style>path{fill:\\75rl(https://evil.test)}</style>', ''],
  ['a style sheet under a comment', '<style>path{fill:u/**/rl(https://evil.test)}@im/**/port "x";</style>', ''],
  ['a style sheet in CDATA', '<style><![CDATA[@import "x";]]></style>', ''],
  [
    'a style sheet that ends itself',
    '<style>path{fill:red}&lt;/style>&lt;script></style>',
    '<style>path{fill:red}</style>',
  ],
  ['elements in a style sheet', '<style><script/>path{fill:red}</style>', '<style>path{fill:red}</style>'],
  [
    'markup in a text',
    '<text>&lt;script>alert(1)&lt;/script></text>',
    '<text>&lt;script&gt;alert(1)&lt;/script&gt;</text>',
  ],
  [
    'markup in an attribute',
    '<path aria-label="&quot;>&lt;script>"/>',
    '<path aria-label="&quot;&gt;&lt;script&gt;"></path>',
  ],
  ['a style sheet as an instruction', '<?xml-stylesheet href="https://evil.test"?>', ''],
  ['a comment', '<!-- <script> -->', ''],
  ['a base', '<path xml:base="https://evil.test/"/>', '<path></path>'],
  ['events of XML', '<ev:listener xmlns:ev="http://www.w3.org/2001/xml-events" event="click"/>'],
  ['a handler element', '<handler type="text/javascript">alert(1)</handler>'],
  ['media', '<video href="https://evil.test"/><audio/><iframe/><embed/><object/><canvas/>'],
  ['a discard and a cursor', '<discard/><cursor href="https://evil.test"/>'],
  ['data of programs', '<metadata><rdf:RDF xmlns:rdf="urn:rdf"/></metadata><i:p xmlns:i="urn:i">x</i:p>'],
];

test('style sheets are read as browsers read them: escapes, comments, strings and nesting', async () => {
  const cases: [css: string, kept: string][] = [
    ['.\\30 2d93889{fill:#0f0}', '.\\30 2d93889{fill:#0f0}'],
    ['#\\31 a,.a\\:b > path:not(.x){fill:red}', '#\\31 a,.a\\:b>path:not(.x){fill:red}'],
    ['.größe{fill:red}', '.größe{fill:red}'],
    ['[data-name="a;b}c"]{fill:red}.b{fill:red}', '.b{fill:red}'],
    ['[data-name="Ebene 1"]{fill:red}', '[data-name="Ebene 1"]{fill:red}'],
    ['/* } */.a/* { */{/* ; */fi\\6c l:/**/red/**/;/**/}', '.a{fill:red}'],
    ['.a{font-family:"a;b",serif;fill:red}', '.a{font-family:"a;b",serif;fill:red}'],
    ['.a{fill:url( "#g" );stroke:red!important}', '.a{fill:url(#g);stroke:red!important}'],
    ['.a{fill:red;.b{fill:red}}.c{fill:red}', '.a{fill:red}.c{fill:red}'],
    ['@media print{.a{fill:red}}.b{fill:red}', '.b{fill:red}'],
    ['.a{fill:;stroke:red}', '.a{stroke:red}'],
    ['.a{--x:url(https://evil.test);--y:#0f0}', '.a{--y:#0f0}'],
    ['.a{fill:red', '.a{fill:red}'],
    ['.a{fill:red}}.b{fill:red}', '.a{fill:red}'],
    ['.a{fill:url(https://evil.test/\\23 )}', ''],
    ['.a{f:u\\72l(https://evil.test)}', ''],
    ['@im\\port "x";.b{fill:red}', '.b{fill:red}'],
    ['(('.repeat(100_000), ''],
  ];
  for (const [css, kept] of cases) {
    const escaped = kept.replaceAll('&', '&amp;').replaceAll('>', '&gt;');
    const style = kept === '' ? '' : `<style>${escaped}</style>`;
    assert.equal(await clean(svg(`<style><![CDATA[${css}]]></style>`)), `${OPEN}${style}${RECT}`, css.slice(0, 80));
  }
  const attribute = `<path style="/**/fi\\6c l : #0f0;x:url(http://e.test)"/>`;
  assert.equal(await clean(svg(attribute)), `${OPEN}<path style="fill:#0f0"></path>${RECT}`);
  await assert.rejects(clean(svg(`<style>${'a,'.repeat(750_001)}</style>`)), {
    code: 'svg_refused',
    message: /words and signs/,
  });
});

test('no active content and no external reference is left', async () => {
  for (const [name, content, left] of HOSTILE) {
    assert.equal(await clean(svg(content)), `${OPEN}${left ?? ''}${RECT}`, name);
  }
});

test('an SVG that is not well-formed, declares entities, or draws nothing is refused', async () => {
  const cases: [code: string, svg: string | Buffer][] = [
    ['file_corrupt', `${OPEN}<path></svg>`],
    ['file_corrupt', `${OPEN}<path d="M0"/>`],
    ['file_corrupt', svg('<text>&unknown;</text>')],
    ['file_corrupt', svg('<x:path/>')],
    ['file_corrupt', Buffer.concat([Buffer.from(OPEN), Buffer.from([0xff, 0xfe]), Buffer.from('<path/></svg>')])],
    ['svg_refused', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('<text>&a;</text>')}`],
    ['svg_refused', `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>${svg('')}`],
    ['svg_refused', '<html xmlns="http://www.w3.org/1999/xhtml"><svg/></html>'],
    ['svg_refused', `${OPEN}</svg>`],
    ['svg_refused', `${OPEN}<script>alert(1)</script></svg>`],
    ['svg_refused', `${OPEN}<foreignObject><path/></foreignObject></svg>`],
  ];
  for (const [code, text] of cases) await assert.rejects(clean(text), { code }, String(text));
  await assert.rejects(clean(`${OPEN}<path></svg>`), { message: /^The SVG is not well-formed XML: 1:\d+: .*tag/ });
  const plain = `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${svg('')}`;
  assert.equal(await clean(plain), `${OPEN}${RECT}`);
});

test('an SVG is read in the encoding that it is in, and written in UTF-8', async () => {
  const text = '<text>Größe €</text>';
  const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>${svg(text)}`;
  const swapped = Buffer.from(`\ufeff${declared('UTF-16')}`, 'utf16le').swap16();
  const cases: [name: string, file: Buffer][] = [
    ['UTF-8', Buffer.from(declared('UTF-8'))],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${svg(text)}`)],
    ['UTF-16, little endian', Buffer.from(`\ufeff${declared('UTF-16')}`, 'utf16le')],
    ['UTF-16, big endian', swapped],
    ['UTF-16 without a mark', Buffer.from(declared('utf-16'), 'utf16le')],
    ['Windows-1252', Buffer.from(declared('windows-1252').replace('€', '\u0080'), 'latin1')],
    ['UTF-8 that claims to be UTF-16', Buffer.from(declared('UTF-16'))],
  ];
  for (const [name, file] of cases) assert.equal(await clean(file), `${OPEN}${text}${RECT}`, name);
  await assert.rejects(clean(Buffer.from(declared('UTF-8'), 'latin1')), { message: /encoding it names/ });
});

test('an SVG that is nested too deeply or multiplies itself is refused', async () => {
  await assert.rejects(clean(`${OPEN}${'<g>'.repeat(100_000)}`), { code: 'svg_refused' });
  const levels = Array.from({ length: 40 }, (_, i) => `<g id="l${i + 1}">${`<use href="#l${i}"/>`.repeat(2)}</g>`);
  await assert.rejects(clean(svg(`<path id="l0"/>${levels.join('')}`)), { code: 'svg_refused' });
  await assert.rejects(clean(svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>')), {
    code: 'svg_refused',
  });
  await assert.rejects(clean(svg('<g id="a"><use href="#a"/></g>')), { code: 'svg_refused' });
  await assert.rejects(clean(svg('<path/>'.repeat(200_001))), { code: 'svg_refused' });
  await clean(svg('<g id="icon"><path/></g>'.concat('<use href="#icon"/>'.repeat(1_000))));
});

/** The lower-case names, links and CSS values of a cleaned file. */
function contentsOf(text: string) {
  const [elements, attributes] = [new Set<string>(), new Set<string>()];
  const [links, css]: string[][] = [[], []];
  const parser = new SaxesParser({ xmlns: true });
  let isStyle = false;
  parser.on('opentag', (tag) => {
    isStyle = tag.local === 'style';
    elements.add(tag.local.toLowerCase());
    for (const each of Object.values(tag.attributes)) {
      attributes.add(each.local.toLowerCase());
      if (each.local === 'href') links?.push(each.value);
      else if (each.prefix !== 'xmlns' && each.name !== 'xmlns') css?.push(each.value);
    }
  });
  parser.on('text', (content) => isStyle && css?.push(content));
  parser.on('closetag', () => {
    isStyle = false;
  });
  parser.write(text).close();
  return { elements, attributes, links: links ?? [], css: css ?? [] };
}

test('any combination of dangerous pieces is cleaned to harmless XML', async () => {
  const piece = fc.oneof(
    fc.constantFrom(...HOSTILE.map(([, content]) => content)),
    fc.constantFrom(
      '<g>',
      '</g>',
      '<path d="M0"/>',
      '<style>',
      '</style>',
      '<![CDATA[',
      ']]>',
      '<!--',
      '-->',
      '&lt;',
      '"',
    ),
    fc.constantFrom('<path style="', '"/>', 'fill:url(', ')', '{', '}', '\\', '@import', ';', '/*', '*/', "'"),
    fc.string({ maxLength: 10 }),
  );
  let cleaned = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      const text = await clean(svg(pieces.join(''))).catch((error) => error);
      if (text instanceof ApiError) return;
      cleaned++;
      const { elements, attributes, links, css } = contentsOf(text);
      for (const name of ['script', 'foreignobject', 'iframe', 'a', 'handler', 'image-set'])
        assert.ok(!elements.has(name));
      for (const name of attributes) assert.doesNotMatch(name, /^on|^base$/);
      for (const link of links) assert.match(link, /^#|^data:image\/(png|jpeg|gif|webp);base64,/);
      for (const value of css) assert.doesNotMatch(value, /@import|url\((?!#)|\|src\(|image-set/i);
    }),
    { numRuns: 500 },
  );
  assert.ok(cleaned > 50, `${cleaned} were cleaned`);
});

test('an SVG has the size at which a browser displays it', () => {
  const cases: [attributes: Parameters<typeof svgSize>[0], width: number, height: number][] = [
    [{ width: '10', height: '20px' }, 10, 20],
    [{ width: '1in', height: '2.54cm', viewBox: '0 0 5 5' }, 96, 96],
    [{ viewBox: '0 0 40 30' }, 40, 30],
    [{ viewBox: '-10, -10, 40.4, 30.6' }, 40, 31],
    [{ width: '100%', height: '100%', viewBox: '0 0 40 30' }, 40, 30],
    [{ width: '80', viewBox: '0 0 40 30' }, 80, 60],
    [{ height: '60', viewBox: '0 0 40 30' }, 80, 60],
    [{ width: '80' }, 80, 150],
    [{}, 300, 150],
    [{ width: '-1', height: 'x', viewBox: '0 0 0 0' }, 300, 150],
    [{ width: '1e9', height: '0.01' }, 1_000_000, 1],
  ];
  for (const [attributes, width, height] of cases) {
    assert.deepEqual(svgSize(attributes), { width, height }, JSON.stringify(attributes));
  }
});

test('an uploaded SVG is an image, stored and served as cleaned', async () => {
  const service = await testService();
  const account = await service.newAccount();
  const sent = `\ufeff<?xml version="1.0"?>\n<!-- by hand --><svg:svg xmlns:svg="http://www.w3.org/2000/svg" viewBox="0 0 40 30" onload="x()"><svg:path d="M0 0"/></svg:svg>`;
  const { status, body } = await upload(service, account, [{ filename: 'a.png', type: 'image/png', body: sent }]);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.type, body.width, body.height, body.name], ['image', 40, 30, 'a.png']);
  assert.match(body.url, /\/a-png\.svg$/);
  const served = await service.app.inject(new URL(body.url).pathname);
  assert.equal(served.headers['content-type'], 'image/svg+xml');
  assert.match(String(served.headers['content-security-policy']), /default-src 'none'.*sandbox/);
  const expected = `${OPEN.slice(0, -1)} viewBox="0 0 40 30"><path d="M0 0"></path></svg>`;
  assert.equal(served.body.trim(), expected);
  assert.equal(storedFiles(service).length, 1);
  assert.equal(readFileSync(storedFiles(service)[0] ?? '', 'utf8').trim(), expected);

  const refused = await upload(service, account, Buffer.from(`${OPEN}<script/></svg>`));
  assert.deepEqual([refused.status, refused.body.code], [400, 'svg_refused']);
  assert.equal(storedFiles(service).length, 1);
  assert.deepEqual(uploadsInProgress(service), []);
});

test('the response of an upload lists what was removed from an SVG, and can be the value of an entry', async () => {
  const service = await testService();
  const account = await service.newAccount();
  const content =
    '<script>x</script><script/><path onclick="x" d="M0"/><a href="https://e.test"><path/></a>' +
    '<image href="https://e.test/x.png"/><style>@import "x";.a{fill:red;behavior:url(#x)}</style><path style="x:expression(1)"/>';
  const { body } = await upload(service, account, Buffer.from(svg(content)));
  const removed = ['<script>', 'onclick', '<a>', 'href', '@import', 'behavior:url(#x)', 'x:expression(1)'];
  assert.deepEqual(body.removed, removed);
  const plain = await upload(service, account, Buffer.from(svg('')));
  assert.deepEqual(plain.body.removed, []);
  assert.equal((await service.call(`GET /v1/files/${body.assetId}`, { as: account })).body.removed, undefined);
  const fields = [{ id: 'icon', label: 'Icon', type: 'asset' }];
  const made = await service.call('POST /v1/cms/collections', { as: account, body: { name: 'Icons', fields } });
  const entries = `/v1/cms/collections/${made.body.id}/entries`;
  const entry = await service.call(`POST ${entries}`, { as: account, body: { values: { icon: body } } });
  assert.deepEqual([entry.status, entry.body.values.icon.assetId], [200, body.assetId]);
});
