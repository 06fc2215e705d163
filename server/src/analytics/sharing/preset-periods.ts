/** Periods relative to the current day, by their first and last day. */
export const PRESETS = {
  day: (today) => [today, today],
  week: (today) => [today.subtract({ days: 6 }), today],
  month: (today) => [today.subtract({ days: 29 }), today],
  quarter: (today) => [today.subtract({ days: 89 }), today],
  year: (today) => [today.subtract({ days: 364 }), today],
  yesterday: (today) => [today.subtract({ days: 1 }), today.subtract({ days: 1 })],
  weekToDate: (today) => [today.subtract({ days: today.dayOfWeek - 1 }), today],
  monthToDate: (today) => [today.with({ day: 1 }), today],
  lastMonth: (today) => [today.with({ day: 1 }).subtract({ months: 1 }), today.with({ day: 1 }).subtract({ days: 1 })],
  yearToDate: (today) => [today.with({ month: 1, day: 1 }), today],
  // The longest period of a report.
  all: (today) => [today.subtract({ days: 3_649 }), today],
} satisfies Record<string, (today: Temporal.PlainDate) => [first: Temporal.PlainDate, last: Temporal.PlainDate]>;
export type Preset = keyof typeof PRESETS;

/** The days of a preset: `to` is the day after the last one. */
export function daysOfPreset(preset: Preset, now: number, timeZone: string): { from: string; to: string } {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  const [first, last] = PRESETS[preset](today);
  return { from: first.toString(), to: last.add({ days: 1 }).toString() };
}
