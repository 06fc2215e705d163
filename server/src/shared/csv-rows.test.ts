import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longestBlock } from '../../test/event-loop.ts';
import { readHead } from './csv-rows.ts';

const MEGABYTE = 1_048_576;

test('the header and complete rows are read from the start of a file that ends within a row', () => {
  assert.deepEqual(readHead('a;b\n1;2\n"3;'), { delimiter: ';', headings: ['a', 'b'], samples: [['1', '2']] });
  assert.throws(() => readHead('"a,b\n1,2\n'), { code: 'csv_malformed' });
});

test('no start of a file blocks the service for long', async () => {
  const fill = (text: string) => text.repeat(MEGABYTE / text.length);
  const heads = ['"', 'a', ',', '""', 'a,"b",', '\n', '"\n', ';,', '\ta'].flatMap((text) => [
    fill(text),
    `"a${fill(text)}`,
  ]);
  for (const head of heads) {
    const block = await longestBlock(async () => {
      try {
        readHead(head);
      } catch (error) {
        assert.match(String((error as { code?: string }).code), /^(csv_|too_many_columns)/);
      }
    });
    assert.ok(block < 250, `${JSON.stringify(head.slice(0, 10))}: ${block} units`);
  }
});
