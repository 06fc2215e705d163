import { gzipSync } from 'node:zlib';
import { type Attack, fill, JSON_BODY, MEGABYTE, many, post, requests } from './attack.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const EVENTS = '/v1/events';

const digits = '9'.repeat(299);

/** JSON, forms and gzip, from clients without a key: the body is parsed before the key in it is known. */
const JSON_BODIES: Record<string, () => string> = {
  'numbers of 299 digits': () => `[${many(3_400, () => digits).join()}]`,
  'numbers of 301 digits': () => `[${many(3_400, () => `${digits}99`).join()}]`,
  'a number of a million digits': () => fill('9'),
  'numbers beyond a double': () => `[${fill('1e400,')}1]`,
  'opening brackets': () => fill('['),
  'nested objects': () => fill('{"a":'),
  'brackets in strings': () => `"${fill('[{')}"`,
  backslashes: () => `"${fill('\\\\')}"`,
  'escaped quotes': () => `"${fill('\\"')}"`,
  'unfinished string': () => `"${fill('\\')}`,
  quotes: () => fill('"'),
  'unpaired surrogates': () => `[${fill('"\\ud800",')}1]`,
  'U+0000': () => `"${fill('\\u0000')}"`,
  'one member again and again': () => `{${fill('"a":1,')}"a":1}`,
  'a hundred thousand members': () => JSON.stringify(Object.fromEntries(many(90_000, (i) => [`m${i}`, 0]))),
  'members named __proto__': () => `{${fill('"__proto__":1,')}"a":1}`,
  'a chain of __proto__': () => `${'{"__proto__":'.repeat(30)}1${'}'.repeat(30)}`,
  'names that need escaping in pointers': () => `{"${fill('~/')}":"\\u0000"}`,
  'empty objects': () => `[${fill('{},')}1]`,
  'white space': () => `${fill(' ')}1`,
  'no UTF-8': () => fill('\u00ff'),
  'members with numbers as names': () =>
    JSON.stringify(Object.fromEntries(many(90_000, (i) => [String(4_294_967_295 - i), 0]))),
  'an event with a flood of properties': () =>
    JSON.stringify({ event: 'x', properties: Object.fromEntries(many(80_000, (i) => [`p${i}`, 0])) }),
};

const FORM_BODIES: Record<string, () => string> = {
  'a parameter with many values': () => fillWith((i) => `a=${i}`),
  'a nested parameter with many values': () => fillWith((i) => `a[b]=${i}`),
  'many parameters': () => fillWith((i) => `a${i}=1`),
  'many nested parameters': () => fillWith((i) => `a[${i}]=1`),
  'many groups': () => fillWith((i) => `a${i}[b]=1`),
  'members that look like JSON': () => fillWith(() => 'a={'),
  'members that are JSON': () => fillWith((i) => `a${i}={"a":1}`),
  'broken escapes': () => fill('%'),
  brackets: () => fill('['),
  'a deep JSON member': () => `a=${fill('{"a":')}`,
};

function fillWith(parameter: (i: number) => string): string {
  const parts: string[] = [];
  for (let i = 0, length = 0; length < MEGABYTE - 1_000; i++) {
    const part = parameter(i);
    parts.push(part);
    length += part.length + 1;
  }
  return parts.join('&');
}

const GZIPPED: Record<string, () => Buffer> = {
  'a gzip bomb': () => gzipSync(Buffer.alloc(200 * MEGABYTE)),
  'a gzip bomb of JSON': () => gzipSync(`[${'0,'.repeat(50 * MEGABYTE)}0]`),
  'fifty thousand gzip members': () => Buffer.concat(many(50_000, () => gzipSync(''))),
  'an unfinished gzip': () => gzipSync(fill('a')).subarray(0, 500),
  'no gzip': () => Buffer.from(fill('a')),
};

export const BODIES: Attack[] = [
  ...Object.entries(JSON_BODIES).map(([name, make]) => requests(`JSON: ${name}`, () => post(EVENTS, make()), 4)),
  ...Object.entries(FORM_BODIES).map(([name, make]) => requests(`form: ${name}`, () => post(EVENTS, make(), FORM), 2)),
  ...Object.entries(GZIPPED).map(([name, make]) =>
    requests(`gzip: ${name}`, () => post(EVENTS, make(), { ...JSON_BODY, 'content-encoding': 'gzip' }), 10),
  ),
  requests('gzip: damaged, and refused for another reason', () =>
    post(EVENTS, Buffer.from('no gzip'), {
      'content-type': 'multipart/form-data; boundary=b',
      'content-encoding': 'gzip',
    }),
  ),
  requests('JSON as text/plain', () => post('/v1/visits', fill('{"a":['), { 'content-type': 'text/plain' }), 4),
];
