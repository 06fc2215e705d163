// Slow: 27 SVG files of 2 to 6 MB, and videos that swell.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longestBlock } from '../../../test/event-loop.ts';
import { testService } from '../../../test/harness.ts';
import { upload, uploadsInProgress } from '../../files/test-support.ts';
import { noiseImage, swellingVideo, videoFixture } from '../test-media.ts';

const service = await testService();

const svg = (content: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}<path d="M0 0"/></svg>`;
const MB = 1_048_576;

/** Each took seconds on the main thread, or would take seconds if a step were quadratic. */
const SVG_ATTACKS: [name: string, svg: string, status: 200 | 400][] = [
  ['a long word in an attribute', svg(`<path d="${'a'.repeat(2 * MB)}"/>`), 200],
  ['many parentheses', svg(`<path transform="${'a('.repeat(MB)}"/>`), 200],
  ['many url functions', svg(`<path fill="${'url(#a '.repeat(300_000)}"/>`), 200],
  ['unbalanced quotes', svg(`<path style="font-family:${"'a".repeat(MB)}'"/>`), 200],
  ['many declarations', svg(`<path style="${'fill:red;'.repeat(200_000)}"/>`), 200],
  ['600,000 rules in a style sheet', svg(`<style>${'a{b:c}'.repeat(600_000)}</style>`), 400],
  ['a style sheet without semicolons', svg(`<style>${'@a{}'.repeat(600_000)}</style>`), 400],
  ['a style sheet of white space', svg(`<style>${' '.repeat(2 * MB)}@</style>`), 200],
  ['many at-rules', svg(`<style>${'@a;'.repeat(600_000)}</style>`), 200],
  ['nested blocks in a style sheet', svg(`<style>${'a{'.repeat(600_000)}</style>`), 200],
  ['many comments in a style sheet', svg(`<style>${'/**/'.repeat(600_000)}</style>`), 200],
  ['a long selector', svg(`<style>${'a '.repeat(MB)}</style>`), 400],
  ['a long number in viewBox', svg('', `viewBox="0 0 ${'9'.repeat(2 * MB)} 1"`), 200],
  ['white space in viewBox', svg('', `viewBox="0 0${' '.repeat(2 * MB)}1 1"`), 200],
  ['a long number as width', svg('', `width="${'9'.repeat(2 * MB)}x"`), 200],
  ['a long link', svg(`<use href="#${'a'.repeat(2 * MB)}"/>`), 200],
  ['a long data URL', svg(`<image href="data:image/png;base64,${'A'.repeat(4 * MB)}"/>`), 200],
  ['many attributes', svg(`<path ${Array.from({ length: 200_000 }, (_, i) => `a${i}="1"`).join(' ')}/>`), 200],
  ['many namespaces', svg(`<g ${Array.from({ length: 50_000 }, (_, i) => `xmlns:a${i}="b"`).join(' ')}/>`), 200],
  ['many character references', svg(`<text>${'&#65;'.repeat(500_000)}</text>`), 200],
  ['a long comment', svg(`<!--${'- '.repeat(MB)}-->`), 200],
  ['a long instruction', svg(`<?a ${'? '.repeat(MB)}?>`), 200],
  ['many dropped elements', svg('<a:b xmlns:a="urn:a"/>'.repeat(200_000)), 200],
  ['many uses', svg(`<g id="a"><path d="M0"/></g>${'<use href="#a"/>'.repeat(20_000)}`), 200],
  ['nested uses', svg(`${'<g id="a"><use href="#b"/>'.repeat(150)}${'</g>'.repeat(150)}`), 200],
  ['too many elements', svg('<g/>'.repeat(250_000)), 400],
  ['too many levels', svg('<g>'.repeat(500_000)), 400],
];

test('no SVG blocks the event loop, and each is processed within the time limit', async () => {
  const account = await service.newAccount();
  for (const [name, text, status] of SVG_ATTACKS) {
    const bytes = Buffer.from(text);
    const blocked = await longestBlock(async () => {
      const answer = await upload(service, account, bytes);
      assert.equal(answer.status, status, `${name}: ${JSON.stringify(answer.body)}`);
      // What is refused is not called damaged, or too much for the machine.
      if (status === 400) assert.equal(answer.body.code, 'svg_refused', `${name}: ${answer.body.detail}`);
    });
    assert.ok(blocked < 250, `${name} blocked the event loop for ${blocked} units`);
  }
  assert.deepEqual(uploadsInProgress(service), []);
});

const chunks = (bytes: Buffer, count: number) => Buffer.alloc(bytes.length * count, bytes);

/** Containers of very many small parts, which their formats allow. */
async function crowdedMedia(): Promise<[name: string, bytes: Buffer][]> {
  const [png, jpeg, gif, webp] = await Promise.all(
    (['png', 'jpeg', 'gif', 'webp'] as const).map((format) => noiseImage(20, 10).toFormat(format).toBuffer()),
  );
  assert.ok(png && jpeg && gif && webp);
  const insert = (bytes: Buffer, at: number, part: Buffer) =>
    Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);
  const riff = Buffer.concat([webp, chunks(Buffer.from('abcd\0\0\0\0', 'latin1'), 500_000)]);
  riff.writeUInt32LE(riff.length - 8, 4);
  const emptyChunk = Buffer.from('\0\0\0\0teSt\0\0\0\0', 'latin1');
  const comment = Buffer.concat([
    Buffer.from('\x21\xfe', 'latin1'),
    chunks(Buffer.from([1, 0x20]), 1_500_000),
    Buffer.alloc(1),
  ]);
  const colorTable = 13 + ((gif[10] ?? 0) & 0x80 ? 3 << (((gif[10] ?? 0) & 7) + 1) : 0);
  return [
    ['a PNG of many chunks', insert(png, 33, chunks(emptyChunk, 300_000))],
    ['a PNG of many text chunks', insert(png, 33, chunks(Buffer.from('\0\0\0\x01tEXta\0\0\0\0', 'latin1'), 300_000))],
    ['a JPEG of many fill bytes', insert(jpeg, 2, chunks(Buffer.from([0xff]), 3 * MB))],
    ['a JPEG of many segments', insert(jpeg, 2, chunks(Buffer.from('\xff\xef\0\x02', 'latin1'), 500_000))],
    ['a GIF of tiny blocks', insert(gif, colorTable, comment)],
    ['a WebP of many chunks', riff],
    [
      'an MP4 of many boxes',
      Buffer.concat([videoFixture('plain.mp4'), chunks(Buffer.from('\0\0\0\x08udta', 'latin1'), MB)]),
    ],
    ['a WebM of many elements', Buffer.concat([videoFixture('plain.webm'), chunks(Buffer.from([0xec, 0x80]), 2 * MB)])],
  ];
}

test('no container of very many parts blocks the event loop or takes the memory of the service', async () => {
  const account = await service.newAccount();
  for (const [name, bytes] of await crowdedMedia()) {
    const before = process.memoryUsage.rss();
    const blocked = await longestBlock(async () => {
      const { status, body } = await upload(service, account, bytes);
      assert.ok(status === 200 || body.code === 'file_corrupt', `${name}: ${status} ${JSON.stringify(body)}`);
    });
    assert.ok(blocked < 250, `${name} blocked the event loop for ${blocked} units`);
    const grownMb = (process.memoryUsage.rss() - before) / MB;
    assert.ok(grownMb < 100, `${name}: the service grew by ${Math.round(grownMb)} MB`);
  }
  assert.deepEqual(uploadsInProgress(service), []);
});

test('the hostile videos of one account do not delay those of another', async () => {
  const [attacker, other] = [await service.newAccount(), await service.newAccount()];
  let refused = 0;
  const before = process.memoryUsage.rss();
  const attacks = Array.from({ length: 6 }, async () => {
    const { status, body } = await upload(service, attacker, swellingVideo());
    assert.deepEqual([status, body.code], [400, 'file_corrupt']);
    refused++;
  });
  const blocked = await longestBlock(async () => {
    const { status } = await upload(service, other, videoFixture('plain.mp4'));
    assert.equal(status, 200);
    assert.ok(refused <= 3, `${refused} of the attacker's videos were inspected first`);
    await Promise.all(attacks);
  });
  assert.ok(blocked < 250, `the event loop was blocked for ${blocked} units`);
  const grownMb = (process.memoryUsage.rss() - before) / MB;
  assert.ok(grownMb < 100, `the service grew by ${Math.round(grownMb)} MB`);
  // The processes that were ended are replaced.
  assert.equal((await upload(service, attacker, videoFixture('plain.mov'))).status, 200);
});

test('an account with too many waiting uploads gets 429', async () => {
  const account = await service.newAccount();
  // These occupy the inspectors until all others are waiting.
  let isAnswered = false;
  const slow = Array.from({ length: 4 }, async () => {
    do await upload(service, account, swellingVideo());
    while (!isAnswered);
  });
  const others = Array.from({ length: 140 }, () => upload(service, account, videoFixture('plain.mp4')));
  void Promise.race(others).then(() => {
    isAnswered = true;
  });
  const answers = await Promise.all(others);
  await Promise.all(slow);
  const refused = answers.filter(({ status }) => status === 429);
  assert.ok(refused.length > 0 && refused.length < 140, `${refused.length} were refused`);
  for (const { status, headers, body } of answers) {
    if (status === 200) continue;
    assert.deepEqual([status, body.code, Number(headers['retry-after']) > 0], [429, 'overloaded', true]);
  }
  assert.deepEqual(uploadsInProgress(service), []);
});
