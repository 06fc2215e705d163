import { type Static, type TSchema, Type } from 'typebox';
import { IDENTIFIER_NAMES, identify } from '../tracking/index.ts';

const orNull = <T extends TSchema>(schema: T, description?: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], description === undefined ? {} : { description }));

const ONE_OF = 'One identifier is needed, and only one; null and an empty string are none.';

/** A session's hash or its number, where a number is one of its identifiers; else text. */
const identifiers: Record<string, TSchema> = Object.fromEntries(
  IDENTIFIER_NAMES.map((name) => [
    name,
    identify(name, 1)
      ? Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()], { description: ONE_OF }))
      : orNull(Type.String(), ONE_OF),
  ]),
);

const Value = Type.Union([Type.Number(), Type.String(), Type.Null()], {
  description: 'Amount: a number or a numeric string up to 10^18. An empty string is refused; 0 is a value.',
});

/** What body and query share. */
const common = {
  ...identifiers,
  event: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, default: 'conversion', description: 'Name of the event' }),
  ),
  createdOn: Type.Optional(
    Type.Unknown({
      description:
        'When it happened: ISO 8601, epoch seconds or milliseconds. What cannot be read, or lies over an hour ahead, gives way to the time of arrival, and `reason` says so.',
    }),
  ),
  eventId: orNull(
    Type.String({ maxLength: 255 }),
    "The caller's own identifier of the conversion: reporting it again restates that conversion",
  ),
  value: Type.Optional(Value),
  currency: orNull(Type.String(), 'Three-letter code of ISO 4217, in any case'),
};

/** Each item of a body. Members that are not named here are ignored. */
export const ConversionItem = Type.Object(
  {
    ...common,
    conversion: Type.Optional(
      Type.Union([Type.Object({ value: Type.Optional(Value) }), Type.Null()], {
        deprecated: true,
        description: 'Use `value`, which wins where both are sent.',
      }),
    ),
    extra: orNull(Type.Record(Type.String(), Type.Unknown()), 'Any metadata, to 32 KiB of JSON'),
  },
  { title: 'ConversionItem' },
);

/** The query of a postback. Parameters that are not named here are ignored. */
export const ConversionQuery = Type.Object(common);

const result = {
  _id: Type.Optional(Type.String({ description: 'The conversion; the same however often it is restated' })),
  reported: Type.Boolean(),
  status: Type.Enum(['reported', 'unmatched', 'failed'], {
    description:
      '`unmatched`: no session has this identifier; the report is kept 30 days and takes effect by itself if one comes. `failed`: see `error`.',
  }),
  error: Type.Optional(Type.String({ description: 'Stable code of what is wrong with the item' })),
  reason: Type.Optional(Type.String({ description: 'What is wrong with the item, or what was put right in it' })),
};

export const ConversionResult = Type.Object(result, { title: 'ConversionResult' });
export type ConversionResult = Static<typeof ConversionResult>;

/** What a report would be answered, and what it would do. */
export const RehearsalResult = Type.Object(
  {
    ...result,
    _id: Type.Optional(Type.String({ description: 'The conversion that would be restated, if it is there already' })),
    effect: Type.Enum(['create', 'restate', 'wait', 'none'], {
      description:
        '`create`: it would be a new conversion. `restate`: it would restate one. `wait`: it is unmatched, and would be kept. `none`: it would fail.',
    }),
    sessionId: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The session that it is found to belong to, or that its conversion belongs to already',
    }),
    restatesItem: Type.Optional(
      Type.Integer({ description: 'Where in the array, from 0, the item stands that it would restate' }),
    ),
  },
  { title: 'RehearsalResult' },
);
export type RehearsalResult = Static<typeof RehearsalResult>;
