import { type Static, Type } from 'typebox';
import { orNull, STRICT, Time } from '../../shared/http/schemas.ts';
import { AS_KNOWN_ON } from '../contract.ts';
import { MODELS } from '../engine/index.ts';

const ROAS_KEYS = ['source', 'campaign', 'adGroup', 'ad', 'landingPage', 'entry'] as const;
export type RoasKey = (typeof ROAS_KEYS)[number];

/** Query of `GET /v1/analytics/roas`. */
export const RoasQuery = Type.Object(
  {
    from: Type.String({
      maxLength: 64,
      description:
        'The first day of clicks in the time zone of the account, such as 2026-11-20, or the time at which it starts (RFC 3339): costs are known by day',
    }),
    to: Type.String({ maxLength: 64, description: 'The day after the last, in the format of `from`' }),
    by: Type.Optional(
      Type.Enum([...ROAS_KEYS], {
        default: 'source',
        description: 'What rows are made of; `entry`: the content entry of the landing page, by its ID',
      }),
    ),
    model: Type.Optional(
      Type.Enum([...MODELS], {
        default: 'last',
        description:
          'Which click earned a conversion. `last`: the session that it was matched to. The others share it among the sessions of the same visitor and lead in the 30 days before the sale, as `GET /v1/analytics/attribution` does',
      }),
    ),
    interval: Type.Optional(
      Type.Enum(['day', 'week', 'month'], {
        default: 'week',
        description: 'The clicks of one cohort; weeks start on Monday',
      }),
    ),
    currency: Type.Optional(
      Type.String({
        maxLength: 8,
        description:
          'ISO 4217: what amounts are converted to; by default the currency of the account, or else of most of the cost',
      }),
    ),
    horizon: Type.Optional(
      Type.String({ maxLength: 16, default: '90d', description: 'The full age in days, from 3d to 365d' }),
    ),
    asKnownOn: AS_KNOWN_ON,
    level: Type.Optional(
      Type.Number({ minimum: 0.5, maximum: 0.99, default: 0.8, description: 'What share of intervals should hold' }),
    ),
    curves: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether cohorts contain their revenue by age' }),
    ),
    curveSource: Type.Optional(
      Type.String({ maxLength: 512, description: 'The `source` of the row whose cohorts `curve` has, in any case' }),
    ),
    curveKey: Type.Optional(
      Type.String({ maxLength: 512, description: 'With `curveSource`: the `key` of the row; omitted: null' }),
    ),
  },
  STRICT,
);
export type RoasQuery = Static<typeof RoasQuery>;

const Amount = (description: string) => Type.String({ description });
const Estimate = (description: string) => orNull(Type.String(), { description });
const Ratio = (description: string) => orNull(Type.Number(), { description });

const NUMBERS = {
  currency: orNull(Type.String(), { description: 'Of all amounts of the response; null: no amount has a currency' }),
  sessions: Type.Integer({
    description:
      'Sessions that ads led to: of a source with costs, whose medium is not `organic`, `referral`, `email` or `ai-assistant`',
  }),
  clicks: Type.Integer({ description: 'As counted by the ad platform' }),
  impressions: Type.Integer(),
  cost: Amount('By day of spend, which is the day of the click'),
  conversions: Type.Number({
    description: 'Of these sessions, without refunds; with a `model` that shares them, up to 6 decimals',
  }),
  revenue: Amount('To date, by day of click: what is known so far, after restatements and refunds'),
  refunded: Amount('What reports lowered it by'),
  maturity: Ratio('`revenue` divided by `expectedRevenue`'),
  expectedRevenue: Estimate('What revenue is expected to be at full age; null: too young to tell'),
  expectedLow: Estimate('The interval of `level` around it'),
  expectedHigh: Estimate('The interval of `level` around it'),
  costPerConversion: orNull(Type.String()),
  roas: Ratio('`revenue` divided by `cost`; 2 is revenue of twice the cost'),
  expectedRoas: Ratio('`expectedRevenue` divided by `cost`'),
  roasLow: Ratio('`expectedLow` divided by `cost`'),
  roasHigh: Ratio('`expectedHigh` divided by `cost`'),
  isComplete: Type.Boolean({ description: 'Whether every amount has an exchange rate; others are left out' }),
  rates: Type.Enum(['dated', 'account', 'embedded'], {
    description:
      'The least certain exchange rate that was used: of the day, of the fixed table of the account, or the average of a year that this version contains',
  }),
};

/** Sessions of one row are not counted by cohort. */
const { sessions: _, ...AMOUNTS } = NUMBERS;

const OF_ALL = {
  key: orNull(Type.String(), { description: 'null: it is of all rows; those of one row are in `curve`' }),
  source: orNull(Type.String()),
};

export const Roas = Type.Object(
  {
    from: Time(),
    to: Time(),
    by: Type.String(),
    interval: Type.String(),
    model: Type.String(),
    horizon: Type.String(),
    asKnownOn: Time({ description: 'What was known then is counted' }),
    asOf: Time({ description: 'Everything recorded until then is counted' }),
    status: Type.Enum(['ready', 'tooYoung'], {
      description: '`tooYoung`: revenue is known at fewer than three ages, so nothing is forecast',
    }),
    total: Type.Object(NUMBERS, { title: 'RoasNumbers' }),
    rows: Type.Array(
      Type.Object({ key: orNull(Type.String()), source: Type.String(), ...NUMBERS }, { title: 'RoasRow' }),
      { description: 'By cost descending; at most 1,000' },
    ),
    more: Type.Boolean({ description: 'Whether there are further rows' }),
    cohorts: Type.Array(
      Type.Object(
        {
          start: Time({ description: 'The start of its first day' }),
          ...OF_ALL,
          ...NUMBERS,
          byAge: Type.Optional(
            Type.Array(Type.Number(), {
              description: 'Revenue by age in days, as far as all of its days know it; with `curves`',
            }),
          ),
        },
        { title: 'RoasCohort' },
      ),
    ),
    curve: Type.Optional(
      Type.Object(
        {
          key: orNull(Type.String()),
          source: Type.String(),
          expected: Type.Array(Type.Number(), {
            description: 'The share of the revenue of full age that is known at each age, of this row',
          }),
          cohorts: Type.Array(
            Type.Object(
              {
                start: Time(),
                key: orNull(Type.String()),
                source: Type.String(),
                ...AMOUNTS,
                byAge: Type.Array(Type.Number()),
              },
              { title: 'RoasRowCohort' },
            ),
          ),
        },
        {
          title: 'RoasCurve',
          description: 'The cohorts of one row, with `curveSource`; missing if there is no such row',
        },
      ),
    ),
    development: Type.Object(
      {
        ages: Type.Array(Type.Integer(), { description: 'In days after the day of the click' }),
        factors: Type.Array(Type.Number(), {
          description: 'What revenue grows by from each of these ages to the next, over the whole account',
        }),
        expected: Type.Array(Type.Number(), {
          description: 'The share of the revenue of full age that is known at each age',
        }),
        pooledFrom: Type.Object(
          { key: Type.Number(), source: Type.Number(), account: Type.Number() },
          { description: 'Where the factors of rows are from, on average: shares of 1' },
        ),
      },
      { description: 'Empty lists if too young' },
    ),
    coverage: Type.Object(
      {
        level: Type.Number(),
        observed: Ratio('The share of past forecasts whose interval held; null: there are none yet'),
        cohorts: Type.Integer({ description: 'Past forecasts, of cohorts that are of full age by now' }),
      },
      { description: 'Forecasts repeated as they would have been made, 7 and 14 days after a week of clicks' },
    ),
  },
  { title: 'Roas' },
);
export type Roas = Static<typeof Roas>;
export type RoasNumbers = Roas['total'];
