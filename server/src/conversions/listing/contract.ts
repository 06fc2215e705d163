import { type Static, Type } from 'typebox';
import { NextPageToken, pageQuery } from '../../shared/http/keyset-page.ts';
import { orNull, readOnly, SessionId, STRICT, Time } from '../../shared/http/schemas.ts';
import { IDENTIFIER_NAMES, LeadRef } from '../../tracking/index.ts';
import { ConversionSummary, Extra, IdentifierMember, report } from '../contract.ts';

const Text = orNull(Type.String());

const q = Type.Optional(
  Type.String({
    maxLength: 2048,
    description:
      'An eventId, id, session hash, short hash or id, click id, or the start of an email up to at least its @',
  }),
);

const conversion = {
  ...ConversionSummary.properties,
  sessionId: orNull(SessionId()),
  sessionHash: Text,
  source: orNull(Type.String(), { description: 'Of the session, like the members that follow' }),
  medium: Text,
  campaign: Text,
  lead: orNull(LeadRef),
  restatements: Type.Integer({ description: 'How many reports followed the first one' }),
  adjustments: Type.Integer({ description: 'How many of them changed the value' }),
  isRefunded: Type.Boolean({ description: 'Whether its value was adjusted to 0' }),
  updatedAt: Time(),
};

export const Conversion = Type.Object(conversion, { title: 'Conversion' });
export type Conversion = Static<typeof Conversion>;

export const ConversionsQuery = Type.Object(
  {
    ...pageQuery,
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Earliest `createdOn`, inclusive' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Latest `createdOn`, exclusive' })),
    q,
    event: Type.Optional(Type.String({ maxLength: 255 })),
    currency: Type.Optional(Type.String({ maxLength: 3 })),
    origin: Type.Optional(Type.Enum(['report', 'event'])),
    source: Type.Optional(Type.String({ maxLength: 512 })),
    campaign: Type.Optional(Type.String({ maxLength: 512 })),
    sessionId: Type.Optional(SessionId()),
    sort: Type.Optional(
      Type.Enum(['createdOn:desc', 'createdOn:asc', 'value:desc', 'value:asc'], {
        default: 'createdOn:desc',
        description: 'Values are compared whatever their currency; by value, all conversions of the period are read',
      }),
    ),
    totals: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether to count and sum up all conversions of the list' }),
    ),
  },
  STRICT,
);
export type ConversionsQuery = Static<typeof ConversionsQuery>;

export const ConversionPage = Type.Object({
  conversions: Type.Array(Conversion),
  nextPageToken: NextPageToken,
  totals: Type.Optional(
    Type.Object({
      conversions: Type.Integer({ description: 'All of the list' }),
      refunds: Type.Integer({ description: 'Those of them whose value was adjusted to 0' }),
      revenue: Type.Array(
        Type.Object({ currency: orNull(Type.String()), value: Type.String({ description: 'A decimal number' }) }),
        { description: 'By currency' },
      ),
    }),
  ),
});
export type ConversionPage = Static<typeof ConversionPage>;

export const ConversionPath = Type.Object({ conversionId: Type.String() });

/** Of a conversion in one response. */
export const MAX_REPORTS = 1_000;

export const ConversionWithReports = Type.Object(
  {
    ...conversion,
    reports: Type.Array(
      Type.Object({
        event: Text,
        value: Text,
        currency: Text,
        createdOn: orNull(Time()),
        receivedAt: Time(),
        origin: Type.Enum(['report', 'event', 'undo'], {
          description: '`undo`: imports that had reported the conversion were undone',
        }),
        identifier: Extra,
        extra: Extra,
        importId: Text,
        isWithdrawn: Type.Boolean({ description: 'Its import was undone: the report no longer counts' }),
      }),
      {
        description: `The reports of the conversion in the order of arrival, the latest ${MAX_REPORTS}; null is what a report did not contain`,
      },
    ),
    moreReports: Type.Boolean({ description: 'Whether there are earlier reports' }),
  },
  { title: 'ConversionWithReports' },
);
export type ConversionWithReports = Static<typeof ConversionWithReports>;

export const UnmatchedQuery = Type.Object(
  {
    ...pageQuery,
    q,
    identifier: Type.Optional(Type.Enum([...IDENTIFIER_NAMES], { description: 'Name of the identifier' })),
  },
  STRICT,
);
export type UnmatchedQuery = Static<typeof UnmatchedQuery>;

export const UnmatchedConversion = Type.Object(
  {
    id: Type.String(),
    ...report,
    identifier: Type.Unsafe<Static<typeof IdentifierMember>>({
      ...IdentifierMember,
      description: 'Name and value; empty once it is erased',
    }),
    extra: Extra,
    expiresAt: Type.String({ format: 'date-time', description: 'When the report is deleted' }),
  },
  { title: 'UnmatchedConversion' },
);
export type UnmatchedConversion = Static<typeof UnmatchedConversion>;

export const UnmatchedPage = Type.Object({
  conversions: Type.Array(UnmatchedConversion),
  nextPageToken: NextPageToken,
});
export type UnmatchedPage = Static<typeof UnmatchedPage>;

const { identifier: _, ...otherMembers } = UnmatchedConversion.properties;

export const UnmatchedCorrection = Type.Object(
  {
    ...readOnly(...Object.keys(otherMembers)),
    identifier: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Name and value of exactly one identifier of the conversion report',
    }),
  },
  STRICT,
);
export const Corrected = Type.Object({
  matched: Type.Boolean({ description: 'Whether a session has the identifier: it is a conversion now' }),
});
export const Deleted = Type.Object({ success: Type.Boolean() });
