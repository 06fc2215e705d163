import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CLICK_ID_NAMES } from '../../server/src/shared/click-ids.ts';
import { shortHashOf as serverShortHash } from '../../server/src/tracking/identifiers.ts';
import { readLanding as serverLanding } from '../../server/src/tracking/ingest/landing.ts';
import { continues } from '../../server/src/tracking/ingest/session-rules.ts';
import { readLanding, withoutClickIds } from '../src/landing.ts';
import { randomId } from '../src/random-id.ts';
import { current, forget, type State, store } from '../src/session.ts';
import { shortHashOf } from '../src/short-hash.ts';

// As on a page without access to storage.
Object.defineProperty(globalThis, 'localStorage', { get: () => assert.fail('storage is forbidden') });

// Another name of `URL` in every browser.
Object.assign(globalThis, { webkitURL: URL });

const MINUTE = 60_000;
const BEGUN = Date.UTC(2026, 4, 1);

/** Whether a visit to `next` continues the session that a visit to `first` started, by the service and by the script. */
function decisions(first: string, next: string, seenAfter: number, idle: number) {
  const [seen, at] = [BEGUN + seenAfter, BEGUN + seenAfter + idle];
  const state: State = [randomId(), randomId(), BEGUN, readLanding(first)];
  store(state);
  state[4] = seen;
  const session = { landing: serverLanding(first), startedAt: BEGUN, lastSeenAt: seen };
  const answer = { service: continues(session, serverLanding(next), at), script: !!current(readLanding(next), at) };
  forget();
  return answer;
}

const ALIASES =
  'ScCid scclid sc_click_id tblclid taboolaClickId obclickid ob_clickid dicbo rdtcid lifatid GCLID Utm_Source'.split(
    ' ',
  );
const PARAMETERS = [
  ...CLICK_ID_NAMES,
  ...ALIASES,
  ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_id', 'utm_term', 'q', 'xgclid', 'gclid2', 'li_fatid'],
];
const VALUES = [
  '1',
  '2',
  '',
  ' ',
  '{gclid}',
  '{{gclid}}',
  '[gclid]',
  '__GCLID__',
  '%%GCLID%%',
  'null',
  '_a_',
  '{a',
  'a b',
  'é',
  'x'.repeat(512),
  `${'x'.repeat(512)}y`,
  'x'.repeat(2049),
];

test('the script and the service agree on whether a session continues', () => {
  const table: [string, string, boolean][] = [
    ['', '', true],
    ['?gclid=1', '', true],
    ['?gclid=1', '?gclid=1', true],
    ['?gclid=1', '?gclid=2', false],
    ['', '?gclid=1', false],
    ['?gclid=1', '?GCLID=1', true],
    ['?ScCid=1', '?sclid=1', true],
    ['?gclid=1', '?fbclid=1', false],
    ['?gclid=1&fbclid=2', '?fbclid=2', true],
    ['', '?gclid=', true],
    ['', '?gclid=%20', true],
    ['', '?gclid={gclid}', true],
    ['', '?utm_source=__SOURCE__', true],
    ['?gclid=1&gclid=2', '?gclid=1', true],
    ['?utm_source=a', '?utm_source=a', true],
    ['?utm_source=a', '?utm_source=b', false],
    ['?utm_source=a', '?utm_source=a&utm_medium=m', false],
    ['?utm_source=a&utm_medium=m', '?utm_source=a', false],
    ['?utm_medium=m', '?utm_medium=n', true],
    ['?utm_source=a', '?utm_term=t', true],
    ['', '?utm_id=1', false],
    ['?utm_id=1', '?utm_id=1', true],
    ['?utm_source=a,b', '?utm_source=a&utm_campaign=b', false],
    ['', '#gclid=1', true],
  ];
  for (const [first, next, expected] of table) {
    const [a, b] = [`https://a.example/${first}`, `https://a.example/x${next}`];
    assert.deepEqual(decisions(a, b, 0, MINUTE), { service: expected, script: expected }, `${first} then ${next}`);
  }
  const query = fc.array(fc.tuple(fc.constantFrom(...PARAMETERS), fc.constantFrom(...VALUES)), { maxLength: 4 });
  const url = query.map((pairs) => `https://a.example/?${new URLSearchParams(pairs)}`);
  const ms = fc.constantFrom(0, 1, 30 * MINUTE - 1, 30 * MINUTE, 30 * MINUTE + 1);
  const length = fc.constantFrom(0, 1, 23.5 * 60 * MINUTE - 1, 23.5 * 60 * MINUTE, 24 * 60 * MINUTE + 1);
  fc.assert(
    fc.property(url, fc.option(url), length, ms, (first, next, seenAfter, idle) => {
      const { service, script } = decisions(first, next ?? first, seenAfter, idle);
      assert.equal(script, service);
    }),
    { numRuns: 2_000 },
  );
});

test('a URL without consent has none of the click ids that the service reads, and is otherwise unchanged', () => {
  const names = fc.constantFrom(...PARAMETERS);
  fc.assert(
    fc.property(fc.array(fc.tuple(names, fc.constantFrom('1', 'a b', 'é')), { maxLength: 5 }), (pairs) => {
      const plain = withoutClickIds(`https://a.example/p?${new URLSearchParams(pairs)}#gclid`);
      assert.deepEqual(serverLanding(plain).clickIds, {});
      const kept = pairs.filter(
        ([name, value]) => Object.keys(serverLanding(`https://a/?${name}=${value}`).clickIds).length === 0,
      );
      assert.deepEqual(
        [...new URL(plain).searchParams].filter(([name]) => name !== ''),
        kept,
      );
      assert.ok(plain.startsWith('https://a.example/p?') && plain.endsWith('#gclid'));
    }),
  );
});

test('the short hash is the same as the service computes', () => {
  for (let i = 0; i < 1_000; i++) {
    const hash = randomId();
    assert.match(hash, /^[0-9A-Za-z]{22}$/);
    assert.equal(shortHashOf(hash), serverShortHash(hash));
  }
});

test('ids are drawn evenly from all 62 characters', () => {
  const counts = new Map<string, number>();
  for (let i = 0; i < 5_000; i++) for (const c of randomId()) counts.set(c, (counts.get(c) ?? 0) + 1);
  assert.equal(counts.size, 62);
  // 110,000 characters, 1,774 of each, a standard deviation of 42.
  for (const count of counts.values()) assert.ok(Math.abs(count - 1_774) < 6 * 42, String(count));
});
