import { type Static, Type } from 'typebox';
import { CLICK_ID_NAMES } from '../../shared/click-ids.ts';
import { NextPageToken, pageQuery } from '../../shared/http/keyset-page.ts';
import { orNull, SessionId, STRICT, Time } from '../../shared/http/schemas.ts';
import { LeadRef } from '../leads/contract.ts';

const Text = orNull(Type.String());

/** A session as part of another resource, such as a webhook payload. */
export const SessionSummary = Type.Object(
  {
    id: SessionId(),
    hash: Type.String(),
    shortHash: Type.String(),
    visitorId: Type.String(),
    startedAt: Time(),
    lastSeenAt: Time(),
    landingUrl: Type.String(),
    referrer: Text,
    source: Text,
    medium: Text,
    campaign: Text,
    term: Text,
    content: Text,
    utmId: Text,
    clickIds: Type.Record(Type.String(), Type.String(), {
      description: 'Click ids by their names in the conversion report',
    }),
    device: Text,
    browser: Text,
    os: Text,
    country: Text,
    region: orNull(Type.String(), { description: 'Largest subdivision and country, such as `Bavaria, DE`' }),
    isBot: Type.Boolean(),
    isInternal: Type.Boolean(),
  },
  { title: 'SessionSummary' },
);
export type SessionSummary = Static<typeof SessionSummary>;

export const Session = Type.Object({ ...SessionSummary.properties, lead: orNull(LeadRef) }, { title: 'Session' });
export type Session = Static<typeof Session>;

export const SessionsQuery = Type.Object(
  {
    ...pageQuery,
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Earliest `startedAt`, inclusive' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Latest `startedAt`, exclusive' })),
    q: Type.Optional(
      Type.String({
        maxLength: 2048,
        description:
          'A hash, short hash, id, visitor id, click id, client id of an event or visit, or the start of an email up to at least its @',
      }),
    ),
    source: Type.Optional(Type.String({ maxLength: 512 })),
    medium: Type.Optional(Type.String({ maxLength: 512 })),
    campaign: Type.Optional(Type.String({ maxLength: 512 })),
    country: Type.Optional(Type.String({ maxLength: 16 })),
    device: Type.Optional(Type.String({ maxLength: 64 })),
    platform: Type.Optional(Type.Enum([...CLICK_ID_NAMES], { description: 'Sessions with this click id' })),
    leadId: Type.Optional(Type.String({ maxLength: 64 })),
    sort: Type.Optional(
      Type.Enum(['startedAt:desc', 'startedAt:asc'], {
        default: 'startedAt:desc',
        description: 'By pages or duration: `GET /v1/analytics/ranked-sessions`',
      }),
    ),
    all: Type.Optional(Type.Boolean({ default: false, description: 'Includes bots and internal traffic' })),
  },
  STRICT,
);
export type SessionsQuery = Static<typeof SessionsQuery>;

export const SessionPage = Type.Object({ sessions: Type.Array(Session), nextPageToken: NextPageToken });
export type SessionPage = Static<typeof SessionPage>;

export const SessionPath = Type.Object({ sessionId: Type.String({ description: "The session's id" }) });

/** Body of `POST /v1/visitors/erase`. */
export const EraseVisitorBody = Type.Object({ visitorId: Type.String({ minLength: 1, maxLength: 512 }) }, STRICT);
