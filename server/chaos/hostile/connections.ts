import { type Attack, fill, get, many, requests } from './attack.ts';
import { hostileTexts } from './texts.ts';

const HOST = 'host: headwater.test\r\n';
/** Less than the limit of 16 kB. */
const HEADER = 14_000;

function* repeat(text: string, count: number): Generator<string> {
  const block = text.repeat(Math.min(count, 1_000));
  for (let i = 0; i < count; i += 1_000) yield block;
}

const raw = (name: string, chunks: () => Iterable<string | Buffer>, options = {}, times = 1): Attack => ({
  name: `HTTP: ${name}`,
  async run(target) {
    await Promise.all(many(times, () => target.raw(chunks(), options)));
  },
});

export const CONNECTIONS: Attack[] = [
  raw('600 pipelined requests for the reference', () => repeat(`GET /docs/reference.js HTTP/1.1\r\n${HOST}\r\n`, 600), {
    untilBytes: 50_000_000,
  }),
  raw(
    '600 pipelined requests whose responses nobody reads',
    () => repeat(`GET /docs/reference.js HTTP/1.1\r\n${HOST}\r\n`, 1_000),
    { reads: false, waitMs: 3_000 },
    20,
  ),
  raw(
    '100,000 pipelined requests',
    () => repeat(`GET /v1/limits HTTP/1.1\r\n${HOST}\r\n`, 100_000),
    { untilBytes: 20_000_000 },
    4,
  ),
  raw(
    'a body in chunks of one byte',
    function* () {
      yield `POST /v1/events HTTP/1.1\r\n${HOST}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;
      yield* repeat('1\r\na\r\n', 1_200_000);
      yield '0\r\n\r\n';
    },
    {},
    4,
  ),
  raw(
    'chunks with long extensions',
    function* () {
      yield `POST /v1/events HTTP/1.1\r\n${HOST}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;
      yield* repeat(`1;${fill('a=b;', 1_000)}\r\na\r\n`, 20_000);
    },
    {},
    4,
  ),
  raw(
    'endless trailers',
    function* () {
      yield `POST /v1/events HTTP/1.1\r\n${HOST}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n0\r\n`;
      yield* repeat('a: b\r\n', 1_000_000);
    },
    {},
    4,
  ),
  raw(
    'a header flood',
    function* () {
      yield `GET /v1/limits HTTP/1.1\r\n${HOST}`;
      yield* repeat('a:\r\n', 100_000);
    },
    {},
    10,
  ),
  raw(
    '2,000 small headers',
    function* () {
      yield `GET /v1/limits HTTP/1.1\r\n${HOST}${many(1_900, (i) => `a${i}:\r\n`).join('')}\r\n`;
    },
    {},
    10,
  ),
  raw(
    'an endless URL',
    function* () {
      yield 'GET /';
      yield* repeat('a/', 1_000_000);
    },
    {},
    10,
  ),
  raw('empty lines', () => repeat('\r\n', 2_000_000), { waitMs: 3_000 }, 4),
  raw('no HTTP', () => repeat('\0', 5_000_000), {}, 4),
  raw(
    '1 MB bodies that never end',
    function* () {
      yield `POST /v1/events HTTP/1.1\r\n${HOST}content-type: application/json\r\ncontent-length: 1000000\r\n\r\n${fill('a', 900_000)}`;
    },
    { waitMs: 3_000 },
    400,
  ),
  ...[
    'cookie',
    'range',
    'if-none-match',
    'if-range',
    'accept',
    'accept-encoding',
    'user-agent',
    'referer',
    'origin',
    'forwarded',
    'x-forwarded-for',
    'x-forwarded-host',
    'authorization',
    'x-api-key',
    'idempotency-key',
    'content-type',
    'host',
    'accept-language',
  ].map((name) =>
    requests(`header ${name}`, ({ account }) => {
      const texts = [
        ...hostileTexts(4_000).map((text) => encodeURI(text.toWellFormed()).slice(0, HEADER)),
        fill('bytes=0-0,', HEADER),
        `bytes=${fill('0-0,', HEADER)}`,
        fill('W/"a", ', HEADER),
        fill('headwater=;', HEADER),
        `headwater=${fill('a', HEADER)}`,
        fill('gzip;q=0.1,', HEADER),
        `Bearer ${fill(' ', HEADER - 10)}x`,
        `multipart/form-data; ${fill('a=b; ', HEADER - 30)}`,
        `application/json; charset=${fill('a', HEADER - 30)}`,
      ].filter((text) => /^[\x20-\x7e]+$/.test(text));
      const body = JSON.stringify({ api_key: account.apiKey, url: 'https://shop.example/', event: 'x' });
      return texts.flatMap((text) => [
        { method: 'POST', path: '/v1/visits', headers: { 'content-type': 'application/json', [name]: text }, body },
        get(account.assetPath, { [name]: text }),
        ...(name === 'cookie' ? [get('/auth/session', { [name]: text })] : []),
      ]);
    }),
  ),
];
