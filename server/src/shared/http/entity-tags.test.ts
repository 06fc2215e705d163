import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesTag } from './entity-tags.ts';

test('a client has the content that one of its tags names, or any by *', () => {
  const has = (header: string | undefined) => matchesTag(header, (tag) => tag === '"x"');
  for (const header of ['"x"', 'W/"x"', '"a", "x"', '"a",W/"x"', '*', ' * ']) assert.equal(has(header), true, header);
  for (const header of [undefined, '', '"a"', 'x', '"*"', '"x*"', '"ax"'])
    assert.equal(has(header), false, String(header));
});
