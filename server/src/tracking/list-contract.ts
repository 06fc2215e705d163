import { type Static, type TSchema, Type } from 'typebox';
import { NextPageToken, PAGING } from '../shared/http/paging.ts';
import { CLICK_ID_NAMES } from './click-ids.ts';

const orNull = <T extends TSchema>(schema: T, options = {}) => Type.Union([schema, Type.Null()], options);
const Text = orNull(Type.String());
const Time = Type.String({ format: 'date-time' });
const strict = { additionalProperties: false };

export const TIMES = {
  from: Type.Optional(Type.String({ format: 'date-time', description: 'It is in' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'It is out' })),
};

export const SessionAnswer = Type.Object(
  {
    id: Type.Integer(),
    hash: Type.String(),
    shortHash: Type.String(),
    visitorId: Type.String(),
    lead: orNull(Type.Object({ id: Type.String(), email: Type.String() })),
    startedAt: Time,
    lastSeenAt: Time,
    landingUrl: Type.String(),
    referrer: Text,
    source: Text,
    medium: Text,
    campaign: Text,
    term: Text,
    content: Text,
    utmId: Text,
    clickIds: Type.Record(Type.String(), Type.String(), { description: 'By kind, as in a conversion report' }),
    device: Text,
    browser: Text,
    os: Text,
    country: Text,
    isBot: Type.Boolean(),
    isInternal: Type.Boolean(),
  },
  { title: 'Session' },
);
export type SessionAnswer = Static<typeof SessionAnswer>;

export const SessionsQuery = Type.Object(
  {
    ...PAGING,
    ...TIMES,
    q: Type.Optional(
      Type.String({
        maxLength: 2048,
        description:
          'What one has in hand: a hash, a short hash, a number, a visitor’s id, a click id, the id given to an event or a visit, or the beginning of an e-mail with its @',
      }),
    ),
    source: Type.Optional(Type.String({ maxLength: 512 })),
    medium: Type.Optional(Type.String({ maxLength: 512 })),
    campaign: Type.Optional(Type.String({ maxLength: 512 })),
    country: Type.Optional(Type.String({ maxLength: 16 })),
    device: Type.Optional(Type.String({ maxLength: 64 })),
    platform: Type.Optional(Type.Enum([...CLICK_ID_NAMES], { description: 'Those with a click id of this kind' })),
    leadId: Type.Optional(Type.String({ maxLength: 64 })),
    all: Type.Optional(Type.Boolean({ default: false, description: 'Also bots and internal traffic' })),
  },
  strict,
);
export type SessionsQuery = Static<typeof SessionsQuery>;

export const SessionPage = Type.Object({ sessions: Type.Array(SessionAnswer), nextPageToken: NextPageToken });
export type SessionPage = Static<typeof SessionPage>;

export const SessionPath = Type.Object({ sessionId: Type.String({ description: 'Its number' }) });

export const LeadAnswer = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    firstSeenAt: Time,
    lastSeenAt: Time,
    firstSessionId: orNull(Type.Integer()),
    latestSessionId: orNull(Type.Integer()),
    source: orNull(Type.String(), { description: 'Of the first session, like those that follow' }),
    medium: Text,
    campaign: Text,
    country: Text,
  },
  { title: 'Lead' },
);
export type LeadAnswer = Static<typeof LeadAnswer>;

export const LeadsQuery = Type.Object(
  {
    ...PAGING,
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Of `firstSeenAt`. It is in' })),
    to: TIMES.to,
    q: Type.Optional(
      Type.String({ maxLength: 320, description: 'An e-mail or its beginning, in any case; then ordered by e-mail' }),
    ),
  },
  strict,
);
export type LeadsQuery = Static<typeof LeadsQuery>;

export const LeadPage = Type.Object({ leads: Type.Array(LeadAnswer), nextPageToken: NextPageToken });
export type LeadPage = Static<typeof LeadPage>;

export const LeadPath = Type.Object({ leadId: Type.String() });
