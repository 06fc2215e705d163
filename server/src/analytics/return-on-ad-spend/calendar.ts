import { DAY } from '../../shared/units.ts';

const QUARTER_MS = 900_000;

/** The days of a time zone, as numbers since 1970, by quarter of an hour: every offset is a multiple of it. */
export class Calendar {
  readonly #timeZone: string;
  /** By quarter since the first of this calendar; sparse. */
  readonly #days: number[] = [];
  readonly #first: number;

  /** @param first the first quarter of most lookups */
  constructor(timeZone: string, first: number) {
    this.#timeZone = timeZone;
    this.#first = first - 96;
  }

  dayOf(quarter: number): number {
    const known = this.#days[quarter - this.#first];
    if (known !== undefined) return known;
    const start = Temporal.Instant.fromEpochMilliseconds(quarter * QUARTER_MS)
      .toZonedDateTimeISO(this.#timeZone)
      .startOfDay();
    const day = Date.parse(`${start.toPlainDate().toString()}T00:00:00Z`) / DAY;
    const end = Math.ceil(start.add({ days: 1 }).startOfDay().epochMilliseconds / QUARTER_MS);
    for (let each = Math.ceil(start.epochMilliseconds / QUARTER_MS); each < end; each++)
      this.#days[each - this.#first] = day;
    return this.#days[quarter - this.#first] ?? day;
  }
}
