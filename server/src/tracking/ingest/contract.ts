import { type Static, Type } from 'typebox';
import { SessionId } from '../../shared/http/schemas.ts';
import { LIMITS } from '../limits.ts';

/** The pattern of the ids that clients give to visits and visitors. */
export const CLIENT_ID = `^[0-9A-Za-z_-]{1,${LIMITS.clientIdLength}}$`;

const ApiKey = Type.String({ description: 'A publishable API key, or, from a server, a secret API token' });

const SentAt = Type.String({
  title: 'SentAt',
  format: 'date-time',
  description:
    "The sender's clock when it sends, RFC 3339: corrects `occurredAt` by the clock's error, unless it is less than 15 seconds slow",
});

const OccurredAt = Type.String({
  format: 'date-time',
  description: 'When it happened, RFC 3339; by default when the request arrives',
});

const Choice = Type.Enum(['granted', 'denied']);

/** Of the visitor, from a server. */
const client = {
  userAgent: Type.Optional(
    Type.String({
      maxLength: LIMITS.userAgentLength,
      description: 'The User-Agent of the visitor, from a server with a secret token; ignored from others',
    }),
  ),
  ip: Type.Optional(
    Type.String({
      description:
        'The IP address of the visitor, from a server with a secret token; ignored from others. Never stored',
    }),
  ),
};

const IsBot = Type.Boolean({ description: 'Whether it was recorded as one of a bot, which reports leave out' });

/** What documents a visit; `VisitCheck` is what a visit must fulfill. */
const visit = {
  visitId: Type.Optional(
    Type.String({
      pattern: CLIENT_ID,
      description: "The client's own id of the visit; makes a retry harmless",
    }),
  ),
  url: Type.String({ format: 'http-url', maxLength: LIMITS.urlLength, description: 'URL of the page, with its query' }),
  referrer: Type.Optional(Type.String({ maxLength: LIMITS.urlLength, description: 'As in document.referrer' })),
  title: Type.Optional(Type.String({ maxLength: LIMITS.titleLength })),
  visitorId: Type.Optional(
    Type.String({
      pattern: CLIENT_ID,
      description: 'Identifies the visitor across sessions; generated if omitted',
    }),
  ),
  sessionHash: Type.Optional(
    Type.Union([Type.String(), Type.Number()], {
      description:
        "The session that the visit belongs to: its hash (22 letters and digits) or its id; if omitted, the service finds or starts the visitor's session",
    }),
  ),
  occurredAt: Type.Optional(OccurredAt),
  consent: Type.Optional(
    Type.Object(
      {
        ad_storage: Type.Optional(Choice),
        ad_user_data: Type.Optional(Choice),
        ad_personalization: Type.Optional(Choice),
        tcf: Type.Optional(
          Type.String({
            maxLength: 8192,
            description: "The TC string of the IAB's framework; fills in what is omitted",
          }),
        ),
      },
      {
        title: 'Consent',
        description:
          'What the visitor consented to, as in Google consent mode. Recorded for the session; the latest choice counts. Without one, destinations decide by their consent policy',
      },
    ),
  ),
  ...client,
};

/** The only member of a visit whose value must be usable; unusable values of the others are ignored. */
export const VisitCheck = Type.Object({ url: visit.url });

/** Body of `POST /v1/visits`. */
export const VisitBody = Type.Object({ api_key: ApiKey, ...visit, sentAt: Type.Optional(SentAt) });

export const VisitResponse = Type.Object({
  success: Type.Boolean(),
  sessionId: SessionId({ description: "The session's id: a number that cannot be guessed" }),
  sessionHash: Type.String(),
  shortSessionHash: Type.String({ description: 'First 12 Crockford base32 characters of the SHA-256 of sessionHash' }),
  visitorId: Type.String(),
  isBot: IsBot,
});
export type VisitResponse = Static<typeof VisitResponse>;

const eventName = Type.String({ minLength: 1, maxLength: LIMITS.eventLength, description: 'Name of the event' });
const propertyLimits = {
  maxProperties: LIMITS.properties,
  'x-max-bytes': LIMITS.propertiesBytes,
  'x-max-depth': LIMITS.propertiesDepth,
};

/** What documents an event; `EventCheck` is what an event must fulfill. */
const event = {
  event: eventName,
  id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: LIMITS.eventIdLength,
      description:
        "The client's own id of the event; makes a retry harmless. It is also the `eventId` of the conversion if the event has a value. Ids of publishable keys and of secret tokens are separate",
    }),
  ),
  occurredAt: Type.Optional(OccurredAt),
  ...client,
  properties: Type.Optional(
    Type.Object(
      {
        email: Type.Optional(Type.String({ description: "The user's email; creates or updates a lead" })),
        funnel_id: Type.Optional(Type.String()),
        value: Type.Optional(
          Type.Union([Type.Number(), Type.String()], {
            description: 'Monetary value, a number or numeric string; the event counts as a conversion',
          }),
        ),
        currency: Type.Optional(Type.String({ description: 'Three-letter ISO 4217 code of `value`' })),
      },
      {
        title: 'EventProperties',
        additionalProperties: true,
        ...propertyLimits,
        description:
          'Any metadata, up to 32 KiB of JSON, 255 keys and depth 5. A session identifier or click id, under its name in the conversion report, links the event to its session. A property that is unusable has no effect and is stored as sent.',
      },
    ),
  ),
};

/** What an event must fulfill; unusable values of other members and of properties have no effect. */
export const EventCheck = Type.Object({
  event: eventName,
  properties: Type.Optional(Type.Object({}, { additionalProperties: true, ...propertyLimits })),
});

/** Body of `POST /v1/events`. */
export const EventBody = Type.Object({ api_key: ApiKey, ...event, sentAt: Type.Optional(SentAt) });

export const EventResponse = Type.Object({
  success: Type.Boolean(),
  event_id: Type.String({ description: 'Identifier of the recorded event' }),
  isBot: IsBot,
});
export type EventResponse = Static<typeof EventResponse>;

const BatchItem = Type.Union([
  Type.Object({ visit: Type.Object(visit, { title: 'RecordedVisit' }) }, { additionalProperties: false }),
  Type.Object({ event: Type.Object(event, { title: 'RecordedEvent' }) }, { additionalProperties: false }),
]);

/** Withdraws consent: the service deletes its first-party cookie. */
const Forget = Type.Object({ forget: Type.Literal(true) }, { additionalProperties: false });

const batch = { api_key: ApiKey, sentAt: Type.Optional(SentAt) };

/** Body of `POST /v1/batch`. */
export const BatchBody = Type.Object({
  ...batch,
  items: Type.Array(Type.Union([BatchItem, Forget]), { minItems: 1, maxItems: LIMITS.batchItems }),
});

/** What a batch must fulfill as a whole; its items are checked one by one. */
export const BatchCheck = Type.Object({
  items: Type.Array(Type.Unknown(), { minItems: 1, maxItems: LIMITS.batchItems }),
});

const FailedItem = Type.Object({
  success: Type.Literal(false),
  error: Type.String({ description: 'Code of the first fault' }),
  reason: Type.String({ description: 'Every fault' }),
});
export type FailedItem = Static<typeof FailedItem>;

const ForgottenItem = Type.Object({
  success: Type.Literal(true),
  hadCookie: Type.Boolean({ description: 'Whether the request had the first-party cookie' }),
  site: Type.Optional(Type.String({ description: '`Sec-Fetch-Site` of the request' })),
});

export const BatchResponse = Type.Object({
  success: Type.Boolean(),
  results: Type.Array(Type.Union([VisitResponse, EventResponse, ForgottenItem, FailedItem]), {
    description: 'One for each item, in the same order',
  }),
});
export type BatchResponse = Static<typeof BatchResponse>;
