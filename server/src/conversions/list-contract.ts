import { type Static, type TSchema, Type } from 'typebox';
import { NextPageToken, PAGING } from '../shared/http/paging.ts';
import { IDENTIFIER_NAMES } from '../tracking/index.ts';

const orNull = <T extends TSchema>(schema: T, options = {}) => Type.Union([schema, Type.Null()], options);
const Text = orNull(Type.String());
const Time = Type.String({ format: 'date-time' });
const strict = { additionalProperties: false };
const Anything = orNull(Type.Record(Type.String(), Type.Unknown()));

const search = Type.Optional(
  Type.String({
    maxLength: 2048,
    description:
      'What one has in hand: an eventId, an id, a session’s hash, short hash or number, a click id, or the beginning of an e-mail with its @',
  }),
);

const times = {
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Of `createdOn`. It is in' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'It is out' })),
};

const amount = {
  eventId: Text,
  event: Type.String(),
  value: orNull(Type.String(), { description: 'A decimal number' }),
  currency: Text,
  createdOn: Time,
  receivedAt: Time,
};

const conversion = {
  id: Type.String(),
  ...amount,
  origin: Type.Enum(['report', 'event']),
  identifier: orNull(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])), {
    description: 'Name and value; null once it is forgotten',
  }),
  extra: Anything,
  sessionId: orNull(Type.Integer()),
  sessionHash: Text,
  source: orNull(Type.String(), { description: 'Of the session, like those that follow' }),
  medium: Text,
  campaign: Text,
  lead: orNull(Type.Object({ id: Type.String(), email: Type.String() })),
  restatements: Type.Integer({ description: 'How often it was reported again' }),
  updatedAt: Time,
};

export const ConversionAnswer = Type.Object(conversion, { title: 'Conversion' });
export type ConversionAnswer = Static<typeof ConversionAnswer>;

export const ConversionsQuery = Type.Object(
  {
    ...PAGING,
    ...times,
    q: search,
    event: Type.Optional(Type.String({ maxLength: 255 })),
    currency: Type.Optional(Type.String({ maxLength: 3 })),
    origin: Type.Optional(Type.Enum(['report', 'event'])),
    source: Type.Optional(Type.String({ maxLength: 512 })),
    campaign: Type.Optional(Type.String({ maxLength: 512 })),
    sessionId: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  strict,
);
export type ConversionsQuery = Static<typeof ConversionsQuery>;

export const ConversionPage = Type.Object({
  conversions: Type.Array(ConversionAnswer),
  nextPageToken: NextPageToken,
});
export type ConversionPage = Static<typeof ConversionPage>;

export const ConversionPath = Type.Object({ conversionId: Type.String() });

/** One conversion, with every report of it. */
export const ConversionWithReports = Type.Object(
  {
    ...conversion,
    reports: Type.Array(
      Type.Object({
        event: Text,
        value: Text,
        currency: Text,
        createdOn: orNull(Time),
        receivedAt: Time,
        origin: Type.Enum(['report', 'event']),
        identifier: Anything,
        extra: Anything,
      }),
      { description: 'In the order of their arrival; null is what one did not name' },
    ),
  },
  { title: 'ConversionWithReports' },
);
export type ConversionWithReports = Static<typeof ConversionWithReports>;

export const UnmatchedQuery = Type.Object(
  { ...PAGING, q: search, identifier: Type.Optional(Type.Enum([...IDENTIFIER_NAMES], { description: 'Its name' })) },
  strict,
);
export type UnmatchedQuery = Static<typeof UnmatchedQuery>;

export const UnmatchedAnswer = Type.Object(
  {
    id: Type.String(),
    ...amount,
    identifier: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
      description: 'Empty once it is erased',
    }),
    extra: Anything,
    expiresAt: Type.String({ format: 'date-time', description: 'When it is given up' }),
  },
  { title: 'UnmatchedConversion' },
);
export type UnmatchedAnswer = Static<typeof UnmatchedAnswer>;

export const UnmatchedPage = Type.Object({
  conversions: Type.Array(UnmatchedAnswer),
  nextPageToken: NextPageToken,
});
export type UnmatchedPage = Static<typeof UnmatchedPage>;
