import { type TSchema, type TSchemaOptions, Type } from 'typebox';

/** A value or null. */
export const orNull = <Schema extends TSchema>(schema: Schema, options: TSchemaOptions = {}) =>
  Type.Union([schema, Type.Null()], options);

/** A time in a response: ISO 8601 in UTC with milliseconds. */
export const Time = (options: TSchemaOptions = {}) => Type.String({ ...options, format: 'date-time' });

/** The id of a session: not its number, which only the database knows (see `SessionIds`). */
export const SessionId = (options: TSchemaOptions = {}) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, ...options });

/** Options of an object schema that refuses unknown members. */
export const STRICT = { additionalProperties: false } as const;

/** Read-only members of a resource: accepted in requests, so that whatever was read can be sent back, and ignored. */
export const readOnly = <Name extends string>(...names: Name[]) => {
  const member = Type.Optional(Type.Unknown({ readOnly: true }));
  return Object.fromEntries(names.map((name) => [name, member])) as Record<Name, typeof member>;
};

/**
 * A schema within itself, by its title: described by a reference to that component, and validated by `schema`, which only
 * requests need.
 */
export const recursive = (title: string, schema?: () => TSchema) =>
  Type.Unsafe<unknown>({
    type: 'object',
    additionalProperties: true,
    'x-component': title,
    ...(schema && { 'x-schema': schema }),
  });
