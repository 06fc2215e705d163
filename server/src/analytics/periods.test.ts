import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../test/harness.ts';
import type { Fault } from '../shared/errors.ts';
import { partsOf, periodBefore, readPeriod } from './periods.ts';

const db = await testDatabase();

async function read(from: string, to: string, timeZone: string) {
  const faults: Fault[] = [];
  const period = await readPeriod(db, { from, to, timeZone }, '?', faults);
  assert.deepEqual(faults, []);
  return period;
}

const startOf = (day: string, zone: string) => Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds;

/** Days on which clocks are changed: forward and back, by an hour, half an hour and two, in the night and at midnight itself. */
const CHANGES: [zone: string, day: string, hours: number][] = [
  ['Europe/Berlin', '2026-03-29', 23],
  ['Europe/Berlin', '2026-10-25', 25],
  ['America/New_York', '2026-03-08', 23],
  ['America/New_York', '2026-11-01', 25],
  ['Australia/Lord_Howe', '2026-04-05', 24.5],
  ['Australia/Lord_Howe', '2026-10-04', 23.5],
  // What is midnight comes twice, or not at all.
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

test('a day begins with its first moment and is as long as it is there, wherever clocks are changed', async () => {
  for (const [zone, day, hours] of CHANGES) {
    const next = Temporal.PlainDate.from(day).add({ days: 1 }).toString();
    const period = await read(day, next, zone);
    assert.equal(period.from, startOf(day, zone), `${zone} ${day}`);
    assert.equal(period.to, startOf(next, zone), `${zone} ${next}`);
    assert.equal((period.to - period.from) / 3_600_000, hours, `${zone} ${day}`);
  }
});

test('a line has every day and every hour once, and none of them is empty or left out', async () => {
  for (const [zone, day] of CHANGES) {
    const date = Temporal.PlainDate.from(day);
    const days = [-2, -1, 0, 1, 2].map((n) => date.add({ days: n }).toString());
    const period = await read(days[0] ?? '', date.add({ days: 3 }).toString(), zone);
    assert.deepEqual(
      await partsOf(db, period, 'day', zone),
      days.map((each) => startOf(each, zone)),
      `${zone} ${day}`,
    );
    const hours = await partsOf(db, period, 'hour', zone);
    const lengths = hours.map((at, i) => ((hours[i + 1] ?? period.to) - at) / 3_600_000);
    assert.ok(
      lengths.every((length) => length === 1 || length === 0.5),
      `${zone} ${day} ${lengths}`,
    );
  }
});

test('what it is compared to has as many days, or is the same days a year before', async () => {
  const asked = { from: '2026-10-25', to: '2026-10-27', timeZone: 'Atlantic/Azores' };
  const period = await read(asked.from, asked.to, asked.timeZone);
  assert.deepEqual(await periodBefore(db, asked, period, 'previous'), {
    from: startOf('2026-10-23', asked.timeZone),
    to: period.from,
  });
  assert.deepEqual(await periodBefore(db, asked, period, 'year'), {
    from: startOf('2025-10-25', asked.timeZone),
    to: startOf('2025-10-27', asked.timeZone),
  });
});
