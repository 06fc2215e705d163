import { type Static, Type } from 'typebox';
import { NextPageToken, pageQuery } from '../../shared/http/keyset-page.ts';
import { orNull, STRICT, Time } from '../../shared/http/schemas.ts';
import { Session } from '../../tracking/index.ts';
import {
  AS_KNOWN_ON,
  BodyFilter,
  COMPARE,
  Converted,
  FilterValue,
  INCLUDE,
  KnownOn,
  Money,
  PERIOD,
  RANGE,
  REPORT,
} from '../contract.ts';
import { DIMENSIONS, type Dimension, SINGLE_VALUED, type SingleValued } from '../dimensions.ts';
import { MODELS, type Model } from '../engine/index.ts';
import { LIMITS } from '../limits.ts';
import { COMPARISONS } from './periods.ts';

const StepName = Type.String({ minLength: 1, maxLength: 512 });
const PageStep = Type.String({
  minLength: 1,
  maxLength: 512,
  description: '`/pricing` on any host, or `shop.example/pricing`; `*` at the end matches any rest',
});

/** Filters in a body. */
export const BodyFilters = Type.Object(
  Object.fromEntries(DIMENSIONS.map((name) => [name, Type.Optional(BodyFilter)])),
  {
    ...STRICT,
    title: 'ReportFilters',
    description:
      'For each dimension the accepted values (null: without a value), or operators with values, all of which must pass',
  },
);
export type BodyFilters = Static<typeof BodyFilters>;

const PropertyCondition = Type.Object(
  {
    property: Type.String({ minLength: 1, maxLength: 255 }),
    operator: Type.Enum(['is', 'isNot', 'contains', 'containsNot', 'atLeast', 'atMost']),
    values: Type.Array(FilterValue, {
      minItems: 1,
      maxItems: LIMITS.filterValues,
      description:
        'One of them has to match, none for `isNot` and `containsNot`. Values are compared as texts, or as numbers by `atLeast` and `atMost`',
    }),
  },
  { ...STRICT, title: 'PropertyCondition' },
);
const FunnelAction = Type.Union([
  Type.Object(
    {
      event: StepName,
      where: Type.Optional(
        Type.Array(PropertyCondition, {
          maxItems: LIMITS.propertyConditions,
          description: 'Only events whose properties pass all of these',
        }),
      ),
    },
    { ...STRICT, title: 'FunnelEvent' },
  ),
  Type.Object({ page: PageStep }, { ...STRICT, title: 'FunnelPage' }),
]);
const FunnelStep = Type.Union([
  FunnelAction,
  Type.Object(
    {
      anyOf: Type.Array(FunnelAction, {
        minItems: 1,
        maxItems: LIMITS.stepAlternatives,
        description: 'Any of these completes the step',
      }),
    },
    { ...STRICT, title: 'FunnelAlternatives' },
  ),
]);
export type FunnelStep = Static<typeof FunnelStep>;

/** What a funnel counts. */
export const FUNNEL = {
  by: Type.Optional(Type.Enum(['session', 'visitor'], { default: 'session' })),
  windowMinutes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 129_600,
      default: 10_080,
      description: 'The time from the first step within which the others must happen',
    }),
  ),
  steps: Type.Array(FunnelStep, { minItems: 1, maxItems: LIMITS.funnelSteps }),
  breakdownBy: Type.Optional(
    Type.Enum(Object.keys(SINGLE_VALUED) as SingleValued[], {
      description: 'Also counts by this dimension of the session in which the first step happened',
    }),
  ),
};

/** Body of `POST /v1/analytics/funnel`. */
export const FunnelBody = Type.Object(
  {
    ...RANGE,
    ...FUNNEL,
    include: Type.Optional(INCLUDE),
    filters: Type.Optional(BodyFilters),
    compare: Type.Optional(Type.Enum([...COMPARISONS], { default: 'none', description: COMPARE })),
  },
  STRICT,
);
export type FunnelBody = Static<typeof FunnelBody>;

const Duration = Type.Object(
  { median: Type.Number(), average: Type.Number() },
  { title: 'FunnelDuration', description: 'In seconds' },
);
const ofFirst = orNull(Type.Number(), { description: 'The share of those that completed the first step' });

export const Funnel = Type.Object(
  {
    ...PERIOD,
    asOf: Time(),
    steps: Type.Array(
      Type.Object({
        event: Type.Optional(Type.String()),
        page: Type.Optional(Type.String()),
        where: Type.Optional(Type.Array(PropertyCondition)),
        anyOf: Type.Optional(Type.Array(FunnelAction)),
        count: Type.Integer({ description: 'Sessions or visitors that completed this step' }),
        dropped: Type.Integer({ description: 'Those that completed the previous step and not this one' }),
        ofPrevious: orNull(Type.Number({ description: 'The share of those that completed the previous step' })),
        ofFirst,
        fromPrevious: orNull(Duration, {
          description: 'The time from the previous step, of those that completed this one',
        }),
      }),
    ),
    timeToConvert: orNull(Duration, { description: 'The time from the first step to the last one' }),
    previous: orNull(Type.Object({ ...PERIOD, steps: Type.Array(Type.Object({ count: Type.Integer(), ofFirst })) }), {
      description: 'The period to compare with',
    }),
    breakdown: orNull(
      Type.Object({
        rows: Type.Array(
          Type.Object({
            value: orNull(Type.String(), { description: 'null: without a value' }),
            counts: Type.Array(Type.Integer(), { description: 'How many completed each step' }),
            ofFirst,
          }),
          { description: 'Sorted by the first step, descending' },
        ),
        more: Type.Boolean({ description: 'Whether there are further values' }),
      }),
    ),
  },
  { title: 'Funnel' },
);
export type Funnel = Static<typeof Funnel>;

export const EventPropertiesQuery = Type.Object(
  {
    ...REPORT,
    event: Type.String({ minLength: 1, maxLength: 512 }),
    property: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Whose values are counted' })),
    contains: Type.Optional(
      Type.String({ minLength: 1, maxLength: 512, description: 'Only values that contain this text, in any case' }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000, default: 10, description: 'The number of values' }),
    ),
  },
  STRICT,
);
export type EventPropertiesQuery = Static<typeof EventPropertiesQuery>;

export const EventProperties = Type.Object(
  {
    ...PERIOD,
    asOf: Time(),
    event: Type.String(),
    properties: Type.Array(Type.String(), {
      description: 'The names of properties, most frequent first, in the latest 2,000 sessions with this event',
    }),
    rows: Type.Array(
      Type.Object(
        {
          value: orNull(Type.String(), { description: 'As text; null: without this property' }),
          events: Type.Integer(),
          sessions: Type.Integer(),
        },
        { title: 'EventPropertyRow' },
      ),
      { description: 'The values of `property`, sorted by events, descending' },
    ),
    more: Type.Boolean({ description: 'Whether there are further values' }),
  },
  { title: 'PropertyReport' },
);
export type EventProperties = Static<typeof EventProperties>;

export const RankedSessionsQuery = Type.Object(
  {
    ...REPORT,
    ...pageQuery,
    sort: Type.Optional(
      Type.Enum(['pages:desc', 'pages:asc', 'duration:desc', 'duration:asc'], {
        default: 'pages:desc',
        description: 'By the number of visits, or by the whole seconds from the first to the last one',
      }),
    ),
  },
  STRICT,
);
export type RankedSessionsQuery = Static<typeof RankedSessionsQuery>;

export const RankedSessions = Type.Object({ sessions: Type.Array(Session), nextPageToken: NextPageToken });
export type RankedSessions = Static<typeof RankedSessions>;

/** Dimensions of which a session has one value; of several platforms one counts. */
const ATTRIBUTED = [...(Object.keys(SINGLE_VALUED) as SingleValued[]), 'platform'] satisfies Dimension[];

export const AttributionQuery = Type.Object(
  {
    ...REPORT,
    by: Type.Optional(Type.Enum(ATTRIBUTED, { default: 'source' })),
    asKnownOn: AS_KNOWN_ON,
    windowDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 365,
        default: 30,
        description: 'The lookback window: how long before a conversion a session counts',
      }),
    ),
  },
  STRICT,
);
export type AttributionQuery = Static<typeof AttributionQuery>;

const Share = Type.Object(
  {
    conversions: Type.Number({ description: 'The sum of the shares of conversions' }),
    revenue: Type.Array(Money),
    convertedRevenue: Converted,
  },
  { title: 'AttributionShare' },
);

export const Attribution = Type.Object(
  {
    ...PERIOD,
    asKnownOn: KnownOn,
    by: Type.String(),
    windowDays: Type.Integer(),
    conversions: Type.Integer({ description: 'All conversions of the period' }),
    attributed: Type.Integer({ description: 'Conversions with a session in the lookback window' }),
    rows: Type.Array(
      Type.Object({
        value: orNull(Type.String()),
        ...(Object.fromEntries(MODELS.map((model) => [model, Share])) as Record<Model, typeof Share>),
      }),
      { description: 'Sorted by the conversions of `linear`, descending; at most 1,000' },
    ),
    more: Type.Boolean({ description: 'Whether there are further values' }),
  },
  { title: 'Attribution' },
);
export type Attribution = Static<typeof Attribution>;

export const UnmatchedReportQuery = Type.Object(REPORT, STRICT);
export type UnmatchedReportQuery = Static<typeof UnmatchedReportQuery>;

const UnmatchedReason = Type.Enum(['platform_never_seen', 'malformed', 'erased', 'not_seen'], {
  description:
    '`platform_never_seen`: none of the latest sessions has a click id of this type; `malformed`: the value does not have the format of a session hash; `erased`: its visitor was erased; `not_seen`: no session has it',
});
export type UnmatchedReason = Static<typeof UnmatchedReason>;

export const UnmatchedReport = Type.Object(
  {
    ...PERIOD,
    total: Type.Integer(),
    identifiers: Type.Array(
      Type.Object({
        identifier: orNull(Type.String(), { description: 'The name of the identifier; null when it was erased' }),
        count: Type.Integer(),
        oldestAt: Time(),
        latestAt: Time(),
        reasons: Type.Array(Type.Object({ reason: UnmatchedReason, count: Type.Integer() })),
      }),
    ),
  },
  { title: 'UnmatchedReport' },
);
export type UnmatchedReport = Static<typeof UnmatchedReport>;
