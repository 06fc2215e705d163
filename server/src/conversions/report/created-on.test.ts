import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readCreatedOn } from './created-on.ts';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');

test('createdOn is read as ISO 8601 and as epoch seconds or milliseconds', () => {
  const cases: [unknown, string][] = [
    ['2026-11-19T08:00:00Z', '2026-11-19T08:00:00.000Z'],
    ['2026-11-19T08:00:00.123456+02:00', '2026-11-19T06:00:00.123Z'],
    ['2026-11-19T08:00:00-0330', '2026-11-19T11:30:00.000Z'],
    ['2026-11-19 08:00:00+01', '2026-11-19T07:00:00.000Z'],
    ['2026-11-19T08:00', '2026-11-19T08:00:00.000Z'],
    ['2026-11-19 08:00:00', '2026-11-19T08:00:00.000Z'],
    ['2026-11-19', '2026-11-19T00:00:00.000Z'],
    ['20261119', '2026-11-19T00:00:00.000Z'],
    [1_700_000_000, '2023-11-14T22:13:20.000Z'],
    [1_700_000_000.5, '2023-11-14T22:13:20.500Z'],
    [1_700_000_000_123, '2023-11-14T22:13:20.123Z'],
    ['1700000000', '2023-11-14T22:13:20.000Z'],
    ['1700000000123', '2023-11-14T22:13:20.123Z'],
    ['1700000000.25', '2023-11-14T22:13:20.250Z'],
    [0, '1970-01-01T00:00:00.000Z'],
    ['2026-11-20T11:00:00Z', '2026-11-20T11:00:00.000Z'],
  ];
  for (const [sent, at] of cases) assert.deepEqual(readCreatedOn(sent, NOW), { at }, String(sent));
  assert.deepEqual(readCreatedOn(null, NOW), { at: null });
  assert.deepEqual(readCreatedOn(undefined, NOW), { at: null });
});

test('a time that is unreadable or more than an hour ahead is replaced by the time of arrival, and the reason says so', () => {
  const at = '2026-11-20T10:00:00.000Z';
  for (const sent of [
    '',
    ' ',
    'yesterday',
    '2026-02-30',
    '2026-13-01T00:00:00Z',
    '20261301',
    '2026-11-19T24:30Z',
    -1,
    '-1',
  ]) {
    const read = readCreatedOn(sent, NOW);
    if (sent === '20261301') continue; // no date, so seconds
    assert.deepEqual(read, { at, reason: '`createdOn` is unreadable; the time of arrival was used.' }, String(sent));
  }
  for (const sent of [true, {}, [], ['2026-11-19'], { date: '2026-11-19' }, Number.MAX_VALUE]) {
    assert.match(readCreatedOn(sent, NOW).reason ?? '', /is unreadable/);
  }
  for (const sent of ['2026-11-20T11:00:00.001Z', '2026-11-21', NOW + 3_600_001, NOW * 1000, '9999-12-31']) {
    assert.deepEqual(
      readCreatedOn(sent, NOW),
      { at, reason: '`createdOn` is more than an hour ahead; the time of arrival was used.' },
      String(sent),
    );
  }
});

test('RFC 2822 is read, and a space before an offset is read as the + of a query', () => {
  const cases: [string, string][] = [
    ['Fri, 20 Nov 2026 08:00:00 +0200', '2026-11-20T06:00:00.000Z'],
    ['Fri, 20 Nov 2026 08:00:00  0200', '2026-11-20T06:00:00.000Z'],
    ['Fri, 20 Nov 2026 08:00:00 -0130', '2026-11-20T09:30:00.000Z'],
    ['1 Nov 2026 08:00 GMT', '2026-11-01T08:00:00.000Z'],
    ['20 nov 2026 08:00:01', '2026-11-20T08:00:01.000Z'],
    ['2026-11-20T08:00:00 02:00', '2026-11-20T06:00:00.000Z'],
    ['2026-11-20T08:00:00.5 0200', '2026-11-20T06:00:00.500Z'],
    ['2026-11-20T08:00:00 02', '2026-11-20T06:00:00.000Z'],
    ['2026-11-20 08:00:00', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20 08:00:00 01:00', '2026-11-20T07:00:00.000Z'],
  ];
  for (const [sent, at] of cases) assert.deepEqual(readCreatedOn(sent, NOW), { at }, sent);
  for (const sent of ['Fri, 31 Feb 2026 08:00:00 +0200', '20 Foo 2026 08:00:00', 'Fri, 20 Nov 2026']) {
    assert.match(readCreatedOn(sent, NOW).reason ?? '', /unreadable/, sent);
  }
});

test('whatever is sent, the result is a time that the database can store and at most an hour ahead', () => {
  const text = fc.oneof(
    fc.string(),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.stringMatching(/^\d{1,20}$/),
  );
  fc.assert(
    fc.property(fc.oneof(text, fc.double(), fc.jsonValue()), (sent) => {
      const { at } = readCreatedOn(sent, NOW);
      if (at === null) return sent === null;
      return /^\d{4}-.*Z$/.test(at) && Date.parse(at) <= NOW + 3_600_000;
    }),
  );
});
