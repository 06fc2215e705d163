import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import fc from 'fast-check';
import { workOf } from '../../../test/event-loop.ts';
import { LIMITS } from '../limits.ts';
import { matchesPattern, patternFaults, patternSize } from './pattern.ts';
import { estimatePattern } from './pattern-cost.ts';

const { RE2JS } = createRequire(import.meta.url)('re2js') as typeof import('re2js');

const atoms = [
  ...['a', 'k', 'é', '𝒳', '.', '^', '$', '-', '{', '}', '\\d', '\\b', '\\z', '\\.', '\\x{41}', '\\101', '\\Qa.b\\E'],
  ...['\\pL', '\\p{Greek}', '\\P{^Lu}', '[a-z]', '[^\\pL-]', '[]a-]', '[[:alpha:]-z]', '[\\]a]', '[B-\\x{1e942}]'],
  ...['(?i)', '(?-i:a)', '(?i:k)'],
];
const repetitions = [
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '*?',
  '{2}',
  '{2,5}',
  '{0,3}',
  '{3,}',
  '{0}',
  '{1,40}',
  '{0,}',
  '{10}?',
];

const { alternatives } = fc.letrec<{ alternatives: string; item: string }>((tie) => ({
  item: fc
    .tuple(
      fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom(...atoms),
        fc
          .tuple(fc.constantFrom('(', '(?:', '(?i:', '(?i)(', '(?s-i:'), tie('alternatives'))
          .map(([open, inner]) => `${open}${inner})`),
      ),
      fc.constantFrom(...repetitions),
    )
    .map((parts) => parts.join('')),
  alternatives: fc
    .array(
      fc.array(tie('item'), { maxLength: 4 }).map((items) => items.join('')),
      { minLength: 1, maxLength: 3 },
    )
    .map((each) => each.join('|')),
}));

test('the estimate of a pattern is never below the size of its program', () => {
  let compiled = 0;
  fc.assert(
    fc.property(alternatives, (pattern) => {
      const { instructions, total } = estimatePattern(pattern);
      assert.ok(total >= instructions);
      if (total > LIMITS.patternCost) return;
      let size: number;
      try {
        size = RE2JS.compile(`(${pattern})$`).programSize();
      } catch {
        return;
      }
      compiled++;
      assert.ok(instructions >= size - 1, `${pattern}: ${instructions} for ${size}`);
    }),
    { numRuns: 3_000 },
  );
  assert.ok(compiled > 1_000, `${compiled} were compiled`);
});

test('patterns that are common in practice are far below the limits', () => {
  for (const pattern of [
    '^[A-Z]{2}\\d{2} ?(?:\\d{4} ?){4}\\d{0,2}$',
    "[\\pL\\pN .,'-]{1,100}",
    '(?i)[a-z0-9._%+-]+@[a-z0-9.-]+\\.[a-z]{2,}',
    '(?:https?://)?[\\w.-]+(?:/[\\w./?%&=-]*)?',
    '\\+?[0-9 ()-]{6,20}',
  ]) {
    assert.deepEqual(patternFaults([pattern], [pattern]), [undefined]);
    assert.ok(estimatePattern(pattern).total < LIMITS.patternCost / 8, pattern);
  }
});

test('a pattern that is too large is refused before it is written out', async () => {
  const many = Array.from({ length: 100 }, () => 'ab').join('|');
  const large = [
    `(?:${many}){1000}`,
    '(?:(?:x{10}){10}){10}',
    'x{501}',
    '(?i)[B-\\x{1e942}]'.repeat(3),
    '\\pL'.repeat(100),
  ];
  const took = await workOf(() => {
    for (const pattern of large) {
      assert.equal(patternFaults([pattern], [pattern])[0]?.code, 'pattern_too_large', pattern.slice(0, 30));
      assert.equal(matchesPattern(pattern, 'x'), false);
    }
  });
  assert.ok(took < 200, `${took} units`);
  assert.equal(patternFaults(['x{490}'], ['x{490}'])[0], undefined);
  assert.equal(patternFaults(['(a)\\1'], ['(a)\\1'])[0]?.code, 'pattern_invalid');
});

test('the patterns of a collection are bounded together, before any is compiled', async () => {
  const patterns = Array.from({ length: 200 }, (_, i) => `(?i)[B-\\x{1e942}]{${i + 1}}`);
  const took = await workOf(() => {
    const faults = patternFaults(patterns, patterns);
    assert.equal(faults.length, 200);
    assert.ok(faults.every((fault) => fault?.code === 'patterns_too_large'));
  });
  assert.ok(took < 200, `${took} units`);
  const same = Array.from({ length: 200 }, () => '[\\pL\\pN ]{1,90}');
  assert.ok(
    patternFaults(same, same).every((fault) => fault === undefined),
    'the same pattern counts once',
  );
  const kept = patterns.slice(0, 10);
  assert.deepEqual(patternFaults(patterns, []), [], 'what a collection has stays');
  assert.ok(patternFaults(kept, ['x']).every((fault) => fault === undefined));
});

test('a pattern has to match the whole text', () => {
  for (const [pattern, yes, no] of [
    ['a|ab', ['a', 'ab'], ['abc', '', 'b']],
    ['^a|b$', ['a', 'b'], ['ab', 'ac', 'bb']],
    ['(?m)^a$', ['a'], ['a\n', 'a\na']],
    ['[\\pL ]+', ['Grüße an 日本'], ['1', '']],
    ['(?i)straße', ['STRAßE'], ['strasse']],
    ['', [''], ['a']],
    ['a{2,3}', ['aa', 'aaa'], ['a', 'aaaa']],
    ['.*', ['', 'abc'], ['a\nb']],
    ['\\Aab\\z', ['ab'], ['ab\n']],
  ] as const) {
    for (const text of yes) assert.ok(matchesPattern(pattern, text), `${pattern} and ${text}`);
    for (const text of no) assert.ok(!matchesPattern(pattern, text), `${pattern} and not ${text}`);
  }
});

test('what many patterns take in memory is bounded', () => {
  const text = Array.from({ length: 4_000 }, (_, i) => 'ab1é日'[(i * i + 7 * i) % 5]).join('');
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 60; i++) {
    const pattern = `.*\\pL.{${20 + i}}b`;
    assert.ok((patternSize(pattern) ?? 0) > 20);
    matchesPattern(pattern, text);
  }
  const grown = process.memoryUsage().heapUsed - before;
  assert.ok(grown < 150_000_000, `${grown} bytes`);
});
