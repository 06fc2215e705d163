import { type Static, Type } from 'typebox';
import { NextPageToken, pageQuery } from '../../shared/http/keyset-page.ts';
import { IdList } from '../../shared/http/list-parameters.ts';
import { orNull, SessionId, STRICT, Time } from '../../shared/http/schemas.ts';
import { Lead, Session } from '../../tracking/index.ts';
import { ConvertedRevenue, Money } from '../contract.ts';

const Text = orNull(Type.String());

/** Query of `GET /v1/analytics/timeline`. */
export const TimelineQuery = Type.Object(
  {
    ...pageQuery,
    sessionId: Type.Optional(SessionId({ description: 'The session; or send `leadId`' })),
    leadId: Type.Optional(Type.String({ maxLength: 64, description: 'The lead, with all of its sessions' })),
  },
  STRICT,
);
export type TimelineQuery = Static<typeof TimelineQuery>;

const TimelineItem = Type.Object(
  {
    type: Type.Enum(['session', 'visit', 'event', 'conversion', 'restatement']),
    at: Time(),
    id: orNull(Type.String(), { description: 'The id of the visit, event or conversion' }),
    sessionId: orNull(SessionId()),
    session: Type.Optional(Session),
    url: Type.Optional(Text),
    title: Type.Optional(Text),
    referrer: Type.Optional(Text),
    event: Type.Optional(Text),
    properties: Type.Optional(
      orNull(Type.Record(Type.String(), Type.Unknown()), {
        description: 'The `properties` of an event or the `extra` of a conversion',
      }),
    ),
    value: Type.Optional(Text),
    currency: Type.Optional(Text),
    receivedAt: Type.Optional(Time()),
    origin: Type.Optional(Type.Enum(['report', 'event'])),
    identifier: Type.Optional(orNull(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])))),
  },
  { title: 'TimelineItem' },
);
export type TimelineItem = Static<typeof TimelineItem>;

export const Timeline = Type.Object(
  { session: orNull(Session), lead: orNull(Lead), items: Type.Array(TimelineItem), nextPageToken: NextPageToken },
  { title: 'Timeline' },
);
export type Timeline = Static<typeof Timeline>;

export const Live = Type.Object(
  {
    at: Time(),
    visitors: Type.Integer({ description: 'Visitors of the last five minutes, without bots and internal traffic' }),
    latest: Type.Array(
      Type.Object({
        type: Type.Enum(['visit', 'event']),
        id: Type.String(),
        at: Time(),
        sessionId: orNull(SessionId()),
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

const Ids = (description: string) => IdList(Type.String({ maxLength: 64 }), { maxItems: 100, description });

export const LeadValuesQuery = Type.Object({ leadId: Ids('Repeat it for up to 100 leads') }, STRICT);
export const LeadValues = Type.Object({
  leads: Type.Array(
    Type.Object(
      {
        leadId: Type.String(),
        conversions: Type.Integer({ description: 'Without refunds' }),
        revenue: Type.Array(Money, { description: 'By currency' }),
        convertedRevenue: orNull(ConvertedRevenue, {
          description: 'The sum in the currency of the account; null if it has no currency',
        }),
      },
      { title: 'LeadValue' },
    ),
    { description: 'In the order of the query, without leads that do not exist or have no conversion' },
  ),
});
export type LeadValues = Static<typeof LeadValues>;

export const SessionVisitsQuery = Type.Object({ sessionId: Ids('Repeat it for up to 100 sessions') }, STRICT);
export const SessionVisits = Type.Object({
  sessions: Type.Array(
    Type.Object(
      {
        sessionId: SessionId(),
        visits: Type.Integer(),
        seconds: Type.Integer({ description: 'From the first to the last visit; 0 for a single one' }),
      },
      { title: 'SessionVisit' },
    ),
  ),
});
export type SessionVisits = Static<typeof SessionVisits>;
