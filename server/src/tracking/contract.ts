import { type Static, Type } from 'typebox';

const MAX_URL = 8192;

const ApiKey = Type.String({ description: 'A publishable API key, or, from a server, a secret API token' });

const SentAt = Type.String({
  format: 'date-time',
  description: "The sender's clock as it sends, RFC 3339: corrects `timestamp` by its error",
});

const visit = {
  visitId: Type.Optional(
    Type.String({
      pattern: '^[0-9A-Za-z_-]{1,64}$',
      description: "The page's own id of the visit: makes a retry harmless",
    }),
  ),
  url: Type.String({ format: 'http-url', maxLength: MAX_URL, description: 'Address of the page, with its query' }),
  referrer: Type.Optional(Type.String({ maxLength: MAX_URL, description: 'As in document.referrer' })),
  title: Type.Optional(Type.String({ maxLength: 2048 })),
  visitorId: Type.Optional(
    Type.String({
      pattern: '^[0-9A-Za-z_-]{1,64}$',
      description: 'Names the visitor over its sessions; made by the service where none is given',
    }),
  ),
  sessionHash: Type.Optional(
    Type.String({
      pattern: '^[0-9A-Za-z]{22}$',
      description: 'The session the visit belongs to; without it the service decides, by visitorId',
    }),
  ),
  timestamp: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'When the page was visited, RFC 3339; the time of arrival where it is not given',
    }),
  ),
};

/** Body of `POST /v1/visits`. */
export const VisitBody = Type.Object(
  { api_key: ApiKey, ...visit, sentAt: Type.Optional(SentAt) },
  { additionalProperties: false },
);
export type VisitBody = Static<typeof VisitBody>;

export const VisitAnswer = Type.Object({
  success: Type.Boolean(),
  sessionId: Type.Integer({ description: "The session's number" }),
  sessionHash: Type.String(),
  shortSessionHash: Type.String({ description: 'First 12 Crockford base32 characters of the SHA-256 of sessionHash' }),
  visitorId: Type.String(),
});
export type VisitAnswer = Static<typeof VisitAnswer>;

const event = {
  event: Type.String({ minLength: 1, maxLength: 255, description: 'Name of the event' }),
  properties: Type.Optional(
    Type.Object(
      {
        email: Type.Optional(
          Type.String({ format: 'email', description: "The user's e-mail: makes or updates a lead" }),
        ),
        funnel_id: Type.Optional(Type.String()),
        value: Type.Optional(Type.Number({ description: 'Monetary value: the event counts as a conversion' })),
        event_id: Type.Optional(
          Type.String({ minLength: 1, maxLength: 255, description: "The caller's own id: makes a retry harmless" }),
        ),
        timestamp: Type.Optional(Type.String({ format: 'date-time', description: 'When it happened, RFC 3339' })),
      },
      {
        additionalProperties: true,
        maxProperties: 255,
        'x-max-bytes': 32_768,
        'x-max-depth': 5,
        description:
          'Any metadata, to 32 KiB of JSON, 255 keys and depth 5. A session identifier under its name in the conversion report ties the event to its session.',
      },
    ),
  ),
};

/** Body of `POST /v1/events`. */
export const EventBody = Type.Object({ api_key: ApiKey, ...event }, { additionalProperties: false });
export type EventBody = Static<typeof EventBody>;

export const EventAnswer = Type.Object({
  success: Type.Boolean(),
  event_id: Type.String({ description: 'Identifier of the recorded event' }),
});
export type EventAnswer = Static<typeof EventAnswer>;

/** A visit or an event of a batch. */
export const VisitItem = Type.Object(visit, { additionalProperties: false });
export type VisitItem = Static<typeof VisitItem>;
export const EventItem = Type.Object(event, { additionalProperties: false });
export type EventItem = Static<typeof EventItem>;
const BatchItem = Type.Union([
  Type.Object({ visit: VisitItem }, { additionalProperties: false }),
  Type.Object({ event: EventItem }, { additionalProperties: false }),
]);

/** Body of `POST /v1/batch`. */
export const BatchBody = Type.Object(
  {
    api_key: ApiKey,
    sentAt: Type.Optional(SentAt),
    items: Type.Array(BatchItem, { minItems: 1, maxItems: 100 }),
  },
  { additionalProperties: false },
);
export type BatchBody = Static<typeof BatchBody>;

const Refused = Type.Object({
  success: Type.Literal(false),
  error: Type.String({ description: 'Code of the first fault' }),
  reason: Type.String({ description: 'Every fault' }),
});
export type Refused = Static<typeof Refused>;

export const BatchAnswer = Type.Object({
  success: Type.Boolean(),
  results: Type.Array(Type.Union([VisitAnswer, EventAnswer, Refused]), {
    description: 'One for each item, in the same order',
  }),
});
export type BatchAnswer = Static<typeof BatchAnswer>;

const AllowedOrigins = Type.Array(Type.String({ maxLength: 512 }), {
  maxItems: 200,
  description:
    'Origins of the pages that may record with the publishable key, such as `https://shop.example`; `https://*.shop.example` for every host below. Empty: any. A request without an `Origin` header, from a server, is not asked',
});
const ExcludedAddresses = Type.Array(Type.String({ maxLength: 64 }), {
  maxItems: 200,
  description:
    'Addresses and CIDR ranges, of IPv4 and IPv6, whose visits and events are recorded and marked as internal, and then not counted, like those of bots',
});
const RetentionDays = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 1,
  maximum: 36_500,
  description:
    'How many days sessions, visits, events and leads are kept; null: for ever. Conversions stay, without their identifiers',
});

export const Settings = Type.Object({
  allowedOrigins: AllowedOrigins,
  excludedAddresses: ExcludedAddresses,
  retentionDays: RetentionDays,
  updatedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'Null as long as nothing was changed',
  }),
});
export type Settings = Static<typeof Settings>;

/** Body of `PATCH /v1/tracking/settings`: what is not named stays as it is. */
export const SettingsBody = Type.Object(
  {
    allowedOrigins: Type.Optional(AllowedOrigins),
    excludedAddresses: Type.Optional(ExcludedAddresses),
    retentionDays: Type.Optional(RetentionDays),
  },
  { additionalProperties: false },
);
export type SettingsBody = Static<typeof SettingsBody>;

/** Body of `POST /v1/leads/erase`. */
export const EraseBody = Type.Object(
  { email: Type.String({ format: 'email', description: 'In any case' }) },
  { additionalProperties: false },
);
