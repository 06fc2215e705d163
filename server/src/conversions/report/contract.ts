import { type Static, type TSchema, type TSchemaOptions, Type } from 'typebox';
import { orNull, SessionId } from '../../shared/http/schemas.ts';
import { IDENTIFIER_NAMES } from '../../tracking/index.ts';
import { LIMITS } from '../limits.ts';

const optional = <T extends TSchema>(schema: T, description?: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], description === undefined ? {} : { description }));

const identifiers = (options: TSchemaOptions = {}): Record<string, TSchema> => {
  const schema = Type.Union([Type.String(), Type.Number(), Type.Null()], options);
  return Object.fromEntries(IDENTIFIER_NAMES.map((name) => [name, Type.Optional(schema)]));
};

const Value = Type.Union([Type.Number(), Type.String(), Type.Null()], {
  description: 'Amount: a number or numeric string up to 10^18. An empty string is invalid; 0 is a value.',
});

/** The members that the body and the query share. */
const common = {
  event: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: LIMITS.eventLength,
      default: 'conversion',
      description: 'Name of the event',
    }),
  ),
  createdOn: Type.Optional(
    Type.Unknown({
      description:
        'When the conversion happened: ISO 8601, or epoch seconds or milliseconds. A value that is unreadable or more than an hour ahead is replaced by the time of arrival, and `reason` says so.',
    }),
  ),
  eventId: optional(
    Type.String({ maxLength: LIMITS.eventIdLength }),
    "The caller's own identifier of the conversion: reporting it again restates the conversion",
  ),
  value: Type.Optional(Value),
  currency: optional(Type.String(), 'Three-letter ISO 4217 code, in any case'),
};

/** An item of a body. Other members are ignored. */
export const ConversionItem = Type.Object(
  {
    ...identifiers({
      title: 'ConversionIdentifier',
      description: 'Each item has exactly one identifier; null and empty strings do not count.',
    }),
    ...common,
    conversion: Type.Optional(
      Type.Union([Type.Object({ value: Type.Optional(Value) }), Type.Null()], {
        deprecated: true,
        description: 'Use `value`, which wins when both are sent.',
      }),
    ),
    extra: optional(Type.Record(Type.String(), Type.Unknown()), 'Any metadata, up to 32 KiB of JSON'),
  },
  { title: 'ConversionItem' },
);

/** An item of an import. */
export const ImportedConversionItem = Type.Object(
  {
    ...ConversionItem.properties,
    knownAt: Type.Optional(
      Type.Unknown({
        description:
          'When this report became known, in the formats of `createdOn`; by default at `createdOn`. Reports by the age of revenue count it from then on.',
      }),
    ),
  },
  { title: 'ImportedConversionItem' },
);

/** The query of a postback. Other parameters are ignored. */
export const ConversionQuery = Type.Object({ ...identifiers(), ...common });

const result = {
  _id: Type.Optional(Type.String({ description: 'The conversion; a restatement keeps it' })),
  reported: Type.Boolean(),
  status: Type.Enum(['reported', 'unmatched', 'failed'], {
    description:
      '`unmatched`: no session has this identifier. The report is stored for 30 days and takes effect when one arrives. `failed`: see `error`.',
  }),
  error: Type.Optional(Type.String({ description: "Stable code of the item's first fault" })),
  reason: Type.Optional(Type.String({ description: 'What is wrong with the item, or what was replaced in it' })),
};

export const ConversionResult = Type.Object(result, { title: 'ConversionResult' });
export type ConversionResult = Static<typeof ConversionResult>;

/** The result that a report would have, and its effect. */
export const DryRunResult = Type.Object(
  {
    ...result,
    _id: Type.Optional(
      Type.String({ description: 'The conversion that the item would restate, if it exists already' }),
    ),
    effect: Type.Enum(['create', 'restate', 'wait', 'none'], {
      description:
        '`create`: creates a conversion. `restate`: restates one. `wait`: is unmatched and would be stored. `none`: fails.',
    }),
    sessionId: orNull(SessionId(), {
      description: 'The session that the item matches, or that its conversion has already',
    }),
    restatesItem: Type.Optional(
      Type.Integer({ description: 'Index in the array, from 0, of the item that this item restates' }),
    ),
  },
  { title: 'DryRunResult' },
);
export type DryRunResult = Static<typeof DryRunResult>;
