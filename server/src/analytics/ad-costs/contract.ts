import { type Static, Type } from 'typebox';
import { NextPageToken, pageQuery } from '../../shared/http/keyset-page.ts';
import { RowFault } from '../../shared/http/row-faults.ts';
import { orNull, STRICT, Time } from '../../shared/http/schemas.ts';
import { AS_KNOWN_ON, Money } from '../contract.ts';

const MAX_AD_COSTS = 1_000;

const Day = (description: string) => Type.String({ format: 'date', description });
const Name = (description: string) => Type.String({ minLength: 1, maxLength: 512, description });
const Count = (description: string) =>
  orNull(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), { description });

const KEY = {
  date: Day('The day in the time zone of the ad account'),
  source: Name('As in the reports, such as `google`'),
  currency: Type.String({ description: 'ISO 4217, in any case' }),
};

export const AdCostInput = Type.Object(
  {
    ...KEY,
    campaign: Type.Optional(orNull(Type.String({ maxLength: 512 }), { description: 'As in the reports; null: none' })),
    adGroup: Type.Optional(
      orNull(Type.String({ maxLength: 512 }), { description: 'As in `utm_term` of its ads; null: the whole campaign' }),
    ),
    ad: Type.Optional(
      orNull(Type.String({ maxLength: 512 }), { description: 'As in `utm_content`; null: the whole ad group' }),
    ),
    cost: orNull(Type.Union([Type.Number(), Type.String()]), {
      description: 'A number from 0, or its decimal digits. null removes what was imported',
    }),
    clicks: Type.Optional(Count('Clicks as counted by the ad platform')),
    impressions: Type.Optional(Count('Impressions as counted by the ad platform')),
  },
  STRICT,
);
export type AdCostInput = Static<typeof AdCostInput>;

/** Body of `PUT /v1/analytics/ad-costs`. */
export const AdCostsBody = Type.Object(
  { costs: Type.Array(AdCostInput, { minItems: 1, maxItems: MAX_AD_COSTS }) },
  STRICT,
);
export type AdCostsBody = Static<typeof AdCostsBody>;

export const AdCostsResult = Type.Object(
  {
    written: Type.Integer({ description: 'Costs that were added or replaced' }),
    removed: Type.Integer({ description: 'Costs that were removed' }),
    skipped: Type.Optional(
      Type.Integer({
        description:
          'Costs that were left out, because a cost source reads their day and campaign; missing if there are none',
      }),
    ),
    faults: Type.Optional(
      Type.Array(RowFault, { description: 'With `onError=skip`: the invalid costs; missing if there are none' }),
    ),
  },
  { title: 'AdCostsResult' },
);
export type AdCostsResult = Static<typeof AdCostsResult>;

export const AdCost = Type.Object(
  {
    ...KEY,
    campaign: orNull(Type.String()),
    adGroup: orNull(Type.String()),
    ad: orNull(Type.String()),
    cost: Type.String({ description: 'A decimal number' }),
    clicks: orNull(Type.Integer()),
    impressions: orNull(Type.Integer()),
    costSourceId: Type.Optional(Type.String({ description: 'The cost source that read it; missing: it was imported' })),
    campaignId: Type.Optional(Type.String({ description: "The platform's ID, of costs that were read" })),
    adGroupId: Type.Optional(orNull(Type.String())),
    adId: Type.Optional(orNull(Type.String())),
    updatedAt: Time(),
  },
  { title: 'AdCost' },
);
export type AdCost = Static<typeof AdCost>;

export const AdCostsQuery = Type.Object(
  {
    ...pageQuery,
    from: Type.Optional(Day('The first day')),
    to: Type.Optional(Day('The day after the last')),
    source: Type.Optional(Name('Only costs of this source')),
    campaign: Type.Optional(Type.String({ maxLength: 512, description: 'Only costs of this campaign; empty: none' })),
  },
  STRICT,
);
export type AdCostsQuery = Static<typeof AdCostsQuery>;

export const AdCostPage = Type.Object({ costs: Type.Array(AdCost), nextPageToken: NextPageToken });
export type AdCostPage = Static<typeof AdCostPage>;

/** Query of `GET /v1/analytics/ad-performance`. */
export const AdPerformanceQuery = Type.Object(
  {
    from: Day('The first day'),
    to: Day('The day after the last'),
    timeZone: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The zone in which the days of sessions and conversions start; by default that of the account',
      }),
    ),
    by: Type.Optional(Type.Enum(['source', 'campaign'], { default: 'source' })),
    source: Type.Optional(Name('Only this source')),
    basis: Type.Optional(
      Type.Enum(['click', 'conversion'], {
        default: 'click',
        description:
          'What conversions and revenue belong to the period: those of its clicks, whenever they happen, so that cost and revenue speak of the same people; or those that happened in it',
      }),
    ),
    asKnownOn: AS_KNOWN_ON,
  },
  STRICT,
);
export type AdPerformanceQuery = Static<typeof AdPerformanceQuery>;

const NUMBERS = {
  cost: Type.Array(Money, { description: 'By currency' }),
  clicks: Type.Integer(),
  impressions: Type.Integer(),
  sessions: Type.Integer(),
  leads: Type.Integer(),
  conversions: Type.Integer(),
  revenue: Type.Array(Money, { description: 'By currency' }),
  costPerConversion: Type.Array(Money, {
    description:
      'The cost of each currency divided by the conversions it led to, to two decimals. Conversions of a row with costs in several currencies are shared in proportion to these',
  }),
  returnOnAdSpend: Type.Array(
    Type.Object({
      currency: Type.String(),
      value: Type.Number({ description: '2 is revenue of twice the cost' }),
    }),
    { description: 'The revenue that the cost of each currency led to, converted into it, divided by this cost' },
  ),
  converted: orNull(
    Type.Object(
      {
        currency: Type.String(),
        cost: Type.String(),
        revenue: Type.String(),
        costPerConversion: orNull(Type.String()),
        returnOnAdSpend: orNull(Type.Number()),
        isComplete: Type.Boolean({ description: 'Whether every amount has an exchange rate' }),
      },
      { title: 'ConvertedCosts' },
    ),
    {
      description:
        'In the currency of the account, revenue by the exchange rate of the day of its sale, cost by that of its own day; null if it has no currency',
    },
  ),
};

export const AdPerformance = Type.Object(
  {
    from: Time(),
    to: Time(),
    by: Type.String(),
    basis: Type.String(),
    asOf: Time({ description: 'Everything recorded until then is counted' }),
    asKnownOn: Time({ description: 'What was known then is counted' }),
    total: Type.Object(NUMBERS, { title: 'AdPerformanceNumbers', description: 'The sum of `rows`' }),
    rows: Type.Array(Type.Object({ value: orNull(Type.String()), ...NUMBERS }, { title: 'AdPerformanceRow' }), {
      description: 'Sources or campaigns that had costs, by cost descending; at most 1,000',
    }),
    more: Type.Boolean({ description: 'Whether there are further rows' }),
  },
  { title: 'AdPerformance' },
);
export type AdPerformance = Static<typeof AdPerformance>;
export type AdPerformanceNumbers = AdPerformance['total'];

/** Query of `GET /v1/analytics/ad-costs/unmatched`. */
export const UnmatchedCostsQuery = Type.Object(
  { from: Day('The first day'), to: Day('The day after the last') },
  STRICT,
);
export type UnmatchedCostsQuery = Static<typeof UnmatchedCostsQuery>;

const campaignOf = {
  campaign: orNull(Type.String({ description: 'Its latest name' })),
  campaignId: orNull(Type.String(), { description: "The platform's ID; null: it was imported without one" }),
};

export const UnmatchedCosts = Type.Object(
  {
    from: Time(),
    to: Time(),
    costs: Type.Array(
      Type.Object(
        {
          source: Type.String(),
          ...campaignOf,
          costSourceId: orNull(Type.String()),
          cost: Type.Array(Money, { description: 'By currency' }),
          clicks: Type.Integer(),
          impressions: Type.Integer(),
        },
        { title: 'UnmatchedCost' },
      ),
      { description: 'Campaigns that cost something and led to no session, the most expensive first; at most 500' },
    ),
    more: Type.Boolean({ description: 'Whether there are further costs' }),
    sessionCampaigns: Type.Array(
      Type.Object({ source: Type.String(), campaign: Type.String(), sessions: Type.Integer() }),
      { description: 'Campaigns of paid sessions of the same sources, without a cost' },
    ),
    assignments: Type.Array(
      Type.Object({
        source: Type.String(),
        sessionCampaign: Type.String({ description: 'In lower case' }),
        ...campaignOf,
      }),
      { description: 'What `PUT /v1/analytics/ad-costs/assignments` assigned' },
    ),
  },
  { title: 'UnmatchedCosts' },
);
export type UnmatchedCosts = Static<typeof UnmatchedCosts>;

/** Body of `PUT /v1/analytics/ad-costs/assignments`. */
export const AssignmentsBody = Type.Object(
  {
    assignments: Type.Array(
      Type.Object(
        {
          source: Name('As in the reports, such as `google`'),
          sessionCampaign: Name('The campaign of sessions, in any case'),
          campaignId: Type.Optional(
            orNull(Type.String({ maxLength: 64 }), { description: 'The ID of the campaign whose cost it is' }),
          ),
          campaign: Type.Optional(
            orNull(Type.String({ maxLength: 512 }), {
              description:
                'Or its name, for costs that were imported without IDs. Without both, the assignment is removed',
            }),
          ),
        },
        { ...STRICT, title: 'CostAssignment' },
      ),
      { minItems: 1, maxItems: MAX_AD_COSTS },
    ),
  },
  STRICT,
);
export type AssignmentsBody = Static<typeof AssignmentsBody>;

export const AssignmentsResult = Type.Object(
  { assigned: Type.Integer(), removed: Type.Integer() },
  { title: 'CostAssignmentsResult' },
);
export type AssignmentsResult = Static<typeof AssignmentsResult>;
