import { type Static, type TSchema, Type } from 'typebox';
import { NextPageToken, PAGING } from '../shared/http/paging.ts';
import { LeadAnswer, SessionAnswer } from '../tracking/index.ts';
import { Money, RANGE } from './contract.ts';
import type { Dimension } from './dimensions.ts';
import { MODELS } from './models.ts';

const orNull = <T extends TSchema>(schema: T, options = {}) => Type.Union([schema, Type.Null()], options);
const Text = orNull(Type.String());
const Time = Type.String({ format: 'date-time' });
const strict = { additionalProperties: false };

/** Query of `GET /v1/analytics/timeline`. */
export const TimelineQuery = Type.Object(
  {
    ...PAGING,
    sessionId: Type.Optional(Type.Integer({ minimum: 0, description: 'Of a session; either this or `leadId`' })),
    leadId: Type.Optional(Type.String({ maxLength: 64, description: 'Of a lead: of all its sessions' })),
  },
  strict,
);
export type TimelineQuery = Static<typeof TimelineQuery>;

const TimelineItem = Type.Object(
  {
    kind: Type.Enum(['session', 'visit', 'event', 'conversion', 'restatement']),
    at: Time,
    id: orNull(Type.String(), { description: 'Of the visit, the event or the conversion' }),
    sessionId: orNull(Type.Integer()),
    session: Type.Optional(SessionAnswer),
    url: Type.Optional(Text),
    title: Type.Optional(Text),
    referrer: Type.Optional(Text),
    event: Type.Optional(Text),
    properties: Type.Optional(
      orNull(Type.Record(Type.String(), Type.Unknown()), { description: 'Of an event; `extra` of a conversion' }),
    ),
    value: Type.Optional(Text),
    currency: Type.Optional(Text),
    receivedAt: Type.Optional(Time),
    origin: Type.Optional(Type.Enum(['report', 'event'])),
    identifier: Type.Optional(orNull(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])))),
  },
  { title: 'TimelineItem' },
);
export type TimelineItem = Static<typeof TimelineItem>;

export const Timeline = Type.Object(
  {
    session: orNull(SessionAnswer),
    lead: orNull(LeadAnswer),
    items: Type.Array(TimelineItem),
    nextPageToken: NextPageToken,
  },
  { title: 'Timeline' },
);
export type Timeline = Static<typeof Timeline>;

export const Live = Type.Object(
  {
    at: Time,
    visitors: Type.Integer({ description: 'Of the last five minutes, without bots and internal traffic' }),
    latest: Type.Array(
      Type.Object({
        kind: Type.Enum(['visit', 'event']),
        id: Type.String(),
        at: Time,
        sessionId: orNull(Type.Integer()),
        page: Text,
        event: Text,
        source: Text,
        medium: Text,
        campaign: Text,
        country: Text,
        device: Text,
        isBot: Type.Boolean(),
        isInternal: Type.Boolean(),
      }),
      { description: 'Newest first' },
    ),
  },
  { title: 'Live' },
);
export type Live = Static<typeof Live>;

export const UnmatchedReportQuery = Type.Object(RANGE, strict);
export type UnmatchedReportQuery = Static<typeof UnmatchedReportQuery>;

export const REASONS = ['platform_never_seen', 'malformed', 'erased', 'not_seen'] as const;

export const UnmatchedReport = Type.Object(
  {
    from: Time,
    to: Time,
    total: Type.Integer(),
    identifiers: Type.Array(
      Type.Object({
        identifier: orNull(Type.String(), { description: 'Its name in the report; null where it was erased' }),
        count: Type.Integer(),
        oldestAt: Time,
        latestAt: Time,
        reasons: Type.Array(
          Type.Object({
            reason: Type.Enum([...REASONS], {
              description:
                '`platform_never_seen`: none of the latest sessions came with a click id of this kind; `malformed`: it has not the form of a hash; `erased`: its person was erased; `not_seen`: no session has it',
            }),
            count: Type.Integer(),
          }),
        ),
      }),
    ),
  },
  { title: 'UnmatchedReport' },
);
export type UnmatchedReport = Static<typeof UnmatchedReport>;

/** Those of which a session has one value, or one is taken. */
const ATTRIBUTED = [
  'source',
  'medium',
  'campaign',
  'landingPage',
  'country',
  'device',
  'platform',
] satisfies Dimension[];

export const AttributionQuery = Type.Object(
  {
    ...RANGE,
    by: Type.Optional(Type.Enum(ATTRIBUTED, { default: 'source' })),
    windowDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 365,
        default: 30,
        description: 'How long before a conversion a session counts',
      }),
    ),
    include: Type.Optional(Type.String({ pattern: '^(bots|internal|bots,internal|internal,bots)$' })),
  },
  strict,
);
export type AttributionQuery = Static<typeof AttributionQuery>;

const Share = Type.Object({
  conversions: Type.Number({ description: 'Parts of them add up' }),
  revenue: Type.Array(Money),
});

export const Attribution = Type.Object(
  {
    from: Time,
    to: Time,
    by: Type.String(),
    windowDays: Type.Integer(),
    conversions: Type.Integer({ description: 'Of the period' }),
    attributed: Type.Integer({ description: 'Those with a session within the window' }),
    rows: Type.Array(
      Type.Object({ value: Text, ...Object.fromEntries(MODELS.map((model) => [model, Share])) } as {
        value: typeof Text;
      } & Record<(typeof MODELS)[number], typeof Share>),
      { description: 'The most by `linear` come first' },
    ),
  },
  { title: 'Attribution' },
);
export type Attribution = Static<typeof Attribution>;
