import { type Static, type TSchema, Type } from 'typebox';
import { NameList, TextList } from '../shared/http/list-parameters.ts';
import { orNull, STRICT, Time } from '../shared/http/schemas.ts';
import { DIMENSIONS, OPERATORS } from './dimensions.ts';
import { LIMITS } from './limits.ts';
import { COMPARISONS, INTERVALS } from './reports/periods.ts';

export const AS_KNOWN_ON = Type.Optional(
  Type.String({
    maxLength: 64,
    description:
      'Responds as it would have at this time (RFC 3339, or a day: when it starts): by the reports, costs and rates that were known then',
  }),
);

export const PERIOD_OF_REQUEST = {
  from: Type.String({
    maxLength: 64,
    description:
      'The start: a day of `timeZone`, such as 2026-11-20, a time of it on a quarter of an hour, such as 2026-11-20T08:15, or an RFC 3339 time',
  }),
  to: Type.String({ maxLength: 64, description: 'The end, in the format of `from`; the period ends before it' }),
};

export const RANGE = {
  ...PERIOD_OF_REQUEST,
  timeZone: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'A name of the IANA time zone database; defaults to the time zone of the account',
    }),
  ),
};

export const INCLUDE = NameList(Type.Enum(['bots', 'internal']), {
  pattern: '^(bots|internal|bots,internal|internal,bots)$',
  description:
    'Includes traffic that is left out by default: `bots`, `internal` (from excluded IPs), or both, separated by a comma',
});

export const FilterValue = Type.String({ maxLength: 512 });
const oneOrMany = (schema: TSchema, title: string, description: string) =>
  Type.Optional(TextList(schema, { title, description, maxItems: LIMITS.filterValues }));
const FilterValues = (description: string) => oneOrMany(FilterValue, 'FilterValues', description);
const FilterText = (description: string) =>
  oneOrMany(Type.String({ minLength: 1, maxLength: 512 }), 'FilterTexts', description);

export const FILTERS = Object.fromEntries(
  DIMENSIONS.flatMap((name) => [
    [
      `filter[${name}]`,
      FilterValues(`Only sessions with this \`${name}\`; repeat it for one of several values; empty: without a value`),
    ],
    [`filter[${name}][isNot]`, FilterValues(`Only sessions without this \`${name}\`; repeat it for none of several`)],
    [`filter[${name}][contains]`, FilterText(`Only sessions with a \`${name}\` that contains the text, in any case`)],
    [`filter[${name}][containsNot]`, FilterText(`Only sessions without a \`${name}\` that contains the text`)],
  ]),
);

export const REPORT = { ...RANGE, include: Type.Optional(INCLUDE), ...FILTERS };

export const COMPARE =
  'Compares with the previous period of the same length, or with the same period a year before. A period that is not over is compared to the same part of the other one';

/** Query of `GET /v1/analytics/overview`. */
export const OverviewQuery = Type.Object(
  {
    ...REPORT,
    asKnownOn: AS_KNOWN_ON,
    interval: Type.Optional(
      Type.Enum([...INTERVALS], { default: 'day', description: 'The interval of `line`; weeks start on Monday' }),
    ),
    compare: Type.Optional(Type.Enum([...COMPARISONS], { default: 'previous', description: COMPARE })),
  },
  STRICT,
);
export type OverviewQuery = Static<typeof OverviewQuery>;

export const Money = Type.Object(
  {
    currency: orNull(Type.String(), { description: 'ISO 4217; null for conversions without a currency' }),
    value: Type.String({ description: 'A decimal number' }),
  },
  { title: 'Money' },
);
export type Money = Static<typeof Money>;

export const ConvertedRevenue = Type.Object(
  {
    currency: Type.String(),
    value: Type.String({ description: 'A decimal number' }),
    isComplete: Type.Boolean({ description: 'Whether every amount of `revenue` is in the sum' }),
    rates: Type.Optional(
      Type.Enum(['embedded'], {
        description:
          'Some amounts have neither a rate of their day nor one of the account: they are converted by averages of years',
      }),
    ),
  },
  { title: 'ConvertedRevenue' },
);
export type ConvertedRevenue = Static<typeof ConvertedRevenue>;

export const Converted = orNull(ConvertedRevenue, {
  description:
    'The sum in the currency of the account, each amount at the rate of the day of its sale; null if it has no currency',
});

const NUMBERS = {
  visits: Type.Integer(),
  visitors: Type.Integer({ description: 'Distinct visitors with a visit' }),
  sessions: Type.Integer({ description: 'Sessions that started' }),
  bounceRate: orNull(Type.Number(), {
    description: 'The share of these sessions that have a single visit, from 0 to 1; null without sessions',
  }),
  visitsPerSession: orNull(Type.Number(), {
    description: 'Pages per session: all visits of these sessions, on average',
  }),
  sessionDuration: orNull(Type.Number(), {
    description: 'Seconds from the first to the last visit of these sessions, on average; 0 for a single visit',
  }),
  leads: Type.Integer({ description: 'Leads that were first seen' }),
  conversions: Type.Integer({ description: 'Conversions by `createdOn`, without refunds' }),
  refunds: Type.Integer({ description: 'Conversions by `createdOn` whose value was adjusted to 0' }),
  convertingSessions: Type.Integer({
    description: 'Sessions that started and have a conversion, whenever it happened',
  }),
  conversionRate: orNull(Type.Number(), {
    description: 'Converting sessions divided by sessions, from 0 to 1; null without sessions',
  }),
  revenue: Type.Array(Money, { description: 'By currency' }),
  convertedRevenue: Converted,
};

const Numbers = Type.Object(NUMBERS, { title: 'Numbers' });
export type Numbers = Static<typeof Numbers>;

export const PERIOD = { from: Time(), to: Time() };

export const KnownOn = Time({ description: 'Conversions and revenue are what was known then' });

const Change = orNull(Type.Number(), {
  title: 'RelativeChange',
  description: '0.25 is an increase by a quarter; null without previous data',
});

const LinePoint = Type.Object({ at: Time(), ...NUMBERS }, { title: 'OverviewPoint' });

export const Overview = Type.Object(
  {
    ...PERIOD,
    timeZone: Type.String(),
    interval: Type.Enum([...INTERVALS]),
    asOf: Time({ description: 'Everything recorded until then is counted' }),
    asKnownOn: KnownOn,
    current: Numbers,
    previous: orNull(Type.Object({ ...PERIOD, ...NUMBERS })),
    change: orNull(
      Type.Object({
        visits: Change,
        visitors: Change,
        sessions: Change,
        bounceRate: Change,
        visitsPerSession: Change,
        sessionDuration: Change,
        leads: Change,
        conversions: Change,
        conversionRate: Change,
        revenue: Type.Array(Type.Object({ currency: orNull(Type.String()), change: Change })),
        convertedRevenue: Change,
      }),
      { description: 'The change from `previous` to `current`' },
    ),
    line: Type.Array(LinePoint, { description: 'The numbers of each interval' }),
    previousLine: orNull(Type.Array(LinePoint)),
  },
  { title: 'Overview' },
);
export type Overview = Static<typeof Overview>;

/** What a breakdown counts. */
export const BREAKDOWN = {
  by: NameList(Type.Enum([...DIMENSIONS], { title: 'ReportDimension' }), {
    maxLength: 200,
    description: `Dimensions, separated by commas: ${DIMENSIONS.map((name) => `\`${name}\``).join(', ')}`,
  }),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, default: 10, description: 'The number of values of each dimension' }),
  ),
  order: Type.Optional(
    Type.Enum(['visits', 'visitors', 'sessions', 'leads', 'conversions', 'revenue', 'events'], {
      default: 'visits',
      description: 'Values are sorted by this number, descending',
    }),
  ),
};

/** Query of `GET /v1/analytics/breakdown`. */
export const BreakdownQuery = Type.Object(
  {
    ...REPORT,
    ...BREAKDOWN,
    asKnownOn: AS_KNOWN_ON,
    compare: Type.Optional(Type.Enum([...COMPARISONS], { default: 'none' })),
  },
  STRICT,
);
export type BreakdownQuery = Static<typeof BreakdownQuery>;

const BreakdownRow = Type.Object(
  {
    value: orNull(Type.String(), { description: 'null: without a value' }),
    ...NUMBERS,
    events: Type.Optional(Type.Integer({ description: 'By `event` and `funnel` only' })),
    previous: Type.Optional(Type.Object({ ...NUMBERS, events: Type.Optional(Type.Integer()) })),
  },
  { title: 'BreakdownRow' },
);
export type BreakdownRow = Static<typeof BreakdownRow>;

export const Breakdown = Type.Object(
  {
    ...PERIOD,
    timeZone: Type.String(),
    asOf: Time(),
    asKnownOn: KnownOn,
    previous: orNull(Type.Object(PERIOD)),
    breakdowns: Type.Record(
      Type.String(),
      Type.Object({
        rows: Type.Array(BreakdownRow),
        more: Type.Boolean({ description: 'Whether there are further values' }),
      }),
      { description: 'By dimension' },
    ),
  },
  { title: 'Breakdown' },
);
export type Breakdown = Static<typeof Breakdown>;

const FilterList = Type.Array(orNull(FilterValue), { minItems: 1, maxItems: LIMITS.filterValues });
export const BodyFilter = Type.Union(
  [
    FilterList,
    Type.Object(Object.fromEntries(OPERATORS.map((operator) => [operator, Type.Optional(FilterList)])), {
      ...STRICT,
      title: 'FilterOperators',
    }),
  ],
  { title: 'ReportFilter' },
);
