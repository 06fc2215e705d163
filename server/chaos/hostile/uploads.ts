import { crc32, deflateSync } from 'node:zlib';
import { filePart, PNG } from '../../test/furnished-account.ts';
import type { Sent } from '../http-client.ts';
import { type Attack, fill, get, JSON_BODY, MEGABYTE, many, requests, type Target } from './attack.ts';
import { hostileTexts } from './texts.ts';

const upload = ({ token }: Target, name: string, content: Buffer | string): Sent => {
  const { payload, headers } = filePart('file', name, Buffer.from(content));
  return { method: 'POST', path: '/v1/files/upload', headers: { ...token, ...headers }, body: payload };
};

export const svg = (inner: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" ${attributes}>${inner}</svg>`;

const SVGS: Record<string, () => string> = {
  'a long attribute': () => svg('', `a="${fill(' url(', 200_000)}"`),
  'a style of many rules': () => svg(`<style>${fill('a{b:c}', 4_000_000)}</style>`),
  'a style of open braces': () => svg(`<style>${fill('{', 2_000_000)}</style>`),
  'a style of comments': () => svg(`<style>${fill('/*', 2_000_000)}</style>`),
  'digits in viewBox': () => svg('', `viewBox="0 0 ${fill('9', 2_000_000)} 9"`),
  'white space in width': () => `<svg xmlns="http://www.w3.org/2000/svg" width="${fill(' ', 2_000_000)}x"/>`,
  'deep nesting': () => svg(fill('<g>', 900_000)),
  'deep nesting, closed': () => svg(fill('<g>', 600_000) + fill('</g>', 800_000)),
  'many references': () => svg(many(50_000, (i) => `<g id="a${i}"><use href="#a${i + 1}"/></g>`).join('')),
  'a doubling of references': () =>
    svg(many(60, (i) => `<g id="a${i}"><use href="#a${i + 1}"/><use href="#a${i + 1}"/></g>`).join('')),
  'entities that expand': () =>
    `<!DOCTYPE svg [<!ENTITY a "${fill('a', 1_000)}">${many(9, (i) => `<!ENTITY a${i} "${fill(`&a${i || ''};`, 40)}">`).join('')}]>${svg('&a8;')}`,
  'many attributes': () => svg('', many(200_000, (i) => `a${i}=""`).join(' ')),
  'an unfinished tag': () => svg(fill('<a ', 3_000_000)),
  'an unfinished comment': () => svg(fill('<!--', 3_000_000)),
  'an unfinished CDATA': () => svg(fill('<![CDATA[', 3_000_000)),
  'path data': () => svg(`<path d="${fill('M0 0', 3_000_000)}"/>`),
  transforms: () => svg('', `transform="${fill('rotate(', 1_000_000)}"`),
  namespaces: () => svg('', many(50_000, (i) => `xmlns:a${i}="b"`).join(' ')),
  'a data URL': () => svg(`<image href="data:image/png;base64,${fill('A=', 2_000_000)}"/>`),
};

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

function png(width: number, height: number, chunks: Buffer[] = []): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([PNG.subarray(0, 8), pngChunk('IHDR', head), ...chunks, pngChunk('IEND', Buffer.alloc(0))]);
}

const box = (type: string, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
};
const nested = (type: string, depth: number): Buffer => {
  const whole = Buffer.alloc(depth * 8);
  for (let i = 0; i < depth; i++) {
    whole.writeUInt32BE((depth - i) * 8, i * 8);
    whole.write(type, i * 8 + 4, 'latin1');
  }
  return whole;
};
const FTYP = box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2mp41', 'latin1'));
const AVIF = box('ftyp', Buffer.from('avif\0\0\0\0avifmif1miaf', 'latin1'));

export const FILES: Record<string, () => Buffer> = {
  'a PNG of many chunks': () =>
    png(
      9,
      9,
      many(300_000, () => pngChunk('tEXt', Buffer.from('a\0b'))),
    ),
  'a PNG of 100 megapixels': () => png(10_000, 10_000, [pngChunk('IDAT', deflateSync(Buffer.alloc(100_010_000)))]),
  'a PNG of 2^31 pixels': () => png(2 ** 31 - 1, 2 ** 31 - 1, [pngChunk('IDAT', deflateSync(Buffer.alloc(1_000)))]),
  'a PNG with compressed texts that expand': () =>
    png(
      1,
      1,
      many(20, () => pngChunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(50 * MEGABYTE))]))),
    ),
  'a GIF of many frames': () =>
    Buffer.concat([
      Buffer.from('GIF89a\xff\xff\xff\xff\x80\0\0\0\0\0\xff\xff\xff', 'latin1'),
      ...many(100_000, () => Buffer.from(',\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0', 'latin1')),
      Buffer.from(';'),
    ]),
  'a JPEG of many segments': () =>
    Buffer.concat([Buffer.from('ffd8', 'hex'), ...many(200_000, () => Buffer.from('ffe1000400', 'hex'))]),
  'a JPEG of padding': () => Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(5_000_000, 0xff)]),
  'a WebP of many chunks': () => {
    const chunks = Buffer.from(fill('EXIF\0\0\0\0', 2_000_000), 'latin1');
    const head = Buffer.from('RIFF\0\0\0\0WEBPVP8X\n\0\0\0\0\0\0\0\0\0\0\0\0\0', 'latin1');
    head.writeUInt32LE(chunks.length + 22, 4);
    return Buffer.concat([head, chunks]);
  },
  'an AVIF of nested boxes': () => Buffer.concat([AVIF, nested('meta', 200_000)]),
  'an AVIF of empty boxes': () => Buffer.concat([AVIF, box('meta', Buffer.alloc(4), Buffer.alloc(2_000_000))]),
  'an MP4 of nested boxes': () => Buffer.concat([FTYP, nested('moov', 500_000)]),
  'an MP4 of boxes without a size': () => Buffer.concat([FTYP, Buffer.alloc(4_000_000)]),
  'an MP4 of boxes of 8 bytes': () =>
    Buffer.concat([FTYP, box('moov', Buffer.from(fill('\0\0\0\x08trak', 4_000_000), 'latin1'))]),
  'an MP4 of a huge box': () =>
    Buffer.concat([FTYP, Buffer.from('\0\0\0\x01moov\xff\xff\xff\xff\xff\xff\xff\xff', 'latin1'), Buffer.alloc(1_000)]),
  'a WebM without sizes': () =>
    Buffer.concat([
      Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'),
      Buffer.from(fill('\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff', 2_000_000), 'latin1'),
    ]),
  'a file of line breaks': () => Buffer.alloc(MEGABYTE, '\r\n'),
};

const multipart = ({ token }: Target, body: string, boundary = 'b'): Sent => ({
  method: 'POST',
  path: '/v1/files/upload',
  headers: { ...token, 'content-type': `multipart/form-data; boundary=${boundary}` },
  body: Buffer.from(body, 'latin1'),
});

export const UPLOADS: Attack[] = [
  ...Object.entries(SVGS).map(([name, make]) => requests(`SVG: ${name}`, (target) => upload(target, 'a.svg', make()))),
  ...Object.entries(FILES).map(([name, make]) =>
    requests(`media: ${name}`, (target) => upload(target, 'a.bin', make())),
  ),
  requests('multipart: many parts', (target) => [
    multipart(target, fill('--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n', 4_000_000)),
    multipart(target, fill('--b\r\n', 4_000_000)),
    multipart(target, fill('\r\n--', 4_000_000)),
    multipart(target, fill('\r\n-', 4_000_000), '-'.repeat(60)),
    multipart(target, `--${'-'.repeat(69)}x\r\n${fill('\r', 4_000_000)}`, `${'-'.repeat(69)}x`),
    multipart(target, `--b\r\n${fill('a: b\r\n', 4_000_000)}`),
    multipart(target, `--b\r\ncontent-disposition: form-data; ${fill('a=b; ', 15_000)}\r\n\r\n--b--`),
    multipart(
      target,
      `--b\r\ncontent-disposition: form-data; name="file"; ${fill("filename*=utf-8''%20; ", 15_000)}\r\n\r\n--b--`,
    ),
  ]),
  requests('multipart: hostile file names', (target) =>
    hostileTexts(5_000).flatMap((text) =>
      [upload(target, text.replace(/["\r\n]/g, '_'), PNG), upload(target, `x${fill('. ', 15_000)}x`, PNG)].slice(
        0,
        text.startsWith('. ') ? 2 : 1,
      ),
    ),
  ),
  requests('tus: hostile headers', (target) =>
    [
      ...hostileTexts(3_000),
      fill('a YQ==,', 12_000),
      fill(',', 12_000),
      '-1',
      '1e308',
      'NaN',
      '0x10',
      '9'.repeat(30),
      '9007199254740993',
    ].flatMap((text) =>
      [
        'upload-length',
        'upload-metadata',
        'upload-offset',
        'upload-defer-length',
        'upload-concat',
        'x-http-method-override',
        'tus-resumable',
      ].flatMap((name) => {
        const value = encodeURI(text.toWellFormed()).slice(0, 12_000);
        const headers = { ...target.token, 'tus-resumable': '1.0.0', 'upload-length': '10', [name]: value };
        return [
          { method: 'POST', path: '/files/tus', headers },
          { method: 'HEAD', path: `/files/tus/${value.slice(0, 900)}`, headers },
        ];
      }),
    ),
  ),
  requests('downloads and variants: hostile URLs', ({ account }) =>
    hostileTexts(2_000).flatMap((text) => {
      const value = encodeURIComponent(text.toWellFormed()).slice(0, 9_000).replace(/%.?$/, '');
      return [
        ...['w', 'h', 'fit', 'format', 'x'].map((name) => `${account.assetPath}?${name}=${value}`),
        `/files/${value}/x.png`,
        `/downloads/exports/${value}?expires=${value}&signature=${value}`,
        `/dashboard/${value}`,
        `/${value}`,
      ].map((path) => get(path));
    }),
  ),
  requests('variants: every size and format at once', ({ account }) =>
    [16, 32, 64, 128, 256, 640, 1_080, 3_840].flatMap((w) =>
      ['avif', 'webp', 'jpeg', 'png'].map((format) => get(`${account.assetPath}?w=${w}&h=${w}&format=${format}`)),
    ),
  ),
  {
    name: 'imports: hostile CSV',
    async run(target) {
      const { account, token } = target;
      const path = `/v1/cms/collections/${account.collectionId}/imports`;
      const csvs = [
        `id,day\r\n,${fill(' ', 300_000)}x\r\n`,
        `id,count\r\n,${fill('1,', 300_000)}\r\n`,
        `id,title\r\n,"${fill('""', 900_000)}"\r\n`,
        fill(',', 900_000),
        fill('"', 900_000),
        `id,title\r\n${fill('\r\n', 900_000)}`,
        `id,title\r\n${fill(',\r\n', 900_000)}`,
        fill('a,"b",', 900_000),
        `id,at\r\n${fill(',2026-01-01 \r\n', 900_000)}`,
        fill('\0', 900_000),
        `id,tags\r\n,"[${fill('""x"",', 900_000)}""x""]"\r\n`,
        `id,seo\r\n,"${fill('{""text"":', 900_000)}"\r\n`,
      ];
      for (const csv of csvs) {
        const { payload, headers } = filePart('file', 'a.csv', Buffer.from(csv));
        const received = await target.send({ method: 'POST', path, headers: { ...token, ...headers }, body: payload });
        if (received?.status !== 200) continue;
        const { id } = JSON.parse(String(received.body));
        const columns = [null, { field: /id,(\w+)/.exec(csv)?.[1] ?? 'title' }];
        const mapping = {
          columns,
          idColumn: 0,
          keyField: null,
          emptyCells: 'keep',
          decimal: ',',
          dateOrder: 'dmy',
          timeZone: 'UTC',
        };
        await target.send({
          method: 'POST',
          path: `${path}/${id}/dry-run`,
          headers: { ...JSON_BODY, ...token },
          body: JSON.stringify(mapping),
        });
      }
      // Until its jobs are done, or given up.
      for (let i = 0; i < 100; i++) {
        const jobs = await target.send(get('/v1/jobs?pageSize=100', token));
        if (!/"status":"(queued|running)"/.test(String(jobs?.body))) return;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
  },
];
