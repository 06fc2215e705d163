import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparisonOf, intervalStarts, parsePeriod } from './periods.ts';

const parse = (from: string, to: string, timeZone: string) => parsePeriod({ from, to, timeZone }, '?');

const startOf = (day: string, zone: string) => Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds;

/** Days on which clocks change: forward and back, by half an hour, an hour and two hours, at night and at midnight. */
const CHANGES: [zone: string, day: string, hours: number][] = [
  ['Europe/Berlin', '2026-03-29', 23],
  ['Europe/Berlin', '2026-10-25', 25],
  ['America/New_York', '2026-03-08', 23],
  ['America/New_York', '2026-11-01', 25],
  ['Australia/Lord_Howe', '2026-04-05', 24.5],
  ['Australia/Lord_Howe', '2026-10-04', 23.5],
  // Midnight occurs twice, or not at all.
  ['Atlantic/Azores', '2026-10-25', 25],
  ['Atlantic/Azores', '2026-03-29', 23],
  ['America/Havana', '2026-11-01', 25],
  ['America/Havana', '2026-03-08', 23],
  ['Africa/Cairo', '2026-04-24', 23],
  ['Africa/Cairo', '2026-10-29', 25],
  ['America/Santiago', '2026-09-06', 23],
  ['Antarctica/Troll', '2026-10-25', 26],
  ['Asia/Kathmandu', '2026-06-01', 24],
];

test('a day starts with its first moment and is as long as in its zone when clocks change', () => {
  for (const [zone, day, hours] of CHANGES) {
    const next = Temporal.PlainDate.from(day).add({ days: 1 }).toString();
    const period = parse(day, next, zone);
    assert.equal(period.from, startOf(day, zone), `${zone} ${day}`);
    assert.equal(period.to, startOf(next, zone), `${zone} ${next}`);
    assert.equal((period.to - period.from) / 3_600_000, hours, `${zone} ${day}`);
  }
});

test('every day and every hour is an interval once; none is empty or missing', () => {
  for (const [zone, day] of CHANGES) {
    const date = Temporal.PlainDate.from(day);
    const days = [-2, -1, 0, 1, 2].map((n) => date.add({ days: n }).toString());
    const period = parse(days[0] ?? '', date.add({ days: 3 }).toString(), zone);
    assert.deepEqual(
      intervalStarts(period, 'day', zone),
      days.map((each) => startOf(each, zone)),
      `${zone} ${day}`,
    );
    const hours = intervalStarts(period, 'hour', zone);
    const lengths = hours.map((at, i) => ((hours[i + 1] ?? period.to) - at) / 3_600_000);
    assert.ok(
      lengths.every((length) => length === 1 || length === 0.5),
      `${zone} ${day} ${lengths}`,
    );
  }
});

test('the comparison period has as many days, or is the same days a year before', () => {
  const range = { from: '2026-10-25', to: '2026-10-27', timeZone: 'Atlantic/Azores' };
  const period = parse(range.from, range.to, range.timeZone);
  assert.deepEqual(comparisonOf(range, period, 'previous', period.to), {
    from: startOf('2026-10-23', range.timeZone),
    to: period.from,
  });
  assert.deepEqual(comparisonOf(range, period, 'year', period.to), {
    from: startOf('2025-10-25', range.timeZone),
    to: startOf('2025-10-27', range.timeZone),
  });
});

test('while a period is not over, it is compared to the same part of the other one, by the clock of its zone', () => {
  const range = { from: '2026-10-26', to: '2026-10-27', timeZone: 'Europe/Berlin' };
  const period = parse(range.from, range.to, range.timeZone);
  const at = (text: string) => Temporal.ZonedDateTime.from(`${text}[Europe/Berlin]`).epochMilliseconds;
  assert.deepEqual(comparisonOf(range, period, 'previous', at('2026-10-26T12:04')), {
    from: at('2026-10-25T00:00'),
    // Clocks were set back on the 25th.
    to: at('2026-10-25T12:15'),
  });
  assert.deepEqual(comparisonOf(range, period, 'year', at('2026-10-26T12:04')), {
    from: at('2025-10-26T00:00'),
    to: at('2025-10-26T12:15'),
  });
  const month = parse('2026-03-01', '2026-04-01', 'UTC');
  const inMonth = { from: '2026-03-01', to: '2026-04-01', timeZone: 'UTC' };
  const { to } = comparisonOf(inMonth, month, 'previous', Date.parse('2026-03-30T10:00:00Z')) ?? assert.fail();
  assert.equal(to, Date.parse('2026-02-27T10:00:00Z'));
});

test('a time without an offset is one of the time zone, also when clocks change', () => {
  const at = (text: string) => parse('2026-01-01', text, 'Europe/Berlin').to;
  assert.equal(at('2026-11-20T08:15'), Date.parse('2026-11-20T07:15:00Z'));
  assert.equal(at('2026-06-20T08:15'), Date.parse('2026-06-20T06:15:00Z'));
  // Twice, and not at all.
  assert.equal(at('2026-10-25T02:30'), Date.parse('2026-10-25T00:30:00Z'));
  assert.equal(at('2026-03-29T02:30'), Date.parse('2026-03-29T01:30:00Z'));
  assert.equal(parse('2026-01-01', '2026-11-20T08:15', 'Asia/Kathmandu').to, Date.parse('2026-11-20T02:30:00Z'));
  for (const text of ['2026-11-20T08:10', '2026-11-20T24:00', '2026-02-30T08:00', '2026-11-20T08', '2026-11-20 08:15'])
    assert.throws(() => at(text), { code: 'timestamp_invalid' }, text);
});

test('local times are compared to the same length before, or to the same times a year before', () => {
  const range = { from: '2026-03-29T00:00', to: '2026-03-29T12:00', timeZone: 'Europe/Berlin' };
  const period = parse(range.from, range.to, range.timeZone);
  const at = (text: string) => Temporal.ZonedDateTime.from(`${text}[Europe/Berlin]`).epochMilliseconds;
  assert.equal(period.to - period.from, 11 * 3_600_000);
  assert.deepEqual(comparisonOf(range, period, 'previous', period.to), {
    from: at('2026-03-28T13:00'),
    to: period.from,
  });
  assert.deepEqual(comparisonOf(range, period, 'year', period.to), {
    from: at('2025-03-29T00:00'),
    to: at('2025-03-29T12:00'),
  });
});
