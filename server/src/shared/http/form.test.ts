import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longestBlock } from '../../../test/event-loop.ts';
import { parseForm } from './form.ts';

function read(text: string): unknown {
  let result: unknown;
  parseForm({} as never, text, (error, value) => {
    result = error ?? value;
  });
  return result;
}

test('members are text, JSON objects, nested objects, or arrays of different values', () => {
  assert.deepEqual(read('a=1&a=1&b=1&b=2&b=1&c={"d":1}&e={&f[g]=1&f[g]=2&f[h]=+%26&i'), {
    a: '1',
    b: ['1', '2'],
    c: { d: 1 },
    e: '{',
    f: { g: ['1', '2'], h: ' &' },
    i: '',
  });
  assert.deepEqual(read('a=1&a[b]=2'), { a: { b: '2' } });
});

test('names of the prototype are names like any other, and characters that cannot be stored become U+FFFD', () => {
  for (const text of ['__proto__=1', 'a[__proto__]=1', '__proto__[a]=1']) {
    const parsed = read(text) as Record<string, unknown>;
    assert.equal(Object.getPrototypeOf(parsed), Object.prototype, text);
    assert.match(JSON.stringify(parsed), /__proto__/, text);
  }
  assert.deepEqual(read('constructor=1&a[constructor]=2'), { constructor: '1', a: { constructor: '2' } });
  assert.deepEqual(read('a=%00b&%00=1&c={"d":"\\ud800"}'), { a: '\ufffdb', '\ufffd': '1', c: { d: '\ufffd' } });
});

test('no form of 4 MB blocks the event loop', async () => {
  const forms = ['a=@', 'a[b]=@', 'a@=1', 'a[@]=1', 'a@[b]=1', 'a={@', 'a@={"a":1}', '&', '%', '[', '=', 'a'].map(
    (part) => {
      const parts: string[] = [];
      for (let i = 0, length = 0; length < 4_000_000; i++)
        length += parts.push(part.replace('@', String(i))) && part.length + 5;
      return parts.join('&');
    },
  );
  for (const form of forms) {
    const block = await longestBlock(async () => read(form));
    assert.ok(block < 250, `${form.slice(0, 20)}: ${block} units`);
  }
});
