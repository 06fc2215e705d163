import { type Static, type TSchema, Type } from 'typebox';
import { DIMENSIONS } from './dimensions.ts';
import { INTERVALS } from './periods.ts';

const orNull = <T extends TSchema>(schema: T, options = {}) => Type.Union([schema, Type.Null()], options);
const Time = Type.String({ format: 'date-time' });

/** `from`, `to` and `timeZone` of a report. */
export const RANGE = {
  from: Type.String({
    maxLength: 64,
    description: 'A day of `timeZone`, such as 2026-11-20, or an RFC 3339 time on a quarter of an hour. It is in',
  }),
  to: Type.String({ maxLength: 64, description: 'As `from`. It is out' }),
  timeZone: Type.Optional(
    Type.String({ maxLength: 64, default: 'UTC', description: 'A name of the IANA time zone database' }),
  ),
};

const INCLUDE = Type.String({
  pattern: '^(bots|internal|bots,internal|internal,bots)$',
  description:
    'What is counted besides: `bots`, `internal` (traffic of excluded addresses), or both, parted by a comma',
});

const FilterValue = Type.String({ maxLength: 512 });

/** Beside the others in a query: `filter[source]=google`. */
const filters = Object.fromEntries(
  DIMENSIONS.map((name) => [
    `filter[${name}]`,
    Type.Optional(
      Type.Union([FilterValue, Type.Array(FilterValue, { maxItems: 100 })], {
        description: `Only what belongs to sessions with this \`${name}\`; given several times: with one of these. Empty: with none`,
      }),
    ),
  ]),
);

export const REPORT = { ...RANGE, include: Type.Optional(INCLUDE), ...filters };

/** Query of `GET /v1/analytics/overview`. */
export const OverviewQuery = Type.Object(
  {
    ...REPORT,
    interval: Type.Optional(
      Type.Enum([...INTERVALS], { default: 'day', description: 'Of the line: weeks begin on Monday' }),
    ),
    compare: Type.Optional(
      Type.Enum(['previous', 'year', 'none'], {
        default: 'previous',
        description: 'With the period of the same length before, or the same one a year before',
      }),
    ),
  },
  { additionalProperties: false },
);
export type OverviewQuery = Static<typeof OverviewQuery>;

export const Money = Type.Object(
  {
    currency: orNull(Type.String(), { description: 'ISO 4217; null where the conversions named none' }),
    value: Type.String({ description: 'A decimal number' }),
  },
  { title: 'Money' },
);
export type Money = Static<typeof Money>;

const numbers = {
  visits: Type.Integer(),
  visitors: Type.Integer({ description: 'Different visitors with a visit' }),
  sessions: Type.Integer({ description: 'Sessions that began' }),
  leads: Type.Integer({ description: 'Leads that were first seen' }),
  conversions: Type.Integer({ description: 'Conversions by `createdOn`' }),
  conversionRate: orNull(Type.Number(), { description: 'Conversions by sessions; null without sessions' }),
  revenue: Type.Array(Money, { description: 'By currency' }),
};

export const Numbers = Type.Object(numbers, { title: 'Numbers' });
export type Numbers = Static<typeof Numbers>;

const PeriodAnswer = { from: Time, to: Time };

const Change = orNull(Type.Number(), { description: '0.25 is a quarter more; null where there was none before' });

const LinePoint = Type.Object({ at: Time, ...numbers });

export const Overview = Type.Object(
  {
    ...PeriodAnswer,
    timeZone: Type.String(),
    interval: Type.Enum([...INTERVALS]),
    asOf: Type.String({ format: 'date-time', description: 'What was recorded until then is counted' }),
    current: Numbers,
    previous: orNull(Type.Object({ ...PeriodAnswer, ...numbers })),
    change: orNull(
      Type.Object({
        visits: Change,
        visitors: Change,
        sessions: Change,
        leads: Change,
        conversions: Change,
        conversionRate: Change,
        revenue: Type.Array(Type.Object({ currency: orNull(Type.String()), change: Change })),
      }),
      { description: 'Of `current` against `previous`' },
    ),
    line: Type.Array(LinePoint),
    previousLine: orNull(Type.Array(LinePoint)),
  },
  { title: 'Overview' },
);
export type Overview = Static<typeof Overview>;

export const ORDERS = ['visits', 'visitors', 'sessions', 'leads', 'conversions', 'revenue', 'events'] as const;

/** Query of `GET /v1/analytics/breakdown`. */
export const BreakdownQuery = Type.Object(
  {
    ...REPORT,
    by: Type.String({
      maxLength: 200,
      description: `Dimensions, parted by commas: ${DIMENSIONS.map((name) => `\`${name}\``).join(', ')}`,
    }),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000, default: 10, description: 'Values of each dimension' }),
    ),
    order: Type.Optional(Type.Enum([...ORDERS], { default: 'visits', description: 'The most come first' })),
    compare: Type.Optional(Type.Enum(['previous', 'year', 'none'], { default: 'none' })),
  },
  { additionalProperties: false },
);
export type BreakdownQuery = Static<typeof BreakdownQuery>;

const Row = Type.Object(
  {
    value: orNull(Type.String(), { description: 'null: none' }),
    ...numbers,
    events: Type.Optional(Type.Integer({ description: 'By `event` and `funnel`: how many there were' })),
    previous: Type.Optional(Type.Object({ ...numbers, events: Type.Optional(Type.Integer()) })),
  },
  { title: 'BreakdownRow' },
);
export type Row = Static<typeof Row>;

export const Breakdown = Type.Object(
  {
    ...PeriodAnswer,
    timeZone: Type.String(),
    asOf: Time,
    previous: orNull(Type.Object(PeriodAnswer)),
    breakdowns: Type.Record(
      Type.String(),
      Type.Object({ rows: Type.Array(Row), more: Type.Boolean({ description: 'Whether there are other values' }) }),
      { description: 'By dimension' },
    ),
  },
  { title: 'Breakdown' },
);
export type Breakdown = Static<typeof Breakdown>;

const StepName = Type.String({ minLength: 1, maxLength: 512 });

/** Body of `POST /v1/analytics/funnel`. */
export const FunnelBody = Type.Object(
  {
    ...RANGE,
    by: Type.Optional(Type.Enum(['session', 'visitor'], { default: 'session' })),
    windowMinutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 129_600,
        default: 10_080,
        description: 'How long after its first step a try may take',
      }),
    ),
    include: Type.Optional(INCLUDE),
    filters: Type.Optional(
      Type.Object(
        Object.fromEntries(
          DIMENSIONS.map((name) => [
            name,
            Type.Optional(Type.Array(orNull(FilterValue), { minItems: 1, maxItems: 100 })),
          ]),
        ),
        { additionalProperties: false, description: 'By dimension, the values of which a session has one; null: none' },
      ),
    ),
    steps: Type.Array(
      Type.Union([
        Type.Object({ event: StepName }, { additionalProperties: false }),
        Type.Object(
          {
            page: Type.String({
              minLength: 1,
              maxLength: 512,
              description: '`/pricing` on any host, or `shop.example/pricing`; `*` at the end stands for anything',
            }),
          },
          { additionalProperties: false },
        ),
      ]),
      { minItems: 1, maxItems: 10 },
    ),
  },
  { additionalProperties: false },
);
export type FunnelBody = Static<typeof FunnelBody>;

export const Funnel = Type.Object(
  {
    ...PeriodAnswer,
    asOf: Time,
    steps: Type.Array(
      Type.Object({
        event: Type.Optional(Type.String()),
        page: Type.Optional(Type.String()),
        count: Type.Integer({ description: 'Sessions or visitors that came as far' }),
        dropped: Type.Integer({ description: 'Those of the step before that did not' }),
        ofPrevious: orNull(Type.Number({ description: 'Part of those of the step before' })),
        ofFirst: orNull(Type.Number({ description: 'Part of those of the first step' })),
      }),
    ),
  },
  { title: 'Funnel' },
);
export type Funnel = Static<typeof Funnel>;
